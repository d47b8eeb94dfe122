import Detectors
import Replay
import Testing
import TraceModel

/// Batching moves the algorithmic latency by what can be computed by hand, and leaves the onsets
/// alone.
@Suite struct BatchedLatencyTests {
  /// 100 Hz for 3 s, quiet but for two swings: beyond 30 m/s2 from 500 to 520 ms with its peak at
  /// 510 ms, and at 1,500 ms alone.
  private var swings: Trace {
    var trace = trace(samples: [], end: 3000)
    var columns = VectorColumns()
    let peaks: [Int64: Float] = [500: 40, 510: 60, 520: 35, 1500: 50]
    for time in stride(from: Int64(0), to: 3000, by: 10) {
      columns.append(
        Acceleration(x: peaks[time] ?? 0, y: 0, z: 0), measured: time * millisecond,
        arrived: time * millisecond)
    }
    trace.set(.vector(columns), for: .userAcceleration)
    return trace
  }

  /// (onset, emitted, newest measured), ms.
  private func punches(_ trace: Trace) throws -> [[Int64]] {
    let parameters = PunchDetector.preset(named: "magnitude")!.parameters(for: trace.header)
    return try VirtualRun<PunchDetector>.run(parameters, on: MemorySource(trace)).detections.map {
      [$0.onset, $0.emitted, $0.newestMeasured].map { $0.nanoseconds / millisecond }
    }
  }

  @Test func onsetsStayAndEmissionsWaitForTheirBatch() throws {
    // The peak window is 250 ms from the first sample beyond the threshold, inclusive: 500 + 250 =
    // 750 is in it, and the sample of 760 closes it; likewise 1,760. So 250 ms after the peak of
    // 510, and 260 ms after that of 1,500.
    #expect(try punches(swings) == [[510, 760, 760], [1500, 1760, 1760]])

    // Android's queue with a report latency of 1 s (3,000 readings never fill it):
    //   0 ... 1,000 ms (101 readings) come at 1,000,
    //   1,010 ... 2,010 (101) at 2,010,
    //   2,020 ... 2,990 (98) would come at 3,020, after the end at 3,000.
    var batched = try #require(Delivery.preset(named: "android-batched")).delivery
    batched.batchLatency = 1
    let (delivered, report) = batched.apply(to: swings)
    let counts = try #require(report[.userAcceleration])
    #expect((counts.recorded, counts.delivered, counts.undelivered) == (300, 202, 98))
    #expect(counts.longestWait == 1000 * millisecond)

    // The sample of 760 comes at 1,000: 240 ms of waiting. That of 1,760 comes at 2,010: 250 ms.
    // The latency from the peak is 250 + 240 = 490 ms, and 260 + 250 = 510 ms.
    #expect(try punches(delivered) == [[510, 1000, 760], [1500, 2010, 1760]])
  }

  /// Nothing is detected twice or elsewhere where a timer fetches the readings: what closes the
  /// windows at 760 and 1,760 is fetched at the next multiple of 32 ms, 768 and 1,760 + 0.
  @Test func ticksMoveEmissionsToTheTick() throws {
    let delivered = delivery { $0.tick = 0.032 }.apply(to: swings).trace
    #expect(try punches(delivered) == [[510, 768, 760], [1500, 1760, 1760]])
  }

  /// The same readings in blocks of any size.
  @Test func everyPresetIsTheSameForEveryBlockSize() throws {
    for preset in Delivery.presets {
      for seed in UInt64(1)...3 {
        let delivered = preset.delivery.apply(to: swings, seed: seed).trace
        let parameters = PunchDetector.preset(named: "magnitude")!.parameters(for: delivered.header)
        let logs = try [1, 7, 4096].map { size in
          DetectionLog.text(
            try VirtualRun<PunchDetector>.run(
              parameters, on: MemorySource(delivered), options: RunOptions(blockSize: size)
            ).detections)
        }
        #expect(Set(logs).count == 1, "\(preset.name), seed \(seed)")
      }
    }
  }
}
