import TraceModel

/// Inputs from the authority.
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
    if refusal.code == "not-your-fight", case .viewFight(view?.fight) = call { view = nil }
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
    case .fight(let new): take(new, isOpening: true, at: now, into: &effects)
    case .done:
      if case .saveProfile(let saved) = call { profile = saved }
      if case .logOut = call { signOut("You signed out.", into: &effects) }
    case .opponent, .revealed, .fights, .profile, .tracking: break
    }
  }

  mutating func take(
    _ notice: FightNotice, at now: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) {
    guard session != 0, notice.session == session else {
      throw Refusal("not-for-you", "the notice is for a person who is not signed in here")
    }
    effects.append(.notification(notice))
    if notice.kind == .signedOut { return signOut(notice.text, into: &effects) }
    if let new = notice.view, new.fight == view?.fight {
      take(new, isOpening: false, at: now, into: &effects)
    }
  }

  /// Updates the state of a fight; an older state than the known one is ignored.
  private mutating func take(
    _ new: FightView, isOpening: Bool, at now: TraceInstant, into effects: inout [Effect]
  ) {
    if let old = view, old.fight == new.fight {
      guard new.bout.moves >= old.bout.moves || !rules.computesDamage else { return }
      if old == new { return }
    } else if !isOpening {
      return
    } else {
      schedulePoll(at: now)
    }
    view = new
    effects.append(.viewChanged(new))
    reportEnd(at: now, into: &effects)
  }

  private mutating func signOut(_ reason: String, into effects: inout [Effect]) {
    session = 0
    user = nil
    view = nil
    draft = nil
    cardsLeft = 0
    outbox.removeAll { _ in true }
    effects.append(.signedOut(reason))
  }
}
