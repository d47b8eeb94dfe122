import AppEngines
import TraceModel

extension PictureGuessPhone {
  // MARK: Sending

  /// Sends a message until its receipt comes. It replaces what it makes out of date.
  mutating func post(
    _ message: ThreadMessage, to receiver: Int, at now: TraceInstant, into effects: inout [Effect]
  ) {
    outbox.removeAll { $0.to == receiver && message.replaces($0.message) }
    // The limit is above what all receivers can have waiting.
    guard let item = try? outbox.send(ThreadLetter(to: receiver, message: message), at: now)
    else { return }
    deliver(item, into: &effects)
  }

  func deliver(_ item: Outbox<ThreadLetter>.Item, into effects: inout [Effect]) {
    effects.append(
      .send(ThreadEnvelope(to: item.request.to, .message(item.stamp, item.request.message))))
  }

  /// Asks for what may have been missed, and repeats what the others may not know. A person who
  /// opens the app does this; so does every phone that continues from an older state.
  mutating func catchUp(at now: TraceInstant, into effects: inout [Effect]) {
    guard rules.followsArrivals else { return }
    switch match?.stage {
    case .invited: accept(at: now, into: &effects)
    case .accepted:
      guard let match else { return }
      post(.acceptance(match.id), to: match.one, at: now, into: &effects)
    case .inviting:
      guard let match else { return }
      for other in others { post(.invitation(match.id), to: other, at: now, into: &effects) }
    default:
      guard let match, let newest = match.newest, let two = match.two else {
        for other in others { post(.ask(nil), to: other, at: now, into: &effects) }
        return
      }
      post(.ask(newest), to: me == match.one ? two : match.one, at: now, into: &effects)
    }
  }

  private mutating func accept(at now: TraceInstant, into effects: inout [Effect]) {
    guard let match else { return }
    self.match?.stage = .accepted
    self.match?.lastMove = now
    post(.acceptance(match.id), to: match.one, at: now, into: &effects)
  }

  // MARK: Receiving

  mutating func receive(
    _ content: ThreadEnvelope.Content, from sender: Int, at now: TraceInstant,
    into effects: inout [Effect]
  ) throws(Refusal) {
    switch content {
    case .receipt(let stamp, _):
      guard outbox.item(stamp)?.request.to == sender else {
        throw Refusal("not-asked", "this confirms no message that waits")
      }
      outbox.remove(stamp)
    case .message(let stamp, let message):
      // iPict's messages have no check of the sender: whoever is in the thread can send.
      guard sender != me, others.contains(sender) || !rules.limitsToTwo else {
        throw Refusal("not-in-thread", "only people of this thread take part")
      }
      try message.state?.validate()
      if rules.limitsToTwo { try message.state?.validateTotals() }
      // What is refused below is confirmed too: to send it again would change nothing. But an
      // invitation waits until the match before it is over.
      if !isBusy(for: message, from: sender) {
        effects.append(.send(ThreadEnvelope(to: sender, .receipt(stamp, of: message.match))))
      }
      take(message, from: sender, at: now, into: &effects)
    }
  }

  /// Whether a message is an invitation that comes before the end of another match.
  private func isBusy(for message: ThreadMessage, from sender: Int) -> Bool {
    guard case .invitation(let id) = message, let match, match.id != id, !finished.contains(id)
    else { return false }
    return match.isRunning || match.stage == .accepted && match.one != sender
  }

  private mutating func take(
    _ message: ThreadMessage, from sender: Int, at now: TraceInstant, into effects: inout [Effect]
  ) {
    switch message {
    case .invitation(let id): takeInvitation(id, from: sender, at: now, into: &effects)
    case .acceptance(let id): takeAcceptance(id, from: sender, at: now, into: &effects)
    case .declined(let id):
      guard let match, match.id == id, match.stage == .accepted, match.one == sender else {
        return ignore("not-asked", "it declines nothing that waits", sender, &effects)
      }
      self.match = nil
    case .state(let state): take(state, from: sender, at: now, into: &effects)
    case .ask(let state):
      let known = newest
      if let state { take(state, from: sender, at: now, into: &effects) }
      // A state that is behind was answered already.
      guard state == nil || match?.id != state?.match || known == nil else { return }
      // Who knows nothing of an abandoned match need not hear of it.
      guard match?.stage != .abandoned else { return }
      tell(sender, at: now, into: &effects)
    }
  }

  private func ignore(_ code: String, _ reason: String, _ sender: Int, _ effects: inout [Effect]) {
    effects.append(.ignored(Refusal(code, reason), from: sender))
  }

  /// Sends a person what this phone knows, if it concerns them.
  private mutating func tell(_ person: Int, at now: TraceInstant, into effects: inout [Effect]) {
    guard let match else { return }
    if let newest = match.newest {
      guard match.includes(person) else { return }
      post(.state(newest), to: person, at: now, into: &effects)
    } else if match.stage == .inviting {
      post(.invitation(match.id), to: person, at: now, into: &effects)
    } else if match.stage == .accepted, match.one == person {
      post(.acceptance(match.id), to: person, at: now, into: &effects)
    }
  }

  // MARK: Invitations

  private mutating func takeInvitation(
    _ id: MatchID, from sender: Int, at now: TraceInstant, into effects: inout [Effect]
  ) {
    if let match, match.id == id {
      guard match.one == sender else {
        return ignore("not-a-player", "this invitation is somebody else's", sender, &effects)
      }
      // A copy, or player one's phone went back.
      return tell(sender, at: now, into: &effects)
    }
    if finished.contains(id) {
      return ignore("old-match", "this match is over", sender, &effects)
    }
    if isBusy(for: .invitation(id), from: sender) {
      ignore("match-running", "another match is not over", sender, &effects)
      if match?.isRunning == true { tell(sender, at: now, into: &effects) }
      return
    }
    // Two invitations cross: both phones keep the smaller identity.
    if let match, match.stage == .inviting, match.id < id {
      return ignore("own-invitation", "the own invitation counts", sender, &effects)
    }
    outbox.removeAll { if case .invitation = $0.message { true } else { false } }
    match = GuessMatch(id: id, one: sender, stage: .invited, used: lastUsed, lastMove: now)
    if isOpen { accept(at: now, into: &effects) }
  }

  private mutating func takeAcceptance(
    _ id: MatchID, from sender: Int, at now: TraceInstant, into effects: inout [Effect]
  ) {
    guard let match, match.id == id, match.one == me else {
      post(.declined(id), to: sender, at: now, into: &effects)
      return ignore("unknown-match", "there is no such invitation", sender, &effects)
    }
    if match.stage == .inviting {
      self.match?.two = sender
      outbox.removeAll { if case .invitation = $0.message { true } else { false } }
      guard let state = self.match?.state(by: me, answer: match.word) else { return }
      sendState(state, at: now, into: &effects)
    } else if match.two == sender {
      tell(sender, at: now, into: &effects)
    } else {
      post(.declined(id), to: sender, at: now, into: &effects)
      ignore("not-a-player", "the match has two players already", sender, &effects)
    }
  }

  // MARK: States

  private mutating func take(
    _ state: MatchState, from sender: Int, at now: TraceInstant, into effects: inout [Effect]
  ) {
    if let refusal = refusal(of: state, from: sender) {
      effects.append(.ignored(refusal, from: sender))
      if ["old-message", "other-message", "match-running"].contains(refusal.code) {
        tell(sender, at: now, into: &effects)
      }
      if refusal.code == "old-match" { settle(state, with: sender, at: now, into: &effects) }
      return
    }
    if !rules.followsArrivals, isOpen {
      faults.missedArrivals += 1
      unseen = state
    } else {
      adopt(state, at: now, into: &effects)
    }
  }

  /// Answers a message of a match that is over with its result; two results become one.
  private mutating func settle(
    _ state: MatchState, with sender: Int, at now: TraceInstant, into effects: inout [Effect]
  ) {
    guard let index = results.lastIndex(where: { $0.match == state.match }) else { return }
    let known = results[index]
    if state.games == known.games, counts(state, insteadOf: known) {
      results[index] = state
      effects.append(.ended(state))
    } else if state != known {
      post(.state(known), to: sender, at: now, into: &effects)
    }
  }

  /// Why a message changes nothing; nil = it does.
  private func refusal(of state: MatchState, from sender: Int) -> Refusal? {
    // Without an invitation the first word names nobody: whoever gets it is player two.
    let two = state.two ?? (rules.hidesAnswers || state.games > 0 ? nil : me)
    if rules.limitsToTwo {
      let isOfTwo = [state.one, two].contains(sender) && [state.one, two].contains(me)
      guard two != nil, isOfTwo, state.author == state.authorByTurn else {
        return Refusal("not-a-player", "only the two players of a match change it")
      }
    }
    guard rules.refusesOldMessages else { return nil }
    guard let match, match.id == state.match else {
      if finished.contains(state.match) { return Refusal("old-match", "this match is over") }
      guard let match else { return nil }
      if rules.limitsToTwo, let players = match.players(me: me), players != [state.one, two] {
        return Refusal("match-running", "a match with somebody else is not over")
      }
      guard match.isRunning, let newest = match.newest else { return nil }
      // Two matches of the same people: both phones keep the longer one.
      let isBetter = (-state.games, state.match) < (-newest.games, newest.match)
      return isBetter ? nil : Refusal("match-running", "another match is not over")
    }
    guard let newest = match.newest else { return match.conflict(with: state, me: me) }
    if state.games < newest.games {
      return Refusal("old-message", "this phone knows a newer message")
    }
    if state.games == newest.games, !counts(state, insteadOf: newest) {
      return state == newest
        ? Refusal("known-message", "this phone knows this message")
        : Refusal("other-message", "this phone has taken another message of this word before")
    }
    return match.conflict(with: state, me: me)
  }

  /// Whether another message of the same word counts instead of the one that this phone knows, because
  /// a phone went back and wrote it again. Of the two phones exactly one finds so, and both then have
  /// the same: the one with more guesses of the player who did not write it; with equally many, the one
  /// that this player's phone has.
  private func counts(_ state: MatchState, insteadOf known: MatchState) -> Bool {
    guard state != known, state.author == known.author, state.one == known.one,
      state.two == known.two
    else { return false }
    let (new, old) =
      state.author == state.one
      ? (state.guessesOfTwo, known.guessesOfTwo) : (state.guessesOfOne, known.guessesOfOne)
    return state.author == me ? new >= old : new > old
  }

  /// Takes a message as the newest one.
  mutating func adopt(_ state: MatchState, at now: TraceInstant, into effects: inout [Effect]) {
    if let match, match.id == state.match, let newest = match.newest {
      if state.games < newest.games { faults.oldMessagesTaken += 1 }
      if match.two != nil, !match.includes(state.author) { faults.thirdPersonAnswers += 1 }
    }
    // What this phone still sends about older states is out of date.
    outbox.removeAll {
      if case .state(let old) = $0.message {
        old.match == state.match && old.games < state.games
      } else {
        false
      }
    }
    stand(at: state, at: now, into: &effects)
    noteScreen()
  }
}

extension ThreadMessage {
  var state: MatchState? {
    switch self {
    case .state(let state): state
    case .ask(let state): state
    case .invitation, .acceptance, .declined: nil
    }
  }

  /// Whether it makes another message to the same person out of date.
  fileprivate func replaces(_ other: ThreadMessage) -> Bool {
    switch (self, other) {
    case (.state(let state), .state(let old)): state.match == old.match
    case (.ask, .ask), (.invitation, .invitation), (.acceptance, .acceptance),
      (.declined, .declined), (.state, .invitation), (.state, .ask):
      true
    default: false
    }
  }
}
