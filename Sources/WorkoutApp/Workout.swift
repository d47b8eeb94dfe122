public import AppEngines
public import Detectors

/// The values of the workout app: activities, people, weeks. Its engines are ``WorkoutEngine``, on
/// a phone, and ``WorkoutServer``.
public enum Workout {
  public enum Sport: String, CaseIterable, Hashable, Sendable, Codable {
    case run, bike, swim

    /// Whether the tracker records the sport; a swim is entered in a form.
    public var isTracked: Bool { self != .swim }

    public var noun: String {
      switch self {
      case .run: "run"
      case .bike: "ride"
      case .swim: "swim"
      }
    }
  }

  /// The location permission of the system. The person can change a denied one in the system's
  /// settings.
  public enum LocationPermission: String, CaseIterable, Hashable, Sendable, Codable {
    case notAsked = "not-asked"
    case denied, granted
  }

  public enum PermissionStep: String, Hashable, Sendable, Codable {
    /// The system's dialog, which appears once.
    case ask
    /// The system's settings, where a denial can be changed.
    case openSettings = "open-settings"
  }
}

/// The rules of the app. The defaults have none of the original's faults; each difference of
/// ``tri`` is one of them.
public struct WorkoutRules: AppRules {
  /// The treatment of a finished workout that could not be saved.
  public enum FailedSave: String, Hashable, Sendable, Codable {
    /// It stays on the phone and is sent again until the server has it.
    case isRetried = "is-retried"
    /// Fault: it is cleared and lost.
    case isCleared = "is-cleared"
  }

  /// The effect of a refresh on the week's totals.
  public enum WeekRefresh: String, Hashable, Sendable, Codable {
    /// They are recomputed: always one line per sport.
    case replaces
    /// Fault: the week's activities are listed again, and the list's runs are added again to those
    /// that are shown. So a refresh shows the runs 1, 3, 6, 10 times.
    case addsAgain = "adds-again"
  }

  /// When two people are friends.
  public enum Friendship: String, Hashable, Sendable, Codable {
    /// Each has the other's number in the address book.
    case mutual
    /// Fault: one has the other's number; the other one need not know of it.
    case oneSided = "one-sided"
  }

  /// The parameters of the tracker. The faults (5 m filter, invalid accuracies accepted, movement
  /// during a pause counted, a clock of ticks, a short mile, rounded minutes) are in
  /// `TrackDetector.Parameters.tri`.
  public var tracker = WorkoutRules.withSplits(TrackDetector.Parameters())
  /// The time in seconds without movement after which a run pauses automatically, until the tracker
  /// sees movement again; nil = never. The tracker continues to measure: its moving time always
  /// excludes standing.
  public var autoPauseAfter: Double? = 10
  /// Whether a clock of ticks stops while the app is suspended. Fault: the time is missing from the
  /// duration.
  public var losesTimeSuspended = false
  public var failedSave = FailedSave.isRetried
  public var weekRefresh = WeekRefresh.replaces
  public var weekStart = Workout.WeekStart.calendar
  public var friendship = Friendship.mutual
  /// Whether the second list shows everybody's activities instead of the friends', and everybody may open
  /// them. The original's, which “will later be amended”.
  public var showsEverybody = false
  /// Whether a number belongs to an account only after a code that was sent to it.
  public var verifiesNumbers = true
  /// Whether the server refuses records that no workout can have.
  public var checksRecords = true
  /// The time in seconds for which all fixes must be late until the phone's clock is taken to be
  /// behind (see ``StampClock``); nil = stamps are used as they are. It is shorter than the
  /// tracker's limit of a gap, so that a step of the clock costs no moving time.
  public var clockPatience: Double? = 4
  /// The limit of requests that the person's taps cause; what is left out is sent after its wait.
  /// nil = none.
  public var tapBudget: SendBudget? = SendBudget(capacity: 20, refill: 60)
  /// The limit of repetitions while the server does not answer; nil = none.
  public var retryBudget: SendBudget? = SendBudget(capacity: 30, refill: 20)
  /// The waits after which an unanswered request is sent again. A save without retries is given up
  /// after the first.
  public var backoff = Backoff(first: 5, longest: 320)

  /// The rules without the faults.
  public static let `default` = WorkoutRules()

  /// The rules of the original app, including its faults.
  ///
  /// Source: prazgaitis/tri @f3daa98, in the folder TriTrainer: NewActivityViewController.swift (tracker),
  /// Model/Model.swift (`refresh`: everybody's activities; `getContacts`; weekly totals),
  /// FeedTableViewController.swift (`feedChanged`); `RULES.md` has the places.
  public static let tri: WorkoutRules = {
    var rules = WorkoutRules()
    rules.tracker = WorkoutRules.withSplits(.tri)
    (rules.losesTimeSuspended, rules.failedSave) = (true, .isCleared)
    (rules.weekRefresh, rules.weekStart, rules.friendship) = (.addsAgain, .sunday, .oneSided)
    (rules.verifiesNumbers, rules.checksRecords) = (false, false)
    rules.showsEverybody = true
    (rules.autoPauseAfter, rules.clockPatience) = (nil, nil)
    (rules.tapBudget, rules.retryBudget) = (nil, nil)
    rules.backoff = Backoff(first: 30, longest: 1920, jitter: 0)
    return rules
  }()

  static func preset(named name: String) -> WorkoutRules? {
    ["default": .default, "tri": .tri][name]
  }

  private static func withSplits(_ tracker: TrackDetector.Parameters) -> TrackDetector.Parameters {
    var tracker = tracker
    tracker.splits = .both
    return tracker
  }
}
