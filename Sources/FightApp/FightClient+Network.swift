import AppEngines
import TraceModel

extension FightClient {
  mutating func take(
    _ reply: FightReply, at now: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) {
    guard let first = outbox.first, first.stamp == reply.stamp else {
      throw Refusal("not-asked", "this answers no open request")
    }
    if case .outOfStep(let position) = reply.result {
      guard let item = outbox.resynchronise(first.stamp, to: position, at: now) else {
        throw Refusal("impossible-position", "no request can have this number")
      }
      return send(item, into: &effects)
    }
    outbox.remove(first.stamp)
    switch reply.result {
    case .refusal(let refusal): takeRefusal(refusal, of: first.request, into: &effects)
    case .answer(let answer):
      effects.append(.answer(answer, to: first.request))
      take(answer, to: first.request, at: now, into: &effects)
    case .outOfStep: break
    }
    send(outbox.sendFirst(at: now), into: &effects)
  }

  private mutating func takeRefusal(
    _ refusal: Refusal, of call: FightCall, into effects: inout [Effect]
  ) {
    effects.append(.refused(refusal, call))
    if refusal.code == "signed-out" || refusal.code == "error" {
      signOut(refusal.reason, into: &effects)
    }
    // The authority was restored from before the fight began.
    if refusal.code == "not-your-fight", case .viewFight(let fight) = call {
      forgetMoves(of: fight)
      if view?.fight == fight { view = nil }
    }
  }

  private mutating func take(
    _ answer: FightAnswer, to call: FightCall, at now: TraceInstant, into effects: inout [Effect]
  ) {
    switch answer {
    case .session(let session, let user, let isNew, let profile):
      self.session = session
      self.user = user
      self.profile = profile
      view = nil
      cardsLeft = isNew ? max(0, rules.cardCount) : 0
    case .fight(let new), .limited(let new, _):
      if case .viewFight(let fight) = call { compareAnswer(new, of: fight) }
      take(new, isOpening: true, at: now, into: &effects)
    case .done:
      if case .saveProfile(let saved) = call { profile = saved }
      if case .logOut = call { signOut(FightClient.chosenSignOut, into: &effects) }
    case .opponent, .revealed, .fights, .profile, .tracking: break
    }
  }

  mutating func take(
    _ notice: FightNotice, at now: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) {
    guard session != nil, notice.session == session else {
      throw Refusal("not-for-you", "the notice is for a person who is not signed in here")
    }
    effects.append(.notification(notice))
    if notice.kind == .signedOut { return signOut(notice.text, into: &effects) }
    if let new = notice.view, new.fight == view?.fight {
      take(new, isOpening: false, at: now, into: &effects)
    } else if isInForeground, notice.kind == .hit || notice.kind == .lost {
      openFight(of: notice, at: now, into: &effects)
    }
  }

  /// Takes the app to the fight in which the person was punched.
  private mutating func openFight(
    of notice: FightNotice, at now: TraceInstant, into effects: inout [Effect]
  ) {
    if let new = notice.view {
      // A late or repeated notice contains nothing new.
      let known = knownMoves.first { $0.fight == new.fight }?.moves ?? -1
      if new.bout.moves > known { take(new, isOpening: true, at: now, into: &effects) }
    } else if let fight = notice.fight, fight != view?.fight {
      view = nil
      enqueue(.viewFight(fight), at: now, into: &effects)
    }
  }

  /// Updates the state of a fight; an older state than the known one is ignored.
  private mutating func take(
    _ new: FightView, isOpening: Bool, at now: TraceInstant, into effects: inout [Effect]
  ) {
    noteTurn(in: new)
    if let old = view, old.fight == new.fight {
      guard new.bout.moves >= old.bout.moves || !rules.computesDamage else { return }
      if old == new { return }
    } else if !isOpening {
      return
    } else {
      schedulePoll(at: now)
      openedAt = now
    }
    view = new
    noteMoves(of: new)
    effects.append(.viewChanged(new))
    reportEnd(at: now, into: &effects)
  }

  /// Notes whose turn it is by HitThat's rules: the phone's when a fight is opened or has no punch yet,
  /// and when it sees that it was hit; not while it sees its own move as the last one.
  private mutating func noteTurn(in new: FightView) {
    guard let old = view, old.fight == new.fight else { return hasTurn = true }
    if new.mine.share < old.mine.share || new.bout.moves == 0 { hasTurn = true }
    // A turn that the alert gave lasts until something happens.
    let isNews = new.bout.moves != old.bout.moves || rules.holdOutOfTurn != .takesTurn
    if isNews, new.bout.moves > 0, new.bout.lastMover == new.side { hasTurn = false }
  }

  // MARK: Known moves

  /// Notes what is known of a fight that is asked for.
  mutating func noteQuestion(of fight: FightID) {
    let known = knownMoves.first { $0.fight == fight }?.moves ?? 0
    var asked = askedMoves ?? []
    // Of several questions the first is answered first.
    guard !asked.contains(where: { $0.fight == fight }) else { return }
    asked.append(KnownMoves(fight: fight, moves: known))
    if asked.count > FightClient.knownFightLimit { asked.removeFirst() }
    askedMoves = asked
  }

  /// Compares an answer with what was known when it was asked for. The authority answers with at
  /// least that, so with less it has forgotten moves: then its state counts.
  private mutating func compareAnswer(_ new: FightView, of fight: FightID) {
    guard let asked = askedMoves?.first(where: { $0.fight == fight }) else { return }
    askedMoves?.removeAll { $0.fight == fight }
    guard new.fight == fight, new.bout.moves < asked.moves, rules.computesDamage else { return }
    forgetMoves(of: fight)
    if view?.fight == fight { view = nil }
  }

  private mutating func forgetMoves(of fight: FightID) {
    knownMoves.removeAll { $0.fight == fight }
    askedMoves?.removeAll { $0.fight == fight }
  }

  private mutating func noteMoves(of view: FightView) {
    let known = knownMoves.first { $0.fight == view.fight }?.moves ?? 0
    knownMoves.removeAll { $0.fight == view.fight }
    knownMoves.append(KnownMoves(fight: view.fight, moves: max(known, view.bout.moves)))
    if knownMoves.count > FightClient.knownFightLimit { knownMoves.removeFirst() }
  }

  static let chosenSignOut = "You signed out."

  private mutating func signOut(_ reason: String, into effects: inout [Effect]) {
    session = nil
    user = nil
    view = nil
    knownMoves = []
    draft = nil
    cardsLeft = 0
    outbox.removeAll { _ in true }
    effects.append(.signedOut(reason))
  }
}
