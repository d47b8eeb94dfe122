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
    /// Fault: the run's line is added again, so that values and labels no longer match.
    case repeatsRuns = "repeats-runs"
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
    rules.weekRefresh = .repeatsRuns
    rules.weekStart = .sunday
    rules.backoff = Backoff(first: 30, longest: 1920, jitter: 0)
    return rules
  }
}
