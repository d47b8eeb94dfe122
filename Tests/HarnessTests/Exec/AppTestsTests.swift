import Foundation
import TestSupport
import Testing

/// Tests the example of docs/own-detectors.md: an app that tests its detector on fixtures.
@Suite(.timeLimit(.minutes(60))) struct AppTestsTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let package = root.appending(path: "Tests/Examples/AppTests")
  /// A separate folder, without files of other packages.
  private static let products = root.appending(path: ".build/app-tests")

  private func swift(_ arguments: [String]) throws -> Program.Outcome {
    // SwiftPM finds new files only in the root package: without its plan it makes a new one.
    try? FileManager.default.removeItem(at: Self.products.appending(path: "debug.yaml"))
    return try Program.launch(
      "swift",
      [arguments[0], "--package-path", Self.package.path, "--scratch-path", Self.products.path]
        + arguments.dropFirst(), in: Self.root)
  }

  /// The fixtures are what the commands of the documentation write.
  @Test(arguments: ["punch-s06-left", "punch-s07-right"]) func fixturesAreExported(
    name: String
  ) throws {
    let scratch = try Scratch()
    let trace = Self.root.appending(path: "traces/synthetic/\(name).h5").path
    let cut = try Program.run(["trim", trace, "-o", "part.h5", "--to", "12s"], in: scratch.url)
    #expect(cut.status == 0, "\(cut.errors)")
    let made = try Program.run(["export", "part.h5", "-o", "Fixtures"], in: scratch.url)
    #expect(made.status == 0, "\(made.errors)")
    let kept = Self.package.appending(path: "Tests/BlowTests/Fixtures/\(name).trace")
    #expect(try scratch.bytes(of: "Fixtures/\(name).trace") == Data(contentsOf: kept))
  }

  @Test(.longer, .longRun) func anAppsOwnTestsPass() throws {
    let outcome = try swift(["test", "--filter", "BlowTests"])
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    let text = outcome.output + outcome.errors
    #expect(text.contains("Test blowsAreFound() passed"), "\(text)")
    #expect(text.contains("Executed 1 test, with 0 failures"), "\(text)")
    try onlySwiftIsBuilt()
  }

  /// Nothing but the pure targets is compiled, and no library of C is linked.
  private func onlySwiftIsBuilt() throws {
    let modules = Self.products.appending(path: "debug/Modules").path
    let built = Set(
      try FileManager.default.contentsOfDirectory(atPath: modules)
        .filter { $0.hasSuffix(".swiftmodule") }.map { String($0.dropLast(12)) })
    #expect(
      built.subtracting([
        "Blows", "BlowTests", "FailingTests", "app_testsPackageTests",
        "app_testsPackageDiscoveredTests",
      ]) == [
        "TraceModel", "TraceFixtures", "Detectors", "AppEngines", "Replay", "Scoring", "Tuning",
        "Diagnostics", "Evaluation", "ShadowboxTesting",
      ])
    #if os(Linux)
      let test = Self.products.appending(path: "debug/app-testsPackageTests.xctest").path
      let libraries = try Program.launch("ldd", [test], in: Self.root)
      #expect(libraries.output.contains("libXCTest"), "\(libraries)")
      for name in ["gsl", "hdf5", "crypto", "curl", "libzip", "sqlite", "libz."] {
        #expect(!libraries.output.contains(name), "\(libraries.output)")
      }
    #endif
  }

  /// Failures are at the call, in both frameworks, and name figure, bound, counts and times.
  @Test(.longer, .longRun) func anAppsOwnTestsFail() throws {
    let outcome = try swift(["test", "--filter", "FailingTests"])
    #expect(outcome.status == 1, "\(outcome.errors)")
    let text = outcome.output + outcome.errors
    let source = try String(
      contentsOf: Self.package.appending(path: "Tests/FailingTests/FailingTests.swift"),
      encoding: .utf8)
    let calls = source.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .filter { $0.element.contains("try await expect(") }.map { $0.offset + 1 }
    try #require(calls.count == 4)
    let message =
      "blow: recall is 0.5, expected at least 0.97 (1 of 2 references found, 0 false alarms in 0.05 "
      + "min, 1 trace, 1 person)"
    for expected in [
      "Test thisFails() recorded an issue at FailingTests.swift:\(calls[0]):",
      "↳ " + message + "\n  worst traces:\n    one-blow (person s1): 1 missed at 2.00 s\n",
      "Test thisShowsNothingAboutNewPeople() recorded an issue at FailingTests.swift:\(calls[1]):",
      "expected 3 people or more, found 1 person: nothing is shown about new people",
      "FailingTests.swift:\(calls[2]): error: FailingXCTests.testThisFails : failed - " + message,
      "FailingXCTests.testThisThrows : threw error \"FailingTests/FailingTests.swift:\(calls[3]): "
        + message,
    ] {
      #expect(text.contains(expected), "\(expected)\n\(text)")
    }
  }
}
