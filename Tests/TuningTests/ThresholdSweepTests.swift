import Detectors
import Scoring
import TestSupport
import Testing
import TraceModel

@testable import Tuning

/// The exact sweep compared with plain runs, at every threshold at which anything can change and
/// next to it.
@Suite struct ThresholdSweepTests {
  @Test(.longer, arguments: 0..<LongTests.count(quick: 150, long: 600))
  func equalsPlainRuns(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let trace = randomTrace(&generator)
    let parameters = randomParameters(&generator)
    let lowest: Double = [0, 0, 1.5, 4].randomElement(using: &generator) ?? 0
    let exact = try ThresholdSweep.curve(
      PunchDetector.self, parameters, on: trace, range: lowest...100)
    guard let exact else {
      #expect(parameters.suppression == .nonMaximum || parameters.arming == .actions)
      return
    }
    let points = thresholds(of: trace, parameters).filter { lowest <= $0 && $0 <= 100 }
    let plain = try plainSweep(
      PunchDetector.self, parameters, threshold: thresholdField, on: trace, at: points)
    #expect(exact.references == plain.references)
    #expect(exact.scoredNanoseconds == plain.scoredNanoseconds)
    for index in points.indices {
      let step = try #require(exact.index(of: points[index]))
      #expect(
        exact.counts(at: step) == plain.counts(at: index),
        "seed \(seed), threshold \(points[index]), \(parameters)")
    }
    // No step without a change, and every step at a threshold where something can change.
    #expect(exact.thresholds.dropFirst().allSatisfy(Set(points).contains), "seed \(seed)")
    let few = points.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
    let atPoints = try ThresholdSweep.curve(
      PunchDetector.self, parameters, on: trace, range: lowest...100, points: few)
    for (index, point) in few.enumerated() {
      #expect(atPoints?.thresholds[index] == point)
      let same = plain.index(of: point).map(plain.counts(at:))
      #expect(atPoints?.counts(at: index) == same, "seed \(seed), threshold \(point)")
    }
  }

  /// Long recordings, references so dense that their windows run into each other, and readings that
  /// arrive in batches, long after they were measured; at some of the thresholds.
  @Test(.longer, arguments: 1000..<LongTests.count(quick: 1004, long: 1016))
  func equalsPlainRunsOnLongRecordings(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let trace = randomTrace(&generator, count: 3000, events: 400, actions: 40, isBatched: true)
    let parameters = randomParameters(&generator)
    let exact = try ThresholdSweep.curve(PunchDetector.self, parameters, on: trace, range: 0...100)
    guard let exact else {
      #expect(parameters.suppression == .nonMaximum || parameters.arming == .actions)
      return
    }
    let all = thresholds(of: trace, parameters).filter { $0 <= 100 }
    let points = Set((0..<24).compactMap { _ in all.randomElement(using: &generator) }).sorted()
    let plain = try plainSweep(
      PunchDetector.self, parameters, threshold: thresholdField, on: trace, at: points)
    #expect(exact.references == plain.references)
    for index in points.indices {
      let step = try #require(exact.index(of: points[index]))
      #expect(
        exact.counts(at: step) == plain.counts(at: index),
        "seed \(seed), threshold \(points[index]), \(parameters)")
    }
  }

  /// What a test cannot fail on is no test: the recordings do reach all rules.
  @Test func theRandomRecordingsReachAllRules() throws {
    var seen: Set<String> = []
    for seed in UInt64(0)..<600 {
      var generator = SeededGenerator(seed: seed)
      let trace = randomTrace(&generator)
      let parameters = randomParameters(&generator)
      let curve = try ThresholdSweep.curve(
        PunchDetector.self, parameters, on: trace, range: 0...100)
      let kind = "\(parameters.suppression) \(parameters.rule) \(parameters.retrigger)"
      if let curve, curve.truePositives.max() ?? 0 > 0, curve.count > 3 { seen.insert(kind) }
      if let curve, zip(curve.truePositives, curve.truePositives.dropFirst()).contains(where: <) {
        seen.insert("finds more at a higher threshold")
      }
    }
    #expect(seen.count == 10, "\(seen.sorted())")
  }

  @Test func aTraceWithoutAReferenceIsRefused() {
    var trace = Trace(header: TraceHeader(id: "walk", origin: .synthetic))
    trace.set(.vector(VectorColumns()), for: .userAcceleration)
    #expect {
      try ThresholdSweep.curve(PunchDetector.self, Self.plain, on: trace, range: 0...100)
    } throws: {
      "\($0)".contains("walk: expected a reference of task punch")
    }
  }

  /// A lower threshold takes a bump for the punch and misses it: a hand-made lockout.
  @Test func aBumpBeforeAPunch() throws {
    var generator = SeededGenerator(seed: 1)
    var trace = randomTrace(&generator, count: 0)
    var columns = VectorColumns()
    for (index, x) in [0, 12, 0, 0, 0, 0, 30, 0, 0, 0].enumerated() {
      let time = Int64(index) * 100_000_000
      columns.append(Vector3(x: Float(x), y: 0, z: 0), measured: time, arrived: time)
    }
    trace.set(.vector(columns), for: .userAcceleration)
    trace.header.references = [
      ReferenceSet(
        task: .punch, events: [ReferenceEvent(onset: TraceInstant(nanoseconds: 600_000_000))])
    ]
    trace.header.ignoreZones = []
    var parameters = Self.plain
    parameters.refractory = 0.6
    let curve = try #require(
      try ThresholdSweep.curve(PunchDetector.self, parameters, on: trace, range: 1...100))
    // Single precision: the lowest numbers that round to 12 and to 30 there.
    #expect(curve.thresholds.map(Float.init) == [1, 12, 30])
    #expect(curve.truePositives == [0, 1, 0])
    #expect(curve.falsePositives == [1, 0, 0])
    parameters.suppression = .nonMaximum
    let nested = try #require(
      try ThresholdSweep.curve(PunchDetector.self, parameters, on: trace, range: 1...100))
    #expect(nested.thresholds.map(Float.init) == [1, 30])
    #expect(nested.truePositives == [1, 0])
    #expect(nested.falsePositives == [0, 0])
  }

  /// A clock that is set back: what comes between two samples decides whether one suppresses the
  /// other, so that events do not nest, and only runs give the result.
  @Test(arguments: PunchSuppression.allCases)
  func aClockThatIsSetBackIsLeftToRuns(suppression: PunchSuppression) throws {
    var generator = SeededGenerator(seed: 1)
    var trace = randomTrace(&generator, count: 0)
    var columns = VectorColumns()
    for (x, time) in [(50, 0), (10, 10_000_000_000), (40, 100_000_000)] as [(Float, Int64)] {
      columns.append(Vector3(x: x, y: 0, z: 0), measured: time, arrived: time)
    }
    trace.set(.vector(columns), for: .userAcceleration)
    var parameters = Self.plain
    parameters.suppression = suppression
    func onsets(_ threshold: Double) -> [Double] {
      parameters.threshold = threshold
      var detector = PunchDetector(parameters)
      var found: [Detection<PunchEvent>] = []
      detector.ingest(contentsOf: columns, in: columns.range, into: &found)
      detector.finish(at: TraceInstant(nanoseconds: 20_000_000_000), into: &found)
      return found.map(\.onset.seconds)
    }
    if suppression == .nonMaximum { #expect(onsets(5) == [0, 10, 0.1] && onsets(20) == [0]) }
    #expect(
      try ThresholdSweep.curve(PunchDetector.self, parameters, on: trace, range: 1...100) == nil)
  }

  // MARK: Random recordings

  private static let plain = PunchParameters(
    threshold: 0, rule: .magnitude, retrigger: .onceBelowAgain, arming: .always, peakWindow: 0.1,
    refractory: 0.3)

  private var thresholdField: ParameterField<PunchParameters> {
    PunchDetector.parameterFields[0]
  }

  /// Every threshold at which a sample's part can change, and the one just below it.
  private func thresholds(of trace: Trace, _ parameters: PunchParameters) -> [Double] {
    guard let columns = trace[.userAcceleration].flatMap({ VectorColumns($0) }) else { return [] }
    let scores = columns.range.flatMap { position -> [Double] in
      let sample = columns[position]
      let axes = [sample.x, sample.y, sample.z].map { Double(abs($0)) }
      return parameters.rule == .magnitude ? [Double(sample.squaredMagnitude)] : axes
    }
    let edges = scores.filter(\.isFinite).map { PunchDetector.threshold(ofScore: $0, parameters) }
    return Set([0, 1.5, 4] + edges.flatMap { [$0, $0.nextDown] }).filter { $0 >= 0 }.sorted()
  }

  private func randomParameters(_ generator: inout SeededGenerator) -> PunchParameters {
    func pick<Value>(_ values: [Value]) -> Value {
      values[Int.random(in: 0..<values.count, using: &generator)]
    }
    return PunchParameters(
      threshold: pick([0, 3, 50]), rule: pick([.magnitude, .axes]),
      retrigger: pick(PunchRetrigger.allCases), arming: pick([.always, .always, .actions]),
      suppression: pick([.lockout, .lockout, .nonMaximum]),
      peakWindow: pick([0, 0.05, 0.15, 0.4, 1e12]), refractory: pick([0, 0.03, 0.2, 0.5, 3]))
  }

  /// Uneven times, equal ones too, many equal values, missing samples, references that overlap,
  /// ignore zones, holds.
  /// - Parameters:
  ///   - count: of samples; `events` and `actions`: nil = a few.
  ///   - isBatched: whether readings wait up to a second for delivery.
  private func randomTrace(
    _ generator: inout SeededGenerator, count: Int? = nil, events: Int? = nil,
    actions: Int? = nil, isBatched: Bool = false
  ) -> Trace {
    var header = TraceHeader(id: "random", origin: .synthetic)
    let count = count ?? Int.random(in: 0...70, using: &generator)
    let isCoarse = Bool.random(using: &generator)
    var columns = VectorColumns()
    var time: Int64 = 0
    var level: Float = 0
    for _ in 0..<count {
      time += Int64([0, 10, 10, 10, 20, 300].randomElement(using: &generator) ?? 10) * 1_000_000
      level = max(0, level + Float.random(in: -6...6, using: &generator))
      func axis() -> Float {
        let value = Float.random(in: -1...1, using: &generator) * level
        return isCoarse ? value.rounded() : value
      }
      var sample = Vector3(x: axis(), y: axis(), z: axis())
      if Int.random(in: 0..<25, using: &generator) == 0 { sample.y = .nan }
      let batch: Int64 = 1_000_000_000
      columns.append(
        sample, measured: time, arrived: isBatched ? (time / batch + 1) * batch : time)
    }
    func instant() -> TraceInstant {
      TraceInstant(nanoseconds: Int64.random(in: 0...max(time, 1), using: &generator))
    }
    header.end = TraceInstant(nanoseconds: time + 50_000_000)
    let eventCount = events ?? Int.random(in: 0...8, using: &generator)
    let events = (0..<eventCount).map { _ -> ReferenceEvent in
      let (one, other) = (instant(), instant())
      return Int.random(in: 0..<4, using: &generator) == 0 && eventCount < 100
        ? ReferenceEvent(onset: min(one, other), offset: max(one, other))
        : ReferenceEvent(onset: one)
    }.sorted { ($0.onset, $0.offset) < ($1.onset, $1.offset) }
    header.references = [
      ReferenceSet(
        task: .punch, events: events,
        tolerance: .milliseconds([0, 20, 60, 150].randomElement(using: &generator) ?? 0))
    ]
    if Int.random(in: 0..<3, using: &generator) == 0 {
      let (one, other) = (instant(), instant())
      header.ignoreZones = [IgnoreZone(onset: min(one, other), offset: max(one, other))]
    }
    var trace = Trace(header: header)
    trace.set(.vector(columns), for: .userAcceleration)
    let actionCount = actions ?? Int.random(in: 0...6, using: &generator)
    var actions = ActionColumns()
    var isHeld = false
    for moment in (0..<actionCount).map({ _ in instant() }).sorted() {
      let isRepeated = actionCount < 10 && Int.random(in: 0..<12, using: &generator) == 0
      isHeld = isRepeated ? isHeld : !isHeld
      actions.append(
        isHeld ? .arm : .disarm, measured: moment.nanoseconds, arrived: moment.nanoseconds)
    }
    trace.set(.action(actions), for: .action)
    return trace
  }
}
