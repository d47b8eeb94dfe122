import Replay
import Testing
import TraceModel

/// Records its calls, and wakes at given times.
private struct Listener: MergedConsumer {
  var lines: [String] = []
  var alarms: [Int64] = []
  private var reported = 0

  mutating func take(_ reading: Reading) {
    let value =
      switch reading.value {
      case .action(let action): action.name
      case .scalar(let scalar): "\(scalar.value)"
      default: "?"
      }
    lines.append(
      "\(reading.arrived.nanoseconds) d\(reading.device.index) \(reading.channel.name)"
        + "#\(reading.sequence) \(value) from \(reading.measured.nanoseconds)")
    if case .action(.confirm) = reading.value { alarms.append(reading.arrived.nanoseconds + 5) }
  }

  var deadline: TraceInstant? { alarms.min().map { TraceInstant(nanoseconds: $0) } }

  mutating func advance(to now: TraceInstant) {
    alarms.removeAll { $0 <= now.nanoseconds }
    lines.append("\(now.nanoseconds) alarm")
  }

  mutating func finish(device: DeviceID, at end: TraceInstant) {
    lines.append("\(end.nanoseconds) d\(device.index) ends")
  }

  mutating func close(at end: TraceInstant) { lines.append("\(end.nanoseconds) over") }

  mutating func takeRecords(into records: inout [DetectionRecord]) {
    for line in lines[reported...] {
      records.append(DetectionRecord(onset: .zero, emitted: .zero, kind: line))
    }
    reported = lines.count
  }
}

@Suite struct MergedTimelineTests {
  private func trace(
    _ id: String, heading: [(measured: Int64, arrived: Int64)] = [],
    pressure: [Int64] = [], actions: [(Int64, Action)] = [], end: Int64
  ) -> Trace {
    var header = TraceHeader(id: id, origin: .synthetic)
    header.end = TraceInstant(nanoseconds: end)
    var trace = Trace(header: header)
    trace.set(
      .scalar(
        ScalarColumns(
          times: TimeColumns(measured: heading.map(\.measured), arrived: heading.map(\.arrived)),
          values: heading.indices.map { Scalar(value: Double($0)) })), for: .heading)
    if !pressure.isEmpty {
      trace.set(
        .scalar(
          ScalarColumns(
            times: TimeColumns(measured: pressure),
            values: pressure.map { _ in Scalar(value: 9) })), for: .pressure)
    }
    if !actions.isEmpty {
      trace.set(
        .action(
          ActionColumns(
            times: TimeColumns(measured: actions.map(\.0)), values: actions.map(\.1))),
        for: .action)
    }
    return trace
  }

  private func timeline(
    _ traces: [(trace: Trace, start: Int64)], channels: Set<Channel> = [.pressure],
    blockSize: Int = 4096
  ) throws -> MergedTimeline<Listener> {
    try MergedTimeline(
      Listener(),
      devices: traces.enumerated().map { index, item in
        ReplayDevice(
          DeviceID(index), source: MemorySource(item.trace),
          start: TraceInstant(nanoseconds: item.start))
      }, channels: channels, required: .heading, name: "app test", blockSize: blockSize)
  }

  private var two: [(trace: Trace, start: Int64)] {
    [
      (
        trace(
          "a", heading: [(0, 10), (5, 10), (9, 30)], pressure: [10], actions: [(10, .confirm)],
          end: 40), 0
      ),
      (trace("b", heading: [(0, 0), (5, 5)], actions: [(10, .arm)], end: 12), 5),
    ]
  }

  private static let expected = [
    "5 d1 heading#0 0.0 from 5",
    "10 d0 heading#0 0.0 from 0",
    "10 d0 heading#1 1.0 from 5",
    "10 d0 pressure#0 9.0 from 10",
    "10 d0 action#0 confirm from 10",
    "10 d1 heading#1 1.0 from 10",
    // An alarm at the instant of an arrival comes after it.
    "15 d1 action#0 arm from 15",
    "15 alarm",
    "17 d1 ends",
    "30 d0 heading#2 2.0 from 9",
    "40 d0 ends",
    "40 over",
  ]

  @Test(arguments: [1, 2, 4096]) func orderIsOfTheRun(blockSize: Int) throws {
    var timeline = try timeline(two, blockSize: blockSize)
    var records: [DetectionRecord] = []
    try timeline.run(into: &records)
    #expect(timeline.consumer.lines == Self.expected)
    #expect(records.map(\.kind) == Self.expected)
    #expect(timeline.result.readings == 6)
    #expect(timeline.next == nil)
    #expect(try timeline.step(into: &records) == nil)
  }

  @Test func stepsStateTheirReadingsAndTheNextArrival() throws {
    var timeline = try timeline(two)
    var records: [DetectionRecord] = []
    var steps: [StreamStep] = []
    while let next = timeline.next {
      let step = try #require(try timeline.step(into: &records))
      #expect(step.time == next)
      steps.append(step)
    }
    #expect(steps.map(\.time) == steps.map(\.time).sorted())
    #expect(steps[1].kind == .readings(2))
    #expect(steps[1].following?.nanoseconds == 30)
    #expect(steps.filter { $0.kind == .action }.count == 2)
    #expect(steps.filter { [.wake, .end].contains($0.kind) }.count == 4)
  }

  @Test func alarmsAfterTheEndNeverFire() throws {
    var timeline = try timeline([(trace("a", heading: [], actions: [(7, .confirm)], end: 11), 0)])
    var records: [DetectionRecord] = []
    try timeline.run(into: &records)
    #expect(timeline.consumer.lines == ["7 d0 action#0 confirm from 7", "11 d0 ends", "11 over"])
  }

  @Test func readingsAfterTheStatedEndMakeItLater() throws {
    var timeline = try timeline([(trace("a", heading: [(1, 1), (20, 20)], end: 5), 0)])
    var records: [DetectionRecord] = []
    try timeline.run(into: &records)
    #expect(timeline.consumer.lines.suffix(2) == ["20 d0 ends", "20 over"])
  }

  @Test func channelsThatAreNotAskedForAreLeftOut() throws {
    var timeline = try timeline(two, channels: [])
    var records: [DetectionRecord] = []
    try timeline.run(into: &records)
    #expect(!timeline.consumer.lines.contains { $0.contains("pressure") })
    #expect(timeline.consumer.lines.count == Self.expected.count - 1)
  }

  @Test func decreasingArrivalsAndMissingChannelsAreErrorsWithTheirPlace() throws {
    let backward = try #require(throws: TraceError.self) {
      var timeline = try timeline([(trace("a", heading: [(0, 10), (1, 9)], end: 20), 0)])
      var records: [DetectionRecord] = []
      try timeline.run(into: &records)
    }
    #expect(backward.place == "a:/heading[1]")
    let missing = try #require(throws: TraceError.self) {
      _ = try MergedTimeline(
        Listener(),
        devices: [ReplayDevice(DeviceID(0), source: MemorySource(two[1].trace))], channels: [],
        required: .location, name: "app test")
    }
    #expect(missing.expected == "channel location, which app test reads")
  }

  /// What happens in a gap grows with its logarithm, not with its length.
  @Test(arguments: [
    (gap: 1, polls: 1), (59, 59), (86_400, 180), (31_536_000, 278), (1_576_800_000, 342),
    (4_600_000_000, 360),
  ])
  func aGapIsCrossedInStrides(gap: Int64, polls: Int) throws {
    let arrivals = [0, gap * 1_000_000_000 + 7]
    var timeline = try MergedTimeline(
      Poller(),
      devices: [
        ReplayDevice(
          DeviceID(0),
          source: MemorySource(
            trace("walk", heading: arrivals.map { ($0, $0) }, end: arrivals[1])))
      ], channels: [.heading], required: .heading, name: "poller")
    var records: [DetectionRecord] = []
    try timeline.run(into: &records)
    #expect(timeline.consumer.polls.count == polls)
    #expect(timeline.consumer.polls == timeline.consumer.polls.sorted())
    // No timer is late when the recording goes on.
    #expect(try #require(timeline.consumer.polls.last) >= arrivals[1] - 1_000_000_000)
  }
}

/// Polls every second.
private struct Poller: MergedConsumer {
  var polls: [Int64] = []

  var deadline: TraceInstant? {
    TraceInstant(nanoseconds: (polls.last ?? 0) + 1_000_000_000)
  }

  mutating func take(_ reading: Reading) {}
  mutating func advance(to now: TraceInstant) { polls.append(now.nanoseconds) }
  mutating func finish(device: DeviceID, at end: TraceInstant) {}
  mutating func close(at end: TraceInstant) {}
  mutating func takeRecords(into records: inout [DetectionRecord]) {}
}
