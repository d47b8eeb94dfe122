import Foundation
import TestSupport
import Testing
@testable import TraceFormats
import TraceModel

/// Only the command line, a suite and `--allow-programs` start programs.
@Suite struct ProgramTrustTests {
  private let bench: Workbench
  private var scratch: Scratch { bench.scratch }

  /// Two programs that leave a file when they start, and the results of a run of both.
  init() throws {
    bench = try Workbench()
    try scratch.write(Self.program, to: "child", permissions: 0o755)
    try scratch.write(
      """
      schema: shadowbox-suite/1
      traces: {all: [short.h5], other: [cut.h5]}
      entries:
        - {name: one, detector: "exec:./child", traces: all}
        - {name: two, detector: "exec:./child \u{202E}again", traces: other}
      """, to: "s.yml")
    #expect(try run("trim", "short.h5", "-o", "cut.h5", "--to", "1s", "--quiet").status == 0)
    let run = try run("run", "s.yml", "-o", "r.h5", "--quiet")
    #expect(run.status == 0 && hasStarted, "\(run)")
    try FileManager.default.removeItem(atPath: scratch.path("started"))
  }

  private static let program = """
    #!/bin/sh
    : > started
    \(ExecBench.hello)
    while read -r word rest; do if [ "$word" = end ]; then echo done; fi; done
    """

  private func run(_ arguments: String...) throws -> Program.Outcome {
    try Program.run(arguments, in: scratch.url)
  }

  private var hasStarted: Bool { scratch.names.contains("started") }

  @Test(arguments: [
    ["rerun", "r.h5"], ["report", "r.h5", "-o", "p.html"],
    ["compare", "r.h5", "r.h5", "--report", "p.html"],
  ])
  func resultsStartNoProgram(arguments: [String]) throws {
    let refused = try Program.run(arguments, in: scratch.url)
    #expect(refused.status == 65 && !hasStarted, "\(refused)")
    #expect(!scratch.names.contains("p.html"))
    // All of them, before the first starts.
    let folder = scratch.url.standardizedFileURL.path
    for text in [
      "r.h5: expected no programs", "--allow-programs",
      "exec:./child in the folder \(folder); exec:./child \\u{202e}again in the folder \(folder)",
    ] {
      #expect(refused.errors.contains(text), "\(text): \(refused)")
    }
    let allowed = try Program.run(arguments + ["--allow-programs"], in: scratch.url)
    #expect(allowed.status == 0 && hasStarted, "\(allowed)")
  }

  /// A trace with another digest is not the trace of the run: nothing runs on it.
  @Test func aChangedTraceRunsNothing() throws {
    try scratch.bytes(of: "long.h5").write(to: scratch.url.appending(path: "cut.h5"))
    let outcome = try run("rerun", "r.h5", "--allow-programs")
    #expect(outcome.status == 65 && !hasStarted, "\(outcome)")
    #expect(outcome.errors.contains("cut.h5") && outcome.errors.contains("has changed"))
  }
}
