import Detectors
import TraceModel

/// A position on a map, in degrees and metres.
package struct MapPosition: Equatable, Sendable {
  package var latitude: Double
  package var longitude: Double
  package var altitude: Double?

  /// The equivalent longitude on the shorter way from `other`, which may exceed 180 degrees.
  fileprivate func longitude(from other: MapPosition) -> Double {
    let difference = longitude - other.longitude
    if difference > 180 { return longitude - 360 }
    return difference < -180 ? longitude + 360 : longitude
  }

  /// Returns the position at a share of the straight line to `end`, the shorter way.
  func position(at share: Double, to end: MapPosition) -> MapPosition {
    func between(_ start: Double, _ end: Double) -> Double { start + (end - start) * share }
    var east = between(longitude, end.longitude(from: self))
    if east > 180 { east -= 360 }
    if east < -180 { east += 360 }
    return MapPosition(
      latitude: between(latitude, end.latitude), longitude: east,
      altitude: altitude.flatMap { start in end.altitude.map { between(start, $0) } })
  }
}

extension Place {
  var position: MapPosition { MapPosition(latitude: latitude, longitude: longitude) }
}

enum MapShape {
  /// Returns a line in parts that do not cross the antimeridian (RFC 7946, 3.1.9). Each part has at
  /// least two positions. O(positions).
  static func parts(of line: some Sequence<MapPosition>) -> [[MapPosition]] {
    var parts: [[MapPosition]] = []
    var part: [MapPosition] = []
    for position in line {
      if let last = part.last, abs(position.longitude - last.longitude) > 180 {
        // The side of the last position.
        let edge: Double = last.longitude < 0 ? -180 : 180
        let way = position.longitude(from: last) - last.longitude
        let share = way == 0 ? 0 : (edge - last.longitude) / way
        var cut = last.position(at: share, to: position)
        cut.longitude = edge
        if cut != last { part.append(cut) }
        parts.append(part)
        cut.longitude = -edge
        part = cut == position ? [] : [cut]
      }
      part.append(position)
    }
    parts.append(part)
    return parts.filter { $0.count > 1 }
  }

  /// Returns a closed ring around a position, counterclockwise; nil if it would contain a pole or cross
  /// the antimeridian, or without a radius. It is on a sphere with the mean radius of the Earth (IUGG): the radius is wrong by up to 0.6 %.
  static func circle(around center: MapPosition, radiusMeters: Double) -> [MapPosition]? {
    let reach = radiusMeters / 6_371_008.8
    guard reach > 0, abs(center.latitude) + Math.degrees(reach) < 90 else { return nil }
    let corners = 48
    let (sine, cosine) = Math.sineAndCosine(Math.radians(center.latitude))
    let (far, near) = Math.sineAndCosine(reach)
    var ring: [MapPosition] = []
    for corner in 0..<corners {
      let angle = Math.radians(-360 * Double(corner) / Double(corners))
      let (east, north) = Math.sineAndCosine(angle)
      let height = sine * near + cosine * far * north
      let turn = Math.atan2(east * far * cosine, near - sine * height)
      let latitude = Math.degrees(Math.atan2(height, max(0, 1 - height * height).squareRoot()))
      let longitude = center.longitude + Math.degrees(turn)
      guard abs(longitude) <= 180 else { return nil }
      ring.append(MapPosition(latitude: rounded(latitude), longitude: rounded(longitude)))
    }
    return ring + ring.prefix(1)
  }

  /// To a centimetre, in degrees.
  private static func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
}

/// The positions along a track by their times.
struct MapPath {
  private var times: [Int64] = []
  private var positions: [MapPosition] = []

  /// - Parameter points: at least one; points with equal times keep their order.
  init(_ points: some Sequence<(time: Int64, position: MapPosition)>) {
    for (time, position) in points {
      times.append(time)
      positions.append(position)
    }
    guard zip(times, times.dropFirst()).contains(where: { $0 > $1 }) else { return }
    let order = times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
    (times, positions) = (order.map { times[$0] }, order.map { positions[$0] })
  }

  var isEmpty: Bool { times.isEmpty }

  /// Returns the position at an instant, on the straight line between two points; before the first and
  /// after the last, their positions. O(log points).
  /// - Precondition: the path is not empty.
  func position(at instant: TraceInstant) -> MapPosition {
    let after = times[...].partitioningIndex { $0 > instant.nanoseconds }
    guard after > 0 else { return positions[0] }
    guard after < times.count else { return positions[after - 1] }
    func since(_ start: Int64, _ end: Int64) -> Double { Double(end.subtractingClamped(start)) }
    let start = times[after - 1]
    let share = since(start, instant.nanoseconds) / since(start, times[after])
    return positions[after - 1].position(at: share, to: positions[after])
  }
}
