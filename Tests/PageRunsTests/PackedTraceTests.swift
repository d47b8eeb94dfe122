import PageRuns
import Synthesis
import TestSupport
import Testing
import TraceModel

@Suite struct PackedTraceTests {
  /// One of each kind of scenario, which together have every channel that is simulated.
  static var traces: [ScenarioSpec] { LongTests.firstOfEachKind(Synthesizer.corpus, \.kind) }

  @Test(.longer, arguments: traces)
  func packedTracesRoundTrip(spec: ScenarioSpec) throws {
    let trace = try CorpusFile.trace(spec)
    let channels = trace.header.channels.map(\.channel)
    let read = try PackedTrace.trace(from: PackedTrace.bytes(of: trace, channels: channels))
    #expect(read.header.end == trace.header.end)
    #expect(read.header.places == trace.header.places)
    #expect(read.header.ignoreZones == trace.header.ignoreZones)
    #expect(read.header.channels.map(\.channel) == channels)
    for channel in channels { #expect(isSame(read[channel], trace[channel]), "\(channel)") }
    #expect(read.header.references.map(\.task) == trace.header.references.map(\.task))
    for (mine, own) in zip(read.header.references, trace.header.references) {
      #expect(mine.tolerance == own.tolerance)
      #expect(mine.events.map(\.onset) == own.events.map(\.onset))
      #expect(mine.events.map(\.offset) == own.events.map(\.offset))
      #expect(mine.events.map(\.label) == own.events.map(\.label))
      #expect(mine.events.map(\.place) == own.events.map(\.place))
      #expect(
        mine.events.map(\.value.bitPattern) == own.events.map(\.value.bitPattern))
    }
  }

  /// By text, as NaN differs from itself and -0 equals 0; in the quick run few values of equal blocks.
  private func isSame(_ left: ChannelBlock?, _ right: ChannelBlock?) -> Bool {
    guard let left, let right, left.count == right.count else { return left == right }
    let step = left == right ? LongTests.count(quick: 97, long: 1) : 1
    return stride(from: 0, to: left.count, by: step).allSatisfy {
      "\(left.value(at: $0))" == "\(right.value(at: $0))"
    } && left.measuredTimes == right.measuredTimes && left.arrivedTimes == right.arrivedTimes
  }

  @Test(.longer) func onlyTheNamedChannelsArePacked() throws {
    let trace = try CorpusFile.trace(Self.traces[0])
    let read = try PackedTrace.trace(
      from: PackedTrace.bytes(of: trace, channels: [.userAcceleration, .touch]))
    #expect(read.header.channels.map(\.channel) == [.userAcceleration])
    #expect(read[.userAcceleration] == trace[.userAcceleration])
  }

  @Test func labelsThatAreTextStayText() throws {
    let labels = ["", "jab", "<script>", "\u{202E}x\u{0}", String(repeating: "ä", count: 40_000)]
    let events = labels.enumerated().map {
      ReferenceEvent(onset: TraceInstant(nanoseconds: .min + Int64($0.offset)), label: $0.element)
    }
    let read = try PackedTrace.events(from: PackedTrace.bytes(of: events))
    #expect(read.dropLast().map(\.label) == Array(labels.dropLast()))
    // 65,535 bytes at most; half a letter becomes a replacement character.
    #expect(read[4].label.utf8.count <= 65_537 && read[4].label.hasPrefix("ääää"))
    #expect(read.map(\.onset) == events.map(\.onset))
  }

  /// Damaged bytes give an error or another trace, and never more memory than they have bytes for.
  @Test(.longer) func damagedBytesAreNoFault() throws {
    let trace = Synthesizer.trace(
      try ScenarioSpec(kind: .punches, subject: 1, seed: 3, duration: 20))
    let whole = PackedTrace.bytes(of: trace, channels: [.userAcceleration, .action])
    let bytes = Array(whole.prefix(4000))
    for length in 0..<min(bytes.count, LongTests.count(quick: 300, long: 4000)) {
      #expect(throws: TraceError.self) {
        try PackedTrace.trace(from: Array(bytes.prefix(length)))
      }
    }
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<LongTests.count(quick: 200, long: 20_000) {
      var damaged = whole
      for _ in 0...Int(generator.uniform(0...4)) {
        let place = Int(generator.uniform(0...0.999_999) * Double(min(damaged.count, 5000)))
        damaged[place] = UInt8(truncatingIfNeeded: generator.next())
      }
      _ = try? PackedTrace.trace(from: damaged)
    }
  }
}
