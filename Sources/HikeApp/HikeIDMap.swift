import Detectors

/// Maps the parts of one content to another with possibly different ids.
///
/// A profile or route is matched by its id if the name agrees, then by a unique name, then by its
/// id alone. Waypoints are matched by their properties: see ``matches(of:in:)``.
struct HikeIDMap {
  let old: HikeContent
  let new: HikeContent
  /// The distance in metres beyond which a waypoint with the same id but another name is another
  /// waypoint.
  private static let nearby = 60.0

  /// - Returns: nil if there is no match, or if the id was not in the old content.
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
    let route = match(profile.routes, id: key.route, \.id, isTwin: { $0.name == before?.name })
    return route.map { HikeRouteKey(profile: profileID, route: $0) }
  }

  /// Returns the new ids of the locations of an old route in a new one, by the old ids.
  func locations(of key: HikeRouteKey, in newKey: HikeRouteKey) -> [String: String] {
    guard let before = old.route(key), let after = new.route(newKey) else { return [:] }
    let waypoints = before.distinctWaypoints
    let matches = Self.matches(of: waypoints, in: after.distinctWaypoints)
    return [String: String](
      uniqueKeysWithValues: matches.map { (waypoints[$0.key].location, $0.value.location) })
  }

  /// Matches the waypoints of two lists one to one: first those that agree in most properties, then
  /// in fewer, as long as the match is unique. An id alone is not sufficient, because ids are
  /// reassigned.
  ///
  /// - Returns: the positions of the new waypoints, by the positions of the old ones.
  static func matches(of old: [HikeWaypoint], in new: [HikeWaypoint]) -> [Int: HikeWaypoint] {
    var matches: [Int: HikeWaypoint] = [:]
    var taken: Set<Int> = []
    for sign in Sign.allCases {
      let before = unique(old, sign) { matches[$0] == nil }
      let after = unique(new, sign) { !taken.contains($0) }
      for (key, position) in before {
        guard let other = after[key] else { continue }
        if sign == .idNearby, !isNear(old[position], new[other]) { continue }
        matches[position] = new[other]
        taken.insert(other)
      }
    }
    return matches
  }

  /// The properties in which two waypoints can agree, the most reliable first.
  private enum Sign: CaseIterable {
    case idNameAndPlace, namePlaceAndRank, nameAndPlace, idAndPlace, idAndName, place, idNearby
  }

  private struct Key: Hashable {
    var id: String?
    var name: HikeText?
    var rank: Int32?
    var place: [Double]?
  }

  /// Returns the positions of the waypoints with a unique key.
  private static func unique(
    _ waypoints: [HikeWaypoint], _ sign: Sign, where isFree: (Int) -> Bool
  ) -> [Key: Int] {
    let free = waypoints.indices.filter(isFree).compactMap { position in
      key(of: waypoints[position], sign).map { ($0, position) }
    }
    let positions = [Key: Int](free) { _, _ in -1 }
    return positions.filter { $0.value >= 0 }
  }

  /// Returns nil if the waypoint has no such property, e.g. no name.
  private static func key(of waypoint: HikeWaypoint, _ sign: Sign) -> Key? {
    let place = [waypoint.latitude, waypoint.longitude]
    return switch sign {
    case .idNameAndPlace: Key(id: waypoint.location, name: waypoint.name, place: place)
    case .namePlaceAndRank: Key(name: waypoint.name, rank: waypoint.rank, place: place)
    case .nameAndPlace: Key(name: waypoint.name, place: place)
    case .idAndPlace: Key(id: waypoint.location, place: place)
    case .idAndName:
      waypoint.name == HikeText() ? nil : Key(id: waypoint.location, name: waypoint.name)
    case .place: Key(place: place)
    case .idNearby: Key(id: waypoint.location)
    }
  }

  private static func isNear(_ waypoint: HikeWaypoint, _ other: HikeWaypoint) -> Bool {
    Geodesy.distance(
      latitude: waypoint.latitude, longitude: waypoint.longitude, toLatitude: other.latitude,
      longitude: other.longitude) < nearby
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
