import AppEngines
import TraceModel

/// The queue of opponents and the tracking of one.
extension FightAuthority {
  /// An opponent who was offered and neither challenged nor turned down is offered again: the phone
  /// may have lost the answer, or may have been reinstalled.
  mutating func findOpponent(of user: UserID, at now: TraceInstant) throws(Refusal) -> FightAnswer {
    guard rules.offersNobodyTwice, let candidate = accounts[user].candidate,
      !(rules.allowsOneFightAPair && hasFight(user, candidate))
    else { return try nextOpponent(of: user, at: now) }
    // It discloses the distance again, so it costs the same.
    try takeOffer(of: user, at: now)
    return .opponent(offer(candidate, to: user))
  }

  /// Offers the next opponent: the nearest one not offered yet. People without a position come
  /// last, in the order of registration.
  ///
  /// The offers of a person are limited in rate: ``FightRules/offerBurst`` at once, then one each
  /// ``FightRules/offerInterval``. Repeated requests do not reveal all people.
  mutating func nextOpponent(of user: UserID, at now: TraceInstant) throws(Refusal) -> FightAnswer {
    guard let next = next(for: user) else {
      accounts[user].candidate = nil
      return .opponent(nil)
    }
    try takeOffer(of: user, at: now)
    if rules.offersNobodyTwice { accounts[user].offered.append(next) }
    accounts[user].candidate = next
    return .opponent(offer(next, to: user))
  }

  private func offer(_ other: UserID, to user: UserID) -> Opponent {
    let (mine, theirs) = (basicProfile(of: user), basicProfile(of: other))
    return Opponent(
      alias: theirs.profile.alias,
      photo: theirs.profile.photo.map { Photo(reference: $0, isPart: true) },
      versus: Versus(mine, against: theirs, rules: rules),
      distance: distance(from: user, to: other))
  }

  /// Takes one offer of the person's rate, by the generic cell rate algorithm (ITU-T I.371).
  private mutating func takeOffer(of user: UserID, at now: TraceInstant) throws(Refusal) {
    let interval = TraceInstant.zero.advanced(bySeconds: rules.offerInterval).nanoseconds
    guard interval > 0 else { return }
    let (burst, overflow) = interval.multipliedReportingOverflow(
      by: Int64(clamping: max(rules.offerBurst, 1) - 1))
    let due = max(accounts[user].offersUntil ?? now, now)
    guard due.nanoseconds.subtractingClamped(now.nanoseconds) <= (overflow ? .max : burst) else {
      throw Refusal(
        "too-many-offers", "you have seen many opponents; fight one, or come back in a minute")
    }
    accounts[user].offersUntil = due.advanced(byNanoseconds: interval)
  }

  private func next(for user: UserID) -> UserID? {
    let open = accounts.indices.filter { other in
      other != user && !(rules.allowsOneFightAPair && hasFight(user, other))
        && !(rules.offersNobodyTwice && accounts[user].offered.contains(other))
    }
    guard rules.offersNearestFirst else {
      // The original's rule: in the order of registration, then from the front again.
      return open.first { $0 > accounts[user].candidate ?? -1 } ?? open.first
    }
    guard let here = accounts[user].place else { return open.first }
    // Sort by the coarse position: the order would otherwise disclose the exact one.
    func key(_ other: UserID) -> Double {
      guard let there = accounts[other].place else { return .infinity }
      return here.distance(to: visible(there, of: other, to: user).place)
    }
    return open.map { (key($0), $0) }.min { $0 < $1 }?.1
  }

  private func hasFight(_ user: UserID, _ other: UserID) -> Bool {
    fights.contains {
      $0.bout.winner == nil && $0.side(of: user) != nil && $0.side(of: other) != nil
    }
  }

  mutating func backDown(_ user: UserID, at now: TraceInstant) throws(Refusal) -> FightAnswer {
    guard accounts[user].candidate != nil else {
      throw Refusal("no-opponent", "no opponent is offered; ask for one first")
    }
    return try nextOpponent(of: user, at: now)
  }

  mutating func reveal(to user: UserID) throws(Refusal) -> FightAnswer {
    guard let other = accounts[user].candidate else {
      throw Refusal("no-opponent", "no opponent is offered; ask for one first")
    }
    if !accounts[user].revealed.contains(other) { accounts[user].revealed.append(other) }
    let (mine, theirs) = (basicProfile(of: user), basicProfile(of: other))
    return .revealed(theirs, Versus(mine, against: theirs, rules: rules))
  }

  /// Starts a fight; the challenger moves first.
  mutating func challenge(
    _ other: UserID, by user: UserID, at now: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) -> FightAnswer {
    try checkAcquaintance(of: other, for: user)
    guard !rules.allowsOneFightAPair || !hasFight(user, other) else {
      throw Refusal("already-fighting", "finish the fight that you have with this opponent first")
    }
    let number = fights.count
    fights.append(
      Fight(origin: user, recipient: other, bout: Bout(begun: now), begun: now, lastMoved: now))
    if accounts[user].candidate == other, rules.offersNobodyTwice { accounts[user].candidate = nil }
    let alias = accounts[user].profile.alias
    notify(other, .challenged, "\(alias) challenges you.", fight: number, into: &effects)
    return .fight(view(of: number, for: .origin))
  }

  // MARK: Positions

  /// Returns the position of `other` as far as `user` may see it.
  private func visible(
    _ place: Coordinate, of other: UserID, to user: UserID
  ) -> (place: Coordinate, isExact: Bool) {
    let haveAgreed =
      accounts[other].shownTo.contains(user) && accounts[user].shownTo.contains(other)
    let isExact = !rules.hidesPositions || haveAgreed
    return (isExact ? place : place.coarse, isExact)
  }

  private func distance(from user: UserID, to other: UserID) -> Double? {
    guard let here = accounts[user].place, let there = accounts[other].place else { return nil }
    return here.distance(to: visible(there, of: other, to: user).place)
  }

  mutating func track(
    _ other: UserID, by user: UserID, into effects: inout [Effect]
  ) throws(Refusal) -> FightAnswer {
    try checkAcquaintance(of: other, for: user)
    guard let here = accounts[user].place else {
      throw Refusal("no-position", "let the app know your own position first")
    }
    guard let place = accounts[other].place else {
      throw Refusal("unknown-position", "this opponent's position is not known")
    }
    if !accounts[user].tracked.contains(other) {
      accounts[user].tracked.append(other)
      let alias = accounts[user].profile.alias
      notify(other, .tracked, "\(alias) is on the way to you.", into: &effects)
    }
    let there = visible(place, of: other, to: user)
    return .tracking(TrackingView(user: other, isExact: there.isExact, from: here, to: there.place))
  }

  mutating func show(
    _ user: UserID, to other: UserID, isShown: Bool
  ) throws(Refusal) -> FightAnswer {
    try checkAcquaintance(of: other, for: user)
    accounts[user].shownTo.removeAll { $0 == other }
    if isShown { accounts[user].shownTo.append(other) }
    return .done
  }
}
