package import Diagnostics
package import Foundation
package import Evaluation
package import Scoring
package import TraceModel

/// The score of label files as text.
package struct LabelScoreExports {
  package let score: LabelScore
  package let inputs: [LabelSide.Input]
  /// Whether every event is told.
  package var isListed = false

  package init(score: LabelScore, inputs: [LabelSide.Input], isListed: Bool = false) {
    self.score = score
    self.inputs = inputs
    self.isListed = isListed
  }

  private var outcomes: [LabelOutcome] { score.runs.flatMap { LabelOutcome.all(of: $0) } }

  // MARK: CSV

  /// A row a figure, of all files together (an empty file) and of each; or a row an event.
  package func csv() -> String {
    if isListed { return csvList }
    var output = "file,origin,figure,value,lower,upper,unit\n"
    func add(_ lead: [String], _ figures: [Figure]) {
      for figure in meaningful(figures) {
        output += (lead + figure.csvCells).map(csvCell).joined(separator: ",") + "\n"
      }
    }
    for summary in score.result.summaries { add(["", origin(summary.origin)], summary.figures) }
    for run in score.runs { add([run.traceID, origin(run.origin)], run.score.figures) }
    return output
  }

  private var csvList: String {
    func text(_ value: Double?) -> String { value.map { "\($0)" } ?? "" }
    var output =
      "filename,outcome,reference_onset,reference_offset,detection_onset,difference,"
      + "reference_label,detection_label\n"
    for event in outcomes {
      let cells = [
        event.file, event.outcome.rawValue, text(event.referenceOnset),
        text(event.referenceOffset), text(event.detectionOnset), text(event.difference),
        event.referenceLabel ?? "", event.detectionLabel ?? "",
      ]
      output += cells.map(csvCell).joined(separator: ",") + "\n"
    }
    return output
  }

  /// Empty where it is not known.
  private func origin(_ origin: TraceOrigin) -> String {
    score.isOriginKnown ? origin.rawValue : ""
  }

  /// Without what label files cannot say: waits for delivery, and latencies where it is not known
  /// when a detection was told.
  private func meaningful(_ figures: [Figure]) -> [Figure] {
    figures.filter {
      !$0.name.hasPrefix("delivery_wait") && $0.name != "unscored_traces"
        && (score.hasEmitted || !$0.name.hasPrefix("latency"))
    }.map {
      var figure = $0
      // Whatever the labels' values count in.
      if figure.name.hasPrefix("magnitude_error") { figure.unit = "" }
      return figure
    }
  }

  // MARK: JSON

  package func json() throws -> String {
    try jsonText(document)
  }

  private struct Document: Encodable {
    struct InputFacts: Encodable {
      var role: String
      var path: String
      var sha256: String
    }

    struct Tolerance: Encodable {
      /// Seconds.
      var early: Double
      /// Seconds.
      var late: Double
      /// standard, reference or stated.
      var origin: String

      init(_ tolerance: EventTolerance) {
        early = Double(tolerance.early.nanoseconds) / 1e9
        late = Double(tolerance.late.nanoseconds) / 1e9
        origin = tolerance.origin.rawValue
      }
    }

    struct ClassFigures: Encodable {
      var references: Int
      var truePositives: Int
      var falsePositives: Int
      var falseNegatives: Int
      var figures: [String: FigureValue]

      init(_ counts: EventCounts) {
        references = counts.recall.trials
        truePositives = counts.truePositives
        falsePositives = counts.falsePositives
        falseNegatives = counts.falseNegatives
        figures = FigureValue.dictionary([
          Figure("precision", counts.precision.estimate, counts.precision.interval),
          Figure("recall", counts.recall.estimate, counts.recall.interval),
          Figure("f1", counts.f1.estimate, counts.f1.interval),
        ])
      }
    }

    struct Summary: Encodable {
      /// Null where it is not known.
      @Nullable var origin: String?
      var files: Int
      /// Recorded; null where it is not known.
      @Nullable var hours: Double?
      var tolerances: [Tolerance]
      var figures: [String: FigureValue]
      var intervalMethods: [String: IntervalMethod]
      @Nullable var bootstrap: BootstrapFacts?
      var classes: [String: ClassFigures]
      /// A row for each reference label, a column for each detected one; null without classes.
      @Nullable var confusion: ConfusionMatrix?
    }

    struct FileFigures: Encodable {
      var file: String
      var subject: String
      var activity: String
      var figures: [String: FigureValue]
    }

    var schema = "shadowbox-score/1"
    var toolVersion = Tool.version
    var task: String
    var inputs: [InputFacts]
    var notes: [String]
    var summaries: [Summary]
    var files: [FileFigures]
    /// Only with --list.
    var events: [LabelOutcome]?
  }

  private var document: Document {
    Document(
      task: score.options.task.rawValue,
      inputs: inputs.map { .init(role: $0.role.rawValue, path: $0.path, sha256: $0.sha256) },
      notes: score.notes, summaries: score.result.summaries.map(summary),
      files: score.runs.map {
        .init(
          file: $0.traceID, subject: $0.subject, activity: $0.activity,
          figures: FigureValue.dictionary(meaningful($0.score.figures)))
      },
      events: isListed ? outcomes : nil)
  }

  private func summary(_ summary: EntrySummary) -> Document.Summary {
    var classes: [String: Document.ClassFigures] = [:]
    var confusion: ConfusionMatrix?
    var tolerances = Set(
      summary.runs.compactMap { run -> EventTolerance? in
        if case .visits(let judgement) = run.score { judgement.tolerance } else { nil }
      })
    if case .events(let events) = summary.score {
      tolerances = Set(events.tolerances)
      for one in events.classes { classes[one.label] = .init(one.counts) }
      confusion = events.classes.isEmpty ? nil : events.confusion
    }
    return Document.Summary(
      origin: score.isOriginKnown ? summary.origin.rawValue : nil, files: summary.runs.count,
      hours: score.isDurationKnown ? summary.hours : nil,
      tolerances: tolerances.sorted { ($0.early, $0.late) < ($1.early, $1.late) }
        .map(Document.Tolerance.init),
      figures: FigureValue.dictionary(meaningful(summary.figures)),
      intervalMethods: Dictionary(uniqueKeysWithValues: summary.intervalMethods.map { ($0, $1) }),
      bootstrap: summary.bootstrap.map(BootstrapFacts.init), classes: classes,
      confusion: confusion)
  }
}
