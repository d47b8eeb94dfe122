public import AppEngines

extension Workout {
  /// The part of the map that shows a track, in degrees, WGS84.
  public struct MapBounds: Hashable, Sendable, Codable {
    public var south: Double
    public var north: Double
    public var west: Double
    /// The eastern edge; less than ``west`` if the map crosses the date line.
    public var east: Double

    /// The minimum inset in degrees on each side, about 110 m of latitude, so that a single point
    /// has a map too.
    public static let leastInset = 0.001
    /// The inset as a share of the height and the width.
    public static let insetShare = 0.1

    /// Creates the smallest bounds around all points, with an inset. Longitudes form a circle: the
    /// bounds leave out the widest gap.
    ///
    /// - Returns: nil if no point is a valid position. O(n log n).
    public init?(around points: [Coordinate]) {
      let valid = points.filter(\.isValid)
      guard let first = valid.first else { return nil }
      var (south, north) = (first.latitude, first.latitude)
      for point in valid {
        south = min(south, point.latitude)
        north = max(north, point.latitude)
      }
      let sides = MapBounds.sides(valid.map(\.longitude).sorted())
      let width = MapBounds.width(from: sides.west, to: sides.east)
      let tall = max(MapBounds.leastInset, (north - south) * MapBounds.insetShare)
      let wide = max(MapBounds.leastInset, width * MapBounds.insetShare)
      self.south = max(-90, south - tall)
      self.north = min(90, north + tall)
      guard width + 2 * wide < 360 else {
        (west, east) = (-180, 180)
        return
      }
      west = MapBounds.wrapped(sides.west - wide)
      east = MapBounds.wrapped(sides.east + wide)
    }

    /// Returns the ends of the widest gap between neighbours; the points begin east of it.
    private static func sides(_ sorted: [Double]) -> (west: Double, east: Double) {
      let (first, last) = (sorted[0], sorted[sorted.count - 1])
      var sides = (west: first, east: last)
      var widest = first + 360 - last
      for (left, right) in zip(sorted, sorted.dropFirst()) where right - left > widest {
        widest = right - left
        sides = (right, left)
      }
      return sides
    }

    private static func width(from west: Double, to east: Double) -> Double {
      west <= east ? east - west : east + 360 - west
    }

    private static func wrapped(_ longitude: Double) -> Double {
      longitude < -180 ? longitude + 360 : longitude > 180 ? longitude - 360 : longitude
    }
  }
}
