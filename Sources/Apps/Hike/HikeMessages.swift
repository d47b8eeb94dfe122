/// A check-in as the server knows it.
public struct HikeCheckIn: Hashable, Sendable, Codable {
  public var location: String
  public var route: String
  public var timestamp: WallTime

  public init(location: String, route: String, timestamp: WallTime) {
    self.location = location
    self.route = route
    self.timestamp = timestamp
  }
}

/// Check-ins on their way to the server. Sent twice, they are stored once.
public struct HikeUpload: Hashable, Sendable, Codable {
  /// Counts the phone's requests; the answer carries it back.
  public var number: Int
  /// The phone's anonymous id.
  public var device: String
  public var checkIns: [HikeCheckIn]

  public init(number: Int, device: String, checkIns: [HikeCheckIn]) {
    self.number = number
    self.device = device
    self.checkIns = checkIns
  }
}

/// A published content as it came over the network.
public struct HikeDownload: Hashable, Sendable, Codable {
  public var content: HikeContent
  /// The MD5 of the profiles that did come.
  public var checksum: String

  public init(content: HikeContent, checksum: String) {
    self.content = content
    self.checksum = checksum
  }
}

/// A record of a visit on the phone.
public struct HikeRecord: Hashable, Sendable, Codable {
  public var key: HikeRouteKey
  public var location: String
  public var timestamp: WallTime
  /// Whether the server said that it has it.
  public var isUploaded: Bool
  /// What it was sent as before new content gave it other ids; nil = as it is now. Under one id it
  /// is stored once, also where an answer was lost.
  var sentAs: HikeCheckIn?
  /// Its waypoint as it was last, where the content no longer has that. Whatever has its id now was
  /// not visited by this. nil = the content has it.
  public internal(set) var gone: HikeWaypoint?

  public init(key: HikeRouteKey, location: String, timestamp: WallTime, isUploaded: Bool = false) {
    self.key = key
    self.location = location
    self.timestamp = timestamp
    self.isUploaded = isUploaded
  }

  var checkIn: HikeCheckIn {
    sentAs ?? HikeCheckIn(location: location, route: key.route, timestamp: timestamp)
  }
}
