public import AppEngines
import Detectors
public import TraceModel

/// The side of a fight: the challenger (`origin`) or the challenged (`recipient`).
public enum FightSide: Int, CaseIterable, Hashable, Sendable, Codable {
  case origin, recipient

  public var other: FightSide { self == .origin ? .recipient : .origin }
}

public struct Stamina: Hashable, Sendable, Codable {
  /// The units of a full bar: one unit is 0.01 %.
  public static let full = 10_000

  /// The units left, 0...``full``.
  public private(set) var units = full
  /// The stamina by HitThat's rules: a share of 1, below 0 after the last hit. Only those rules use
  /// it.
  public private(set) var share = 1.0

  /// Returns the damage of a punch: |a| in g divided by 25 of a full bar, rounded to a unit; at
  /// most a full bar.
  /// - Parameter magnitude: the magnitude in m s-2; a value that is not finite gives no damage.
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

  /// Sets the share reported by the opponent's phone, by HitThat's rules.
  mutating func write(share: Double) {
    self.share = share
    units = Int((min(max(share, 0), 1) * Double(Stamina.full)).rounded(.up))
  }
}

public struct Blow: Hashable, Sendable, Codable {
  public var side: FightSide
  public var damage: Int
  /// The limit that the report exceeded; nil = it counted in full.
  public var limit: HitLimit?
  /// The time on the phone's clock.
  public var thrown: TraceInstant
  /// The index of the move, from 0.
  public var move: Int

  /// Returns what counted of the report, in m s-2.
  func magnitude(of punch: PunchReport) -> Double {
    min(punch.magnitude, limit?.magnitude ?? .infinity)
  }
}

/// The rules of one fight. Both the authority and the model for the odds use them.
public struct Bout: Hashable, Sendable, Codable {
  public private(set) var origin = Stamina()
  public private(set) var recipient = Stamina()
  /// The side that moved last. The challenger moves first, so this starts as the other side.
  public private(set) var lastMover = FightSide.recipient
  /// The number of hits so far; if phones write the stamina, the number of writes.
  public private(set) var moves = 0
  public private(set) var winner: FightSide?
  /// Whether it was won because the other side did not move in time.
  public private(set) var isForfeited = false
  private var begun: TraceInstant
  private var paceOfOrigin = PunchPace()
  private var paceOfRecipient = PunchPace()

  public init(begun: TraceInstant) { self.begun = begun }

  /// The fight without what only the authority needs: a phone does not learn the clock of another.
  var shown: Bout {
    var shown = self
    (shown.paceOfOrigin, shown.paceOfRecipient) = (PunchPace(), PunchPace())
    return shown
  }

  public func stamina(of side: FightSide) -> Stamina { side == .origin ? origin : recipient }

  /// The side whose turn it is; nil when the fight is over.
  public var turn: FightSide? { winner == nil ? lastMover.other : nil }

  /// Processes a punch, or throws the violated rule without a change.
  /// - Parameters:
  ///   - now: the authority's time at which the report arrives.
  ///   - hardest: the hardest hit of the person that counted so far, in m s-2; 0 = none.
  public mutating func strike(
    by side: FightSide, _ punch: PunchReport, at now: TraceInstant, hardest: Double = 0,
    rules: FightRules
  ) throws(Refusal) -> Blow {
    try check(punch, by: side, at: now, rules: rules)
    let limit = HitLimit(sensorRange: punch.sensorRange, hardest: hardest)
    let isLimited = rules.limitsHits && punch.magnitude > limit.magnitude
    let magnitude = isLimited ? limit.magnitude : punch.magnitude
    let blow = Blow(
      side: side, damage: Stamina.damage(ofMagnitude: magnitude), limit: isLimited ? limit : nil,
      thrown: punch.thrown, move: moves)
    if side == .origin {
      recipient.take(magnitude: magnitude)
      paceOfOrigin.note(punch)
    } else {
      origin.take(magnitude: magnitude)
      paceOfRecipient.note(punch)
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
        throw Refusal("not-your-turn", "wait your turn: it comes when you are hit")
      }
      guard punch.move == moves else {
        throw Refusal("turn-over", "that punch belongs to another turn; look at the fight again")
      }
    }
    let pace = side == .origin ? paceOfOrigin : paceOfRecipient
    guard !pace.isTooFast(punch, in: begun, at: now) else {
      throw Refusal("too-fast", "a punch counts 0.28 s after your last one, for no hand is faster")
    }
  }

  /// Processes HitThat's move: the phone reports the stamina of its opponent.
  mutating func write(_ share: Double, by side: FightSide, rules: FightRules) throws(Refusal) {
    guard !rules.computesDamage else {
      throw Refusal("not-yours-to-write", "only punches change the stamina; report the punch")
    }
    guard share.isFinite else { throw Refusal("not-a-number", "the stamina must be a number") }
    if rules.enforcesTurns, lastMover == side {
      throw Refusal("not-your-turn", "wait your turn: it comes when you are hit")
    }
    if side == .origin { recipient.write(share: share) } else { origin.write(share: share) }
    noteMove(of: side, rules: rules)
    winner =
      recipient.isGone(rules) ? .origin : origin.isGone(rules) ? .recipient : nil
  }

  /// Ends the fight against the side whose turn it is.
  mutating func forfeit() {
    guard let turn else { return }
    winner = turn.other
    isForfeited = true
  }

  private mutating func noteMove(of side: FightSide, rules: FightRules) {
    moves = moves == .max ? moves : moves + 1
    lastMover = rules.isDemo ? side.other : side
  }

  /// Returns the violated invariants.
  func violations(_ blows: [Blow], rules: FightRules) -> [String] {
    guard rules.computesDamage else { return [] }
    var found: [String] = []
    for side in FightSide.allCases {
      let taken = blows.reduce(0) { $0 + ($1.side == side ? 0 : $1.damage) }
      if rules.countsInIntegers, stamina(of: side).units != max(0, Stamina.full - taken) {
        found.append("the stamina of the \(side) does not match the hits")
      }
    }
    if blows.count != moves { found.append("\(moves) moves, but \(blows.count) hits") }
    let isAlternating = zip(blows, blows.dropFirst()).allSatisfy { $0.side != $1.side }
    if rules.enforcesTurns, !rules.isDemo, !isAlternating {
      found.append("one side moved twice in a row")
    }
    if let winner, !isForfeited, !stamina(of: winner.other).isGone(rules) {
      found.append("won although the opponent has stamina left")
    }
    if winner == nil, origin.isGone(rules) || recipient.isGone(rules) {
      found.append("no winner although one side has no stamina left")
    }
    return found
  }
}
