import ArgumentParser
import Diagnostics
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
    commandName: "add",
    abstract: "Adds results files of run to the history.",
    discussion: """
      A results file that is already there, at the same commit and branch, is not added again.

      EXAMPLES:
        shadowbox history add results.h5
        shadowbox history add results.h5 --commit "$(git rev-parse HEAD)" --branch main
      """)

  @Argument(help: "Results files that run wrote.")
  var results: [String]

  @OptionGroup var history: HistoryOptions

  @Option(help: "The commit that was measured; default: that of the results file.")
  var commit: String?

  @Option(help: "The branch that was measured.")
  var branch: String?

  @Option(
    help: .init(
      "The name of the machine; default: its host name. In CI name the kind of runner: a host there "
        + "lives for one job.", valueName: "name"))
  var machine: String?

  @Option(
    help: .init(
      "When it was measured, in UTC, such as 2026-11-23T09:07:29Z; default: now.",
      valueName: "time"))
  var time: String?

  @OptionGroup var common: CommonOptions

  func run() async throws {
    for (name, value) in [("--commit", commit), ("--branch", branch), ("--machine", machine)] {
      try requireUse(value != "", "\(name): expected a name, found none")
    }
    let time = try time.map {
      try parsed(
        $0, of: "--time", "a time in UTC, such as 2026-11-23T09:07:29Z", by: HistoryTime.init)
    }
    let start = time ?? HistoryTime(Date())
    // The order of the files is that of their runs.
    let runs = try results.enumerated().map { index, path in
      try measured(path, HistoryTime(milliseconds: start.milliseconds + Int64(index)))
    }
    let store = try history.opened(terminal)
    defer { store.close() }
    for (path, (run, figures)) in zip(results, runs) {
      let isNew = try store.append(run, figures)
      let what =
        "\(path): \(counted(figures.count, "figure")) of commit "
        + (run.commit.isEmpty ? "unknown" : run.commit)
      terminal.say(isNew ? "added \(what)" : "\(what) are in the history already; nothing is added")
    }
  }

  private func measured(
    _ path: String, _ time: HistoryTime
  ) throws -> (run: HistoryRun, figures: [HistoryFigure]) {
    var (run, figures) = try HistoryRun.reading(
      path, at: time, commit: commit, branch: branch)
    run.machine = machine ?? run.machine
    return (run, figures)
  }
}

extension HistoryRun {
  /// The run of a results file with its figures.
  /// - Parameters:
  ///   - commit: nil = that of the file.
  ///   - branch: with another one it is another run, because each branch has its own series.
  static func reading(
    _ path: String, at time: HistoryTime, commit: String?, branch: String? = nil
  ) throws -> (run: HistoryRun, figures: [HistoryFigure]) {
    let (contents, digest) = try SteadyFile.reading(path) {
      (try ResultsContents.reading(path), try FileDigest.sha256(of: path))
    }
    guard contents.schema.hasPrefix("shadowbox-results/"), !contents.rows.isEmpty else {
      throw Failure(
        .badData,
        "\(path): expected a results file of run with figures, found \(contents.schema) with "
          + "\(counted(contents.rows.count, "entry", "entries")); write "
          + "one with: shadowbox run -o results.h5")
    }
    let commit = commit ?? contents["data_commit"]
    let identity = SHA256Digest()
    let parts = ["results", commit, digest] + (branch.map { ["branch", $0] } ?? [])
    for part in parts { identity.update(part + "\n") }
    let run = HistoryRun(
      id: String(identity.finish().prefix(32)), time: time, commit: commit, branch: branch,
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
