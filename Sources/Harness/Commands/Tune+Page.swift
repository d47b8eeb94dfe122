import Evaluation
import Foundation
import Reports
import Scoring
import Tuning

extension TuneCommand {
  /// Writes a page that compares the chosen parameters with the previous ones, on the same traces.
  /// - Parameter path: a checked one.
  func writePage(
    of outcome: TuneOutcome, at path: String, _ module: PageModule?
  ) async throws {
    guard outcome.result.choice != nil else {
      terminal.warn("warning: \(path): nothing was chosen, so no page is written")
      return
    }
    let suite = Self.suite(of: outcome)
    let output = try await SuiteRunner(
      suite: suite, registry: Harness.registry, loader: NativeTraceLoader(),
      threads: data.threadCount, observer: terminal
    ).run()
    var result = SuiteResult(
      provenance: .init(suite: suite.name), runs: output.runs, apps: [], intervals: .newPeople)
    result.suite = suite
    try await PageWriting.write(
      PageWriting.Content(result: result, suite: suite), to: path, allData: false,
      module: module, threads: data.threadCount, terminal, outputFiles)
    terminal.say("page in \(path)")
  }

  /// The figures on a test set come first: those on the traces that chose the parameters are
  /// biased.
  private static func suite(of outcome: TuneOutcome) -> Suite {
    let measured = outcome.measured
    var sets = [
      Suite.TraceSet(name: "chosen on these traces", files: measured.recordings.map(\.path))
    ]
    if let test = outcome.testSet {
      sets.insert(Suite.TraceSet(name: "test set", files: test.inputs.map(\.path)), at: 0)
    }
    var tuned = measured.choice
    tuned.overrides.merge(outcome.chosen) { $1 }
    let entries = sets.flatMap { set in
      [("tuned", tuned), (measured.choice.title, measured.choice)].map { name, choice in
        Suite.Entry(
          name: sets.count > 1 || name == "tuned" ? "\(name), \(set.name)" : name, choice: choice,
          traces: [set.name], tolerance: measured.tolerance, path: measured.path,
          policy: measured.policy, place: "--detector")
      }
    }
    return Suite(
      name: "tuning of \(measured.choice.title)", path: "command line", traceSets: sets,
      entries: entries)
  }
}
