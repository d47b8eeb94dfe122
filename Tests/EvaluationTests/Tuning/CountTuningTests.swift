import Foundation
import Replay
import Scoring
import Synthesis
import Testing
import TraceModel
import Tuning

@testable import Evaluation

/// Recordings with only a number of punches, in sweeps and tunings.
@Suite struct CountTuningTests {
  private func dataset(
    _ traces: [Trace], preset: String = "default"
  ) async throws -> EvaluationDataset {
    let detector = try DetectorRegistry.builtIn.detector(named: "punch")
    let entry = Suite.Entry(
      name: "punch", choice: DetectorChoice(detector: "punch", preset: preset), traces: ["all"],
      path: SignalPath(), place: "test")
    return try await EvaluationDataset.read(
      traces.map(\.header.id), name: "test", entry: entry, detector: detector, threads: 1,
      loader: MemoryTraces(traces), observer: NoObserver())
  }

  private func punches() throws -> [Trace] { try Self.made.get() }

  private static let made = Result {
    try [11, 12].map { seed in
      let spec = try ScenarioSpec(
        kind: .punches, subject: seed, seed: UInt64(seed), duration: 40)
      var trace = Synthesizer.trace(spec)
      trace.header.id = "s\(seed)"
      return trace
    }
  }

  /// An independent way to say "n events, nobody knows when": n references that each last as long as
  /// the recording, of which any detection hits one. The curve and every score are the same, exact
  /// sweep or one run per threshold.
  @Test(arguments: [0, 1, 7, 200], ["default", "magnitude", "peaks"])
  func aCountIsAsManyReferencesThatLastTheWholeRecording(count: Int, preset: String) async throws {
    let traces = try punches()
    var counted = traces
    var lasting = traces
    for index in traces.indices {
      counted[index].header.references = []
      counted[index].header.counts = [ReferenceCount(task: .punch, count: count)]
      let whole = ReferenceEvent(
        onset: TraceInstant(nanoseconds: -1_000_000_000), offset: traces[index].header.end)
      lasting[index].header.references = [
        ReferenceSet(
          task: .punch, events: [ReferenceEvent](repeating: whole, count: count), tolerance: .zero)
      ]
    }
    let detector = try DetectorRegistry.builtIn.detector(named: "punch")
    for text in ["threshold=5..200", "threshold=5..200:9"] {
      let span = try ThresholdSpan(text, of: detector)
      let one = DetectorEvaluator(
        measured: try await dataset(counted, preset: preset), span: span, threads: 1)
      let other = DetectorEvaluator(
        measured: try await dataset(lasting, preset: preset), span: span, threads: 1)
      let (curves, expected) = (
        try await one.curves(at: [:]), try await other.curves(at: [:])
      )
      #expect(curves == expected)
      #expect(curves.contains { $0.truePositives.contains { $0 > 0 } } == (count > 0))
      #expect(one.recordings.allSatisfy { $0.references == count && $0.isCounted })
      for threshold in [20.0, 45, 90] {
        let scores = try await one.scores(at: [:], threshold: threshold)
        let same = try await other.scores(at: [:], threshold: threshold)
        #expect(scores.map(\.counts) == same.map(\.counts))
        #expect(scores.map(\.scoredNanoseconds) == same.map(\.scoredNanoseconds))
        for (curve, score) in zip(curves, scores) where text.hasSuffix("200") {
          let step = try #require(curve.index(of: threshold))
          #expect(curve.counts(at: step) == score.counts)
        }
      }
    }
  }

  /// The exact sweep and the runs leave out the same ignored stretch.
  @Test func ignoredStretchesDoNotCount() async throws {
    let zone = IgnoreZone(
      onset: TraceInstant(nanoseconds: 10_000_000_000),
      offset: TraceInstant(nanoseconds: 15_000_000_000))
    var traces = try punches()
    for index in traces.indices {
      traces[index].header.references = []
      traces[index].header.counts = [ReferenceCount(task: .punch, count: 3)]
    }
    func evaluator() async throws -> DetectorEvaluator {
      let detector = try DetectorRegistry.builtIn.detector(named: "punch")
      return DetectorEvaluator(
        measured: try await dataset(traces, preset: "magnitude"),
        span: try ThresholdSpan("threshold=5..200", of: detector), threads: 1)
    }
    let whole = try await evaluator().scores(at: [:], threshold: 20)
    for index in traces.indices { traces[index].header.ignoreZones = [zone] }
    let part = try await evaluator()
    let scores = try await part.scores(at: [:], threshold: 20)
    let curves = try await part.curves(at: [:])
    for (index, curve) in curves.enumerated() {
      let step = try #require(curve.index(of: 20))
      #expect(curve.counts(at: step) == scores[index].counts)
      #expect(curve.scoredNanoseconds == scores[index].scoredNanoseconds)
      #expect(whole[index].scoredNanoseconds - scores[index].scoredNanoseconds == 5_000_000_000)
      #expect(scores[index].counts.falsePositives < whole[index].counts.falsePositives)
    }
  }

  /// Misses plus false alarms are the size of the error, for any numbers.
  @Test func theBestMatchCostsTheError() {
    for stated in 0...12 {
      for detected in 0...12 {
        let score = CountScore(stated: stated, detected: detected)
        let best = score.bestMatch
        #expect(best.falsePositives + best.falseNegatives == abs(score.error))
        #expect(best.falsePositives == 0 || best.falseNegatives == 0)
        #expect(best.truePositives + best.falseNegatives == stated)
        #expect(best.truePositives + best.falsePositives == detected)
        let cost = Objective.cost(miss: 1, falseAlarm: 1).value(of: best, hours: 0.5)
        #expect(cost == (stated > 0 ? -Double(abs(score.error)) / 0.5 : nil))
        let f1 = Objective.fBeta(1).value(of: best, hours: 1)
        let expected = 2 * Double(min(stated, detected)) / Double(stated + detected)
        #expect(stated == 0 ? f1 == nil : abs((f1 ?? -1) - expected) < 1e-12)
      }
    }
  }
}
