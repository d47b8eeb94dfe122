import Detectors
import TestSupport
import Testing
import TraceModel

@testable import AppEngines
@testable import FightApp

/// Random inputs, legal and illegal, for both engines of Fight.
struct FightInputs {
  var random: SeededGenerator
  var now = TraceInstant.zero
  private var numbers: [String: Int] = [:]

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int(random.unit() * Double(values.count))]
  }

  mutating func chance(_ probability: Double) -> Bool { random.unit() < probability }

  mutating func step() {
    now = now.advanced(bySeconds: random.unit() * 2)
    if chance(0.01) { now = now.advanced(bySeconds: -50) }
  }

  private mutating func id() -> Int { pick([0, 1, 2, 3, 4, 0, 1, 2, -1, 7, .max, .min]) }

  private mutating func number() -> Double {
    chance(0.8)
      ? random.uniform(20...150)
      : pick([.nan, .infinity, -.infinity, 0, -0.0, 1e308, -1, .leastNonzeroMagnitude])
  }

  private mutating func text() -> String {
    chance(0.9)
      ? pick(["a", "b", "c", "d"]) : pick(["", String(repeating: "x", count: 400), "\0"])
  }

  mutating func profile() -> Profile {
    var profile = Profile(alias: text())
    profile.height = chance(0.7) ? nil : pick([36, 70, 96, 97, .max, .min])
    profile.gpa = pick([nil, 300, -1, 400])
    profile.bodyType = pick([nil, .slim, .muscular])
    profile.photo = chance(0.9) ? nil : pick(["p", "", String(repeating: "x", count: 129)])
    return profile
  }

  mutating func punch(moves: Int) -> PunchReport {
    PunchReport(
      magnitude: number(),
      thrown: chance(0.9)
        ? now : pick([TraceInstant(nanoseconds: .max), TraceInstant(nanoseconds: .min), .zero]),
      clock: chance(0.9) ? 0 : random.next() % 3, move: chance(0.9) ? moves : id(),
      sensorRange: chance(0.5) ? nil : number())
  }

  mutating func call(fights: Int, moves: (Int) -> Int) -> FightCall {
    let fight = chance(0.9) && fights > 0 ? Int(random.unit() * Double(fights)) : id()
    switch Int(random.unit() * 22) {
    case 0: return .logIn(SocialLogin(subject: text(), profile: profile()))
    case 1: return chance(0.1) ? .logOut : .listFights
    case 2: return .saveProfile(profile())
    case 3:
      return .reportPlace(Coordinate(latitude: number() - 50, longitude: number()))
    case 4, 5: return .findOpponent
    case 6: return .backDown
    case 7, 8: return .hitThat
    case 9, 10: return .challenge(id())
    case 11: return .writeStamina(fight, left: number() / 150)
    case 12: return .reportWin(fight)
    case 13: return .viewFight(fight)
    case 14: return .viewProfile(id())
    case 15: return .track(id())
    case 16: return .showPosition(id(), isShown: chance(0.5))
    default: return .punch(fight, punch(moves: moves(fight)))
    }
  }

  /// Mostly a new token; now and then none, zero or a used one.
  mutating func token(for authority: FightAuthority) -> SessionToken? {
    let used = authority.accounts.compactMap(\.session)
    if chance(0.9) { return SessionToken(high: random.next(), low: random.next()) }
    return pick([nil, SessionToken(high: 0, low: 0), used.first])
  }

  mutating func request(for authority: FightAuthority) -> FightArrival {
    var call = call(fights: authority.fights.count) { fight in
      authority.fights.indices.contains(fight) ? authority.fights[fight].bout.moves : 0
    }
    // Mostly a signed-in person, and often a legal call.
    let known = authority.accounts.filter { $0.installation != nil }
    var phone = pick(["p", "q", "r", "s"])
    var session: SessionToken? =
      chance(0.5) ? nil : SessionToken(high: random.next(), low: random.next())
    if known.count < 3, chance(0.3) {
      let name = pick(["a", "b", "c", "d"])
      call = .logIn(SocialLogin(subject: name, profile: Profile(alias: name)))
    } else if !known.isEmpty, chance(0.9) {
      var account = pick(known)
      if chance(0.2), !account.revealed.isEmpty { call = .challenge(pick(account.revealed)) }
      let active = authority.fights.indices.filter { authority.fights[$0].bout.winner == nil }
      if chance(0.4), !active.isEmpty {
        let fight = pick(active)
        let bout = authority.fights[fight].bout
        account = authority.accounts[authority.fights[fight].user(bout.turn ?? .origin)]
        call =
          authority.rules.computesDamage
          ? .punch(fight, punch(moves: bout.moves))
          : .writeStamina(fight, left: number() / 150)
      }
      (phone, session) = (account.installation ?? "", account.session)
    } else if chance(0.1) {
      phone = text()
    }
    var number = numbers[phone, default: 0]
    if chance(0.97) { number = number == .max ? .max : number + 1 }
    numbers[phone] = number
    if chance(0.01) { number = pick([.min, 0, -1]) }
    let stamp = RequestStamp(epoch: chance(0.99) ? 1 : 2, number: number, mark: random.next())
    let request = FightRequest(installation: phone, stamp: stamp, session: session, call: call)
    return FightArrival(request, token: token(for: authority))
  }

  mutating func phoneInput(for client: FightClient) -> FightClient.Input {
    switch Int(random.unit() * 40) {
    case 0: return .ask(.logIn(SocialLogin(subject: "a", profile: profile())))
    case 1: return .ask(call(fights: 3) { _ in 0 })
    case 2: return .open(id())
    case 3: return .tapCard
    case 4: return .beginEdit
    case 5: return .saveDraft(profile())
    case 6: return .arm
    case 7: return .disarm
    case 8: return chance(0.1) ? .sensorStopped : .arm
    case 9...14: return .reply(reply(for: client))
    case 15: return .notice(notice(for: client))
    case 16: return .foreground(chance(0.5))
    case 17: return chance(0.3) ? .clockRestarted(random.next()) : .foreground(true)
    default:
      // A peak now and then, samples without a value, clocks that jump.
      let value = chance(0.2) ? number() * pick([1, -1]) : random.normal()
      return .sample(
        Acceleration(x: Float(value), y: Float(random.normal()), z: Float(random.normal())),
        measured: chance(0.99)
          ? now : pick([TraceInstant(nanoseconds: .max), TraceInstant(nanoseconds: .min)]))
    }
  }

  private mutating func view() -> FightView {
    var bout = Bout(begun: .zero)
    for _ in 0..<Int(random.unit() * 8) {
      let late = now.advanced(bySeconds: 1000)
      let report = PunchReport(
        magnitude: random.uniform(20...90),
        thrown: now.advanced(bySeconds: Double(bout.moves)), move: bout.moves)
      _ = try? bout.strike(by: bout.turn ?? .origin, report, at: late, rules: .default)
    }
    return FightView(
      fight: id(), opponent: 1, opponentAlias: "x", side: pick([.origin, .recipient]), bout: bout,
      lastMoved: now)
  }

  private mutating func reply(for client: FightClient) -> FightReply {
    let other = RequestStamp(epoch: random.next(), number: id())
    let stamp = chance(0.9) ? client.outbox.first?.stamp ?? other : other
    if chance(0.05) {
      let position = StampPosition(epoch: random.next() % 2, next: id())
      return FightReply(stamp: stamp, result: .outOfStep(position))
    }
    let answers: [FightReply.Result] = [
      .answer(.done), .answer(.fight(view())), .refusal(Refusal("x", "y")),
      .answer(
        .session(
          SessionToken(high: random.next(), low: 0), user: id(), isNew: chance(0.5),
          profile: profile())),
      .answer(.opponent(nil)), .refusal(Refusal("signed-out", "z")),
      .answer(.limited(view(), HitLimit(sensorRange: number(), hardest: number()))),
    ]
    let fitting: Bool
    if case .logIn? = client.outbox.first?.request { fitting = true } else { fitting = false }
    return FightReply(stamp: stamp, result: fitting && chance(0.9) ? answers[3] : pick(answers))
  }

  private mutating func notice(for client: FightClient) -> FightNotice {
    let other = SessionToken(high: 0, low: 5)
    return FightNotice(
      kind: pick(Array(FightNotice.Kind.allCases.dropLast())),
      session: chance(0.9) ? client.session ?? other : other, text: text(), fight: id(),
      view: chance(0.7) ? view() : nil)
  }
}

@Suite struct FightStateTests {
  static let presets = [FightRules.default, .hitThat]

  private static func header(hasArming: Bool) -> TraceHeader {
    var header = TraceHeader(id: "test", origin: .synthetic)
    header.channels = [
      ChannelInfo(
        channel: .action, count: 2, attributes: ["kinds": hasArming ? "arm disarm" : "pause"])
    ]
    return header
  }

  /// What engines hold after 200 inputs stays small, and so does the checks' time.
  private static var engines: UInt64 { LongTests.count(quick: 100, long: 500) }

  @Test(.longer, arguments: presets) func theAuthorityTakesAnything(rules: FightRules) throws {
    var trial = ContractTrial()
    var refused: [String: Int] = [:]
    for seed in 1...Self.engines {
      var inputs = FightInputs(seed: seed)
      try trial.play(
        FightAuthority(rules: rules), steps: 200, restoredEvery: seed <= 2 ? 1 : 97
      ) { authority in
        inputs.step()
        return (inputs.request(for: authority), inputs.now)
      } note: { before, after, effects in
        // A refusal by the rules is an answer that is kept, and nothing else has changed.
        guard case .reply(let reply, _)? = effects.first, case .refusal(let refusal) = reply.result
        else { return }
        refused[refusal.code, default: 0] += 1
        if effects.count != 1 { Issue.record("\(refusal) notifies others: \(effects)") }
        guard let before else { return }
        let isSame =
          after.accounts == before.accounts && after.fights == before.fights
          && after.wins == before.wins
        #expect(isSame, "seed \(seed): \(refusal) changed something")
      }
    }
    let count = refused.values.reduce(0, +)
    #expect(trial.taken - count > 40 * Int(Self.engines) && refused.count > 12, "\(refused)")
  }

  @Test(.longer, arguments: presets) func thePhoneTakesAnything(rules: FightRules) throws {
    var trial = ContractTrial()
    for seed in 1...Self.engines {
      var inputs = FightInputs(seed: seed)
      let header = Self.header(hasArming: seed % 3 == 0)
      try trial.play(
        FightClient(rules: rules, installation: "p", for: header), steps: 200,
        restoredEvery: seed <= 3 ? 1 : 97
      ) { client in
        inputs.now = inputs.now.advanced(bySeconds: 0.02)
        if inputs.chance(0.02) { inputs.step() }
        return (inputs.phoneInput(for: client), inputs.now)
      }
    }
    #expect(trial.taken > 40 * Int(Self.engines) && trial.codes.count > 5, "\(trial)")
  }
}
