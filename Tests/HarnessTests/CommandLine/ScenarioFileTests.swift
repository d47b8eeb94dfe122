import Diagnostics
import Foundation
import Synthesis
import TestSupport
import Testing
import TraceModel

@testable import Harness

/// Files of scenarios for `synth`.
@Suite struct ScenarioFileTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private static let whole = """
    schema: shadowbox-scenarios/1
    scenarios:
      - name: sparring
        subjects: 9..10
        hand: left
        seed: 7
        sample_rate: 50 Hz
        hold_to_arm: true
        steps:
          - stand: 2 s
          - punch: 8
            techniques: [jab, hook]
            force: hard
            target: pad
            series: true
          - walk: 0.5 min
          - fall: 2
      - scenario: walking
        subjects: [3, 5]
        duration: 30 s
      - scenario: route
        surroundings: forest
      - {name: alone, steps: [{clap: 6 s}]}

    """

  private func read(_ text: String) throws -> [ScenarioChoice] {
    try scratch.write(text, to: "people.yml")
    return try SuiteParser.readScenarios(scratch.path("people.yml"))
  }

  private func message(_ scenarios: String) -> String {
    do {
      _ = try read("schema: shadowbox-scenarios/1\nscenarios:\n\(scenarios)")
      return "none"
    } catch let failure as Failure {
      return failure.kind == .badData ? failure.description : "kind \(failure.kind)"
    } catch { return "\(error)" }
  }

  @Test func readsEveryKey() throws {
    let choices = try read(Self.whole)
    let scripts = choices.compactMap { if case .script(let script) = $0 { script } else { nil } }
    let specs = choices.compactMap { if case .standard(let spec) = $0 { spec } else { nil } }
    #expect(scripts.map(\.name) == ["sparring-s09", "sparring-s10", "alone"])
    #expect(
      try specs == [
        ScenarioSpec(kind: .walking, subject: 3, duration: 30),
        ScenarioSpec(kind: .walking, subject: 5, duration: 30),
        ScenarioSpec(kind: .route, surroundings: .forest),
      ])
    let style = PunchStyle(target: .pad, techniques: [.jab, .hook], force: .hard, isSeries: true)
    #expect(
      try scripts[0]
        == ScenarioScript(
          name: "sparring-s09", subject: 9, hand: .left, seed: 7, sampleRate: 50,
          isHoldToArm: true,
          steps: [
            .init(.stand, seconds: 2), .init(.punch, count: 8, punches: style),
            .init(.walk, seconds: 30), .init(.fall, count: 2),
          ]))
    #expect(
      try scripts[2] == ScenarioScript(name: "alone", steps: [.init(.clap, seconds: 6)]))
  }

  @Test(arguments: [
    ("  - {name: a, steps: []}", "expected a list of steps"),
    ("  - {name: a, steps: [{walk: 0 s}]}", "step 1 (walk): expected 1 to 3600 s"),
    ("  - {name: a, steps: [{walk: 5 s, force: hard}]}", "expected force with punch alone"),
    ("  - {name: a, steps: [{punch: 0}]}", "a number of times from 1 to 500"),
    ("  - {name: a, steps: [{punch: 2, techniques: jabb}]}", "did you mean jab?"),
    ("  - {name: a, steps: [{punch: 2, force: strong}]}", "soft, hard, playful, light"),
    ("  - {name: a, steps: [{walk: 2 s, run: 2 s}]}", "expected one of stand, walk"),
    ("  - {name: a, steps: [{hop: 2 s}]}", "unknown key \"hop\""),
    ("  - {name: ../a, steps: [{walk: 2 s}]}", "a valid file name"),
    ("  - {name: .a, steps: [{walk: 2 s}]}", "a valid file name"),
    ("  - {name: \"a/\u{301}b\", steps: [{walk: 2 s}]}", "a valid file name"),
    ("  - {name: \"a\\e[31m\", steps: [{walk: 2 s}]}", "a valid file name"),
    ("  - {name: \"a\\0\", steps: [{walk: 2 s}]}", "a valid file name"),
    (
      "  - {name: \(String(repeating: "x", count: 201)), steps: [{walk: 2 s}]}",
      "a valid file name"
    ),
    ("  - {steps: [{walk: 2 s}]}", "expected key name"),
    ("  - {name: a, subject: 100, steps: [{walk: 2 s}]}", "from 1 to 99"),
    ("  - {name: a, subjects: 5..2, steps: [{walk: 2 s}]}", "1..12"),
    ("  - {name: a, subjects: [], steps: [{walk: 2 s}]}", "1..12"),
    ("  - {scenario: walking, subject: 1, subjects: [2]}", "found both"),
    ("  - {scenario: walkin}", "did you mean walking?"),
    ("  - {scenario: walking, steps: [{walk: 2 s}]}", "unknown key \"scenario\""),
    ("  - {scenario: presence, hold_to_arm: true}", "this scenario has no punches"),
    ("  - {scenario: walking}\n  - {scenario: walking}", "duplicate scenario walking-s01"),
    ("  - {name: a, hand: both, steps: [{walk: 2 s}]}", "left or right"),
    ("  - {name: a, sample_rate: 1 Hz, steps: [{walk: 2 s}]}", "20 to 400 Hz"),
    ("  - {name: a, sample_rate: -50 Hz, steps: [{walk: 2 s}]}", "a rate above zero"),
    ("  []", "expected a list of scenarios"), ("  - 3", "expected keys such as name, steps"),
  ])
  func saysWhatIsWrong(_ scenarios: String, _ expected: String) {
    let message = message(scenarios)
    #expect(message.contains(expected) && message.contains("people.yml:"), "\(message)")
  }

  @Test func synthWritesATraceForEachPerson() throws {
    try scratch.write(Self.whole, to: "people.yml")
    let made = try Program.run(["synth", "people.yml", "-o", "made"], in: scratch.url)
    #expect(made.status == 0, "\(made.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path("made")).sorted()
    #expect(
      names == [
        "alone.h5", "route-s01-forest.h5", "sparring-s09.h5", "sparring-s10.h5",
        "walking-s03-30.0s.h5", "walking-s05-30.0s.h5",
      ])
    let more = try Program.run(
      ["synth", "people.yml", "--seed", "3", "-o", "other"], in: scratch.url)
    #expect(more.status == 64 && more.errors.contains("people.yml states its scenarios"))
    let unknown = try Program.run(["synth", "walkin", "-o", "a.h5"], in: scratch.url)
    #expect(unknown.status == 64 && unknown.errors.contains("did you mean walking?"))
    let missing = try Program.run(["synth", "none.yml", "-o", "a"], in: scratch.url)
    #expect(missing.errors.contains("none.yml"))
  }
}
