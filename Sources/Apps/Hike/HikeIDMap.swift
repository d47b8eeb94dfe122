/// Where the parts of one content are in another, whose ids may be others.
///
/// A part is found by its id where name or position speak for it, then by what it is (a waypoint by
/// rank, position and name; a route or profile by its name) where one alone is it, then by its id.
struct HikeIDMap {
  private let old: HikeContent
  private let new: HikeContent

  init(from old: HikeContent, to new: HikeContent) {
    self.old = old
    self.new = new
  }

  /// - Returns: nil where nothing is found, or the id was not in the old content.
  func profile(_ id: String) -> String? {
    guard let before = old.profiles.first(where: { $0.id == id }) else {
      return new.profiles.contains { $0.id == id } ? id : nil
    }
    return match(new.profiles, id: id, \.id, isTwin: { $0.name == before.name })
  }

  func route(_ key: HikeRouteKey) -> HikeRouteKey? {
    guard let profileID = profile(key.profile),
      let profile = new.profiles.first(where: { $0.id == profileID })
    else { return nil }
    let before = old.route(key)
    let route = match(
      profile.routes, id: key.route, \.id, isTwin: { $0.name == before?.name })
    return route.map { HikeRouteKey(profile: profileID, route: $0) }
  }

  /// - Parameters:
  ///   - location: in the old content.
  ///   - key: the old route's.
  ///   - newKey: what became of it.
  func location(_ location: String, of key: HikeRouteKey, in newKey: HikeRouteKey) -> String? {
    guard let route = new.route(newKey) else { return nil }
    let before = old.route(key)?.distinctWaypoints.first { $0.location == location }
    guard let before else {
      return route.waypoints.contains { $0.location == location } ? location : nil
    }
    let waypoints = route.distinctWaypoints
    let same = waypoints.first { $0.location == location }
    if let same, same.isAt(before) || same.name == before.name { return location }
    let twins = waypoints.filter {
      $0.rank == before.rank && $0.isAt(before) && $0.name == before.name
    }
    return twins.count == 1 ? twins[0].location : same?.location
  }

  private func match<Part>(
    _ parts: [Part], id: String, _ path: KeyPath<Part, String>, isTwin: (Part) -> Bool
  ) -> String? {
    let hasID = parts.contains { $0[keyPath: path] == id }
    if parts.contains(where: { $0[keyPath: path] == id && isTwin($0) }) { return id }
    let twins = parts.filter(isTwin)
    return twins.count == 1 ? twins[0][keyPath: path] : hasID ? id : nil
  }
}

extension HikeWaypoint {
  fileprivate func isAt(_ other: HikeWaypoint) -> Bool {
    latitude == other.latitude && longitude == other.longitude
  }
}
