import Diagnostics
import Foundation
package import Evaluation
import Scoring
import TraceModel

/// The score of label files as text.
package struct LabelScoreExports {
  package let score: LabelScore
  package let inputs: [InputFile]
  /// Whether every event is told.
  package var isListed = false

  package init(score: LabelScore, inputs: [InputFile], isListed: Bool = false) {
    self.score = score
    self.inputs = inputs
    self.isListed = isListed
  }

  private var outcomes: [LabelOutcome] { score.runs.flatMap { LabelOutcome.all(of: $0) } }

  // MARK: CSV

  /// One row per figure, of all files together (an empty file) and of each; or one row per event.
  package func csv() -> String {
    if isListed { return csvList }
    var output = csvRow(["file", "origin"] + Figure.csvColumns)
    func add(_ lead: [String], _ figures: [Figure]) {
      for figure in meaningful(figures) { output += csvRow(lead + figure.csvCells) }
    }
    for summary in score.result.summaries { add(["", origin(summary.origin)], summary.figures) }
    for run in score.runs { add([run.traceID, origin(run.origin)], run.score.figures) }
    return output
  }

  private var csvList: String {
    let header = [
      "filename", "outcome", "reference_onset", "reference_offset", "detection_onset",
      "difference", "reference_label", "detection_label",
    ]
    return csvRow(header)
      + outcomes.map { event in
        csvRow([
          event.file, event.outcome.rawValue, csvCell(event.referenceOnset),
          csvCell(event.referenceOffset), csvCell(event.detectionOnset),
          csvCell(event.difference), event.referenceLabel ?? "", event.detectionLabel ?? "",
        ])
      }.joined()
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
      return figure
    }
  }

  // MARK: JSON

  package func json() throws -> String {
    let document = Document(
      task: score.options.task.rawValue, notes: score.notes,
      summaries: score.result.summaries.map(summary),
      files: score.runs.map {
        .init(
          file: $0.traceID, subject: $0.subject, activity: $0.activity,
          figures: meaningful($0.score.figures).byName)
      },
      events: isListed ? outcomes : nil)
    return try jsonDocument(document, .score, inputs: inputs)
  }

  private struct Document: Encodable {
    struct Summary: Encodable {
      /// null = not known.
      @Nullable var origin: String?
      var files: Int
      /// The recorded time; null = not known.
      @Nullable var hours: Double?
      var tolerances: [ToleranceRecord]
      var figures: [String: Figure]
      @Nullable var bootstrap: BootstrapRecord?
      var classes: [String: [String: Figure]]
      /// A row for each reference label, a column for each detected one; null without classes.
      @Nullable var confusion: ConfusionMatrix?
    }

    struct FileFigures: Encodable {
      var file: String
      var subject: String
      var activity: String
      var figures: [String: Figure]
    }

    var task: String
    var notes: [String]
    var summaries: [Summary]
    var files: [FileFigures]
    /// Only with --list.
    var events: [LabelOutcome]?
  }

  private func summary(_ summary: EntrySummary) -> Document.Summary {
    var classes: [String: [String: Figure]] = [:]
    var confusion: ConfusionMatrix?
    var tolerances = Set(
      summary.runs.compactMap { run -> EventTolerance? in
        if case .visits(let judgement) = run.score { judgement.tolerance } else { nil }
      })
    if case .events(let events) = summary.score {
      tolerances = Set(events.tolerances)
      for one in events.classes { classes[one.label] = one.counts.figures.byName }
      confusion = events.classes.isEmpty ? nil : events.confusion
    }
    return Document.Summary(
      origin: score.isOriginKnown ? summary.origin.rawValue : nil, files: summary.runs.count,
      hours: score.isDurationKnown ? summary.hours : nil,
      tolerances: tolerances.sorted { ($0.early, $0.late) < ($1.early, $1.late) }
        .map(ToleranceRecord.init),
      figures: meaningful(summary.figures).byName,
      bootstrap: summary.bootstrap.map(BootstrapRecord.init), classes: classes,
      confusion: confusion)
  }
}
