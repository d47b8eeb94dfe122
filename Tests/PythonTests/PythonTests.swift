import Foundation
import Synchronization
import TestSupport
import Testing

/// Runs each `Tests/Python/check_*.py`: what only other people's programs can say about our files.
/// `run_checks.py` runs each in a process of its own.
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
    let outcome = try Self.runner.get().run(script)
    #expect(outcome.status == 0, "\(outcome.output)")
  }

  /// No script found would be no test at all.
  @Test func thereAreChecks() {
    #expect(!Self.checks.isEmpty)
  }

  /// Started by the first check.
  private static let runner = Result { try CheckRunner(folder, program: program) }

  /// If none is named, the program beside the test bundle that runs.
  private static var program: URL {
    if let path = environment["SHADOWBOX_CHECKED_PROGRAM"] { return URL(filePath: path) }
    return URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "shadowbox")
  }
}

/// `run_checks.py` at work, until all checks have run.
private final class CheckRunner: Sendable {
  struct Outcome: Decodable {
    var status: Int32
    var output: String
  }

  private struct State {
    var process: Process
    var requests: FileHandle
    var answers: FileHandle
    /// The number of checks to come.
    var left: Int
  }

  private let state: Mutex<State>

  init(_ folder: URL, program: URL) throws {
    let python = try #require(
      PythonTests.environment["SHADOWBOX_PYTHON"], "SHADOWBOX_PYTHON is not set: run `make test`")
    let process = Process()
    process.executableURL = URL(filePath: python)
    process.arguments = ["-B", folder.appending(path: "run_checks.py").path]
    process.environment = PythonTests.environment
      .merging(["SHADOWBOX_EXECUTABLE": program.path]) { _, new in new }
    let (requests, answers) = (Pipe(), Pipe())
    process.standardInput = requests
    process.standardOutput = answers
    try process.run()
    state = Mutex(
      State(
        process: process, requests: requests.fileHandleForWriting,
        answers: answers.fileHandleForReading, left: PythonTests.checks.count))
  }

  /// Runs a check, one at a time.
  func run(_ script: String) throws -> Outcome {
    let answer = try state.withLock { state in
      try state.requests.write(contentsOf: Data("\(script)\n".utf8))
      var answer = Data()
      // A line, of which JSON has no other.
      while answer.last != UInt8(ascii: "\n") {
        let part = state.answers.availableData
        if part.isEmpty { break }
        answer += part
      }
      state.left -= 1
      if state.left == 0 {
        try state.requests.close()
        // Only then its processor time is among that of the tests.
        state.process.waitUntilExit()
      }
      return answer
    }
    return try JSONDecoder().decode(Outcome.self, from: answer)
  }
}
