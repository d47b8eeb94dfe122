import Foundation
import TestSupport
import Testing

@testable import Harness

/// The commit of the data, without running what a repository names.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/git")))
struct ToolchainTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try scratch.write("one", to: "a.txt")
    try git("init", "-q")
    try git("add", "a.txt")
    try git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "one")
  }

  private func git(_ words: String...) throws {
    let outcome = try Program.launch("git", words, in: scratch.url)
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  private var commit: String { Toolchain.commit(near: scratch.path("a.txt")) }

  @Test func isThatOfTheFolder() throws {
    #expect(commit.count == 40 && commit.allSatisfy(\.isHexDigit))
    try scratch.write("two", to: "new.txt")
    #expect(!commit.hasSuffix("-dirty"))
    try scratch.write("two", to: "a.txt")
    #expect(commit.count == 46 && commit.hasSuffix("-dirty"))
    #expect(Toolchain.commit(near: "/nowhere/a.txt") == "")
    #expect(Toolchain.commit(near: "/proc/1/x") == "")
  }

  @Test(arguments: [
    ["filter.trap.clean", ": > started; cat"], ["core.fsmonitor", ": > started"],
    ["filter.trap.process", ": > started"],
  ])
  func noProgramOfTheRepositoryIsStarted(setting: [String]) throws {
    try scratch.write("*.txt filter=trap", to: ".gitattributes")
    try git("config", setting[0], setting[1])
    try scratch.write("six", to: "a.txt")
    #expect(commit.count == 50 && commit.hasSuffix("-unchecked"))
    #expect(!scratch.names.contains("started"))
  }
}
