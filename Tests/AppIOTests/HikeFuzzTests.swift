import AppIO
import AppEngines
@testable import HikeApp
import HikeSamples
import TestSupport
import Testing
import TraceModel

/// Any input, legal or not, and a state that is saved and restored anywhere in between.
@Suite struct HikeFuzzTests {
  @Test(
    .longer,
    arguments: [
      (HikeRules.goHike, 1), (HikeSample.plain, 2), (HikeSample.chosen, 3), (.freeOrder, 4),
    ])
  func anyInputKeepsTheInvariants(rules: HikeRules, seed: Int) throws {
    var script = HikeInputs(seed: UInt64(seed))
    var engine = HikeEngine(rules: rules, content: HikeSample.content(), device: "phone")
    var refusals: [String: Int] = [:]
    var visits = 0
    let steps = LongTests.count(quick: 6000, long: 25_000)
    for step in 0..<steps {
      // A walk that is over has little left that is legal.
      if step % 1000 == 0 {
        engine = HikeEngine(rules: rules, content: HikeSample.content(), device: "phone")
      }
      let (input, now) = script.next(for: engine)
      var effects: [HikeEngine.Effect] = []
      let before = step % 200 == 0 ? try SavedState.bytes(of: engine) : nil
      do throws(Refusal) {
        try engine.handle(input, at: now, into: &effects)
        visits += effects.count { if case .visited = $0 { true } else { false } }
      } catch {
        refusals[error.code, default: 0] += 1
        #expect(!error.code.isEmpty && !error.reason.isEmpty && effects.isEmpty)
        if let before {
          let after = try SavedState.bytes(of: engine)
          #expect(after == before, "seed \(seed), step \(step)")
        }
      }
      if step % 3 == 0, let deadline = engine.deadline {
        engine.advance(to: deadline, into: &effects)
        #expect(engine.deadline.map { $0 > deadline } ?? true)
      }
      let violations = engine.violations
      guard violations.isEmpty else {
        Issue.record("seed \(seed), step \(step), \(input): \(violations)")
        return
      }
    }
    // It did get somewhere, and was refused for many reasons.
    #expect(visits > steps / 1250 && refusals.count > 12, "\(visits) \(refusals)")
  }

  @Test(.longer, arguments: LongTests.areWanted ? Array(1...12) : [1, 2, 3, 7, 8])
  func restoredAnywhereItGoesOnAsItWould(seed: Int) throws {
    let rules = [HikeRules.goHike, HikeSample.plain, HikeSample.chosen, .default][seed % 4]
    var script = HikeInputs(seed: UInt64(seed) + 1000)
    var engine = HikeEngine(rules: rules, content: HikeSample.content(), device: "phone")
    var restored = engine
    var saves = SeededGenerator(seed: UInt64(seed))
    let isShort = seed <= 6
    for step in 0..<(isShort ? 120 : 2000) {
      // At every step of the short ones, now and then in the long ones.
      if isShort || saves.unit() < 0.05 {
        let bytes = try SavedState.bytes(of: restored)
        restored = try SavedState.engine(HikeEngine.self, from: bytes)
        let again = try SavedState.bytes(of: restored)
        #expect(again == bytes)
      }
      let (input, now) = script.next(for: engine)
      var effects: ([HikeEngine.Effect], [HikeEngine.Effect]) = ([], [])
      let codes = (
        refusal(&engine, input, now, &effects.0), refusal(&restored, input, now, &effects.1)
      )
      #expect(codes.0 == codes.1 && engine.deadline == restored.deadline)
      // Effects hold numbers that are none: their texts are compared.
      #expect("\(effects.0)" == "\(effects.1)", "seed \(seed), step \(step)")
      if step % 4 == 0, let deadline = engine.deadline {
        engine.advance(to: deadline, into: &effects.0)
        restored.advance(to: deadline, into: &effects.1)
      }
    }
    let final = (try SavedState.bytes(of: engine), try SavedState.bytes(of: restored))
    #expect(final.0 == final.1, "seed \(seed)")
  }

  private func refusal(
    _ engine: inout HikeEngine, _ input: HikeEngine.Input, _ now: TraceInstant,
    _ effects: inout [HikeEngine.Effect]
  ) -> String? {
    do throws(Refusal) {
      try engine.handle(input, at: now, into: &effects)
      return nil
    } catch { return error.code }
  }

  @Test(.longer) func serverTakesAnyInput() throws {
    var generator = SeededGenerator(seed: 9)
    var server = HikeServer(content: HikeSample.content())
    let ids = ["", "a", "b", "7", "é", String(repeating: "z", count: 300)]
    for step in 0..<LongTests.count(quick: 20_000, long: 100_000) {
      let input = serverInput(&generator, ids, step)
      let before = step % 1000 == 0 ? try SavedState.bytes(of: server) : nil
      var effects: [HikeServer.Effect] = []
      do throws(Refusal) {
        try server.handle(input, at: .zero, into: &effects)
        #expect(effects.count == 1)
      } catch {
        #expect(effects.isEmpty && !error.code.isEmpty && !error.reason.isEmpty)
        if let before {
          let after = try SavedState.bytes(of: server)
          #expect(after == before)
        }
      }
      #expect(server.violations == [])
      if step % 1000 == 0 {
        server = try SavedState.engine(HikeServer.self, from: SavedState.bytes(of: server))
      }
    }
    // Four ids that are none too many: 4³ check-ins.
    #expect(server.checkIns.count == 64)
  }

  private func serverInput(
    _ generator: inout SeededGenerator, _ ids: [String], _ step: Int
  ) -> HikeServer.Input {
    func id() -> String { ids[Int(generator.next() % UInt64(ids.count))] }
    switch generator.next() % 8 {
    case 0:
      return .ping(device: id(), number: Int(truncatingIfNeeded: generator.next()), version: id())
    case 1: return .content(device: id(), number: .min)
    default:
      let checkIns = (0..<Int(generator.next() % 4)).map { _ in
        HikeCheckIn(
          location: id(), route: id(),
          timestamp: WallTime(nanoseconds: Int64(truncatingIfNeeded: generator.next())))
      }
      let number = generator.next() % 8 == 0 ? [.min, 0, .max, 1][step % 4] : step + 1
      let stamp = RequestStamp(epoch: 1, number: number, mark: generator.next())
      return .checkIns(HikeUpload(stamp: stamp, device: id(), checkIns: checkIns))
    }
  }
}
