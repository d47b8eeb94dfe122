import Diagnostics
package import Evaluation
import Results
import Scoring
import TraceModel

package struct LabelReport {
  let score: LabelScore
  let inputs: [InputFile]
  let isListed: Bool
  /// Whether the tables by class, activity and file are printed.
  let isFull: Bool
  /// The score at further tolerances, ascending.
  let curve: [(tolerance: Duration, score: LabelScore)]

  package init(
    score: LabelScore, inputs: [InputFile], isListed: Bool = false,
    isFull: Bool = true, curve: [(tolerance: Duration, score: LabelScore)] = []
  ) {
    (self.score, self.inputs, self.curve) = (score, inputs, curve)
    (self.isListed, self.isFull) = (isListed, isFull)
  }

  private typealias CurvePoint = (tolerance: Duration, summary: EntrySummary)

  private var curvePoints: [CurvePoint] {
    curve.flatMap { point in point.score.result.summaries.map { (point.tolerance, $0) } }
  }

  private typealias FileEvent = (file: String, event: EventOutcomes.Event)

  /// The events of files that are scored by events.
  private var events: [FileEvent] {
    score.runs.flatMap { run -> [FileEvent] in
      var records = run.detections
      if case .visits = run.score { records.removeAll { $0.kind != "visit" } }
      let references = run.references?.events ?? []
      let events = run.score.eventOutcomes?.events(references: references, detections: records)
      return events.map { $0.map { (run.traceID, $0) } } ?? []
    }
  }

  // MARK: Tables

  package func tables(_ screen: Screen) -> String {
    let form = SuiteTables.Form.score(emitted: score.hasEmitted, origin: score.isOriginKnown)
    return [
      SuiteTables(result: score.result, form: form, screen: screen)
        .render(hasParts: isFull),
      curve.isEmpty ? nil : curveTable.render(screen),
      isFull && score.runs.count > 1 ? fileTable?.render(screen) : nil,
      isListed ? list.render(screen) : nil,
    ].compactMap(\.self).joined(separator: "\n")
  }

  /// How the figures depend on the tolerance, for references with uncertain times.
  private var curveTable: TextTable {
    func figure(_ title: String, _ figure: FigureDefinition) -> TableColumn<CurvePoint> {
      .init(title) { TableCell.inline($0.summary[figure]?.estimate, 3) }
    }
    return TextTable(
      "Against the tolerance, with 95 % intervals", curvePoints,
      [
        .init("tolerance ms") { number(milliseconds($0.tolerance)) },
        figure("recall", .recall), figure("precision", .precision), figure("F1", .f1),
      ])
  }

  private typealias Row = (run: RunRecord, counts: EventCounts, rate: PoissonRate)

  /// The files that are scored by events.
  private var fileTable: TextTable? {
    let rows = score.runs.compactMap { run -> Row? in
      switch run.score {
      case .events(let judgement): (run, judgement.score.counts, judgement.score.falseAlarms)
      case .visits(let judgement): (run, judgement.score.counts, judgement.score.falseVisits)
      case .track, .presence, .count, .unscored: nil
      }
    }
    guard !rows.isEmpty else { return nil }
    let columns: [TableColumn<Row>] = [
      .init("file", .left) { inLine($0.run.traceID) },
      .init("hours", rank: 3) { TableCell.hours($0.rate.hours, areKnown: false) },
    ]
    let figures: [TableColumn<Row>] = [
      .init("precision") { TableCell.figure(.precision, of: $0.run.score.figures) },
      .init("recall") { TableCell.figure(.recall, of: $0.run.score.figures) },
      .init("F1", rank: 4) { TableCell.figure(.f1, of: $0.run.score.figures) },
      .init("false/h") { TableCell.estimate(Estimate($0.rate), 1) },
    ]
    return TextTable(
      "By file, with 95 % intervals for these files only", rows,
      columns + TableColumn.counts(\.counts) + figures)
  }

  private var list: TextTable {
    TextTable(
      "Every event", events,
      [
        .init("file", .left) { inLine($0.file) },
        .init("reference s") { TableCell.value($0.event.reference?.onset.seconds, 3) },
        .init("detection s") { TableCell.value($0.event.detection?.onset.seconds, 3) },
        .init("difference ms", rank: 2) {
          TableCell.value($0.event.difference.map { 1000 * $0 }, 1)
        },
        .init("outcome", .left) { $0.event.outcome },
        .init("class", .left, rank: 1) { inLine($0.event.reference?.originalLabel ?? "") },
        .init("detected as", .left, rank: 1) { inLine($0.event.detection?.originalLabel ?? "") },
      ])
  }

  // MARK: CSV

  /// One row per figure, of all files (an empty file name) and of each file; or one row per event.
  package func csv() -> String {
    if isListed {
      return csvTable(
        [
          "filename", "outcome", "reference_onset", "reference_offset", "detection_onset",
          "difference", "reference_label", "detection_label",
        ], events.map { document($0.file, $0.event).adding("filename", $0.file) })
    }
    return Figure.csv(
      after: ["file", "origin"],
      score.result.summaries.map { (["", origin($0.origin)], meaningful($0.figures)) }
        + score.runs.map { ([$0.traceID, origin($0.origin)], meaningful($0.score.figures)) })
  }

  private func origin(_ origin: TraceOrigin) -> String {
    score.isOriginKnown ? origin.rawValue : ""
  }

  /// The figures that label files support: not waits for delivery, and latencies only with times of
  /// emission.
  private func meaningful(_ figures: [Figure]) -> [Figure] {
    figures.filter {
      !$0.name.hasPrefix(FigureDefinition.deliveryWait.name)
        && $0.name != FigureDefinition.unscoredTraces.name
        && (score.hasEmitted || !$0.name.hasPrefix(FigureDefinition.latency.name))
    }.map {
      var figure = $0
      // Label files do not state the unit of their values.
      if figure.name.hasPrefix(FigureDefinition.magnitudeError.name) { figure.unit = "" }
      if LabelReport.hours.contains(where: { $0.name == figure.name }), !score.isDurationKnown {
        figure = Figure(figure.name, nil, unit: figure.unit)
      }
      return figure
    }
  }

  /// The figures that depend on the length of a recording.
  private static let hours: [FigureDefinition] = [
    .scoredHours, .recordedHours, .fedHours, .armedHours,
  ]

  // MARK: JSON

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
    let events = isListed ? self.events.map { self.document($0.file, $0.event) } : nil
    let points =
      curve.isEmpty
      ? nil
      : curvePoints.map { point -> JSONObject in
        [
          "tolerance": seconds(point.tolerance),
          "origin": score.isOriginKnown ? point.summary.origin : nil,
          "figures": FigureCatalogue.ofClasses.compactMap { point.summary[$0] }.byName,
        ]
      }
    return try jsonDocument(
      document.adding("events", events).adding("tolerance_curve", points), .score, inputs: inputs)
  }

  /// Times are in seconds.
  private func document(_ file: String, _ event: EventOutcomes.Event) -> JSONObject {
    let (reference, detection) = (event.reference, event.detection)
    return [
      "file": file, "outcome": event.outcome, "reference_onset": reference?.onset.seconds,
      "reference_offset": reference?.offset.seconds, "detection_onset": detection?.onset.seconds,
      "difference": event.difference, "reference_label": reference?.originalLabel,
      "detection_label": detection?.originalLabel,
    ]
  }

  /// Unknown origins and hours are null. The confusion has a row for each reference label and a column
  /// for each detected one; without classes it is null.
  private func document(_ summary: EntrySummary) -> JSONObject {
    let tolerances = Set(summary.runs.compactMap { $0.score.eventOutcomes?.tolerance })
    let classes = summary.events?.classes ?? []
    let document: JSONObject = [
      "origin": score.isOriginKnown ? summary.origin : nil, "files": summary.runs.count,
      "hours": score.isDurationKnown ? summary.hours : nil,
      "tolerances": tolerances.sorted { ($0.early, $0.late) < ($1.early, $1.late) }.map(\.document),
      "figures": meaningful(summary.figures).byName,
      "classes": Dictionary(
        classes.map { ($0.label, summary.eventParts?.figures(ofClass: $0.label).byName) },
        uniquingKeysWith: { $1 }), "confusion": classes.isEmpty ? nil : summary.events?.confusion,
    ]
    return document.adding("diagnosis", summary.diagnosis?.document)
      .adding("day", summary.day?.document)
  }
}
