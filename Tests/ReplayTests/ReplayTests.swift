import Detectors
import Replay
import Testing
import TraceModel

/// Fires once when nothing has arrived for a second: a dead man's switch. Says where it was.
struct SilenceDetector: Detector {
  struct Event: DetectionEvent {
    var kind: String
    var value: Double
  }
  struct Parameters: Sendable, Equatable, Codable {
    var expiry = 1.0
  }
  static let name = "silence"
  static let channel = Channel.userAcceleration
  static let task = ReferenceTask.presence
  static var parameterFields: [ParameterField<Parameters>] {
    [.number("expiry", \.expiry, unit: .seconds, range: 0.001...100, "silence that fires")]
  }
  static var presets: [DetectorPreset<Parameters>] {
    [DetectorPreset("default", summary: "one second", Parameters())]
  }

  private let expiry: Int64
  private(set) var deadline: TraceInstant?
  private var count = 0

  init(_ parameters: Parameters, places: [Place]) {
    expiry = Int64(nanosecondsFromSeconds: parameters.expiry) ?? .max
  }

  mutating func ingest(
    _ input: Acceleration, measured: TraceInstant, arrived: TraceInstant,
    into detections: inout [Detection<Event>]
  ) {
    count += 1
    deadline = arrived.advanced(byNanoseconds: expiry)
  }

  mutating func advance(to now: TraceInstant, into detections: inout [Detection<Event>]) {
    deadline = nil
    detections.append(
      Detection(onset: now, emitted: now, event: Event(kind: "gone", value: Double(count))))
  }

  mutating func handle(
    _ action: Action, at time: TraceInstant, into detections: inout [Detection<Event>]
  ) {
    detections.append(
      Detection(onset: time, emitted: time, event: Event(kind: action.name, value: Double(count))))
    if action == .pause { deadline = nil }
  }

  var measurements: [Measurement] { [Measurement("count", Double(count), unit: "")] }
}

/// Prompts on every fifth reading and counts what is answered.
struct PromptDetector: Detector {
  struct Event: DetectionEvent { var kind: String }
  struct Parameters: Sendable, Equatable, Codable {}
  static let name = "prompter"
  static let channel = Channel.userAcceleration
  static let task = ReferenceTask.visit
  static var parameterFields: [ParameterField<Parameters>] { [] }
  static var presets: [DetectorPreset<Parameters>] {
    [DetectorPreset("default", summary: "", Parameters())]
  }
  private var count = 0
  init(_ parameters: Parameters, places: [Place]) {}
  mutating func ingest(
    _ input: Acceleration, measured: TraceInstant, arrived: TraceInstant,
    into detections: inout [Detection<Event>]
  ) {
    count += 1
    if count % 5 == 0 {
      detections.append(Detection(onset: measured, emitted: arrived, event: Event(kind: "prompt")))
    }
  }
  mutating func handle(
    _ action: Action, at time: TraceInstant, into detections: inout [Detection<Event>]
  ) {
    detections.append(Detection(onset: time, emitted: time, event: Event(kind: action.name)))
  }
}

/// Samples at the given milliseconds; actions likewise.
func trace(
  _ id: String = "t", samples: [Int64], actions: [(Int64, Action)] = [], end: Int64? = nil
) -> Trace {
  var header = TraceHeader(id: id, origin: .synthetic)
  header.end = TraceInstant(nanoseconds: (end ?? samples.last ?? 0) * 1_000_000)
  var trace = Trace(header: header)
  var columns = VectorColumns()
  for time in samples {
    columns.append(
      Acceleration(x: Float(time), y: 0, z: 0), measured: time * 1_000_000,
      arrived: time * 1_000_000)
  }
  trace.set(.vector(columns), for: .userAcceleration)
  if !actions.isEmpty {
    var columns = ActionColumns()
    for (time, action) in actions {
      columns.append(action, measured: time * 1_000_000, arrived: time * 1_000_000)
    }
    trace.set(.action(columns), for: .action)
  }
  return trace
}

private func milliseconds(_ records: [DetectionRecord]) -> [(Int64, String, Int)] {
  records.map {
    ($0.emitted.nanoseconds / 1_000_000, $0.kind, $0.value.isNaN ? -1 : Int($0.value))
  }
}

private func same(_ left: [(Int64, String, Int)], _ right: [(Int64, String, Int)]) -> Bool {
  left.elementsEqual(right, by: ==)
}

@Suite struct DetectionLimitTests {
  /// The dead man's switch tells of each action: 3,000 detections of 3,000 steps.
  @Test func detectionsAreLimited() throws {
    let actions = (0..<3000).map { (Int64($0) * 10, Action.pause) }
    let trace = trace(samples: [0], actions: actions, end: 40_000)
    func run(_ most: Int) throws -> Int {
      try VirtualRun<SilenceDetector>.run(
        .init(), on: MemorySource(trace), options: RunOptions(mostDetections: most)
      ).detections.count
    }
    #expect(try run(3000) == 3000)
    for most in [0, 500, 2999] {
      let error = #expect(throws: TraceError.self) { try run(most) }
      #expect(error?.expected == "at most \(most) detections in the recording")
    }
  }
}

@Suite struct DeadlineTests {
  struct Case: Sendable {
    var samples: [Int64]
    var actions: [(Int64, Action)] = []
    var end: Int64
    var expected: [(Int64, String, Int)]
  }

  // Each case: when samples arrive (ms), actions, the trace's end, and what the dead man's switch
  // of one second must say: (time, kind, samples seen).
  static let cases: [Case] = [
    Case(samples: [], end: 5000, expected: []),
    Case(samples: [0], end: 999, expected: []),
    Case(samples: [0], end: 1000, expected: [(1000, "gone", 1)]),
    Case(samples: [0, 1000], end: 1500, expected: []),
    Case(samples: [0, 1001], end: 1500, expected: [(1000, "gone", 1)]),
    Case(samples: [0, 500, 3000], end: 9000, expected: [(1500, "gone", 2), (4000, "gone", 3)]),
    Case(
      samples: [0, 2000], actions: [(500, .pause)], end: 2500, expected: [(500, "pause", 1)]),
    Case(
      samples: [0, 2000], actions: [(1000, .pause)], end: 2500, expected: [(1000, "pause", 1)]),
    Case(
      samples: [0, 2000], actions: [(1001, .pause)], end: 2500,
      expected: [(1000, "gone", 1), (1001, "pause", 1)]),
    Case(
      samples: [0, 700], actions: [(700, .arm), (5000, .disarm)], end: 4000,
      expected: [(700, "arm", 2), (1700, "gone", 2), (5000, "disarm", 2)]),
    Case(
      samples: [100], actions: [(0, .arm), (0, .disarm)], end: 200,
      expected: [(0, "arm", 0), (0, "disarm", 0)]),
  ]

  @Test(arguments: cases.indices)
  func blocksAndTimelineAgreeWithTheTable(index: Int) throws {
    let row = DeadlineTests.cases[index]
    let trace = trace(samples: row.samples, actions: row.actions, end: row.end)
    for size in [1, 2, 7, 4096] {
      let options = RunOptions(blockSize: size)
      let blocks = try VirtualRun<SilenceDetector>.run(
        .init(), on: MemorySource(trace), options: options)
      #expect(
        same(milliseconds(blocks.detections), row.expected), "\(milliseconds(blocks.detections))")
      let merged = try VirtualRun<SilenceDetector>.run(
        [.init()],
        on: [ReplayDevice(DeviceID(0), source: MemorySource(trace))],
        options: options)
      #expect(merged == blocks)
      #expect(blocks.readings == row.samples.count)
    }
  }
}

@Suite struct RunLawTests {
  private func randomTrace(_ random: inout SeededGenerator) -> Trace {
    var samples: [Int64] = []
    var actions: [(Int64, Action)] = []
    var time: Int64 = 0
    for _ in 0..<Int.random(in: 0...60, using: &random) {
      time += [0, 1, 10, 400, 999, 1000, 1001, 2500].randomElement(using: &random)!
      if random.unit() < 0.3 {
        actions.append((time, Action.allCases.randomElement(using: &random)!))
      } else {
        samples.append(time)
      }
    }
    return trace(samples: samples, actions: actions, end: time + 700)
  }

  @Test func blockSizesAndTimelineAgreeOnRandomTraces() throws {
    for seed in 0..<200 {
      var random = SeededGenerator(seed: UInt64(seed))
      let trace = randomTrace(&random)
      let expected = try VirtualRun<SilenceDetector>.run(.init(), on: MemorySource(trace))
      for size in [1, 3, 8] {
        let result = try VirtualRun<SilenceDetector>.run(
          .init(), on: MemorySource(trace), options: RunOptions(blockSize: size))
        #expect(result == expected, "seed \(seed), blocks of \(size)")
      }
      let merged = try VirtualRun<SilenceDetector>.run(
        [.init()], on: [ReplayDevice(DeviceID(0), source: MemorySource(trace))])
      #expect(merged == expected, "seed \(seed)")
    }
  }

  @Test func severalDevicesFindWhatEachFindsAlone() throws {
    for seed in 0..<50 {
      var random = SeededGenerator(seed: UInt64(1000 + seed))
      let traces = (0..<3).map { _ in randomTrace(&random) }
      // The run ends with its longest trace: let all end together, so that deadlines agree.
      let end = traces.map(\.header.end).max()!
      let devices = traces.enumerated().map { index, trace in
        var trace = trace
        trace.header.end = end
        return ReplayDevice(DeviceID(index), source: MemorySource(trace))
      }
      let merged = try VirtualRun<SilenceDetector>.run(
        Array(repeating: .init(), count: 3), on: devices)
      for (index, trace) in traces.enumerated() {
        var trace = trace
        trace.header.end = end
        let alone = try VirtualRun<SilenceDetector>.run(
          .init(), on: MemorySource(trace), device: DeviceID(index))
        #expect(
          merged.detections.filter { $0.device.index == index } == alone.detections, "seed \(seed)")
        #expect(merged.measurements[DeviceID(index)] == alone.measurements[DeviceID(index)])
      }
      let times = merged.detections.map(\.emitted)
      #expect(times == times.sorted(), "seed \(seed)")
    }
  }

  private func streams(
    _ traces: [Trace], blockSize: Int = 4096
  ) throws -> [DeviceStream] {
    try traces.enumerated().map { index, trace in
      try DeviceStream(
        SilenceDetector.self, .init(), on: MemorySource(trace), device: DeviceID(index),
        start: TraceInstant(nanoseconds: Int64(index) * 5), options: .init(blockSize: blockSize))
    }
  }

  @Test func timelineStepsInTheTotalOrder() throws {
    var random = SeededGenerator(seed: 3)
    let traces = (0..<4).map { _ in randomTrace(&random) }
    var timeline = Timeline(try streams(traces, blockSize: 3))
    var keys: [(TraceInstant, Int, DeviceID, Channel)] = []
    var count = 0
    var detections: [DetectionRecord] = []
    while let next = timeline.next, let step = try timeline.step(into: &detections) {
      #expect(step.time == next)
      switch step.kind {
      case .readings(let readings): count += readings
      case .action: count += 1
      case .wake, .end: break
      }
      let isArrival = ![.wake, .end].contains(step.kind)
      keys.append((step.time, isArrival ? 0 : 1, step.device, step.channel))
    }
    #expect(zip(keys, keys.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(count == traces.reduce(0) { $0 + $1.header.channels.reduce(0) { $0 + $1.count } })
  }

  @Test func stepsFindWhatRunsFindAndInTheSameOrder() throws {
    for seed in 0..<50 {
      var random = SeededGenerator(seed: UInt64(2000 + seed))
      let traces = (0..<5).map { _ in randomTrace(&random) }
      var whole: [DetectionRecord] = []
      var timeline = Timeline(try streams(traces))
      try timeline.run(into: &whole)
      for size in [1, 2, 4096] {
        var stepped: [DetectionRecord] = []
        var timeline = Timeline(try streams(traces, blockSize: size))
        while try timeline.step(into: &stepped) != nil {}
        #expect(stepped == whole, "seed \(seed), blocks of \(size)")
        #expect(timeline.next == nil)
      }
    }
  }

  @Test func aStepStatesTheNextArrivalOfItsChannel() throws {
    var timeline = Timeline(
      try streams([trace(samples: [0, 20, 20, 50], actions: [(20, .arm)], end: 60)]))
    var steps: [StreamStep] = []
    var detections: [DetectionRecord] = []
    while let step = try timeline.step(into: &detections) { steps.append(step) }
    #expect(steps.map(\.kind) == [.readings(1), .readings(2), .action, .readings(1), .end])
    #expect(
      steps.map { $0.following.map { $0.nanoseconds / 1_000_000 } } == [20, 50, nil, nil, nil])
    #expect(steps.map { $0.time.nanoseconds / 1_000_000 } == [0, 20, 20, 50, 60])
  }
}

@Suite struct PolicyTests {
  @Test func answersPromptsAfterItsDelays() throws {
    let trace = trace(samples: Array(stride(from: 0, through: 9000, by: 1000)), end: 20_000)
    let policy = ScriptedPolicy(confirmAfter: .milliseconds(1500), continueAfter: .seconds(1))
    let result = try VirtualRun<PromptDetector>.run(
      .init(), on: MemorySource(trace), options: RunOptions(policy: policy))
    let expected: [(Int64, String, Int)] = [
      (4000, "prompt", -1), (5500, "confirm", -1), (6500, "continue", -1), (9000, "prompt", -1),
      (10_500, "confirm", -1), (11_500, "continue", -1),
    ]
    #expect(same(milliseconds(result.detections), expected))
  }

  @Test func answersAfterTheEndNeverCome() throws {
    let trace = trace(samples: Array(stride(from: 0, through: 4000, by: 1000)), end: 7000)
    let result = try VirtualRun<PromptDetector>.run(
      .init(), on: MemorySource(trace),
      options: RunOptions(
        policy: ScriptedPolicy(confirmAfter: .seconds(3), continueAfter: .milliseconds(1))))
    #expect(milliseconds(result.detections).map(\.1) == ["prompt", "confirm"])
  }

  @Test func cancelsWithItsProbabilityAndItsSeed() throws {
    let trace = trace(samples: Array(stride(from: 0, to: 1_000_000, by: 100)), end: 1_100_000)
    func run(_ seed: UInt64) throws -> [DetectionRecord] {
      try VirtualRun<PromptDetector>.run(
        .init(), on: MemorySource(trace),
        options: RunOptions(
          policy: ScriptedPolicy(cancelProbability: 0.25, spread: 0.5, seed: seed))
      ).detections
    }
    let first = try run(1)
    #expect(try run(1) == first)
    #expect(try run(2) != first)
    let cancels = first.count { $0.kind == "cancel" }
    // 2,000 prompts: 500 expected, five standard deviations are 97.
    #expect(abs(cancels - 500) < 97)
    #expect(first.count { $0.kind == "confirm" } == 2000 - cancels)
  }

  @Test func mergedRunAgreesWithTheSingleOne() throws {
    let trace = trace(samples: Array(stride(from: 0, to: 60_000, by: 100)), end: 70_000)
    let options = RunOptions(policy: ScriptedPolicy(cancelProbability: 0.3, spread: 0.9, seed: 4))
    let alone = try VirtualRun<PromptDetector>.run(
      .init(), on: MemorySource(trace), options: options)
    let merged = try VirtualRun<PromptDetector>.run(
      [.init()], on: [ReplayDevice(DeviceID(0), source: MemorySource(trace))],
      options: options)
    #expect(alone == merged)
  }
}

@Suite struct PolicyAndActionTests {
  /// The scripted person answers prompts; arming stays the trace's own.
  @Test func aPolicyReplacesAnswersAlone() throws {
    let trace = trace(
      samples: Array(stride(from: 0, through: 4000, by: 1000)),
      actions: [(500, .arm), (600, .confirm), (4200, .continue), (4500, .pause)], end: 9000)
    let policy = ScriptedPolicy(confirmAfter: .seconds(1), continueAfter: .seconds(1))
    let alone = try VirtualRun<PromptDetector>.run(
      .init(), on: MemorySource(trace), options: RunOptions(policy: policy))
    let expected: [(Int64, String, Int)] = [
      (500, "arm", -1), (4000, "prompt", -1), (4500, "pause", -1), (5000, "confirm", -1),
      (6000, "continue", -1),
    ]
    #expect(same(milliseconds(alone.detections), expected))
    let merged = try VirtualRun<PromptDetector>.run(
      [.init()], on: [ReplayDevice(DeviceID(0), source: MemorySource(trace))],
      options: RunOptions(policy: policy))
    #expect(merged == alone)
  }

  @Test func armedPunchesSurviveAPolicy() throws {
    var trace = trace(samples: [0, 10, 20, 400, 800], actions: [(5, .arm)], end: 1000)
    var columns = VectorColumns()
    for (time, x) in [(0, 0), (10, 50), (20, 0), (400, 0), (800, 0)] as [(Int64, Float)] {
      columns.append(
        Acceleration(x: x, y: 0, z: 0), measured: time * 1_000_000, arrived: time * 1_000_000)
    }
    trace.set(.vector(columns), for: .userAcceleration)
    for name in ["magnitude", "hitThat"] {
      let parameters = try #require(PunchDetector.preset(named: name))
        .parameters(for: trace.header)
      for policy in [nil, ScriptedPolicy()] {
        let result = try VirtualRun<PunchDetector>.run(
          parameters, on: MemorySource(trace), options: RunOptions(policy: policy))
        #expect(result.detections.count == 1, "\(name)")
      }
    }
  }

  @Test func backwardActionTimesAreAnErrorInBothRuns() {
    let bad = trace(samples: [0, 10], actions: [(8, .arm), (3, .disarm)])
    #expect(throws: TraceError.self) {
      try VirtualRun<SilenceDetector>.run(.init(), on: MemorySource(bad))
    }
    #expect(throws: TraceError.self) {
      try VirtualRun<SilenceDetector>.run(
        [.init()], on: [ReplayDevice(DeviceID(0), source: MemorySource(bad))])
    }
  }

  @Test func aSwingAtTheVeryEndIsReportedByEveryRun() throws {
    var trace = trace(samples: [0, 10, 20])
    var columns = VectorColumns()
    for (time, x) in [(0, 0), (10, 60), (20, 10)] as [(Int64, Float)] {
      columns.append(
        Acceleration(x: x, y: 0, z: 0), measured: time * 1_000_000, arrived: time * 1_000_000)
    }
    trace.set(.vector(columns), for: .userAcceleration)
    let parameters = PunchDetector.preset(named: "magnitude")!.parameters(for: trace.header)
    let alone = try VirtualRun<PunchDetector>.run(parameters, on: MemorySource(trace))
    #expect(alone.detections.map(\.onset.nanoseconds) == [10_000_000])
    #expect(alone.detections.map(\.emitted.nanoseconds) == [20_000_000])
    let merged = try VirtualRun<PunchDetector>.run(
      [parameters],
      on: [ReplayDevice(DeviceID(0), source: MemorySource(trace))])
    #expect(merged == alone)
  }

  /// Each device ends with its own trace, however long the others go on.
  @Test func aShorterDeviceEndsByItself() throws {
    func punchTrace(_ id: String, end: Int64) -> Trace {
      var trace = trace(id, samples: [0], end: end)
      var columns = VectorColumns()
      for (time, x) in [(0, 0), (10, 60), (20, 10)] as [(Int64, Float)] {
        columns.append(
          Acceleration(x: x, y: 0, z: 0), measured: time * 1_000_000, arrived: time * 1_000_000)
      }
      trace.set(.vector(columns), for: .userAcceleration)
      return trace
    }
    let (short, long) = (punchTrace("short", end: 50), punchTrace("long", end: 60_000))
    let parameters = PunchDetector.preset(named: "magnitude")!.parameters(for: short.header)
    let start = TraceInstant(nanoseconds: 100_000_000)
    let merged = try VirtualRun<PunchDetector>.run(
      [parameters, parameters],
      on: [
        ReplayDevice(DeviceID(0), source: MemorySource(short), start: start),
        ReplayDevice(DeviceID(1), source: MemorySource(long)),
      ])
    #expect(merged.detections.map(\.device.index) == [0, 1])
    #expect(merged.detections.map { $0.emitted.nanoseconds / 1_000_000 } == [150, 60_000])

    // A dead man's switch fires for the long one, not after the short one's end.
    let silence = try VirtualRun<SilenceDetector>.run(
      [.init(), .init()],
      on: [short, long].enumerated().map {
        ReplayDevice(DeviceID($0.offset), source: MemorySource($0.element))
      })
    #expect(silence.detections.map(\.device.index) == [1])
  }

  /// A source may end with an empty block as well as with none.
  @Test func anEmptyBlockEndsTheChannel() throws {
    final class EmptySource: TraceSource {
      let header: TraceHeader
      init(_ header: TraceHeader) { self.header = header }
      func nextBlock(of channel: Channel, limit: Int) throws(TraceError) -> ChannelBlock? {
        ChannelBlock(emptyFor: channel)
      }
    }
    let header = trace(samples: [0]).header
    let result = try VirtualRun<SilenceDetector>.run(.init(), on: EmptySource(header))
    #expect(result.readings == 0)
  }
}

@Suite struct BadTraceTests {
  @Test func backwardArrivalIsAnErrorThatSaysWhere() {
    let bad = trace(samples: [0, 10, 20, 15, 30])
    for size in [1, 2, 4096] {
      #expect {
        try VirtualRun<SilenceDetector>.run(
          .init(), on: MemorySource(bad), options: RunOptions(blockSize: size))
      } throws: { error in
        "\(error)"
          == "t:/user_acceleration[3]: expected an arrival at 0.02 s or later, found 0.015 s; "
          + "reorder the recording with convert --sort"
      }
    }
    #expect(throws: TraceError.self) {
      try VirtualRun<SilenceDetector>.run(
        [.init()], on: [ReplayDevice(DeviceID(0), source: MemorySource(bad))])
    }
  }

  @Test func duplicatedTimesReplayAsTheyAre() throws {
    let result = try VirtualRun<SilenceDetector>.run(
      .init(), on: MemorySource(trace(samples: [0, 10, 10, 10, 20])))
    #expect(result.readings == 5)
  }

  @Test func missingChannelNamesTheStepThatHelps() {
    var with = trace(samples: [])
    with.remove(.userAcceleration)
    #expect {
      try VirtualRun<PunchDetector>.run(
        PunchDetector.preset(named: "magnitude")!.parameters(for: with.header),
        on: MemorySource(with))
    } throws: { "\($0)".contains("found no channels") }
    with.set(.vector(VectorColumns()), for: .acceleration)
    #expect {
      try VirtualRun<PunchDetector>.run(
        PunchDetector.preset(named: "magnitude")!.parameters(for: with.header),
        on: MemorySource(with))
    } throws: { "\($0)".contains("--gravity-filter") }
  }
}

@Suite struct DetectionLogTests {
  @Test func linesAreCanonical() {
    let record = DetectionRecord(
      device: DeviceID(2), onset: TraceInstant(nanoseconds: 5),
      emitted: TraceInstant(nanoseconds: 9),
      kind: "visit", label: "a", originalLabel: "b", value: 0.1, place: 7)
    #expect(DetectionLog.line(record) == "9\t5\t2\tvisit\ta\tb\t0.1\t7")
    let bare = DetectionRecord(onset: .zero, emitted: .zero, kind: "x")
    #expect(DetectionLog.text([bare, bare]) == "0\t0\t0\tx\t\t\tnan\t-\n0\t0\t0\tx\t\t\tnan\t-\n")
  }
}
