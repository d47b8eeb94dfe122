import ArgumentParser
import Digests
import Files
import Foundation
import History
import Reports
import Results
import Scoring
import TraceFormats

struct HistoryAddCommand: TerminalCommand {
  static let configuration = CommandConfiguration.withExitCodes(
    commandName: "add", abstract: "Adds results files of run to the history.",
    discussion: """
      A results file that is already there, at the same commit and branch, is not added again.

      EXAMPLES:
        shadowbox history add results.h5
        shadowbox history add results.h5 --commit "$(git rev-parse HEAD)" --branch main
      """)

  @Argument(help: "Results files that run wrote.") var results: [String]
  @OptionGroup var history: HistoryOptions

  @Option(help: "The commit that was measured; default: that of the results file.")
  var commit: String?

  @Option(help: "The branch that was measured.") var branch: String?

  @Option(
    help: .init(
      "The name of the machine; default: its host name. In CI, where hosts live for one job, name the "
        + "kind of runner.", "name"))
  var machine: String?

  @Option(
    help: .init(
      "When it was measured, in UTC, such as 2026-11-23T09:07:29Z; default: now.", "time"))
  var time: String?

  @OptionGroup var common: CommonOptions

  func run() async throws {
    try requireNames(("--commit", commit), ("--branch", branch), ("--machine", machine))
    let time = try time.map {
      try parsed(
        $0, of: "--time", "a time in UTC, such as 2026-11-23T09:07:29Z", by: HistoryTime.init)
    }
    let start = time ?? HistoryTime(Date())
    // The times keep the order of the files.
    let runs = try results.enumerated().map { index, path in
      let time = HistoryTime(milliseconds: start.milliseconds + Int64(index))
      var (run, figures) = try HistoryRun.reading(path, at: time, commit: commit, branch: branch)
      run.machine = machine ?? run.machine
      return (run, figures)
    }
    let store = try HistoryStore(history.path, terminal)
    defer { store.close() }
    for (path, (run, figures)) in zip(results, runs) {
      let isNew = try store.append(run, figures)
      let what =
        "\(path): \(counted(figures.count, "figure")) of commit "
        + (run.commit.isEmpty ? "unknown" : run.commit)
      terminal.say(isNew ? "added \(what)" : "\(what) are already in the history; nothing is added")
    }
  }

}

extension HistoryRun {
  /// Makes an identifier of all parts.
  static func identifier(_ parts: [String]) -> String {
    let digest = SHA256Digest()
    for part in parts { digest.update(part + "\n") }
    return String(digest.finish().prefix(32))
  }

  /// The run of a results file with its figures.
  /// - Parameters:
  ///   - commit: nil = the commit in the file.
  ///   - branch: part of the identity, because each branch has its own series.
  static func reading(
    _ path: String, at time: HistoryTime, commit: String?, branch: String? = nil
  ) throws -> (run: HistoryRun, figures: [HistoryFigure]) {
    let (contents, digest) = try SteadyFile.reading(path) {
      (try ResultsContents.reading(path), try FileDigest.sha256(of: path))
    }
    try requireData(
      contents.schema.hasPrefix("shadowbox-results/") && !contents.rows.isEmpty,
      "\(path): expected a results file of run with figures, found \(contents.schema) with "
        + "\(counted(contents.rows.count, "entry", "entries")); write one with: shadowbox run -o "
        + "results.h5")
    let commit = commit ?? contents["data_commit"]
    let parts = ["results", commit, digest] + (branch.map { ["branch", $0] } ?? [])
    let run = HistoryRun(
      id: identifier(parts), time: time, commit: commit, branch: branch,
      machine: ProcessInfo.processInfo.hostName, toolVersion: contents["tool_version"],
      toolchain: contents["toolchain"], suite: contents["suite"],
      suiteDigest: contents["suite_sha256"], source: .results)
    return (run, contents.historyFigures)
  }
}

extension ResultsContents {
  fileprivate var historyFigures: [HistoryFigure] {
    var known: Set<HistoryFigure.Name> = []
    return rows.flatMap { row in
      row.figures.map { value in
        HistoryFigure(
          entry: row.name, origin: row.origin, metric: value.name, kind: .of(value.name),
          value: value.value, lower: value.interval?.lower, upper: value.interval?.upper,
          unit: value.unit, count: value.estimate.count, method: value.estimate.method?.rawValue)
      }
    }.filter { known.insert($0.name).inserted }
  }
}
