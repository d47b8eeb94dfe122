import TestSupport
import Testing
import TraceModel

@testable import AppEngines
@testable import FightApp

/// Phones whose wall clocks are set while they fight.
@Suite struct FightClockTests {
  static var steps: [Double] {
    LongTests.everyOther([-3600, -60, -20, -1.5, 1.5, 20, 60, 3600])
  }

  private static func play(
    _ faults: [String], preset: String = "default"
  ) throws -> SimulatedFightTests.Run {
    try SimulatedFightTests.play(
      SimulatedFightTests.fight, preset: preset,
      faults: faults.map { try ExchangeFault(parsing: $0) })
  }

  /// The same punches are found at the same times, the same hits count, and the same person wins.
  @Test(.longer, arguments: steps, FightFaultTests.presets)
  func aClockThatIsSetChangesNothing(step: Double, preset: String) throws {
    let plain = try SimulatedFightTests.plain(preset)
    for phone in LongTests.areWanted ? [1, 2] : [step == -20 ? 2 : 1] {
      let stepped = try Self.play(["clock:\(phone):30s:\(step)s"], preset: preset)
      #expect(stepped.simulation.metFaults.count == 1)
      let pairs = zip(plain.simulation.detections, stepped.simulation.detections)
      #expect(plain.simulation.detections.count == stepped.simulation.detections.count)
      #expect(pairs.allSatisfy { $0.onset == $1.onset && $0.label == $1.label })
      #expect(stepped.kinds("hit").map(\.text) == plain.kinds("hit").map(\.text))
      #expect(stepped.kinds("refused").map(\.text) == plain.kinds("refused").map(\.text))
      #expect(stepped.value("winner") == plain.value("winner"))
      #expect(stepped.value("hit_delay_p99") == plain.value("hit_delay_p99"))
    }
  }

  /// A step right before, within or after a swing: the swing still hits, and the fight goes on as
  /// before. Of a swing that is cut in two, the part is measured that has the peak.
  @Test(.longer, arguments: LongTests.everyOther([-450, -400, -200, -120, -60, -20, 20, 60, 200]))
  func aStepAtASwingLosesNoHit(milliseconds: Int64) throws {
    let plain = try SimulatedFightTests.plain()
    let onsets = plain.simulation.detections.filter { $0.device.index == 0 }.map(\.onset)
    let moment = onsets[1].advanced(byNanoseconds: milliseconds * 1_000_000).nanoseconds
    for step in ["-60s", "-1.5s", "20s"] {
      let stepped = try Self.play(["clock:1:\(moment / 1_000_000)ms:\(step)"])
      #expect(stepped.kinds("hit").count == plain.kinds("hit").count, "\(step)")
      #expect(stepped.value("winner") == plain.value("winner"), "\(step)")
      #expect(stepped.value("moves_out_of_turn") == 0, "\(step)")
    }
  }
}
