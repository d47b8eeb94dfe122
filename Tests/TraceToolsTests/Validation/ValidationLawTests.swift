import TestSupport
import Testing
import TraceModel
import TraceTools

/// Laws that hold for every recording.
@Suite struct ValidationLawTests {
  private static func codes(_ trace: Trace) -> Set<String> {
    Set(Validation.findings(in: trace).map(\.code))
  }

  // MARK: Leaking labels

  /// 60 s at 100 Hz without the readings of some stretches.
  private static func recording(without holes: [Range<Int>]) -> Trace {
    MadeTrace.rest(count: 6000).changingVectors { times, values in
      let gone = Set(holes.flatMap { Array($0) })
      let kept = times.indices.filter { !gone.contains($0) }
      (times, values) = (kept.map { times[$0] }, kept.map { values[$0] })
    }
  }

  private static func labels(every seconds: Double, from start: Double) -> [ReferenceEvent] {
    stride(from: start, to: 58, by: seconds).map { .from($0, to: $0 + 0.4 * seconds) }
  }

  @Test(.longer, arguments: 0..<LongTests.count(quick: 12, long: 50) as Range<UInt64>)
  func holesAnywhereDoNotLeak(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let holes = (0..<40).map { _ in
      let start = Int(generator.uniform(10...5900))
      return start..<start + Int(generator.uniform(1...10))
    }
    let labels = Self.labels(
      every: generator.uniform(1...4), from: generator.uniform(0...1))
    let codes = Self.codes(Self.recording(without: holes).stating(labels))
    #expect(!codes.contains("leaking-labels"), "seed \(seed)")
  }

  /// A sensor that stalls once loses many short stretches together, by chance at a label.
  @Test(.longer, arguments: 0..<LongTests.count(quick: 8, long: 20) as Range<UInt64>)
  func holesOfOneStallDoNotLeak(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let labels = Self.labels(every: 3, from: generator.uniform(0...1))
    let start = Int(labels[7].onset.seconds * 100) - 10
    let holes = (0..<12).map { start + 4 * $0..<start + 4 * $0 + 3 }
    let codes = Self.codes(Self.recording(without: holes).stating(labels))
    #expect(!codes.contains("leaking-labels"), "seed \(seed)")
  }

  @Test(.longer, arguments: 0..<LongTests.count(quick: 8, long: 20) as Range<UInt64>)
  func holesAtMostBoundariesLeak(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let labels = Self.labels(every: generator.uniform(1...4), from: generator.uniform(0...1))
    var holes = labels.filter { _ in generator.unit() < 0.8 }.map { label in
      let start = Int(label.onset.seconds * 100)
      return start..<start + Int(generator.uniform(3...9))
    }
    // A third as many elsewhere.
    for _ in 0..<holes.count / 3 {
      let start = Int(generator.uniform(10...5900))
      holes.append(start..<start + 4)
    }
    let codes = Self.codes(Self.recording(without: holes).stating(labels))
    #expect(codes.contains("leaking-labels"), "seed \(seed)")
  }

  // MARK: Rails

  @Test(.longer, arguments: 0..<LongTests.count(quick: 8, long: 30) as Range<UInt64>)
  func peaksWithoutARailAreNotSaturation(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let amplitude = generator.uniform(20...120)
    let period = generator.uniform(20...200)
    let noise = generator.uniform(0...5)
    let shapes: [(Double) -> Double] = [
      // A sine, bumps, and noise alone.
      { amplitude * Math.sin(2 * .pi * $0 / period) },
      {
        amplitude
          * Math.exp(
            -($0.remainder(dividingBy: period) / 4) * ($0.remainder(dividingBy: period) / 4))
      },
      { _ in 0 },
    ]
    for (index, shape) in shapes.enumerated() {
      let spread = index == 2 ? amplitude / 4 : noise
      let trace = MadeTrace.rest(count: 3000).changingVectors { _, values in
        for position in values.indices {
          values[position].x = Float(
            shape(Double(position)) + generator.normal(mean: 0, standardDeviation: spread))
        }
      }
      #expect(!Self.codes(trace).contains("saturation"), "seed \(seed), shape \(index)")
    }
  }

  @Test(.longer, arguments: 0..<LongTests.count(quick: 8, long: 30) as Range<UInt64>)
  func peaksBeyondARailAreSaturation(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let rail = standardGravity * [4, 8, 16][Int(seed % 3)]
    // Each axis of a phone is calibrated by itself, which moves its rail and adds noise to it.
    let noise = generator.uniform(0...0.005)
    let trace = MadeTrace.rest(count: 3000).changingVectors { _, values in
      for position in values.indices {
        let peak = 1.6 * rail * Math.sin(2 * .pi * Double(position) / 90)
        let cut = max(-rail, peak) * (1 + generator.normal(mean: 0, standardDeviation: noise))
        values[position].y = Float(cut)
      }
    }
    let columns = try #require(trace[.acceleration].flatMap { VectorColumns($0) })
    let lower = try #require(
      SaturationRail.find(in: columns, of: .acceleration).first { $0.value < 0 }, "seed \(seed)")
    #expect(lower.axis == .y)
    #expect(abs(lower.value / rail + 1) < 0.03, "seed \(seed): \(lower.value)")
  }

  // MARK: Gravity

  @Test func gravityIsUnclearWhereNothingRests() throws {
    for (count, noise) in [(2000, 30.0), (300, 0.05)] {
      let block = try #require(MadeTrace.rest(count: count, noise: noise)[.acceleration])
      let decision = try #require(GravityDecision(.acceleration, block))
      #expect(decision.found == .unclear, "\(decision.reason)")
    }
    #expect(GravityDecision(.location, ChannelBlock(emptyFor: .location)) == nil)
    #expect(GravityDecision(.acceleration, ChannelBlock(emptyFor: .acceleration)) == nil)
  }

  // MARK: Intervals

  @Test func intervalsFallIntoBinsOfPeriods() {
    let gaps: [Int64] = [10, 10, 10, 10, 10, 0, 5, 15, 16, 30, 31, 100, 101, 1000, 1600]
    var times: [Int64] = [0]
    for gap in gaps { times.append((times.last ?? 0) + gap) }
    let columns = ActionColumns(
      times: TimeColumns(measured: times), values: times.map { _ in .arm })
    let histogram = IntervalHistogram(.action, .action(columns))
    // The median of 5 10 10 10 10 10 15 16 30 31 100 101 1000 1600.
    #expect(histogram.period == 15)
    #expect(histogram.bins.map(\.count) == [1, 1, 7, 2, 2, 1, 1])
    #expect(histogram.bins.map(\.upTo) == [0, 0.5, 1.5, 3, 10, 100, .infinity])
  }

  // MARK: Whatever comes

  @Test(.longer, arguments: 0..<LongTests.count(quick: 15, long: 60) as Range<UInt64>)
  func anyReadingsDoNotTrap(seed: UInt64) {
    var wild = WildTrace(seed: seed)
    let trace = wild.trace(anyTimes: true)
    let findings = Validation.findings(in: trace)
    #expect(findings == findings.sortedBySeverity())
    for finding in findings {
      #expect(finding.count > 0 && finding.message.hasSuffix("."), "seed \(seed): \(finding)")
    }
  }

  @Test(.longer, arguments: 0..<LongTests.count(quick: 8, long: 20) as Range<UInt64>)
  func findingsMoveWithTheTimes(seed: UInt64) {
    var wild = WildTrace(seed: seed)
    let trace = wild.trace(anyTimes: false).stating([])
    let shift: Int64 = 123_456_789_000_000_000
    var later = trace
    for info in trace.header.channels {
      guard let block = trace[info.channel] else { continue }
      let times = block.measuredTimes[block.range].map { $0 + shift }
      later.set(
        block.gathering(Array(block.range), times: TimeColumns(measured: times)), for: info.channel)
    }
    later.header.end.nanoseconds += shift
    func facts(_ trace: Trace, _ shift: Int64) -> [String] {
      Validation.findings(in: trace).map {
        "\($0.code) \($0.place) \($0.count) \(($0.start?.nanoseconds ?? shift) - shift)"
      }.sorted()
    }
    #expect(facts(later, shift) == facts(trace, 0), "seed \(seed)")
  }
}
