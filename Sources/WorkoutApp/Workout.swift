public import AppEngines
public import Detectors

/// The values of the workout app: activities, people, weeks. Its engines are ``WorkoutEngine``, on
/// a phone, and ``WorkoutServer``.
public enum Workout {
  /// The kind of sport.
  public enum Sport: String, CaseIterable, Hashable, Sendable, Codable {
    case run, bike, swim

    /// Whether the tracker records the sport; a swim is entered in a form.
    public var isTracked: Bool { self != .swim }

    /// The noun, for sentences.
    public var noun: String {
      switch self {
      case .run: "run"
      case .bike: "ride"
      case .swim: "swim"
      }
    }
  }

  /// The unit of the distances of runs and rides; swims are always in metres.
  public enum DistanceUnit: String, CaseIterable, Hashable, Sendable, Codable {
    case miles, kilometers

    public var symbol: String { self == .miles ? "mi" : "km" }

    func meters(_ rules: WorkoutRules) -> Double {
      self == .miles ? rules.tracker.paceRule.metersPerMile : 1000
    }
  }

  /// The location permission of the system. The person can change a denied one in the system's
  /// settings.
  public enum LocationPermission: String, CaseIterable, Hashable, Sendable, Codable {
    case notAsked = "not-asked"
    case denied, granted
  }

  /// The step that leads to the permission.
  public enum PermissionStep: String, Hashable, Sendable, Codable {
    /// The system's dialog, which appears once.
    case ask
    /// The system's settings, where a denial can be changed.
    case openSettings = "open-settings"
  }
}

/// The rules of the app. The defaults have none of the original's faults; each difference of
/// ``tri`` is one of them.
public struct WorkoutRules: Hashable, Sendable, Codable {
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
  public var tracker: TrackDetector.Parameters
  /// The time in seconds without movement after which a run pauses automatically, until the tracker
  /// sees movement again; nil = never. The tracker continues to measure: its moving time always
  /// excludes standing.
  public var autoPauseAfter: Double?
  /// Whether a clock of ticks stops while the app is suspended. Fault: the time is missing from the
  /// duration.
  public var losesTimeSuspended: Bool
  public var failedSave: FailedSave
  public var weekRefresh: WeekRefresh
  public var weekStart: Workout.WeekStart
  public var friendship: Friendship
  /// Whether a number belongs to an account only after a code that was sent to it.
  public var verifiesNumbers: Bool
  /// Whether the server refuses records that no workout can have.
  public var checksRecords: Bool
  /// The time in seconds for which all fixes must be late until the phone's clock is taken to be
  /// behind (see ``StampClock``); nil = stamps are used as they are. It is shorter than the
  /// tracker's limit of a gap, so that a step of the clock costs no moving time.
  public var clockPatience: Double?
  /// The limit of requests that the person's taps cause; what is left out is sent after its wait.
  /// nil = none.
  public var tapBudget: SendBudget?
  /// The limit of repetitions while the server does not answer; nil = none.
  public var retryBudget: SendBudget?
  /// The waits after which an unanswered request is sent again. A save without retries is given up
  /// after the first.
  public var backoff: Backoff

  public init() {
    tracker = TrackDetector.Parameters()
    tracker.splits = .both
    autoPauseAfter = 10
    losesTimeSuspended = false
    failedSave = .isRetried
    weekRefresh = .replaces
    weekStart = .calendar
    friendship = .mutual
    verifiesNumbers = true
    checksRecords = true
    clockPatience = 4
    tapBudget = SendBudget(capacity: 20, refill: 60)
    retryBudget = SendBudget(capacity: 30, refill: 20)
    backoff = Backoff(first: 5, longest: 320)
  }

  /// The rules without the faults.
  public static var `default`: WorkoutRules { WorkoutRules() }

  /// The rules of the original app, including its faults.
  public static var tri: WorkoutRules {
    var rules = WorkoutRules()
    rules.tracker = .tri
    rules.tracker.splits = .both
    rules.autoPauseAfter = nil
    rules.losesTimeSuspended = true
    rules.failedSave = .isCleared
    rules.weekRefresh = .addsAgain
    rules.weekStart = .sunday
    rules.friendship = .oneSided
    rules.verifiesNumbers = false
    rules.checksRecords = false
    rules.clockPatience = nil
    rules.tapBudget = nil
    rules.retryBudget = nil
    rules.backoff = Backoff(first: 30, longest: 1920, jitter: 0)
    return rules
  }
}
