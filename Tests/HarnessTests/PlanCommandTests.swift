import ArgumentParser
import Diagnostics
import Foundation
import Scoring
import TestSupport
import Testing

@testable import Harness
@testable import Reports

/// What `plan` reads and prints, and profiles of a day.
@Suite struct PlanCommandTests {
  @Test func resultsAreRead() {
    #expect(
      PlanCommand.result("0 in 5min") == .alarms(PoissonRate(count: 0, hours: 5.0 / 60)))
    #expect(PlanCommand.result("7 in 2 h") == .alarms(PoissonRate(count: 7, hours: 2)))
    #expect(
      PlanCommand.result("38 of 40") == .hits(Proportion(successes: 38, trials: 40)))
    for wrong in [
      "", "5", "5 in", "-1 in 5min", "1 in 0s", "1 in x", "41 of 40", "0 of 0", "1 at 2",
      "1.5 of 2",
      "1 of 9999999999999999999999",
    ] {
      #expect(PlanCommand.result(wrong) == nil, "\(wrong)")
    }
  }

  private func run(_ figures: String, _ subject: String, entry: String = "a") -> String {
    """
    {"entry": "\(entry)", "origin": "recorded", "subject": "\(subject)", "figures": {\(figures)}}
    """
  }

  private func figures(_ values: [(String, Double)]) -> String {
    values.map { "\"\($0.0)\": {\"value\": \($0.1)}" }.joined(separator: ", ")
  }

  private func counts(_ hits: Int, _ alarms: Int, _ misses: Int, _ hours: Double) -> String {
    figures([
      ("true_positives", Double(hits)), ("false_positives", Double(alarms)),
      ("false_negatives", Double(misses)), ("scored_hours", hours),
    ])
  }

  private func results(_ runs: [String]) throws -> RecordedResults {
    let text = "{\"schema\": \"shadowbox-run/2\", \"runs\": [\(runs.joined(separator: ","))]}"
    return try JSONDecoder().decode(RecordedResults.self, from: Data(text.utf8))
  }

  @Test func peopleOfResults() throws {
    let found = try results([
      run(counts(3, 1, 2, 0.5), "s1"), run(counts(4, 0, 0, 0.5), "s1"), run(counts(1, 9, 1, 1), ""),
      run(counts(1, 9, 1, 1), ""), run(figures([("distance_error", 3)]), "s2", entry: "track"),
    ])
    #expect(found.entries == ["a"] && found.origins(of: "a") == ["recorded"])
    let people = try found.people(of: "a", origin: nil)
    // One by name; two recordings of unknown people are two.
    #expect(people.count == 3)
    #expect(people["s1"]?.hits == Proportion(successes: 7, trials: 9))
    #expect(people["s1"]?.alarms == PoissonRate(count: 1, hours: 1))
    for wrong in [counts(-1, 0, 0, 1), figures([("false_positives", 1.5)]), counts(1, 1, 1, -1)] {
      let damaged = try results([run(wrong, "s")])
      #expect(throws: (any Error).self) { try damaged.people(of: "a", origin: nil) }
    }
  }

  @Test func whatIsTakenFromPeople() throws {
    let alarms = [2, 9, 4, 1, 30]
    let found = try results(
      alarms.enumerated().flatMap { index, count in
        [
          run(counts(30, count, 2, 2), "s\(index)"),
          run(counts(30, 2 * count, 2, 2), "s\(index)", entry: "b"),
        ]
      })
    var study = Study(
      .falseAlarmDifference(1), expected: 4, dispersion: Dispersion(.variation, assumed: 1),
      each: 1)
    try study.take(
      [found.people(of: "b", origin: nil), found.people(of: "a", origin: nil)], expected: nil)
    // That of the better one, whatever the order.
    #expect(study.expected == 4.6)
    #expect(study.recorded == [2, 2, 2, 2, 2] && study.dispersion.people == 5)
    // The second has the first's counts twice.
    #expect(abs(study.pairing - 1) < 1e-9)
    #expect(study.dispersion.value > (study.dispersion.estimate ?? .infinity))
  }

  @Test func thePlanSaysWhatToRecord() throws {
    var study = Study(
      .falseAlarms(below: 10), expected: 4, dispersion: Dispersion(.variation, assumed: 1),
      each: 1.0 / 6)
    study.recorded = [0.5, 0.5]
    let plan = StudyPlan(study, studies: 20)
    let text = PlanReport(plan, inputs: []).text(Screen(width: 200))
    let people = try #require(plan.design.people)
    for part in [
      "To show fewer than 10 false alarms per hour (95 % interval for new people), expected 4, with "
        + "power 0.8:",
      "Record \(people) more people in addition to the 2 recorded, 10 min each: power",
      "More hours of the same 2 people do not help: a claim about new people takes 3 people or more.",
      "A coefficient of variation between people of 1: assumed.",
      "Minutes differ between new people by a coefficient of variation of 0: assumed "
        + "(--exposure-variation).",
      "False alarms in bursts of 1 on average: assumed (--burst).",
      "Power by simulation of 20 studies, seed 1.",
    ] {
      #expect(text.contains(part), "\(text)")
    }
    let json = try PlanReport(plan, inputs: []).json()
    let document = try #require(
      JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    #expect(document["schema"] as? String == "shadowbox-plan/1")
    #expect((document["plan"] as? [String: Any])?["people"] as? Int == people)
    #expect(PlanReport(plan, inputs: []).csv().hasPrefix("each,people,power,studies\n"))
  }

  @Test func aResultClaimsNoMoreThanItHolds() {
    let claim = ResultClaim(
      [PoissonRate(count: 0, hours: 1.0 / 12)], assumed: Dispersion(.variation, assumed: 1))
    #expect(
      ClaimReport(claim, isRate: true, exposure: 1.0 / 12).text(Screen(width: 200)) == """
        0 false alarms in 5 min of 1 person: at most 35.9 per hour (one-sided 95 %), and only for that person.
        For new people: no claim. It takes 3 people or more; plan with --false-alarms how many.

        """)
  }

  @Test(arguments: [
    (["plan"], "expected one of --false-alarms, --recall, --difference and --result, found 0"),
    (["plan", "--recall", "0.8"], "add one"),
    (["plan", "--recall", "0.8", "--expect", "0.7"], "no number of people shows it"),
    (["plan", "--recall", "nan"], "--recall nan: expected 0.0 to 0.999999"),
    (
      ["plan", "--recall", "0.8", "--confidence", "0.9"],
      "--confidence has no effect without --false-alarms"
    ),
    (["plan", "--result", "5"], "expected false alarms in a time"),
    (
      ["plan", "--recall", "0.8", "--exposure-variation", "1e-160"],
      "--exposure-variation: expected 0, or 0.000001 to 5, found 1e-160"
    ),
    (["plan", "--result", "5 in 1h", "--result", "1 of 2"], "found both"),
  ])
  func wrongUse(arguments: [String], message: String) async throws {
    let command = try #require(
      try RootCommand.parseAsRoot(arguments) as? PlanCommand)
    await #expect {
      try await command.run()
    } throws: { error in
      let failure = error as? Failure
      return failure?.kind == .wrongUse && failure?.description.contains(message) == true
    }
  }

  // MARK: Profiles

  private func fault(_ text: String) throws -> String? {
    let scratch = try Scratch()
    try scratch.write(text, to: "d.yml")
    return Harness.fault(inDay: scratch.path("d.yml"))?
      .replacingOccurrences(of: scratch.path("d.yml"), with: "d.yml")
  }

  @Test(arguments: [
    ("a: 25", "d.yml:2: expected 0 to 24 hours of a, found 25"),
    ("a: -1", "d.yml:2: expected 0 to 24 hours of a, found -1"),
    ("a: x", "d.yml:2: expected 0 to 24 hours of a, found x"),
    ("a: .nan", "d.yml:2: expected 0 to 24 hours of a, found .nan"),
    ("a: 20, b: 4.1", "d.yml:2: expected at most 24 hours in all, found 24.10; reduce some"),
    ("a: 1, a: 2", "d.yml:2: expected unique keys, found duplicates: a"),
    ("a: [1]", "d.yml:2: expected activities as name: value"),
    ("'': 1", "d.yml:2: expected the name of an activity, found none"),
    ("", "d.yml:2: expected activities with their hours of a day, such as walking: 1.5"),
  ])
  func wrongProfiles(activities: String, message: String) throws {
    #expect(try fault("schema: shadowbox-day/1\nactivities: {\(activities)}\n") == message)
  }

  @Test func profilesAreRead() throws {
    #expect(try fault("schema: shadowbox-day/1\nactivities: {a: 8, b: 16}\n") == nil)
    #expect(try fault("schema: shadowbox-day/2\nactivities: {a: 8}\n")?.contains("found") == true)
    #expect(
      try fault("schema: shadowbox-day/1\nhours: {a: 8}\n")?.contains("unknown key \"hours\"")
        == true)
    let shipped = Fixtures.traces.appending(path: "day.yml").path
    let profile = try SuiteParser.readDay(shipped)
    #expect(profile.name == "an office day" && abs(profile.hours - 23.8) < 1e-9)
  }
}
