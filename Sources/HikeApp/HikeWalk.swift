import AppEngines
import Detectors
import TraceModel

struct HikeWalk: Sendable, Codable {
  let key: HikeRouteKey
  /// The distinct waypoints, by rank.
  let waypoints: [HikeWaypoint]
  /// The places by rank, one for each waypoint.
  let places: [Place]
  var detector: CheckInDetector

  init(_ key: HikeRouteKey, _ route: HikeRoute, visited: Set<String>, rules: HikeRules) {
    self.key = key
    waypoints = route.distinctWaypoints
    places = route.places
    detector = CheckInDetector(rules.detection, places: places)
    let visitedPlaces = zip(waypoints, places).filter { visited.contains($0.0.location) }
    detector.markVisited(Set(visitedPlaces.map(\.1.id)))
  }

  func waypoint(_ place: Int32?) -> HikeWaypoint? {
    guard let place, let index = places.firstIndex(where: { $0.id == place }) else { return nil }
    return waypoints[index]
  }

  func place(_ location: String) -> Int32? {
    waypoints.firstIndex { $0.location == location }.map { places[$0].id }
  }

  /// Whether the detector of one walk can serve the other: the same places and the same visits.
  func isPlaced(as other: HikeWalk) -> Bool {
    key == other.key && visitedLocations == other.visitedLocations
      && waypoints.elementsEqual(other.waypoints) {
        $0.location == $1.location && $0.rank == $1.rank && $0.latitude == $1.latitude
          && $0.longitude == $1.longitude && $0.radius == $1.radius
      }
  }

  var target: HikeWaypoint? { waypoint(detector.nextPlace) }
  var prompted: HikeWaypoint? { waypoint(detector.promptedPlace) }
  var visitedLocations: [String] { detector.visitedPlaces.compactMap { waypoint($0)?.location } }
}

extension HikeEngine {
  mutating func take(
    _ fix: Fix, measured: TraceInstant, at now: TraceInstant, into effects: inout [Effect]
  ) {
    let time = stamps?.time(of: measured, arrived: now) ?? measured
    let isFresh = rules.checkIn.isTimely(time, at: now)
    noteAge(of: time, isFresh: isFresh, at: now, into: &effects)
    var detections: [Detection<CheckInEvent>] = []
    walk?.detector.ingest(fix, measured: time, arrived: now, into: &detections)
    locate(by: fix, isFresh: isFresh)
    report(detections, at: now, into: &effects)
  }

  /// Reports the first fix of a period in which they are ignored, and the first one after it.
  private mutating func noteAge(
    of measured: TraceInstant, isFresh: Bool, at now: TraceInstant, into effects: inout [Effect]
  ) {
    guard walk != nil, isFresh == isIgnoringFixes else { return }
    isIgnoringFixes = !isFresh
    if isFresh {
      effects.append(.fixesUsed(correction: Double(stamps?.correction ?? 0) / 1e9))
    } else {
      effects.append(.fixesIgnored(age: Double(measured.nanoseconds(to: now)) / 1e9))
    }
  }

  /// Updates the position for the compass. A filter also limits the fixes for the compass.
  private mutating func locate(by fix: Fix, isFresh: Bool) {
    var fix = fix
    if rules.checkIn.distanceFilter > 0, let walk {
      guard let last = walk.detector.lastFix else { return }
      fix = last
    } else if !isFresh || (rules.checkIn.checksAccuracy && fix.horizontalAccuracy < 0) {
      return
    }
    guard Geodesy.isValid(latitude: fix.latitude, longitude: fix.longitude) else { return }
    position = Coordinate(latitude: fix.latitude, longitude: fix.longitude)
  }

  mutating func answerPrompt(
    _ input: Input, at now: TraceInstant, into effects: inout [Effect]
  ) throws(Refusal) {
    guard let walk, let prompted = walk.prompted else {
      throw Refusal("no-prompt", "There is no waypoint to check in at yet: walk nearer to one.")
    }
    let isConfirmed = walk.detector.isPromptConfirmed
    let action: Action
    switch input {
    case .confirm:
      guard !isConfirmed else {
        throw Refusal("already-confirmed", "The check-in is confirmed; continue or cancel it.")
      }
      action = .confirm
    case .proceed:
      guard isConfirmed else { throw Refusal("not-confirmed", "Confirm the check-in first.") }
      action = .continue
    default: action = .cancel
    }
    var detections: [Detection<CheckInEvent>] = []
    self.walk?.detector.handle(action, at: now, into: &detections)
    if action == .cancel { effects.append(.declined(location: prompted.location)) }
    report(detections, at: now, into: &effects)
  }

  private mutating func report(
    _ detections: [Detection<CheckInEvent>], at now: TraceInstant, into effects: inout [Effect]
  ) {
    for detection in detections {
      effects.append(.detected(DetectionRecord(detection, device: DeviceID(0))))
      guard let walk else { continue }
      guard let waypoint = walk.waypoint(detection.event.place) else {
        if detection.event.type == .finished { giveReward(walk.key, into: &effects) }
        continue
      }
      switch detection.event.type {
      case .prompt:
        effects.append(
          .prompt(location: waypoint.location, distance: detection.event.distance ?? 0))
      case .confirm: effects.append(.reveal(location: waypoint.location))
      case .visit: record(waypoint, of: walk, at: now, into: &effects)
      case .exit: effects.append(.left(location: waypoint.location))
      case .finished: break
      }
    }
  }

  private mutating func record(
    _ waypoint: HikeWaypoint, of walk: HikeWalk, at now: TraceInstant,
    into effects: inout [Effect]
  ) {
    records.append(
      HikeRecord(
        key: walk.key, location: waypoint.location,
        timestamp: epoch.advanced(byNanoseconds: now.nanoseconds)))
    effects.append(
      .visited(
        location: waypoint.location, count: walk.visitedLocations.count,
        total: walk.waypoints.count))
    effects.append(.next(location: walk.target?.location))
    effects.append(.save)
    upload(at: now, into: &effects)
  }

  mutating func giveReward(_ key: HikeRouteKey, into effects: inout [Effect]) {
    guard !rewarded.contains(key) else { return }
    rewarded.append(key)
    shownReward = key
    effects += [.reward(key), .save]
  }
}
