public import AppEngines

public struct HikeCheckIn: Hashable, Sendable, Codable {
  public var location: String
  public var route: String
  public var timestamp: WallTime
}

/// An upload of check-ins to the server. Repeated uploads are stored once.
public struct HikeUpload: Hashable, Sendable, Codable {
  /// The stamp of the phone's request, which the answer repeats.
  public var stamp: RequestStamp
  /// The phone's anonymous id.
  public var device: String
  public var checkIns: [HikeCheckIn]
  /// Whether the answer is to contain all check-ins of the phone.
  public var wantsAll = false
}

public struct HikeDownload: Hashable, Sendable, Codable {
  public var content: HikeContent
  /// The MD5 of the received profiles.
  public var checksum: String

  public init(content: HikeContent, checksum: String) {
    (self.content, self.checksum) = (content, checksum)
  }
}

public struct HikeRecord: Hashable, Sendable, Codable {
  public var key: HikeRouteKey
  public var location: String
  public var timestamp: WallTime
  public var isUploaded: Bool
  /// The check-in as sent before new content changed its ids; nil = unchanged. With one id the
  /// server stores it once, even after a lost answer.
  var sentAs: HikeCheckIn?
  /// The last state of its waypoint if the content no longer contains it. Then a waypoint with its
  /// id is another one. nil = the content contains it.
  public internal(set) var gone: HikeWaypoint?

  public init(key: HikeRouteKey, location: String, timestamp: WallTime, isUploaded: Bool = false) {
    (self.key, self.location) = (key, location)
    (self.timestamp, self.isUploaded) = (timestamp, isUploaded)
  }

  package var checkIn: HikeCheckIn {
    sentAs ?? HikeCheckIn(location: location, route: key.route, timestamp: timestamp)
  }
}
