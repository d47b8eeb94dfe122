/// The end of a sensor's range, where readings accumulate: larger values are clipped.
package struct SaturationRail: Sendable, Hashable {
  package enum Axis: String, Sendable, Hashable, CaseIterable {
    case x, y, z
  }

  package let axis: Axis
  /// The extreme value with its sign, in m s-2 or rad s-1.
  package let value: Double
  /// The number of readings within 3 % of the extreme.
  package let count: Int
  /// The number of readings of exactly the extreme value.
  package let exact: Int
  /// The largest number of readings in any of the next three bands of 3 % each.
  package let below: Int
  /// The number of readings of the axis, without NaN.
  package let readings: Int
  /// The share of the readings within 3 % of the extreme.
  package var share: Double { Double(count) / Double(max(readings, 1)) }
  /// The time of the first reading at the rail.
  package let first: TraceInstant

  /// The width of a band, as a share of the extreme: each axis of a phone is calibrated by itself,
  /// which spreads its rail over about 2 %.
  package static let band = 0.03
  /// The number of bands below the extreme that it is compared with.
  static let comparedBands = 3
  /// The smallest ratio to the next bands: a sine has 2.4 times as many readings in its highest
  /// band as in the next; less regular peaks have fewer.
  static let pileUp = 3
  /// The number of readings of exactly the extreme that is no coincidence if no other value in the
  /// bands is a third as frequent: sensors with few bits repeat every value.
  static let fewestExact = 3
  /// The smallest number of readings near the extreme.
  static let fewestNear = 15
  /// The smallest rail in m s-2: just below 2 g, the smallest range of accelerometers. At rest
  /// readings accumulate at 1 g.
  package static let smallestAcceleration = 1.9 * standardGravity
  /// The smallest rail in rad s-1: just below 250 degrees per second, the smallest range of phone
  /// gyroscopes.
  static let smallestRotationRate = 4.0

  /// Returns the rails of a channel of three axes: by axis, the upper one first. O(n).
  package static func find(in columns: VectorColumns, of channel: Channel) -> [SaturationRail] {
    let smallest = channel == .rotationRate ? smallestRotationRate : smallestAcceleration
    return Axis.allCases.flatMap { axis in
      [1.0, -1.0].compactMap { rail(on: axis, sign: $0, in: columns, smallest: smallest) }
    }
  }

  private static func rail(
    on axis: Axis, sign: Double, in columns: VectorColumns, smallest: Double
  ) -> SaturationRail? {
    let values =
      switch axis {
      case .x: columns.x
      case .y: columns.y
      case .z: columns.z
      }
    var extreme = -Double.infinity
    var readings = 0
    for position in columns.range where values[position].isFinite {
      extreme = max(extreme, sign * Double(values[position]))
      readings += 1
    }
    guard extreme >= smallest else { return nil }
    var bands = [Int](repeating: 0, count: comparedBands + 1)
    var ties: [Float: Int] = [:]
    var first: Int?
    for position in columns.range where values[position].isFinite {
      let distance = (extreme - sign * Double(values[position])) / (band * extreme)
      guard distance < Double(bands.count) else { continue }
      bands[Int(distance)] += 1
      ties[values[position], default: 0] += 1
      if distance < 1, first == nil { first = position }
    }
    let exact = ties.removeValue(forKey: Float(sign * extreme)) ?? 0
    let below = bands.dropFirst().max() ?? 0
    let tied = exact >= fewestExact && exact >= pileUp * (ties.values.max() ?? 1)
    let near = bands[0] >= fewestNear && bands[0] >= pileUp * below
    guard tied || near, let first else { return nil }
    return SaturationRail(
      axis: axis, value: sign * extreme, count: bands[0], exact: exact, below: below,
      readings: readings, first: columns.measured(at: first))
  }
}
