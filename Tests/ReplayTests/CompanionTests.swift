import Detectors
import Replay
import TestSupport
import Testing
import TraceModel

/// Says what it gets, in order: the channel's and the companions' readings and the actions. Its
/// parameter says whether it reads companions at all.
struct ListeningDetector: Detector {
  struct Event: DetectionEvent {
    var kind: String
    var value: Double
  }
  struct Parameters: Sendable, Equatable, Codable {
    var companions = [Channel.rotationRate, .acceleration]
    /// In ns after each own reading; 0 = none.
    var alarm: Int64 = 0
  }
  static let name = "listening"
  static let channel = Channel.userAcceleration
  static let task = ReferenceTask.punch
  static var parameterFields: [ParameterField<Parameters>] { [] }
  static var presets: [DetectorPreset<Parameters>] {
    [DetectorPreset("default", summary: "all", Parameters())]
  }
  static func companions(_ parameters: Parameters) -> [Channel] { parameters.companions }

  private let parameters: Parameters
  private(set) var deadline: TraceInstant?

  init(_ parameters: Parameters, places: [Place]) { self.parameters = parameters }

  private func say(
    _ kind: String, _ value: Double, _ measured: TraceInstant, _ arrived: TraceInstant,
    _ detections: inout [Detection<Event>]
  ) {
    detections.append(
      Detection(onset: measured, emitted: arrived, event: Event(kind: kind, value: value)))
  }

  mutating func ingest(
    _ input: Acceleration, measured: TraceInstant, arrived: TraceInstant,
    into detections: inout [Detection<Event>]
  ) {
    say("own", Double(input.x), measured, arrived, &detections)
    if parameters.alarm > 0 { deadline = arrived.advanced(byNanoseconds: parameters.alarm) }
  }

  mutating func ingest(companion reading: Reading, into detections: inout [Detection<Event>]) {
    guard case .vector(let vector) = reading.value else { return }
    say(
      reading.channel.name, Double(vector.x), reading.measured, reading.arrived, &detections)
  }

  mutating func advance(to now: TraceInstant, into detections: inout [Detection<Event>]) {
    deadline = nil
    say("alarm", 0, now, now, &detections)
  }

  mutating func handle(
    _ action: Action, at time: TraceInstant, into detections: inout [Detection<Event>]
  ) {
    say(action.name, 0, time, time, &detections)
  }
}

/// A detector's companions: channels that it reads beside its own.
@Suite struct CompanionTests {
  private typealias Row = (measured: Int64, arrived: Int64)

  /// A trace whose readings have their position as x.
  private func trace(
    _ channels: [(Channel, [Row])], actions: [(Int64, Action)] = [], id: String = "t"
  ) -> Trace {
    let end = channels.flatMap(\.1).map(\.arrived).max() ?? 0
    var header = TraceHeader(id: id, origin: .synthetic)
    header.end = TraceInstant(nanoseconds: max(end, actions.map(\.0).max() ?? 0))
    var trace = Trace(header: header)
    for (channel, rows) in channels {
      var columns = VectorColumns()
      for (position, row) in rows.enumerated() {
        columns.append(
          Vector3(x: Float(position), y: 0, z: 0), measured: row.measured, arrived: row.arrived)
      }
      trace.set(.vector(columns), for: channel)
    }
    if !actions.isEmpty {
      var columns = ActionColumns()
      for (time, action) in actions { columns.append(action, measured: time, arrived: time) }
      trace.set(.action(columns), for: .action)
    }
    return trace
  }

  private func said(_ records: [DetectionRecord]) -> [String] {
    records.map { "\($0.kind) \(Int($0.value)) @\($0.emitted.nanoseconds)" }
  }

  @Test func atOneInstantCompanionsComeFirstByChannelThenTheOwnReadingsThenActions() throws {
    let rows: [Row] = [(10, 10), (20, 20)]
    let trace = trace(
      [(.userAcceleration, rows), (.acceleration, rows), (.rotationRate, rows)],
      actions: [(10, .arm), (15, .disarm), (20, .confirm)])
    let result = try VirtualRun<ListeningDetector>.run(.init(), on: MemorySource(trace))
    #expect(
      said(result.detections) == [
        "acceleration 0 @10", "rotation_rate 0 @10", "own 0 @10", "arm 0 @10", "disarm 0 @15",
        "acceleration 1 @20", "rotation_rate 1 @20", "own 1 @20", "confirm 0 @20",
      ])
    #expect(result.readings == 2)
  }

  @Test func aCompanionThatTheDeviceLacksIsLeftOut() throws {
    let trace = trace([(.userAcceleration, [(10, 10)]), (.rotationRate, [(5, 5), (50, 50)])])
    let result = try VirtualRun<ListeningDetector>.run(.init(), on: MemorySource(trace))
    #expect(
      said(result.detections) == ["rotation_rate 0 @5", "own 0 @10", "rotation_rate 1 @50"])
    let alone = try VirtualRun<ListeningDetector>.run(
      .init(companions: []), on: MemorySource(trace))
    #expect(said(alone.detections) == ["own 0 @10"])
  }

  @Test func aDeadlineFiresBetweenTheReadingsOfACompanion() throws {
    let trace = trace([(.userAcceleration, [(0, 0)]), (.rotationRate, [(7, 7), (8, 8), (9, 9)])])
    let result = try VirtualRun<ListeningDetector>.run(.init(alarm: 8), on: MemorySource(trace))
    // A reading at the deadline comes first.
    #expect(
      said(result.detections) == [
        "own 0 @0", "rotation_rate 0 @7", "rotation_rate 1 @8", "alarm 0 @8", "rotation_rate 2 @9",
      ])
  }

  @Test func aCompanionWhoseArrivalsDecreaseIsAnErrorWithItsPlace() throws {
    let trace = trace([
      (.userAcceleration, [(0, 0), (9, 9)]), (.rotationRate, [(5, 5), (4, 4)]),
    ])
    let error = #expect(throws: TraceError.self) {
      try VirtualRun<ListeningDetector>.run(.init(), on: MemorySource(trace))
    }
    #expect(error?.place == "t:/rotation_rate[1]")
  }

  private func random(_ seed: UInt64) -> Trace {
    var random = SeededGenerator(seed: seed)
    func rows() -> [Row] {
      var (time, delay) = (Int64(random.next() % 5), Int64(0))
      return (0..<Int(random.next() % 60)).map { _ in
        time += Int64(random.next() % 4)
        // Arrivals do not decrease.
        delay = max(delay - Int64(random.next() % 4), 0)
        if random.unit() < 0.1 { delay += 9 }
        return (time, time + delay)
      }
    }
    var ordered: [(Channel, [Row])] = []
    for channel in [Channel.userAcceleration, .acceleration, .rotationRate] {
      guard channel == .userAcceleration || random.unit() < 0.8 else { continue }
      var last: Int64 = 0
      ordered.append(
        (
          channel,
          rows().map { row in
            last = max(last, row.arrived)
            return (row.measured, last)
          }
        ))
    }
    var actions: [(Int64, Action)] = []
    var time: Int64 = 0
    for _ in 0..<Int(random.next() % 8) {
      time += Int64(random.next() % 30)
      actions.append((time, .arm))
    }
    return trace(ordered, actions: actions, id: "r\(seed)")
  }

  /// The order by its definition: sorted by arrival, at one instant by what it is, then by position.
  private func expected(_ trace: Trace) -> [String] {
    var all: [(time: Int64, rank: Int, text: String)] = []
    let ranks: [(Channel, Int, String)] = [
      (.acceleration, 0, "acceleration"), (.rotationRate, 1, "rotation_rate"),
      (.userAcceleration, 2, "own"),
    ]
    for (channel, rank, name) in ranks {
      guard let columns = trace[channel].flatMap({ VectorColumns($0) }) else { continue }
      for position in columns.range {
        let time = columns.arrived(at: position).nanoseconds
        all.append((time, rank, "\(name) \(Int(columns[position].x)) @\(time)"))
      }
    }
    if let actions = trace[.action].flatMap({ ActionColumns($0) }) {
      for position in actions.range {
        let time = actions.arrived(at: position).nanoseconds
        all.append((time, 3, "\(actions[position].name) 0 @\(time)"))
      }
    }
    return all.enumerated().sorted {
      ($0.element.time, $0.element.rank, $0.offset) < ($1.element.time, $1.element.rank, $1.offset)
    }.map(\.element.text)
  }

  @Test(.longer, arguments: 0..<UInt64(LongTests.count(quick: 60, long: 2000)))
  func anyBlocksAndAnyPlayerGiveTheOrderOfTheDefinition(seed: UInt64) throws {
    let trace = random(seed)
    let expected = expected(trace)
    for size in [1, 3, 4096] {
      let options = RunOptions(blockSize: size)
      let run = try VirtualRun<ListeningDetector>.run(
        .init(), on: MemorySource(trace), options: options)
      #expect(said(run.detections) == expected)
      var packed = Timeline(packing: [
        try DeviceStream(
          ListeningDetector.self, .init(), on: MemorySource(trace), options: options)
      ])
      var records: [DetectionRecord] = []
      var steps: [StreamStep] = []
      while let step = try packed.step(into: &records) { steps.append(step) }
      #expect(said(records) == expected)
      var stepped = Timeline([
        try DeviceStream(
          ListeningDetector.self, .init(), on: MemorySource(trace), options: options)
      ])
      var others: [StreamStep] = []
      var none: [DetectionRecord] = []
      while let step = try stepped.step(into: &none) { others.append(step) }
      #expect(steps == others)
      // A step says which channel its readings are of, and when its next ones come.
      for channel in [Channel.acceleration, .rotationRate] {
        let times = steps.filter { $0.channel == channel }.map(\.time)
        let following = steps.filter { $0.channel == channel }.map(\.following)
        #expect(times.count == trace[channel]?.count ?? 0)
        #expect(following == times.dropFirst().map(Optional.some) + (times.isEmpty ? [] : [nil]))
      }
    }
  }

  @Test func aConsumerGetsCompanionsInTheSameOrder() throws {
    final class Listener: StreamConsumer {
      var heard: [String] = []
      private var block = ChannelBlock(emptyFor: .action)
      func load(_ block: ChannelBlock) { self.block = block }
      func ingest(_ range: Range<Int>) { heard += range.map { "own \($0)" } }
      func ingest(companion reading: Reading) {
        heard.append("\(reading.channel.name) \(reading.sequence)")
      }
      func handle(_ action: Action, at time: TraceInstant) { heard.append(action.name) }
      func finish(at end: TraceInstant) { heard.append("end") }
      var hasDetections: Bool { false }
      func take(device: DeviceID, into records: inout [DetectionRecord]) {}
      var measurements: [Measurement] { [] }
    }
    let listener = Listener()
    let trace = trace(
      [(.userAcceleration, [(1, 1), (3, 3)]), (.rotationRate, [(1, 2), (3, 3)])],
      actions: [(3, .arm)])
    var timeline = Timeline([
      try DeviceStream(
        listener, channel: .userAcceleration, companions: [.rotationRate], name: "listener",
        on: MemorySource(trace))
    ])
    var none: [DetectionRecord] = []
    try timeline.run(into: &none)
    #expect(
      listener.heard == ["own 0", "rotation_rate 0", "rotation_rate 1", "own 1", "arm", "end"])
  }
}
