import Foundation
import TestSupport
import Testing
import TraceModel

@testable import TraceFormats

@Suite struct NativeTraceTests {
  private let folder: NativeTestFolder

  init() throws { folder = try NativeTestFolder() }

  @Test func everythingComesBack() throws {
    let trace = Trace.sampler
    try NativeTrace.write(trace, to: folder.file("a.h5"))
    let back = try NativeTrace.read(folder.file("a.h5"))
    #expect(fingerprint(back) == fingerprint(trace))
    #expect(try folder.content == ["a.h5"])
    #expect(try NativeTrace.open(folder.file("a.h5")).unread == [])
    #expect(try NativeTrace.readHeader(folder.file("a.h5")).channels == trace.header.channels)
  }

  @Test(.longer, arguments: 0..<LongTests.count(quick: 8, long: 40))
  func anyTraceComesBack(seed: UInt64) throws {
    var random = RandomTrace(seed: seed)
    let trace = random.trace()
    try NativeTrace.write(trace, to: folder.file("a.h5"))
    let back = try NativeTrace.read(folder.file("a.h5"))
    #expect(fingerprint(back) == fingerprint(trace), "seed \(seed)")
  }

  @Test func anEmptyTraceComesBack() throws {
    let trace = Trace(header: TraceHeader(id: "empty", origin: .recorded))
    try NativeTrace.write(trace, to: folder.file("a.h5"))
    #expect(try NativeTrace.read(folder.file("a.h5")) == trace)
  }

  /// An empty set says "nothing happened", a missing one "not known": the two must remain distinct,
  /// and so must an empty channel and none.
  @Test func emptyIsNotMissing() throws {
    var trace = Trace(header: TraceHeader(id: "still", origin: .recorded))
    for channel in Channel.allCases {
      trace.set(ChannelBlock(emptyFor: channel), for: channel)
    }
    trace.set(
      .vector(VectorColumns(times: TimeColumns(measured: [], arrived: []), x: [], y: [], z: [])),
      for: .acceleration)
    trace.header.references = [ReferenceSet(task: .punch, events: [])]
    trace.header.track = ReferenceTrack(times: [], latitudes: [], longitudes: [])
    try NativeTrace.write(trace, to: folder.file("a.h5"))
    #expect(try NativeTrace.read(folder.file("a.h5")) == trace)
    let source = try NativeTrace.open(folder.file("a.h5"))
    #expect(try source.nextBlock(of: .acceleration, limit: 10) == nil)
  }

  @Test func equalTracesMakeEqualBytes() throws {
    try NativeTrace.write(.sampler, to: folder.file("a.h5"))
    try NativeTrace.write(NativeTrace.read(folder.file("a.h5")), to: folder.file("b.h5"))
    #expect(try folder.bytes("a.h5") == folder.bytes("b.h5"))
  }

  /// The file must not depend on the sizes of a source's blocks.
  @Test(arguments: [1000, 32_768, 50_000])
  func theBytesDoNotDependOnTheBlocks(limit: Int) throws {
    let trace = Self.long
    try NativeTrace.write(trace, to: folder.file("a.h5"))
    try NativeTrace.write(ShortSource(trace, limit: limit), to: folder.file("b.h5"))
    #expect(try folder.bytes("a.h5") == folder.bytes("b.h5"))
  }

  @Test(
    .longer,
    arguments: LongTests.areWanted ? [1, 7, 32_768, 32_769, .max, 0, -1] : [1, 7, 32_769, -1])
  func blocksMakeTheWhole(limit: Int) throws {
    let trace = limit > 100 ? Self.long : .sampler
    try NativeTrace.write(trace, to: folder.file("a.h5"))
    let source = try NativeTrace.open(folder.file("a.h5"))
    for info in trace.header.channels {
      var times: [Int64] = []
      var values: [String] = []
      while let block = try source.nextBlock(of: info.channel, limit: limit) {
        #expect(block.count <= max(limit, 1) && !block.isEmpty)
        times += block.measuredTimes[block.range]
        values += block.range.map { "\(block.value(at: $0))" }
      }
      let whole = try #require(trace[info.channel])
      #expect(times == whole.measuredTimes)
      #expect(values == whole.range.map { "\(whole.value(at: $0))" })
      #expect(try source.nextBlock(of: info.channel, limit: limit) == nil)
    }
  }

  @Test func channelsThatAreNotThereHaveNoBlocks() throws {
    try NativeTrace.write(Self.long, to: folder.file("a.h5"))
    let source = try NativeTrace.open(folder.file("a.h5"))
    #expect(try source.nextBlock(of: .location, limit: 5) == nil)
  }

  @Test func aWindowIsWrittenAsItIsSeen() throws {
    var trace = Self.long
    let block = try #require(trace[.acceleration])
    trace.set(block[100..<200], for: .acceleration)
    try NativeTrace.write(trace, to: folder.file("a.h5"))
    let back = try #require(try NativeTrace.read(folder.file("a.h5"))[.acceleration])
    #expect(back.range == 0..<100)
    #expect(back.measuredTimes == Array(block.measuredTimes[100..<200]))
    #expect(back.value(at: 99) == block.value(at: 199))
  }

  /// More labels than 8 bits count are 32-bit codes.
  @Test(arguments: [127, 128, 1000])
  func manyLabelsComeBack(count: Int) throws {
    var trace = Trace(header: TraceHeader(id: "ultra", origin: .recorded))
    trace.header.references = [
      ReferenceSet(
        task: .split,
        events: (0..<count).map {
          ReferenceEvent(
            onset: TraceInstant(nanoseconds: Int64($0)), label: "km \($0)", value: 1)
        })
    ]
    try NativeTrace.write(trace, to: folder.file("a.h5"))
    #expect(try NativeTrace.read(folder.file("a.h5")) == trace)
  }

  /// Onset and offset of each event as written, and the events in the order in which they are read,
  /// by the number of their row.
  @Test(
    arguments: [
      ([(5, 6), (1, 2)], "1 0"), ([(1, 9), (1, 3), (0, 7)], "2 1 0"),
      ([(4, 4), (2, 2), (4, 4), (2, 2), (4, 4)], "1 3 0 2 4"), ([(-1, 0), (-2, 0)], "1 0"),
    ] as [([(Int64, Int64)], String)])
  func eventsAreReadInTheirOrder(rows: [(onset: Int64, offset: Int64)], order: String) throws {
    var trace = Trace(header: TraceHeader(id: "unordered", origin: .recorded))
    let events = rows.enumerated().map { row, times in
      ReferenceEvent(
        onset: TraceInstant(nanoseconds: times.onset),
        offset: TraceInstant(nanoseconds: times.offset), label: "\(row)")
    }
    trace.header.references = [ReferenceSet(task: .punch, events: events)]
    try NativeTrace.write(trace, to: folder.file("a.h5"))
    let read = try #require(try NativeTrace.readHeader(folder.file("a.h5")).reference(.punch))
    #expect(read.events.map(\.label).joined(separator: " ") == order)
    #expect(Set(read.events) == Set(events))
  }

  @Test func longTextsComeBack() throws {
    var trace = Trace(header: TraceHeader(id: "long", origin: .recorded))
    trace.header.source = String(repeating: "a very long story ", count: 10_000)
    try NativeTrace.write(trace, to: folder.file("a.h5"))
    #expect(try NativeTrace.read(folder.file("a.h5")) == trace)
  }

  private static var long: Trace {
    var trace = Trace(header: TraceHeader(id: "long", origin: .recorded))
    let count = 34_000
    trace.set(
      .vector(
        VectorColumns(
          times: TimeColumns(measured: (0..<count).map { Int64($0) * 20_000_003 }),
          x: (0..<count).map { Float($0 % 97) * 0.1 }, y: (0..<count).map { Float($0) },
          z: (0..<count).map { Float($0 % 5) })), for: .acceleration)
    trace.set(
      .scalar(
        ScalarColumns(
          times: TimeColumns(
            measured: (0..<count).map { Int64($0) }, arrived: (0..<count).map { Int64($0) + 5 }),
          values: (0..<count).map { Scalar(value: Double($0), accuracy: 1) })), for: .pressure)
    trace.header.end = TraceInstant(nanoseconds: Int64(count) * 20_000_003)
    return trace
  }
}

/// Yields smaller blocks than requested.
private final class ShortSource: TraceSource {
  let header: TraceHeader
  private let source: MemorySource
  private let limit: Int

  init(_ trace: Trace, limit: Int) {
    header = trace.header
    source = MemorySource(trace)
    self.limit = limit
  }

  func nextBlock(of channel: Channel, limit: Int) throws(TraceError) -> ChannelBlock? {
    try source.nextBlock(of: channel, limit: min(limit, self.limit))
  }
}
