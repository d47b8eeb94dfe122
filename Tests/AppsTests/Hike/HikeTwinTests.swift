import Foundation
import HikeSamples
import TestSupport
import Testing
import TraceModel

@testable import AppEngines
@testable import HikeApp

/// A phone and a server that are saved and restored at random moments do as their twins do that are
/// not.
@Suite struct HikeTwinTests {
  /// One of the twins, with all that it has said as text: the inputs hold numbers that are none.
  private struct Twin<Engine: AppEngine> {
    var engine: Engine
    let isRestored: Bool
    private var moments: SeededGenerator
    private(set) var restarts = 0

    init(_ engine: Engine, isRestored: Bool, seed: UInt64) {
      self.engine = engine
      self.isRestored = isRestored
      moments = SeededGenerator(seed: seed)
    }

    /// Returns the effects, or the code of the refusal.
    mutating func take(
      _ input: Engine.Input, at now: TraceInstant
    ) throws -> (effects: [Engine.Effect], code: String?) {
      if isRestored, moments.unit() < 0.1 {
        restarts += 1
        engine = try JSONDecoder.ofStates.decode(
          Engine.self, from: JSONEncoder.ofStates.encode(engine))
      }
      var effects: [Engine.Effect] = []
      do throws(Refusal) {
        try engine.handle(input, at: now, into: &effects)
      } catch { return ([], error.code) }
      return (effects, nil)
    }

    func state() throws -> Data { try JSONEncoder.ofStates.encode(engine) }
  }

  /// What phones send, good and bad: new uploads, repeated ones, and those of phones whose numbers
  /// began anew.
  private struct Requests {
    private var generator: SeededGenerator
    private var sent: [HikeUpload] = []
    private var next: [String: Int] = [:]

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    private mutating func below(_ limit: Int) -> Int { Int(generator.next() % UInt64(limit)) }
    private mutating func id() -> String {
      below(12) == 0 ? "" : ["a", "b", "c", "ü"][below(4)]
    }

    mutating func input() -> HikeServer.Input {
      switch below(20) {
      case 0: return .publish(HikeSample.content("v\(below(3))"))
      case 1, 2: return .ping(device: id(), number: below(9), version: "v\(below(3))")
      case 3: return .content(device: id(), number: below(9))
      case 4...8: return .checkIns(sent.isEmpty ? upload() : sent[below(sent.count)])
      default: return .checkIns(upload())
      }
    }

    private mutating func upload() -> HikeUpload {
      let device = id()
      var number = next[device, default: 1]
      if below(10) == 0 { number = [1, 0, .max, number + 100, number - 5][below(5)] }
      next[device] = max(1, min(number, 1 << 40) + 1)
      let stamp = RequestStamp(
        epoch: below(20) == 0 ? 9 : 1, number: number, mark: generator.next())
      let checkIns = (0..<below(4)).map { _ in
        HikeCheckIn(
          location: id(), route: id(), timestamp: WallTime(nanoseconds: Int64(below(1000))))
      }
      let upload = HikeUpload(stamp: stamp, device: device, checkIns: checkIns)
      sent.append(upload)
      return upload
    }
  }

  @Test(.longer, arguments: 1...LongTests.count(quick: UInt64(10), long: 20))
  func aServerDoesAsItsTwin(seed: UInt64) throws {
    var requests = Requests(seed: seed)
    let new = HikeServer(content: HikeSample.content())
    var twins = [true, false].map { Twin(new, isRestored: $0, seed: seed + 100) }
    var kinds: Set<String> = []
    for step in 0..<400 {
      let input = requests.input()
      let now = TraceInstant.zero.advanced(bySeconds: Double(step))
      let restored = try twins[0].take(input, at: now)
      let other = try twins[1].take(input, at: now)
      #expect(restored.effects == other.effects, "seed \(seed), step \(step)")
      #expect(restored.code == other.code && twins[0].engine.violations == [])
      switch restored.effects.first {
      case .answer(_, .stored): kinds.insert("stored")
      case .answer(_, .outOfStep): kinds.insert("out of step")
      case .answer: kinds.insert("other")
      case nil: kinds.insert("refused")
      }
    }
    #expect(kinds.count == 4 && twins[0].restarts > 10 && twins[1].restarts == 0)
    #expect(try twins[0].state() == twins[1].state())
    #expect(twins[0].engine.checkIns.count > 10)
  }

  /// A phone and its server, with a network that loses, doubles and delays between them.
  private struct World {
    var phone: Twin<HikeEngine>
    var server: Twin<HikeServer>
    private var inputs: HikeInputs
    private var fates: SeededGenerator
    private var waiting: [HikeEngine.Input] = []
    private(set) var storedCount = 0

    init(isRestored: Bool, seed: UInt64) {
      phone = Twin(
        HikeEngine(rules: HikeSample.plain, content: HikeSample.content(), device: "phone"),
        isRestored: isRestored, seed: seed)
      server = Twin(
        HikeServer(content: HikeSample.content()), isRestored: isRestored, seed: seed + 1)
      inputs = HikeInputs(seed: seed + 2)
      fates = SeededGenerator(seed: seed + 3)
    }

    /// Returns all that happens in a step, as text.
    mutating func step() throws -> String {
      let (input, now) = inputs.next(for: phone.engine)
      var text = ""
      var given = [input]
      if !waiting.isEmpty, fates.unit() < 0.5 { given.append(waiting.removeFirst()) }
      if let due = phone.engine.deadline, due <= now {
        var effects: [HikeEngine.Effect] = []
        phone.engine.advance(to: due, into: &effects)
        text += "\(effects)"
        try carry(effects, at: now)
      }
      for input in given {
        let (effects, code) = try phone.take(input, at: now)
        text += "\(effects) \(code ?? "")"
        try carry(effects, at: now)
      }
      return text + " \(String(describing: phone.engine.deadline))"
    }

    private mutating func carry(_ effects: [HikeEngine.Effect], at now: TraceInstant) throws {
      for effect in effects {
        guard case .upload(let upload) = effect else { continue }
        for _ in 0..<[0, 1, 1, 2][Int(fates.next() % 4)] {
          for case .answer(_, let answer) in try server.take(.checkIns(upload), at: now).effects {
            switch answer {
            case .stored(let stamp):
              storedCount += 1
              waiting.append(.uploadStored(stamp))
            case .storedAll(let stamp, let checkIns):
              storedCount += 1
              waiting.append(.allStored(stamp, checkIns))
            case .outOfStep(let stamp, let position):
              waiting.append(.uploadOutOfStep(stamp, position))
            default: break
            }
          }
        }
      }
    }
  }

  @Test(.longer, arguments: 1...LongTests.count(quick: UInt64(4), long: 8))
  func bothDoAsTheirTwins(seed: UInt64) throws {
    var worlds = [true, false].map { World(isRestored: $0, seed: seed * 10) }
    for step in 0..<1500 {
      let (restored, other) = (try worlds[0].step(), try worlds[1].step())
      guard restored == other else {
        Issue.record("seed \(seed), step \(step): \(restored) and \(other)")
        return
      }
    }
    #expect(try worlds[0].phone.state() == worlds[1].phone.state())
    #expect(try worlds[0].server.state() == worlds[1].server.state())
    #expect(worlds[0].storedCount > 0 && worlds[0].phone.restarts > 50)
    #expect(worlds[0].phone.engine.violations == [] && worlds[0].server.engine.violations == [])
  }
}
