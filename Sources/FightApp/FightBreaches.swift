/// The violations of a fair fight, counted from outside under any rules: a preset with faults obeys its
/// own rules, and stamina can still rise.
struct FightBreaches {
  /// The moves after which a side has more stamina than before.
  private(set) var staminaRises = 0
  /// The moves of the side that moved last.
  private(set) var movesOutOfTurn = 0

  /// Compares a fight before and after an accepted request of `side`.
  mutating func note(_ before: Bout, _ after: Bout, by side: FightSide) {
    for side in FightSide.allCases {
      let (old, new) = (before.stamina(of: side), after.stamina(of: side))
      if new.units > old.units || new.share > old.share { staminaRises += 1 }
    }
    if after.moves > before.moves, before.lastMover == side { movesOutOfTurn += 1 }
  }
}
