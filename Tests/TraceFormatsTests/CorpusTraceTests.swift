import Foundation
import Synchronization
@testable import Synthesis
import TestSupport
import Testing
import TraceFormats
import TraceModel

/// The simulated traces of the repository, which `SynthCommandTests` compares with those that the
/// program makes.
@Suite struct CorpusTraceTests {
  static let specs = Synthesizer.corpus
  static let motions = specs.filter(\.kind.isMotion)

  private static let read = Mutex<[ScenarioSpec: Trace]>([:])

  /// Reads each once.
  private static func trace(_ spec: ScenarioSpec) throws -> Trace {
    if let trace = read.withLock({ $0[spec] }) { return trace }
    let trace = try NativeTrace.read(
      Fixtures.traces.appending(path: "synthetic/\(spec.id).h5").path)
    read.withLock { $0[spec] = trace }
    return trace
  }

  @Test(arguments: specs)
  func corpusTraceIsWhole(_ spec: ScenarioSpec) throws {
    let trace = try Self.trace(spec)
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

  @Test(arguments: motions)
  func motionTraceHasBothAccelerationsAndItsPunches(_ spec: ScenarioSpec) throws {
    let trace = try Self.trace(spec)
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

  @Test(arguments: specs.filter(\.kind.isCourse))
  func courseHasItsReferences(_ spec: ScenarioSpec) throws {
    let header = try Self.trace(spec).header
    let tasks = header.references.map(\.task)
    #expect(header.track != nil)
    #expect(tasks.contains(.distance) && tasks.contains(.movingTime))
    #expect(tasks.contains(spec.kind == .route ? .visit : .split))
    #expect(header.places.isEmpty == (spec.kind != .route))
  }

  @Test(arguments: motions)
  func readingsStayWithinTheRailAndOnTheSteps(_ spec: ScenarioSpec) throws {
    let trace = try Self.trace(spec)
    let phone = Subject(number: spec.subject).phone
    guard case .vector(let columns)? = trace[.acceleration] else {
      Issue.record("no acceleration")
      return
    }
    let rail = Float(phone.rail)
    #expect(trace.header.info(.acceleration)?.attributes["saturation"] == "\(phone.rail)")
    for axis in [columns.x, columns.y, columns.z] {
      #expect(axis.allSatisfy { $0.magnitude <= rail })
      #expect(
        axis.prefix(2000).allSatisfy {
          let steps = Double($0) / (phone.rail / 32768)
          return (steps - steps.rounded()).magnitude < 0.01
        })
    }
    // A wide range holds all punches into the air.
    let isHit = phone.rail < 100 || Subject(number: spec.subject).target == .pad
    if spec.kind == .punches, isHit {
      #expect((columns.x + columns.z).contains { $0.magnitude > 0.9999 * rail })
    }
  }

  @Test(arguments: motions)
  func timesKeepTheirRateAndJitter(_ spec: ScenarioSpec) throws {
    let phone = Subject(number: spec.subject).phone
    #expect((0.994...1.006).contains(phone.rateFactor))
    let times = try #require(Self.trace(spec)[.acceleration]).measuredTimes
    let interval = 1e9 / (spec.sampleRate * phone.rateFactor)
    var missed = 0
    var worst = 0.0
    for (earlier, later) in zip(times, times.dropFirst()) {
      let steps = (Double(later - earlier) / interval).rounded()
      missed += Int(steps) - 1
      worst = max(worst, (Double(later - earlier) - steps * interval).magnitude)
    }
    #expect(worst <= 2 * Phone.largestJitter * 1e9 + 1)
    #expect((1...60).contains(missed))
    // Jitter does not add up: the last sample is where the rate puts it.
    let last = Double(times.count - 1 + missed) * interval
    #expect((Double(times.last ?? 0) - last).magnitude <= Phone.largestJitter * 1e9 + 1)
  }
}
