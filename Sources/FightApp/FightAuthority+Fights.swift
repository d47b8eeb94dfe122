import AppEngines
public import TraceModel

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
      side: side, bout: fight.bout.shown, lastMoved: fight.lastMoved)
  }

  mutating func strike(
    _ punch: PunchReport, in fight: FightID, by user: UserID, at now: TraceInstant,
    into effects: inout [Effect]
  ) throws(Refusal) -> FightAnswer {
    guard rules.computesDamage else {
      throw Refusal("not-in-these-rules", "by these rules the phone writes the stamina")
    }
    let side = try side(of: user, in: fight)
    let blow = try fights[fight].bout.strike(
      by: side, punch, at: now, hardest: accounts[user].hardest, rules: rules)
    fights[fight].blows.append(blow)
    accounts[user].hardest = max(accounts[user].hardest, blow.magnitude(of: punch))
    noteMove(in: fight, by: side, at: now, into: &effects)
    let view = view(of: fight, for: side)
    return blow.limit.map { .limited(view, $0) } ?? .fight(view)
  }

  mutating func write(
    _ left: Double, in fight: FightID, by user: UserID, at now: TraceInstant,
    into effects: inout [Effect]
  ) throws(Refusal) -> FightAnswer {
    let side = try side(of: user, in: fight)
    try fights[fight].bout.write(left, by: side, rules: rules)
    noteMove(in: fight, by: side, at: now, into: &effects)
    return .fight(view(of: fight, for: side))
  }

  private mutating func noteMove(
    in fight: FightID, by side: FightSide, at now: TraceInstant, into effects: inout [Effect]
  ) {
    fights[fight].lastMoved = now
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

  // MARK: Forfeits

  public var deadline: TraceInstant? {
    guard let wait = rules.forfeitAfter else { return nil }
    let last = fights.lazy.filter { $0.bout.winner == nil }.map(\.lastMoved).min()
    return last.map { max($0.advanced(bySeconds: wait), clock.advanced(byNanoseconds: 1)) }
  }

  public mutating func advance(to now: TraceInstant, into effects: inout [Effect]) {
    clock = max(clock, now)
    guard let wait = rules.forfeitAfter else { return }
    for fight in fights.indices {
      guard let turn = fights[fight].bout.turn,
        fights[fight].lastMoved.advanced(bySeconds: wait) <= clock
      else { continue }
      fights[fight].bout.forfeit()
      count(fight, wonBy: turn.other)
      let (loser, winner) = (fights[fight].user(turn), fights[fight].user(turn.other))
      let names = (accounts[loser].profile.alias, accounts[winner].profile.alias)
      let days = Int((wait / 86_400).rounded())
      notify(
        winner, .won, "\(names.0) did not punch for \(days) days: you won.", fight: fight,
        into: &effects)
      notify(
        loser, .lost, "You did not punch \(names.1) for \(days) days: the fight is lost.",
        fight: fight, into: &effects)
    }
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
    func first(_ views: [FightView]) -> [FightView] { Array(views.prefix(FightLists.limit)) }
    return FightLists(
      active: first((rules.listsByRecency ? newestFirst : mine).filter { !$0.isOver }),
      won: first(newestFirst.filter { $0.isOver && $0.haveWon }),
      lost: first(newestFirst.filter { $0.isOver && !$0.haveWon }))
  }
}
