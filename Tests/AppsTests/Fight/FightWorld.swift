import Testing
import TraceModel

@testable import AppEngines
@testable import FightApp

/// An authority with people who ask it, each on a phone of their own.
struct FightWorld {
  var authority: FightAuthority
  var now = TraceInstant.zero
  var effects: [FightAuthority.Effect] = []
  private var numbers: [String: Int] = [:]
  private var sessions: [UserID: (phone: String, session: SessionToken)] = [:]
  /// The source of the transport's tokens.
  private var random = SeededGenerator(seed: 7)

  init(_ rules: FightRules = .default) {
    authority = FightAuthority(rules: rules)
  }

  mutating func newToken() -> SessionToken {
    SessionToken(high: random.next(), low: random.next())
  }

  mutating func wait(_ seconds: Double) {
    now = now.advanced(bySeconds: seconds)
  }

  mutating func send(
    _ call: FightCall, phone: String, session: SessionToken?, number: Int? = nil
  ) throws(Refusal) -> FightAnswer {
    try send(call, phone: phone, session: session, number: number, token: newToken())
  }

  mutating func send(
    _ call: FightCall, phone: String, session: SessionToken?, number: Int? = nil,
    token: SessionToken?
  ) throws(Refusal) -> FightAnswer {
    let number = number ?? numbers[phone, default: 0] + 1
    effects = []
    try authority.handle(
      FightArrival(
        FightRequest(
          installation: phone, stamp: FightWorld.stamp(number, call), session: session, call: call),
        token: token),
      at: now, into: &effects)
    numbers[phone] = number
    #expect(authority.violations == [])
    for case .reply(let reply, _) in effects {
      switch reply.result {
      case .answer(let answer): return answer
      case .refusal(let refusal):
        #expect(effects.count == 1, "a refusal notifies no other phone")
        effects = []
        throw refusal
      case .outOfStep:
        effects = []
        throw Refusal("out-of-step", "\(reply)")
      }
    }
    Issue.record("no answer to \(call)")
    return .done
  }

  /// The stamp of a phone that made that call with that number.
  private static func stamp(_ number: Int, _ call: FightCall) -> RequestStamp {
    RequestStamp(
      epoch: 1, number: number, mark: StableHash.ofBytes("\(number) \(call)".utf8))
  }

  @discardableResult
  mutating func signIn(_ name: String, phone: String? = nil) throws(Refusal) -> UserID {
    let phone = phone ?? "phone of \(name)"
    let login = SocialLogin(subject: name, profile: Profile(alias: name))
    let answer = try send(.logIn(login), phone: phone, session: nil)
    guard case .session(let session, let user, _, _) = answer else { return -1 }
    sessions[user] = (phone, session)
    return user
  }

  func phone(_ user: UserID) -> String { sessions[user]?.phone ?? "" }
  func session(_ user: UserID) -> SessionToken? { sessions[user]?.session }

  @discardableResult
  mutating func ask(_ user: UserID, _ call: FightCall) throws(Refusal) -> FightAnswer {
    try send(call, phone: phone(user), session: session(user))
  }

  /// The code with which a call is refused; nil = it is taken. A refused one changes nothing.
  mutating func refusal(
    of call: FightCall, by user: UserID, session other: SessionToken? = nil, phone: String? = nil
  ) -> String? {
    let before = authority
    do throws(Refusal) {
      _ = try send(
        call, phone: phone ?? self.phone(user), session: other ?? session(user))
      return nil
    } catch {
      #expect(!error.reason.isEmpty && effects.isEmpty)
      #expect(authority.accounts == before.accounts && authority.fights == before.fights)
      return error.code
    }
  }

  /// Two people in a fight; the first one, user 0, moves first.
  static func fighting(_ rules: FightRules = .default) throws -> FightWorld {
    var world = FightWorld(rules)
    try world.signIn("Ann")
    try world.signIn("Bob")
    try world.meet(0, 1)
    return world
  }

  /// The first finds the second and starts a fight with them.
  mutating func meet(_ first: UserID, _ second: UserID) throws {
    if authority.accounts[first].revealed.contains(second) == false {
      _ = try ask(first, .findOpponent)
      while let candidate = authority.accounts[first].candidate, candidate != second {
        _ = try ask(first, .backDown)
      }
      _ = try ask(first, .hitThat)
    }
    _ = try ask(first, .challenge(second))
  }

  @discardableResult
  mutating func punch(
    _ user: UserID, gravities: Double = 5, fight: FightID = 0
  ) throws(Refusal) -> FightView? {
    wait(1)
    let punch = PunchReport(
      magnitude: gravities * standardGravity, thrown: now,
      move: authority.fights[fight].bout.moves)
    switch try ask(user, .punch(fight, punch)) {
    case .fight(let view), .limited(let view, _): return view
    default: return nil
    }
  }

  /// Lets a person win a fight; the opponent hits back lightly.
  mutating func knockOut(by user: UserID, fight: FightID = 0) throws(Refusal) {
    while let turn = authority.fights[fight].bout.turn {
      let mover = authority.fights[fight].user(turn)
      try punch(mover, gravities: mover == user ? 12 : 2.5, fight: fight)
    }
  }

  func notices(to user: UserID) -> [FightNotice] {
    effects.compactMap {
      if case .notify(let notice, phone(user)) = $0 { notice } else { nil }
    }
  }
}
