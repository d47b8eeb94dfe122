import AppEngines
import Detectors
import TraceModel

extension HikeWalker {
  var total: Int { engine.walk?.waypoints.count ?? 0 }

  func waypoint(_ location: String) -> String {
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
      switch engine.rules.order {
      case .byRank: "to be visited in their order"
      case .chosen: "to be visited in their order from a chosen one on"
      case .free: "to be visited in any order"
      }
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
      "uploaded", "the server has confirmed \(HikeWalker.checkIns(count)) of this phone", at: time,
      value: Double(count), unit: "count")
  }

  /// Takes over the state of a phone that was restarted.
  mutating func restart(isNew: Bool, at time: TraceInstant) -> AppEvent {
    visits.removeAll { position in
      // New content may have fewer waypoints.
      guard let walk = engine.walk, walk.waypoints.indices.contains(position) else { return true }
      return !walk.visitedLocations.contains(walk.waypoints[position].location)
    }
    confirmed = engine.uploadedCount
    if !engine.rewarded.contains(key) { finished = nil }
    hasChosen = hasChosen && !isNew
    noteFirst()
    script?.restart(
      isPrompted: engine.walk?.prompted != nil,
      isConfirmed: engine.walk?.detector.isPromptConfirmed == true, at: time)
    let state = isNew ? "newly installed" : "restored from an older state"
    return event("restart", "goes on with a phone that is \(state)", at: time)
  }

  /// Takes over the visits that the phone has back from the server.
  mutating func restored(at time: TraceInstant) -> AppEvent? {
    let all = engine.records.filter { $0.key == key && $0.gone == nil }
      .sorted { $0.timestamp < $1.timestamp }.compactMap { position(of: $0.location) }
    let count = all.count - visits.count
    visits = all
    if engine.rules.order == .chosen { first = all.first ?? first }
    guard count > 0 else { return nil }
    return event(
      "restored", "gets \(HikeWalker.checkIns(count)) back from the server", at: time,
      value: Double(count), unit: "count")
  }

  /// Notes that the server continues with only these check-ins of this phone.
  mutating func serverRestarted(
    isNew: Bool, stored: Set<String>, at time: TraceInstant
  ) -> AppEvent {
    let gone = noteGone(stored: stored)
    let state = isNew ? "newly installed" : "restored from an older state"
    let loss = gone == 0 ? "" : ", without \(HikeWalker.checkIns(gone)) of this phone"
    return event("restart", "has a server that is \(state)\(loss)", at: time)
  }

  /// Notes which confirmed check-ins the server no longer has. The phone cannot know it.
  /// - Returns: their number.
  @discardableResult mutating func noteGone(stored: Set<String>) -> Int {
    let gone = engine.records.filter { $0.isUploaded && !isStored($0.location, stored) }
    goneWithServer.formUnion(gone.map(\.location))
    return gone.count
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
        "is \(HikeCompass.text(distance, decimals: 0)) m from \(waypoint(location)) and is asked "
          + "to check in", at: time, value: distance, unit: "m", of: location)
    case .reveal(let location):
      event("confirm", "confirms, and reads about \(waypoint(location))", at: time, of: location)
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
    case .fixesIgnored(let age):
      event("fixes-ignored", HikeWalker.ignored(age), at: time, value: age, unit: "s")
    case .fixesUsed(let correction):
      event("fixes-used", HikeWalker.used(correction), at: time, value: correction, unit: "s")
    default: nil
    }
  }

  /// E.g. `fixes ignored: 20 s old`.
  private static func ignored(_ age: Double) -> String {
    let seconds = HikeCompass.text(abs(age), decimals: 0)
    return "fixes ignored: \(seconds) s " + (age < 0 ? "in the future" : "old")
  }

  private static func used(_ correction: Double) -> String {
    guard abs(correction) >= 0.5 else { return "fixes are used again" }
    let seconds = HikeCompass.text(abs(correction), decimals: 0)
    return "fixes are used again: the phone's clock is \(seconds) s "
      + (correction < 0 ? "behind" : "ahead")
  }

  /// E.g. `1 h 12 min 5 s`.
  static func clock(_ nanoseconds: Int64) -> String {
    let seconds = max(0, nanoseconds) / 1_000_000_000
    let minutes = seconds / 60
    let rest = minutes == 0 ? "\(seconds) s" : "\(minutes % 60) min \(seconds % 60) s"
    return minutes < 60 ? rest : "\(minutes / 60) h \(rest)"
  }
}
