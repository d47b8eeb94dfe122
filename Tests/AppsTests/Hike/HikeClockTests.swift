import Detectors
import HikeSamples
import TestSupport
import Testing
import TraceModel

@testable import AppEngines
@testable import HikeApp

/// Phones whose wall clock is wrong, or is set on the way.
@Suite struct HikeClockTests {
  private let hike = SimulatedHikeTests()
  static var errors: [Double] {
    LongTests.everyOther([-3600, -60, -20, -1.5, 1.5, 20, 60, 3600])
  }

  private func error(_ seconds: Double) -> ExchangeFault {
    .clock(phone: 0, at: TraceInstant(nanoseconds: .min), by: Int64(seconds * 1e9))
  }

  /// A route without the kept fix with which it begins.
  private func trace() throws -> Trace {
    var trace = try hike.trace(1)
    guard case .fix(let all) = trace[.location] else { return trace }
    var columns = FixColumns()
    for index in all.range
    where all.measured(at: index).nanoseconds(to: all.arrived(at: index)) < 10_000_000_000 {
      columns.append(
        all[index], measured: all.measured(at: index).nanoseconds,
        arrived: all.arrived(at: index).nanoseconds)
    }
    trace.set(.fix(columns), for: .location)
    return trace
  }

  /// The default on the route with an exact clock.
  private static let exact = Result {
    let tests = HikeClockTests()
    return try tests.hike.play([try tests.trace()], preset: "default")
  }

  private func visits(_ simulation: SimulatedHike) -> [String] {
    simulation.people[0].engine.records.map(\.location)
  }

  @Test(.longer, arguments: errors)
  func aConstantErrorCostsTheDefaultNoVisit(seconds: Double) throws {
    let trace = try trace()
    let exact = try Self.exact.get()
    let wrong = try hike.play([trace], preset: "default", faults: [error(seconds)])
    #expect(visits(wrong.simulation) == visits(exact.simulation))
    #expect(hike.value("visits", wrong.simulation) == Double(trace.header.places.count))
    // Behind by more than 15 s: fixes are ignored until that is known.
    let ignored = wrong.events.filter { $0.kind == "fixes-ignored" }
    #expect(ignored.isEmpty == (seconds > -15))
    if seconds == -20 {
      #expect(ignored.map(\.text) == ["fixes ignored: 20 s old"])
      let used = wrong.events.first { $0.kind == "fixes-used" }
      #expect(used?.text == "fixes are used again: the phone's clock is 20 s behind")
    }
  }

  @Test(.longer, arguments: errors, [100.0, 240]) func aStepCostsTheDefaultNoVisit(
    seconds: Double, at time: Double
  ) throws {
    let trace = try trace()
    let step = ExchangeFault.clock(
      phone: 0, at: .zero.advanced(bySeconds: time), by: Int64(seconds * 1e9))
    let exact = try Self.exact.get()
    let wrong = try hike.play([trace], preset: "default", faults: [step])
    #expect(visits(wrong.simulation) == visits(exact.simulation))
    // What a prompt claims as its time is that of the exact clock.
    let prompts = [exact, wrong].map { result in
      result.simulation.detections.filter { $0.kind == "prompt" }
    }
    for (one, other) in zip(prompts[0], prompts[1]) {
      #expect(abs(one.onset.nanoseconds(to: other.onset)) < 16_000_000_000, "\(seconds)")
    }
    // A prompt comes at most the patience and the dwell later.
    let delays = try [exact, wrong].map {
      try #require(hike.value("prompt_delay_p90", $0.simulation))
    }
    #expect(delays[1] <= delays[0] + 13, "\(delays)")
  }

  /// Fault: the original compares with the phone's clock, so that no visit is possible.
  @Test(.longer, arguments: errors)
  func theOriginalMakesNoVisitBeyond15Seconds(seconds: Double) throws {
    let trace = try trace()
    let (simulation, events) = try hike.play(
      [trace], preset: "goHike", faults: [error(seconds)])
    #expect((hike.value("visits", simulation) == 0) == (abs(seconds) > 15))
    let ignored = events.filter { $0.kind == "fixes-ignored" }
    #expect(ignored.count == (abs(seconds) > 15 ? 1 : 0), "once, and not per fix")
    if seconds == 60 {
      #expect(ignored.first?.text.hasSuffix("s in the future") == true)
    }
  }

  /// The log reports a period once, and the fix after it.
  @Test func aPeriodIsReportedOnce() throws {
    var trial = try HikeTrial()
    func fix(_ age: Double) throws {
      let now = trial.now.advanced(bySeconds: 1)
      try trial.give(.fix(HikeSample.fix(north: -500), measured: now.advanced(bySeconds: -age)))
    }
    for age in [0.0, 40, 41, 20, 0, 0, 16, 0] { try fix(age) }
    let notes = trial.effects.filter {
      switch $0 {
      case .fixesIgnored, .fixesUsed: true
      default: false
      }
    }
    #expect(
      notes == [
        .fixesIgnored(age: 40), .fixesUsed(correction: 0), .fixesIgnored(age: 16),
        .fixesUsed(correction: 0),
      ])
  }

  /// Without a route nobody waits for fixes.
  @Test func withoutARouteNothingIsReported() throws {
    var trial = try HikeTrial(route: nil)
    let old = trial.now.advanced(bySeconds: -100)
    try trial.give(.fix(HikeSample.fix(north: 0), measured: old))
    #expect(trial.effects == [])
  }
}
