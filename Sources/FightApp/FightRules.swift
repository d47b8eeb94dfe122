public import AppEngines
import TraceModel

/// The rules of Fight. Each switch is a fault of HitThat that the default fixes; the engines are
/// the same for both.
public struct FightRules: AppRules {
  /// What the phone does with a hold of the button out of turn.
  public enum HoldOutOfTurn: String, Hashable, Sendable, Codable {
    /// It listens; the punch is refused.
    case listens
    /// Fault: it decides alone, by what its polls have shown: “Wait your turn”, and no punch starts.
    case isRefused = "is-refused"
    /// Fault: that hold is refused, and the turn is the person's from then on.
    case takesTurn = "takes-turn"
  }

  /// The authority computes the damage of a reported punch. Fault without it: the phone writes the
  /// opponent's stamina, computed from what its last poll showed. A poll that overtakes the phone's
  /// own write restores stamina, and a phone can write anything.
  public var computesDamage = true
  /// The authority limits what one hit takes (``HitLimit``). Fault without it: a report of 25 g
  /// wins any fight.
  public var limitsHits = true
  /// Stamina is counted in whole units. Fault without it: a share of 1 in double precision. Ten
  /// hits of 0.10 leave 1e-16, so it takes an eleventh.
  public var countsInIntegers = true
  /// The side that moved last must wait; who punches out of turn is refused at that moment. Fault
  /// without it: every punch hits.
  public var enforcesTurns = true
  public var holdOutOfTurn = HoldOutOfTurn.listens
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
  /// The rows are compared by their whole values, and equal values are even. Fault without it:
  /// height and reach are compared by the first character of their text and equal ones count as
  /// ahead; of the other rows equal numbers count as behind, and losses always do.
  public var comparesWholeValues = true
  /// The odds are computed. Fault without it: they are missing.
  public var computesOdds = true
  /// A sign-out by a second login states its reason. Fault without it: an error without a reason.
  public var explainsSignOut = true
  /// The technique of a punch is named even if it is not known how the phone was held. Fault of the
  /// original; the default says "a punch" then.
  public var namesTechniquesAlways = false
  /// The turn returns immediately, for demonstrations with one person.
  public var isDemo = false

  /// The time in seconds in which a person is offered one opponent in the long run, so that nobody
  /// can list all people; 0 = no limit.
  public var offerInterval = 60.0
  /// The number of opponents that a person is offered at once before that limit applies.
  public var offerBurst = 20
  /// The time in seconds without a punch after which the side whose turn it is forfeits the fight;
  /// nil = never, as in the original.
  public var forfeitAfter: Double? = 604_800
  /// The time in seconds between two polls of an open fight.
  public var pollInterval = 5.0
  /// The waits between the attempts to send a request. They stay short: a person waits for the
  /// answer, and the next punch waits too.
  public var backoff = Backoff(first: 1, longest: 8)
  public var cardCount = 12
  /// The presets of the punch detector in a fight and on the cards. Who fights means every punch, so
  /// the soft ones count too, and nobody is to wait for what follows a punch.
  public var punchPreset = "magnitude"
  public var cardPreset = "magnitude"

  public static let `default` = FightRules()

  /// The rules of HitThat.
  ///
  /// Source: jakeseaton/HitThat @6f4bf18, HitThat/FightOpenViewController.swift: `didStartHolding` (a
  /// hold out of turn), `updateUI` and `userStamina` (whose turn it is), `handlePunch` (the write),
  /// `refreshFight` (the poll); `RULES.md` has the other places.
  public static let hitThat: FightRules = {
    var rules = FightRules()
    (rules.computesDamage, rules.limitsHits) = (false, false)
    (rules.countsInIntegers, rules.enforcesTurns) = (false, false)
    (rules.countsWinsOnce, rules.hidesPositions) = (false, false)
    (rules.editsCurrentProfile, rules.listsByRecency) = (false, false)
    (rules.noticesCarryFights, rules.offersNearestFirst) = (false, false)
    (rules.offersNobodyTwice, rules.allowsOneFightAPair) = (false, false)
    (rules.comparesWholeValues, rules.computesOdds) = (false, false)
    (rules.explainsSignOut, rules.namesTechniquesAlways) = (false, true)
    rules.holdOutOfTurn = .isRefused
    rules.offerInterval = 0
    rules.forfeitAfter = nil
    rules.pollInterval = 0.4
    (rules.punchPreset, rules.cardPreset) = ("hitThat", "hitThatCards")
    return rules
  }()

  /// HitThat before @105d5a6 (2015-04-16): the alert of a hold out of turn sets `isUsersTurn`. Of
  /// that version only this is modelled.
  public static let hitThatAuto: FightRules = {
    var rules = hitThat
    rules.holdOutOfTurn = .takesTurn
    return rules
  }()

  public static func preset(named name: String) -> FightRules? {
    ["default": .default, "hitThat": .hitThat, "hitThat-auto": .hitThatAuto][name]
  }
}
