import Testing
import TraceModel

@testable import Synthesis

@Suite struct PunchMotionTests {
  static let specs = Synthesizer.corpus.filter { $0.kind == .punches }

  /// The reference against a plain search: every microsecond around the impact.
  @Test(arguments: specs)
  func onsetIsThePeakOfTheExactMotion(_ spec: ScenarioSpec) {
    let scenario = MotionScenario(spec)
    let events = scenario.punchReference().events
    for (strike, event) in zip(scenario.strikes, events).prefix(12) {
      var best = (time: 0.0, magnitude: 0.0)
      let start = Int((strike.start * 1e6).rounded(.down))
      let end = Int(((strike.impact.upperBound + 0.05) * 1e6).rounded(.up))
      // Coarse over the whole punch, then fine around the best.
      for microsecond in stride(from: start, to: end, by: 50) {
        let time = Double(microsecond) / 1e6
        let magnitude = scenario.model.userAcceleration(at: time).magnitude
        if magnitude > best.magnitude { best = (time, magnitude) }
      }
      let coarse = Int((best.time * 1e6).rounded())
      for microsecond in (coarse - 60)...(coarse + 60) {
        let time = Double(microsecond) / 1e6
        let magnitude = scenario.model.userAcceleration(at: time).magnitude
        if magnitude > best.magnitude { best = (time, magnitude) }
      }
      #expect((event.onset.seconds - best.time).magnitude < 2e-6, "\(spec.id) \(best)")
      #expect((event.value / best.magnitude - 1).magnitude < 1e-6)
    }
  }

  /// Right jab +x, left jab -x, uppercut -y, thrust +z at the end of the motion; the other axes
  /// stay behind in spite of grip and style.
  @Test(arguments: specs)
  func stopsPointWhereTheTechniqueSays(_ spec: ScenarioSpec) {
    let scenario = MotionScenario(spec)
    for strike in scenario.strikes {
      let peak = scenario.model.peak(in: strike.impact)
      let user = scenario.model.userAcceleration(at: peak.time)
      let along =
        switch strike.technique {
        case .jab: spec.hand == .right ? user.x : -user.x
        case .uppercut: -user.y
        case .thrust: user.z
        }
      #expect(along > 0.75 * user.magnitude, "\(spec.id) \(strike.technique) \(user)")
    }
  }

  @Test(arguments: specs)
  func hardAndSoftDoNotOverlapWithinAPerson(_ spec: ScenarioSpec) throws {
    let scenario = MotionScenario(spec)
    func peaks(_ force: Force) -> [Double] {
      scenario.strikes.filter { $0.force == force }
        .map { scenario.model.peak(in: $0.impact).magnitude }
    }
    let softest = try #require(peaks(.hard).min())
    let hardest = try #require(peaks(.soft).max())
    #expect(hardest < softest, "\(spec.id)")
    #expect(peaks(.soft).count > 15 && peaks(.hard).count > 15)
  }

  @Test(arguments: specs)
  func swingAndStopLastAsLongAsHandsNeed(_ spec: ScenarioSpec) {
    let scenario = MotionScenario(spec)
    for strike in scenario.strikes {
      let drive = strike.impact.lowerBound - strike.start
      let stop = strike.impact.upperBound - strike.impact.lowerBound
      #expect((0.0999...0.3001).contains(drive))
      #expect((0.0099...0.0901).contains(stop))
    }
    let gaps = zip(scenario.strikes, scenario.strikes.dropFirst()).map {
      $1.impact.lowerBound - $0.impact.lowerBound
    }
    #expect(gaps.allSatisfy { $0 > 0.28 }, "\(spec.id) \(gaps.min() ?? 0)")
    #expect(gaps.contains { $0 < 0.55 } == !spec.isHoldToArm)
  }

  @Test(arguments: specs.filter(\.isHoldToArm))
  func everyPunchIsArmedAndSomeHoldsAreInVain(_ spec: ScenarioSpec) {
    let scenario = MotionScenario(spec)
    let pairs = zip(scenario.holds, scenario.holds.dropFirst())
    #expect(pairs.allSatisfy { $0.upperBound < $1.lowerBound })
    var used = 0
    for hold in scenario.holds {
      let inside = scenario.strikes.filter { hold.contains($0.start) }
      #expect(inside.count <= 1)
      guard let strike = inside.first else { continue }
      used += 1
      #expect((0.299...0.801).contains(strike.start - hold.lowerBound))
      #expect((0.299...0.601).contains(hold.upperBound - strike.impact.upperBound))
    }
    #expect(used == scenario.strikes.count)
    #expect(scenario.holds.count > used)
  }

  @Test func armedTraceAlternates() throws {
    let spec = try #require(PunchMotionTests.specs.first { $0.isHoldToArm })
    guard case .action(let columns)? = MadeTraces.trace(spec)[.action] else {
      Issue.record("no actions")
      return
    }
    for (index, action) in columns.values.enumerated() {
      #expect(action == (index % 2 == 0 ? .arm : .disarm))
    }
  }

  /// Each punch lies in a turn of its person, within a hold; the fourth is followed by one more,
  /// out of turn.
  @Test(arguments: [1, 2]) func fightersTakeTurns(subject: Int) throws {
    let scenario = MotionScenario(try ScenarioSpec(kind: .fight, subject: subject))
    let turns = scenario.strikes.map { Int($0.start / Choreography.turnDuration) }
    #expect(turns.allSatisfy { $0 % 2 == subject % 2 })
    #expect(zip(turns, turns.dropFirst()).filter { $0 == $1 }.count == 1 && turns[3] == turns[4])
    #expect(scenario.holds.count == scenario.strikes.count && scenario.strikes.count >= 9)
    for (hold, strike) in zip(scenario.holds, scenario.strikes) {
      #expect(hold.contains(strike.start) && hold.contains(strike.impact.upperBound))
      #expect(scenario.model.peak(in: strike.impact).magnitude > 30)
    }
    let pairs = zip(scenario.holds, scenario.holds.dropFirst())
    #expect(pairs.allSatisfy { $0.upperBound < $1.lowerBound })
  }

  @Test func theTwoSidesOfAFightAreOnOneClock() throws {
    let headers = try [1, 2].map { try ScenarioSpec(kind: .fight, subject: $0) }
      .map { MadeTraces.trace($0).header }
    #expect(headers.allSatisfy { $0.isEpochKnown && $0.epoch == "2025-01-01T12:00:00Z" })
  }
}
