import Detectors
import Diagnostics
import GSLSearch
import Replay
import Scoring
import Testing
import TraceModel
import Tuning

@testable import Evaluation

/// The hours of rates, and data of one person under several names, as the commands see them.
@Suite struct ExposureRunTests {
  private static let second: Int64 = 1_000_000_000

  /// Motion at 10 Hz in some stretches, in seconds, with a jolt 5 s apart and no punches.
  private func trace(
    _ stretches: [Range<Int>], end: Int, id: String = "t", subject: String = "", seed: UInt64 = 1,
    actions: [(Int, Action)] = []
  ) -> Trace {
    var header = TraceHeader(id: id, origin: .recorded)
    header.subject = subject
    header.end = TraceInstant(nanoseconds: Int64(end) * Self.second)
    header.references = [ReferenceSet(task: .punch, events: [])]
    var trace = Trace(header: header)
    var columns = VectorColumns()
    var generator = SeededGenerator(seed: seed)
    for stretch in stretches {
      for index in stretch.lowerBound * 10..<stretch.upperBound * 10 {
        let time = Int64(index) * 100_000_000
        let noise = Float(generator.unit())
        columns.append(
          Vector3(x: index % 50 == 24 ? 60 : noise, y: -noise, z: Float(generator.unit())),
          measured: time, arrived: time)
      }
    }
    trace.set(.vector(columns), for: .userAcceleration)
    guard !actions.isEmpty else { return trace }
    var performed = ActionColumns()
    for (time, action) in actions {
      performed.append(
        action, measured: Int64(time) * Self.second, arrived: Int64(time) * Self.second)
    }
    trace.set(.action(performed), for: .action)
    return trace
  }

  private var punch: AnyDetector { AnyDetector(PunchDetector.self) }

  private func hours(_ summary: EntrySummary) -> [Double?] {
    ["recorded_hours", "fed_hours", "armed_hours", "scored_hours"].map { summary[$0]?.value }
  }

  private func rate(_ summary: EntrySummary) -> Double? { summary["false_alarms_per_hour"]?.value }

  @Test func sixMinutesInAnHour() async throws {
    let contiguous = try await punch.evaluate(on: [trace([0..<360], end: 360)])
    let spread = try await punch.evaluate(on: [trace([0..<180, 3420..<3600], end: 3600)])
    #expect(rate(contiguous) == 720 && rate(spread) == 720)
    #expect(hours(spread) == [0.1, 0.1, 0.1, 0.1])
    #expect(
      spread.exposure?.note == "0.100 of 1.000 recorded, 0.100 delivered, 0.100 while listening")
    #expect(contiguous.exposure?.note == nil)
  }

  /// An hour in which the app sleeps for 55 minutes gives no better figures.
  @Test func theBackground() async throws {
    let hour = trace([0..<3600], end: 3600)
    let path = SignalPath(delivery: try NamedDelivery(spelling: "ios-background", place: "test"))
    let awake = try await punch.evaluate(on: [hour])
    let asleep = try await punch.evaluate(on: [hour], path: path)
    #expect(rate(awake) == 720)
    #expect(asleep["false_positives"]?.value == 66 && rate(asleep) == 720)
    let seconds = hours(asleep).map { (($0 ?? 0) * 3600).rounded() }
    #expect(seconds == [3600, 330, 330, 330])
  }

  @Test func arming() async throws {
    let armed = trace([0..<3600], end: 3600, actions: [(100, .arm), (460, .disarm)])
    let summary = try await punch.evaluate(on: [armed])
    #expect(hours(summary) == [1, 1, 0.1, 0.1] && rate(summary) == 720)
    let always = try await punch.evaluate(on: [armed], parameters: ["arming": .choice("always")])
    #expect(hours(always)[2] == 1)
  }

  /// The exact sweep, its runs and a run of a suite have the same hours.
  @Test func sweepsHaveTheHoursOfRuns() async throws {
    let path = SignalPath(delivery: try NamedDelivery(spelling: "ios-background", place: "test"))
    let traces = [
      trace([0..<500, 700..<1000], end: 1100, id: "a", actions: [(5, .arm), (900, .disarm)]),
      trace([0..<400], end: 500, id: "b", seed: 2),
    ]
    let measured = try await dataset(traces, path: path)
    let span = try ThresholdSpan(nil, of: punch)
    let evaluator = DetectorEvaluator(measured: measured, span: span, threads: 1)
    let curves = try await evaluator.curves(at: [:])
    let scores = try await evaluator.scores(at: [:], threshold: 30)
    let areExact = curves.map(\.isExact)
    #expect(areExact == [true, true])
    #expect(curves.map(\.scoredNanoseconds) == scores.map(\.scoredNanoseconds))
    let run = try await punch.evaluate(on: traces, path: path)
    #expect(run.exposure == EventScore.pooled(scores).exposure && run.exposure == measured.exposure)
    let sum = curves.map(\.scoredNanoseconds).reduce(0, +)
    #expect(run.eventParts?.pooled.scoredNanoseconds == sum)
  }

  // MARK: One person under several names

  private func dataset(
    _ traces: [Trace], path: SignalPath = SignalPath()
  ) async throws -> EvaluationDataset {
    let entry = Suite.Entry(
      name: "e", choice: DetectorChoice(detector: "punch", preset: "default"), traces: [],
      path: path, place: "")
    return try await EvaluationDataset.read(
      traces.map(\.header.id), name: "n", entry: entry, detector: punch, threads: 1,
      loader: MemoryTraces(traces), observer: NoObserver())
  }

  private func four(_ subjects: [String]) -> [Trace] {
    subjects.enumerated().map { trace([0..<60], end: 60, id: "r\($0.offset)", subject: $0.element) }
  }

  private func message(_ body: () async throws -> Void) async -> String? {
    do {
      try await body()
      return nil
    } catch let failure as Failure where failure.kind == .badData {
      return failure.description
    } catch { return "\(error)" }
  }

  @Test func onePersonUnderFourNames() async throws {
    let traces = four(["ann", "bob", "", ""])
    let found = await message { _ = try await punch.evaluate(on: traces) } ?? ""
    #expect(
      found.contains("r1: expected other data than r0, which is of another person (subject ann"))
    #expect(found.contains("2 more such pairs"))
    let measured = try await dataset(traces)
    let span = try ThresholdSpan(nil, of: punch)
    let sweep = SweepRunner(
      measured: measured, span: span,
      grid: try SweepGrid([], of: punch, threshold: span.parameter), budgets: [], threads: 1,
      latencies: 0, observer: NoObserver())
    let swept = await message { _ = try await sweep.run() } ?? ""
    #expect(swept.contains("r1: expected other data"))
    #expect(tuning(measured, .subject)?.contains("r1: expected other data") == true)

    let one = four(["ann", "ann", "ann", "ann"])
    let evaluated = try await punch.evaluate(on: one)
    #expect(evaluated["scored_hours"]?.value == 4.0 / 60)
    let merged = try await dataset(one)
    #expect(tuning(merged, .subject) == nil)
    #expect(tuning(merged, .recording)?.contains("--group subject") == true)
  }

  private func tuning(_ measured: EvaluationDataset, _ group: TuneGrouping.Kind) -> String? {
    do {
      _ = try TuneSetup(
        measured, span: try ThresholdSpan(nil, of: punch),
        rule: ChoiceRule(.maximumRecall(falseAlarmsPerHour: 10)), space: SearchSpace(),
        method: .sobol(1), group: group, testSet: nil, seed: 1, resamples: 10,
        allowFewGroups: true, threads: 1, cache: nil, program: "",
        methods: GSLSearch())
      return nil
    } catch { return "\(error)" }
  }
}
