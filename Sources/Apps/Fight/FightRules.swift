public import TraceModel

/// The rules of Fight. Each switch stands for something that HitThat did and that the default
/// mends; the engines are the same for both.
public struct FightRules: Hashable, Sendable, Codable {
  /// The authority computes the damage of a reported punch. Fault without it: the phone writes both
  /// staminas, so that one which has not heard of a hit writes the stamina from before it.
  public var computesDamage = true
  /// Stamina is counted in whole units. Fault without it: a share of 1 in double precision, of which
  /// ten hits of 0.10 leave 1e-16, so that it takes an eleventh.
  public var countsInIntegers = true
  /// The one who moved last does not move. Fault without it: whoever punches hits.
  public var enforcesTurns = true
  /// A fight is won when the authority sees it end, once. Fault without it: each phone reports the
  /// win, and each report counts.
  public var countsWinsOnce = true
  /// Others get a position to ``Coordinate/coarse`` until both agreed. Fault without it: exactly.
  public var hidesPositions = true
  /// An edit of the profile starts from what is there. Fault without it: from nothing, so that what
  /// is not typed again is gone.
  public var editsCurrentProfile = true
  /// Active fights are listed by their last move, newest first. Fault without it: as they began.
  public var listsByRecency = true
  /// A notice of a hit carries the fight, so that the view changes at once. Fault without it: only
  /// the next poll changes it.
  public var noticesCarryFights = true
  /// The nearest opponents come first. Switched off in the original: in the order of registration.
  public var offersNearestFirst = true
  /// Nobody is offered twice. Switched off in the original: the queue starts anew.
  public var offersNobodyTwice = true
  /// Two people have one fight at a time. Switched off in the original.
  public var allowsOneFightAPair = true
  /// All ten rows are compared. Fault without it: only the whole feet of height and reach.
  public var comparesEveryRow = true
  /// The odds are computed. Fault without it: they are promised.
  public var computesOdds = true
  /// Who was signed out by a second login is told so. Fault without it: an error without a reason.
  public var explainsSignOut = true
  /// The turn returns at once, for shows of the app to one person.
  public var isDemo = false

  /// Seconds of a turn until its owner is reminded; nil = never (switched off in the original).
  public var reminderAfter: Double? = 60
  /// Seconds between two looks at an open fight.
  public var pollInterval = 5.0
  /// Seconds until a request without an answer is sent again.
  public var retryAfter = 1.0
  /// Of the registration.
  public var cardCount = 6
  /// The rule set of the punch detector in a fight, and on the cards.
  public var punchPreset = "default"
  public var cardPreset = "default"

  /// Every fault mended.
  public static let `default` = FightRules()

  /// As HitThat did it.
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

  /// nil where there is none of that name.
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
  /// On the clock that phones and authority share.
  public var thrown: TraceInstant
  /// How many moves the fight had when it was thrown: a report that comes late or twice names a
  /// move that is over.
  public var move: Int

  public init(magnitude: Double, thrown: TraceInstant, move: Int) {
    self.magnitude = magnitude
    self.thrown = thrown
    self.move = move
  }
}

/// What a phone can have measured and a hand can have done.
public enum PunchLimits {
  /// m s-2, exclusive: no axis is beyond 2 g below it.
  public static let leastMagnitude = 2 * standardGravity
  /// m s-2: 16 g on each of three axes, the widest range of the accelerometers in phones.
  public static let largestMagnitude = 16 * standardGravity * 3.0.squareRoot()
  /// ns between two punches of one person: hands need 0.28 s from impact to impact.
  public static let shortestPause: Int64 = 280_000_000
  /// ns that a phone's clock may be ahead.
  public static let clockTolerance: Int64 = 1_000_000_000
}
