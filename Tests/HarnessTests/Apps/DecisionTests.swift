import Evaluation
import Foundation
import Synthesis
import TestSupport
import Testing
import TraceModel

@testable import AppEngines
@testable import Harness

/// What people decide by a script, in the program as people use it.
@Suite struct DecisionTests {
  private static let made = MadeFiles(
    (1...3).map { "synth fight --subject \($0) --seed 3 --duration 40s -o fight-\($0).h5" }
      + [
        "synth route -o route.h5", "synth track-run --seed 3 -o run.h5",
        "synth track-run --seed 3 --subject 2 -o run-2.h5",
      ])

  private static func play(
    _ app: String, _ decisions: String, _ traces: [String], status: Int32 = 0
  ) throws -> (log: String, errors: String) {
    let scratch = try Scratch()
    try made.copy(to: scratch)
    let outcome = try Program.run(
      ["replay", "--together", "--app", app, "--decisions", decisions] + traces, in: scratch.url)
    #expect(outcome.status == status, "\(outcome.errors)")
    return (
      outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " "), outcome.errors
    )
  }

  private static let three = (1...3).map { "fight-\($0).h5" }

  /// Back down = the next opponent of the queue, the nearest first, nobody twice.
  @Test func theQueueOfOpponents() throws {
    let places = [(1, 47.0), (2, 47.03), (3, 47.01)].map {
      "{person: \($0.0), at: 0.5 s, do: place, latitude: \($0.1), longitude: 8}"
    }
    let log = try Self.play(
      "fight",
      "[\(places.joined(separator: ", ")), {person: 3, after: sign-in, do: tap-card},"
        + " {person: 1, after: offer, do: back-down},"
        + " {person: 1, after: offer, number: 2, do: back-down}]", Self.three
    ).log
    let offers = log.matches(of: /sim01 is offered an opponent about (\d+) m away/).compactMap {
      Int($0.output.1)
    }
    #expect(offers.count >= 2 && offers[0] < offers[1], "\(log)")
    #expect(log.contains("is offered nobody: none is left"))
  }

  /// A second login signs the first phone out, with the reason.
  @Test func aSecondLogin() throws {
    let log = try Self.play(
      "fight",
      "[{person: 2, at: 5 s, do: log-out}, {person: 2, after: signed-out, wait: 1 s, do: log-in, as: 1}]",
      Array(Self.three.prefix(2))
    ).log
    #expect(log.contains("sim01 is signed out: “You signed in on another phone"), "\(log)")
  }

  /// A phone in the background shows old moves until its person comes back, and then asks.
  @Test func aPhoneInTheBackgroundIsNotStuck() throws {
    let log = try Self.play(
      "fight", "[{person: 2, at: 17.413 s, do: background}]",
      Self.three.prefix(2) + ["--fault", "restart:server:40s:10s"]
    ).log
    #expect(log.contains("unended fights 0"), "\(log)")
  }

  /// The second account hits from the phone of the first person: its turn is that of the account.
  @Test func whoseMoveItIsWhenAnotherPersonIsSignedIn() throws {
    let faults =
      [
        "restart:2:6s:0s", "cut:2:5.44s:11.45s",
      ] + [3, 9, 19, 20, 21, 22].map { "lose:2-server:\($0)" }
      + [1, 2, 10, 14, 15].map { "lose:server-2:\($0)" }
    let log = try Self.play(
      "fight",
      "[{person: 1, at: 31.268 s, do: log-out}, {person: 1, at: 47.046 s, do: log-in, as: 2}]",
      [1, 2].map { Fixtures.traces.appending(path: "synthetic/fight-s0\($0).h5").path }
        + faults.flatMap { ["--fault", $0] }
    ).log
    #expect(log.contains("moves out of turn 0"), "\(log)")
  }

  /// The phone that forgot the other one is cut off: the server cannot know it, and lists both as friends.
  @Test(arguments: [700, 1100]) func aForgottenContactOfWhichTheServerDoesNotKnow(at: Int) throws {
    let log = try Self.play(
      "workout", "[{person: 1, at: \(at) s, do: forget-contact, person-number: 2}]",
      ["run.h5", "run-2.h5", "--policy", "--fault", "cut:1:\(at - 5)s:\(at + 900)s"]
    ).log
    #expect(log.contains("activities to strangers 0 0"), "\(log)")
  }

  /// Restarts take a check-in from phone and server. Its person makes it again after later ones, which
  /// breaks no order.
  @Test func aCheckInThatIsMadeAgainIsNotOutOfOrder() throws {
    let faults = [
      "restart:server:190s:400s", "restart:1:310s:270s", "lose:1-server:2", "lose:1-server:9",
    ]
    let log = try Self.play(
      "hike", "[{person: 1, at: 1 s, do: nothing}]",
      [Fixtures.traces.appending(path: "synthetic/route-s01.h5").path, "--policy"]
        + faults.flatMap { ["--fault", $0] }
    ).log
    #expect(log.contains("gets 3 check-ins back from the server"), "\(log)")
    #expect(log.contains("visits out of order 0"), "\(log)")
  }

  /// New content over Wi-Fi in mid-hike keeps the visits, whatever the ids are.
  @Test func newContentInMidHike() throws {
    let scratch = try Scratch()
    try Self.made.copy(to: scratch)
    let decisions =
      "[{person: 1, after: visit, number: 2, do: publish, with: new-ids},"
      + " {person: 1, after: published, wait: 1 s, do: network, to: wifi}]"
    let outcome = try Program.run(
      [
        "replay", "--app", "hike", "--policy", "route.h5", "--decisions", decisions,
        "--format", "json",
      ], in: scratch.url)
    let app = try #require(try outcome.object["app"] as? [String: Any])
    let outcomes = try #require(app["outcomes"] as? [[String: Any]])
    func value(_ name: String) -> Double? {
      outcomes.first { $0["name"] as? String == name }?["value"] as? Double
    }
    let events = try #require(app["events"] as? [[String: Any]]).compactMap {
      $0["kind"] as? String
    }
    #expect(Set(events).isSuperset(of: ["decision", "published", "ping", "download", "content"]))
    #expect(value("reward") == 1 && value("check_ins_lost") == 0 && value("visits_twice") == 0)
    #expect(app["unmade_decisions"] as? [String] == [])
  }

  /// The simulated walker chooses at the first fix only if nobody has chosen before.
  @Test func aChoiceBeforeTheFirstFix() throws {
    let log = try Self.play(
      "hike/chosenNext", "[{person: 1, at: 0.1 s, do: choose, waypoint: 3}]",
      ["--policy", "route.h5"]
    ).log
    let shown = log.ranges(of: "is shown the way to waypoint ").map {
      String(log[$0.upperBound...].prefix(1))
    }
    #expect(Array(shown.prefix(3)) == ["1", "3", "4"])
  }

  /// The last waypoint is visited, then new content leaves one out, and the phone is restarted.
  @Test func aRestartAfterContentWithFewerWaypoints() throws {
    let log = try Self.play(
      "hike",
      "[{person: 1, at: 292 s, do: publish, with: fewer-waypoints},"
        + " {person: 1, at: 296 s, do: network, to: wifi}]",
      ["--policy", "route.h5", "--fault", "restart:1:320s:1s"]
    ).log
    #expect(log.contains("has the new content, version"))
    #expect(log.contains("goes on with a phone that is restored from an older state"))
  }

  /// A ride that nobody saves after a run that is: the ride is not saved, and the run is.
  @Test func aSecondWorkoutIsNotTheFirst() throws {
    let log = try Self.play(
      "workout",
      "[{person: 1, at: 1120 s, do: start, sport: bike}, {person: 1, at: 1130 s, do: stop}]",
      ["--policy", "run.h5", "run-2.h5"]
    ).log
    #expect(log.contains(" saved no yes ") && log.contains("workouts lost 0 0"))
  }

  /// The server goes back to the contacts before one was forgotten, and gets the new ones.
  @Test func aForgottenContactStaysForgotten() throws {
    let log = try Self.play(
      "workout", "[{person: 1, at: 900 s, do: forget-contact, person-number: 2}]",
      ["--policy", "run.h5", "run-2.h5", "--fault", "restart:server:1000s:200s"]
    ).log
    #expect(log.contains("tracks to strangers 0 0 activities to strangers 0 0"))
  }

  /// A denied location records nothing, and one step grants it.
  @Test func aDeniedLocation() throws {
    let log = try Self.play(
      "workout",
      "[{person: 1, after: permission, do: deny-location},"
        + " {person: 1, at: 60 s, do: start, sport: run}, {person: 1, at: 70 s, do: allow-location},"
        + " {person: 1, after: settings, wait: 5 s, do: grant-location},"
        + " {person: 1, after: settings, wait: 6 s, do: start, sport: run}]", ["run.h5"]
    ).log
    for text in [
      "gets the answer “", "is led to the system's settings", "starts a run", "finished: ",
    ] {
      #expect(log.contains(text), "\(text): \(log)")
    }
  }

  /// What cannot be done is refused with what can.
  @Test(arguments: [
    ("[{person: 1, at: 1 s, do: jump}]", "unknown action of fight"),
    ("[{person: 1, at: 1 s, do: track}]", "expected key opponent"),
    ("[{person: 1, at: 1 s, do: back-down, height: 3}]", "height"),
    ("[{person: 3, at: 1 s, do: back-down}]", "expected a person from 1 to 2"),
    ("[{person: 1, do: back-down}]", "expected at"),
    ("[{person: 1, at: 1 s, after: offer, do: back-down}]", "expected at"),
    ("[{person: 1, at: 1 s, do: edit-profile, height: 7}]", "height as a whole number"),
    ("missing.yml", "missing.yml"),
  ]) func wrongDecisions(_ decisions: String, _ message: String) throws {
    let scratch = try Scratch()
    try Self.made.copy(to: scratch)
    let outcome = try Program.run(
      [
        "replay", "--together", "--app", "fight", "--decisions", decisions, "fight-1.h5",
        "fight-2.h5",
      ], in: scratch.url)
    #expect(outcome.status != 0 && outcome.errors.contains(message), "\(outcome.errors)")
  }

  /// Ids that grew with each publication took 80 s for 15,000 of them.
  @Test func manyPublicationsHaveShortNames() throws {
    let decisions = (1...300).map { "{person: 1, at: \($0) s, do: publish, with: new-ids}" }
    let log = try Self.play("hike", "[\(decisions.joined(separator: ", "))]", ["route.h5"]).log
    #expect(log.contains("the server has new content, version a~300a"), "\(log.suffix(500))")
  }

  /// What shrink prints is read again as the same decisions.
  @Test func decisionsAsText() throws {
    for app in Program.apps {
      for seed in UInt64(1)...20 {
        let decisions = [Decision].random(seed: seed, of: app.actions, people: 1, length: 100)
        let text = "[\(decisions.map(\.yaml).joined(separator: ", "))]"
        #expect(try SuiteParser.readDecisions(text, of: app) == decisions)
      }
      #expect(Set(app.actions.map(\.name)).count == app.actions.count && !app.actions.isEmpty)
    }
  }

  /// A suite has decisions too; its results repeat them.
  @Test func decisionsOfASuite() throws {
    let scratch = try Scratch()
    try Self.made.copy(to: scratch)
    let suite = """
      schema: shadowbox-suite/1
      traces: {people: [fight-1.h5, fight-2.h5]}
      apps:
        - app: fight
          traces: people
          together: true
          decisions:
            - {person: 1, after: offer, wait: 2 s, do: back-down}
            - {person: 2, at: 3 s, do: edit-profile, bio: "it's: me"}
      """
    try Data(suite.utf8).write(to: scratch.url.appending(path: "suite.yml"))
    let run = try Program.run(
      ["run", "suite.yml", "--format", "json", "-o", "r.h5"], in: scratch.url)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("decides: edit-profile bio it's: me"))
    let again = try Program.run(["rerun", "r.h5"], in: scratch.url)
    #expect(again.status == 0, "\(again.output) \(again.errors)")
  }

  /// A decision that nothing leads to is named.
  @Test func decisionsThatNothingLedTo() throws {
    let log = try Self.play(
      "fight", "[{person: 1, after: wedding, do: back-down}]", Array(Self.three.prefix(2))
    ).log
    #expect(log.contains("decisions that nothing led to: person 1 after wedding: back-down"))
  }
}
