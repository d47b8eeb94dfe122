import Detectors
import Synthesis
import TestSupport
import Testing
import TraceModel

@testable import AppEngines
@testable import HikeApp

/// The original against the default: how soon they prompt, and how often rightly.
@Suite struct HikeComparisonTests {
  private let hike = SimulatedHikeTests()

  private struct Result {
    var delays: [Double] = []
    var right = 0
    var wrong = 0
    var missed = 0

    /// The harmonic mean of precision and recall.
    var f1: Double { 2 * Double(right) / Double(2 * right + wrong + missed) }
    func quantile(_ share: Double) -> Double {
      Sample.quantile(share, ofSorted: delays.sorted()) ?? .nan
    }
    var text: String {
      func text(_ value: Double, _ decimals: Int) -> String {
        HikeCompass.text(value, decimals: decimals)
      }
      return "prompt delay p50 \(text(quantile(0.5), 1)) s, p90 \(text(quantile(0.9), 1)) s, "
        + "F1 \(text(f1, 3)) (\(right) right, \(wrong) wrong, \(missed) missed)"
    }
  }

  /// A prompt is right if the walker is within the circle at that time, within the tolerance of the
  /// reference, and it is the first at that place.
  private func measure(_ trace: Trace, preset: String, into result: inout Result) throws {
    let simulation = try hike.play([trace], preset: preset).simulation
    let reference = try #require(trace.header.reference(.visit))
    let tolerance = reference.tolerance ?? .seconds(10)
    var visits = reference.events
    for prompt in simulation.detections where prompt.kind == "prompt" {
      let index = visits.firstIndex { visit in
        visit.place == prompt.place && visit.onset <= prompt.emitted.advanced(by: tolerance)
          && prompt.emitted <= visit.offset.advanced(by: tolerance)
      }
      guard let index else {
        result.wrong += 1
        continue
      }
      result.right += 1
      result.delays.append(Double(visits[index].onset.nanoseconds(to: prompt.emitted)) / 1e9)
      let place = visits[index].place
      visits.removeAll { $0.place == place }
    }
    result.missed += Set(visits.compactMap(\.place)).count
  }

  private func measure(_ specs: [ScenarioSpec]) throws -> (original: Result, ours: Result) {
    var results = (original: Result(), ours: Result())
    for spec in specs {
      let trace = MadeTraces.trace(spec)
      try measure(trace, preset: "goHike", into: &results.original)
      try measure(trace, preset: "default", into: &results.ours)
    }
    return results
  }

  /// F1 and the quantiles 0.5 and 0.9 of the delays in seconds, as RULES.md states them.
  struct Figures {
    var f1: Double
    var p50: Double
    var p90: Double
  }

  private func expect(_ result: Result, _ stated: Figures, _ name: String) {
    print("\(name): \(result.text)")
    #expect(abs(result.f1 - stated.f1) < 0.001, "\(name)")
    #expect(abs(result.quantile(0.5) - stated.p50) < 0.06, "\(name)")
    #expect(abs(result.quantile(0.9) - stated.p90) < 0.06, "\(name)")
  }

  /// Twelve routes of twelve people.
  @Test(arguments: [
    (
      Surroundings.open, Figures(f1: 0.965, p50: 1.4, p90: 21.4),
      Figures(f1: 0.965, p50: 1.5, p90: 21.4)
    ),
    (
      .forest, Figures(f1: 0.942, p50: 3.9, p90: 27.1),
      Figures(f1: 0.942, p50: 4.3, p90: 27.2)
    ),
  ])
  func theDefaultPromptsAsSoonWithNoMoreWrongPrompts(
    surroundings: Surroundings, original: Figures, ours: Figures
  ) throws {
    let results = try measure(
      (1...12).map {
        try ScenarioSpec(
          kind: .route, subject: $0, seed: UInt64($0), surroundings: surroundings)
      })
    expect(results.original, original, "12 routes, \(surroundings), goHike")
    expect(results.ours, ours, "12 routes, \(surroundings), default")
    #expect(results.ours.f1 >= results.original.f1)
    #expect(results.ours.quantile(0.5) < results.original.quantile(0.5) + 1)
    #expect(results.ours.quantile(0.9) < results.original.quantile(0.9) + 1)
  }

  /// The specifications of two committed route traces.
  @Test(arguments: [
    (
      1, Surroundings.open, Figures(f1: 0.857, p50: 3.0, p90: 7.9),
      Figures(f1: 0.857, p50: 3.0, p90: 7.9)
    ),
    (2, .forest, Figures(f1: 1, p50: 12.4, p90: 25.3), Figures(f1: 1, p50: 12.4, p90: 25.3)),
  ])
  func theCommittedRoutes(
    subject: Int, surroundings: Surroundings, original: Figures, ours: Figures
  ) throws {
    let results = try measure([
      ScenarioSpec(kind: .route, subject: subject, surroundings: surroundings)
    ])
    expect(results.original, original, "route \(subject), \(surroundings), goHike")
    expect(results.ours, ours, "route \(subject), \(surroundings), default")
  }

  /// A replay shows the delays as outcomes.
  @Test func delaysAreOutcomes() throws {
    var trace = try hike.trace(1)
    let simulation = try hike.play([trace], preset: "default").simulation
    let delays = ["prompt_delay_p50", "prompt_delay_p90"].map { hike.value($0, simulation) }
    let entries = try #require(trace.header.reference(.visit)).events
    let own = simulation.detections.filter { $0.kind == "prompt" }.compactMap { prompt in
      entries.first { $0.place == prompt.place }.map {
        Double($0.onset.nanoseconds(to: prompt.emitted)) / 1e9
      }
    }
    for (delay, share) in zip(delays, [0.5, 0.9]) {
      let expected = try #require(Sample.quantile(share, ofSorted: own.sorted()))
      #expect(abs((delay.flatMap { $0 } ?? .nan) - expected) < 1e-12)
    }
    #expect(own.count == trace.header.places.count)
    trace.header.references = []
    let unknown = try hike.play([trace], preset: "default").simulation
    #expect(hike.value("prompt_delay_p50", unknown) == .none)
  }

  // MARK: Counted violations

  @Test(.longer) func onlyTheFreeOrderLeavesTheRoute() throws {
    var (free, ranked) = (0.0, 0.0)
    for subject in 1...LongTests.count(quick: 8, long: 16) {
      let trace = MadeTraces.trace(
        try ScenarioSpec(
          kind: .route, subject: subject, seed: UInt64(subject), surroundings: .forest))
      for preset in ["default", "goHike"] {
        let simulation = try hike.play([trace], preset: preset).simulation
        ranked += try #require(hike.value("visits_out_of_order", simulation))
      }
      let simulation = try hike.play([trace], preset: "freeOrder").simulation
      free += try #require(hike.value("visits_out_of_order", simulation))
    }
    #expect(ranked == 0)
    #expect(free > 0, "the waypoint off the street is sometimes nearer than the one before it")
  }

  /// A fix that may be 500 m wrong prompts in the original.
  @Test func promptsByBadFixesAreCounted() throws {
    var trace = try hike.trace(1)
    guard case .fix(let good) = trace[.location] else { return }
    var columns = FixColumns()
    for index in good.range {
      var fix = good[index]
      if index % 2 == 0 { fix.horizontalAccuracy = 500 }
      columns.append(
        fix, measured: good.measured(at: index).nanoseconds,
        arrived: good.arrived(at: index).nanoseconds)
    }
    trace.set(.fix(columns), for: .location)
    let original = try hike.play([trace], preset: "goHike").simulation
    let ours = try hike.play([trace], preset: "default").simulation
    #expect(try #require(hike.value("bad_fix_prompts", original)) > 0)
    #expect(hike.value("bad_fix_prompts", ours) == 0)
    #expect(try #require(hike.value("visits", ours)) > 0)
  }

  /// The second upload is lost, and then the first one is confirmed late: the original takes the
  /// second visit for uploaded.
  @Test func lostCheckInsAreCounted() throws {
    let trace = try hike.trace(1)
    let faults = try ["delay:server-1:1:70s", "lose:1-server:2"].map {
      try ExchangeFault(parsing: $0)
    }
    let original = try hike.play([trace], preset: "goHike", faults: faults).simulation
    let ours = try hike.play([trace], preset: "default", faults: faults).simulation
    #expect(try #require(hike.value("check_ins_lost", original)) > 0)
    #expect(hike.value("check_ins_lost", ours) == 0)
    #expect(original.violations == [] && ours.violations == [])
  }

  /// A walker who may choose begins at the nearest waypoint, and the order wraps.
  @Test func theWalkerChoosesTheFirstWaypoint() throws {
    var trace = try hike.trace(1)
    // The first waypoint of the way becomes the third by rank.
    let places = trace.header.places
    trace.header.places = places.map { place in
      let rank = (place.rank + 2) % Int32(places.count)
      return Place(
        id: place.id, latitude: place.latitude, longitude: place.longitude, radius: place.radius,
        rank: rank)
    }
    let chosen = try hike.play([trace], preset: "chosenNext")
    #expect(chosen.simulation.people[0].visits == [2, 3, 4, 5, 6, 0, 1])
    #expect(hike.value("reward", chosen.simulation) == 1)
    // To wrap around is the order here, and to leave one out is not.
    #expect(hike.value("visits_out_of_order", chosen.simulation) == 0)
    #expect(hike.value("order_kept", chosen.simulation) == 1)
    var astray = chosen.simulation
    astray.people[0].visits = [2, 4, 3, 5, 6, 0, 1]
    #expect(hike.value("visits_out_of_order", astray) == 1)
    #expect(hike.value("order_kept", astray) == 0)
    astray.people[0].visits = [0, 1, 2, 3, 4, 5, 6]
    #expect(hike.value("visits_out_of_order", astray) == 5)
    let ranked = try hike.play([trace], preset: "default").simulation
    #expect(try #require(hike.value("visits", ranked)) < Double(places.count))
  }
}
