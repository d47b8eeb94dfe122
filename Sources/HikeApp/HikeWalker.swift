import AppEngines
import Detectors
package import TraceModel

/// A person of the simulation: the phone's engine, the owner's script, and the log of both.
package struct HikeWalker: ExchangePerson {
  static let profile = "walkers"

  let id: DeviceID
  package let name: String
  let start: TraceInstant
  let key: HikeRouteKey
  package var engine: HikeEngine
  var script: HikeScript?
  private var watch: HikeWatch
  /// The route positions of the visited waypoints, in the order of the visits.
  var visits: [Int] = []
  /// The ids of the waypoints when they were visited, by route position: new content may change them.
  private var visitedAs: [Int: String] = [:]
  var finished: TraceInstant?
  /// The locations of all check-ins that the walker has made.
  private var everVisited: Set<String> = []
  /// The route positions of those that the walker made again, after restarts had taken them.
  private var remade: Set<Int> = []
  /// Whether a walker who may choose has chosen the first waypoint.
  var hasChosen = false
  /// The route position at which the order begins; not 0 only where the walker may choose.
  var first = 0
  /// The number of check-ins that the log has reported as confirmed.
  var confirmed = 0
  /// The locations of check-ins that the server lost with its state.
  var goneWithServer: Set<String> = []

  init(
    _ id: DeviceID, _ person: AppSetup.Person, route: String, engine: HikeEngine,
    script: PersonScript?
  ) {
    self.id = id
    name = person.name
    start = person.start
    key = HikeRouteKey(profile: HikeWalker.profile, route: route)
    self.engine = engine
    watch = HikeWatch(person)
    self.script = script.map { HikeScript($0, person: id) }
  }

  package var deadline: TraceInstant? { script?.next }

  package var isWaiting: Bool { engine.outbox.due != nil }

  /// Records an effect of the app for the script and the outcomes.
  package mutating func note(_ effect: HikeEngine.Effect, at now: TraceInstant) {
    switch effect {
    case .prompt(let location, let distance):
      watch.prompted(at: engine.walk?.place(location), distance: distance, now)
      script?.answerPrompt(at: now)
    case .visited(let location, _, _):
      if let position = position(of: location) {
        visits.append(position)
        visitedAs[position] = location
        if everVisited.contains(location) { remade.insert(position) }
      }
      everVisited.insert(location)
    // What the server gave back may be what the prompt asked for.
    case .promptClosed: script?.restart(isPrompted: false, isConfirmed: false, at: now)
    case .next: noteFirst()
    case .reward: finished = now
    default: break
    }
  }

  /// Notes where the order begins, as long as nothing is visited.
  mutating func noteFirst() {
    guard engine.rules.order == .chosen, visits.isEmpty else { return }
    first = engine.target.flatMap { position(of: $0.location) } ?? 0
  }

  /// Records a fix that the phone gets.
  mutating func see(_ fix: Fix) { watch.lastAccuracy = fix.horizontalAccuracy }

  /// Returns the location of the waypoint where a walker who may choose begins, which is the
  /// nearest one; nil = the choice was made, or is not the walker's.
  mutating func chooseFirst(near fix: Fix) -> String? {
    guard engine.rules.order == .chosen, !hasChosen, visits.isEmpty, let walk = engine.walk else {
      return nil
    }
    let position = Coordinate(latitude: fix.latitude, longitude: fix.longitude)
    guard position.isValid else { return nil }
    hasChosen = true
    return walk.waypoints.min {
      position.distance(to: $0.coordinate) < position.distance(to: $1.coordinate)
    }?.location
  }

  /// - Parameter stored: the locations of this phone's check-ins on the server.
  func outcomes(stored: Set<String>) -> [AppOutcome] {
    // From the first one on: the order wraps around.
    let steps = visits.map { $0 < first ? $0 + total - first : $0 - first }
    let delays = watch.delays.sorted()
    let isInOrder = steps.isEmpty ? nil : steps == steps.sorted()
    let outOfOrder = steps.indices.count { index in
      !remade.contains(visits[index]) && steps[..<index].contains { $0 > steps[index] }
    }
    return [
      .count("waypoints", of: id, total), .count("prompts", of: id, watch.distances.count),
      .count("visits", of: id, visits.count, .mustNotFall),
      AppOutcome("reward", of: id, finished == nil ? 0 : 1, unit: "yes", .mustStay),
      AppOutcome(
        "finish_time", of: id, finished.map { Double(start.nanoseconds(to: $0)) / 1e9 },
        unit: "s", .lower),
      AppOutcome("order_kept", of: id, isInOrder.map { $0 ? 1 : 0 }, unit: "yes", .mustStay),
      AppOutcome("prompt_distance", of: id, watch.meanDistance, unit: "m", .lower),
      AppOutcome(
        "prompt_delay_p50", of: id, Self.quantile(0.5, ofSorted: delays), unit: "s", .lower),
      AppOutcome(
        "prompt_delay_p90", of: id, Self.quantile(0.9, ofSorted: delays), unit: "s", .lower),
      .count("uploads", of: id, stored.count, .mustNotFall),
      .count("visits_twice", of: id, visits.count - Set(visits).count),
      .count("visits_out_of_order", of: id, outOfOrder),
      .count("bad_fix_prompts", of: id, watch.badFixPrompts),
      .count("check_ins_lost", of: id, lostCount(stored)),
    ]
  }

  /// The number of check-ins that restarts have taken: the phone has them no more, or the server.
  func lostByRestarts(stored: Set<String>) -> Int {
    let known = engine.visitedLocations(of: key)
    return everVisited.count {
      !known.contains($0) || (goneWithServer.contains($0) && !stored.contains($0))
    }
  }

  /// The number of visits that the server does not have and the phone does not send any more.
  private func lostCount(_ stored: Set<String>) -> Int {
    let waiting = Set(engine.records.filter { !$0.isUploaded }.map(\.location))
    return visits.count { position in
      guard let waypoints = engine.walk?.waypoints, waypoints.indices.contains(position) else {
        return false
      }
      let location = waypoints[position].location
      return !isStored(location, stored) && !waiting.contains(location)
        && !goneWithServer.contains(location)
    }
  }

  /// Whether the server has a check-in, under an id that it had since the visit.
  func isStored(_ location: String, _ stored: Set<String>) -> Bool {
    let sent = engine.records.first { $0.location == location }?.checkIn.location
    let visited = position(of: location).flatMap { visitedAs[$0] }
    return [location, sent, visited].contains { $0.map(stored.contains) ?? false }
  }

  func position(of location: String) -> Int? {
    engine.walk?.waypoints.firstIndex { $0.location == location }
  }

  /// `Sample.quantile`, but for the last digit, on which the hash of the detection log depends.
  private static func quantile(_ share: Double, ofSorted delays: [Double]) -> Double? {
    guard let last = delays.indices.last else { return nil }
    let place = share * Double(last)
    let below = delays[Int(place)]
    return below + (delays[min(Int(place) + 1, last)] - below) * (place - place.rounded(.down))
  }
}
