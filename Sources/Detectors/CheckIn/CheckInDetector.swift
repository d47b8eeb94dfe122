public import TraceModel

public struct CheckInEvent: DetectionEvent {
  public enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
    /// The walker is asked to check in.
    case prompt
    /// The walker confirmed the prompt; the description is shown.
    case confirm
    /// The check-in is recorded.
    case visit
    /// The walker left a place that had prompted.
    case exit
    /// All places are visited; reported once.
    case finished
  }

  public let type: Kind
  /// The place; nil for `finished`.
  public let place: Int32?
  /// The distance to the place in metres at the prompt, or at the exit if that is near; nil = none.
  public let distance: Double?
  /// Whether the walker passed the place between two fixes instead of at one.
  public let isInferred: Bool

  public var kind: String { type.rawValue }
  public var originalLabel: String { isInferred ? "inferred" : "" }
  public var value: Double { distance ?? .nan }
}

/// Prompts at the places of a route and records the confirmed visits.
///
/// A prompt waits for the action `confirm` and then `continue`, which records the visit; `cancel`
/// closes it at either step. Other actions are ignored. Only one prompt is open at a time. A
/// visit's onset is the onset of its prompt; it is emitted with the action.
///
/// With the entry rule `distance`, the onset of a prompt is the fix that prompted. With
/// `probability` it is the first fix of the stretch inside the place. The dwell time is confirmed
/// by fixes: without a further fix there is no prompt. With that rule, a doubtful fix (a jump, or
/// one that is inaccurate for the place) always has to be confirmed for two seconds.
///
/// Places with the same id are one place, with the lowest rank. Places are ordered by rank, then by
/// id.
///
/// ```swift
/// let summit = Place(id: 7, latitude: 46.55, longitude: 7.98, radius: 60, rank: 0)
/// var detector = CheckInDetector(.init(), places: [summit])
/// var events: [Detection<CheckInEvent>] = []
/// let fix = Fix(latitude: 46.55, longitude: 7.98, horizontalAccuracy: 5)
/// detector.ingest(fix, measured: .zero, arrived: .zero, into: &events)
/// for action in [Action.confirm, .continue] { detector.handle(action, at: .zero, into: &events) }
/// events.map(\.event.kind)  // ["prompt", "confirm", "visit", "finished"]
/// ```
public struct CheckInDetector: Detector, Codable {
  public static let name = "checkin"
  public static let channel = Channel.location
  public static let task = ReferenceTask.visit

  private struct Prompt: Sendable, Codable {
    let index: Int
    var onset: TraceInstant
    let distance: Double
    let isInferred: Bool
    var isConfirmed = false
  }

  /// The dwell in seconds after a doubtful fix.
  private static let doubtfulDwell = 2.0
  /// A fix whose standard deviation is a larger share of the radius is doubtful: it may be outside
  /// on either side.
  private static let doubtfulShare = 0.25
  /// A jump is a fix that is farther from the last one than this speed in m/s explains, and more
  /// than three standard deviations of both. No walker, runner or cyclist is as fast.
  private static let jumpSpeed = 15.0

  private let parameters: Parameters
  private let fences: [Fence]
  private var presences: [Presence]
  private var movement: MovementFilter
  private var last: TimedFix?
  private var prompt: Prompt?
  /// The index at which the search for the next place starts.
  private var chosen = 0
  public private(set) var isFinished = false

  public init(_ parameters: Parameters, places: [Place]) {
    self.parameters = parameters
    var known: Set<Int32> = []
    fences =
      places
      .sorted { ($0.rank, $0.id) < ($1.rank, $1.id) }
      .filter { known.insert($0.id).inserted }
      .map { Fence($0, parameters: parameters) }
    presences = Array(repeating: Presence(), count: fences.count)
    movement = MovementFilter(threshold: parameters.distanceFilter)
  }

  /// The last delivered and accepted fix.
  public var lastFix: Fix? { last?.fix }

  public var promptedPlace: Int32? { prompt.map { fences[$0.index].place.id } }

  /// Whether the open prompt is confirmed and waits for `continue`.
  public var isPromptConfirmed: Bool { prompt?.isConfirmed ?? false }

  /// The visited places, in the order of the route.
  public var visitedPlaces: [Int32] {
    fences.indices.filter { presences[$0].wasVisited }.map { fences[$0].place.id }
  }

  /// The next place of the route: the first unvisited place at or after the chosen one.
  public var nextPlace: Int32? { nextUnvisited.map { fences[$0].place.id } }

  /// Makes a place the next one. The places behind it in the route follow, then those before it.
  /// - Returns: false, without a change, if there is no such place or it is already visited.
  public mutating func choose(_ place: Int32) -> Bool {
    guard let index = fences.firstIndex(where: { $0.place.id == place }) else { return false }
    guard !presences[index].wasVisited else { return false }
    chosen = index
    return true
  }

  /// Marks places as visited before the detector started. Reports no events.
  public mutating func markVisited(_ places: Set<Int32>) {
    for index in fences.indices where places.contains(fences[index].place.id) {
      presences[index].recordVisit(revisits: parameters.revisits)
    }
    isFinished = isFinished || (firstUnvisited == nil && !fences.isEmpty)
  }

  /// Continues on another time axis, because the device was restarted and its clock started again.
  ///
  /// An open prompt and the rest of a pause stay. How long the restart took is not known, so that
  /// the fixes before it no longer count for a dwell, an exit or a closest approach.
  /// - Parameter shift: what is added to a time of the old axis, in nanoseconds.
  public mutating func restartClock(shiftedBy shift: Int64) {
    last = nil
    if let open = prompt { prompt?.onset = open.onset.advanced(byNanoseconds: shift) }
    for index in presences.indices { presences[index].restartClock(shiftedBy: shift) }
  }

  public mutating func ingest(
    _ fix: Fix, measured: TraceInstant, arrived: TraceInstant,
    into detections: inout [Detection<CheckInEvent>]
  ) {
    guard movement.delivers(fix), parameters.isTimely(measured, at: arrived), accepts(fix) else {
      return
    }
    let sigma = sigma(of: fix)
    let isJump = parameters.entry == .probability && isJump(to: fix, sigma: sigma, at: measured)
    var candidates: [Prompt] = []
    for index in fences.indices {
      if let candidate = observe(
        fix, sigma: sigma, isJump: isJump, measured: measured, at: index, arrived: arrived,
        into: &detections)
      {
        candidates.append(candidate)
      }
    }
    last = TimedFix(fix: fix, time: measured)
    guard prompt == nil else { return }
    let target = nextUnvisited
    let due = candidates.filter { candidate in
      presences[candidate.index].mayPrompt(at: arrived)
        && (parameters.order == .free || candidate.index == target)
    }
    guard let nearest = due.min(by: { $0.distance < $1.distance }) else { return }
    open(nearest, measured: measured, arrived: arrived, into: &detections)
  }

  public mutating func handle(
    _ action: Action, at time: TraceInstant, into detections: inout [Detection<CheckInEvent>]
  ) {
    guard let open = prompt else { return }
    switch action {
    case .confirm where !open.isConfirmed:
      prompt?.isConfirmed = true
      detections.append(Detection(onset: time, emitted: time, event: event(.confirm, of: open)))
    case .continue where open.isConfirmed:
      prompt = nil
      record(open, emitted: time, into: &detections)
    case .cancel:
      prompt = nil
      presences[open.index].promptsAgainAt = time.advanced(
        byNanoseconds: nanoseconds(parameters.cancelPause))
    default: break
    }
  }

  public var measurements: [Measurement] {
    [Measurement("visited", Double(presences.count { $0.wasVisited }), unit: "")]
  }

  /// An accuracy of NaN is not stated and does not reject the fix.
  private func accepts(_ fix: Fix) -> Bool {
    guard parameters.checksAccuracy else { return true }
    return Position(fix).isValid && !(fix.horizontalAccuracy < 0)
      && !(fix.horizontalAccuracy > parameters.maximumAccuracy)
  }

  /// The standard deviation per axis in metres: a horizontal accuracy is √2 σ (iOS: the square root
  /// of the sum of squares).
  private func sigma(of fix: Fix) -> Double {
    fix.horizontalAccuracy >= 0
      ? fix.horizontalAccuracy / 2.0.squareRoot() : parameters.unknownSigma
  }

  private func isJump(to fix: Fix, sigma: Double, at measured: TraceInstant) -> Bool {
    guard let last else { return false }
    let frame = LocalFrame(latitude: last.fix.latitude, longitude: last.fix.longitude)
    let way = frame.offset(latitude: fix.latitude, longitude: fix.longitude).length
    let seconds = max(0, Double(last.time.nanoseconds(to: measured)) / 1e9)
    return way > Self.jumpSpeed * seconds + 3 * (sigma + self.sigma(of: last.fix))
  }

  private var firstUnvisited: Int? { presences.firstIndex { !$0.wasVisited } }

  private var nextUnvisited: Int? {
    presences.dropFirst(chosen).firstIndex { !$0.wasVisited } ?? firstUnvisited
  }

  /// Updates one place: first with the closest approach since the last fix, if that is nearer than
  /// both fixes, then with the fix itself.
  /// - Returns: the prompt that can be opened now.
  private mutating func observe(
    _ fix: Fix, sigma: Double, isJump: Bool, measured: TraceInstant, at index: Int,
    arrived: TraceInstant, into detections: inout [Detection<CheckInEvent>]
  ) -> Prompt? {
    let fence = fences[index]
    let isDoubtful =
      isJump || (parameters.entry == .probability && sigma > Self.doubtfulShare * fence.radius)
    let dwell = isDoubtful ? max(parameters.dwell, Self.doubtfulDwell) : parameters.dwell
    var candidate: Prompt?
    if let passed = closestApproach(to: fence, fix, at: measured) {
      let share = fence.share(distance: passed.distance, sigma: sigma, rule: parameters.entry)
      // A closest approach between fixes may count for a place, never against it.
      if share >= parameters.confidence {
        presences[index].update(share: share, at: passed.time, dwell: dwell, parameters)
        candidate = promptIfInside(index, passed.distance, at: passed.time, isInferred: true)
      }
    }
    let distance = fence.distance(to: fix)
    let share =
      distance.map { fence.share(distance: $0, sigma: sigma, rule: parameters.entry) } ?? 0
    if let left = presences[index].update(share: share, at: measured, dwell: dwell, parameters),
      left.hadPrompted, parameters.reportsExit
    {
      detections.append(
        Detection(
          onset: left.since, emitted: arrived, newestMeasured: measured,
          event: CheckInEvent(
            type: .exit, place: fence.place.id, distance: distance, isInferred: false)))
    }
    if let distance, let inside = promptIfInside(index, distance, at: measured, isInferred: false) {
      candidate = inside
    }
    return candidate
  }

  private func promptIfInside(
    _ index: Int, _ distance: Double, at time: TraceInstant, isInferred: Bool
  ) -> Prompt? {
    guard let since = presences[index].insideSince else { return nil }
    return Prompt(
      index: index, onset: parameters.entry == .distance ? time : since, distance: distance,
      isInferred: isInferred)
  }

  private func closestApproach(
    to fence: Fence, _ fix: Fix, at measured: TraceInstant
  ) -> (distance: Double, time: TraceInstant)? {
    guard parameters.closestApproachGap > 0, let last else { return nil }
    let step = last.time.nanoseconds(to: measured)
    guard step > 0, step <= nanoseconds(parameters.closestApproachGap) else { return nil }
    let (distance, fraction) = PlanarVector.closestApproach(
      from: fence.offset(of: last.fix), to: fence.offset(of: fix))
    guard fraction > 0, fraction < 1, distance <= fence.reach else { return nil }
    return (distance, last.time.advanced(byNanoseconds: Int64(Double(step) * fraction)))
  }

  private mutating func open(
    _ new: Prompt, measured: TraceInstant, arrived: TraceInstant,
    into detections: inout [Detection<CheckInEvent>]
  ) {
    presences[new.index].hasPrompted = true
    detections.append(
      Detection(
        onset: new.onset, emitted: arrived, newestMeasured: measured, event: event(.prompt, of: new)
      ))
    if parameters.requiresConfirmation {
      prompt = new
    } else {
      record(new, emitted: arrived, newest: measured, into: &detections)
    }
  }

  /// - Parameter newest: the time of the fix that caused the event; nil = an action caused it.
  private mutating func record(
    _ prompt: Prompt, emitted: TraceInstant, newest: TraceInstant? = nil,
    into detections: inout [Detection<CheckInEvent>]
  ) {
    presences[prompt.index].recordVisit(revisits: parameters.revisits)
    detections.append(
      Detection(
        onset: prompt.onset, emitted: emitted, newestMeasured: newest,
        event: event(.visit, of: prompt)))
    guard !isFinished, firstUnvisited == nil else { return }
    isFinished = true
    detections.append(
      Detection(
        onset: prompt.onset, emitted: emitted, newestMeasured: newest,
        event: CheckInEvent(type: .finished, place: nil, distance: nil, isInferred: false)))
  }

  private func event(_ type: CheckInEvent.Kind, of prompt: Prompt) -> CheckInEvent {
    CheckInEvent(
      type: type, place: fences[prompt.index].place.id, distance: prompt.distance,
      isInferred: prompt.isInferred)
  }
}

/// A place with its precomputed values.
private struct Fence: Sendable, Codable {
  let place: Place
  let radius: Double
  /// The distance in metres beyond which the probability of being inside is 0 for any accuracy.
  let reach: Double
  private let frame: LocalFrame

  init(_ place: Place, parameters: CheckInDetector.Parameters) {
    self.place = place
    radius =
      parameters.usesPlaceRadius && !place.radius.isNaN ? place.radius : parameters.radius
    let worst = parameters.checksAccuracy ? parameters.maximumAccuracy : .infinity
    reach =
      parameters.entry == .distance
      ? radius : radius + 9 * max(worst / 2.0.squareRoot(), parameters.unknownSigma)
    frame = LocalFrame(latitude: place.latitude, longitude: place.longitude)
  }

  /// The offset from the place in metres, east and north.
  func offset(of fix: Fix) -> PlanarVector {
    frame.offset(latitude: fix.latitude, longitude: fix.longitude)
  }

  /// The distance in metres; nil if the fix is far beyond the reach or has no position.
  func distance(to fix: Fix) -> Double? {
    // The plane is wrong by at most 50 %, at the pole; the margin covers that.
    if offset(of: fix).length > 2 * reach + 100 { return nil }
    let distance = Position(latitude: place.latitude, longitude: place.longitude)
      .distance(to: Position(fix))
    return distance.isNaN ? nil : distance
  }

  /// The probability of being inside as a share of the reachable probability, 0...1; 0 or 1 with
  /// the rule `distance`.
  func share(distance: Double, sigma: Double, rule: CheckInDetector.EntryRule) -> Double {
    if rule == .distance { return distance < radius ? 1 : 0 }
    let reachable = InsideProbability.reachable(radius: radius, sigma: sigma)
    guard reachable > 0 else { return 0 }
    return InsideProbability.within(radius: radius, distance: distance, sigma: sigma) / reachable
  }
}
