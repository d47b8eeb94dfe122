public import AppEngines
public import TraceModel

/// The server of Fight: accounts, matching, fights, records, positions. Phones send requests; the
/// server decides by the rules.
///
/// Each installation numbers its requests and sends one at a time. The authority keeps the last
/// answers of each in a ``ReplyMemory``. A repeated request gets the same answer without being
/// executed again; a phone whose numbers do not fit gets the next valid one. A refusal by the rules
/// is also an answer and is kept: a late copy is not evaluated again with another turn or clock.
/// Only a request that is not a signed-in person's next one is thrown: it changes nothing, is always
/// refused, and the transport returns the refusal.
///
/// Session tokens come in with the requests: the transport draws them. Memory grows with people and
/// their fights only: answers are kept for phones with a sign-in, at most
/// ``keptInstallations`` for each person.
public struct FightAuthority: AppEngine {
  public typealias Input = FightArrival

  public enum Effect: Hashable, Sendable, Codable {
    case reply(FightReply, installation: String)
    case notify(FightNotice, installation: String)
  }

  public static let name = "fight-authority"
  public static let stateVersion = 3
  /// The number of answers kept for each installation: a phone that is restored from before so many
  /// requests still gets the answers to those that it repeats.
  static let keptReplies = 64
  /// The number of phones of a person whose answers are kept, those that signed in last.
  static let keptInstallations = 8
  /// The number of the latest tokens that are known to be used, besides those of open sessions.
  static let keptTokens = 64

  struct Account: Hashable, Sendable, Codable {
    var subject: String
    var profile: Profile
    var wins = 0
    var losses = 0
    /// The open session; nil = signed out.
    var session: SessionToken?
    /// The phone on which the person is signed in; nil = none.
    var installation: String?
    /// The phones on which the person has signed in, the last one last.
    var installations: [String] = []
    var place: Coordinate?
    var seen: TraceInstant
    /// The hardest hit that counted, in m s-2; 0 = none.
    var hardest = 0.0
    /// The time until which the offers are used up at the limit's rate; nil = none was offered.
    var offersUntil: TraceInstant?
    /// The people offered so far, in order.
    var offered: [UserID] = []
    var candidate: UserID?
    var revealed: [UserID] = []
    /// The people who may see the exact position, if they show theirs.
    var shownTo: [UserID] = []
    /// The people notified that this person is on the way to them.
    var tracked: [UserID] = []
  }

  struct Fight: Hashable, Sendable, Codable {
    var origin: UserID
    var recipient: UserID
    var bout: Bout
    var begun: TraceInstant
    var lastMoved: TraceInstant
    var blows: [Blow] = []

    func side(of user: UserID) -> FightSide? {
      user == origin ? .origin : user == recipient ? .recipient : nil
    }
    func user(_ side: FightSide) -> UserID { side == .origin ? origin : recipient }
  }

  struct Win: Hashable, Sendable, Codable {
    var fight: FightID
    var winner: UserID
    var loser: UserID
  }

  public let rules: FightRules
  var accounts: [Account] = []
  private var replies = ReplyMemory<String, FightReply.Result>(
    .serial, window: FightAuthority.keptReplies)
  var fights: [Fight] = []
  var wins: [Win] = []
  /// The latest tokens of logins, the last one last.
  private var usedTokens: [SessionToken] = []
  var clock = TraceInstant(nanoseconds: .min)

  public init(rules: FightRules = .default) { self.rules = rules }

  // MARK: Requests

  public mutating func handle(
    _ arrival: FightArrival, at now: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) {
    let now = max(now, clock)
    let request = arrival.request
    if let result = try earlierResult(for: request) {
      effects.append(reply(result, to: request))
      return
    }
    var following: [Effect] = []
    let result: FightReply.Result
    if case .logIn(let login) = request.call {
      result = .answer(try logIn(login, with: arrival, at: now, into: &following))
    } else {
      let user = try user(of: request)
      result = judge(request.call, by: user, at: now, into: &following)
    }
    clock = now
    replies.remember(result, to: request.stamp, from: request.installation)
    effects.append(reply(result, to: request))
    effects += following
  }

  /// Applies the rules to a call of a signed-in person; a refused call changes nothing.
  private mutating func judge(
    _ call: FightCall, by user: UserID, at now: TraceInstant, into effects: inout [Effect]
  ) -> FightReply.Result {
    do throws(Refusal) {
      let answer = try perform(call, by: user, at: now, into: &effects)
      accounts[user].seen = now
      return .answer(answer)
    } catch {
      return .refusal(error)
    }
  }

  private func reply(_ result: FightReply.Result, to request: FightRequest) -> Effect {
    .reply(FightReply(stamp: request.stamp, result: result), installation: request.installation)
  }

  /// Returns the answer to a request that is not the next one; nil = it is the next one.
  private func earlierResult(for request: FightRequest) throws(Refusal) -> FightReply.Result? {
    guard (1...64).contains(request.installation.utf8.count) else {
      throw Refusal("no-installation", "the phone must name itself in 1 to 64 bytes")
    }
    return switch replies.verdict(on: request.stamp, from: request.installation) {
    case .new: nil
    case .known(let result): result
    case .outOfStep(let position): .outOfStep(position)
    }
  }

  private func user(of request: FightRequest) throws(Refusal) -> UserID {
    guard let session = request.session,
      let user = accounts.firstIndex(where: { $0.session == session }),
      accounts[user].installation == request.installation
    else {
      throw rules.explainsSignOut
        ? Refusal(
          "signed-out", "you are signed in on another phone or not at all; sign in here again")
        : Refusal("error", "invalid session")
    }
    return user
  }

  private mutating func perform(
    _ call: FightCall, by user: UserID, at now: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) -> FightAnswer {
    switch call {
    case .logIn: throw Refusal("not-here", "signing in is not asked for while signed in")
    case .logOut:
      accounts[user].installation = nil
      accounts[user].session = nil
      return .done
    case .saveProfile(let profile):
      try profile.validate()
      accounts[user].profile = profile
      return .done
    case .reportPlace(let place):
      guard place.isValid else {
        throw Refusal("no-such-place", "a position has a latitude to ±90° and a longitude to ±180°")
      }
      accounts[user].place = place
      return .done
    case .findOpponent: return try findOpponent(of: user, at: now)
    case .backDown: return try backDown(user, at: now)
    case .hitThat: return try reveal(to: user)
    case .challenge(let other): return try challenge(other, by: user, at: now, into: &effects)
    case .punch(let fight, let punch):
      return try strike(punch, in: fight, by: user, at: now, into: &effects)
    case .writeStamina(let fight, let left):
      return try write(left, in: fight, by: user, at: now, into: &effects)
    case .reportWin(let fight): return try reportWin(of: fight, by: user)
    case .viewFight(let fight): return .fight(view(of: fight, for: try side(of: user, in: fight)))
    case .listFights: return .fights(lists(of: user))
    case .viewProfile(let other): return .profile(try profile(of: other, for: user))
    case .track(let other): return try track(other, by: user, into: &effects)
    case .showPosition(let other, let isShown):
      return try show(user, to: other, isShown: isShown)
    }
  }

  // MARK: Accounts

  private mutating func logIn(
    _ login: SocialLogin, with arrival: FightArrival, at now: TraceInstant,
    into effects: inout [Effect]
  ) throws(Refusal) -> FightAnswer {
    guard (1...128).contains(login.subject.utf8.count) else {
      throw Refusal("no-login", "the login's provider must name the person in 1 to 128 bytes")
    }
    try login.profile.validate()
    let session = try newSession(arrival.token)
    let installation = arrival.request.installation
    let known = accounts.firstIndex { $0.subject == login.subject }
    let user = known ?? accounts.count
    if known == nil {
      accounts.append(Account(subject: login.subject, profile: login.profile, seen: now))
    }
    if let other = accounts[user].installation, other != installation, rules.explainsSignOut,
      let ended = accounts[user].session
    {
      let notice = FightNotice(
        kind: .signedOut, session: ended,
        text: "You signed in on another phone, so this one was signed out. Your fights are safe.")
      effects.append(.notify(notice, installation: other))
    }
    // Another person may have been signed in on this phone.
    for index in accounts.indices where accounts[index].installation == installation {
      accounts[index].installation = nil
      accounts[index].session = nil
    }
    accounts[user].installation = installation
    accounts[user].session = session
    accounts[user].seen = now
    noteInstallation(installation, of: user)
    return .session(session, user: user, isNew: known == nil, profile: accounts[user].profile)
  }

  /// Checks a token of the transport, and remembers it.
  private mutating func newSession(_ token: SessionToken?) throws(Refusal) -> SessionToken {
    guard let token, !token.isZero, !usedTokens.contains(token),
      !accounts.contains(where: { $0.session == token })
    else { throw Refusal("no-new-token", "the server could not make a session; try again") }
    usedTokens.append(token)
    if usedTokens.count > FightAuthority.keptTokens { usedTokens.removeFirst() }
    return token
  }

  /// Remembers a phone of a person, and forgets the answers to the oldest one beyond the limit.
  private mutating func noteInstallation(_ installation: String, of user: UserID) {
    accounts[user].installations.removeAll { $0 == installation }
    accounts[user].installations.append(installation)
    guard accounts[user].installations.count > FightAuthority.keptInstallations else { return }
    let oldest = accounts[user].installations.removeFirst()
    // Another person may still use it.
    if !accounts.contains(where: { $0.installations.contains(oldest) }) { replies.forget(oldest) }
  }

  func basicProfile(of user: UserID) -> BasicProfile {
    let account = accounts[user]
    return BasicProfile(
      user: user, profile: account.profile, wins: account.wins, losses: account.losses)
  }

  private func profile(of other: UserID, for user: UserID) throws(Refusal) -> BasicProfile {
    if other == user { return basicProfile(of: user) }
    try checkAcquaintance(of: other, for: user)
    return basicProfile(of: other)
  }

  /// Checks that `user` knows `other`: revealed by the queue, or fought, including past fights.
  func checkAcquaintance(of other: UserID, for user: UserID) throws(Refusal) {
    guard other != user else { throw Refusal("nobody-there", "there is no such opponent") }
    // The same answer for a person who does not exist: nobody can count the people.
    let haveFought = fights.contains {
      $0.side(of: user) != nil && $0.side(of: other) != nil
    }
    guard haveFought || accounts[user].revealed.contains(other) else {
      throw Refusal("not-revealed", "press “Hit that” on this opponent first")
    }
  }

  func notify(
    _ user: UserID, _ kind: FightNotice.Kind, _ text: String, fight: FightID? = nil,
    into effects: inout [Effect]
  ) {
    guard let installation = accounts[user].installation, let session = accounts[user].session
    else { return }
    var notice = FightNotice(kind: kind, session: session, text: text, fight: fight)
    if rules.noticesCarryFights, let fight, let side = fights[fight].side(of: user) {
      notice.view = view(of: fight, for: side)
    }
    effects.append(.notify(notice, installation: installation))
  }

  // MARK: Invariants

  /// The number of phones whose answers are kept.
  var knownPhoneCount: Int { replies.senderCount }

  public var violations: [String] {
    var found = replies.violations
    for (number, fight) in fights.enumerated() {
      found += fight.bout.violations(fight.blows, rules: rules).map { "fight \(number): \($0)" }
    }
    if rules.countsWinsOnce {
      if wins.map(\.fight).sorted() != fights.indices.filter({ fights[$0].bout.winner != nil }) {
        found.append("the counted wins do not match the ended fights")
      }
    }
    let (won, lost) = (accounts.reduce(0) { $0 + $1.wins }, accounts.reduce(0) { $0 + $1.losses })
    if won != wins.count || lost != wins.count {
      found.append("\(wins.count) wins, but records of \(won) wins and \(lost) losses")
    }
    let phones = accounts.compactMap(\.installation).sorted()
    if zip(phones, phones.dropFirst()).contains(where: { $0 == $1 }) {
      found.append("two people are signed in on one phone")
    }
    if rules.allowsOneFightAPair {
      let pairs = fights.filter { $0.bout.winner == nil }
        .map { [min($0.origin, $0.recipient), max($0.origin, $0.recipient)] }
      if Set(pairs).count != pairs.count { found.append("one pair has two fights") }
    }
    if accounts.contains(where: { $0.installations.count > FightAuthority.keptInstallations })
      || usedTokens.count > FightAuthority.keptTokens
    {
      found.append("more phones or tokens are kept than the limit")
    }
    if rules.offersNobodyTwice,
      accounts.contains(where: { Set($0.offered).count != $0.offered.count })
    {
      found.append("a person was offered twice")
    }
    return found
  }
}
