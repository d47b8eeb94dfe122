import AppEngines
import Detectors
import TraceModel

extension TicTacToeClient {
  static let chosenSignOut = "You logged out."

  mutating func take(
    _ reply: TicTacToeReply, at now: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) {
    // One request is in transit, or by the original's rules several.
    guard let item = outbox.item(reply.stamp), !rules.repeatsRequests || item == outbox.first
    else { throw Refusal("not-asked", "this answers no open request") }
    if case .outOfStep(let position) = reply.result {
      guard let item = outbox.resynchronise(item.stamp, to: position, at: now) else {
        throw Refusal("impossible-position", "no request can have this number")
      }
      return send(item, into: &effects)
    }
    outbox.remove(item.stamp)
    switch reply.result {
    case .refusal(let refusal):
      takeRefusal(refusal, of: item.request, at: now, into: &effects)
    case .answer(let answer):
      effects.append(.answer(answer, to: item.request))
      take(answer, to: item, at: now, into: &effects)
    case .outOfStep: break
    }
    send(outbox.sendFirst(at: now), into: &effects)
  }

  private mutating func takeRefusal(
    _ refusal: Refusal, of call: TicTacToeCall, at now: TraceInstant, into effects: inout [Effect]
  ) {
    effects.append(.refused(refusal, call))
    if refusal.code == "signed-out" { return signOut(refusal.reason, at: now, into: &effects) }
    switch call {
    case .ask(let other) where attempt?.to == other: attempt = nil
    case .move(let id, _, _) where game?.game == id:
      pendingMove = nil
      refresh(.look, at: now, into: &effects)
    default: break
    }
    if refusal.code == "not-your-game" { drop(gameOf: call, into: &effects) }
  }

  /// Closes a game that the server does not know, because its state went back.
  private mutating func drop(gameOf call: TicTacToeCall, into effects: inout [Effect]) {
    let id: GameID? =
      switch call {
      case .move(let id, _, _), .leave(let id), .say(let id, _): id
      default: nil
      }
    guard let game, game.game == id else { return }
    self.game = nil
    pendingMove = nil
    if game.result == nil { effects.append(.gone(game)) }
  }

  private mutating func take(
    _ answer: TicTacToeAnswer, to item: Outbox<TicTacToeCall>.Item, at now: TraceInstant,
    into effects: inout [Effect]
  ) {
    let asked = asked(with: item.stamp)
    switch answer {
    case .session(let token, let user, _):
      signIn(user, token, at: now, into: &effects)
    case .contacts(let list):
      contacts = Array(list.filter { $0.user != user }.prefix(TicTacToeLimits.contacts))
    case .game(let view): take(view, asked: asked, at: now, into: &effects)
    case .look(let look):
      if let view = look.game {
        take(view, asked: asked, at: now, into: &effects)
      } else if let game, game.result == nil, asked?.game?.isSameGame(as: game) == true {
        self.game = nil
        pendingMove = nil
        effects.append(.gone(game))
      }
      if let asking = look.asking { hear(asking, at: now, into: &effects) }
    case .posted(let id): notePosted(id, item.request)
    case .records(let records):
      if case .query(let table) = item.request {
        take(records, of: table, at: now, into: &effects)
      }
    case .done:
      if item.request == .logOut { signOut(TicTacToeClient.chosenSignOut, at: now, into: &effects) }
    case .salt, .menu, .asked, .thread, .scores, .friends: break
    }
  }

  private mutating func signIn(
    _ user: UserID, _ token: SessionToken, at now: TraceInstant, into effects: inout [Effect]
  ) {
    beginSession(of: user, token, at: now)
    effects.append(.signedIn(user))
    refresh(.contacts, at: now, into: &effects)
  }

  private mutating func signOut(
    _ reason: String, at now: TraceInstant, into effects: inout [Effect]
  ) {
    beginSession(of: nil, nil, at: now)
    outbox.removeAll { _ in true }
    effects.append(.signedOut(reason))
  }

  private mutating func beginSession(
    of user: UserID?, _ token: SessionToken?, at now: TraceInstant
  ) {
    (self.user, session) = (user, token)
    (game, pendingMove, attempt, visit) = (nil, nil, nil, Visit())
    (contacts, online, peers) = ([], [], [])
    detector = PresenceDetector(detector.parameters, places: [])
    setTimers(areOn: user != nil, at: now)
  }

  mutating func take(
    _ notice: TicTacToeNotice, at now: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) {
    guard let user, notice.user == user else {
      throw Refusal("not-for-you", "the notice is for a person who is not signed in here")
    }
    switch notice.content {
    case .asked(let attempt): hear(attempt, at: now, into: &effects)
    case .game(let view): take(view, asked: nil, at: now, into: &effects)
    case .arrived(let contact): take(contact)
    case .friendRequest(let other, let name):
      effects.append(.friendRequest(from: other, name: name))
    case .signedOut(let reason): signOut(reason, at: now, into: &effects)
    }
  }

  // MARK: Games

  /// Answers a person who asks, unless a game is open.
  private mutating func hear(
    _ asking: Attempt, at now: TraceInstant, into effects: inout [Effect]
  ) {
    guard rules.keepsGames, asking.to == user, game.map({ $0.result != nil }) ?? true else {
      return
    }
    let call = TicTacToeCall.hear(asking.id)
    guard !outbox.items.contains(where: { $0.request == call }) else { return }
    effects.append(.asked(by: asking.from))
    enqueue(call, at: now, into: &effects)
  }

  /// Takes the server's state of a game.
  /// - Parameter asked: what was known before the request for it was sent; nil = a notice.
  private mutating func take(
    _ view: GameView, asked: Asked?, at now: TraceInstant, into effects: inout [Effect]
  ) {
    guard user != nil, rules.keepsGames, view.moves.count <= 9,
      view.chat.count <= TicTacToeLimits.threadLines
    else { return }
    if let old = game, old.isSameGame(as: view) {
      return take(view, of: old, asked: asked, at: now, into: &effects)
    }
    let isOpen = game.map { $0.result == nil } ?? false
    // Nothing has happened since the question, so the answer is newer than what is known.
    let isTruth = asked.map { $0.newest == newest && $0.game?.age == game?.age } ?? false
    if view.result != nil {
      if isTruth, isOpen, let old = game {
        (game, pendingMove) = (nil, nil)
        effects.append(.gone(old))
      }
      return
    }
    guard isTruth || newest.map({ $0 < view.age }) ?? true else { return }
    if isOpen, let old = game { effects.append(.gone(old)) }
    open(view, at: now, into: &effects)
  }

  /// Takes another state of the game on the screen.
  private mutating func take(
    _ view: GameView, of old: GameView, asked: Asked?, at now: TraceInstant,
    into effects: inout [Effect]
  ) {
    if view.revision > old.revision { return update(from: old, to: view, into: &effects) }
    guard view != old else { return }
    // What was asked for later and is not newer shows that the server's state went back. Since then
    // it may have come to the same revision by other moves.
    let isTruth =
      asked?.game.map { known in
        known.isSameGame(as: view) && (view.revision < known.revision || known == old)
      } ?? false
    guard isTruth else {
      if view.revision == old.revision { lookSoon(at: now) }
      return
    }
    update(from: old, to: view, into: &effects)
    if view.moves != old.moves || view.result != old.result { effects.append(.wentBack(view)) }
  }

  mutating func open(_ view: GameView, at now: TraceInstant, into effects: inout [Effect]) {
    game = view
    newest = max(newest ?? view.age, view.age)
    pendingMove = nil
    attempt = nil
    scheduleLook(at: now)
    unusedRecords = [:]
    chatAt = rules.keepsGames ? nil : now.advanced(byNanoseconds: 1)
    effects.append(.opened(view))
  }

  mutating func update(from old: GameView, to new: GameView, into effects: inout [Effect]) {
    game = new
    if new.turn != old.turn || new.result != nil { pendingMove = nil }
    if new.moves != old.moves { effects.append(.board(new)) }
    let last = old.chat.first?.number ?? -1
    for line in new.chat.reversed() where line.number > last && line.author != user {
      effects.append(.heard(line))
    }
    if new.result != nil, old.result == nil { effects.append(.ended(new)) }
  }
}
