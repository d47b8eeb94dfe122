import Synthesis
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
    let duration = kind.isMotion ? 40.0 : nil
    let spec = try ScenarioSpec(kind: kind, subject: 3, seed: 11, duration: duration)
    let other = try ScenarioSpec(kind: kind, subject: 3, seed: 12, duration: duration)
    let first = Fingerprint(Synthesizer.trace(spec))
    #expect(first == Fingerprint(Synthesizer.trace(spec)))
    #expect(first.blocks != Fingerprint(Synthesizer.trace(other)).blocks)
  }

  @Test(arguments: Synthesizer.corpus)
  func corpusTraceIsWhole(_ spec: ScenarioSpec) throws {
    let trace = Synthesizer.trace(spec)
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
      #expect(zip(block.measuredTimes, block.measuredTimes.dropFirst()).allSatisfy { $0 < $1 })
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

  @Test(arguments: Synthesizer.corpus.filter(\.kind.isMotion))
  func motionTraceHasBothAccelerationsAndItsPunches(_ spec: ScenarioSpec) throws {
    let trace = Synthesizer.trace(spec)
    let force = try #require(trace[.acceleration])
    let user = try #require(trace[.userAcceleration])
    #expect(force.measuredTimes == user.measuredTimes)
    #expect(force.measuredTimes.first == 0)
    let expected = (spec.duration ?? 0) * spec.sampleRate
    #expect((Double(force.count) / expected - 1).magnitude < 0.008)
    let punches = try #require(trace.header.reference(.punch))
    if spec.kind == .punches {
      #expect((50...110).contains(punches.events.count))
      #expect(Set(punches.events.map(\.originalLabel)) == ["jab", "uppercut", "thrust"])
      #expect(punches.events.allSatisfy { $0.hand == spec.hand })
      #expect(
        punches.events.allSatisfy {
          ($0.label == "uppercut") == ($0.originalLabel == "uppercut")
            && ["straight", "uppercut"].contains($0.label)
        })
    } else {
      #expect(punches.events.isEmpty)
      #expect(trace.header.activity == spec.kind.rawValue)
    }
  }

  @Test(arguments: Synthesizer.corpus.filter { !$0.kind.isMotion })
  func courseHasItsReferences(_ spec: ScenarioSpec) throws {
    let header = Synthesizer.trace(spec).header
    let tasks = header.references.map(\.task)
    #expect(header.track != nil)
    #expect(tasks.contains(.distance) && tasks.contains(.movingTime))
    #expect(tasks.contains(spec.kind == .route ? .visit : .split))
    #expect(header.places.isEmpty == (spec.kind != .route))
  }
}
