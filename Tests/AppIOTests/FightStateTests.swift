import AppIO
import Detectors
import Foundation
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

/// The same app, a version earlier.
private struct Older<Engine: AppEngine>: AppEngine {
  static var name: String { Engine.name }
  static var stateVersion: Int { Engine.stateVersion - 1 }
  var what = "an older layout"
  mutating func handle(_: Int, at _: TraceInstant, into _: inout [Int]) throws(Refusal) {}
  var violations: [String] { [] }
}

@Suite struct FightStateTests {
  static let presets = [FightRules.default, .hitThat]

  static func header(hasArming: Bool) -> TraceHeader {
    var header = TraceHeader(id: "test", origin: .synthetic)
    header.channels = [
      ChannelInfo(
        channel: .action, count: 2, attributes: ["kinds": hasArming ? "arm disarm" : "pause"])
    ]
    return header
  }

  /// Gives one random input, or lets time come to the deadline, and returns what followed.
  static func step(
    _ authority: inout FightAuthority, _ inputs: inout FightInputs
  ) -> (effects: [FightAuthority.Effect], refusal: Refusal?) {
    var effects: [FightAuthority.Effect] = []
    inputs.step()
    if let due = authority.deadline, due <= inputs.now, inputs.chance(0.9) {
      authority.advance(to: due, into: &effects)
      return (effects, nil)
    }
    let request = inputs.request(for: authority)
    // A sample, for a copy that is kept makes the engine copy what it changes.
    let before = inputs.now.nanoseconds % 10 == 0 ? authority : nil
    do throws(Refusal) {
      try authority.handle(request, at: inputs.now, into: &effects)
    } catch {
      if let before, inputs.now.nanoseconds % 100 == 0,
        (try? SavedState.bytes(of: authority)) != (try? SavedState.bytes(of: before))
      {
        Issue.record("\(request) changed something: \(error)")
      }
      return (effects, error)
    }
    // A refusal by the rules is an answer that is kept, and nothing else has changed.
    guard case .reply(let reply, _)? = effects.first, case .refusal(let refusal) = reply.result
    else { return (effects, nil) }
    if let before,
      authority.accounts != before.accounts || authority.fights != before.fights
        || authority.wins != before.wins
    {
      Issue.record("\(request) changed something: \(refusal)")
    }
    if effects.count != 1 { Issue.record("\(refusal) notifies others: \(effects)") }
    return ([], refusal)
  }

  static func step(
    _ client: inout FightClient, _ inputs: inout FightInputs
  ) -> (effects: [FightClient.Effect], refusal: Refusal?) {
    var effects: [FightClient.Effect] = []
    inputs.now = inputs.now.advanced(bySeconds: 0.02)
    if inputs.chance(0.02) { inputs.step() }
    if let due = client.deadline, due <= inputs.now, inputs.chance(0.9) {
      client.advance(to: due, into: &effects)
      return (effects, nil)
    }
    let input = inputs.phoneInput(for: client)
    do throws(Refusal) {
      try client.handle(input, at: inputs.now, into: &effects)
      return (effects, nil)
    } catch {
      return (effects, error)
    }
  }

  // MARK: Save and restore

  /// Two engines get the same; one is saved and restored on the way, at every step of short scripts
  /// and at some steps of long ones.
  private func compare<Engine: AppEngine>(
    _ engine: Engine, seed: UInt64, steps: Int, everyStep: Bool,
    step: (inout Engine, inout FightInputs) -> (effects: [Engine.Effect], refusal: Refusal?)
  ) throws {
    var (plain, restored) = (engine, engine)
    var inputs = (FightInputs(seed: seed), FightInputs(seed: seed))
    for number in 0..<steps {
      let one = step(&plain, &inputs.0)
      let other = step(&restored, &inputs.1)
      // As text: a place that is not a number differs from itself.
      #expect("\(one.effects)" == "\(other.effects)", "seed \(seed), step \(number)")
      #expect(one.refusal == other.refusal, "seed \(seed), step \(number)")
      if everyStep || number % 97 == 0 {
        restored = try SavedState.engine(from: try SavedState.bytes(of: restored))
      }
    }
    #expect(try SavedState.bytes(of: plain) == SavedState.bytes(of: restored), "seed \(seed)")
  }

  /// Up to 4 a short script, then a long one.
  private static var seeds: [UInt64] { LongTests.areWanted ? [1, 2, 3, 4, 5, 6] : [1, 5] }

  @Test(.longer, arguments: seeds)
  func theAuthorityGoesOnAsItWas(seed: UInt64) throws {
    let isLong = seed > 4
    for rules in FightStateTests.presets {
      try compare(
        FightAuthority(rules: rules), seed: seed,
        steps: isLong ? LongTests.count(quick: 500, long: 2000) : 200,
        everyStep: !isLong, step: FightStateTests.step)
    }
  }

  @Test(.longer, arguments: seeds)
  func thePhoneGoesOnAsItWas(seed: UInt64) throws {
    let isLong = seed > 4
    for (rules, hasArming) in [(FightRules.default, false), (.default, true), (.hitThat, true)] {
      let client = FightClient(
        rules: rules, installation: "p", for: FightStateTests.header(hasArming: hasArming))
      try compare(
        client, seed: seed, steps: isLong ? LongTests.count(quick: 750, long: 3000) : 300,
        everyStep: !isLong,
        step: FightStateTests.step)
    }
  }

  @Test func aSwingIsSavedInItsMiddle() throws {
    var client = FightClient(installation: "p", for: FightStateTests.header(hasArming: false))
    var found: [FightClient.Effect] = []
    for step in 0..<60 {
      let now = TraceInstant.zero.advanced(bySeconds: Double(step) / 100)
      let height: Float = step == 10 ? 40 : step == 20 ? 90 : 0
      try client.handle(
        .sample(Acceleration(x: height, y: 0, z: 0), measured: now), at: now, into: &found)
      // Between the first sample over the threshold and the end of the window too.
      client = try SavedState.engine(from: try SavedState.bytes(of: client))
    }
    let magnitudes = found.compactMap { effect -> Double? in
      if case .detected(let record) = effect { record.value } else { nil }
    }
    #expect(magnitudes == [90])
  }

  @Test func damageLosesNothingAndAnotherAppsStateIsRefused() throws {
    let folder = try TestFolder()
    let path = folder.path("state.json")
    let file = StateFile<FightAuthority>(path: path)
    var authority = FightAuthority()
    var inputs = FightInputs(seed: 3)
    for _ in 0..<200 { _ = FightStateTests.step(&authority, &inputs) }
    try file.save(authority)
    try file.save(authority)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    try Data(bytes.dropLast(100)).write(to: URL(fileURLWithPath: path))
    let opened = try #require(try file.open())
    #expect(opened.notice?.contains(".damaged") == true)
    #expect(try SavedState.bytes(of: opened.engine) == SavedState.bytes(of: authority))
    // A phone's state is not an authority's.
    let phone = FightClient(installation: "p", for: FightStateTests.header(hasArming: false))
    let error = try #require(throws: TraceError.self) {
      try SavedState.engine(FightAuthority.self, from: try SavedState.bytes(of: phone))
    }
    #expect(error.found == "fight-phone, version 3")
  }

  /// A state of an older program is refused with both versions, and stays as it was.
  private func checkOlder<Engine: AppEngine>(_ engine: Engine) throws {
    let folder = try TestFolder()
    let path = folder.path("state.json")
    try StateFile<Older<Engine>>(path: path).save(Older<Engine>())
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let file = StateFile<Engine>(path: path)
    let errors = [
      #expect(throws: TraceError.self) { try file.open() },
      #expect(throws: TraceError.self) { try file.save(engine) },
    ]
    for error in errors {
      #expect(error?.expected == "the state of \(Engine.name), version \(Engine.stateVersion)")
      #expect(error?.found == "\(Engine.name), version \(Engine.stateVersion - 1)")
      #expect(error?.remedy.contains("open it with the program that wrote it") == true)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func aStateOfAnOlderVersionIsRefusedAndLeftAlone() throws {
    try checkOlder(FightAuthority())
    try checkOlder(
      FightClient(installation: "p", for: FightStateTests.header(hasArming: false)))
  }

  // MARK: 100,000 inputs each

  /// Of 500 engines, in the quick run of 100, 200 inputs each: what they hold stays small, and so does
  /// the checks' time.
  private func fuzz<Engine: AppEngine>(
    _ make: (UInt64) -> Engine, keepsAnswers: Bool,
    step: (inout Engine, inout FightInputs) -> (effects: [Engine.Effect], refusal: Refusal?)
  ) throws -> (taken: Int, codes: [String: Int]) {
    var (count, taken) = (0, 0)
    var codes: [String: Int] = [:]
    for seed in UInt64(1)...Self.engines {
      var engine = make(seed)
      var inputs = FightInputs(seed: seed)
      for number in 0..<200 {
        let isSampled = !keepsAnswers && number % 100 == 50
        let before = isSampled ? try SavedState.bytes(of: engine) : []
        let outcome = step(&engine, &inputs)
        count += 1
        let violations = engine.violations
        if !violations.isEmpty { Issue.record("seed \(seed), step \(number): \(violations)") }
        guard let refusal = outcome.refusal else {
          taken += 1
          continue
        }
        codes[refusal.code, default: 0] += 1
        if refusal.code.isEmpty || refusal.reason.isEmpty || !outcome.effects.isEmpty {
          Issue.record("seed \(seed), step \(number): \(refusal), \(outcome.effects)")
        }
        if isSampled {
          #expect(try SavedState.bytes(of: engine) == before, "seed \(seed), step \(number)")
        }
      }
    }
    #expect(count == 200 * Self.engines)
    return (taken, codes)
  }

  private static var engines: UInt64 { LongTests.count(quick: 100, long: 500) }

  @Test(.longer, arguments: presets) func theAuthorityTakesAnything(rules: FightRules) throws {
    let counts = try fuzz(
      { _ in FightAuthority(rules: rules) }, keepsAnswers: true, step: FightStateTests.step)
    #expect(counts.taken > 40 * Self.engines && counts.codes.count > 15, "\(counts)")
  }

  @Test(.longer, arguments: presets) func thePhoneTakesAnything(rules: FightRules) throws {
    let counts = try fuzz(
      { seed in
        FightClient(
          rules: rules, installation: "p", for: FightStateTests.header(hasArming: seed % 3 == 0))
      }, keepsAnswers: false, step: FightStateTests.step)
    #expect(counts.taken > 40 * Self.engines && counts.codes.count > 5, "\(counts)")
  }
}
