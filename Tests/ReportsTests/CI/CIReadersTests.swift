import Evaluation
import Foundation
@testable import Reports
import Scoring
import Testing
import TestSupport

/// Other programs read what is written, whatever the names are. `SHADOWBOX_PYTHON` is as in
/// PythonTests.
@Suite struct CIReadersTests {
  private static let environment = ProcessInfo.processInfo.environment
  static let isWanted =
    environment["SHADOWBOX_PYTHON"] != nil || environment["SHADOWBOX_REQUIRE_PYTHON"] == "1"

  @Test(.longer, .enabled(if: isWanted)) func otherProgramsReadHostileNames() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ci-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let count = LongTests.count(quick: 15, long: 100)
    for seed in 0..<count {
      var samples = CISamples(seed: UInt64(seed))
      let gate = seed == 0 ? CISamples.empty : samples.gate()
      try write(gate, "\(seed)-gate", to: folder)
      try write(gate.comparison, "\(seed)-comparison", to: folder)
      try write(gate.comparison.head, "\(seed)-results", to: folder)
    }
    let (status, output) = try read(folder)
    #expect(status == 0, "\(output)")
    #expect(output.contains("\(3 * count) .junit.xml"), "\(output)")
  }

  private func write(_ report: some CIReport, _ name: String, to folder: URL) throws {
    for (text, ending) in [
      (report.junit, "junit.xml"), (report.markdown(limit: summaryLimit), "summary.md"),
      (report.openMetrics, "metrics.txt"), (try report.benchmarks(.lower), "benchmark.json"),
      (try report.benchmarks(.higher), "b.benchmark.json"), (try report.badge(), "badge.json"),
    ] {
      try Data(text.utf8).write(to: folder.appending(path: "\(name).\(ending)"))
    }
  }

  private func read(_ folder: URL) throws -> (status: Int32, output: String) {
    let python = try #require(
      Self.environment["SHADOWBOX_PYTHON"], "SHADOWBOX_PYTHON is not set: run `make test`")
    let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Python/ci_formats.py")
    let process = Process()
    process.executableURL = URL(filePath: python)
    process.arguments = ["-B", script.path, folder.path]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}
