import Detectors
import TestSupport
import Testing
import TraceModel

private let g = standardGravity

/// Samples 10 ms apart, in g; the first at zero.
private func columns(
  _ samples: [(Double, Double, Double)], step: Int64 = 10_000_000
)
  -> VectorColumns
{
  var columns = VectorColumns()
  for (index, sample) in samples.enumerated() {
    let time = Int64(index) * step
    columns.append(
      Acceleration(x: Float(sample.0 * g), y: Float(sample.1 * g), z: Float(sample.2 * g)),
      measured: time, arrived: time)
  }
  return columns
}

private func detect(
  _ parameters: PunchParameters, _ samples: [(Double, Double, Double)]
) -> [Detection<PunchEvent>] {
  var detector = PunchDetector(parameters)
  var detections: [Detection<PunchEvent>] = []
  detector.ingest(contentsOf: columns(samples), into: &detections)
  return detections
}

private func preset(_ name: String, armed: Bool = false) -> PunchParameters {
  var trace = Trace(header: TraceHeader(id: "t", origin: .synthetic))
  if armed {
    var actions = ActionColumns()
    actions.append(.arm, measured: 0, arrived: 0)
    trace.set(.action(actions), for: .action)
  }
  return PunchDetector.preset(named: name)!.parameters(for: trace.header)
}

@Suite struct PunchPresetTests {
  // Each row is one sample in g after a quiet one. The rule: first match of y>2 jab low, y<-2
  // uppercut high, x>2 jab middle, x<-2 jab middle, z>2 thrust low, z<-2 nothing; strictly
  // beyond, so exactly 2 g does not fire, on any axis.
  @Test(arguments: [
    ((0.0, 2.01, 0.0), PunchKind.jab, PunchTarget.low),
    ((0, -2.01, 0), .uppercut, .high),
    ((2.01, 0, 0), .jab, .middle),
    ((-2.01, 0, 0), .jab, .middle),
    ((0, 0, 2.01), .thrust, .low),
    ((9, 2.01, 9), .jab, .low),
    ((9, -2.01, 9), .uppercut, .high),
    ((2.01, 0, 9), .jab, .middle),
    ((-2.01, 2, 9), .jab, .middle),
  ])
  func axisOrder(sample: (Double, Double, Double), kind: PunchKind, target: PunchTarget) {
    for name in ["hitThat", "hitThatCards"] {
      let found = detect(preset(name), [(0, 0, 0), sample, (0, 0, 0)])
      #expect(found.map(\.event.punch) == [kind])
      #expect(found.map(\.event.target) == [target])
      #expect(found.map(\.onset.nanoseconds) == [10_000_000])
      #expect(found.map(\.emitted.nanoseconds) == [10_000_000])
    }
  }

  @Test(arguments: [
    (2.0, 0.0, 0.0), (-2, 0, 0), (0, 2, 0), (0, -2, 0), (0, 0, 2), (2, 2, 2), (-2, -2, -9),
    (0, 0, -2.01), (0, 0, -50), (.nan, .nan, .nan), (.nan, 0, 2),
  ])
  func silent(sample: (Double, Double, Double)) {
    #expect(detect(preset("hitThat"), [(0, 0, 0), sample]).isEmpty)
    #expect(detect(preset("hitThatCards"), [(0, 0, 0), sample]).isEmpty)
  }

  @Test func thresholdIsTwoStandardGravitiesInSinglePrecision() {
    #expect(preset("hitThat").threshold == 19.6133)
    let edge = Float(19.6133)
    for (value, count) in [(edge, 0), (edge.nextUp, 1), (edge.nextDown, 0)] {
      var detector = PunchDetector(preset("hitThat"))
      var found: [Detection<PunchEvent>] = []
      detector.ingest(
        Acceleration(x: value, y: 0, z: 0), measured: .zero, arrived: .zero, into: &found)
      #expect(found.count == count)
    }
  }

  @Test func damageIsTheFirstSampleOverTheThresholdBy25() {
    let swing = [(0.0, 0.0, 0.0), (2.5, 0, 0), (7.5, 0, 0), (1, 0, 0)]
    let found = detect(preset("hitThat"), swing)
    #expect(found.count == 1)
    #expect(abs(found[0].event.damage - 0.1) < 1e-8)
    // The rule by magnitude takes the peak.
    let peak = detect(preset("magnitude"), swing + Array(repeating: (0, 0, 0), count: 40))
    #expect(peak.count == 1)
    #expect(abs(peak[0].event.damage - 0.3) < 1e-8)
    #expect(peak[0].onset.nanoseconds == 20_000_000)
    // 30 m/s2 is first crossed at 20 ms; the first sample more than 250 ms later closes the window.
    #expect(peak[0].emitted.nanoseconds == 280_000_000)
  }

  /// Out and back within a second is one light punch; the next one after a second is another.
  @Test func aLightPunchIsAWholeMovement() {
    func quiet(_ count: Int) -> [(Double, Double, Double)] {
      Array(repeating: (0, 0, 0), count: count)
    }
    func punch(out: Double, back: Double) -> [(Double, Double, Double)] {
      [(out, 0, 0)] + quiet(59) + [(-back, 0, 0)] + quiet(119)
    }
    let two = punch(out: 2, back: 1.5) + punch(out: 1.6, back: 1.9)
    let found = detect(preset("light"), two)
    #expect(found.map { $0.onset.nanoseconds / 10_000_000 } == [0, 240])
    #expect(detect(preset("default"), two).isEmpty && detect(preset("magnitude"), two).isEmpty)
    #expect(detect(preset("light"), punch(out: 1.2, back: 1.1)).isEmpty)
  }

  @Test func damageIsTheWholeVectorsMagnitude() {
    let found = detect(preset("hitThat"), [(3, 4, 12)])
    #expect(abs(found[0].event.magnitude - 13 * g) < 1e-4)
    #expect(abs(found[0].event.damage - 13.0 / 25) < 1e-6)
  }

  @Test func cardsFireOnEverySample() {
    let swing = [(0.0, 0.0, 0.0), (3, 0, 0), (4, 0, 0), (3, 0, 0), (0, 0, 0), (3, 0, 0)]
    #expect(detect(preset("hitThatCards"), swing).count == 4)
    #expect(detect(preset("hitThat"), swing).count == 2)
    #expect(detect(preset("magnitude"), swing + Array(repeating: (0, 0, 0), count: 40)).count == 1)
  }

  /// All axes must be back within the threshold: z beyond it, which fires nothing itself, is not.
  @Test func aSampleThatFiresNothingDoesNotRearm() {
    #expect(detect(preset("hitThat"), [(3, 0, 0), (0, 0, -3), (3, 0, 0)]).count == 1)
    #expect(detect(preset("hitThat"), [(3, 0, 0), (0, 0, -2), (3, 0, 0)]).count == 2)
  }

  @Test func fightFiresOncePerHold() {
    let parameters = preset("hitThat", armed: true)
    #expect(parameters.retrigger == .oncePerArming)
    #expect(parameters.arming == .actions)
    var detector = PunchDetector(parameters)
    var found: [Detection<PunchEvent>] = []
    let punches = columns([(0, 0, 0), (3, 0, 0), (0, 0, 0), (3, 0, 0), (0, 0, 0), (3, 0, 0)])
    func go(_ range: Range<Int>) { detector.ingest(contentsOf: punches[range], into: &found) }
    go(0..<2)
    #expect(found.isEmpty, "not armed yet")
    detector.handle(.arm, at: .zero, into: &found)
    go(2..<5)
    #expect(found.map(\.onset.nanoseconds) == [30_000_000])
    go(5..<6)
    #expect(found.count == 1, "the first punch ended the arming")
    detector.handle(.arm, at: .zero, into: &found)
    detector.handle(.disarm, at: .zero, into: &found)
    go(5..<6)
    #expect(found.count == 1, "released")
  }

  @Test func armingWhileOverTheThresholdFiresOnTheNextSample() {
    var detector = PunchDetector(preset("hitThat", armed: true))
    var found: [Detection<PunchEvent>] = []
    let punches = columns([(3, 0, 0), (3, 0, 0)])
    detector.ingest(contentsOf: punches[0..<1], into: &found)
    detector.handle(.arm, at: .zero, into: &found)
    detector.ingest(contentsOf: punches[1..<2], into: &found)
    #expect(found.count == 1)
  }

  @Test func onlyArmActionsMakeATraceArmed() {
    var trace = Trace(header: TraceHeader(id: "t", origin: .recorded))
    var actions = ActionColumns()
    actions.append(.pause, measured: 0, arrived: 0)
    actions.append(.resume, measured: 1, arrived: 1)
    trace.set(.action(actions), for: .action)
    let parameters = PunchDetector.preset(named: "hitThat")!.parameters(for: trace.header)
    #expect(parameters.arming == .always)
    #expect(parameters.retrigger == .onceBelowAgain)
  }
}

@Suite struct PunchDefaultTests {
  private func quiet(_ count: Int) -> [(Double, Double, Double)] {
    Array(repeating: (0, 0, 0), count: count)
  }

  @Test func refractoryRunsFromThePeak() {
    // Peaks at 10 ms and, in the second swing, `gap` later; 400 ms are refused, from then on taken.
    for (gap, count) in [(39, 1), (40, 2)] {
      let samples = quiet(1) + [(5, 0, 0)] + quiet(gap - 1) + [(5, 0, 0)] + quiet(40)
      #expect(detect(preset("magnitude"), samples).count == count, "gap \(gap)0 ms")
    }
  }

  @Test func disarmReportsTheOpenSwing() {
    var detector = PunchDetector(preset("magnitude", armed: true))
    var found: [Detection<PunchEvent>] = []
    detector.handle(.arm, at: .zero, into: &found)
    detector.ingest(contentsOf: columns([(5, 0, 0), (7, 0, 0)]), into: &found)
    #expect(found.isEmpty)
    detector.handle(.disarm, at: TraceInstant(nanoseconds: 15_000_000), into: &found)
    #expect(found.map(\.onset.nanoseconds) == [10_000_000])
    #expect(found.map(\.emitted.nanoseconds) == [15_000_000])
  }

  @Test func theEndReportsTheOpenSwing() {
    var detector = PunchDetector(preset("magnitude"))
    var found: [Detection<PunchEvent>] = []
    detector.ingest(contentsOf: columns([(0, 0, 0), (6, 0, 0)]), into: &found)
    #expect(found.isEmpty)
    detector.finish(at: TraceInstant(nanoseconds: 60_000_000), into: &found)
    detector.finish(at: TraceInstant(nanoseconds: 60_000_000), into: &found)
    #expect(found.map(\.onset.nanoseconds) == [10_000_000])
    #expect(found.map(\.emitted.nanoseconds) == [60_000_000])
  }

  @Test(arguments: [
    ((5.0, 0.0, 0.0), "jab", "straight"), ((-5, 1, 1), "jab", "straight"),
    ((0, 5, 0), "jab", "straight"), ((0, -5, 1), "uppercut", "uppercut"),
    ((1, 1, 5), "thrust", "straight"), ((1, 1, -5), "unknown", "unknown"),
  ])
  func directionOfThePeak(sample: (Double, Double, Double), kind: String, label: String) {
    let found = detect(preset("magnitude"), [sample] + quiet(40))
    #expect(found.map(\.event.originalLabel) == [kind])
    #expect(found.map(\.event.label) == [label])
  }

  @Test func lateDeliveryMovesEmittedAndNotOnset() {
    var late = VectorColumns()
    let ideal = columns(quiet(3) + [(5, 0, 0)] + quiet(40))
    for position in ideal.range {
      let time = ideal.measuredTimes[position]
      late.append(ideal[position], measured: time, arrived: time + 1_000_000_000)
    }
    var detector = PunchDetector(preset("magnitude"))
    var found: [Detection<PunchEvent>] = []
    detector.ingest(contentsOf: late, into: &found)
    #expect(found.map(\.onset.nanoseconds) == [30_000_000])
    #expect(found.map(\.emitted.nanoseconds) == [1_290_000_000])
  }
}

@Suite struct PunchLawTests {
  /// A seeded mixture of quiet, swings, exact-threshold samples and damage (NaN, infinities).
  private func randomColumns(_ seed: UInt64, count: Int) -> VectorColumns {
    var random = SeededGenerator(seed: seed)
    var columns = VectorColumns()
    var time: Int64 = 0
    for _ in 0..<count {
      let scale = random.unit() < 0.1 ? 40.0 : 8
      func axis() -> Float {
        switch random.unit() {
        case ..<0.01: .nan
        case ..<0.015: .infinity
        case ..<0.03: Float(19.6133)
        default: Float(random.normal(standardDeviation: scale))
        }
      }
      columns.append(
        Acceleration(x: axis(), y: axis(), z: axis()), measured: time,
        arrived: time + 5)
      // Mostly 10 ms; sometimes equal, sometimes backwards, sometimes a gap.
      switch random.unit() {
      case ..<0.02: break
      case ..<0.03: time -= 7_000_000
      case ..<0.04: time += 900_000_000
      default: time += 10_000_000
      }
    }
    return columns
  }

  private var allParameters: [PunchParameters] {
    ["default", "magnitude", "hitThat", "hitThatCards"].flatMap {
      [preset($0), preset($0, armed: true)]
    }
  }

  @Test(.longer, arguments: 0..<LongTests.count(quick: 6, long: 20))
  func batchesOfAnySizeAgreeWithStreaming(seed: Int) {
    let columns = randomColumns(UInt64(seed), count: 3000)
    for parameters in allParameters {
      var streaming = PunchDetector(parameters)
      var expected: [Detection<PunchEvent>] = []
      streaming.handle(.arm, at: .zero, into: &expected)
      for position in columns.range {
        streaming.ingest(
          columns[position], measured: columns.measured(at: position),
          arrived: columns.arrived(at: position), into: &expected)
      }
      for size in [1, 7, 64, 4096] {
        var batch = PunchDetector(parameters)
        var found: [Detection<PunchEvent>] = []
        batch.handle(.arm, at: .zero, into: &found)
        var rest = columns
        while !rest.isEmpty { batch.ingest(contentsOf: rest.popFirst(size), into: &found) }
        let agree = found == expected
        #expect(agree, "seed \(seed), blocks of \(size)")
      }
    }
  }

  @Test(arguments: 0..<5)
  func shiftedTimesShiftDetectionsAlone(seed: Int) {
    let columns = randomColumns(UInt64(100 + seed), count: 2000)
    let shift: Int64 = 123_456_789_012
    let moved = VectorColumns(
      times: TimeColumns(
        measured: columns.measuredTimes.map { $0 + shift },
        arrived: columns.arrivedTimes?.map { $0 + shift }),
      x: columns.x, y: columns.y, z: columns.z)
    for parameters in allParameters {
      var one = PunchDetector(parameters)
      var other = PunchDetector(parameters)
      var found: [Detection<PunchEvent>] = []
      var shifted: [Detection<PunchEvent>] = []
      one.handle(.arm, at: .zero, into: &found)
      other.handle(.arm, at: .zero, into: &shifted)
      one.ingest(contentsOf: columns, into: &found)
      other.ingest(contentsOf: moved, into: &shifted)
      let agree =
        found.map { $0.onset.nanoseconds + shift } == shifted.map(\.onset.nanoseconds)
        && found.map(\.event) == shifted.map(\.event)
      #expect(agree, "seed \(seed)")
      #expect(!found.isEmpty)
    }
  }

  /// Whatever the detector leaves out to be fast, it finds what the plain rule finds: single
  /// samples, and blocks that start and end anywhere in a group of 32.
  private func expectPlainRule(
    _ parameters: PunchParameters, _ columns: VectorColumns, sizes: [Int], _ comment: Comment
  ) {
    var plain = PlainPunchRule(parameters)
    var expected: [Detection<PunchEvent>] = []
    plain.handle(.arm, at: .zero, into: &expected)
    for position in columns.range {
      plain.ingest(
        columns[position], measured: columns.measured(at: position),
        arrived: columns.arrived(at: position), into: &expected)
    }
    plain.finish(at: TraceInstant(nanoseconds: .max), into: &expected)
    for size in [0] + sizes {
      var detector = PunchDetector(parameters)
      var found: [Detection<PunchEvent>] = []
      detector.handle(.arm, at: .zero, into: &found)
      var rest = columns
      if size == 0 {
        for position in columns.range {
          detector.ingest(
            columns[position], measured: columns.measured(at: position),
            arrived: columns.arrived(at: position), into: &found)
        }
      } else {
        while !rest.isEmpty { detector.ingest(contentsOf: rest.popFirst(size), into: &found) }
      }
      detector.finish(at: TraceInstant(nanoseconds: .max), into: &found)
      let agree = found == expected
      #expect(agree, "\(comment), blocks of \(size): \(found.count) of \(expected.count)")
    }
  }

  /// Thresholds that a sample can hit exactly, and such as no sensible person sets.
  private static let oddThresholds: [Double] = [
    19.6133, 30, 0, -0.0, -5, 1e-30, 1e-20, 2000, 1e30, .infinity, .nan,
  ]

  @Test(.longer, arguments: 0..<LongTests.count(quick: 6, long: 20))
  func agreesWithThePlainRuleForAnyParameters(seed: Int) {
    var random = SeededGenerator(seed: UInt64(1000 + seed))
    let columns = randomColumns(UInt64(2000 + seed), count: 700)
    for threshold in Self.oddThresholds {
      for rule in [PunchRule.magnitude, .axes] {
        for retrigger in PunchRetrigger.allCases {
          let windows = [0, 0.01, 0.05, 0.25, 1e11]
          let parameters = PunchParameters(
            threshold: threshold, rule: rule, retrigger: retrigger,
            arming: random.unit() < 0.5 ? .always : .actions,
            peakWindow: windows[Int(random.unit() * 5)], refractory: windows[Int(random.unit() * 5)]
          )
          let sizes = [1, 2, 31, 32, 33, 700]
          expectPlainRule(parameters, columns, sizes: sizes, "seed \(seed), \(parameters)")
        }
      }
    }
  }

  /// Times at the ends of their range, forwards and backwards, where a difference overflows.
  @Test(arguments: 0..<10)
  func agreesWithThePlainRuleAtExtremeTimes(seed: Int) {
    var random = SeededGenerator(seed: UInt64(3000 + seed))
    let edges: [Int64] = [.min, .min + 1, -250_000_000, -1, 0, 1, 250_000_000, .max - 1, .max]
    let times = (0..<200).map { _ in edges[Int(random.unit() * Double(edges.count))] }
    func axis() -> [Float] { times.map { _ in Float(60 * (random.unit() - 0.5)) } }
    let columns = VectorColumns(
      times: TimeColumns(measured: times), x: axis(), y: axis(), z: axis())
    for peakWindow in [1e-9, 0.25, 0.5, 9.2e9, 1e11] {
      for retrigger in PunchRetrigger.allCases {
        let parameters = PunchParameters(
          threshold: 30, rule: .magnitude, retrigger: retrigger, arming: .always,
          peakWindow: peakWindow, refractory: 0.25)
        expectPlainRule(parameters, columns, sizes: [1, 33, 200], "seed \(seed), \(parameters)")
      }
    }
  }

  /// One notable sample at any position in its block, of any kind.
  @Test(arguments: [
    (Float(19.6133).nextUp, Float(0), Float(0)), (19.6133, 0, 0), (Float(19.6133).nextDown, 0, 0),
    (0, Float(-19.6133).nextDown, 0), (0, 0, Float(19.6133).nextUp), (0, 0, -90), (14, 14, 14),
    (.infinity, 0, 0), (0, -.infinity, 0), (0, 0, -.infinity), (.infinity, -.infinity, 1),
    (.nan, 0, 0), (90, .nan, 0), (0, 90, .nan), (.infinity, .nan, 90),
    (Float.greatestFiniteMagnitude, 0, 0), (90, 90, 90), (0, -0.0, Float.leastNonzeroMagnitude),
  ])
  func findsASampleAnywhereInABlock(sample: (Float, Float, Float)) {
    let parameters = allParameters.filter { $0.arming == .always && $0.rule != .swing }
    for position in 0..<70 {
      var axes: ([Float], [Float], [Float]) = (
        Array(repeating: 1, count: 70), Array(repeating: -1, count: 70),
        Array(repeating: 2, count: 70)
      )
      (axes.0[position], axes.1[position], axes.2[position]) = sample
      let times = TimeColumns(measured: (0..<70).map { Int64($0) * 10_000_000 })
      let columns = VectorColumns(times: times, x: axes.0, y: axes.1, z: axes.2)
      for parameters in parameters {
        expectPlainRule(
          parameters, columns, sizes: [1, 32, 69, 70], "\(sample) at \(position)")
        let from = min(position, 5)
        expectPlainRule(
          parameters, columns[from..<70], sizes: [33, 70], "\(sample) at \(position), from \(from)")
      }
    }
  }

  @Test func emptyInputGivesNoDetections() {
    for parameters in allParameters {
      var detector = PunchDetector(parameters)
      var found: [Detection<PunchEvent>] = []
      detector.ingest(contentsOf: VectorColumns(), into: &found)
      #expect(found.isEmpty)
    }
  }

  @Test func extremeTimesDoNotTrap() {
    for times: [Int64] in [[.min, .max, .min], [.max, .min, .max], [0, .min, .max]] {
      let columns = VectorColumns(
        times: TimeColumns(measured: times), x: [50, 50, 50], y: [0, 0, 0], z: [0, 0, 0])
      for parameters in allParameters {
        var detector = PunchDetector(parameters)
        var found: [Detection<PunchEvent>] = []
        detector.ingest(contentsOf: columns, into: &found)
        #expect(found.count <= 3)
      }
    }
  }

  @Test func everyFieldReadsAndWritesItsParameter() throws {
    let base = preset("magnitude")
    for field in PunchDetector.parameterFields {
      var changed = base
      let value: ParameterValue =
        switch field.kind {
        case .number(_, let range):
          field.value(in: base) == .number(range.upperBound)
            ? .number(range.lowerBound) : .number(range.upperBound)
        case .flag: .flag(true)
        case .profiles:
          .profiles(
            ProfileSet(source: "a.json", people: ["a": PersonProfile(models: [:], examples: [:])]))
        case .choice(let choices):
          .choice(choices.first { .choice($0) != field.value(in: base) }!)
        }
      try field.set(value, in: &changed)
      #expect(changed != base, "\(field.name)")
      #expect(field.value(in: changed) == value)
      #expect(throws: ParameterError.self) { try field.set(.choice("nonsense"), in: &changed) }
      #expect(throws: ParameterError.self) { try field.set(.number(-1), in: &changed) }
      #expect(throws: ParameterError.self) { try field.set(.number(.nan), in: &changed) }
    }
  }
}
