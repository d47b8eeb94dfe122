import TraceModel

/// Measures how far gravity turns around a peak, and how still the device is afterwards: after a
/// fall, a person lies still in another orientation.
///
/// It holds the acceleration with gravity of the last 20 s in bins of 40 ms, which count from the first
/// reading. The memory is constant.
struct GravityTurn: Sendable, Codable {
  /// The time after a peak, in nanoseconds, that has to be known.
  static let horizon: Int64 = 1_600_000_000
  private static let binLength: Int64 = 40_000_000
  /// The number of bins, a power of two.
  private static let size = 512
  /// The unrest in m s-2 up to which a device is at rest. It is at most 2.8 after 95 in 100 staged falls
  /// of 5 people, and at least 3.6 after 95 in 100 punches of 6 people, whose arms turn too.
  static let rest = 3.0
  /// The bins from 0.6 to 1.6 s on either side of a peak: in between the device swings.
  private static let distances = 15...40

  /// The sums of x, y and z, and the count, by the number of the bin modulo ``size``.
  private var sums = [SIMD4<Float>](repeating: .zero, count: size)
  private var numbers = [Int64](repeating: .min, count: size)
  private var newest: Int64 = 0
  /// The start of bin 0; nil = no reading yet.
  private var origin: Int64?

  mutating func add(_ sample: Vector3, at time: Int64) {
    guard sample.squaredMagnitude.isFinite else { return }
    if let origin, number(of: time, from: origin) <= newest - Int64(GravityTurn.size) {
      // The clock was set back.
      self = GravityTurn()
    }
    let number = number(of: time, from: origin ?? time)
    origin = origin ?? time
    newest = max(newest, number)
    let place = GravityTurn.place(of: number)
    if numbers[place] != number { (numbers[place], sums[place]) = (number, .zero) }
    sums[place] += SIMD4(sample.x, sample.y, sample.z, 1)
  }

  /// The angle in degrees between the median accelerations before and after a peak, and the median
  /// distance of the acceleration after it from its median in m s-2; nil = too little is known: less
  /// than half of the bins on a side.
  func turn(around peak: Int64) -> (degrees: Double, unrest: Double)? {
    guard let origin else { return nil }
    let middle = number(of: peak, from: origin)
    let means = (
      before: means(GravityTurn.distances.map { middle.subtractingClamped(Int64($0)) }),
      after: means(GravityTurn.distances.map { middle.addingClamped(Int64($0)) })
    )
    guard 2 * min(means.before.count, means.after.count) >= GravityTurn.distances.count else {
      return nil
    }
    let (before, after) = (median(means.before), median(means.after))
    let unrest = median(means.after.map { (($0 - after) * ($0 - after)).sum().squareRoot() })
    let cross = SIMD3(
      before.y * after.z - before.z * after.y, before.z * after.x - before.x * after.z,
      before.x * after.y - before.y * after.x)
    let angle = Math.atan2((cross * cross).sum().squareRoot(), (before * after).sum())
    return (Math.degrees(angle), unrest)
  }

  private func means(_ bins: [Int64]) -> [SIMD3<Double>] {
    bins.compactMap { number -> SIMD3<Double>? in
      let place = GravityTurn.place(of: number)
      let sum = sums[place]
      guard numbers[place] == number, sum.w > 0 else { return nil }
      return SIMD3(Double(sum.x), Double(sum.y), Double(sum.z)) / Double(sum.w)
    }
  }

  private func median(_ vectors: [SIMD3<Double>]) -> SIMD3<Double> {
    SIMD3(
      median(vectors.map({ $0.x })), median(vectors.map({ $0.y })), median(vectors.map({ $0.z })))
  }

  private func median(_ values: [Double]) -> Double { Sample.median(values) ?? 0 }

  private func number(of time: Int64, from origin: Int64) -> Int64 {
    let distance = time.subtractingClamped(origin)
    let (quotient, rest) = distance.quotientAndRemainder(dividingBy: GravityTurn.binLength)
    return rest < 0 ? quotient - 1 : quotient
  }

  private static func place(of number: Int64) -> Int { Int(number & Int64(size - 1)) }
}
