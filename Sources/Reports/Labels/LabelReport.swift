import Diagnostics
package import Evaluation
import Scoring
import TraceModel

/// The score of label files as text.
package struct LabelReport {
  let score: LabelScore
  let inputs: [InputFile]
  /// Whether every event is listed.
  let isListed: Bool

  package init(score: LabelScore, inputs: [InputFile], isListed: Bool = false) {
    self.score = score
    self.inputs = inputs
    self.isListed = isListed
  }

  private var outcomes: [LabelOutcome] { score.runs.flatMap { LabelOutcome.all(of: $0) } }

  // MARK: Tables

  package func tables(_ screen: Screen) -> String {
    let tables = SuiteTables(
      result: score.result,
      form: .score(emitted: score.hasEmitted, origin: score.isOriginKnown), screen: screen
    ).render()
    let files = score.runs.count > 1 ? fileTable?.render(screen) : nil
    let list = isListed ? list.render(screen) : nil
    return [tables, files, list].compactMap { $0 }.joined(separator: "\n")
  }

  private typealias Row = (run: RunRecord, counts: EventCounts, rate: PoissonRate)

  /// Each file separately, where events are counted.
  private var fileTable: TextTable? {
    let rows = score.runs.compactMap { run -> Row? in
      switch run.score {
      case .events(let judgement):
        (run, judgement.score.counts, judgement.score.falseAlarms)
      case .visits(let judgement): (run, judgement.score.counts, judgement.score.falseVisits)
      case .track, .presence, .unscored: nil
      }
    }
    guard !rows.isEmpty else { return nil }
    let columns: [TableColumn<Row>] = [
      .init("file", .left) { $0.run.traceID },
      .init("hours", rank: 3) { TableCell.hours($0.rate.hours, areKnown: false) },
    ]
    let figures: [TableColumn<Row>] = [
      .init("precision") { TableCell.proportion($0.counts.precision) },
      .init("recall") { TableCell.proportion($0.counts.recall) },
      .init("F1", rank: 4) { TableCell.estimate(Estimate($0.counts.f1), 3) },
      .init("false/h") { TableCell.rate($0.rate) },
    ]
    return TextTable(
      "By file, 95 % intervals (Wilson's, false/h Garwood's)", rows,
      columns + TableColumn.counts(rank: 1, others: 2, \.counts) + figures)
  }

  private var list: TextTable {
    TextTable(
      "Every event", outcomes,
      [
        .init("file", .left) { $0.file },
        .init("reference s") { TableCell.value($0.reference?.onset.seconds, 3) },
        .init("detection s") { TableCell.value($0.detection?.onset.seconds, 3) },
        .init("difference ms", rank: 2) { TableCell.value($0.difference.map { 1000 * $0 }, 1) },
        .init("outcome", .left) { $0.outcome },
        .init("class", .left, rank: 1) { $0.reference?.originalLabel ?? "" },
        .init("detected as", .left, rank: 1) { $0.detection?.originalLabel ?? "" },
      ])
  }

  // MARK: CSV

  /// One row per figure, of all files together (an empty file) and of each; or one row per event.
  package func csv() -> String {
    if isListed {
      return csvTable(
        [
          "filename", "outcome", "reference_onset", "reference_offset", "detection_onset",
          "difference", "reference_label", "detection_label",
        ], outcomes.map { $0.document.adding("filename", $0.file) })
    }
    var output = csvRow(["file", "origin"] + Figure.csvColumns)
    func add(_ lead: [String], _ figures: [Figure]) {
      for figure in meaningful(figures) { output += csvRow(lead + figure.csvCells) }
    }
    for summary in score.result.summaries { add(["", origin(summary.origin)], summary.figures) }
    for run in score.runs { add([run.traceID, origin(run.origin)], run.score.figures) }
    return output
  }

  /// The origin; empty if not known.
  private func origin(_ origin: TraceOrigin) -> String {
    score.isOriginKnown ? origin.rawValue : ""
  }

  /// The figures without those that label files cannot give: waits for delivery, and latencies
  /// without the time of emission.
  private func meaningful(_ figures: [Figure]) -> [Figure] {
    figures.filter {
      !$0.name.hasPrefix("delivery_wait") && $0.name != "unscored_traces"
        && (score.hasEmitted || !$0.name.hasPrefix("latency"))
    }.map {
      var figure = $0
      // The unit of the labels' values is not known.
      if figure.name.hasPrefix("magnitude_error") { figure.unit = "" }
      if figure.name == "scored_hours", !score.isDurationKnown {
        figure = Figure(figure.name, nil, unit: figure.unit)
      }
      return figure
    }
  }

  // MARK: JSON

  /// Events are only in a list.
  package func json() throws -> String {
    let document: JSONObject = [
      "task": score.options.task.rawValue, "notes": score.notes,
      "summaries": score.result.summaries.map(document),
      "files": score.runs.map { run -> JSONObject in
        [
          "file": run.traceID, "subject": run.subject, "activity": run.activity,
          "figures": meaningful(run.score.figures).byName,
        ]
      },
    ]
    let events = isListed ? outcomes.map(\.document) : nil
    return try jsonDocument(document.adding("events", events), .score, inputs: inputs)
  }

  /// An origin and hours of null are not known. The confusion has a row for each reference label and
  /// a column for each detected one; without classes it is null.
  private func document(_ summary: EntrySummary) -> JSONObject {
    let tolerances = Set(summary.runs.compactMap { $0.score.eventOutcomes?.tolerance })
    let classes = summary.events?.classes ?? []
    return [
      "origin": score.isOriginKnown ? summary.origin : nil, "files": summary.runs.count,
      "hours": score.isDurationKnown ? summary.hours : nil,
      "tolerances": tolerances.sorted { ($0.early, $0.late) < ($1.early, $1.late) }
        .map(\.document),
      "figures": meaningful(summary.figures).byName, "bootstrap": summary.bootstrap?.document,
      "classes": Dictionary(
        classes.map { ($0.label, $0.counts.figures.byName) }, uniquingKeysWith: { $1 }),
      "confusion": classes.isEmpty ? nil : summary.events?.confusion,
    ]
  }
}

/// The outcome of one event: a reference and its detection, or one without a partner.
private struct LabelOutcome {
  var file: String
  /// As files have it.
  var outcome: String
  var reference: ReferenceEvent?
  var detection: DetectionRecord?

  /// The detection's less the reference's onset in seconds.
  var difference: Double? {
    guard let reference, let detection else { return nil }
    return Double(reference.onset.nanoseconds(to: detection.onset)) / 1e9
  }

  /// Times are in seconds.
  var document: JSONObject {
    [
      "file": file, "outcome": outcome, "reference_onset": reference?.onset.seconds,
      "reference_offset": reference?.offset.seconds, "detection_onset": detection?.onset.seconds,
      "difference": difference, "reference_label": reference?.originalLabel,
      "detection_label": detection?.originalLabel,
    ]
  }

  /// Returns the outcomes of a recording in the order of time; empty if events are not scored.
  static func all(of run: RunRecord) -> [LabelOutcome] {
    guard let judged = run.score.eventOutcomes else { return [] }
    var records = run.detections
    if case .visits = run.score { records.removeAll { $0.kind != "visit" } }
    let events = run.references?.events ?? []
    let found = judged.pairs.map {
      LabelOutcome(
        file: run.traceID, outcome: DetectionOutcome.truePositive.rawValue,
        reference: events[$0.reference], detection: records[$0.detection])
    }
    let missed = zip(events, judged.references).filter { $1 != .hit }.map {
      LabelOutcome(
        file: run.traceID, outcome: $1 == .ignored ? "ignored_reference" : $1.rawValue,
        reference: $0)
    }
    let unmatched = zip(records, judged.detections).filter { $1 != .truePositive }.map {
      LabelOutcome(
        file: run.traceID, outcome: $1 == .ignored ? "ignored_detection" : $1.rawValue,
        detection: $0)
    }
    func time(_ event: LabelOutcome) -> TraceInstant {
      event.reference?.onset ?? event.detection?.onset ?? .zero
    }
    return (found + missed + unmatched).enumerated()
      .sorted { (time($0.element), $0.offset) < (time($1.element), $1.offset) }.map(\.element)
  }
}
