import Detectors
import TraceModel

/// A person of the simulation: the phone's engine, the owner's script, and the log of both.
struct HikeWalker: ExchangePerson {
  static let profile = "walkers"

  let id: DeviceID
  let name: String
  let start: TraceInstant
  let key: HikeRouteKey
  var engine: HikeEngine
  private var script: HikeScript?
  private var promptDistances: [Double] = []
  /// The route positions of the visited waypoints, in the order of the visits.
  private var visits: [Int] = []
  private var finished: TraceInstant?
  /// The number of check-ins that the log has reported as confirmed.
  private var confirmed = 0

  init(
    _ id: DeviceID, _ person: AppSetup.Person, route: String, engine: HikeEngine,
    script: PersonScript?
  ) {
    self.id = id
    name = person.name
    start = person.start
    key = HikeRouteKey(profile: HikeWalker.profile, route: route)
    self.engine = engine
    self.script = script.map { HikeScript($0, person: id) }
  }

  static func input(for action: Action) -> HikeEngine.Input? {
    switch action {
    case .confirm: .confirm
    case .continue: .proceed
    case .cancel: .cancel
    default: nil
    }
  }

  var deadline: TraceInstant? { script?.next }

  var isWaiting: Bool { engine.outbox.due != nil }

  /// Returns the script's next action up to `now`.
  mutating func takeScripted(by now: TraceInstant) -> HikeEngine.Input? {
    script?.take(by: now)
  }

  /// Ends this walk, independent of other walks.
  mutating func stopScript() {
    script = nil
  }

  /// Records an effect of the app for the script and the outcomes.
  mutating func note(_ effect: HikeEngine.Effect, at now: TraceInstant) {
    switch effect {
    case .prompt(_, let distance):
      promptDistances.append(distance)
      script?.answerPrompt(at: now)
    case .visited(let location, _, _):
      if let position = position(of: location) { visits.append(position) }
    case .reward: finished = now
    default: break
    }
  }

  func outcomes(stored: Int) -> [AppOutcome] {
    let total = engine.walk?.waypoints.count ?? 0
    let mean =
      promptDistances.isEmpty
      ? nil : promptDistances.reduce(0, +) / Double(promptDistances.count)
    let isInOrder = visits.isEmpty ? nil : visits == visits.sorted()
    return [
      AppOutcome("waypoints", of: id, Double(total), unit: "count"),
      AppOutcome("prompts", of: id, Double(promptDistances.count), unit: "count"),
      AppOutcome("visits", of: id, Double(visits.count), unit: "count"),
      AppOutcome("reward", of: id, finished == nil ? 0 : 1, unit: "yes"),
      AppOutcome(
        "finish_time", of: id, finished.map { Double(start.nanoseconds(to: $0)) / 1e9 },
        unit: "s"),
      AppOutcome("order_kept", of: id, isInOrder.map { $0 ? 1 : 0 }, unit: "yes"),
      AppOutcome("prompt_distance", of: id, mean, unit: "m"),
      AppOutcome("uploads", of: id, Double(stored), unit: "count"),
    ]
  }

  private func position(of location: String) -> Int? {
    engine.walk?.waypoints.firstIndex { $0.location == location }
  }
}

// MARK: The log

extension HikeWalker {
  private var total: Int { engine.walk?.waypoints.count ?? 0 }

  private func waypoint(_ location: String) -> String {
    let text = position(of: location).map { "waypoint \($0 + 1)" } ?? "a waypoint"
    let name = engine.walk?.waypoints.first { $0.location == location }?.name
    let shown = name?.text(in: engine.language) ?? ""
    return shown.isEmpty ? text : "\(text) (\(shown))"
  }

  private func event(
    _ kind: String, _ text: String, at time: TraceInstant, value: Double? = nil,
    unit: String = "", of location: String? = nil
  ) -> AppEvent {
    AppEvent(
      kind, text, person: id, at: time, value: value, unit: unit,
      place: location.flatMap { engine.walk?.place($0) })
  }

  func greeting(at time: TraceInstant) -> AppEvent {
    let order =
      engine.rules.order == .byRank ? "to be visited in their order" : "to be visited in any order"
    return event("start", "sets out on a route with \(total) waypoints, \(order)", at: time)
  }

  func farewell(at time: TraceInstant) -> AppEvent {
    let end =
      finished == nil
      ? "the walk ends with \(visits.count) of \(total) waypoints visited and no reward"
      : "the walk ends with all \(total) waypoints visited"
    let asked = engine.walk?.prompted.map {
      "; the question whether to check in at \(waypoint($0.location)) was left unanswered"
    }
    let waiting = engine.records.count - engine.uploadedCount
    return event(
      "end",
      waiting == 0
        ? end + (asked ?? "")
        : end + (asked ?? "") + "; \(HikeWalker.checkIns(waiting)) not confirmed by the server yet",
      at: time)
  }

  /// Returns the log line of check-ins that were confirmed since the last one; nil = none.
  mutating func uploaded(at time: TraceInstant) -> AppEvent? {
    let count = engine.uploadedCount
    guard count > confirmed else { return nil }
    confirmed = count
    return event(
      "uploaded", "the server has \(HikeWalker.checkIns(count)) of this phone", at: time,
      value: Double(count), unit: "count")
  }

  /// Takes over the state of a phone that was restarted.
  mutating func restart(isNew: Bool, at time: TraceInstant) -> AppEvent {
    visits.removeAll { position in
      engine.walk.map { !$0.visitedLocations.contains($0.waypoints[position].location) } ?? true
    }
    confirmed = engine.uploadedCount
    if !engine.rewarded.contains(key) { finished = nil }
    script?.restart(
      isPrompted: engine.walk?.prompted != nil,
      isConfirmed: engine.walk?.detector.isPromptConfirmed == true, at: time)
    let state = isNew ? "newly installed" : "restored from an older state"
    return event("restart", "goes on with a phone that is \(state)", at: time)
  }

  func refused(_ refusal: Refusal, at time: TraceInstant) -> AppEvent {
    event("refused", "the app refuses: \(refusal.reason)", at: time)
  }

  private static func checkIns(_ count: Int) -> String {
    count == 1 ? "1 check-in" : "\(count) check-ins"
  }

  func event(for effect: HikeEngine.Effect, at time: TraceInstant) -> AppEvent? {
    switch effect {
    case .prompt(let location, let distance):
      event(
        "prompt",
        "is \(HikeNumber.text(distance, decimals: 0)) m from \(waypoint(location)) and is asked "
          + "to check in", at: time, value: distance, unit: "m", of: location)
    case .reveal(let location):
      event(
        "confirm", "confirms, and reads about \(waypoint(location))", at: time, of: location)
    case .declined(let location):
      event("cancel", "does not check in at \(waypoint(location))", at: time, of: location)
    case .visited(let location, let count, let total):
      event(
        "visit", "is checked in at \(waypoint(location)): \(count) of \(total) visited", at: time,
        value: Double(count), unit: "count", of: location)
    case .next(let location?):
      event("next", "is shown the way to \(waypoint(location))", at: time, of: location)
    case .left(let location):
      event("left", "leaves \(waypoint(location))", at: time, of: location)
    case .reward:
      event(
        "reward",
        "has visited all \(total) waypoints \(HikeWalker.clock(start.nanoseconds(to: time))) "
          + "after setting out, and gets the reward", at: time,
        value: Double(start.nanoseconds(to: time)) / 1e9, unit: "s")
    default: nil
    }
  }

  /// E.g. `1 h 12 min 5 s`.
  static func clock(_ nanoseconds: Int64) -> String {
    let seconds = max(0, nanoseconds) / 1_000_000_000
    let minutes = seconds / 60
    let rest = minutes == 0 ? "\(seconds) s" : "\(minutes % 60) min \(seconds % 60) s"
    return minutes < 60 ? rest : "\(minutes / 60) h \(rest)"
  }
}
