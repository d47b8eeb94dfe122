import Diagnostics
package import Evaluation
import Scoring
import TraceModel

/// The tables of `run --full` and `score`, one per task.
package struct SuiteTables {
  package enum Form {
    case run
    /// Of label files: whether they state times of emission and origins.
    case score(emitted: Bool, origin: Bool)
  }

  /// ``AppTables`` shows the apps.
  let result: SuiteResult
  let form: Form
  let screen: Screen

  package init(result: SuiteResult, form: Form = .run, screen: Screen = Screen()) {
    (self.result, self.form, self.screen) = (result, form, screen)
  }

  typealias Row<Score> = (summary: EntrySummary, score: Score)

  func rows<Score>(_ score: (EntrySummary) -> Score?) -> [Row<Score>] {
    summariesWithoutApps.compactMap { summary in score(summary).map { (summary, $0) } }
  }

  /// The table of the entries with such a score; nil without any.
  /// - Parameters:
  ///   - columns: receives whether a delivery is not ideal.
  ///   - below: further lines below the table.
  func table<Score>(
    _ title: String, _ score: (EntrySummary) -> Score?,
    _ columns: (Bool) -> [TableColumn<Row<Score>>], below: ([EntrySummary]) -> String = { _ in "" }
  ) -> String? {
    let rows = rows(score)
    guard !rows.isEmpty else { return nil }
    let summaries = rows.map(\.summary)
    let isDelivered = summaries.contains { !$0.isDeliveryIdeal }
    return TextTable(title, rows, columns(isDelivered)).render(screen) + below(summaries)
      + hoursNote(summaries) + deliveryNote(summaries)
  }

  var summariesWithoutApps: [EntrySummary] {
    let apps = Set(result.apps.map(\.entry))
    return result.summaries.filter { !apps.contains($0.entry) }
  }

  /// - Parameter hasParts: also the tables by activity and by class.
  package func render(hasParts: Bool = true) -> String {
    let answers = answers
    return [
      answers.isEmpty ? nil : answers, events, hasParts ? falseAlarms : nil, day,
      hasParts ? classes : nil, hasParts ? confusion : nil, visits, counts, tracks, presence,
      unscored, speed,
    ].compactMap { $0 }.joined(separator: "\n")
  }

  var isRun: Bool {
    if case .run = form { true } else { false }
  }

  /// The columns that identify a row.
  func keyColumns<Score>() -> [TableColumn<Row<Score>>] {
    let origin = TableColumn<Row<Score>>("origin", .left) { $0.summary.origin.rawValue }
    switch form {
    case .run: return [.init("detector/preset", .left) { inLine($0.summary.entry) }, origin]
    case .score(_, let isKnown): return isKnown ? [origin] : []
    }
  }

  func leadColumns<Score>() -> [TableColumn<Row<Score>>] {
    keyColumns() + [
      .init(isRun ? "traces" : "files", rank: 6) { "\($0.summary.runs.count)" },
      .init("hours", rank: 5) { TableCell.hours($0.summary.scoredHours, areKnown: isRun) },
    ]
  }

  /// The scored part of the recordings, for entries with much unscored time.
  func hoursNote(_ summaries: [EntrySummary]) -> String {
    screen.wrapped(exposureNote(summaries.map { (isRun ? inLine($0.entry) : nil, $0.exposure) }))
  }

  /// The deliveries that are not ideal.
  func deliveryNote(_ summaries: [EntrySummary]) -> String {
    let deliveries = summaries.compactMap { summary -> String? in
      guard let run = summary.runs.first, !run.isDeliveryIdeal else { return nil }
      return "\(summary.entry): \(DeliveryText.name(run))\n"
    }
    return screen.wrapped(deliveries.uniqued().joined())
  }

  private var unscored: String? {
    let rows = rows { summary in
      result.runs.filter {
        $0.entry == summary.entry && $0.origin == summary.origin && $0.score == .unscored
      }
    }.filter { !$0.score.isEmpty }
    guard !rows.isEmpty else { return nil }
    return TextTable(
      "Not scored: these traces have no reference for the detector's task", rows,
      [
        .init("detector/preset", .left) { inLine($0.summary.entry) },
        .init("origin", .left) { $0.summary.origin.rawValue },
        .init("traces") { "\($0.score.count)" },
        .init("detections") { "\($0.score.reduce(0) { $0 + $1.detections.count })" },
      ]
    ).render(screen)
  }
}

/// A line for each exposure that is much less than the recorded time, with the names of its entries
/// unless all have it.
func exposureNote(_ exposures: [(name: String?, times: ExposureTimes?)]) -> String {
  exposures.inGroups(by: \.times?.note).map { alike in
    guard let note = alike[0].times?.note else { return "" }
    let names = alike.count < exposures.count ? alike.compactMap(\.name).uniqued() : []
    return "Hours: \(note)\(names.isEmpty ? "" : " (\(names.joined(separator: ", ")))")\n"
  }.joined()
}

extension EntrySummary {
  /// The hours of rates; for tracks, the recorded hours.
  var scoredHours: Double { self[.scoredHours]?.value ?? hours }

  var visits: VisitScore? {
    if case .visits(let score) = self.score { score } else { nil }
  }

  var track: TrackSummary? {
    if case .track(let score) = self.score { score } else { nil }
  }

  var hasDistances: Bool { self[.distanceError.bias]?.value != nil }

  var presence: PresenceQuality? {
    if case .presence(let quality) = self.score { quality } else { nil }
  }
}
