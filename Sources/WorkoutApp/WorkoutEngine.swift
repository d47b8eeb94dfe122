public import AppEngines
import Detectors
public import TraceModel

/// The workout app on a phone: records runs and rides, accepts swims from a form, saves them, and
/// shows them together with those of friends.
///
/// If location is denied, nothing is recorded, ``permissionStep`` returns the next step, and
/// everything else works. A record grows with the track, one location per accepted fix, until the
/// server has it; only the summary of saved activities is kept.
public struct WorkoutEngine: AppEngine {
  public static let name = "workout"
  public static let stateVersion = 3

  /// The maximum length of a code in UTF-8 bytes.
  static let longestCode = 32

  public enum Input: Hashable, Sendable, Codable {
    case signUp
    /// The code that came to the phone's number.
    case enterCode(String)
    case permission(Workout.LocationPermission)
    /// Requests the step of ``permissionStep``.
    case allowLocation
    case start(Workout.Sport)
    case fix(Fix, measured: TraceInstant)
    case pause, resume, stop, save, discard
    /// The system suspended or woke the app.
    case suspended(Bool)
    case logSwim(Workout.SwimForm)
    /// The whole address book, whenever it changes.
    case contacts([Workout.Contact])
    case showFeed(Workout.FeedScope)
    /// Shows or hides the pace of an activity in the feed.
    case tap(Workout.ActivityID)
    case open(Workout.ActivityID)
    case closeDetail
    /// Shows or refreshes the week from the calendar.
    case showWeek(Workout.CalendarWeek)
    case toggle(Workout.Sport)
    /// Retries a refused save.
    case retry(Workout.ActivityID)
    case answer(Workout.Answer, RequestStamp)
  }

  public enum Effect: Hashable, Sendable, Codable {
    case send(Workout.Letter)
    case askForLocation, openSettings
    /// - Parameter distanceFilter: metres between fixes.
    case startUpdates(distanceFilter: Double)
    case stopUpdates
    case started(Workout.Sport)
    case paused, resumed, autoPaused, autoResumed
    /// - Parameter detection: the tracker's detection, with device 0.
    case split(Workout.Split, detection: DetectionRecord)
    case finished(Workout.Summary)
    case discarded
    case saved(Workout.ActivityID)
    /// The save was refused; the activity is kept and waits for ``Input/retry(_:)``.
    case saveRefused(Workout.ActivityID, Refusal)
    /// The activity has another id, because the server has an activity with the first one: the phone
    /// was restored from an older state.
    case renumbered(Workout.ActivityID, to: Workout.ActivityID)
    /// The activity is lost (the original's fault).
    case lost(Workout.ActivityID)
    case signedUp
    /// The number belongs to this account.
    case verified
    case refused(Refusal)
    case becameFriends(Workout.Friend)
    /// - Parameter new: the activities that were not in the feed before.
    case feedChanged(new: [Workout.Summary])
    /// The pace in minutes and seconds per mile; nil = none.
    case showPace(Workout.ActivityID, String?)
    case showDetail(Workout.ActivityID)
    case weekChanged
    /// From this fix on fixes are ignored, because they are too old; once per period. The age is in
    /// seconds.
    case fixesIgnored(age: Double)
    /// Fixes count again. The correction of the phone's clock is in seconds, above 0 = it is ahead.
    case fixesUsed(correction: Double)
  }

  public enum Phase: String, Hashable, Sendable, Codable {
    case ready, recording, paused
    /// Stopped, neither saved nor discarded.
    case finished
  }

  /// An activity of this phone's person.
  public struct Activity: Hashable, Sendable, Codable {
    public var summary: Workout.Summary
    public var isSaved: Bool
  }

  public let rules: WorkoutRules
  public let user: Workout.UserID
  public let userName: String
  public let number: PhoneNumber
  /// The region for numbers without a country code.
  public let region: PhoneNumber.Region
  public let installation: UInt64
  /// The wall-clock time of the run's zero.
  public let epoch: WallTime

  public internal(set) var phase = Phase.ready
  public internal(set) var recording: Workout.Recording?
  public internal(set) var permission = Workout.LocationPermission.notAsked
  public internal(set) var isSuspended = false
  public internal(set) var isSignedUp = false
  /// Whether the server knows that the number is the user's; without that nobody is a friend.
  public internal(set) var isVerified = false
  /// The friends, by number.
  public internal(set) var friends: [Workout.Friend] = []
  /// The activities, in feed order.
  public internal(set) var activities: [Activity] = []
  public internal(set) var feedScope = Workout.FeedScope.mine
  /// The activity in the feed whose pace is shown.
  public internal(set) var tapped: Workout.ActivityID?
  /// The activity that is shown with all its data.
  public internal(set) var detail: Workout.Record?
  public internal(set) var week: Workout.CalendarWeek?
  public internal(set) var toggles = Workout.SportToggles()

  var outbox: Outbox<Workout.Request>
  var contacts: [Workout.Contact] = []
  var contactsRevision = Int64.min
  /// The last feed from the server, in feed order.
  var served: [Workout.Summary] = []
  /// The runs of the week that the original shows.
  var weekTally = WeekTally()
  /// The times of the fixes; nil = the rules do not correct them.
  var fixTimes: FixTimes?
  var isIgnoringFixes = false
  var tapBudget: SendBudget?
  var retryBudget: SendBudget?
  var lastActivityNumber = 0
  var lastTime = TraceInstant(nanoseconds: .min)

  /// - Parameters:
  ///   - installation: a random number created at installation.
  ///   - epoch: the wall-clock time of the run's zero.
  public init(
    rules: WorkoutRules = .default, user: Workout.UserID, name: String, number: PhoneNumber,
    region: PhoneNumber.Region, installation: UInt64, epoch: WallTime
  ) {
    (self.rules, self.user, userName) = (rules, user, name)
    (self.number, self.region) = (number, region)
    (self.installation, self.epoch) = (installation, epoch)
    fixTimes = rules.clockPatience.map { FixTimes(patience: $0) }
    tapBudget = rules.tapBudget
    retryBudget = rules.retryBudget
    outbox = Outbox(
      .parallel, backoff: rules.backoff, limit: 1 << 30,
      epoch: StableHash(seed: installation).with(user.rawValue).value)
  }

  public mutating func handle(
    _ input: Input, at time: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) {
    let now = max(time, lastTime)
    // All refusals are decided here, so that a refusal changes nothing.
    if let refusal = refusal(of: input, at: now) { throw refusal }
    lastTime = now
    take(input, at: now, into: &effects)
  }

  public var deadline: TraceInstant? { outbox.deadline(after: lastTime) }

  public mutating func advance(to time: TraceInstant, into effects: inout [Effect]) {
    let now = max(time, lastTime)
    lastTime = now
    for overdue in outbox.advance(to: now) {
      switch overdue {
      case .again(let item):
        if retryBudget?.take(at: now) != false { send(item, into: &effects) }
      case .givenUp(let item):
        guard case .save(let record) = item.request else { continue }
        lose(record.id, into: &effects)
      }
    }
  }

  public var permissionStep: Workout.PermissionStep? {
    switch permission {
    case .notAsked: .ask
    case .denied: .openSettings
    case .granted: nil
    }
  }

  public var unsaved: [Workout.ActivityID] { activities.filter { !$0.isSaved }.map(\.summary.id) }

  /// The user's activities, or those of the user and friends, newest first, including unsaved ones.
  public var feed: [Workout.Summary] { feed(feedScope) }

  func feed(_ scope: Workout.FeedScope) -> [Workout.Summary] {
    let own = activities.map(\.summary)
    var seen = Set(own.map(\.id))
    let shown = Set([user] + (scope == .mine ? [] : friends.map(\.user)))
    let showsAll = rules.showsEverybody && scope != .mine
    let others = served.filter {
      (showsAll || shown.contains($0.creator)) && seen.insert($0.id).inserted
    }
    return (own + others).sorted(by: Workout.Summary.isEarlierInFeed)
  }

  /// The report; nil until a week was shown.
  public var weekReport: Workout.WeekReport? {
    week.map {
      Workout.WeekReport(
        feed(.mine), in: $0, toggles: toggles, rules: rules,
        runs: rules.weekRefresh == .addsAgain ? weekTally.shown : nil)
    }
  }

  /// The number of friends who use the app. Their numbers are shown to nobody.
  public var friendCount: Int { friends.count }

  /// How the user stacks up against the friends in the week that was shown, in each sport that is
  /// not switched off; empty until a week was shown.
  public var weekStandings: [Workout.WeekStanding] {
    guard let week else { return [] }
    let people = [(user: user, name: userName)] + friends.map { (user: $0.user, name: $0.name) }
    let all = feed(.mineAndFriends)
    return toggles.sports.map {
      Workout.WeekStanding($0, all, in: week, people: people, user: user)
    }
  }

  func wall(_ time: TraceInstant) -> WallTime { epoch.advanced(byNanoseconds: time.nanoseconds) }

  mutating func send(
    _ request: Workout.Request, at now: TraceInstant, into effects: inout [Effect]
  ) {
    var isFinal = false
    if case .save = request { isFinal = rules.failedSave == .isCleared }
    do throws(Refusal) {
      let item = try outbox.send(request, attemptLimit: isFinal ? 1 : nil, at: now)
      send(item, into: &effects)
    } catch {
      effects.append(.refused(error))
    }
  }

  func send(_ item: Outbox<Workout.Request>.Item?, into effects: inout [Effect]) {
    guard let item else { return }
    effects.append(
      .send(Workout.Letter(installation: installation, stamp: item.stamp, request: item.request)))
  }
}
