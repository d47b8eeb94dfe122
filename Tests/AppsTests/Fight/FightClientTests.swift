import Testing
import TraceModel

@testable import AppEngines
@testable import FightApp

@Suite struct FightClientTests {
  private static let session = SessionToken(high: 9, low: 9)

  private static func header(hasArming: Bool) -> TraceHeader {
    var header = TraceHeader(id: "test", origin: .synthetic)
    if hasArming {
      header.channels = [
        ChannelInfo(channel: .action, count: 2, attributes: ["kinds": "arm disarm"])
      ]
    }
    return header
  }

  /// A phone that talks to an authority by hand.
  private struct Phone {
    var client: FightClient
    var now = TraceInstant.zero
    var effects: [FightClient.Effect] = []

    init(_ rules: FightRules = .default, hasArming: Bool = false) {
      client = FightClient(
        rules: rules, installation: "phone", for: FightClientTests.header(hasArming: hasArming))
    }

    mutating func give(_ input: FightClient.Input) throws(Refusal) {
      effects = []
      try client.handle(input, at: now, into: &effects)
      #expect(client.violations == [])
    }

    mutating func answer(_ answer: FightAnswer) throws(Refusal) {
      let stamp = client.outbox.first?.stamp ?? RequestStamp(epoch: 0, number: -1)
      try give(.reply(FightReply(stamp: stamp, result: .answer(answer))))
    }

    mutating func signIn(isNew: Bool = false, profile: Profile = Profile(alias: "Ann")) throws {
      try give(.ask(.logIn(SocialLogin(subject: "ann", profile: profile))))
      try answer(.session(FightClientTests.session, user: 0, isNew: isNew, profile: profile))
    }

    mutating func open(_ bout: Bout = Bout(begun: .zero), side: FightSide = .origin) throws {
      try give(.open(3))
      try answer(.fight(view(bout, side: side)))
    }

    func view(_ bout: Bout, side: FightSide = .origin) -> FightView {
      FightView(
        fight: 3, opponent: 1, opponentAlias: "Bob", side: side, bout: bout, lastMoved: .zero)
    }

    /// Samples of 10 ms: so many g along x, one after the other.
    mutating func feel(_ gravities: [Double]) throws -> [FightClient.Effect] {
      var all: [FightClient.Effect] = []
      for value in gravities {
        now = now.advanced(bySeconds: 0.01)
        let sample = Acceleration(x: Float(value * standardGravity), y: 0, z: 0)
        try give(.sample(sample, measured: now))
        all += effects
      }
      return all
    }

    var sent: [FightCall] {
      effects.compactMap { if case .send(let request) = $0 { request.call } else { nil } }
    }
  }

  private static let quiet = Array(repeating: 0.0, count: 60)

  private func calls(_ effects: [FightClient.Effect]) -> [FightCall] {
    effects.compactMap { if case .send(let request) = $0 { request.call } else { nil } }
  }

  @Test(arguments: [("hitThat", [11, 10, 9]), ("default", [11])])
  func oneSwingDismissesSoManyCards(preset: String, left: [Int]) throws {
    var phone = Phone(try #require(FightRules.preset(named: preset)))
    try phone.signIn(isNew: true)
    #expect(phone.client.cardsLeft == 12)
    let effects = try phone.feel([0, 3.5, 4, 3.5, 0] + FightClientTests.quiet)
    let shown = effects.compactMap { effect -> Int? in
      if case .cardDismissed(let left) = effect { left } else { nil }
    }
    #expect(shown == left)
  }

  @Test func cardsStandBeforeTheFirstFight() throws {
    var phone = Phone()
    try phone.signIn(isNew: true)
    #expect(
      #expect(throws: Refusal.self) { try phone.give(.ask(.challenge(1))) }?.code
        == "not-registered")
    for _ in 0..<12 { try phone.give(.tapCard) }
    #expect(#expect(throws: Refusal.self) { try phone.give(.tapCard) }?.code == "no-card")
    try phone.give(.ask(.challenge(1)))
    #expect(phone.sent == [.challenge(1)])
  }

  @Test(arguments: [("hitThat", nil), ("default", 70)])
  func anEditStartsFromWhatIsThere(preset: String, height: Int?) throws {
    var phone = Phone(try #require(FightRules.preset(named: preset)))
    var profile = Profile(alias: "Ann")
    profile.height = 70
    try phone.signIn(profile: profile)
    try phone.give(.beginEdit)
    var draft = try #require(phone.client.draft)
    #expect(draft.height == height)
    draft.tattoos = 1
    try phone.give(.saveDraft(draft))
    try phone.answer(.done)
    #expect(phone.client.profile?.height == height && phone.client.profile?.tattoos == 1)
  }

  @Test(arguments: [("hitThat", 3.0), ("default", 6.0)])
  func damageIsOfTheFirstSampleOrOfThePeak(preset: String, gravities: Double) throws {
    var phone = Phone(try #require(FightRules.preset(named: preset)))
    try phone.signIn()
    try phone.open()
    let effects = try phone.feel([0, 3, 6, 4, 0] + FightClientTests.quiet)
    let thrown = effects.compactMap { effect -> PunchReport? in
      if case .thrown(let punch, 3) = effect { punch } else { nil }
    }
    #expect(thrown.count == 1)
    let magnitude = try #require(thrown.first?.magnitude)
    #expect(abs(magnitude - gravities * standardGravity) < 1e-4)
    switch calls(effects).first {
    case .punch(3, let punch): #expect(preset == "default" && punch.move == 0)
    case .writeStamina(3, let left):
      #expect(preset == "hitThat" && abs(left - 0.88) < 1e-6)
    case let call: Issue.record("\(String(describing: call))")
    }
  }

  @Test(arguments: FightFaultTests.presets)
  func holdToArmReleaseToDisarm(preset: String) throws {
    var phone = Phone(try #require(FightRules.preset(named: preset)), hasArming: true)
    try phone.signIn()
    try phone.open()
    #expect(try phone.feel([0, 6, 0] + FightClientTests.quiet).isEmpty)
    try phone.give(.arm)
    #expect(!calls(try phone.feel([0, 6, 0] + FightClientTests.quiet)).isEmpty)
    try phone.give(.disarm)
    #expect(try phone.feel([0, 6, 0] + FightClientTests.quiet).isEmpty)
  }

  /// HitThat's phone decides alone: a hold after the own punch starts none, and by the earlier version the
  /// hold after that one does. Who is hit has the turn again.
  @Test(arguments: [("hitThat", 0), ("hitThat-auto", 1)])
  func aHoldOutOfTurnStartsNoPunch(preset: String, punches: Int) throws {
    let rules = try #require(FightRules.preset(named: preset))
    var phone = Phone(rules, hasArming: true)
    try phone.signIn()
    try phone.open()
    func hold(_ phone: inout Phone) throws -> (punches: Int, refusals: [Refusal]) {
      try phone.give(.arm)
      let effects = phone.effects + (try phone.feel([0, 6, 0] + FightClientTests.quiet))
      try phone.give(.disarm)
      return (
        effects.count { if case .thrown = $0 { true } else { false } },
        effects.compactMap { if case .ignored(let refusal) = $0 { refusal } else { nil } }
      )
    }
    let holds = [try hold(&phone), try hold(&phone)]
    #expect(holds.map(\.punches) == [1, 0])
    #expect(holds[1].refusals == [Refusal("hold-out-of-turn", "Wait your turn")])
    var bout = Bout(begun: .zero)
    try bout.write(0.8, by: .origin, rules: rules)
    // The phone sees its own move again, which takes back no turn.
    try phone.answer(.fight(phone.view(bout)))
    #expect(try hold(&phone).punches == punches)
    if punches > 0 { try phone.answer(.fight(phone.view(bout))) }
    let after = try hold(&phone)
    try bout.write(0.7, by: .recipient, rules: rules)
    try phone.give(.open(3))
    while phone.client.view?.bout != bout { try phone.answer(.fight(phone.view(bout))) }
    let last = try hold(&phone)
    #expect(after.punches == 0 && last.punches == 1)
  }

  @Test func outOfTurnNothingIsSent() throws {
    var phone = Phone()
    try phone.signIn()
    try phone.open(side: .recipient)
    let effects = try phone.feel([0, 6, 0] + FightClientTests.quiet)
    #expect(calls(effects).isEmpty)
    #expect(
      effects.contains {
        $0 == .ignored(Refusal("not-your-turn", "wait your turn"))
      })
  }

  @Test func aRequestIsSentUntilItIsAnswered() throws {
    var phone = Phone()
    try phone.give(.ask(.logIn(SocialLogin(subject: "ann", profile: Profile(alias: "Ann")))))
    var requests: [FightClient.Effect] = phone.effects
    for wait in [1.0, 2, 4, 8, 8] {
      let due = try #require(phone.client.deadline)
      let waited = Double(phone.now.nanoseconds(to: due)) / 1e9
      #expect(waited <= wait && waited > 0.75 * wait)
      phone.now = due
      phone.client.advance(to: due, into: &requests)
    }
    #expect(requests.count == 6 && Set(requests).count == 1, "the same request each time")
    try phone.answer(
      .session(FightClientTests.session, user: 0, isNew: false, profile: Profile(alias: "Ann")))
    #expect(phone.client.deadline == nil)
  }

  /// The authority knows other numbers: the phone goes on with those, with the same request.
  @Test func aPhoneOutOfStepGoesOnWithTheAuthoritysNumbers() throws {
    var phone = Phone()
    try phone.signIn()
    try phone.give(.ask(.listFights))
    try phone.give(.ask(.findOpponent))
    let old = try #require(phone.client.outbox.first?.stamp)
    let reply = FightReply(
      stamp: old, result: .outOfStep(StampPosition(epoch: 77, next: 40)))
    try phone.give(.reply(reply))
    #expect(phone.sent == [.listFights])
    #expect(phone.client.outbox.items.map(\.stamp.number) == [40, 41])
    #expect(phone.client.outbox.items.allSatisfy { $0.stamp.epoch == 77 })
    // A copy of it concerns no open request.
    #expect(
      #expect(throws: Refusal.self) { try phone.give(.reply(reply)) }?.code == "not-asked")
  }

  @Test func theNextRequestWaitsForTheAnswer() throws {
    var phone = Phone()
    try phone.signIn()
    try phone.give(.ask(.listFights))
    let stamp = try #require(phone.client.outbox.first?.stamp)
    try phone.give(.ask(.findOpponent))
    #expect(phone.sent.isEmpty)
    try phone.answer(.fights(FightLists(active: [], won: [], lost: [])))
    #expect(phone.sent == [.findOpponent])
    // The answer once more belongs to nothing.
    let late = FightReply(stamp: stamp, result: .answer(.done))
    #expect(#expect(throws: Refusal.self) { try phone.give(.reply(late)) }?.code == "not-asked")
  }

  /// Each fight has a turn of its own: who opens another one while a punch waits can punch there.
  @Test func punchesOfTwoFightsMayWait() throws {
    var phone = Phone()
    try phone.signIn()
    for fight in 3...4 { try phone.give(.open(fight)) }
    var view = phone.view(Bout(begun: .zero))
    try phone.answer(.fight(view))
    _ = try phone.feel([0, 6, 0] + FightClientTests.quiet)
    view.fight = 4
    try phone.answer(.fight(view))
    // `give` asks for violations after each input.
    _ = try phone.feel([0, 6, 0, 0] + FightClientTests.quiet + [0, 6, 0] + FightClientTests.quiet)
    let waiting = phone.client.outbox.items.compactMap {
      if case .punch(let fight, _) = $0.request { fight } else { nil }
    }
    #expect(waiting == [3, 4])
  }

  @Test(arguments: [("hitThat", 0.4), ("default", 5.0)])
  func anOpenFightIsLookedAtAgain(preset: String, seconds: Double) throws {
    var phone = Phone(try #require(FightRules.preset(named: preset)))
    try phone.signIn()
    try phone.open()
    let due = try #require(phone.client.deadline)
    #expect(due == phone.now.advanced(bySeconds: seconds))
    phone.effects = []
    phone.client.advance(to: due, into: &phone.effects)
    #expect(phone.sent == [.viewFight(3)])
  }

  /// The defender sees a hit at once by the notice; the original only with the next look.
  @Test func aNoticeNamesTheFightChangesTheViewAndOpensIt() throws {
    var phone = Phone()
    try phone.signIn()
    try phone.open(side: .recipient)
    var bout = Bout(begun: .zero)
    let punch = PunchReport(magnitude: 50, thrown: .zero, move: 0)
    _ = try bout.strike(by: .origin, punch, at: .zero, rules: .default)
    let notice = FightNotice(
      kind: .hit, session: FightClientTests.session, text: "Bob hit you: your turn.", fight: 3,
      view: phone.view(bout, side: .recipient))
    try phone.give(.notice(notice))
    #expect(phone.effects.first == .notification(notice))
    #expect(phone.client.view?.isMyTurn == true && phone.client.view?.mine.units == 7961)
    // What comes late or twice does not bring stamina back.
    try phone.give(
      .notice(
        FightNotice(
          kind: .hit, session: FightClientTests.session, text: "late", fight: 3,
          view: phone.view(Bout(begun: .zero), side: .recipient))))
    #expect(phone.client.view?.mine.units == 7961)
    try phone.give(.open(try #require(notice.fight)))
    #expect(phone.sent == [.viewFight(3)])
    let other = FightNotice(
      kind: .hit, session: SessionToken(high: 9, low: 8), text: "for another login", fight: 3)
    #expect(#expect(throws: Refusal.self) { try phone.give(.notice(other)) }?.code == "not-for-you")
  }

  /// The answer to a poll from before the phone's own hit comes after it: the original counts the
  /// next punch from there.
  @Test(arguments: FightFaultTests.presets)
  func aPollThatOvertakesTheOwnWriteRestoresStamina(preset: String) throws {
    var phone = Phone(try #require(FightRules.preset(named: preset)))
    try phone.signIn()
    try phone.open()
    phone.now = try #require(phone.client.deadline)
    phone.effects = []
    phone.client.advance(to: phone.now, into: &phone.effects)
    #expect(phone.sent == [.viewFight(3)])
    let swing = [0, 3, 3, 0] + FightClientTests.quiet
    _ = try phone.feel(swing)
    try phone.answer(.fight(phone.view(Bout(begun: .zero))))
    _ = try phone.feel(swing)
    let written = phone.client.outbox.items.compactMap { item -> Double? in
      if case .writeStamina(3, let left) = item.request { left } else { nil }
    }
    // Two hits of 0.12 leave 0.76, and not twice 0.88.
    #expect(written.map { ($0 * 100).rounded() } == (preset == "hitThat" ? [88, 88] : []))
  }

  @Test(arguments: FightFaultTests.presets)
  func theViewChangesWithTheNoticeOrOnlyWithTheNextLook(preset: String) throws {
    var world = try FightWorld.fighting(try #require(FightRules.preset(named: preset)))
    if preset == "hitThat" {
      _ = try world.ask(0, .writeStamina(0, left: 0.5))
    } else {
      try world.punch(0)
    }
    let notice = try #require(world.notices(to: 1).first)
    #expect(notice.fight == 0 && notice.kind == .hit)
    #expect((notice.view == nil) == (preset == "hitThat"))
  }

  @Test func theEndOfTheSessionIsSaidAndDropsWhatWaits() throws {
    var phone = Phone()
    try phone.signIn()
    try phone.give(.ask(.listFights))
    try phone.give(
      .notice(
        FightNotice(
          kind: .signedOut, session: FightClientTests.session, text: "You signed in elsewhere.")))
    #expect(phone.effects.last == .signedOut("You signed in elsewhere."))
    #expect(phone.client.session == nil && phone.client.outbox.isEmpty)
    #expect(phone.client.deadline == nil)
    #expect(
      #expect(throws: Refusal.self) { try phone.give(.ask(.listFights)) }?.code == "signed-out")
  }

  @Test func punchesAreMadeByTheSensorOnly() throws {
    var phone = Phone()
    try phone.signIn()
    for call in [
      FightCall.punch(3, PunchReport(magnitude: 50, thrown: .zero, move: 0)), .reportWin(3),
      .writeStamina(3, left: 0),
    ] {
      #expect(
        #expect(throws: Refusal.self) { try phone.give(.ask(call)) }?.code == "punch-yourself")
    }
  }
}
