import Scoring
import TraceModel

@testable import Evaluation

/// Simulated results from counts, for tests of comparisons.
enum MeasuredSamples {
  /// A person's references, the number of them that are found, and the false alarms in an hour.
  struct Person {
    var references: Int
    /// The positions of the references that are found.
    var found: Set<Int>
    var falseAlarms = 0
  }

  /// - Parameter listsDetections: whether with the detections, which the figures do not need.
  static func results(
    _ people: [Person], threshold: Double = 30, listsDetections: Bool = true
  ) -> MeasuredResults {
    MeasuredResults(
      path: "x.h5", schema: "shadowbox-results/5", toolVersion: "1", toolchain: "", suite: "s",
      suiteSHA256: "", commit: "",
      runs: people.enumerated().map { run($0.offset, $0.element, threshold, listsDetections) })
  }

  private static func run(
    _ number: Int, _ person: Person, _ threshold: Double, _ listsDetections: Bool
  ) -> MeasuredRun {
    let hits = person.found.sorted().map { detection(at: $0, "true_positive") }
    let alarms = (0..<person.falseAlarms).map { detection(at: 100_000 + $0, "false_positive") }
    let figures: [(String, Double)] = [
      ("true_positives", Double(person.found.count)),
      ("false_positives", Double(person.falseAlarms)),
      ("false_negatives", Double(person.references - person.found.count)), ("scored_hours", 1),
      ("false_alarms_per_hour", Double(person.falseAlarms)),
    ]
    return MeasuredRun(
      entry: "punch/default", trace: "t\(number)", traceSHA256: "\(number)", origin: "synthetic",
      subject: "sim\(number)", activity: "", task: "punch", facts: ["threshold": "\(threshold)"],
      tolerance: .standard, threshold: threshold, thresholdUnit: "m/s2",
      detections: listsDetections ? hits + alarms : [],
      references: (0..<person.references).map {
        MeasuredReference(onset: instant($0), label: "", isFound: person.found.contains($0))
      },
      figures: Dictionary(uniqueKeysWithValues: figures.map { ($0.0, Figure($0.0, $0.1)) }),
      measurements: [:])
  }

  private static func instant(_ second: Int) -> TraceInstant {
    TraceInstant(nanoseconds: Int64(second) * 1_000_000_000)
  }

  private static func detection(at second: Int, _ outcome: String) -> MeasuredDetection {
    MeasuredDetection(
      DetectionRecord(onset: instant(second), emitted: instant(second), kind: "punch"),
      outcome: outcome, score: 31)
  }
}
