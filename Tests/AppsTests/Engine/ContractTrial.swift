import AppEngines
import Foundation
import Testing
import TraceModel

/// Gives engines random inputs, legal and illegal, and checks the contract of ``AppEngine`` after each. A
/// twin, which gets the same, is saved and restored in between.
struct ContractTrial {
  /// How many inputs were taken, and how many were refused with which code.
  private(set) var taken = 0
  private(set) var codes: [String: Int] = [:]

  /// - Parameters:
  ///   - next: returns an input for the engine, and its time.
  ///   - note: gets the engine before a step, of some steps, the engine after it, and its effects.
  /// - Returns: the engine after all steps.
  @discardableResult
  mutating func play<Engine: AppEngine>(
    _ engine: Engine, steps: Int, restoredEvery interval: Int = 97,
    next: (Engine) -> (Engine.Input, TraceInstant),
    note: (Engine?, Engine, [Engine.Effect]) -> Void = { _, _, _ in }
  ) throws -> Engine {
    var (engine, twin) = (engine, engine)
    for step in 0..<steps {
      let (input, now) = next(engine)
      // One of ten inputs comes before deadlines that are due.
      if step % 10 < 9 {
        let (effects, others) = (advance(&engine, to: now), advance(&twin, to: now))
        guard isSame(effects, others, "step \(step), deadline") else { return engine }
        note(nil, engine, effects)
      }
      // A copy that is kept makes the engine copy what it changes.
      let before = step % 20 == 0 ? engine : nil
      let (effects, refusal) = Self.give(input, at: now, to: &engine)
      let (others, other) = Self.give(input, at: now, to: &twin)
      guard isSame(effects, others, "step \(step), \(input)"), refusal == other else {
        return engine
      }
      note(before, engine, effects)
      if let refusal {
        codes[refusal.code, default: 0] += 1
        #expect(!refusal.code.isEmpty && !refusal.reason.isEmpty && effects.isEmpty)
        if let before {
          let isUnchanged = try Self.bytes(of: engine) == Self.bytes(of: before)
          #expect(isUnchanged, "step \(step): \(input) is refused and changes something")
        }
      } else {
        taken += 1
      }
      // Of very many steps after some: the check takes longer than the input.
      let violations = step < 1000 || step % 20 == 0 ? engine.violations : []
      guard violations.isEmpty else {
        Issue.record("step \(step), \(input): \(violations)")
        return engine
      }
      if step % interval == 0 {
        twin = try JSONDecoder.ofStates.decode(Engine.self, from: Self.bytes(of: twin))
      }
    }
    #expect(try Self.bytes(of: engine) == Self.bytes(of: twin))
    return engine
  }

  /// Not through all deadlines of a century.
  private func advance<Engine: AppEngine>(
    _ engine: inout Engine, to now: TraceInstant
  ) -> [Engine.Effect] {
    var effects: [Engine.Effect] = []
    for _ in 0..<20 {
      guard let due = engine.deadline, due <= now else { break }
      engine.advance(to: due, into: &effects)
      #expect(engine.deadline.map { $0 > due } ?? true || due.nanoseconds == .max)
    }
    return effects
  }

  private static func give<Engine: AppEngine>(
    _ input: Engine.Input, at now: TraceInstant, to engine: inout Engine
  ) -> ([Engine.Effect], Refusal?) {
    var effects: [Engine.Effect] = []
    do throws(Refusal) {
      try engine.handle(input, at: now, into: &effects)
      return (effects, nil)
    } catch {
      return (effects, error)
    }
  }

  /// As text if they differ: a number that is none differs from itself.
  private func isSame<Effect: Equatable>(
    _ effects: [Effect], _ others: [Effect], _ place: String
  ) -> Bool {
    if effects == others || "\(effects)" == "\(others)" { return true }
    Issue.record("\(place): \(effects), and after a restart \(others)")
    return false
  }

  private static func bytes(of engine: some AppEngine) throws -> Data {
    try JSONEncoder.ofStates.encode(engine)
  }
}
