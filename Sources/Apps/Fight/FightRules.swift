public import TraceModel

/// The rules of Fight. Each switch is a fault of HitThat that the default fixes; the engines are
/// the same for both.
public struct FightRules: Hashable, Sendable, Codable {
  /// The authority computes the damage of a reported punch. Fault without it: the phone writes both
  /// staminas, so a phone that has not received a hit restores the stamina from before it.
  public var computesDamage = true
  /// Stamina is counted in whole units. Fault without it: a share of 1 in double precision. Ten
  /// hits of 0.10 leave 1e-16, so it takes an eleventh.
  public var countsInIntegers = true
  /// The side that moved last must wait. Fault without it: every punch hits.
  public var enforcesTurns = true
  /// The authority counts a win once, at the end of the fight. Fault without it: each phone reports
  /// the win, and each report counts.
  public var countsWinsOnce = true
  /// Others see only the ``Coordinate/coarse`` position until both agree. Fault without it: the
  /// exact one.
  public var hidesPositions = true
  /// An edit of the profile starts from the current values. Fault without it: it starts empty, so
  /// values that are not entered again are lost.
  public var editsCurrentProfile = true
  /// Active fights are listed by their last move, newest first. Fault without it: by their start.
  public var listsByRecency = true
  /// A notice of a hit contains the fight, so the view changes immediately. Fault without it: only
  /// the next poll changes it.
  public var noticesCarryFights = true
  /// The nearest opponents come first. Switched off in the original: in the order of registration.
  public var offersNearestFirst = true
  /// No person is offered twice. Switched off in the original: the queue restarts.
  public var offersNobodyTwice = true
  /// Two people have one fight at a time. Switched off in the original.
  public var allowsOneFightAPair = true
  /// All ten rows are compared. Fault without it: only the whole feet of height and reach.
  public var comparesEveryRow = true
  /// The odds are computed. Fault without it: they are missing.
  public var computesOdds = true
  /// A sign-out by a second login states its reason. Fault without it: an error without a reason.
  public var explainsSignOut = true
  /// The turn returns immediately, for demonstrations with one person.
  public var isDemo = false

  /// The time in seconds after which the person is reminded of a turn; nil = never (switched off in
  /// the original).
  public var reminderAfter: Double? = 60
  /// The time in seconds between two polls of an open fight.
  public var pollInterval = 5.0
  /// The waits between the attempts to send a request. They stay short: a person waits for the
  /// answer, and the next punch waits too.
  public var backoff = Backoff(first: 1, longest: 8)
  /// The number of registration cards.
  public var cardCount = 6
  /// The presets of the punch detector in a fight and on the cards.
  public var punchPreset = "default"
  public var cardPreset = "default"

  /// The rules without the faults.
  public static let `default` = FightRules()

  /// The rules of HitThat.
  public static let hitThat: FightRules = {
    var rules = FightRules()
    (rules.computesDamage, rules.countsInIntegers, rules.enforcesTurns) = (false, false, false)
    (rules.countsWinsOnce, rules.hidesPositions) = (false, false)
    (rules.editsCurrentProfile, rules.listsByRecency) = (false, false)
    (rules.noticesCarryFights, rules.offersNearestFirst) = (false, false)
    (rules.offersNobodyTwice, rules.allowsOneFightAPair) = (false, false)
    (rules.comparesEveryRow, rules.computesOdds, rules.explainsSignOut) = (false, false, false)
    rules.reminderAfter = nil
    rules.pollInterval = 0.4
    (rules.punchPreset, rules.cardPreset) = ("hitThat", "hitThatCards")
    return rules
  }()

  /// Returns the rules with that name; nil if there are none.
  public static func preset(named name: String) -> FightRules? {
    switch name {
    case "default": .default
    case "hitThat": .hitThat
    default: nil
    }
  }
}

/// A punch as a phone reports it.
public struct PunchReport: Hashable, Sendable, Codable {
  /// |a| without gravity, m s-2.
  public var magnitude: Double
  /// The time of the punch, on the common clock of phones and authority.
  public var thrown: TraceInstant
  /// The number of moves of the fight at the time of the punch: a late or repeated report refers to
  /// a past move.
  public var move: Int

  public init(magnitude: Double, thrown: TraceInstant, move: Int) {
    self.magnitude = magnitude
    self.thrown = thrown
    self.move = move
  }
}

/// The physical limits of phones and hands.
public enum PunchLimits {
  /// The minimum magnitude in m s-2, exclusive: below it no axis exceeds 2 g.
  public static let leastMagnitude = 2 * standardGravity
  /// The maximum magnitude in m s-2: 16 g on each of three axes, the widest range of accelerometers
  /// in phones.
  public static let largestMagnitude = 16 * standardGravity * 3.0.squareRoot()
  /// The minimum time in ns between two punches of one person: a hand needs 0.28 s from impact to
  /// impact.
  public static let shortestPause: Int64 = 280_000_000
  /// The maximum time in ns by which a phone's clock may be ahead.
  public static let clockTolerance: Int64 = 1_000_000_000
}
