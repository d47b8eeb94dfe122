@testable import Evaluation
import Diagnostics
import Foundation
import TestSupport
import Testing
import TraceModel

/// What replaces Foundation in the modules that an app's tests use, compared with Foundation.
@Suite struct CLibraryTests {
  @Test(.longer) func numbersAreFormattedAsByFoundation() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<LongTests.count(quick: 5_000, long: 200_000) {
      let value =
        Bool.random(using: &generator)
        ? Double(bitPattern: generator.next()) : Double.random(in: -1000...1000, using: &generator)
      let decimals = Int.random(in: 0...12, using: &generator)
      guard value.isFinite else { continue }
      let expected = String(format: "%.\(decimals)f", value)
      // Both write -0.00 as 0.00.
      let isZero = expected.allSatisfy { "-0.".contains($0) }
      #expect(fixed(value, decimals) == (isZero ? expected.replacing("-", with: "") : expected))
    }
    #expect(fixed(.nan, 2) == "-" && fixed(-.infinity, 2) == "-inf")
    #expect(fixed(.greatestFiniteMagnitude, 3).count == 313)
  }

  @Test(arguments: [
    "suite.yml", "traces/suite.yml", "/suite.yml", "/a/suite.yml", "a/b/", "a//b", "./a", "../a",
    "a/b//",
  ])
  func foldersAreThoseOfFoundation(path: String) {
    let expected = URL(fileURLWithPath: path).deletingLastPathComponent().relativePath
    #expect(
      URL(fileURLWithPath: Suite.folder(of: path)).standardizedFileURL
        == URL(fileURLWithPath: expected).standardizedFileURL)
  }

  @Test func aSymbolicLinkIsItsFile() throws {
    let scratch = try Scratch()
    try scratch.write("x", to: "a.txt")
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path("b.txt"), withDestinationPath: scratch.path("a.txt"))
    #expect(resolvedPath(scratch.path("b.txt")) == resolvedPath(scratch.path("a.txt")))
    #expect(resolvedPath("no such/file") == "no such/file")
    #expect(matches("punch-s01", pattern: "punch-*") && !matches("walk", pattern: "punch-*"))
  }
}
