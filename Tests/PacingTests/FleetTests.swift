import Detectors
import Pacing
import Replay
import Testing
import TraceModel

@Suite struct FleetTests {
  private static func recording() -> Trace {
    var random = SeededGenerator(seed: 5)
    var columns = VectorColumns()
    for index in 0..<400 {
      let time = Int64(index) * 10_000_000
      let swing: Float = index % 60 < 5 ? 50 : 0
      columns.append(
        Acceleration(x: swing + Float(random.unit()), y: 0, z: 0), measured: time, arrived: time)
    }
    var trace = Trace(header: TraceHeader(id: "t", origin: .synthetic))
    trace.header.end = TraceInstant(nanoseconds: 4_000_000_000)
    trace.set(.vector(columns), for: .userAcceleration)
    return trace
  }

  private func fleet(_ devices: Int) -> Fleet {
    let lane = FleetLane(
      channel: .userAcceleration, detector: "punch", recordings: [Self.recording()]
    ) { device, options in
      try DeviceStream(
        PunchDetector.self,
        PunchDetector.preset(named: "magnitude")!.parameters(for: device.source.header),
        on: device.source, device: device.id, start: device.start, options: options)
    }
    return Fleet(lanes: [lane], devices: devices, duration: .seconds(2), seed: 3)
  }

  /// The steps of a fleet come from its streams alone: as those of each device by itself.
  @Test func everyDeviceDeliversItsPart() throws {
    var timeline = try fleet(50).timeline()
    var records: [DetectionRecord] = []
    var delivered: [DeviceID: Int] = [:]
    var last = TraceInstant(nanoseconds: .min)
    while let step = try timeline.step(into: &records) {
      #expect(step.time >= last)
      last = step.time
      if case .readings(let count) = step.kind { delivered[step.device, default: 0] += count }
    }
    // Two seconds at 100 Hz, less the phase.
    #expect(delivered.count == 50 && delivered.values.allSatisfy { (199...200).contains($0) })
    #expect(records.count > 100)
    var again: [DetectionRecord] = []
    var whole = try fleet(50).timeline()
    try whole.run(into: &again)
    #expect(again == records)
  }
}
