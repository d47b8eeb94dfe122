import TraceModel

/// What breaks the sense of a fight, counted from outside under any rules: a preset with faults
/// obeys its own rules, and still stamina comes back.
struct FightBreaches: Hashable, Sendable, Codable {
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

  /// Returns how many of the wins were counted for a fight that already had one.
  static func winsCountedTwice(_ wins: [FightAuthority.Win]) -> Int {
    wins.count - Set(wins.map(\.fight)).count
  }
}

/// The delays from a punch to the opponent's view that shows the stamina.
struct HitDelays {
  /// In ns, increasing.
  private let sorted: [Int64]

  init(_ delays: [Int64]) {
    sorted = delays.sorted()
  }

  /// Returns the nearest-rank percentile in seconds, for 0 < percent <= 100; nil = no hits.
  func percentile(_ percent: Int) -> Double? {
    guard !sorted.isEmpty else { return nil }
    let rank = (percent * sorted.count + 99) / 100
    return Double(sorted[min(max(rank, 1), sorted.count) - 1]) / 1e9
  }
}
