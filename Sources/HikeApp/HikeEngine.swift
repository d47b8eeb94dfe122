public import AppEngines
import Detectors
public import TraceModel

/// The phone's part of the app: walks a route, checks in at its waypoints, uploads the check-ins.
///
/// Everything but updates and uploads works without a network. The content of the screen is
/// ``screen`` and ``compass``; effects are work for a screen, a network or a file.
public struct HikeEngine: AppEngine {
  public static let name = "hike"
  public static let stateVersion = 4
  /// The number of unanswered uploads to keep. Answers to older ones are ignored, because later
  /// uploads contain the same check-ins.
  static let keptUploads = 16
  /// The time in seconds after which an unanswered download is given up when the app comes to the
  /// front.
  static let downloadPatience = 600.0
  /// The largest number of check-ins that the server gives back.
  static let mostRecovered = 10_000

  public enum Connectivity: String, CaseIterable, Hashable, Sendable, Codable {
    case offline, cellular, wifi
  }

  public enum Input: Hashable, Sendable, Codable {
    /// The app came to the foreground, or was restarted there.
    case activate
    case deactivate
    /// The app was started again, perhaps from an older state or newly installed: it may have lost what
    /// the server knows.
    case relaunched
    /// The phone was restarted, and so was its monotonic clock: the time of this input is the
    /// first one on the new axis, whose zero has this wall-clock time. It may be before the last one.
    case clockRestarted(epoch: WallTime)
    case openHelp, closeHelp
    case openProfile(String), closeProfile
    case openRoute(HikeRouteKey), closeRoute
    /// Makes the waypoint of a location the next one.
    case choose(String)
    case openCompass, closeCompass
    case fix(Fix, measured: TraceInstant)
    /// A heading in degrees clockwise from true north.
    case heading(Scalar)
    /// Confirms the prompt, records the visit, or closes the prompt.
    case confirm, proceed, cancel
    case closeReward
    case connectivity(Connectivity)
    /// The walker's languages, in order of preference.
    case languages([String])
    /// The content at the start differs from the content of the saved state.
    case contentOpened(HikeDownload)
    /// The server's answers, by the request's number or stamp.
    case pingAnswered(number: Int, isCurrent: Bool)
    case downloaded(number: Int, HikeDownload)
    case updateFailed(number: Int)
    case uploadStored(RequestStamp)
    /// The upload was stored, and these are all check-ins of the phone on the server.
    case allStored(RequestStamp, [HikeCheckIn])
    case uploadFailed(RequestStamp)
    /// The upload was not stored, because its number does not fit: continue from the position.
    case uploadOutOfStep(RequestStamp, StampPosition)
  }

  public enum Effect: Hashable, Sendable, Codable {
    case showHowToPlay
    /// Ask for a check-in; the distance is in metres.
    case prompt(location: String, distance: Double)
    /// Show the waypoint's description.
    case reveal(location: String)
    case visited(location: String, count: Int, total: Int)
    /// The new next waypoint; nil = none left.
    case next(location: String?)
    /// The prompt was cancelled; the waypoint can prompt again.
    case declined(location: String)
    case left(location: String)
    /// The prompt closed without an answer, together with its route.
    case promptClosed(location: String)
    case reward(HikeRouteKey)
    /// A detection of the detector, with device 0.
    case detected(DetectionRecord)
    case ping(number: Int, version: String)
    case download(number: Int)
    /// The Wi-Fi is lost: cancel the download to save mobile data. Its answer is ignored.
    case cancelDownload(number: Int)
    case upload(HikeUpload)
    /// The content of that version is active and replaces the saved one.
    case contentReplaced(version: String)
    case contentRefused(reason: String)
    /// The open route is not in the new content.
    case routeClosed(HikeRouteKey)
    /// Check-ins were lost with the ids of the previous content.
    case progressLost(count: Int)
    /// From this fix on fixes are ignored, because they are too old; once per period. The age is in
    /// seconds, below 0 = from the future.
    case fixesIgnored(age: Double)
    /// Fixes count again. The correction of the phone's clock is in seconds, above 0 = it is ahead.
    case fixesUsed(correction: Double)
    /// The state changed and has to be saved.
    case save
  }

  /// The state of the search for new content.
  public enum Update: Hashable, Sendable, Codable {
    case idle
    case pinging(number: Int)
    case downloading(number: Int)
  }

  public let rules: HikeRules
  /// An anonymous id of the phone.
  public let device: String
  /// The wall-clock time of the axis's zero. A restored engine continues on its axis, until
  /// ``Input/clockRestarted(epoch:)`` gives it another.
  public internal(set) var epoch: WallTime
  public internal(set) var content: HikeContent
  /// The records, in the order of their creation.
  public internal(set) var records: [HikeRecord] = []
  /// The routes with a given reward.
  public internal(set) var rewarded: [HikeRouteKey] = []
  public internal(set) var language = HikeLanguage.en
  public internal(set) var isActive = false
  public internal(set) var connectivity = Connectivity.offline
  /// True at the first start, and after the help button.
  public internal(set) var isHowToPlayShown = true
  public internal(set) var isCompassOpen = false
  public internal(set) var profile: String?
  public internal(set) var shownReward: HikeRouteKey?
  public internal(set) var update = Update.idle
  var walk: HikeWalk?
  var position: Coordinate?
  /// The heading in degrees clockwise from true north.
  var heading: Double?
  var outbox: Outbox<[HikeCheckIn]>
  var requestCount = 0
  var downloadSince = TraceInstant.zero
  /// The phone's wall clock; nil = the rules do not correct it.
  var stamps: StampClock?
  /// Whether the last fix on the route was ignored because of its age.
  var isIgnoringFixes = false
  /// Whether the next upload asks for all check-ins of the phone.
  var asksForAll = false
  var uploadBudget: SendBudget?
  var pingBudget: SendBudget?
  var clock = TraceInstant.zero

  /// - Parameters:
  ///   - device: an anonymous id of the phone.
  ///   - epoch: the wall-clock time of the axis's zero.
  public init(
    rules: HikeRules = .default, content: HikeContent, device: String,
    epoch: WallTime = WallTime(nanoseconds: 0)
  ) {
    self.rules = rules
    self.content = content
    self.device = device
    self.epoch = epoch
    stamps = rules.clockPatience.map { StampClock(patience: $0) }
    uploadBudget = rules.returnBudget
    pingBudget = rules.returnBudget
    outbox = Outbox(
      .parallel, backoff: rules.uploadBackoff, limit: HikeEngine.keptUploads,
      epoch: StableHash(seed: 0).with(device).value)
  }

  public mutating func handle(
    _ input: Input, at now: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) {
    if case .clockRestarted(let epoch) = input {
      return restartClock(epoch: epoch, at: now, into: &effects)
    }
    let now = max(now, clock)
    switch input {
    case .activate, .deactivate, .relaunched, .connectivity, .languages:
      try takePhone(input, at: now, into: &effects)
    case .pingAnswered, .downloaded, .updateFailed, .uploadStored, .uploadFailed,
      .uploadOutOfStep, .allStored:
      try takeAnswer(input, at: now, into: &effects)
    case .contentOpened(let content):
      take(content, isNew: false, into: &effects)
    case .fix(let fix, let measured):
      take(fix, measured: measured, at: now, into: &effects)
    case .heading(let reading):
      // A heading with an accuracy that is not positive or not stated is ignored.
      if reading.accuracy > 0, reading.value.isFinite { heading = reading.value }
    case .confirm, .proceed, .cancel:
      try answerPrompt(input, at: now, into: &effects)
    default:
      try takeNavigation(input, into: &effects)
    }
    clock = now
  }

  /// Continues on another time axis. A wait, a pause and a budget go on with what was left of them:
  /// how long the restart took is not known.
  mutating func restartClock(epoch: WallTime, at now: TraceInstant, into effects: inout [Effect]) {
    let shift = now.nanoseconds.subtractingClamped(clock.nanoseconds)
    self.epoch = epoch
    clock = now
    downloadSince = downloadSince.advanced(byNanoseconds: shift)
    outbox.restartClock(shiftedBy: shift)
    uploadBudget?.restartClock(shiftedBy: shift)
    pingBudget?.restartClock(shiftedBy: shift)
    walk?.detector.restartClock(shiftedBy: shift)
    // What was known of the wall clock held for the old axis.
    stamps = rules.clockPatience.map { StampClock(patience: $0) }
    effects.append(.save)
  }

  public var deadline: TraceInstant? { outbox.deadline(after: clock) }

  public mutating func advance(to now: TraceInstant, into effects: inout [Effect]) {
    clock = max(now, clock)
    for case .again(let item) in outbox.advance(to: clock) { send(item, into: &effects) }
  }

  public var violations: [String] {
    var violations = outbox.violations
    let keys = records.filter { $0.gone == nil }.map {
      [$0.key.profile, $0.key.route, $0.location]
    }
    if Set(keys).count != keys.count { violations.append("a visit is recorded twice") }
    if Set(rewarded).count != rewarded.count { violations.append("a reward was given twice") }
    if isCompassOpen, walk == nil { violations.append("the compass is open without a route") }
    guard let walk else { return violations }
    let visited = visitedLocations(of: walk.key)
    if Set(walk.visitedLocations) != visited.intersection(walk.waypoints.map(\.location)) {
      violations.append("the detector's visits differ from the recorded ones")
    }
    if let prompted = walk.prompted, visited.contains(prompted.location) {
      violations.append("a visited waypoint prompts again")
    }
    if walk.detector.isFinished, !rewarded.contains(walk.key) {
      violations.append("a finished route has no reward")
    }
    return violations
  }
}

// MARK: What the screen shows

public enum HikeScreen: Hashable, Sendable, Codable {
  case howToPlay
  case profiles
  case routes(profile: String)
  case route(HikeRouteKey)
  case compass(HikeRouteKey)
  case prompt(location: String)
  /// A waypoint's description, before the visit is recorded.
  case details(location: String)
  case reward(HikeRouteKey)
}

extension HikeEngine {
  public var screen: HikeScreen {
    if isHowToPlayShown { return .howToPlay }
    if let walk, let prompted = walk.prompted {
      return walk.detector.isPromptConfirmed
        ? .details(location: prompted.location) : .prompt(location: prompted.location)
    }
    if let shownReward { return .reward(shownReward) }
    if let walk { return isCompassOpen ? .compass(walk.key) : .route(walk.key) }
    return profile.map { .routes(profile: $0) } ?? .profiles
  }

  public var activeRoute: HikeRouteKey? { walk?.key }

  /// The next waypoint of the open route.
  public var target: HikeWaypoint? { walk?.target }

  /// The compass; nil while it is closed, or while the position or the target is unknown.
  public var compass: HikeCompass? {
    guard isCompassOpen, let target, let position else { return nil }
    return HikeCompass(to: target, from: position, heading: heading)
  }

  public func visitedLocations(of key: HikeRouteKey) -> Set<String> {
    Set(records.lazy.filter { $0.key == key && $0.gone == nil }.map(\.location))
  }

  /// The number of confirmed check-ins.
  public var uploadedCount: Int { records.count { $0.isUploaded } }

  /// The uploads that are not answered, oldest first.
  public var unansweredUploads: [RequestStamp] { outbox.items.map(\.stamp) }

  /// Whether the search for new content waits for Wi-Fi.
  public var updateWaitsForWiFi: Bool { connectivity == .cellular }
}
