import AppEngines
import TraceModel

/// The walks that the app offers, as published: profiles, their routes, and the waypoints of each.
///
/// It contains only values. A picture is identified by the MD5 of its bytes, which stay with the
/// reader of the content, so that an engine's state stays small.
public struct HikeContent: Hashable, Sendable, Codable {
  /// The version: the MD5 of the compact JSON of the profiles, in lower-case hexadecimal.
  public var version: String
  public var profiles: [HikeProfile]

  public init(version: String, profiles: [HikeProfile]) {
    (self.version, self.profiles) = (version, profiles)
  }

  func route(_ key: HikeRouteKey) -> HikeRoute? {
    profiles.first { $0.id == key.profile }?.routes.first { $0.id == key.route }
  }
}

/// A text in both languages.
public struct HikeText: Hashable, Sendable, Codable {
  /// The text in English, and in Dutch; empty = missing.
  public var en: String
  public var nl: String

  public init(en: String = "", nl: String = "") { (self.en, self.nl) = (en, nl) }

  /// Returns the text in that language, or in the other one if it is missing.
  public func text(in language: HikeLanguage) -> String {
    let (first, second) = language == .nl ? (nl, en) : (en, nl)
    return first.isEmpty ? second : first
  }
}

public enum HikeLanguage: String, CaseIterable, Hashable, Sendable, Codable {
  case en, nl

  /// Selects Dutch only if the first preferred language is exactly `nl`; `nl-BE` gets English.
  public init(preferred: [String]) { self = preferred.first == "nl" ? .nl : .en }
}

/// A kind of walker, with the routes for it.
public struct HikeProfile: Hashable, Sendable, Codable {
  public var id: String
  public var name: HikeText
  public var details: HikeText
  /// The MD5 of the picture's bytes; nil = none.
  public var image: String?
  public var icon: String?
  public var routes: [HikeRoute]

  public init(
    id: String, name: HikeText, details: HikeText = HikeText(), image: String? = nil,
    icon: String? = nil, routes: [HikeRoute]
  ) {
    (self.id, self.name, self.details) = (id, name, details)
    (self.image, self.icon, self.routes) = (image, icon, routes)
  }
}

public struct HikeRoute: Hashable, Sendable, Codable {
  public var id: String
  public var name: HikeText
  public var details: HikeText
  public var reward: HikeReward?
  /// The waypoints as published, in any order; ``HikeWaypoint/rank`` orders them.
  public var waypoints: [HikeWaypoint]

  public init(
    id: String, name: HikeText, details: HikeText = HikeText(), reward: HikeReward? = nil,
    waypoints: [HikeWaypoint]
  ) {
    (self.id, self.name, self.details) = (id, name, details)
    (self.reward, self.waypoints) = (reward, waypoints)
  }

  /// The waypoints by rank, with only the first of each location; equal ranks in published order.
  var distinctWaypoints: [HikeWaypoint] {
    var known: Set<String> = []
    return waypoints.enumerated()
      .sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
      .map(\.element)
      .filter { known.insert($0.location).inserted }
  }

  /// The waypoints as the detector's places. The id is the location's id if all are numbers,
  /// otherwise the position.
  var places: [Place] {
    let waypoints = distinctWaypoints
    let numbers = waypoints.compactMap { Int32($0.location) }
    let areTheirOwn = Set(numbers).count == waypoints.count
    return waypoints.enumerated().map { position, waypoint in
      Place(
        id: areTheirOwn ? numbers[position] : Int32(clamping: position),
        latitude: waypoint.latitude, longitude: waypoint.longitude,
        radius: waypoint.radius ?? .nan, rank: waypoint.rank)
    }
  }
}

public struct HikeReward: Hashable, Sendable, Codable {
  public var id: String
  public var name: HikeText
  public var details: HikeText
  public var image: String?

  public init(id: String, name: HikeText, details: HikeText = HikeText(), image: String? = nil) {
    (self.id, self.name, self.details, self.image) = (id, name, details, image)
  }
}

public struct HikeWaypoint: Hashable, Sendable, Codable {
  /// The location's id, which differs between published versions.
  public var location: String
  /// The position in the route, from 0.
  public var rank: Int32
  public var name: HikeText
  public var details: HikeText
  /// The position in degrees, WGS84.
  public var latitude: Double
  public var longitude: Double
  /// The radius in metres; nil = that of the rules. Published content has none.
  public var radius: Double?
  public var image: String?

  public init(
    location: String, rank: Int32, name: HikeText, details: HikeText = HikeText(),
    latitude: Double, longitude: Double, radius: Double? = nil, image: String? = nil
  ) {
    (self.location, self.rank, self.name, self.details) = (location, rank, name, details)
    (self.latitude, self.longitude, self.radius) = (latitude, longitude, radius)
    self.image = image
  }

  var coordinate: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
}

/// The key of a route: routes of two profiles may share an id.
public struct HikeRouteKey: Hashable, Comparable, Sendable, Codable {
  public var profile: String
  public var route: String

  public init(profile: String, route: String) { (self.profile, self.route) = (profile, route) }

  public static func < (left: HikeRouteKey, right: HikeRouteKey) -> Bool {
    (left.profile, left.route) < (right.profile, right.route)
  }
}
