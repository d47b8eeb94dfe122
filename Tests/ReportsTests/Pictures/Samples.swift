@testable import Evaluation
import Foundation
@testable import Reports
import Scoring
import Testing
import Tuning

/// Pictures of sweeps and tunings.
enum Samples {
  private static let references = 420

  /// A detector that finds more with more false alarms.
  static func curve(
    shift: Double = 0, references: Int = Self.references, steps: Int = 200, hours: Double = 2.4
  ) -> ThresholdCurve {
    let thresholds = (0..<steps).map { 5 + 50 / Double(steps) * Double($0) }
    return ThresholdCurve(
      thresholds: thresholds,
      truePositives: thresholds.map {
        Int(Double(references) / (1 + exp(($0 - 26 - shift) / 5)))
      },
      falsePositives: thresholds.map { Int(900 * exp(-($0 - 5) / (4.2 + shift / 4))) },
      upper: 60, references: references, scoredNanoseconds: Int64(hours * 3.6e12), isExact: true)
  }

  /// The score of a run at a step.
  private static func score(_ curve: ThresholdCurve, _ step: Int, hasLatency: Bool) -> EventScore {
    var score = EventScore()
    score.counts = curve.counts(at: step)
    score.scoredNanoseconds = curve.scoredNanoseconds
    if hasLatency { score.latencies = (0..<40).map { 20_000_000 + 1_000_000 * $0 } }
    return score
  }

  private static func record(
    _ name: String, _ curve: ThresholdCurve, points: [(String, Int)], hasLatency: Bool = true
  ) -> SweepRecord {
    SweepRecord(
      name: name, parameters: [], tolerance: nil,
      tolerances: hasLatency ? [EventTolerance(either: .milliseconds(150))] : [], curve: curve,
      recordings: [], parts: Clustered(curve),
      points: points.map { name, step in
        OperatingPoint(
          name: name, threshold: curve.thresholds[step], span: curve.span(of: step),
          Clustered(score(curve, step, hasLatency: hasLatency)))
      },
      latencies: !hasLatency
        ? []
        : stride(from: 0, to: curve.count, by: 20).map {
          ThresholdLatency(
            threshold: curve.thresholds[$0], Clustered(score(curve, $0, hasLatency: true)))
        })
  }

  private static func sweep(_ records: [SweepRecord], unit: String = "m/s2") -> Picture {
    SweepResult(
      detector: "punch", preset: "hitThat", title: "punch/hitThat", threshold: "threshold",
      unit: unit, data: "recorded", recordings: [], inputs: [], dataCommit: "", records: records
    ).picture()
  }

  static var curve: Picture {
    sweep([
      record("all", curve(), points: [("preset", 40), ("best F1", 60), ("at most 10/h", 100)])
    ])
  }

  /// More curves than colours.
  static var severalCurves: Picture {
    sweep(
      (0..<9).map {
        record("refractory 0.\($0) s", curve(shift: Double($0) - 4), points: [("preset", 40)])
      })
  }

  /// No hours, no latency, nothing marked.
  static var bareCurve: Picture {
    sweep([record("all", curve(hours: 0), points: [], hasLatency: false)], unit: "")
  }

  /// Nothing to find, and one step.
  static var emptyCurve: Picture {
    sweep([record("all", curve(references: 0, steps: 1), points: [], hasLatency: false)])
  }

  private static let strengths = (0..<20).map { 30 + 3 * Double($0) }

  /// - Parameter people: their number.
  static func tuning(people: Int) async throws -> Picture {
    let outcome = try await PlantedTuning.outcome(
      people: (0..<people).map { "s\($0)" },
      hits: (0..<people).map { person in strengths.map { $0 + Double(person) } },
      falseAlarms: (0..<people).map { person in (0...person).map { 20 + Double($0) } },
      preset: EventCounts(truePositives: 15 * people, falsePositives: 2))
    return try #require(outcome.picture())
  }
}
