extension Workout {
  /// The part of the map that shows a track: degrees, WGS84.
  public struct MapBounds: Hashable, Sendable, Codable {
    public var south: Double
    public var north: Double
    public var west: Double
    /// Less than ``west`` where the map crosses the date line.
    public var east: Double

    /// Degrees that are shown on each side at least, some 110 m of latitude: a single point has a
    /// map too.
    public static let leastInset = 0.001
    /// The inset as a share of the height and the width.
    public static let insetShare = 0.1

    /// The smallest bounds round all points, with an inset. Longitudes are a circle: of all ways
    /// round, the one that leaves out the widest gap.
    ///
    /// - Returns: nil where no point is a position. O(n log n).
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

    /// Degrees from ``west`` to ``east``.
    public var width: Double { MapBounds.width(from: west, to: east) }

    public func contains(_ point: Coordinate) -> Bool {
      guard point.isValid, south <= point.latitude, point.latitude <= north else { return false }
      return west <= east
        ? west <= point.longitude && point.longitude <= east
        : point.longitude >= west || point.longitude <= east
    }

    /// The ends of the widest gap between neighbours: east of it the points begin.
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
