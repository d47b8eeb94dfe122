@testable import Evaluation
import Detectors
import GSLSearch
import Scoring
import TraceModel
import Tuning

/// A tuning on recordings whose hits and false alarms have the given strengths.
struct PlantedTuning: TrialEvaluator {
  var recordings: [TrialRecording]
  var hits: [[Double]]
  var falseAlarms: [[Double]]

  func curves(at settings: ParameterSettings) async throws -> [ThresholdCurve] {
    zip(hits, falseAlarms).map { hits, alarms in
      let edges = Set((hits + alarms).map(\.nextUp).filter { $0 <= 100 }).union([0]).sorted()
      return ThresholdCurve(
        thresholds: edges, truePositives: edges.map { edge in hits.count { $0 >= edge } },
        falsePositives: edges.map { edge in alarms.count { $0 >= edge } }, upper: 100,
        references: hits.count, scoredNanoseconds: 3_600_000_000_000, isExact: true)
    }
  }

  func scores(at settings: ParameterSettings, threshold: Double) async throws -> [EventScore] {
    try await curves(at: settings).map { curve in
      var score = EventScore()
      score.counts = curve.counts(at: curve.index(of: threshold) ?? 0)
      score.scoredNanoseconds = curve.scoredNanoseconds
      return score
    }
  }

  /// References are evenly spaced over an hour, false alarms come every half minute.
  func shiftedHits(
    at settings: ParameterSettings, threshold: Double?, of recordings: [SeededPlace]
  ) async throws -> [ShiftedHits?] {
    recordings.map { position, seed in
      func times(_ strengths: [Double], every seconds: Double) -> [TraceInstant] {
        strengths.indices.filter { strengths[$0] >= threshold ?? .infinity }.map {
          TraceInstant(nanoseconds: Int64((Double($0) + 0.5) * seconds * 1e9))
        }
      }
      let spacing = 3600 / Double(max(hits[position].count, 1))
      let all = hits[position].map { _ in Double.infinity }
      return ShiftedHits(
        references: times(all, every: spacing).map { ReferenceEvent(onset: $0) },
        detections: times(hits[position], every: spacing) + times(falseAlarms[position], every: 30),
        tolerance: .standard, movement: nil, duration: .seconds(3600), shifts: 99, seed: seed)
    }
  }

  /// - Parameters:
  ///   - people: the subject of each recording.
  ///   - preset: what the preset does on all of them.
  static func outcome(
    people: [String] = ["a", "b", "c"],
    hits: [[Double]] = Array(repeating: [40, 50, 60, 70, 80], count: 3),
    falseAlarms: [[Double]] = [[1], [2], [3]], budget: Double = 10,
    confidence: Double = 0.9, objective: Objective? = nil,
    group: TuneGrouping.Kind = .subject, preset: EventCounts? = nil, allowsFewGroups: Bool = true,
    acceptsLoss: Bool = false
  ) async throws -> TuneOutcome {
    let recordings = people.enumerated().map {
      TrialRecording(
        id: "r\($0.offset)", subject: $0.element, activity: "",
        references: hits[$0.offset].count, sha256: "\($0.offset)")
    }
    let grouping = TuneGrouping(recordings, by: group)
    var plan = TuningPlan(
      ChoiceRule(
        objective ?? .maximumRecall(falseAlarmsPerHour: budget), confidence: confidence),
      groups: grouping.labels,
      kind: grouping.clusterKind)
    plan.allowsFewGroups = allowsFewGroups
    plan.resamples = 100
    let tuner = try Tuner(
      PlantedTuning(recordings: recordings, hits: hits, falseAlarms: falseAlarms), plan,
      by: GSLSearch())
    let result = try await tuner.run()
    let detector = try DetectorRegistry.builtIn.detector(named: "punch")
    let measured = EvaluationDataset(
      name: "\(people.count) traces", detector: detector,
      choice: DetectorChoice(detector: "punch", preset: "default"), tolerance: nil, policy: nil,
      path: SignalPath(), recordings: [])
    var presets: [TuneOutcome.Preset] = []
    if let preset {
      var score = EventScore()
      score.counts = preset
      score.scoredNanoseconds = Int64(people.count) * 3_600_000_000_000
      presets = [("preset default", "default", Clustered(score))]
    }
    var outcome = TuneOutcome(
      measured: measured, span: try ThresholdSpan("threshold=0..100", of: detector), plan: plan,
      grouping: grouping, result: result, presets: presets, acceptsLoss: acceptsLoss)
    try await outcome.addWaysOn(tuner)
    return outcome
  }
}
