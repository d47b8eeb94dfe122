@testable import Reports
@testable import Evaluation
import Detectors
import Scoring
import TraceModel
import Testing
import Tuning

@testable import Harness

/// What a tuning says of itself, where a word too many would promise something.
@Suite struct TuneTextTests {
  /// Recordings whose hits and false alarms have the given strengths.
  private struct Planted: TrialEvaluator {
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
  }

  /// - Parameters:
  ///   - people: the subject of each recording.
  ///   - preset: what the preset does on all of them.
  private func outcome(
    people: [String], hits: [[Double]], falseAlarms: [[Double]], budget: Double = 10,
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
      Planted(recordings: recordings, hits: hits, falseAlarms: falseAlarms), plan
    ).run()
    let detector = try DetectorRegistry.builtIn.detector(named: "punch")
    let measured = EvaluationDataset(
      name: "\(people.count) traces", detector: detector,
      choice: DetectorChoice(detector: "punch", preset: "default"), tolerance: nil, policy: nil,
      path: SignalPath(deviceRate: nil, gravity: nil, delivery: nil), recordings: [])
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

  private func warned(_ outcome: TuneOutcome, _ text: String) -> Bool {
    TuneWarnings(outcome: outcome).all.contains { $0.contains(text) }
  }

  private let strong = [40.0, 50, 60, 70, 80]

  @Test func withoutFoldsNothingIsSaidToBeHeldOut() async throws {
    let outcome = try await outcome(people: ["a"], hits: [strong], falseAlarms: [[1, 2]])
    #expect(outcome.result.verdict.isBetterThanNull)
    #expect(!outcome.verdict.contains("held out"))
    #expect(warned(outcome, "there is no cross-validation"))
    let text = TuneTables(outcome: outcome, report: outcome.report).render()
    #expect(text.contains("no test: the threshold was chosen by these very hits"))
    #expect(!text.contains("(p "))
    #expect(outcome.report.threshold?.resamples == nil)
  }

  @Test func anOverrunOfTheBudgetIsInTheVerdict() async throws {
    // Nobody else has alarms as strong as the third person's.
    let outcome = try await outcome(
      people: ["a", "b", "c"], hits: [strong, strong, strong],
      falseAlarms: [[1], [2], (0..<90).map { 30 + Double($0) / 100 }])
    #expect(outcome.verdict.hasPrefix("worth having"))
    #expect(outcome.verdict.hasSuffix("but makes more false alarms than the budget has"))
    #expect(warned(outcome, "by more than chance explains"))
    let within = try await self.outcome(
      people: ["a", "b", "c"], hits: [strong, strong, strong], falseAlarms: [[1], [2], [3]])
    #expect(within.verdict == "worth having: held out, it does better than detecting nothing")
  }

  @Test func whatNoThresholdAllowsIsToldWithWhatThereIs() async throws {
    // Stronger than any threshold.
    let alarms = [Double](repeating: 200, count: 24)
    let outcome = try await outcome(
      people: ["a", "b", "c"], hits: [strong, strong, strong],
      falseAlarms: [alarms, alarms, alarms])
    #expect(outcome.result.outcome == .nothingAllowed)
    #expect(outcome.verdict.contains("every threshold that was tried"), "\(outcome.verdict)")
    #expect(outcome.verdict.contains("24.0 an hour at the least"), "\(outcome.verdict)")
    #expect(outcome.verdict.contains("--threshold"))
  }

  @Test(arguments: [
    (["a", "b", "c"], TuneGrouping.Kind.subject, false, ""),
    (["a", "b", ""], .subject, true, "1 recording states no subject"),
    (["a", "", ""], .subject, true, "2 recordings state no subject"),
    (["a", "a", "b"], .recording, true, "groups are recordings"),
    (["a", "b", "c"], .recording, false, ""),
  ])
  func peopleInSeveralGroupsMakeItOptimistic(
    people: [String], group: TuneGrouping.Kind, isOptimistic: Bool, note: String
  ) async throws {
    let outcome = try await outcome(
      people: people, hits: [strong, strong, strong], falseAlarms: [[1], [2], [3]], group: group)
    #expect(warned(outcome, "optimistic for a new person") == isOptimistic)
    #expect(note.isEmpty || warned(outcome, note))
    let text = TuneTables(outcome: outcome, report: outcome.report).render()
    #expect(text.contains("(optimistic)") == isOptimistic)
    #expect(text.contains("(what to expect)") != isOptimistic)
    #expect(outcome.picture?.isOptimistic == isOptimistic)
  }

  @Test func aPresetThatDoesAsWellIsTold() async throws {
    func isTold(_ preset: EventCounts) async throws -> Bool {
      let outcome = try await outcome(
        people: ["a", "b", "c"], hits: [strong, strong, strong], falseAlarms: [[1], [2], [3]],
        preset: preset)
      return warned(outcome, "not better than preset default")
    }
    #expect(try await isTold(EventCounts(truePositives: 15, falsePositives: 2)))
    #expect(!(try await isTold(EventCounts(truePositives: 14, falseNegatives: 1))))
    // Beyond the budget it is no match.
    #expect(!(try await isTold(EventCounts(truePositives: 15, falsePositives: 31))))
  }
}
