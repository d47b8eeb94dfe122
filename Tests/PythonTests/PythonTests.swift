import Foundation
import TestSupport
import Testing

/// Runs each `Tests/Python/check_*.py`: what only other people's programs can say about our files.
///
/// `SHADOWBOX_PYTHON` names the interpreter, one that has `Tests/Python/requirements.txt`. Without
/// it the checks are left out, unless `SHADOWBOX_REQUIRE_PYTHON` is 1, as `make test` sets it: then
/// they fail. A check passes with exit code 0; it finds the program under test in
/// `SHADOWBOX_EXECUTABLE`: the one that was built with the tests, or, much faster, an optimised one
/// that `SHADOWBOX_CHECKED_PROGRAM` names.
@Suite struct PythonTests {
  static let environment = ProcessInfo.processInfo.environment
  static let isWanted =
    environment["SHADOWBOX_PYTHON"] != nil || environment["SHADOWBOX_REQUIRE_PYTHON"] == "1"
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Python")

  static var checks: [String] {
    let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    let checks = files?.filter { $0.hasPrefix("check_") && $0.hasSuffix(".py") }.sorted() ?? []
    // As Tests/run_tests --only-longer has it.
    guard environment["SHADOWBOX_ONLY_LONGER"] == "1" else { return checks }
    return checks.filter { name in
      let text = try? String(contentsOf: folder.appending(path: name), encoding: .utf8)
      return text?.contains("long_tests") != false
    }
  }

  @Test(.longer, .enabled(if: isWanted), arguments: checks)
  func check(script: String) throws {
    let (status, output) = try run(script)
    #expect(status == 0, "\(output)")
  }

  /// No script found would be no test at all.
  @Test func thereAreChecks() {
    #expect(!Self.checks.isEmpty)
  }

  private func run(_ script: String) throws -> (status: Int32, output: String) {
    let python = try #require(
      Self.environment["SHADOWBOX_PYTHON"], "SHADOWBOX_PYTHON is not set: run `make test`")
    let process = Process()
    process.executableURL = URL(filePath: python)
    process.arguments = ["-B", Self.folder.appending(path: script).path]
    process.environment = Self.environment
      .merging(["SHADOWBOX_EXECUTABLE": Self.program.path]) { _, new in new }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }

  /// If none is named, the program beside the test bundle that runs.
  private static var program: URL {
    if let path = environment["SHADOWBOX_CHECKED_PROGRAM"] { return URL(filePath: path) }
    return URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "shadowbox")
  }
}
