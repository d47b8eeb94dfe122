import Synchronization
import TestSupport
import Testing
import TraceModel

@testable import Synthesis

@Suite struct PunchMotionTests {
  static let specs = Synthesizer.corpus.filter { $0.kind == .punches }
  static let all = Synthesizer.corpus.filter(\.kind.hasPunches)

  private static let made = Mutex<[ScenarioSpec: (MotionScenario, [ReferenceEvent])]>([:])

  /// The scenario with the references of its strikes, each made once.
  private static func played(
    _ spec: ScenarioSpec
  ) -> (scenario: MotionScenario, events: [ReferenceEvent]) {
    if let made = made.withLock({ $0[spec] }) { return made }
    let scenario = MotionScenario(spec)
    let events = scenario.punchReference().events
    made.withLock { $0[spec] = (scenario, events) }
    return (scenario, events)
  }

  /// The reference of a punch that is stopped against a plain search: every microsecond around the
  /// impact.
  @Test(.longer, arguments: specs)
  func onsetIsThePeakOfTheExactMotion(_ spec: ScenarioSpec) {
    let (scenario, events) = Self.played(spec)
    let stopped = zip(scenario.strikes, events).filter { !$0.0.isSwing }
    #expect(stopped.count > 20)
    for (strike, event) in stopped.prefix(LongTests.count(quick: 4, long: 12)) {
      #expect(event.offset == event.onset)
      var best = (time: 0.0, magnitude: 0.0)
      func search(_ microseconds: StrideTo<Int>) {
        for microsecond in microseconds {
          let time = Double(microsecond) / 1e6
          let magnitude = scenario.model.userAcceleration(at: time).magnitude
          if magnitude > best.magnitude { best = (time, magnitude) }
        }
      }
      let start = Int((strike.start * 1e6).rounded(.down))
      let end = Int(((strike.impact.upperBound + 0.05) * 1e6).rounded(.up))
      // Coarse over the whole punch, then fine around the best.
      search(stride(from: start, to: end, by: 250))
      for (reach, step) in [(300, 10), (15, 1)] {
        let middle = Int((best.time * 1e6).rounded())
        search(stride(from: middle - reach, to: middle + reach, by: step))
      }
      #expect((event.onset.seconds - best.time).magnitude < 2e-6, "\(spec.id) \(best)")
      #expect((event.value / best.magnitude - 1).magnitude < 1e-6)
    }
  }

  /// The reference of a swing against a plain search: every 10 microseconds of it.
  @Test(.longer, arguments: all)
  func aSwingIsTheTimeAboveHalfOfItsPeak(_ spec: ScenarioSpec) {
    let (scenario, events) = Self.played(spec)
    let swings = zip(scenario.strikes, events).filter { $0.0.isSwing }
    #expect(swings.isEmpty == (scenario.subject.target == .pad && spec.kind == .punches))
    for (strike, event) in swings.prefix(LongTests.count(quick: 1, long: 8)) {
      #expect(strike.technique.isRound || spec.kind == .lightPunches)
      let times = stride(from: strike.start, to: strike.impact.upperBound, by: 1e-5)
      let heights = times.map { ($0, scenario.model.userAcceleration(at: $0).magnitude) }
      guard let peak = heights.max(by: { $0.1 < $1.1 }) else { continue }
      #expect((event.value / peak.1 - 1).magnitude < 3e-5)
      let above = heights.filter { $0.1 >= peak.1 / 2 }.map(\.0)
      #expect(event.onset.seconds >= (above.first ?? 0) - 2e-5)
      #expect(event.offset.seconds <= (above.last ?? 0) + 2e-5)
      let inside = heights.filter {
        ((event.onset.seconds + 1e-5)...(event.offset.seconds - 1e-5)).contains($0.0)
      }
      #expect(inside.allSatisfy { $0.1 >= peak.1 / 2 * 0.98 } && inside.count > 5000)
    }
  }

  /// Right jab +x, left jab -x, uppercut -y, thrust +z at the end of the motion; the other axes
  /// stay behind in spite of grip and style.
  @Test(arguments: specs)
  func stopsPointWhereTheTechniqueSays(_ spec: ScenarioSpec) {
    let (scenario, events) = Self.played(spec)
    for (strike, event) in zip(scenario.strikes, events) where !strike.isSwing {
      let user = scenario.model.userAcceleration(at: event.onset.seconds)
      let along =
        switch strike.technique {
        case .jab, .hook: spec.hand == .right ? user.x : -user.x
        case .uppercut: -user.y
        case .thrust: user.z
        }
      #expect(along > 0.75 * user.magnitude, "\(spec.id) \(strike.technique) \(user)")
    }
  }

  /// Hard punches of a person are harder, and overlap with soft ones, as recorded ones do.
  @Test(arguments: specs)
  func hardIsHarderThanSoftWithinAPerson(_ spec: ScenarioSpec) throws {
    let (scenario, events) = Self.played(spec)
    func peaks(_ force: Force) -> [Double] {
      zip(scenario.strikes, events).filter { $0.0.force == force && !$0.0.isSwing }
        .map(\.1.value).sorted()
    }
    let (soft, hard) = (peaks(.soft), peaks(.hard))
    try #require(soft.count > 5 && hard.count > 5)
    let ratio = hard[hard.count / 2] / soft[soft.count / 2]
    #expect((1.05...1.6).contains(ratio), "\(spec.id) \(ratio)")
  }

  /// A swing has no rest in between, and a light one is less than half of the others.
  @Test func lightSwingsAreLight() throws {
    func median(_ kind: ScenarioKind) throws -> Double {
      let (scenario, events) = Self.played(try ScenarioSpec(kind: kind, subject: 2))
      let peaks = zip(scenario.strikes, events).filter(\.0.isSwing).map(\.1.value).sorted()
      try #require(peaks.count > 10)
      return peaks[peaks.count / 2]
    }
    #expect(try median(.lightPunches) < 0.5 * median(.punches))
    #expect((18...28).contains(try median(.lightPunches)))
  }

  @Test(arguments: specs)
  func swingAndStopLastAsLongAsHandsNeed(_ spec: ScenarioSpec) {
    let scenario = Self.played(spec).scenario
    for strike in scenario.strikes {
      let drive = strike.impact.lowerBound - strike.start
      let stop = strike.impact.upperBound - strike.impact.lowerBound
      if strike.isSwing {
        #expect(drive == 0 && (0.22...0.5).contains(stop))
      } else {
        #expect((0.0999...0.4501).contains(drive))
        #expect((0.0699...0.1201).contains(stop))
      }
    }
    let gaps = zip(scenario.strikes, scenario.strikes.dropFirst()).map {
      $1.impact.lowerBound - $0.impact.lowerBound
    }
    #expect(gaps.allSatisfy { $0 > 0.28 }, "\(spec.id) \(gaps.min() ?? 0)")
    #expect(gaps.contains { $0 < 0.75 } == !spec.isHoldToArm)
  }

  @Test(arguments: specs.filter(\.isHoldToArm))
  func everyPunchIsArmedAndSomeHoldsHaveNoPunch(_ spec: ScenarioSpec) {
    let scenario = Self.played(spec).scenario
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
    let spec = try ScenarioSpec(kind: .punches, subject: 3, duration: 40, isHoldToArm: true)
    guard case .action(let columns)? = MadeTraces.trace(spec)[.action] else {
      Issue.record("no actions")
      return
    }
    #expect(columns.count > 4)
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
    let headers = try [1, 2].map { try ScenarioSpec(kind: .fight, subject: $0, duration: 20) }
      .map { MadeTraces.trace($0).header }
    #expect(headers.allSatisfy { $0.isEpochKnown && $0.epoch == "2025-01-01T12:00:00Z" })
  }
}

extension MotionModel {
  /// Returns the acceleration without gravity, in the device's frame, m s-2.
  fileprivate func userAcceleration(at time: Double) -> Vector {
    attitude(at: time).toDevice(bodyAcceleration(at: time))
  }
}
