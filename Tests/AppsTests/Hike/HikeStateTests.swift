import HikeSamples
import TestSupport
import Testing
import TraceModel

@testable import AppEngines
@testable import HikeApp

/// Any input, legal or not, and states that are saved and restored in between.
@Suite struct HikeStateTests {
  @Test(
    .longer,
    arguments: [
      (HikeRules.goHike, 1), (HikeSample.plain, 2), (HikeSample.chosen, 3), (.freeOrder, 4),
      (.default, 5),
    ])
  func thePhoneTakesAnything(rules: HikeRules, seed: Int) throws {
    var inputs = HikeInputs(seed: UInt64(seed))
    var trial = ContractTrial()
    var visits = 0
    // A walk that is over has little left that is legal.
    let walks = LongTests.count(quick: 6, long: 25)
    for walk in 1...walks {
      try trial.play(
        HikeEngine(rules: rules, content: HikeSample.content(), device: "phone"), steps: 1000,
        restoredEvery: walk == 1 ? 5 : 97, next: { inputs.next(for: $0) }
      ) { _, _, effects in
        visits += effects.count { if case .visited = $0 { true } else { false } }
      }
    }
    // It did get somewhere, and was refused for many reasons.
    #expect(visits > walks * 4 / 5 && trial.codes.count > 12, "\(visits) \(trial.codes)")
  }

  /// What phones send, good and bad: new uploads, repeated ones, and those of phones whose numbers
  /// began anew.
  private struct Requests {
    private var generator: SeededGenerator
    private var sent: [HikeUpload] = []
    private var next: [String: Int] = [:]
    private static let odd = [
      "", "7", String(repeating: "z", count: 300), String(repeating: "é", count: 200),
    ]

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    private mutating func below(_ limit: Int) -> Int { Int(generator.next() % UInt64(limit)) }
    private mutating func id() -> String {
      below(12) == 0 ? Self.odd[below(4)] : ["a", "b", "c", "ü"][below(4)]
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
      if below(10) == 0 { number = [1, 0, .max, .min, number + 100, number - 5][below(6)] }
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

  @Test(.longer) func theServerTakesAnything() throws {
    var kinds: Set<String> = []
    for seed in 1...LongTests.count(quick: UInt64(10), long: 50) {
      var requests = Requests(seed: seed)
      var trial = ContractTrial()
      var now = TraceInstant.zero
      let server = try trial.play(
        HikeServer(content: HikeSample.content()), steps: 1000, restoredEvery: 20
      ) { _ in
        now = now.advanced(bySeconds: 1)
        return (requests.input(), now)
      } note: { _, _, effects in
        #expect(effects.count <= 1)
        switch effects.first {
        case .answer(_, .stored): kinds.insert("stored")
        case .answer(_, .outOfStep): kinds.insert("out of step")
        case .answer: kinds.insert("other")
        case nil: break
        }
      }
      #expect(server.checkIns.count > 10 && !trial.codes.isEmpty)
    }
    #expect(kinds.count == 3)
  }
}
