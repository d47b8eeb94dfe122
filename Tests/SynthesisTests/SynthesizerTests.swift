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
    let duration = kind.isCourse ? nil : 40.0
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

  @Test(arguments: Synthesizer.corpus)
  func corpusTraceIsWhole(_ spec: ScenarioSpec) throws {
    let trace = MadeTraces.trace(spec)
    let header = trace.header
    #expect(header.id == spec.id)
    #expect(header.origin == .synthetic)
    #expect(header.license == "Apache-2.0")
    #expect(header.seed == spec.seed)
    #expect(header.source.contains(spec.kind.rawValue))
    #expect(!header.references.isEmpty)
    #expect(header.ignoreZones.isEmpty)
    for info in header.channels {
      let block = try #require(trace[info.channel])
      let arrivals = block.arrivedTimes ?? block.measuredTimes
      // Heartbeats overtake each other.
      let isSorted = zip(block.measuredTimes, block.measuredTimes.dropFirst())
        .allSatisfy { $0 < $1 }
      #expect(isSorted || info.channel == .heartbeat)
      #expect(zip(arrivals, arrivals.dropFirst()).allSatisfy { $0 <= $1 })
      #expect(zip(block.measuredTimes, arrivals).allSatisfy { $0 <= $1 })
      #expect((arrivals.last ?? 0) <= header.end.nanoseconds)
    }
    for set in header.references {
      #expect(!set.definition.isEmpty)
      #expect(zip(set.events, set.events.dropFirst()).allSatisfy { $0.onset <= $1.onset })
      for event in set.events {
        #expect(event.onset >= .zero && event.onset <= event.offset)
        #expect(event.offset <= header.end)
      }
    }
  }

  @Test(.longer, arguments: LongTests.everyOther(Synthesizer.corpus.filter(\.kind.isMotion)))
  func motionTraceHasBothAccelerationsAndItsPunches(_ spec: ScenarioSpec) throws {
    let trace = MadeTraces.trace(spec)
    let force = try #require(trace[.acceleration])
    let user = try #require(trace[.userAcceleration])
    let rotation = try #require(trace[.rotationRate])
    #expect(force.measuredTimes == user.measuredTimes)
    #expect(force.measuredTimes == rotation.measuredTimes)
    #expect(force.measuredTimes.first == 0)
    let expected = (spec.duration ?? 0) * spec.sampleRate
    #expect((Double(force.count) / expected - 1).magnitude < 0.008)
    let punches = try #require(trace.header.reference(.punch))
    if spec.kind.hasPunches || spec.kind == .fight {
      #expect((spec.kind == .fight ? 9...11 : 45...110).contains(punches.events.count))
      let classes = [
        "jab": "straight", "thrust": "straight", "uppercut": "uppercut", "hook": "hook",
      ]
      #expect(Set(punches.events.map(\.originalLabel)).isSubset(of: classes.keys))
      #expect(Set(punches.events.map(\.originalLabel)).count > 2)
      #expect(punches.events.allSatisfy { $0.hand == spec.hand })
      #expect(punches.events.allSatisfy { classes[$0.originalLabel] == $0.label })
    } else {
      #expect(punches.events.isEmpty)
      #expect(trace.header.activity == (spec.kind == .falls ? "falling" : spec.kind.rawValue))
    }
  }

  @Test(arguments: Synthesizer.corpus.filter(\.kind.isCourse))
  func courseHasItsReferences(_ spec: ScenarioSpec) throws {
    let header = MadeTraces.trace(spec).header
    let tasks = header.references.map(\.task)
    #expect(header.track != nil)
    #expect(tasks.contains(.distance) && tasks.contains(.movingTime))
    #expect(tasks.contains(spec.kind == .route ? .visit : .split))
    #expect(header.places.isEmpty == (spec.kind != .route))
  }
}
