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
    /// When the references, the hits and the false alarms are, in s; empty = not known.
    var times: (references: [Double], hits: [Double], falseAlarms: [Double]) = ([], [], [])
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

  func shiftedHits(
    at settings: ParameterSettings, threshold: Double?, of recordings: [SeededPlace]
  ) async throws -> [ShiftedHits?] {
    recordings.map { position, seed in
      let recording = planted[position]
      guard !recording.times.references.isEmpty else { return nil }
      func passing(_ strengths: [Double], _ times: [Double], _ isHit: Bool) -> [Double] {
        guard let threshold else { return [] }
        return zip(strengths, times).filter { change($0.0, isHit, settings) >= threshold }.map(\.1)
      }
      let found =
        passing(recording.hits, recording.times.hits, true)
        + passing(recording.falseAlarms, recording.times.falseAlarms, false)
      return ShiftedHits(
        references: recording.times.references.map { ReferenceEvent(onset: Self.instant($0)) },
        detections: found.map(Self.instant),
        tolerance: EventTolerance(either: .milliseconds(900)), movement: nil,
        duration: .nanoseconds(Int64(recording.hours * 3.6e12)), shifts: 60, seed: seed)
    }
  }

  private static func instant(_ seconds: Double) -> TraceInstant {
    TraceInstant(nanoseconds: Int64(seconds * 1e9))
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
    var made = PlantedEvaluator.Recording(
      id, subject: subject, references: references,
      hits: (0..<references).map { _ in strength(50, 12) },
      falseAlarms: (0..<alarms).map { _ in strength(20, 10) })
    let times = (0..<references).map { 3600 * (Double($0) + 0.5) / Double(references) }
    made.times = (
      times, times,
      (0..<alarms).map { (Double($0) * 577.7 + 11).truncatingRemainder(dividingBy: 3600) }
    )
    return made
  }

  /// Detections at random times and of random strengths; one of twenty is a hit.
  static func noise(
    _ id: String, subject: String, using generator: inout SeededGenerator
  ) -> PlantedEvaluator.Recording {
    var made = PlantedEvaluator.Recording(
      id, subject: subject, references: 100, hits: [], falseAlarms: [])
    made.times.references = (0..<100).map { 36 * Double($0) + 18 }
    var isHit = Set<Int>()
    for _ in 0..<400 {
      let (strength, time) = (generator.uniform(1...99), generator.uniform(0...3600))
      let nearest = min(Int(time / 36), 99)
      if abs(time - made.times.references[nearest]) <= 0.9, isHit.insert(nearest).inserted {
        made.hits.append(strength)
        made.times.hits.append(time)
      } else {
        made.falseAlarms.append(strength)
        made.times.falseAlarms.append(time)
      }
    }
    return made
  }
}
