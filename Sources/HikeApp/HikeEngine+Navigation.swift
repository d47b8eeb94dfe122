import AppEngines
import Detectors

extension HikeEngine {
  mutating func takeNavigation(_ input: Input, into effects: inout [Effect]) throws(Refusal) {
    switch input {
    case .openHelp, .closeHelp: try setHelp(shown: input == .openHelp, into: &effects)
    case .openCompass, .closeCompass: try setCompass(open: input == .openCompass)
    case .openProfile(let id):
      guard content.profiles.contains(where: { $0.id == id }) else {
        throw Refusal("unknown-profile", "There is no such profile; choose one of the list.")
      }
      profile = id
    case .closeProfile:
      guard profile != nil else { throw Refusal("no-profile", "No profile is open.") }
      closeWalk(into: &effects)
      profile = nil
    case .openRoute(let key): try openRoute(key, into: &effects)
    case .closeRoute:
      guard walk != nil else { throw noRoute }
      closeWalk(into: &effects)
    case .choose(let location): try choose(location, into: &effects)
    case .closeReward:
      guard shownReward != nil else { throw Refusal("no-reward", "No reward is shown.") }
      shownReward = nil
    default: preconditionFailure("\(input) is no navigation")
    }
    effects.append(.save)
  }

  private var noRoute: Refusal { Refusal("no-route", "Open a route first.") }

  private mutating func setHelp(shown: Bool, into effects: inout [Effect]) throws(Refusal) {
    guard isHowToPlayShown != shown else {
      throw shown
        ? Refusal("help-is-open", "How to play is shown already.")
        : Refusal("help-is-closed", "How to play is not shown.")
    }
    isHowToPlayShown = shown
    if shown { effects.append(.showHowToPlay) }
  }

  private mutating func setCompass(open: Bool) throws(Refusal) {
    guard walk != nil else { throw noRoute }
    guard isCompassOpen != open else {
      throw open
        ? Refusal("compass-is-open", "The compass is open already.")
        : Refusal("compass-is-closed", "The compass is closed already.")
    }
    isCompassOpen = open
  }

  private mutating func openRoute(
    _ key: HikeRouteKey, into effects: inout [Effect]
  ) throws(Refusal) {
    guard let route = content.route(key) else {
      throw Refusal("unknown-route", "There is no such route; choose one of the list.")
    }
    guard !route.waypoints.isEmpty else {
      throw Refusal("no-waypoints", "This route has no waypoints; choose another.")
    }
    guard walk?.key != key else { throw Refusal("route-is-open", "This route is open already.") }
    let wasCompassOpen = isCompassOpen
    closeWalk(into: &effects)
    isCompassOpen = wasCompassOpen
    profile = key.profile
    let walk = HikeWalk(key, route, visited: visitedLocations(of: key), rules: rules)
    self.walk = walk
    effects.append(.next(location: walk.target?.location))
    giveLateReward(into: &effects)
  }

  /// Closes the route. Its check-ins are kept for when it is opened again.
  mutating func closeWalk(into effects: inout [Effect]) {
    if let prompted = walk?.prompted {
      effects.append(.promptClosed(location: prompted.location))
    }
    walk = nil
    isCompassOpen = false
  }

  /// Gives the reward if new content removed the remaining waypoints.
  mutating func giveLateReward(into effects: inout [Effect]) {
    guard let walk, walk.detector.isFinished else { return }
    giveReward(walk.key, into: &effects)
  }

  private mutating func choose(_ location: String, into effects: inout [Effect]) throws(Refusal) {
    guard let walk else { throw noRoute }
    guard rules.order != .byRank else {
      throw Refusal("order-is-fixed", "The waypoints are visited in their order.")
    }
    guard let place = walk.place(location) else {
      throw Refusal("unknown-waypoint", "This route has no such waypoint.")
    }
    guard self.walk?.detector.choose(place) == true else {
      throw Refusal("already-visited", "This waypoint is visited; choose another.")
    }
    effects.append(.next(location: location))
  }
}
