import Foundation
import TestSupport
import Testing

/// Only the command line, a suite and `--allow-programs` start programs.
@Suite struct ProgramTrustTests {
  private let bench: TrustBench

  init() throws { bench = try TrustBench() }

  @Test(arguments: [
    ["rerun", "r.h5"], ["report", "r.h5", "-o", "p.html"],
    ["compare", "r.h5", "r.h5", "--report", "p.html"],
  ])
  func resultsStartNoProgram(arguments: [String]) throws {
    let refused = try bench.run(arguments)
    #expect(refused.status == 65 && !bench.hasStarted, "\(refused)")
    #expect(!bench.scratch.names.contains("p.html"))
    // All of them, before the first starts.
    let folder = bench.scratch.url.standardizedFileURL.path
    for text in [
      "r.h5: expected no programs", "--allow-programs",
      "exec:./child in the folder \(folder); exec:./child \\u{202e}again in the folder \(folder)",
    ] {
      #expect(refused.errors.contains(text), "\(text): \(refused)")
    }
    let allowed = try bench.run(arguments + ["--allow-programs"])
    #expect(allowed.status == 0 && bench.hasStarted, "\(allowed)")
  }

  /// A trace with another digest is not the trace of the run: nothing runs on it.
  @Test func aChangedTraceRunsNothing() throws {
    try bench.scratch.bytes(of: "short.h5")
      .write(to: bench.scratch.url.appending(path: "other.h5"))
    let outcome = try bench.run(["rerun", "r.h5", "--allow-programs"])
    #expect(outcome.status == 65 && !bench.hasStarted, "\(outcome)")
    #expect(outcome.errors.contains("other.h5") && outcome.errors.contains("has changed"))
  }
}
