import TraceModel

/// The fights, their ends and their lists.
extension FightAuthority {
  func side(of user: UserID, in fight: FightID) throws(Refusal) -> FightSide {
    guard fights.indices.contains(fight), let side = fights[fight].side(of: user) else {
      throw Refusal("not-your-fight", "you have no such fight")
    }
    return side
  }

  func view(of number: FightID, for side: FightSide) -> FightView {
    let fight = fights[number]
    let opponent = fight.user(side.other)
    return FightView(
      fight: number, opponent: opponent, opponentAlias: accounts[opponent].profile.alias,
      side: side, bout: fight.bout, lastMoved: fight.lastMoved)
  }

  mutating func strike(
    _ punch: PunchReport, in fight: FightID, by user: UserID, at now: TraceInstant,
    into effects: inout [Effect]
  ) throws(Refusal) -> FightAnswer {
    guard rules.computesDamage else {
      throw Refusal("not-in-these-rules", "by these rules the phone writes the stamina")
    }
    let side = try side(of: user, in: fight)
    let blow = try fights[fight].bout.strike(by: side, punch, at: now, rules: rules)
    fights[fight].blows.append(blow)
    noteMove(in: fight, by: side, at: now, into: &effects)
    return .fight(view(of: fight, for: side))
  }

  mutating func write(
    _ origin: Double, _ recipient: Double, in fight: FightID, by user: UserID,
    at now: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) -> FightAnswer {
    let side = try side(of: user, in: fight)
    try fights[fight].bout.write(origin: origin, recipient: recipient, by: side, rules: rules)
    noteMove(in: fight, by: side, at: now, into: &effects)
    return .fight(view(of: fight, for: side))
  }

  private mutating func noteMove(
    in fight: FightID, by side: FightSide, at now: TraceInstant, into effects: inout [Effect]
  ) {
    fights[fight].lastMoved = now
    fights[fight].isReminded = false
    let (mover, other) = (fights[fight].user(side), fights[fight].user(side.other))
    let names = (accounts[mover].profile.alias, accounts[other].profile.alias)
    guard let winner = fights[fight].bout.winner else {
      notify(other, .hit, "\(names.0) hit you: your turn.", fight: fight, into: &effects)
      return
    }
    guard rules.countsWinsOnce else {
      notify(other, .hit, "\(names.0) hit you.", fight: fight, into: &effects)
      return
    }
    count(fight, wonBy: winner)
    notify(mover, .won, "You won against \(names.1).", fight: fight, into: &effects)
    notify(other, .lost, "\(names.0) knocked you out.", fight: fight, into: &effects)
  }

  private mutating func count(_ fight: FightID, wonBy side: FightSide) {
    let (winner, loser) = (fights[fight].user(side), fights[fight].user(side.other))
    wins.append(Win(fight: fight, winner: winner, loser: loser))
    accounts[winner].wins += 1
    accounts[loser].losses += 1
  }

  /// Processes a reported win by the original's rules: each phone that sees the end reports it, and
  /// each report counts.
  mutating func reportWin(of fight: FightID, by user: UserID) throws(Refusal) -> FightAnswer {
    _ = try side(of: user, in: fight)
    guard !rules.countsWinsOnce else {
      throw Refusal(
        "not-yours-to-say", "a fight is won when its last punch lands, not by a message")
    }
    guard let winner = fights[fight].bout.winner else {
      throw Refusal("not-over", "both still have stamina")
    }
    count(fight, wonBy: winner)
    return .done
  }

  func lists(of user: UserID) -> FightLists {
    var mine: [FightView] = []
    for number in fights.indices {
      if let side = fights[number].side(of: user) { mine.append(view(of: number, for: side)) }
    }
    let newestFirst = mine.sorted { ($0.lastMoved, $0.fight) > ($1.lastMoved, $1.fight) }
    return FightLists(
      active: (rules.listsByRecency ? newestFirst : mine).filter { !$0.isOver },
      won: newestFirst.filter { $0.isOver && $0.haveWon },
      lost: newestFirst.filter { $0.isOver && !$0.haveWon })
  }
}
