import TestSupport
import Testing
import TraceModel
import TraceTools

@Suite struct ClockAlignmentTests {
  /// A body's movement: tones that come and go, up to 4 Hz, deterministic.
  struct Body {
    private let tones: [(frequency: Double, phase: Double, swell: Double)]

    init(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      tones = (0..<12).map { _ in
        (random.uniform(0.3...4), random.uniform(0...6.28), random.uniform(0.01...0.2))
      }
    }

    func acceleration(at time: Double) -> Double {
      tones.reduce(9) { sum, tone in
        sum + Math.sin(2 * .pi * tone.frequency * time + tone.phase)
          * Math.sin(2 * .pi * tone.swell * time + tone.phase * 3)
      }
    }
  }

  /// A device on the body: at `rate`, with noise and some orientation, its clock `offset` behind
  /// and slower by `drift` ppm at 0 s of the true time.
  private func device(
    _ body: Body, rate: Double, from start: Double, to end: Double, offset: Double = 0,
    drift: Double = 0, noise: Double = 0.3, seed: UInt64, hole: ClosedRange<Double>? = nil
  ) -> Trace {
    var random = SeededGenerator(seed: seed)
    let tilt = random.uniform(0...6.28)
    var columns = VectorColumns()
    var time = start + random.uniform(0...0.01)
    while time < end {
      defer { time += 1 / rate }
      if let hole, hole.contains(time) { continue }
      let value = body.acceleration(at: time) + random.normal(standardDeviation: noise)
      let stamp = Int64(((time - offset) * (1 - drift * 1e-6) * 1e9).rounded())
      columns.append(
        Vector3(x: Float(value * Math.cos(tilt)), y: Float(value * Math.sin(tilt)), z: 0),
        measured: stamp, arrived: stamp)
    }
    var header = TraceHeader(id: "d", origin: .synthetic)
    header.end = instant(end + 100)
    var trace = Trace(header: header)
    trace.set(.vector(columns), for: .userAcceleration)
    return trace
  }

  /// Seconds to add to the second clock at `middle` of it.
  private func truth(_ offset: Double, _ drift: Double, at middle: Double) -> Double {
    offset + middle / (1 - drift * 1e-6) - middle
  }

  @Test(
    .longer,
    arguments: [
      (-3.217, -40.0, 52.0, 25.0), (2.3456, 0, 100, 50), (-17.0213, 0, 50, 100),
      (0.5, 80, 100, 64), (0, 0, 100, 100),
    ].prefix(LongTests.count(quick: 1, long: 5)))
  func findsAPlantedOffsetAndDrift(
    offset: Double, drift: Double, rate: Double, otherRate: Double
  ) throws {
    let body = Body(seed: 3)
    let first = device(body, rate: rate, from: 100, to: 500, seed: 11, hole: 200...230)
    let second = device(
      body, rate: otherRate, from: 150, to: 600, offset: offset, drift: drift, seed: 12)
    let found = try ClockAlignment.align(first, second)
    #expect(found.verdict == .aligned)
    let expected = truth(offset, drift, at: found.middle)
    #expect(abs(found.offset.value - expected) < 0.002, "\(found.offset.value), \(expected)")
    let slope = try #require(found.drift)
    #expect(abs(slope.value - drift) < 15, "\(slope.value)")
    #expect(found.windowsUsed > 10)
    #expect(found.peak.correlation > 0.8)
    if abs(drift) >= 40 {
      let interval = try #require(slope.interval)
      #expect(!interval.contains(0), "\(interval)")
      let moved = found.time(of: Int64(200e9), correctsDrift: true)
      let end = truth(offset, drift, at: 200)
      #expect(abs(Double(moved) / 1e9 - 200 - end) < 0.004)
    }
  }

  /// 40 recordings with noise of their own: 33 or more of 40 intervals of 95 % hold the truth in
  /// 999 of 1,000 such trials, by the binomial distribution (of 300, 283 did for the offset and 279
  /// for the drift); and they are narrow enough to be useful. The quick
  /// run has 10 recordings, of which 7 or more do as surely.
  @Test(.longer) func theIntervalCoversTheTruthAsStated() throws {
    var hits = (offset: 0, drift: 0)
    var widths: [Double] = []
    let (trials, enough) = LongTests.areWanted ? (40, 33) : (10, 7)
    for seed in 1...UInt64(trials) {
      var random = SeededGenerator(seed: seed)
      let offset = random.uniform(-1...1)
      let drift = random.uniform(-50...50)
      let body = Body(seed: seed &+ 1000)
      let first = device(body, rate: 25, from: 0, to: 300, noise: 1, seed: random.next())
      let second = device(
        body, rate: 25, from: 0, to: 300, offset: offset, drift: drift, noise: 1,
        seed: random.next())
      var options = ClockAlignment.Options()
      options.largestOffset = 5
      options.resamples = 300
      let found = try ClockAlignment.align(first, second, options: options)
      let interval = try #require(found.offset.interval)
      let slopes = try #require(found.drift?.interval)
      if interval.contains(truth(offset, drift, at: found.middle)) { hits.offset += 1 }
      if slopes.contains(drift) { hits.drift += 1 }
      widths.append(interval.upperBound - interval.lowerBound)
    }
    #expect(hits.offset >= enough, "\(hits)")
    #expect(hits.drift >= enough, "\(hits)")
    #expect(widths.sorted()[trials / 2] < 0.01, "\(widths)")
  }

  @Test func aRhythmIsAmbiguous() throws {
    func steady(_ seed: UInt64) -> Trace {
      var random = SeededGenerator(seed: seed)
      return motion((0..<6000).map { $0 * 20_000_000 }) { index in
        Float(5 + Math.sin(Double(index) * 0.02 * 2 * .pi) + random.normal(standardDeviation: 0.1))
      }
    }
    let found = try ClockAlignment.align(steady(1), steady(2))
    #expect(found.verdict == .ambiguous)
    #expect(try #require(found.secondCorrelation) > 0.9 * found.peak.correlation)
  }

  @Test func strangersAreUnrelated() throws {
    let first = device(Body(seed: 1), rate: 50, from: 0, to: 300, noise: 2, seed: 5)
    let second = device(Body(seed: 2), rate: 50, from: 0, to: 300, noise: 2, seed: 6)
    #expect(try ClockAlignment.align(first, second).verdict != .aligned)
  }

  /// Slowly varying signals correlate with anything at some shift: walks at 2.5 m/s whose speeds
  /// wander, of 10 to 30 minutes.
  @Test(.longer, arguments: [(600, 5.0), (600, 20), (1800, 20), (1800, 60)])
  func slowStrangersAreNotAligned(seconds: Int, memory: Double) throws {
    func stranger(_ seed: UInt64) -> Trace {
      var random = SeededGenerator(seed: seed)
      let keep = Math.exp(-1 / memory)
      var (state, meters) = (0.0, 0.0)
      var fixes = FixColumns()
      for second in 0..<seconds {
        state = keep * state + (1 - keep * keep).squareRoot() * random.normal(standardDeviation: 1)
        let speed = abs(2.5 + 0.8 * state)
        meters += speed
        let time = Int64(second) * 1_000_000_000
        fixes.append(
          Fix(latitude: 46 + meters / 111_195, longitude: 14.5, speed: speed), measured: time,
          arrived: time)
      }
      var header = TraceHeader(id: "s", origin: .synthetic)
      header.end = instant(Double(seconds))
      var trace = Trace(header: header)
      trace.set(.fix(fixes), for: .location)
      return trace
    }
    for seed in 1...LongTests.count(quick: 2, long: 10) as ClosedRange<UInt64> {
      // A maximum at the edge of the search range is refused.
      let found = try? ClockAlignment.align(stranger(2 * seed), stranger(2 * seed + 1))
      #expect(found?.verdict != .aligned, "seed \(seed): \(String(describing: found))")
    }
  }

  /// Three jolts each, which coincide at some shift.
  @Test func aFewJoltsOfStrangersAreNotAligned() throws {
    func jolts(_ seed: UInt64) -> Trace {
      var random = SeededGenerator(seed: seed)
      let places = (0..<3).map { _ in Int(random.uniform(0...1400)) }
      return motion((0..<1500).map { $0 * 20_000_000 }) { index in
        let jolt = places.filter { ($0..<$0 + 50).contains(index) }
          .reduce(0) { $0 + 10 - 10 * Math.cos(2 * .pi * Double(index - $1) / 50) }
        return Float(jolt + random.normal(standardDeviation: 0.3))
      }
    }
    for seed in 1...10 as ClosedRange<UInt64> {
      let found = try? ClockAlignment.align(jolts(2 * seed), jolts(2 * seed + 1))
      #expect(found?.verdict != .aligned, "seed \(seed): \(String(describing: found))")
    }
  }

  @Test func speedOfFixesAtDifferentRates() throws {
    // Sprints of uneven length, seen by two receivers, one of which gives a fix every 4 s.
    var random = SeededGenerator(seed: 8)
    var speeds: [Double] = []
    while speeds.count < 2400 {
      let speed = random.uniform(0.5...5)
      speeds += [Double](repeating: speed, count: Int(random.uniform(8...40)))
    }
    func receiver(_ interval: Int, offset: Int64, seed: UInt64) -> Trace {
      var random = SeededGenerator(seed: seed)
      var fixes = FixColumns()
      var meters = 0.0
      for second in 0..<2400 {
        meters += speeds[second]
        guard second % interval == 0 else { continue }
        let place = meters + random.normal(standardDeviation: 0.5)
        let time = Int64(second) * 1_000_000_000 - offset
        fixes.append(
          Fix(latitude: place / 111_195, longitude: 5), measured: time, arrived: time)
      }
      var header = TraceHeader(id: "r", origin: .synthetic)
      header.end = instant(3000)
      var trace = Trace(header: header)
      trace.set(.fix(fixes), for: .location)
      return trace
    }
    let found = try ClockAlignment.align(
      receiver(1, offset: 0, seed: 1), receiver(4, offset: 7_300_000_000, seed: 2))
    #expect(found.signal == .speed)
    #expect(found.verdict == .aligned)
    #expect(abs(found.offset.value - 7.3) < 0.2, "\(found.offset)")
    #expect(try #require(found.offset.interval).contains(7.3), "\(found.offset)")
  }

  @Test func gravityDoesNotMatter() throws {
    let body = Body(seed: 3)
    let first = device(body, rate: 50, from: 0, to: 200, seed: 1)
    let second = device(body, rate: 50, from: 0, to: 200, offset: 1.5, seed: 2)
    // The second device includes gravity: at right angles to what it measures.
    var columns = VectorColumns()
    let own = second.vectors
    for position in own.range {
      let value = own[position]
      columns.append(
        Vector3(x: value.x, y: value.y, z: Float(standardGravity)),
        measured: own.measuredTimes[position], arrived: own.measuredTimes[position])
    }
    var other = second
    other.remove(.userAcceleration)
    other.set(.vector(columns), for: .acceleration)
    var both = first
    both.set(.vector(columns), for: .acceleration)
    let found = try ClockAlignment.align(both, other)
    #expect(abs(found.offset.value) < 1e-4, "the same channel of the same device")
  }

  /// The offset between a trace and itself is not exactly 0, and may be below.
  @Test(arguments: 1...8 as ClosedRange<UInt64>) func aTraceStaysOnItsOwnClock(seed: UInt64) throws
  {
    var trace = device(Body(seed: seed), rate: 50, from: 0, to: 30, seed: seed)
    let earliest = try #require(trace.earliestMeasured)
    trace = trace.mappingTimes { $0 - earliest }
    let found = try ClockAlignment.align(trace, trace)
    let same = try found.aligned(
      trace, to: trace.header, correctsDrift: false, names: ("a", "b"))
    #expect((0...10_000).contains(try #require(same.earliestMeasured)))
  }

  @Test func refusals() throws {
    let trace = motion((0..<100).map { $0 * 10_000_000 })
    #expect(throws: TraceError.self) {
      try ClockAlignment.align(
        trace,
        walk().trimmed(
          to: .zero..<instant(100), channels: [.location]
        ).trace)
    }
    #expect(throws: TraceError.self) { try ClockAlignment.align(trace, motion([0])) }
    let still = motion((0..<100).map { $0 * 10_000_000 }) { _ in 1 }
    #expect(throws: TraceError.self) { try ClockAlignment.align(still, still) }
    let long = motion([0, 1_000_000, .max - 1_000_000, .max])
    #expect(throws: TraceError.self) { try ClockAlignment.align(long, long) }
    let sparse = motion((0..<20).map { $0 * 2_000_000_000_000 })
    #expect(throws: TraceError.self) { try ClockAlignment.align(sparse, sparse) }
    // A gap of 6 hours costs no memory: the grid has a limit for each reading.
    let times = (0..<400).map { Int64($0) * 10_000_000 + ($0 < 200 ? 0 : 21_600_000_000_000) }
    let gap = motion(times) { Float($0 * 7 % 13) }
    let error = #expect(throws: TraceError.self) { try ClockAlignment.align(gap, gap) }
    #expect(error?.expected == "recordings of at most 287744 ticks at 100.0 Hz for 400 readings")
  }
}
