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

  /// The suite that commands take if none is named is of the working directory.
  @Test(arguments: [
    ["run"], ["gate", "--base-build", "./child", "--no-timing"],
    ["gate", "--head-suite", "own.yml", "--no-timing"],
    ["bisect", "--good", "HEAD~1", "--bad", "HEAD"],
  ])
  func aSuiteThatNobodyNamesStartsNoProgram(arguments: [String]) throws {
    let commit = "git -c user.name=n -c user.email=e commit -q --allow-empty -m"
    let made = try Program.launch(
      "sh",
      [
        "-c",
        "mkdir traces && cp -p child *.h5 traces && cp s.yml traces/suite.yml && git init -q && "
          + "\(commit) a && \(commit) b && sed s/exec:.*,/punch,/ s.yml >own.yml",
      ], in: bench.scratch.url)
    try #require(made.status == 0, "\(made)")
    let refused = try bench.run(arguments)
    #expect(refused.status == 65, "\(refused)")
    #expect(refused.errors.contains("unless the command line names this suite"), "\(refused)")
    #expect(!bench.hasStarted && !bench.scratch.names.contains("traces/started"))
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
