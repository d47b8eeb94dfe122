import AppEngines
package import HikeApp
package import Detectors
package import TraceModel

/// A walk to test with: two profiles, a route of four waypoints in a line to the north, 52 m apart,
/// so that circles of 60 m overlap, and a short one.
package enum HikeSample {
  package static let origin = LocalFrame(latitude: 52.09, longitude: 5.12)
  package static let spacing = 52.0
  package static let long = HikeRouteKey(profile: "families", route: "7")
  package static let short = HikeRouteKey(profile: "families", route: "8")

  package static func position(
    north: Double, east: Double = 0
  ) -> (latitude: Double, longitude: Double) {
    origin.position(of: PlanarVector(east: east, north: north))
  }

  package static func waypoint(
    _ rank: Int32, location: String? = nil, north: Double? = nil
  )
    -> HikeWaypoint
  {
    let position = position(north: north ?? Double(rank) * spacing)
    return HikeWaypoint(
      location: location ?? "\(rank + 101)", rank: rank,
      name: HikeText(en: "Stop \(rank)", nl: "Halte \(rank)"),
      details: HikeText(en: "About stop \(rank)"), latitude: position.latitude,
      longitude: position.longitude)
  }

  package static func content(
    _ version: String = "v1", waypoints: [HikeWaypoint]? = nil
  ) -> HikeContent {
    let long = HikeRoute(
      id: "7", name: HikeText(en: "The long one"),
      reward: HikeReward(id: "r", name: HikeText(en: "A feather")),
      waypoints: waypoints ?? (0..<4).map { waypoint($0) })
    let short = HikeRoute(
      id: "8", name: HikeText(en: "The short one"), waypoints: [waypoint(0, location: "201")])
    return HikeContent(
      version: version,
      profiles: [
        HikeProfile(id: "families", name: HikeText(en: "Families"), routes: [long, short]),
        HikeProfile(id: "runners", name: HikeText(en: "Runners"), routes: []),
      ])
  }

  package static func fix(north: Double, east: Double = 0, accuracy: Double = 5) -> Fix {
    let position = position(north: north, east: east)
    return Fix(
      latitude: position.latitude, longitude: position.longitude, horizontalAccuracy: accuracy)
  }

  /// The default's rules with the plainest check-in: at less than 60 m, at once, any accuracy.
  package static var plain: HikeRules {
    var rules = HikeRules.default
    rules.checkIn.entry = .distance
    rules.checkIn.dwell = 0
    rules.checkIn.exitHold = 0
    rules.checkIn.closestApproachGap = 0
    return rules
  }

  /// The same with waypoints in any order.
  package static var free: HikeRules {
    var rules = plain
    rules.order = .free
    return rules
  }

  /// The same where the walker chooses the next waypoint.
  package static var chosen: HikeRules {
    var rules = plain
    rules.order = .chosen
    return rules
  }
}
