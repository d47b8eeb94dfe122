import Detectors
public import TraceModel

/// The two of a fight: who made the challenge, and who got it.
public enum FightSide: Int, CaseIterable, Hashable, Sendable, Codable {
  case origin, recipient

  public var other: FightSide { self == .origin ? .recipient : .origin }
}

/// What a fighter has left.
public struct Stamina: Hashable, Sendable, Codable {
  /// Units of a full bar: one is 0.01 %.
  public static let full = 10_000

  /// 0...``full``.
  public private(set) var units = full
  /// HitThat's: a share of 1, below 0 after the last hit. Only its rules read it.
  public private(set) var share = 1.0

  public init() {}

  /// What a punch takes: |a| in g over 25 of a full bar, to the nearest unit; at most all of it.
  /// - Parameter magnitude: m s-2; one that is not finite takes nothing.
  public static func damage(ofMagnitude magnitude: Double) -> Int {
    let share = damageShare(ofMagnitude: magnitude)
    guard share > 0, share.isFinite else { return 0 }
    return Int((min(share, 1) * Double(full)).rounded())
  }

  static func damageShare(ofMagnitude magnitude: Double) -> Double {
    PunchEvent(punch: .unknown, target: .unknown, magnitude: magnitude).damage
  }

  public var percent: Double { Double(units) / (Double(Stamina.full) / 100) }

  func isGone(_ rules: FightRules) -> Bool { rules.countsInIntegers ? units == 0 : share <= 0 }

  mutating func take(magnitude: Double) {
    units = max(0, units - Stamina.damage(ofMagnitude: magnitude))
    share -= Stamina.damageShare(ofMagnitude: magnitude)
  }

  /// HitThat's: whatever the phone says.
  mutating func write(share: Double) {
    self.share = share
    units = Int((min(max(share, 0), 1) * Double(Stamina.full)).rounded(.up))
  }
}

/// A hit that counted.
public struct Blow: Hashable, Sendable, Codable {
  public var side: FightSide
  /// Units of stamina that it took.
  public var damage: Int
  public var thrown: TraceInstant
  /// The position among the moves, from 0.
  public var move: Int

  public init(side: FightSide, damage: Int, thrown: TraceInstant, move: Int) {
    self.side = side
    self.damage = damage
    self.thrown = thrown
    self.move = move
  }
}

/// The rules of one fight, by themselves: the authority runs them, and so does the simulation that
/// the odds are fitted on.
public struct Bout: Hashable, Sendable, Codable {
  public private(set) var origin = Stamina()
  public private(set) var recipient = Stamina()
  /// Who made the challenge moves first, so that at the start the other one "moved last".
  public private(set) var lastMover = FightSide.recipient
  /// Hits so far; with phones that write the stamina, writes so far.
  public private(set) var moves = 0
  public private(set) var winner: FightSide?
  private var lastThrownByOrigin: TraceInstant
  private var lastThrownByRecipient: TraceInstant

  public init(begun: TraceInstant) {
    // The first punch may come at once.
    lastThrownByOrigin = begun.advanced(byNanoseconds: -PunchLimits.shortestPause)
    lastThrownByRecipient = lastThrownByOrigin
  }

  public func stamina(of side: FightSide) -> Stamina { side == .origin ? origin : recipient }

  /// Whose turn it is; nil when the fight is over.
  public var turn: FightSide? { winner == nil ? lastMover.other : nil }

  /// Takes a punch, or says which rule it breaks, and nothing has changed then.
  public mutating func strike(
    by side: FightSide, _ punch: PunchReport, at now: TraceInstant, rules: FightRules
  ) throws(Refusal) -> Blow {
    try check(punch, by: side, at: now, rules: rules)
    let blow = Blow(
      side: side, damage: Stamina.damage(ofMagnitude: punch.magnitude), thrown: punch.thrown,
      move: moves)
    if side == .origin {
      recipient.take(magnitude: punch.magnitude)
      lastThrownByOrigin = punch.thrown
    } else {
      origin.take(magnitude: punch.magnitude)
      lastThrownByRecipient = punch.thrown
    }
    noteMove(of: side, rules: rules)
    if stamina(of: side.other).isGone(rules) { winner = side }
    return blow
  }

  private func check(
    _ punch: PunchReport, by side: FightSide, at now: TraceInstant, rules: FightRules
  ) throws(Refusal) {
    guard winner == nil else { throw Refusal("fight-over", "this fight is over; start another") }
    guard punch.magnitude.isFinite, punch.magnitude <= PunchLimits.largestMagnitude else {
      throw Refusal(
        "impossible-magnitude", "no phone measures that; at most 16 g on each axis counts")
    }
    guard punch.magnitude > PunchLimits.leastMagnitude else {
      throw Refusal("too-weak", "a punch counts beyond 2 g; swing harder")
    }
    if rules.enforcesTurns {
      guard lastMover != side else {
        throw Refusal("not-your-turn", "wait until you are hit; then it is your turn")
      }
      guard punch.move == moves else {
        throw Refusal("turn-over", "that punch belongs to another turn; look at the fight again")
      }
    }
    guard punch.thrown <= now.advanced(byNanoseconds: PunchLimits.clockTolerance) else {
      throw Refusal("from-the-future", "the phone's clock is ahead; set it")
    }
    let last = side == .origin ? lastThrownByOrigin : lastThrownByRecipient
    let earliest = last.advanced(byNanoseconds: PunchLimits.shortestPause)
    guard punch.thrown >= earliest else {
      throw Refusal(
        "too-fast",
        "a punch counts 0.28 s after your last one, for no hand is faster, and not before the fight"
      )
    }
  }

  /// HitThat's move: the phone says what both have left.
  mutating func write(
    origin originShare: Double, recipient recipientShare: Double, by side: FightSide,
    rules: FightRules
  ) throws(Refusal) {
    guard !rules.computesDamage else {
      throw Refusal("not-yours-to-write", "only punches change the stamina; report the punch")
    }
    guard originShare.isFinite, recipientShare.isFinite else {
      throw Refusal("not-a-number", "the stamina must be a number")
    }
    if rules.enforcesTurns, lastMover == side {
      throw Refusal("not-your-turn", "wait until you are hit; then it is your turn")
    }
    origin.write(share: originShare)
    recipient.write(share: recipientShare)
    noteMove(of: side, rules: rules)
    winner =
      recipient.isGone(rules) ? .origin : origin.isGone(rules) ? .recipient : nil
  }

  private mutating func noteMove(of side: FightSide, rules: FightRules) {
    moves = moves == .max ? moves : moves + 1
    lastMover = rules.isDemo ? side.other : side
  }

  /// What does not hold among what the rules promise.
  func violations(_ blows: [Blow], rules: FightRules) -> [String] {
    guard rules.computesDamage else { return [] }
    var found: [String] = []
    for side in FightSide.allCases {
      let taken = blows.reduce(0) { $0 + ($1.side == side ? 0 : $1.damage) }
      if rules.countsInIntegers, stamina(of: side).units != max(0, Stamina.full - taken) {
        found.append("the stamina of the \(side) is not what the hits have left")
      }
    }
    if blows.count != moves { found.append("\(moves) moves, but \(blows.count) hits") }
    let isAlternating = zip(blows, blows.dropFirst()).allSatisfy { $0.side != $1.side }
    if rules.enforcesTurns, !rules.isDemo, !isAlternating {
      found.append("one moved twice in a row")
    }
    if let winner, !stamina(of: winner.other).isGone(rules) {
      found.append("won against somebody who has stamina left")
    }
    if winner == nil, origin.isGone(rules) || recipient.isGone(rules) {
      found.append("nobody has won though one has no stamina left")
    }
    return found
  }
}
