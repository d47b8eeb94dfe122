import Diagnostics
import Foundation
package import Evaluation
import Scoring
import TraceModel

/// The tables that `run --full` and `score` print: one per task, with recorded and synthetic traces
/// in separate rows.
package struct SuiteTables {
  /// The command that prints them.
  package enum Form {
    case run
    /// The score of label files, which have no detector. `emitted` = whether the detections state
    /// when they were reported; `origin` = whether the origin of the traces is known.
    case score(emitted: Bool, origin: Bool)
  }

  /// Apps have separate tables (``AppTables``).
  package let result: SuiteResult
  package var form = Form.run
  package var screen = Screen()

  package init(result: SuiteResult, form: Form = .run, screen: Screen = Screen()) {
    self.result = result
    self.form = form
    self.screen = screen
  }

  var summaries: [EntrySummary] {
    let apps = Set(result.apps.map(\.entry))
    return result.summaries.filter { !apps.contains($0.entry) }
  }

  package func render() -> String {
    [events, falseAlarms, classes, confusion, visits, tracks, presence, unscored]
      .compactMap { $0 }.joined(separator: "\n")
  }

  var isRun: Bool {
    if case .run = form { true } else { false }
  }

  /// The columns that identify a row.
  var keyColumns: [TextTable.Column] {
    let origin = TextTable.Column("origin", .left)
    switch form {
    case .run: return [.init("detector/preset", .left), origin]
    case .score(_, let isKnown): return isKnown ? [origin] : []
    }
  }

  func key(_ summary: EntrySummary) -> [String] {
    switch form {
    case .run: [summary.entry, summary.origin.rawValue]
    case .score(_, let origin): origin ? [summary.origin.rawValue] : []
    }
  }

  var leadColumns: [TextTable.Column] {
    keyColumns + [.init(isRun ? "traces" : "files", rank: 6), .init("hours", rank: 5)]
  }

  func lead(_ summary: EntrySummary) -> [String] {
    key(summary) + ["\(summary.runs.count)", hoursCell(summary)]
  }

  func hoursCell(_ summary: EntrySummary) -> String {
    // Label files need not state a duration.
    isRun || summary.hours > 0 ? fixed(summary.hours, 3) : "-"
  }

  var speedColumns: [TextTable.Column] { isRun ? [.init("times real\ntime", rank: 9)] : [] }

  func speed(_ summary: EntrySummary) -> [String] {
    guard isRun else { return [] }
    // A deterministic result leaves out the machine's speed.
    return [result.host == nil ? "-" : summary.realTimeFactor.map { grouped($0) } ?? "-"]
  }

  /// Notes below a table, which fit the screen.
  func notes(_ text: String) -> String { screen.wrapped(text) }

  /// The delivery of each entry, where one is not ideal.
  func deliveryNote(_ summaries: [EntrySummary]) -> String {
    let deliveries = summaries.compactMap { summary -> String? in
      guard let run = summary.runs.first, !run.isDeliveryIdeal else { return nil }
      return "\(summary.entry): \(DeliveryText.name(run))\n"
    }
    var seen: Set<String> = []
    return notes(deliveries.filter { seen.insert($0).inserted }.joined())
  }

  var unscored: String? {
    let rows = summaries.filter { $0.score == .unscored || $0.unscoredRuns > 0 }
    guard !rows.isEmpty else { return nil }
    var table = TextTable(
      "Not scored: these traces have no reference for the detector's task",
      [
        .init("detector/preset", .left), .init("origin", .left), .init("traces"),
        .init("detections"),
      ])
    for summary in rows {
      let runs = result.runs.filter {
        $0.entry == summary.entry && $0.origin == summary.origin && $0.score == .unscored
      }
      let detections = runs.reduce(0) { $0 + $1.detections.count }
      table.add([
        summary.entry, summary.origin.rawValue, "\(runs.count)", "\(detections)",
      ])
    }
    return table.render(screen)
  }
}
