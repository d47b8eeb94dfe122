import TestSupport
import Testing
import TraceModel
import TraceTools

/// A repair does exactly what was listed.
@Suite struct RepairTests {
  private static var seeds: Range<UInt64> { 0..<LongTests.count(quick: 40, long: 150) }

  @Test(.longer, arguments: seeds)
  func whatIsListedIsDoneAndThenGone(seed: UInt64) {
    var wild = WildTrace(seed: seed)
    let trace = wild.trace(anyTimes: seed % 2 == 0)
    let listed = Validation.findings(in: trace).filter { $0.repair != nil }
    var repaired = trace
    let done = repaired.repair()
    #expect(done.sortedBySeverity() == listed, "seed \(seed)")
    let rest = Validation.findings(in: repaired).filter { $0.repair != nil }
    #expect(rest.isEmpty, "seed \(seed): \(rest)")
    var again = repaired
    #expect(again.repair().isEmpty, "seed \(seed)")
    #expect(again == repaired, "seed \(seed)")
  }

  /// Nothing is invented: the remaining readings are those of the recording, at their times, and
  /// the number of removed ones is as reported.
  @Test(.longer, arguments: seeds)
  func onlyReportedReadingsAreRemoved(seed: UInt64) throws {
    var wild = WildTrace(seed: seed)
    let trace = wild.trace(anyTimes: false)
    var repaired = trace
    let done = repaired.repair()
    for info in trace.header.channels where info.channel != .location {
      let (before, after) = (
        try #require(trace[info.channel]), try #require(repaired[info.channel])
      )
      let told = done.filter {
        $0.place == info.channel.name && $0.code != "backward-times"
      }
      let gone = told.reduce(0) { $0 + $1.count }
      #expect(before.count - after.count == gone, "seed \(seed), \(info.channel.name)")
      var left = Self.readings(before)
      for (reading, count) in Self.readings(after) { left[reading, default: 0] -= count }
      #expect(left.values.allSatisfy { $0 >= 0 }, "seed \(seed), \(info.channel.name)")
    }
  }

  private static func readings(_ block: ChannelBlock) -> [String: Int] {
    Dictionary(
      block.range.map { ("\(block.measuredTimes[$0]) \(block.value(at: $0))", 1) },
      uniquingKeysWith: +)
  }

  @Test func soundTracesStayAsTheyAre() {
    for trace in [MadeTrace.rest(), MadeTrace.walk(), MadeTrace.climb()] {
      var copy = trace
      #expect(copy.repair(spreadingTimes: true).isEmpty)
      #expect(copy == trace)
    }
  }

  @Test func whatWasRepairedIsStatedInTheChannel() throws {
    var trace = MadeTrace.walk().changingFixes { times, fixes in
      (times[51], fixes[51]) = (times[50], fixes[50])
      times.swapAt(70, 71)
    }
    let done = trace.repair()
    #expect(done.map(\.code) == ["duplicated-readings", "backward-times"])
    let info = try #require(trace.header.info(.location))
    #expect(info.attributes["repaired"] == "duplicated-readings 1, backward-times 1")
    #expect(info.count == 299)
    #expect(trace[.location]?.measuredTimes == trace[.location]?.measuredTimes.sorted())
  }

  // MARK: Spreading

  private static func spread(_ times: [Int64]) throws -> [Int64] {
    let made = MadeTrace.rest(count: times.count).changingVectors { own, _ in own = times }
    var trace = made.changingHeader { $0.end = TraceInstant(nanoseconds: times.max() ?? 0) }
    _ = trace.repair(spreadingTimes: true)
    let end = trace.header.end.nanoseconds
    let found = try #require(trace[.acceleration]).measuredTimes
    #expect(found.allSatisfy { $0 <= end })
    return found
  }

  @Test(
    arguments: [
      // Evenly up to the next reading.
      ([0, 100, 200, 200, 300, 400], [0, 100, 200, 250, 300, 400]),
      ([0, 100, 100, 100, 100, 200, 300, 400], [0, 100, 125, 150, 175, 200, 300, 400]),
      // By at most a period before a gap, and at the end.
      ([0, 100, 200, 200, 900, 1000], [0, 100, 200, 300, 900, 1000]),
      ([0, 100, 200, 300, 300], [0, 100, 200, 300, 400]),
      // No room, and nothing to do.
      ([0, 10, 10, 11, 12, 13], [0, 10, 10, 11, 12, 13]), ([0, 100, 200], [0, 100, 200]),
    ] as [([Int64], [Int64])])
  func readingsOfOneTimeAreMovedApart(times: [Int64], expected: [Int64]) throws {
    #expect(try Self.spread(times) == expected)
  }

  @Test(.longer, arguments: seeds)
  func spreadTimesRiseAndKeepTheFirst(seed: UInt64) throws {
    var wild = WildTrace(seed: seed)
    var plain = wild.trace(anyTimes: false)
    var spread = plain
    _ = plain.repair()
    _ = spread.repair(spreadingTimes: true)
    for info in plain.header.channels where info.channel != .action && info.channel != .heartbeat {
      let (before, after) = (
        try #require(plain[info.channel]).measuredTimes,
        try #require(spread[info.channel]).measuredTimes
      )
      #expect(before.count == after.count, "seed \(seed)")
      #expect(zip(after, after.dropFirst()).allSatisfy { $0 <= $1 }, "seed \(seed)")
      #expect(zip(before, after).allSatisfy { $0 <= $1 }, "seed \(seed)")
      // The first reading of each time stays where it was.
      for (index, time) in before.enumerated() where index == 0 || before[index - 1] < time {
        #expect(after[index] == time, "seed \(seed)")
      }
    }
  }

  @Test func timesOfDeliveryAreNotSpread() throws {
    var columns = VectorColumns()
    for index in 0..<20 {
      let time = Int64(index / 2) * 100
      columns.append(Vector3(x: Float(index), y: 0, z: 0), measured: time, arrived: time + 5)
    }
    var trace = Trace(header: TraceHeader(id: "late", origin: .recorded))
    trace.set(.vector(columns), for: .acceleration)
    trace.header.end = TraceInstant(nanoseconds: 2000)
    #expect(trace.repair(spreadingTimes: true).isEmpty)
  }

  // MARK: Order

  /// Readings that arrive late were measured before what arrived earlier: which is not a fault.
  @Test func readingsThatArriveInOrderAreInOrder() throws {
    var columns = VectorColumns()
    for index in 0..<20 {
      let late: Int64 = index == 9 ? 300 : 0
      columns.append(
        Vector3(x: Float(index), y: 0, z: 0), measured: Int64(index) * 100 - late,
        arrived: Int64(index) * 100)
    }
    var trace = Trace(header: TraceHeader(id: "late", origin: .recorded))
    trace.set(.vector(columns), for: .acceleration)
    trace.header.end = TraceInstant(nanoseconds: 2000)
    #expect(trace.repair().isEmpty)
  }

  @Test func damageBeyondAFewIsAWrongUnit() {
    func trace(_ broken: Int) -> Trace {
      MadeTrace.climb(count: 100).changingScalars { _, values in
        for index in 0..<broken { values[index].value = 950 }
      }
    }
    var few = trace(3)
    #expect(few.repair().map(\.code) == ["broken-values"])
    #expect(few[.pressure]?.count == 97)
    var many = trace(4)
    #expect(many.repair().isEmpty)
    #expect(Validation.findings(in: many).map(\.code) == ["wrong-unit"])
  }
}
