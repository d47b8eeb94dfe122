public import Detectors

/// The values of the workout app: activities, people, weeks. Its engines are ``WorkoutEngine``, on
/// a phone, and ``WorkoutServer``.
public enum Workout {
  /// What was done.
  public enum Sport: String, CaseIterable, Hashable, Sendable, Codable {
    case run, bike, swim

    /// Whether the tracker records it; a swim is entered in a form.
    public var isTracked: Bool { self != .swim }

    /// As a noun, for sentences.
    public var noun: String {
      switch self {
      case .run: "run"
      case .bike: "ride"
      case .swim: "swim"
      }
    }
  }

  /// In which unit the distances of runs and rides are shown; swims are in metres always.
  public enum DistanceUnit: String, CaseIterable, Hashable, Sendable, Codable {
    case miles, kilometers

    public var symbol: String { self == .miles ? "mi" : "km" }

    func meters(_ rules: WorkoutRules) -> Double {
      self == .miles ? rules.tracker.paceRule.metersPerMile : 1000
    }
  }

  /// What the system says about location. A denied one is for the person to change, in the
  /// system's settings.
  public enum LocationPermission: String, CaseIterable, Hashable, Sendable, Codable {
    case notAsked = "not-asked"
    case denied, granted
  }

  /// The one step that leads to the permission.
  public enum PermissionStep: String, Hashable, Sendable, Codable {
    /// The system's own question, which it puts once.
    case ask
    /// Its settings, where a refusal can be taken back.
    case openSettings = "open-settings"
  }
}

/// How the app behaves. The defaults have none of the original's faults; each deviation of
/// ``tri`` is one of them.
public struct WorkoutRules: Hashable, Sendable, Codable {
  /// What becomes of a finished workout that could not be saved.
  public enum FailedSave: String, Hashable, Sendable, Codable {
    /// It stays on the phone, and is sent again until the server has it.
    case isRetried = "is-retried"
    /// Fault: it is cleared, and lost.
    case isCleared = "is-cleared"
  }

  /// What a refresh does to the week's totals.
  public enum WeekRefresh: String, Hashable, Sendable, Codable {
    /// They are made anew: one line per sport, however often.
    case replaces
    /// Fault: the run's line is added once more, so that values and labels no longer match.
    case repeatsRuns = "repeats-runs"
  }

  /// Distance, accuracy, pauses, clock and pace. The tracker's faults (5 m filter, invalid accuracies
  /// admitted, movement in a pause counted, a clock of ticks, a short mile, rounded minutes) are
  /// those of `TrackDetector.Parameters.tri`.
  public var tracker: TrackDetector.Parameters
  /// Seconds without movement after which a run counts as paused by itself, until the tracker sees
  /// movement again; nil = never. The tracker goes on measuring: its moving time leaves standing
  /// out in any case.
  public var autoPauseAfter: Double?
  /// Whether a clock of ticks stands still while the system has the app suspended. Fault: the time
  /// is missing from the duration.
  public var losesTimeSuspended: Bool
  public var failedSave: FailedSave
  public var weekRefresh: WeekRefresh
  public var weekStart: Workout.WeekStart
  /// Seconds until a request without an answer is sent again; each time twice as long, up to
  /// 64 times. A save that is not retried is given up then.
  public var retryAfter: Double

  public init() {
    tracker = TrackDetector.Parameters()
    tracker.splits = .both
    autoPauseAfter = 10
    losesTimeSuspended = false
    failedSave = .isRetried
    weekRefresh = .replaces
    weekStart = .calendar
    retryAfter = 5
  }

  /// All faults fixed.
  public static var `default`: WorkoutRules { WorkoutRules() }

  /// As the app had it, faults included.
  public static var tri: WorkoutRules {
    var rules = WorkoutRules()
    rules.tracker = .tri
    rules.tracker.splits = .both
    rules.autoPauseAfter = nil
    rules.losesTimeSuspended = true
    rules.failedSave = .isCleared
    rules.weekRefresh = .repeatsRuns
    rules.weekStart = .sunday
    rules.retryAfter = 30
    return rules
  }
}
