import Foundation
import Synthesis
import Testing
import TraceModel

@Suite struct ScenarioSpecTests {
  struct Refusal: Sendable {
    var name: String
    var found: String
    var make: @Sendable () throws(TraceError) -> ScenarioSpec
  }

  @Test(arguments: [
    Refusal(name: "subject", found: "0") { () throws(TraceError) in
      try ScenarioSpec(kind: .punches, subject: 0)
    },
    Refusal(name: "subject", found: "100") { () throws(TraceError) in
      try ScenarioSpec(kind: .walking, subject: 100)
    },
    Refusal(name: "hand", found: "rear") { () throws(TraceError) in
      try ScenarioSpec(kind: .punches, hand: .rear)
    },
    Refusal(name: "duration", found: "9.0 s") { () throws(TraceError) in
      try ScenarioSpec(kind: .running, duration: 9)
    },
    Refusal(name: "duration", found: "nan s") { () throws(TraceError) in
      try ScenarioSpec(kind: .running, duration: .nan)
    },
    Refusal(name: "duration", found: "60.0 s") { () throws(TraceError) in
      try ScenarioSpec(kind: .roadRun, duration: 60)
    },
    Refusal(name: "sample rate", found: "inf Hz") { () throws(TraceError) in
      try ScenarioSpec(kind: .handling, sampleRate: .infinity)
    },
    Refusal(name: "sample rate", found: "100.0 Hz") { () throws(TraceError) in
      try ScenarioSpec(kind: .route, sampleRate: 100)
    },
    Refusal(name: "hold to arm", found: "true") { () throws(TraceError) in
      try ScenarioSpec(kind: .walking, isHoldToArm: true)
    },
    Refusal(name: "surroundings", found: "forest") { () throws(TraceError) in
      try ScenarioSpec(kind: .walking, surroundings: .forest)
    },
  ])
  func refusesWhatCannotBePlayed(_ refusal: Refusal) throws {
    let error = try #require(throws: TraceError.self) { _ = try refusal.make() }
    #expect(error.place.hasSuffix(", " + refusal.name), "\(error)")
    #expect(error.found == refusal.found)
  }

  @Test func spellsOutWhatIsNotStandardInItsName() throws {
    #expect(try ScenarioSpec(kind: .punches).id == "punch-s01-right")
    #expect(
      try ScenarioSpec(kind: .punches, subject: 12, hand: .left, isHoldToArm: true).id
        == "punch-s12-left-hold")
    #expect(try ScenarioSpec(kind: .trackRun, subject: 2).id == "track-run-s02")
    #expect(
      try ScenarioSpec(kind: .walking, hand: .left, seed: 7, duration: 60, sampleRate: 50).id
        == "walking-s01-left-60.0s-50.0Hz-seed7")
    #expect(
      try ScenarioSpec(kind: .route, surroundings: .forest).id == "route-s01-forest")
  }

  @Test func corpusHasTheNamesThatFilesHave() {
    #expect(
      Synthesizer.corpus.map(\.id) == [
        "punch-s01-right", "punch-s01-left", "punch-s02-left", "punch-s02-right",
        "punch-s03-right-hold", "punch-s04-left-hold", "punch-s05-right", "punch-s06-left",
        "punch-s07-right", "punch-s08-left", "punch-s09-right", "punch-s10-left",
        "punch-s11-right", "punch-s12-left", "light-punches-s07-right",
        "light-punches-s08-right", "walking-s01", "walking-s02", "running-s01", "running-s02",
        "handling-s01", "handling-s02", "clapping-s03", "clapping-s04", "stairs-s05",
        "stairs-s06", "falls-s07", "falls-s08", "exercise-s09", "exercise-s10", "route-s01",
        "route-s02-forest", "route-s03", "route-s04", "track-run-s01", "road-run-s01",
        "presence-s01", "presence-s02", "fight-s01", "fight-s02",
        "drags-s01", "drags-s02",
      ])
  }
}
