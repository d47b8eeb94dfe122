@testable import Evaluation
import Diagnostics
import AppEngines
import Testing

@Suite struct NamedNetworkTests {
  @Test func spellingsAreRead() throws {
    let conditions = try NamedNetwork.conditions(
      "delay=200ms,jitter=0.1s,loss=0.25,duplication=1,seed=9")
    #expect(conditions.delay == 0.2)
    #expect(conditions.jitter == 0.1)
    #expect(conditions.loss == 0.25)
    #expect(conditions.duplication == 1)
    #expect(conditions.seed == 9)
    #expect(
      NamedNetwork.summary(conditions)
        == "delay=0.2s,jitter=0.1s,loss=0.25,duplication=1,seed=9")
    #expect(try NamedNetwork.conditions(NamedNetwork.summary(conditions)) == conditions)
    #expect(NamedNetwork.summary(NetworkConditions()) == "ideal")
  }

  @Test func presetsAreReadAndChanged() throws {
    for preset in NamedNetwork.presets {
      #expect(try NamedNetwork.conditions(preset.name) == preset.conditions)
      #expect(
        try NamedNetwork.conditions([("preset", preset.name)], place: "") == preset.conditions)
    }
    let changed = try NamedNetwork.conditions("poor,loss=0.5,seed=3")
    #expect(changed.delay == 0.65 && changed.loss == 0.5 && changed.seed == 3)
    let mapped = try NamedNetwork.conditions([("loss", "0.5"), ("preset", "good")], place: "")
    #expect(mapped.delay == 0.045 && mapped.loss == 0.5)
  }

  @Test(arguments: [
    ("delay", "--network: unknown network \"delay\"; known: ideal, good, poor, harsh"),
    (
      "god,loss=0",
      "--network: unknown network \"god\"; did you mean good? known: ideal, good, poor, harsh"
    ),
    ("", "--network : expected key=value,key=value, found \"\""),
    ("delay=soon", "--network: delay=soon: expected a time such as 200ms"),
    ("delay=-1s", "--network: delay=-1s: expected a time such as 200ms"),
    ("loss=1.5", "--network: loss=1.5: expected a probability from 0 to 1"),
    ("loss=nan", "--network: loss=nan: expected a probability from 0 to 1"),
    ("seed=-1", "--network: seed=-1: expected a whole number"),
    ("loss=0,loss=0", "--network: loss is given twice"),
    (
      "los=0",
      "--network: unknown key of a network \"los\"; did you mean loss? known: delay, jitter, loss, "
        + "duplication, seed"
    ),
  ]) func mistakesAreNamed(spelling: String, message: String) {
    let error = #expect(throws: Failure.self) { try NamedNetwork.conditions(spelling) }
    #expect(error?.description == message)
    #expect(error?.kind == .wrongUse)
  }
}
