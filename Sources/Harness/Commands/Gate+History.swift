import ArgumentParser
import Evaluation
import Foundation
import History
import Reports
import Scoring
import Speed

struct GateHistoryOptions: ParsableArguments {
  @Option(
    help: .init(
      "Add the head's figures and the verdict to this history, and read the gate's own false alarms "
        + "from it.", "file"))
  var history: String?

  @OptionGroup var damaged: SetAsideOptions

  @Option(help: "The commit of the head; default: that of the suite's folder.") var commit: String?
  @Option(help: "The branch of the head.") var branch: String?

  @Option(
    help: .init(
      "The name of the machine; default: its host name. In CI name the kind of runner.", "name"))
  var machine: String?

  var machineName: String { machine ?? ProcessInfo.processInfo.hostName }

  /// Opens the history before anything is measured; nil = no history.
  func opened(_ terminal: Terminal) throws -> HistoryStore? {
    try requireNames(
      ("--history", history), ("--commit", commit), ("--branch", branch), ("--machine", machine))
    return try history.map {
      try HistoryStore($0, setsAside: damaged.setAsideDamaged, terminal)
    }
  }

  /// The false alarms of the timing between equal sides on this machine; nil = not measured.
  func timingAlarms(_ store: HistoryStore, suite: String) throws -> GateReport.Alarms? {
    let known = try store.trials(machine: machineName, suite: suite, kind: .timing)
    return known.runs > 0 ? GateReport.Alarms(alarms: known.alarms, runs: known.runs) : nil
  }

  /// - Parameter file: the head's results.
  func add(
    _ report: GateReport, _ speed: SpeedComparison?, file: String, to store: HistoryStore
  ) throws {
    let now = HistoryTime(Date())
    var (run, figures) = try HistoryRun.reading(file, at: now, commit: commit)
    run.id = HistoryRun.identifier(["gate", run.id, "\(now)", machineName])
    (run.branch, run.machine, run.source) = (branch, machineName, .gate)
    run.verdict = report.verdict.rawValue
    figures += (speed?.entries ?? []).map { entry in
      let time = entry.head.processor
      return HistoryFigure(
        entry: entry.headEntry ?? entry.entry, origin: "", metric: "time_per_sample",
        kind: .timing, value: time.median, lower: time.lower, upper: time.upper, unit: "ns",
        count: time.repeats, method: "order_statistics")
    }
    try store.append(run, figures)
  }

  /// Stores how often equal sides raised an alarm.
  func add(_ alarms: GateReport.Alarms, suite: String, to store: HistoryStore) throws {
    let now = HistoryTime(Date())
    try store.appendTrial(
      HistoryTrial(
        id: HistoryRun.identifier(["equal sides", suite, "\(now)", machineName]), time: now,
        machine: machineName, suite: suite, kind: .timing, runs: alarms.runs,
        alarms: alarms.alarms))
  }
}
