import Replay
import Testing
import TraceModel

@Suite struct TraceWindowTests {
  private static let milliseconds: Int64 = 1_000_000

  private func window(_ trace: Trace, _ start: Int64, _ end: Int64) -> Trace {
    trace.window(
      from: TraceInstant(nanoseconds: start.multipliedClamped(by: Self.milliseconds)),
      to: TraceInstant(nanoseconds: end.multipliedClamped(by: Self.milliseconds)))
  }

  private func times(_ trace: Trace, _ channel: Channel = .userAcceleration) -> [Int64] {
    guard let block = trace[channel] else { return [] }
    return block.range.map { block.measuredTimes[$0] / Self.milliseconds }
  }

  // Samples at 0, 10, 10, 20, 30 ms, end at 40 ms: [start, end) -> samples, end.
  @Test(
    arguments: [
      (0, 40, [0, 10, 10, 20, 30], 40), (0, 100, [0, 10, 10, 20, 30], 40),
      (0, 10, [0], 10), (10, 20, [10, 10], 20), (10, 21, [10, 10, 20], 21), (11, 20, [], 20),
      (30, 31, [30], 31), (31, 40, [], 40), (0, 0, [], 0), (20, 10, [], 10), (-5, 1, [0], 1),
      (-9, -1, [], -1), (.min, .max, [0, 10, 10, 20, 30], 40), (.max, .min, [], .min),
    ] as [(Int64, Int64, [Int64], Int64)])
  func takesWhatArrivesInTheWindow(start: Int64, end: Int64, expected: [Int64], newEnd: Int64) {
    let found = window(trace(samples: [0, 10, 10, 20, 30], end: 40), start, end)
    #expect(times(found) == expected)
    #expect(found.header.info(.userAcceleration)?.count == expected.count)
    #expect(found.header.end.nanoseconds == newEnd.multipliedClamped(by: Self.milliseconds))
  }

  @Test func arrivalsDecideNotMeasuredTimes() {
    var trace = trace(samples: [], end: 100)
    var columns = VectorColumns()
    for (measured, arrived) in [(0, 30), (10, 30), (20, 30), (30, 60)] as [(Int64, Int64)] {
      columns.append(
        Vector3(x: 0, y: 0, z: 0), measured: measured * Self.milliseconds,
        arrived: arrived * Self.milliseconds)
    }
    trace.set(.vector(columns), for: .userAcceleration)
    #expect(times(window(trace, 0, 30)) == [])
    #expect(times(window(trace, 30, 60)) == [0, 10, 20])
    #expect(times(window(trace, 60, 90)) == [30])
  }

  @Test func theRestStays() throws {
    var whole = trace(
      samples: [0, 10, 20], actions: [(5, .arm), (15, .disarm)], end: 30)
    whole.header.references = [
      ReferenceSet(
        task: .punch, events: [ReferenceEvent(onset: TraceInstant(nanoseconds: 25_000_000))])
    ]
    whole.header.ignoreZones = [IgnoreZone(onset: .zero, offset: .zero)]
    let part = window(whole, 10, 20)
    #expect(times(part, .action) == [15])
    #expect(part.header.info(.action)?.attributes == whole.header.info(.action)?.attributes)
    #expect(part.header.references == whole.header.references)
    #expect(part.header.ignoreZones == whole.header.ignoreZones)
    // The run of a window reads what is in it, and a window of a window is the narrower one.
    let result = try VirtualRun<SilenceDetector>.run(.init(), on: MemorySource(part))
    #expect(result.readings == 1)
    #expect(times(window(window(whole, 0, 20), 10, 30)) == [10])
    #expect(window(whole, 0, 31) == whole)
  }

  /// Windows side by side hold every reading once.
  @Test func windowsPartitionATrace() {
    for seed in UInt64(0)..<100 {
      var random = SeededGenerator(seed: seed)
      var time: Int64 = 0
      let samples = (0..<Int.random(in: 0...50, using: &random)).map { _ in
        time += Int64.random(in: 0...3, using: &random)
        return time
      }
      let trace = trace(samples: samples, end: time + 1)
      let cut = Int64.random(in: -1...(time + 2), using: &random)
      let halves = times(window(trace, .min, cut)) + times(window(trace, cut, .max))
      #expect(halves == samples, "seed \(seed), cut at \(cut)")
    }
  }
}

extension Int64 {
  fileprivate func multipliedClamped(by other: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? (self < 0 ? .min : .max) : product
  }
}
