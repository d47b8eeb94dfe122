package import Evaluation
import Scoring
import TraceFormats
import TraceModel

/// Every miss, false alarm and duplicate of a result, as CSV: what to look at first.
package enum ErrorRows {
  static let heading = [
    "entry", "trace", "path", "subject", "activity", "error", "time", "label", "place", "value",
    "emitted",
  ]

  /// In the order of the runs, and of time within a run. Empty cells are not known or not stated.
  package static func csv(_ result: SuiteResult) -> String {
    (csvRow(heading)) + result.runs.map(rows).joined()
  }

  private static func rows(_ run: RunRecord) -> String {
    var records = run.detections
    // What the outcomes are of: detections of the kind that is scored.
    records.removeAll { $0.kind != run.task.rawValue }
    let events = run.score.eventOutcomes?.events(
      references: run.references?.events ?? [], detections: records)
    return (events ?? []).compactMap { event in name(of: event).map { row(run, event, $0) } }
      .joined()
  }

  /// The name of an error; nil = it is none.
  private static func name(of event: EventOutcomes.Event) -> String? {
    switch event.outcome {
    case ReferenceOutcome.missed.rawValue: "missed"
    case DetectionOutcome.falsePositive.rawValue: "false_alarm"
    case DetectionOutcome.duplicate.rawValue: "duplicate"
    default: nil
    }
  }

  private static func row(
    _ run: RunRecord, _ event: EventOutcomes.Event, _ error: String
  ) -> String {
    let (reference, detection) = (event.reference, event.detection)
    let time = reference?.onset ?? detection?.onset ?? .zero
    let value = detection?.value ?? reference?.value
    let place = reference?.place ?? detection?.place
    let label = reference?.label ?? detection?.label ?? ""
    let emitted = detection.map { decimalSeconds($0.emitted.nanoseconds) } ?? ""
    let about = [run.entry, run.traceID, run.tracePath, run.subject, run.activity, error]
    return csvRow(
      about + [
        decimalSeconds(time.nanoseconds), label, place.map { "\($0)" } ?? "", csvCell(value),
        emitted,
      ])
  }
}
