import TraceModel

/// The values of `type` in exported tracks and waypoints, by which the reader tells them from fixes
/// and places.
package enum GPXType {
  private static let prefix = "shadowbox:"

  /// A track that is the true path.
  package static let truePath = prefix + "true path"
  /// A waypoint that is a place of the trace.
  package static let place = prefix + "place"
  /// A waypoint that is a fix of the track, which the detector rejects.
  package static let rejectedFix = prefix + "rejected fix"

  /// A waypoint at which something happened.
  /// - Parameter isTrue: whether it is of a reference.
  package static func event(_ kind: String, isTrue: Bool) -> String {
    prefix + (isTrue ? "true event " : "event ") + kind
  }

  /// Whether a waypoint is an event or a fix, and not a place.
  static func isEvent(_ type: String) -> Bool { type.hasPrefix(prefix) && type != place }
}

/// The true path in a GPX.
struct GPXTruePath {
  private var track = ReferenceTrack(times: [], latitudes: [], longitudes: [])
  /// Points without a time, or with an earlier one than the last.
  private var lost = 0

  mutating func add(_ point: GPXPoint) {
    guard let time = point.time, time >= track.times.last ?? .min else {
      lost += 1
      return
    }
    track.times.append(time)
    track.latitudes.append(point.fix.latitude)
    track.longitudes.append(point.fix.longitude)
  }

  /// Returns the path with times from an origin on; nil = there is none.
  func track(from origin: Int64) -> ReferenceTrack? {
    guard !track.times.isEmpty else { return nil }
    var track = track
    track.times = track.times.map { $0.subtractingClamped(origin) }
    return track
  }

  /// - Parameter isTimed: whether the fixes have times, without which the path has no place on
  ///   their clock.
  func notes(isTimed: Bool) -> [String] {
    let count = track.times.count + lost
    guard count > 0 else { return [] }
    let read = isTimed ? track.times.count : 0
    let left = count > read ? "; left out, without a time or out of order: \(count - read)" : ""
    return ["True path: \(read) points\(left)."]
  }
}
