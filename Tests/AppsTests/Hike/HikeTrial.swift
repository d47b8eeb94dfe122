import AppEngines
import HikeApp
import Detectors
import Foundation
import HikeSamples
import Testing
import TraceModel

/// An engine with its clock and its effects.
struct HikeTrial {
  var engine: HikeEngine
  var effects: [HikeEngine.Effect] = []
  private(set) var now = TraceInstant.zero

  init(
    _ rules: HikeRules = HikeSample.plain, content: HikeContent = HikeSample.content(),
    connectivity: HikeEngine.Connectivity = .cellular, route: HikeRouteKey? = HikeSample.long
  ) throws {
    engine = HikeEngine(
      rules: rules, content: content, device: "phone", epoch: WallTime(seconds: 1_600_000_000))
    try give(.closeHelp)
    try give(.connectivity(connectivity))
    try give(.activate)
    if let route { try give(.openRoute(route)) }
    effects = []
  }

  /// A second later.
  mutating func give(_ input: HikeEngine.Input, after seconds: Double = 1) throws {
    wait(seconds)
    try engine.handle(input, at: now, into: &effects)
    #expect(engine.violations == [])
  }

  /// The code with which an input is refused, nothing having changed.
  mutating func refusal(of input: HikeEngine.Input) -> String? {
    do throws(Refusal) {
      try engine.handle(input, at: now, into: &effects)
      return nil
    } catch { return error.code }
  }

  mutating func wait(_ seconds: Double) {
    let end = now.advanced(bySeconds: seconds)
    while let deadline = engine.deadline, deadline < end {
      engine.advance(to: deadline, into: &effects)
    }
    now = end
  }

  /// Saves and restores the engine on a phone whose clock begins anew.
  mutating func restart(at time: Double, epoch: WallTime) throws {
    try restore()
    now = TraceInstant.zero.advanced(bySeconds: time)
    try engine.handle(.clockRestarted(epoch: epoch), at: now, into: &effects)
    #expect(engine.violations == [])
  }

  /// Saves and restores the engine.
  mutating func restore() throws {
    engine = try JSONDecoder.ofStates.decode(
      HikeEngine.self, from: JSONEncoder.ofStates.encode(engine))
  }

  mutating func walk(toNorth north: Double, east: Double = 0, accuracy: Double = 5) throws {
    let fix = HikeSample.fix(north: north, east: east, accuracy: accuracy)
    try give(.fix(fix, measured: now.advanced(bySeconds: 1)))
  }

  /// Goes to a waypoint and checks in at it, which leaves no prompt open.
  mutating func visit(_ rank: Int) throws {
    try walk(toNorth: Double(rank) * HikeSample.spacing)
    try give(.confirm)
    try give(.proceed)
  }

  /// Takes the effects since the last call.
  mutating func take() -> [HikeEngine.Effect] {
    defer { effects = [] }
    return effects
  }

  var prompts: [String] {
    effects.compactMap { if case .prompt(let location, _) = $0 { location } else { nil } }
  }

  var uploads: [HikeUpload] {
    effects.compactMap { if case .upload(let upload) = $0 { upload } else { nil } }
  }

  var visited: [String] { engine.records.map(\.location) }
}

extension JSONEncoder {
  /// Encodes a state as the program does.
  static var ofStates: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }
}

extension JSONDecoder {
  static var ofStates: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }
}
