import Testing
import TraceModel

@Suite struct TraceInstantTests {
  @Test func arithmeticIsExactAndClamped() {
    let instant = TraceInstant(nanoseconds: 1_500_000_000)
    #expect(instant.advanced(by: .milliseconds(250)).nanoseconds == 1_750_000_000)
    #expect(instant.duration(to: TraceInstant(nanoseconds: 500_000_000)) == .seconds(-1))
    #expect(TraceInstant(nanoseconds: .max).advanced(byNanoseconds: 1).nanoseconds == .max)
    #expect(TraceInstant(nanoseconds: .min).advanced(byNanoseconds: -1).nanoseconds == .min)
    #expect(
      TraceInstant(nanoseconds: .min).nanoseconds(to: TraceInstant(nanoseconds: .max)) == .max)
    #expect(Duration.seconds(Int64.max).nanoseconds == .max)
  }

  @Test(
    arguments: [
      (0.1, Int64(100_000_000)), (-2.5e-9, -2), (1e9, 1_000_000_000_000_000_000), (1e10, nil),
      (.nan, nil), (.infinity, nil), (-1e10, nil),
    ] as [(Double, Int64?)])
  func secondsToNanoseconds(seconds: Double, nanoseconds: Int64?) {
    #expect(Int64(nanosecondsFromSeconds: seconds) == nanoseconds)
  }
}

@Suite struct SeededGeneratorTests {
  // Expected figures: the authors' reference C of SplitMix64 and xoshiro256** seeded with 42,
  // transcribed into Python:
  //   M=2**64-1
  //   def sm(x): z=x; z=(z^(z>>30))*0xBF58476D1CE4E5B9&M; z=(z^(z>>27))*0x94D049BB133111EB&M; return z^(z>>31)
  //   s=[sm((42+(i+1)*0x9E3779B97F4A7C15)&M) for i in range(4)]
  @Test func streamIsTheReferences() {
    var generator = SeededGenerator(seed: 42)
    #expect((0..<3).map { _ in generator.next() } == SeededGeneratorTests.expected)
  }
  static let expected: [UInt64] = [0x15780b2e0c2ec716, 0x6104d9866d113a7e, 0xae17533239e499a1]

  @Test func momentsOfTheNormal() {
    var generator = SeededGenerator(seed: 7)
    let draws = (0..<100_000).map { _ in generator.normal(mean: 3, standardDeviation: 2) }
    let mean = draws.reduce(0, +) / 100_000
    let variance = draws.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 100_000
    // Five standard errors.
    #expect(abs(mean - 3) < 5 * 2 / 316.2)
    #expect(abs(variance - 4) < 5 * 4 * 0.00447)
  }

  @Test func splitStreamsAreDifferentAndReproducible() {
    var one = SeededGenerator(seed: 1)
    var two = SeededGenerator(seed: 1)
    var a = one.split()
    var b = two.split()
    #expect(a.next() == b.next())
    #expect(a.next() != one.next())
  }
}

@Suite struct ColumnsTests {
  private func sample(_ count: Int) -> VectorColumns {
    var columns = VectorColumns()
    for index in 0..<count {
      columns.append(
        Vector3(x: Float(index), y: 0, z: 0), measured: Int64(index) * 10,
        arrived: Int64(index) * 10)
    }
    return columns
  }

  @Test func arrivalColumnExistsOnlyWhereItDiffers() {
    var columns = sample(3)
    #expect(columns.arrivedTimes == nil)
    columns.append(Vector3(x: 9, y: 0, z: 0), measured: 30, arrived: 99)
    #expect(columns.arrivedTimes == [0, 10, 20, 99])
    #expect(columns.arrived(at: 3).nanoseconds == 99)
  }

  @Test func slicesShareAndPopInOrder() {
    var rest = sample(10)
    var seen: [Float] = []
    while !rest.isEmpty {
      let head = rest.popFirst(4)
      #expect(head.count <= 4)
      seen += head.range.map { head[$0].x }
    }
    #expect(seen == (0..<10).map(Float.init))
  }

  @Test func aWindowKeepsItsReadingsWhenTheWholeGrows() {
    var whole = sample(4)
    let before = whole
    let window = whole[1..<3]
    whole.append(Vector3(x: 9, y: 8, z: 7), measured: 40, arrived: 77)
    #expect(window.range == 1..<3)
    #expect(window.x == [0, 1, 2, 3])
    #expect(window.arrivedTimes == nil)
    #expect(window.arrived(at: 2).nanoseconds == 20)
    #expect(before == sample(4))
    #expect(before != whole)
    #expect(before[0..<3] != before[0..<4])
    #expect(whole[4] == Vector3(x: 9, y: 8, z: 7))
    #expect(whole.measured(at: 4).nanoseconds == 40)
    #expect(whole.arrived(at: 4).nanoseconds == 77)
    #expect(whole.arrived(at: 3).nanoseconds == 30)
  }

  @Test(
    arguments: [(-1, 0), (0, 1), (5, 1), (10, 2), (89, 9), (90, 10), (1000, 10)] as [(Int64, Int)])
  func firstArrivedAfter(time: Int64, position: Int) {
    #expect(
      sample(10).firstPosition(arrivedAfter: TraceInstant(nanoseconds: time)) == position)
  }

  @Test func memorySourceYieldsEveryReadingOnce() throws {
    var trace = Trace(header: TraceHeader(id: "t", origin: .recorded))
    trace.set(.vector(sample(10)), for: .acceleration)
    for limit in [1, 3, 10, 99] {
      let source = MemorySource(trace)
      var total = 0
      while let block = try source.nextBlock(of: .acceleration, limit: limit) {
        #expect(block.count <= limit)
        total += block.count
      }
      #expect(total == 10)
      #expect(try source.nextBlock(of: .location, limit: 1) == nil)
      #expect(try Trace(reading: MemorySource(trace)) == trace)
    }
  }

  @Test(arguments: [1, 3, 7, 99])
  func aTraceIsReadToItsEndWhateverTheBlocks(limit: Int) throws {
    var trace = Trace(header: TraceHeader(id: "t", origin: .recorded))
    trace.set(.vector(sample(10)), for: .acceleration, attributes: ["fact": "kept"])
    trace.set(.vector(sample(5)), for: .userAcceleration)
    trace.set(.vector(VectorColumns()), for: .rotationRate)
    let times = TimeColumns(measured: [0, 1, 2, 3], arrived: [0, 1, 2, 9])
    let fixes = (0..<4).map { Fix(latitude: Double($0), longitude: 1) }
    trace.set(.fix(FixColumns(times: times, values: fixes)), for: .location)
    let scalars = (0..<4).map { Scalar(value: Double($0), accuracy: 1) }
    trace.set(.scalar(ScalarColumns(times: times, values: scalars)), for: .pressure)
    let actions = [Action.arm, .disarm, .arm, .pause]
    trace.set(.action(ActionColumns(times: times, values: actions)), for: .action)
    let read = try Trace(reading: BlockSource(trace, limit: limit))
    #expect(read.header == trace.header)
    for info in trace.header.channels {
      #expect(described(read[info.channel]) == described(trace[info.channel]), "\(info.channel)")
    }
  }

  @Test func aWindowIsReadAsItIsSeen() throws {
    var trace = Trace(header: TraceHeader(id: "t", origin: .recorded))
    trace.set(.vector(sample(10)[2..<9]), for: .acceleration)
    let read = try Trace(reading: BlockSource(trace, limit: 3))
    #expect(read[.acceleration]?.measuredTimes == [20, 30, 40, 50, 60, 70, 80])
    #expect(read[.acceleration]?.value(at: 6) == .vector(Vector3(x: 8, y: 0, z: 0)))
  }

  /// A block without arrival times says that each reading arrived when it was measured.
  @Test func arrivalTimesOfSomeBlocksAreKept() throws {
    let late = VectorColumns(
      times: TimeColumns(measured: [30], arrived: [99]), x: [3], y: [0], z: [0])
    let source = BlockSource([.vector(sample(2)), .vector(late), .vector(sample(1))])
    #expect(try Trace(reading: source)[.acceleration]?.arrivedTimes == [0, 10, 99, 0])
  }

  @Test func blocksOfAnotherKindAreRefused() {
    let scalars = ScalarColumns(times: TimeColumns(measured: [1]), values: [Scalar(value: 1)])
    for blocks: [ChannelBlock] in [[.scalar(scalars)], [.vector(sample(1)), .scalar(scalars)]] {
      let error = #expect(throws: TraceError.self) { try Trace(reading: BlockSource(blocks)) }
      #expect(error?.place == "t: acceleration")
      #expect(error?.kind == .badData)
    }
  }

  /// The readings of a block, for any window.
  private func described(_ block: ChannelBlock?) -> [String]? {
    block.map { block in
      block.range.map {
        "\(block.measuredTimes[$0]) \(block.arrivedTimes?[$0] as Any) \(block.value(at: $0))"
      }
    }
  }

  @Test func actionChannelStatesItsKinds() {
    var actions = ActionColumns()
    for action in [Action.disarm, .arm, .arm] { actions.append(action, measured: 0, arrived: 0) }
    var trace = Trace(header: TraceHeader(id: "t", origin: .recorded))
    trace.set(.action(actions), for: .action)
    #expect(trace.header.info(.action)?.attributes["kinds"] == "arm disarm")
  }
}

/// Yields smaller blocks than it is asked for.
private final class BlockSource: TraceSource {
  let header: TraceHeader
  private var blocks: [Channel: [ChannelBlock]] = [:]

  /// The blocks of a trace, cut to `limit` readings.
  init(_ trace: Trace, limit: Int) {
    header = trace.header
    for info in trace.header.channels {
      guard let block = trace[info.channel] else { continue }
      blocks[info.channel] = stride(
        from: block.range.lowerBound, to: block.range.upperBound, by: limit
      ).map { block[$0..<min($0 + limit, block.range.upperBound)] }
    }
  }

  /// One channel, acceleration.
  init(_ blocks: [ChannelBlock]) {
    var header = TraceHeader(id: "t", origin: .recorded)
    header.channels = [ChannelInfo(channel: .acceleration, count: blocks.map(\.count).reduce(0, +))]
    self.header = header
    self.blocks = [.acceleration: blocks]
  }

  func nextBlock(of channel: Channel, limit: Int) throws(TraceError) -> ChannelBlock? {
    guard let block = blocks[channel]?.first else { return nil }
    blocks[channel]?.removeFirst()
    return block
  }
}

@Suite struct ChannelTimingTests {
  @Test func tells() {
    let timing = ChannelTiming(measuredTimes: [0, 10, 20, 20, 15, 25, 35, 75, 85, 96])
    #expect(timing.count == 10)
    #expect(timing.medianInterval == 10)
    #expect(timing.rate == 1e8)
    #expect(timing.duplicatedTimes == 1)
    #expect(timing.backwardTimes == 1)
    #expect(timing.longestGap == 40)
    #expect(timing.gaps == 1)
    #expect(timing.jitter == 30)
  }

  @Test func nothingToTell() {
    for times: [Int64] in [[], [5], [5, 5], [5, 4]] {
      let timing = ChannelTiming(measuredTimes: times)
      #expect(timing.rate == nil)
      #expect(timing.jitter == nil)
      #expect(timing.longestGap == nil)
    }
    #expect(ChannelTiming(measuredTimes: [.min, .max]).medianInterval == .max)
  }
}
