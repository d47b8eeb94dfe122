import TraceModel

/// The short-term noise of a track without accuracies, from the track itself.
///
/// White noise of the positions, σ per axis, makes a second difference and the next one vary against
/// each other: their covariance is -4 σ². Movements last longer than a second, so they make the two
/// vary together. At 1 Hz the exported tracks of ten watches and phones have 0.0 to 0.3 m; the
/// simulated phone, whose accuracy is 5 m, has 0.7 m.
struct Roughness: Sendable, Codable {
  /// The number of second differences over which the covariance is averaged: a minute at 1 Hz.
  private static let memory = 60.0
  /// A second difference counts with at most this many medians, so that an outlier does not make the
  /// track rough.
  private static let clip = 4.0
  /// The share by which the median follows a larger or smaller one.
  private static let pace = 1.05
  /// The minimum in metres of the noise and the median: what coordinates are rounded to.
  private static let least = 0.05
  /// The largest difference in seconds between the two intervals of a second difference.
  private static let jitter = 0.3

  private var older: Position?
  private var middle: Position?
  private var time = TraceInstant.zero
  /// The seconds from the older position to the middle one.
  private var span = 0.0
  private var last: PlanarVector?
  private var median = 0.5
  /// σ² in m²; nil = not known yet.
  private var variance: Double?

  /// σ in metres, at least 0.05.
  var sigma: Double { max(Self.least, max(0, variance ?? 0).squareRoot()) }

  /// The next position starts a new stretch. What is known of the noise stays.
  mutating func restart() { (older, middle, last) = (nil, nil, nil) }

  mutating func add(_ position: Position, at now: TraceInstant) {
    let dt = Double(time.nanoseconds(to: now)) / 1e9
    defer { (older, middle, span, time) = (middle, position, dt, now) }
    guard let older, let middle, abs(dt - span) < Self.jitter else {
      last = nil
      return
    }
    let bend = clipped(bend(older, middle, position))
    if let last {
      let new = -(bend.east * last.east + bend.north * last.north) / 8
      variance = variance.map { $0 + (new - $0) / Self.memory } ?? new
    }
    last = bend
  }

  /// The second difference of three positions in metres.
  private func bend(_ older: Position, _ middle: Position, _ newer: Position) -> PlanarVector {
    let frame = LocalFrame(latitude: middle.latitude, longitude: middle.longitude)
    let back = frame.offset(latitude: older.latitude, longitude: older.longitude)
    let on = frame.offset(latitude: newer.latitude, longitude: newer.longitude)
    return PlanarVector(east: back.east + on.east, north: back.north + on.north)
  }

  private mutating func clipped(_ bend: PlanarVector) -> PlanarVector {
    let length = bend.length
    median = max(Self.least, length > median ? median * Self.pace : median / Self.pace)
    let limit = Self.clip * median
    guard length > limit else { return bend }
    return PlanarVector(east: bend.east * limit / length, north: bend.north * limit / length)
  }
}
