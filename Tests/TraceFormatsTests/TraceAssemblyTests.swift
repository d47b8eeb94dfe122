import Testing
import TraceModel

@testable import TraceFormats

@Suite struct TraceAssemblyTests {
  private static let rows = 30_000

  /// Readings of several types, on a clock that starts long after zero.
  private func assembly(budget: Int, seed: UInt64) throws -> TraceAssembly {
    var generator = SeededGenerator(seed: seed)
    var assembly = TraceAssembly(spool: ReadingSpool(budget: budget))
    let axes = assembly.open(.acceleration)
    let location = assembly.open(.location)
    let local = assembly.open(.local)
    let pressure = assembly.open(.pressure)
    let beats = assembly.open(.heartbeat)
    for row in 0..<Int64(Self.rows) {
      let time = 1_700_000_000_000_000_000 + row * 10_000_000
      let value = Double(generator.next() >> 40)
      try assembly.append(
        Vector3(x: Float(value), y: Float(row), z: -1), to: axes, measured: time,
        // Only the last chunks have separate arrival times.
        arrived: row < 20_000 ? time : time + 5)
      guard row % 3 == 0 else { continue }
      try assembly.append(
        Fix(latitude: value / 1e6, longitude: 1, speed: 2), to: location, measured: time,
        arrived: time)
      try assembly.append(
        LocalPosition(x: value / 1e3, y: -0.1), to: local, measured: time, arrived: time)
      try assembly.append(
        Scalar(value: value), to: pressure, measured: time - 7, arrived: time)
      try assembly.append(
        Heartbeat(peer: Int32(row % 5), sequence: row), to: beats, measured: time, arrived: time)
    }
    return assembly
  }

  private func finished(budget: Int, seed: UInt64) throws -> ImportedTrace {
    try assembly(budget: budget, seed: seed).finish(
      TraceHeader(id: "a", origin: .recorded), report: ImportReport(), isAbsolute: true)
  }

  @Test(arguments: [0, 1 << 20])
  func whatLiesInAFileIsReadBackAsItWas(budget: Int) throws {
    let held = try finished(budget: .max, seed: 7)
    let spilled = try finished(budget: budget, seed: 7)
    // NaN in fixes: compared as text.
    let texts = try [held, spilled].map { try described($0) }
    #expect(texts[0] == texts[1])
    let trace = try spilled.trace
    #expect(trace[.acceleration]?.count == Self.rows)
    // The pressure is 7 ns before everything else, so the trace begins there.
    #expect(spilled.origin == 1_700_000_000_000_000_000 - 7)
    #expect(trace[.acceleration]?.measuredTimes.first == 7)
    #expect(trace[.pressure]?.arrivedTimes?.first == 7)
    #expect(trace[.acceleration]?.arrivedTimes?[20_000] == 200_000_000_012)
    #expect(trace.header.epoch == "2023-11-14T22:13:19.999999993Z")
  }

  @Test func aSourceBeginsAnewAndGivesNoMoreThanIsAskedFor() throws {
    let imported = try finished(budget: 0, seed: 8)
    for limit in [1_000, 8_192, 100_000] {
      let source = imported.source
      var times: [Int64] = []
      while let block = try source.nextBlock(of: .location, limit: limit) {
        #expect(block.count <= limit)
        times += block.measuredTimes[block.range]
      }
      #expect(times == (0..<10_000).map { 7 + $0 * 30_000_000 })
    }
    #expect(try imported.source.nextBlock(of: .heading, limit: 1) == nil)
  }

  @Test func sortingPutsArrivalsInOrderAndLeavesWhatIsInOrder() throws {
    var assembly = TraceAssembly(spool: ReadingSpool(budget: 0))
    let pressure = assembly.open(.pressure)
    for time in [5, 1, 3, 1] as [Int64] {
      try assembly.append(
        Scalar(value: Double(time), accuracy: 0), to: pressure, measured: time, arrived: time)
    }
    #expect(assembly.earliest == 1)
    let sorted = try assembly.finish(
      TraceHeader(id: "a", origin: .recorded), report: ImportReport(), sort: true)
    #expect(try sorted.trace[.pressure]?.measuredTimes == [0, 0, 2, 4])
    #expect(sorted.header.end.nanoseconds == 4 && !sorted.header.isEpochKnown)
  }

  @Test func aChannelWithoutReadingsStays() throws {
    var assembly = TraceAssembly()
    _ = assembly.open(.location)
    let imported = try assembly.finish(
      TraceHeader(id: "a", origin: .recorded), report: ImportReport(), isAbsolute: true)
    #expect(try imported.trace[.location]?.isEmpty == true)
    #expect(imported.header.epoch == TraceHeader.unknownEpoch)
  }
}
