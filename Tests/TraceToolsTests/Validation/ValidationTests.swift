import Testing
import TraceModel
import TraceTools

/// Each check finds what was planted, says it in full, and finds nothing where nothing is.
@Suite struct ValidationTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var trace: Trace
    /// What is found, as ``line(_:)`` writes it.
    var expected: [String]

    init(_ name: String, _ trace: Trace, _ expected: [String]) {
      self.name = name
      self.trace = trace
      self.expected = expected
    }

    var testDescription: String { name }
  }

  static func line(_ finding: Finding) -> String {
    func text(_ time: TraceInstant?) -> String { time.map { "\($0.nanoseconds)" } ?? "-" }
    return "\(finding.severity) \(finding.code) \(finding.place) \(text(finding.start)) "
      + "\(text(finding.end)) x\(finding.count): \(finding.message)"
      + (finding.repair.map { " => \($0)" } ?? "")
  }

  @Test(arguments: clean + times + values + positions + headers)
  func findings(of each: Case) {
    let found = Validation.findings(in: each.trace).map(Self.line)
    #expect(found == each.expected)
  }

  static let clean: [Case] = [
    Case("at rest", MadeTrace.rest(), []),
    Case("gravity removed", MadeTrace.rest(channel: .userAcceleration, gravity: 0), []),
    Case("turning", MadeTrace.rest(channel: .rotationRate, gravity: 0), []),
    Case("walk", MadeTrace.walk(), []), Case("climb", MadeTrace.climb(), []),
    // Two readings lost are not yet a gap.
    Case(
      "two readings lost",
      MadeTrace.rest().changingVectors { times, values in
        times.removeSubrange(500..<502)
        values.removeSubrange(500..<502)
      }, []),
    Case(
      "a train is no teleport",
      MadeTrace.walk().changingFixes { _, fixes in
        for index in fixes.indices { fixes[index].longitude = 11 + 1e-3 * Double(index) }
      }, []),
    Case(
      "a recording made at 0, 0",
      MadeTrace.walk().changingFixes { _, fixes in
        for index in fixes.indices {
          fixes[index].latitude = 0
          fixes[index].longitude = 1.3e-5 * Double(index)
        }
      }, []),
    Case(
      "visits one after the other",
      MadeTrace.walk().stating([.from(10, to: 20), .from(20, to: 30)]), []),
  ]

  static let times: [Case] = [
    Case(
      "different readings of one time",
      MadeTrace.rest().changingVectors { times, _ in
        for index in [101, 102, 301] { times[index] = times[index - 1] }
      }, []),
    Case(
      "duplicate seconds and copies",
      MadeTrace.walk().changingFixes { times, fixes in
        times[11] = times[10]
        for index in [51, 52] { (times[index], fixes[index]) = (times[50], fixes[50]) }
      }, []),
    Case(
      "times go back",
      MadeTrace.rest().changingVectors { times, _ in
        times.swapAt(700, 705)
      }, []),
    Case(
      "a clock that stands still",
      MadeTrace.walk(count: 184).changingFixes { times, _ in
        for index in times.indices { times[index] = index == 0 ? 0 : 344_000 }
      }, []),
    Case(
      "batches",
      MadeTrace.rest().changingVectors { times, _ in
        for index in times.indices { times[index] = times[index / 5 * 5] }
      }, []),
    Case(
      "a pause",
      MadeTrace.rest().changingVectors { times, values in
        times.removeSubrange(1000..<1080)
        values.removeSubrange(1000..<1080)
        times.removeSubrange(200..<204)
        values.removeSubrange(200..<204)
      }, []),
    Case(
      "half the rate for a while",
      MadeTrace.rest().changingVectors { times, _ in
        for index in times.indices where index > 1500 {
          times[index] += Int64(index - 1500) * 10_000_000
        }
      }.changingHeader { $0.end = TraceInstant(nanoseconds: 25 * MadeTrace.second) }, []),
    Case(
      "jitter from the middle on",
      MadeTrace.rest().changingVectors { times, _ in
        for index in times.indices where index > 1000 && index % 2 == 0 {
          times[index] += 4_000_000
        }
      }, []),
    Case(
      "holes at label boundaries",
      holes(at: (1...20).map { Double($0) * 0.9 }).stating(
        (0..<10).map { .from(0.9 + Double($0) * 1.8, to: 1.8 + Double($0) * 1.8) }), []),
    Case(
      "the same holes elsewhere",
      holes(at: (1...20).map { Double($0) * 0.9 }).stating(
        (0..<10).map { .from(0.4 + Double($0) * 1.8, to: 1.3 + Double($0) * 1.8) }), []),
  ]

  /// Five readings missing after each of some times, in seconds.
  static func holes(at seconds: [Double]) -> Trace {
    MadeTrace.rest().changingVectors { times, values in
      let kept = times.indices.filter { index in
        !seconds.contains {
          times[index] > Int64($0 * 1e9) && times[index] <= Int64($0 * 1e9) + 50_000_000
        }
      }
      (times, values) = (kept.map { times[$0] }, kept.map { values[$0] })
    }
  }

  static let values: [Case] = [
    Case(
      "cut at 8 g",
      MadeTrace.rest().changingVectors { _, values in
        for index in 0..<60 {
          let peak = 30 + Float(index)
          for step in 0..<3 { values[index * 30 + step].x = min(78.453, peak + Float(step)) }
        }
      }, []),
    Case(
      "a hung sensor",
      MadeTrace.rest().changingVectors { _, values in
        for index in 500..<650 { values[index] = values[500] }
      }, []),
    Case(
      "hung for less than a second",
      MadeTrace.rest().changingVectors { _, values in
        for index in 500..<590 { values[index] = values[500] }
      }, []),
    Case(
      "a dead sensor",
      MadeTrace.rest().changingVectors { _, values in
        for index in values.indices { values[index] = Vector3(x: 0, y: 0, z: 9.5) }
      }, []),
    Case("gravity was removed", MadeTrace.rest(gravity: 0), []),
    Case("gravity is still in it", MadeTrace.rest(channel: .userAcceleration), []),
    Case("recorded in g", MadeTrace.rest(gravity: 1, noise: 0.005), []),
    Case(
      "broken readings",
      MadeTrace.rest().changingVectors { _, values in
        values[100].y = 1e9
        values[200].z = -.infinity
      }, []),
    Case(
      "degrees a second",
      MadeTrace.rest(channel: .rotationRate, gravity: 0, noise: 300), []),
    Case(
      "hectopascals",
      MadeTrace.climb().changingScalars { _, values in
        for index in values.indices { values[index].value /= 100 }
      }, []),
    Case(
      "missing samples",
      MadeTrace.rest().changingVectors { _, values in
        for index in 700..<730 { values[index].x = .nan }
      }, []),
    Case(
      "few missing samples",
      MadeTrace.climb(count: 300).changingScalars { _, values in values[7].value = .nan }, []),
  ]

  static let positions: [Case] = [
    Case(
      "a jump and back",
      MadeTrace.walk().changingFixes { _, fixes in fixes[100].latitude += 0.01 }, []),
    Case(
      "codes for not known",
      MadeTrace.walk().changingFixes { _, fixes in
        for index in 3..<9 { fixes[index].speed = -1 }
        fixes[4].horizontalAccuracy = -1
      }, []),
    Case(
      "fixes at 0, 0",
      MadeTrace.walk().changingFixes { _, fixes in
        for index in [0, 150] {
          fixes[index].latitude = 0
          fixes[index].longitude = 0
        }
      }, []),
    Case(
      "broken fixes",
      MadeTrace.walk().changingFixes { _, fixes in
        fixes[20].latitude = 91
        fixes[30].altitude = 1e7
      }, []),
    Case(
      "a phone on a table",
      MadeTrace.walk().changingFixes { _, fixes in
        for index in fixes.indices { fixes[index] = fixes[0] }
      }, []),
  ]

  static let headers: [Case] = [
    Case(
      "no clock and no reference",
      MadeTrace.rest().changingHeader {
        $0.isEpochKnown = false
        $0.references = []
      }, []),
    Case(
      "the end too early",
      MadeTrace.walk().changingHeader { $0.end = TraceInstant(nanoseconds: MadeTrace.second) }, []),
    Case("nothing", Trace(header: MadeTrace.rest().header), []),
    Case("an empty channel", MadeTrace.walk().adding(.pressure), []),
    Case(
      "references that cannot be",
      MadeTrace.walk().stating(
        [
          .from(10, to: 30, place: 7), .from(20, to: 40, place: 7), .from(50, to: 45),
          .from(290, to: 310),
        ], of: .visit), []),
    Case(
      "instants twice",
      MadeTrace.rest().stating([.from(3, to: 3), .from(3, to: 3), .from(4, to: 4)]), []),
  ]
}

extension Trace {
  fileprivate func adding(_ channel: Channel) -> Trace {
    var copy = self
    copy.set(ChannelBlock(emptyFor: channel), for: channel)
    return copy
  }
}
