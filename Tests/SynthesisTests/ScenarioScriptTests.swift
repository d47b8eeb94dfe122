import Synthesis
import TestSupport
import Testing
import TraceModel

@Suite struct ScenarioScriptTests {
  private func script(
    _ steps: [ScenarioScript.Step], hand: Hand = .left, isHoldToArm: Bool = false, seed: UInt64 = 4
  ) throws -> ScenarioScript {
    try ScenarioScript(
      name: "mine", subject: 6, hand: hand, seed: seed, isHoldToArm: isHoldToArm, steps: steps)
  }

  @Test func playsItsStepsInOrder() throws {
    let trace = try Synthesizer.trace(
      script([
        .init(.stand, seconds: 3), .init(.punch, count: 9), .init(.walk, seconds: 20),
        .init(.punch, count: 5),
      ]))
    let header = trace.header
    #expect(header.id == "mine" && header.subject == "sim06" && header.activity == "mixed")
    #expect(header.channels.map(\.channel) == [.acceleration, .userAcceleration, .rotationRate])
    let punches = try #require(header.reference(.punch)).events
    // A combination is finished.
    #expect((14...18).contains(punches.count))
    #expect(
      punches.allSatisfy { $0.hand == .left && $0.onset > TraceInstant(nanoseconds: 3_000_000_000) }
    )
    let gaps = zip(punches, punches.dropFirst()).map { $1.onset.seconds - $0.onset.seconds }
    #expect(gaps.filter { $0 > 20 }.count == 1)
    #expect(header.end.seconds > 40 && header.end.seconds < 120)
  }

  @Test func punchesAsTheScriptSays() throws {
    func labels(_ style: PunchStyle) throws -> Set<String> {
      let trace = try Synthesizer.trace(script([.init(.punch, count: 20, punches: style)]))
      #expect(trace.header.activity == "punching")
      return Set(try #require(trace.header.reference(.punch)).events.map(\.originalLabel))
    }
    #expect(try labels(PunchStyle(techniques: [.hook])) == ["hook"])
    #expect(
      try labels(PunchStyle(target: .pad, techniques: [.jab, .uppercut])) == ["jab", "uppercut"])
    func peak(_ style: PunchStyle) throws -> Double {
      let trace = try Synthesizer.trace(script([.init(.punch, count: 30, punches: style)]))
      let values = try #require(trace.header.reference(.punch)).events.map(\.value).sorted()
      return values[values.count / 2]
    }
    let jabs = [Technique.jab]
    let (light, air, pad) = try (
      peak(.init(techniques: jabs, force: .light)),
      peak(.init(target: .air, techniques: jabs, force: .hard)),
      peak(.init(target: .pad, techniques: jabs, force: .hard))
    )
    #expect(light < 0.6 * air && air < 0.8 * pad)
  }

  /// Two or more a second, and otherwise as hard as any.
  @Test func aSeriesIsQuick() throws {
    for target in PunchStyle.Target.allCases {
      let style = PunchStyle(target: target, isSeries: true)
      let trace = try Synthesizer.trace(script([.init(.punch, count: 40, punches: style)]))
      let punches = try #require(trace.header.reference(.punch)).events
      #expect(punches.count == 40 && punches.allSatisfy { $0.onset == $0.offset })
      let gaps = zip(punches, punches.dropFirst()).map { $1.onset.seconds - $0.onset.seconds }
      #expect(gaps.allSatisfy { (0.3...0.6).contains($0) }, "\(gaps)")
      #expect(punches.allSatisfy { $0.value > 35 })
    }
  }

  @Test func aPersonShowsKindsAfterActions() throws {
    func shown(_ techniques: [Technique]) -> ScenarioScript.Step {
      .init(.punch, count: 4, punches: PunchStyle(techniques: techniques, isShown: true))
    }
    let steps = [shown([.jab, .thrust]), shown([.hook]), shown([.uppercut])]
    let trace = try Synthesizer.trace(
      script(steps + [.init(.walk, seconds: 5), .init(.punch, count: 6)], isHoldToArm: true))
    let actions = try #require(trace[.action].flatMap { ActionColumns($0) })
    let enrolled = actions.range.filter { actions[$0].isEnrolment }
    #expect(
      enrolled.map { actions[$0] } == [.enrollStraight, .enrollHook, .enrollUppercut, .enrollEnd])
    #expect(actions.count > 4 + 2 * 12)
    #expect(
      actions.range.dropFirst().allSatisfy {
        actions.measured(at: $0 - 1) <= actions.measured(at: $0)
      })
    let punches = try #require(trace.header.reference(.punch)).events
    let times = enrolled.map { actions.measured(at: $0) }
    for (kind, (start, end)) in zip(PunchLabel.classes, zip(times, times.dropFirst())) {
      let labels = punches.filter { (start...end).contains($0.onset) }.map(\.label)
      #expect(labels.count >= 4 && labels.allSatisfy { $0 == kind })
    }
    #expect(punches.count { $0.onset > times[3] } >= 6)
    #expect(throws: TraceError.self) { try script([shown([.jab, .hook])] + steps.dropFirst()) }
    // Punches that are not shown end a lesson; other steps do not.
    let twice = try Synthesizer.trace(
      script([
        shown([.hook]), .init(.walk, seconds: 2), shown([.jab]), .init(.punch, count: 2),
        shown([.uppercut]),
      ]))
    let both = try #require(twice[.action].flatMap { ActionColumns($0) })
    #expect(
      both.range.map { both[$0] }
        == [.enrollHook, .enrollStraight, .enrollEnd, .enrollUppercut, .enrollEnd])
  }

  @Test func holdsAreOfPunchesAlone() throws {
    let trace = try Synthesizer.trace(
      script([.init(.clap, seconds: 5), .init(.punch, count: 6)], isHoldToArm: true))
    guard case .action(let actions)? = trace[.action] else {
      Issue.record("no actions")
      return
    }
    #expect(actions.count == 12)
  }

  @Test(.longer, arguments: 0..<LongTests.count(quick: 3, long: 40) as Range<UInt64>)
  func equalScriptsGiveEqualTraces(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let motions = ScenarioScript.Step.Motion.allCases
    let steps = (0..<3).map { _ in
      ScenarioScript.Step(
        motions[Int(random.unit() * Double(motions.count))], seconds: random.uniform(1...12),
        count: 1 + Int(random.unit() * 4))
    }
    let (first, second) = try (script(steps, seed: seed), script(steps, seed: seed))
    let (one, other) = try (Synthesizer.trace(first), Synthesizer.trace(second))
    #expect(one[.acceleration] == other[.acceleration])
    #expect(one.header == other.header)
    let changed = try Synthesizer.trace(script(steps, seed: seed + 1))
    #expect(one[.acceleration] != changed[.acceleration])
    #expect(
      one.header.end.seconds >= steps.reduce(0) { $0 + ($1.motion.isCounted ? 0 : $1.seconds) })
  }

  @Test func refusesWhatIsOutOfRange() throws {
    let walk = ScenarioScript.Step(.walk, seconds: 10)
    func error(_ make: () throws -> ScenarioScript) -> String {
      do {
        _ = try Synthesizer.trace(make())
        return "none"
      } catch { return "\(error)" }
    }
    #expect(error { try script([]) }.contains("expected 1 to 1000 steps, found 0"))
    #expect(error { try script([.init(.run, seconds: 0.5)]) }.contains("step 1 (run)"))
    #expect(error { try script([walk, .init(.fall, count: 501)]) }.contains("1 to 500 times"))
    #expect(
      error { try script([.init(.walk, seconds: 2000), .init(.run, seconds: 2000)]) }
        .contains("at most 3600 s in all"))
    #expect(error { try script([.init(.fall, count: 500)]) }.contains("reduce the counts"))
    #expect(
      error { try ScenarioScript(name: "a", subject: 0, steps: [walk]) }.contains("1 to 99"))
    #expect(
      error { try ScenarioScript(name: "a", sampleRate: 5, steps: [walk]) }
        .contains("scenario a, sample rate"))
    #expect(error { try ScenarioScript(name: "", steps: [walk]) }.contains("a name"))
  }
}
