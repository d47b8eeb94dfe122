package import Evaluation
import Scoring
import TraceFormats
import TraceModel

/// Every miss, false alarm and duplicate of a result, as CSV.
package enum ErrorRows {
  private static let errors = [
    ReferenceOutcome.missed.rawValue: "missed",
    DetectionOutcome.falsePositive.rawValue: "false_alarm",
    DetectionOutcome.duplicate.rawValue: "duplicate",
  ]

  /// In the order of the runs, and of time within a run. Cells of unknown values are empty.
  /// - Parameter write: takes one row after another.
  package static func writeCSV(
    of result: SuiteResult, to write: (String) throws -> Void
  ) rethrows {
    let errors = result.runs.lazy.compactMap { run in events(of: run).map { (run, $0) } }
      .flatMap { run, events in
        events.compactMap { event in
          Self.errors[event.outcome].map { (run: run, event: event, error: $0) }
        }
      }
    try Reports.writeCSV(
      errors,
      [
        ("entry", { $0.run.entry }), ("trace", { $0.run.traceID }), ("path", { $0.run.tracePath }),
        ("subject", { $0.run.subject }), ("activity", { $0.run.activity }), ("error", { $0.error }),
        (
          "time",
          {
            let time = $0.event.reference?.onset ?? $0.event.detection?.onset ?? .zero
            return decimalSeconds(time.nanoseconds)
          }
        ),
        ("label", { $0.event.reference?.label ?? $0.event.detection?.label }),
        ("place", { ($0.event.reference?.place ?? $0.event.detection?.place).map { Int($0) } }),
        ("value", { $0.event.detection?.value ?? $0.event.reference?.value }),
        ("emitted", { ($0.event.detection?.emitted.nanoseconds).map(decimalSeconds) }),
      ], to: write)
  }

  private static func events(of run: RunRecord) -> LazyMapSequence<[Int], EventOutcomes.Event>? {
    // Only detections of the scored kind have outcomes.
    run.score.eventOutcomes?.events(
      references: run.references?.events ?? [],
      detections: run.detections.ofKind(run.task.rawValue))
  }
}
