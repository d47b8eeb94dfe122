import Detectors
import Replay
import TestSupport
import Testing
import TraceModel

private struct PlayRecorder: PacingObserver {
  var timings: [StepTiming] = []
  var detections: [DetectionRecord] = []

  mutating func stepped(_ timing: StepTiming) { timings.append(timing) }
  mutating func detected(_ records: [DetectionRecord]) { detections += records }
}

/// A packed timeline makes the steps of the ordinary one: the same detections at the same steps.
@Suite struct PackedTimelineTests {
  /// Some people on one clock, with detectors with and without deadlines, policies, equal arrivals,
  /// deliveries with faults, and blocks of any size.
  private struct RandomFleet {
    let traces: [Trace]
    let starts: [Int64]
    let blockSizes: [Int]
    let seed: UInt64

    init(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      let recordings = (0..<3).map { RandomFleet.recording($0, &random) }
      let presets = Delivery.presets
      let traces = (0..<Int(1 + random.next() % 12)).map { _ in
        var trace = recordings[Int(random.next() % 3)]
        if random.unit() < 0.3 {
          let preset = presets[Int(random.next() % UInt64(presets.count))]
          trace = preset.delivery.apply(to: trace, seed: random.next()).trace
        }
        return trace
      }
      self.traces = traces
      // Few different ones, so that devices arrive together.
      starts = traces.map { _ in Int64(random.next() % 4) * 5_000_000 - 5_000_000 }
      blockSizes = traces.map { _ in [1, 3, 4096][Int(random.next() % 3)] }
      self.seed = seed
    }

    private static func recording(_ index: Int, _ random: inout SeededGenerator) -> Trace {
      var samples: [Int64] = []
      var actions: [(Int64, Action)] = []
      var beats = HeartbeatColumns()
      var time: Int64 = 0
      for sequence in 0..<Int64(random.next() % 80) {
        time += [0, 1, 10, 10, 10, 400, 999, 1000, 1001][Int(random.next() % 9)]
        switch random.next() % 10 {
        case 0: actions.append((time, Action.allCases.randomElement(using: &random) ?? .arm))
        case 1...3:
          beats.append(
            Heartbeat(peer: Int32(random.next() % 3), sequence: sequence),
            measured: time * 1_000_000, arrived: time * 1_000_000)
        default: samples.append(time)
        }
      }
      var recording = trace("r\(index)", samples: samples, actions: actions, end: time + 700)
      recording.set(.heartbeat(beats), for: .heartbeat)
      return recording
    }

    /// New streams: up to four per device.
    func streams() throws -> [DeviceStream] {
      var random = SeededGenerator(seed: seed + 1)
      var streams: [DeviceStream] = []
      for (index, trace) in traces.enumerated() {
        func add<D: Detector>(_ type: D.Type, policy: ScriptedPolicy? = nil) throws {
          streams.append(
            try DeviceStream(
              D.self, D.presets[0].parameters(for: trace.header), on: MemorySource(trace),
              device: DeviceID(index), start: TraceInstant(nanoseconds: starts[index]),
              options: RunOptions(blockSize: blockSizes[index], policy: policy)))
        }
        try add(SilenceDetector.self)
        if random.unit() < 0.5 { try add(PromptDetector.self) }
        if random.unit() < 0.5 { try add(PromptDetector.self, policy: ScriptedPolicy(seed: seed)) }
        if random.unit() < 0.5 { try add(PresenceDetector.self) }
      }
      return streams
    }
  }

  private func steps(
    _ timeline: Timeline
  ) throws -> ([StreamStep], [[DetectionRecord]], RunResult) {
    var timeline = timeline
    var steps: [StreamStep] = []
    var records: [[DetectionRecord]] = []
    while let next = timeline.next {
      var found: [DetectionRecord] = []
      let step = try #require(try timeline.step(into: &found))
      #expect(step.time == next)
      steps.append(step)
      records.append(found)
    }
    return (steps, records, timeline.result)
  }

  @Test(.longer) func stepsAreTheSameInRandomFleets() throws {
    var kinds: Set<String> = []
    for seed in 0..<LongTests.count(quick: UInt64(40), long: 600) {
      let fleet = RandomFleet(seed: 100 * seed)
      let plain = try steps(Timeline(try fleet.streams()))
      let packed = try steps(Timeline(packing: try fleet.streams()))
      #expect(packed.0 == plain.0, "seed \(seed)")
      #expect(packed.1 == plain.1, "seed \(seed)")
      #expect(packed.2 == plain.2, "seed \(seed)")
      kinds.formUnion(plain.1.joined().map(\.kind))

      var (whole, all): ([DetectionRecord], [DetectionRecord]) = ([], [])
      var timeline = Timeline(packing: try fleet.streams())
      try timeline.run(into: &all)
      #expect(timeline.next == nil)
      var virtual = Timeline(try fleet.streams())
      try virtual.run(into: &whole)
      #expect(all == whole, "seed \(seed)")
    }
    // Deadlines, actions, prompts and answers were among them.
    #expect(kinds.isSuperset(of: ["gone", "arm", "prompt", "confirm", "absent"]), "\(kinds)")
  }

  @Test(.longer) func pacedTimingsAreTheSame() throws {
    for seed in 0..<LongTests.count(quick: UInt64(10), long: 100) {
      let fleet = RandomFleet(seed: 100 * seed)
      let ends = zip(fleet.traces, fleet.starts).map { $0.header.end.nanoseconds + $1 }
      let window = TraceInstant.zero..<TraceInstant(nanoseconds: max(1, ends.max() ?? 0))
      func play(
        _ make: @escaping ([DeviceStream]) -> Timeline
      ) throws -> (PacedResult, PlayRecorder) {
        let clock = ScriptedClock()
        (clock.cost, clock.oversleep) = (70_000, 300_000)
        var run = PacedRun(
          PacingOptions(
            stalls: [Stall(at: .milliseconds(900), length: .seconds(1))]),
          window: window, clock: clock, observer: PlayRecorder()
        ) { _ in make(try fleet.streams()) }
        return (try run.play(), run.observer)
      }
      let plain = try play { Timeline($0) }
      let packed = try play { Timeline(packing: $0) }
      #expect(packed.0 == plain.0, "seed \(seed)")
      #expect(packed.1.timings == plain.1.timings, "seed \(seed)")
      #expect(packed.1.detections == plain.1.detections, "seed \(seed)")
    }
  }

  @Test func consumersStayInTheirStreams() throws {
    let trace = trace(samples: [0, 10, 20], end: 50)
    let expected = try VirtualRun<PromptDetector>.run(
      .init(), on: MemorySource(trace), device: DeviceID(1))
    func streams() throws -> [DeviceStream] {
      let record = DetectionRecord(
        Detection(onset: .zero, emitted: .zero, event: PromptDetector.Event(kind: "played")),
        device: DeviceID(0))
      return [
        try DeviceStream(
          PlayedDetections([(input: 1, record: record)], measurements: []),
          channel: .userAcceleration, name: "played", on: MemorySource(trace)),
        try DeviceStream(
          PromptDetector.self, .init(), on: MemorySource(trace), device: DeviceID(1)),
      ]
    }
    let plain = try steps(Timeline(try streams()))
    let packed = try steps(Timeline(packing: try streams()))
    #expect(packed.0 == plain.0 && packed.1 == plain.1 && packed.2 == plain.2)
    #expect(packed.1.joined().map(\.kind) == ["played"] + expected.detections.map(\.kind))
    #expect(packed.2.readings == 6)
  }

  @Test func aLaterBlockThatGoesBackIsTheSameError() throws {
    let trace = trace(samples: [0, 10, 20, 15, 30], end: 50)
    func fault(_ make: ([DeviceStream]) -> Timeline) throws -> TraceError? {
      var timeline = make([
        try DeviceStream(
          SilenceDetector.self, .init(), on: MemorySource(trace), options: .init(blockSize: 2))
      ])
      var records: [DetectionRecord] = []
      do {
        while try timeline.step(into: &records) != nil {}
        return nil
      } catch { return error }
    }
    let plain = try #require(try fault { Timeline($0) })
    #expect(plain.place == "t:/user_acceleration[3]")
    #expect(try fault { Timeline(packing: $0) } == plain)
  }

  @Test func streamsKeepTheirMeasurements() throws {
    let stream = try DeviceStream(
      SilenceDetector.self, .init(), on: MemorySource(trace(samples: [0, 10], end: 20)))
    var timeline = Timeline(packing: [stream])
    var records: [DetectionRecord] = []
    try timeline.run(into: &records)
    #expect(stream.measurements == [Measurement("count", 2, unit: "")])
    #expect(stream.readings == 2)
    #expect(timeline.result.measurements[DeviceID(0)] == stream.measurements)
  }

  @Test func aTimelineOfNothingEnds() throws {
    var timeline = Timeline(packing: [])
    var records: [DetectionRecord] = []
    #expect(timeline.next == nil)
    #expect(try timeline.step(into: &records) == nil)
    #expect(timeline.result == RunResult())
  }
}
