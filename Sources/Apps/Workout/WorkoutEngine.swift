import Detectors
public import TraceModel

/// The workout app on one phone: records runs and rides, takes swims from a form, saves them, and
/// shows them with those of friends.
///
/// Location may be denied: then nothing is recorded, ``permissionStep`` says what leads to it, and
/// all the rest works. What is recorded grows with the track, one location per accepted fix, until
/// the server has it; of saved activities the summary stays.
public struct WorkoutEngine: AppEngine {
  public static let name = "workout"
  public static let stateVersion = 1

  public enum Input: Hashable, Sendable, Codable {
    case signUp
    /// What the system says about location, whenever it changes.
    case permission(Workout.LocationPermission)
    /// The one step of ``permissionStep``.
    case allowLocation
    case start(Workout.Sport)
    case fix(Fix, measured: TraceInstant)
    case pause, resume, stop, save, discard
    /// The system suspended the app, or woke it.
    case suspended(Bool)
    case logSwim(Workout.SwimForm)
    /// The whole address book, whenever it changes.
    case contacts([Workout.Contact])
    case showFeed(Workout.FeedScope)
    /// Shows the pace of an activity in the feed, or hides it.
    case tap(Workout.ActivityID)
    case open(Workout.ActivityID)
    case closeDetail
    /// Shows or refreshes a week, the one that the calendar says.
    case showWeek(Workout.CalendarWeek)
    case toggle(Workout.Sport)
    case unit(Workout.DistanceUnit)
    /// Sends a save again that was refused.
    case retry(Workout.ActivityID)
    case answer(Workout.Answer, number: Int)
  }

  public enum Effect: Hashable, Sendable, Codable {
    case send(Workout.Letter)
    case askForLocation, openSettings
    /// - Parameter distanceFilter: metres between fixes.
    case startUpdates(distanceFilter: Double)
    case stopUpdates
    case started(Workout.Sport)
    case paused, resumed, autoPaused, autoResumed
    /// - Parameter detection: the tracker's own, of device 0.
    case split(Workout.Split, detection: DetectionRecord)
    case finished(Workout.Summary)
    case discarded
    case saved(Workout.ActivityID)
    /// It is kept, and waits for ``Input/retry(_:)``.
    case saveRefused(Workout.ActivityID, Refusal)
    /// The original's fault: it is gone.
    case lost(Workout.ActivityID)
    case signedUp
    case refused(Refusal)
    case becameFriends(Workout.Friend)
    /// - Parameter new: those that were not in the feed before.
    case feedChanged(new: [Workout.Summary])
    /// Minutes and seconds per mile; nil = none.
    case showPace(Workout.ActivityID, String?)
    case showDetail(Workout.ActivityID)
    case weekChanged
  }

  public enum Phase: String, Hashable, Sendable, Codable {
    case ready, recording, paused
    /// Stopped, and neither saved nor discarded.
    case finished
  }

  /// An activity of this phone's person.
  public struct Activity: Hashable, Sendable, Codable {
    public var summary: Workout.Summary
    /// Whether the server has it.
    public var isSaved: Bool
  }

  public let rules: WorkoutRules
  public let user: Workout.UserID
  public let userName: String
  /// The phone's own.
  public let number: PhoneNumber
  /// How numbers without a country code are read.
  public let region: PhoneNumber.Region
  public let installation: UInt64
  /// The time of the run's zero in the world.
  public let epoch: WallTime

  public internal(set) var phase = Phase.ready
  public internal(set) var recording: Workout.Recording?
  public internal(set) var permission = Workout.LocationPermission.notAsked
  public internal(set) var isSuspended = false
  public internal(set) var isSignedUp = false
  /// By number.
  public internal(set) var friends: [Workout.Friend] = []
  /// In feed order.
  public internal(set) var activities: [Activity] = []
  public internal(set) var feedScope = Workout.FeedScope.mine
  /// The activity in the feed whose pace is shown.
  public internal(set) var tapped: Workout.ActivityID?
  /// The activity that is shown with all its data.
  public internal(set) var detail: Workout.Record?
  public internal(set) var week: Workout.CalendarWeek?
  public internal(set) var toggles = Workout.SportToggles()
  public internal(set) var unit = Workout.DistanceUnit.miles

  var outbox: Workout.Outbox
  var contacts: [Workout.Contact] = []
  var contactsRevision = Int64.min
  /// What the server told last, in feed order.
  var served: [Workout.Summary] = []
  var weekRefreshes = 0
  var lastActivityNumber = 0
  var lastTime = TraceInstant(nanoseconds: .min)

  /// - Parameters:
  ///   - installation: a random number that is made when the app is installed.
  ///   - epoch: the time of the run's zero in the world.
  public init(
    rules: WorkoutRules = .default, user: Workout.UserID, name: String, number: PhoneNumber,
    region: PhoneNumber.Region, installation: UInt64, epoch: WallTime
  ) {
    self.rules = rules
    self.user = user
    userName = name
    self.number = number
    self.region = region
    self.installation = installation
    self.epoch = epoch
    outbox = Workout.Outbox(retryAfter: rules.retryAfter)
  }

  public mutating func handle(
    _ input: Input, at time: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) {
    let now = max(time, lastTime)
    // All that can be refused is refused here, so that a refusal changes nothing.
    if let refusal = refusal(of: input, at: now) { throw refusal }
    lastTime = now
    take(input, at: now, into: &effects)
  }

  public var deadline: TraceInstant? { outbox.deadline(after: lastTime) }

  public mutating func advance(to time: TraceInstant, into effects: inout [Effect]) {
    let now = max(time, lastTime)
    lastTime = now
    for item in outbox.takeDue(at: now) {
      if case .save(let record) = item.letter.request, rules.failedSave == .isCleared {
        lose(record.id, item.letter.number, into: &effects)
      } else {
        effects.append(.send(item.letter))
      }
    }
  }

  /// What leads to the location permission; nil = it is there.
  public var permissionStep: Workout.PermissionStep? {
    switch permission {
    case .notAsked: .ask
    case .denied: .openSettings
    case .granted: nil
    }
  }

  /// Activities that the server has not confirmed.
  public var unsaved: [Workout.ActivityID] {
    activities.filter { !$0.isSaved }.map(\.summary.id)
  }

  /// Mine, or mine and friends', newest first; what was not saved yet is among mine.
  public var feed: [Workout.Summary] { feed(feedScope) }

  func feed(_ scope: Workout.FeedScope) -> [Workout.Summary] {
    let own = activities.map(\.summary)
    var seen = Set(own.map(\.id))
    let shown = Set([user] + (scope == .mine ? [] : friends.map(\.user)))
    let others = served.filter { shown.contains($0.creator) && seen.insert($0.id).inserted }
    return (own + others).sorted(by: Workout.Summary.isEarlierInFeed)
  }

  /// nil until a week was shown.
  public var weekReport: Workout.WeekReport? {
    week.map {
      Workout.WeekReport(
        feed(.mine), in: $0, toggles: toggles, unit: unit, rules: rules, refreshes: weekRefreshes)
    }
  }

  func wall(_ time: TraceInstant) -> WallTime {
    epoch.advanced(byNanoseconds: time.nanoseconds)
  }

  mutating func send(
    _ request: Workout.Request, at now: TraceInstant, into effects: inout [Effect]
  ) {
    effects.append(.send(outbox.add(request, at: now)))
  }
}
