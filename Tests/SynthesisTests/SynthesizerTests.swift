@testable import Synthesis
import TestSupport
import Testing
import TraceModel

/// A trace's references and channels in a form in which NaN equals itself.
private struct Fingerprint: Equatable {
  var values: [UInt64] = []
  var texts: [String] = []
  var blocks: [ChannelBlock?]

  init(_ trace: Trace) {
    blocks = Channel.allCases.map { trace[$0] }
    texts = [trace.header.id, trace.header.source, trace.header.subject]
    values = [UInt64(bitPattern: trace.header.end.nanoseconds)]
    for set in trace.header.references {
      texts.append(set.task.rawValue)
      for event in set.events {
        texts.append(event.label + event.originalLabel + event.hand.name)
        values += [
          UInt64(bitPattern: event.onset.nanoseconds), event.value.bitPattern,
          UInt64(bitPattern: event.offset.nanoseconds),
        ]
      }
    }
    for place in trace.header.places {
      values += [place.latitude.bitPattern, place.longitude.bitPattern]
    }
    if let track = trace.header.track {
      values += (track.latitudes + track.longitudes).map(\.bitPattern)
    }
  }
}

@Suite struct SynthesizerTests {
  @Test(arguments: ScenarioKind.allCases)
  func sameSpecificationGivesTheSameBits(_ kind: ScenarioKind) throws {
    let duration = kind.isCourse ? nil : kind == .drags ? 40.0 : 15
    let spec = try ScenarioSpec(kind: kind, subject: 3, seed: 11, duration: duration)
    let other = try ScenarioSpec(kind: kind, subject: 3, seed: 12, duration: duration)
    let first = Fingerprint(Synthesizer.trace(spec))
    #expect(first == Fingerprint(Synthesizer.trace(spec)))
    #expect(first.blocks != Fingerprint(Synthesizer.trace(other)).blocks)
  }

  private static func rates(of kind: ScenarioKind) -> ClosedRange<Double> {
    switch kind {
    case .drags: 20...240
    case .presence: 1...5
    default: kind.isMotion ? 20...400 : 0.2...10
    }
  }

  /// Nothing that the specification admits may trap or leave the references' order.
  @Test(.longer, arguments: 0..<LongTests.count(quick: 10, long: 40) as Range<UInt64>)
  func everyAdmittedSpecificationPlays(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let kind = ScenarioKind.allCases[Int(random.unit() * Double(ScenarioKind.allCases.count))]
    let spec = try ScenarioSpec(
      kind: kind, subject: 1 + Int(random.unit() * 99), hand: random.unit() < 0.5 ? .left : .right,
      seed: random.next(),
      duration: kind.isCourse ? nil : random.uniform(kind == .drags ? 60...90 : 10...60),
      sampleRate: random.uniform(Self.rates(of: kind)),
      isHoldToArm: kind.hasPunches && random.unit() < 0.5,
      surroundings: kind.isCourse && random.unit() < 0.5 ? .forest : .open)
    let trace = Synthesizer.trace(spec)
    #expect(trace.header.channels.contains { $0.count > 100 }, "seed \(seed): \(spec.id)")
    for event in trace.header.references.flatMap(\.events) {
      #expect(event.onset >= .zero && event.onset <= event.offset, "seed \(seed): \(spec.id)")
      #expect(event.offset <= trace.header.end, "seed \(seed): \(spec.id)")
    }
    if case .action(let columns)? = trace[.action] {
      let times = columns.measuredTimes
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "seed \(seed): \(spec.id)")
      #expect(times.allSatisfy { $0 >= 0 && $0 <= trace.header.end.nanoseconds })
    }
  }
}
