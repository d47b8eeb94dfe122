@testable import Evaluation
import Detectors
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

  /// - Parameters:
  ///   - people: the subject of each recording.
  ///   - preset: what the preset does on all of them.
  static func outcome(
    people: [String] = ["a", "b", "c"],
    hits: [[Double]] = Array(repeating: [40, 50, 60, 70, 80], count: 3),
    falseAlarms: [[Double]] = [[1], [2], [3]], budget: Double = 10,
    group: TuneGrouping.Kind = .subject, preset: EventCounts? = nil
  ) async throws -> TuneOutcome {
    let recordings = people.enumerated().map {
      TrialRecording(
        id: "r\($0.offset)", subject: $0.element, activity: "",
        references: hits[$0.offset].count, sha256: "\($0.offset)")
    }
    let grouping = TuneGrouping(recordings, by: group)
    var plan = TuningPlan(
      objective: .maximumRecall(falseAlarmsPerHour: budget), groups: grouping.labels,
      chances: people.map { _ in 0.01 })
    plan.allowsFewGroups = true
    plan.resamples = 100
    let result = try await Tuner(
      PlantedTuning(recordings: recordings, hits: hits, falseAlarms: falseAlarms), plan
    ).run()
    let detector = try DetectorRegistry.builtIn.detector(named: "punch")
    let measured = EvaluationDataset(
      name: "\(people.count) traces", detector: detector,
      choice: DetectorChoice(detector: "punch", preset: "default"), tolerance: nil, policy: nil,
      path: SignalPath(), recordings: [])
    var presets: [(name: String, preset: String, score: EventScore)] = []
    if let preset {
      var score = EventScore()
      score.counts = preset
      score.scoredNanoseconds = Int64(people.count) * 3_600_000_000_000
      presets = [("preset default", "default", score)]
    }
    return TuneOutcome(
      measured: measured, span: try ThresholdSpan("threshold=0..100", of: detector), plan: plan,
      grouping: grouping, result: result, presets: presets)
  }
}
