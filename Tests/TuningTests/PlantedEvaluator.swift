import Scoring
import TraceModel

@testable import Tuning

/// A detector whose every hit and false alarm is planted: of each recording it is known how strong
/// they are, and a threshold lets pass what is at least as strong.
struct PlantedEvaluator: TrialEvaluator {
  struct Recording: Sendable {
    var info: TrialRecording
    /// Strengths, at the settings that leave them as they are.
    var hits: [Double]
    var falseAlarms: [Double]
    var hours = 1.0
  }

  var planted: [Recording]
  /// How settings change a strength, of a hit or of a false alarm.
  var change: @Sendable (Double, _ isHit: Bool, ParameterSettings) -> Double = { score, _, _ in
    score
  }
  var lower = 0.0
  var upper = 100.0
  let asked = AskedCounter()

  var recordings: [TrialRecording] { planted.map(\.info) }

  func curves(at settings: ParameterSettings) async throws -> [ThresholdCurve] {
    await asked.add()
    return planted.map { curve($0, settings) }
  }

  func scores(at settings: ParameterSettings, threshold: Double) async throws -> [EventScore] {
    planted.map { recording in
      let curve = curve(recording, settings)
      var score = EventScore()
      score.counts = curve.counts(at: curve.index(of: threshold) ?? 0)
      score.scoredNanoseconds = curve.scoredNanoseconds
      score.latencies = [Int64](repeating: 1_000_000, count: score.counts.truePositives)
      return score
    }
  }

  private func curve(_ recording: Recording, _ settings: ParameterSettings) -> ThresholdCurve {
    let hits = recording.hits.map { change($0, true, settings) }
    let alarms = recording.falseAlarms.map { change($0, false, settings) }
    let edges = Set((hits + alarms).map(\.nextUp).filter { $0 > lower && $0 <= upper })
      .union([lower]).sorted()
    return ThresholdCurve(
      thresholds: edges,
      truePositives: edges.map { edge in hits.count { $0 >= edge } },
      falsePositives: edges.map { edge in alarms.count { $0 >= edge } }, upper: upper,
      references: recording.info.references,
      scoredNanoseconds: Int64(recording.hours * 3.6e12), isExact: true)
  }
}

actor AskedCounter {
  private(set) var count = 0
  func add() { count += 1 }
}

extension PlantedEvaluator.Recording {
  init(
    _ id: String, subject: String, references: Int, hits: [Double], falseAlarms: [Double],
    hours: Double = 1
  ) {
    self.init(
      info: TrialRecording(
        id: id, subject: subject, activity: "", references: references, sha256: "sha-" + id),
      hits: hits, falseAlarms: falseAlarms, hours: hours)
  }

  /// Punches about 50 strong and other movement about 20 strong, in eighths.
  static func random(
    _ id: String, subject: String, using generator: inout SeededGenerator, references: Int = 40,
    alarms: Int = 60
  ) -> PlantedEvaluator.Recording {
    func strength(_ mean: Double, _ spread: Double) -> Double {
      let drawn = generator.normal(mean: mean, standardDeviation: spread)
      return (min(max(drawn, 0.125), 99) * 8).rounded() / 8
    }
    return PlantedEvaluator.Recording(
      id, subject: subject, references: references,
      hits: (0..<references).map { _ in strength(50, 12) },
      falseAlarms: (0..<alarms).map { _ in strength(20, 10) })
  }

  /// Hits and false alarms of the same strengths, hits as rare as by chance.
  static func noise(
    _ id: String, subject: String, using generator: inout SeededGenerator
  ) -> PlantedEvaluator.Recording {
    var (hits, alarms): ([Double], [Double]) = ([], [])
    for _ in 0..<400 {
      let strength = generator.uniform(1...99)
      if generator.unit() < 0.05, hits.count < 100 {
        hits.append(strength)
      } else {
        alarms.append(strength)
      }
    }
    return PlantedEvaluator.Recording(
      id, subject: subject, references: 100, hits: hits, falseAlarms: alarms)
  }
}
