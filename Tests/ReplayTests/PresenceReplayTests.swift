import Detectors
import Replay
import Testing
import TraceModel

/// Absence fires at deadlines: the same ones whether a detector runs alone on whole blocks or among
/// other devices on single readings.
@Suite struct PresenceReplayTests {
  private static func trace(seed: UInt64) -> Trace {
    var random = SeededGenerator(seed: seed)
    var header = TraceHeader(id: "p\(seed)", origin: .synthetic)
    var columns = HeartbeatColumns()
    var time: Int64 = 0
    for sequence in 0..<600 {
      time += Int64(random.unit() < 0.97 ? random.unit() * 6e8 : random.unit() * 2e10)
      columns.append(
        Heartbeat(peer: Int32(random.unit() * 5), sequence: Int64(sequence)),
        measured: time - Int64(random.unit() * 1e9), arrived: time)
    }
    header.end = TraceInstant(nanoseconds: time + 7_000_000_000)
    var trace = Trace(header: header)
    trace.set(.heartbeat(columns), for: .heartbeat)
    return trace
  }

  @Test(arguments: PresenceDetector.presets.map(\.name))
  func mergedAndAloneAreTheSame(preset: String) throws {
    let traces = (1...3).map { Self.trace(seed: $0) }
    let parameters = try traces.map {
      try #require(PresenceDetector.preset(named: preset)).parameters(for: $0.header)
    }
    let devices = traces.enumerated().map {
      ReplayDevice(DeviceID($0.offset), source: MemorySource($0.element))
    }
    let merged = try VirtualRun<PresenceDetector>.run(parameters, on: devices)
    for (index, trace) in traces.enumerated() {
      for blockSize in [1, 4096] {
        let alone = try VirtualRun<PresenceDetector>.run(
          parameters[index], on: MemorySource(trace), device: DeviceID(index),
          options: RunOptions(blockSize: blockSize))
        let same = merged.detections.filter { $0.device == DeviceID(index) }
        #expect(alone.detections == same)
        #expect(alone.measurements[DeviceID(index)] == merged.measurements[DeviceID(index)])
        #expect(alone.detections.contains { $0.kind == "absent" })
        #expect(alone.detections.allSatisfy { $0.emitted <= trace.header.end })
      }
    }
  }
}
