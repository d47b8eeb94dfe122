public import TraceModel

/// The last seconds of acceleration and rotation rate in bins of 40 ms, for the kind of a punch.
///
/// Both channels share the bins, which count from the first reading, so that what is measured in
/// them does not depend on the rates. A bin has the mean of its readings. The memory is constant:
/// 10 kB, because a batch of one channel may arrive seconds before that of the other.
public struct MotionHistory: FeatureReader, Codable {
  private static let binLength: Int64 = 40_000_000
  /// A power of two.
  private static let size = 256
  /// The number of bins that the rotation rate may be ahead; beyond this it has another clock.
  private static let lead = 192
  private static let before = 15
  private static let after = 7
  public static var companions: [Channel] { [.rotationRate] }
  /// The time after a peak, in nanoseconds, that has to be known.
  public static let horizon = Int64(after + 1) * binLength

  /// The sums of x, y and z, and the count, by the number of the bin modulo ``size``.
  private var acceleration = [SIMD4<Float>](repeating: .zero, count: size)
  private var rotation = [SIMD4<Float>](repeating: .zero, count: size)
  /// The number of the bin in each place; -1 = none.
  private var numbers = [Int](repeating: -1, count: size)
  /// The start of bin 0; nil = no reading yet.
  private var origin: Int64?
  /// The newest bin with an acceleration.
  private var newest = 0

  /// The number of features of a model of acceleration alone, and of one with the rotation rate.
  public static let sizes = [
    PunchDetector.accelerationModel: 24, PunchDetector.motionModel: 27,
  ]

  public init() {}

  public mutating func add(_ reading: Reading) {
    guard case .vector(let sample) = reading.value else { return }
    let time = reading.measured.nanoseconds
    switch reading.channel {
    case .userAcceleration: add(acceleration: sample, at: time)
    case .rotationRate: add(rotation: sample, at: time)
    default: break
    }
  }

  mutating func add(acceleration sample: Vector3, at time: Int64) {
    guard sample.squaredMagnitude.isFinite else { return }
    if let origin, number(of: time, from: origin) < max(newest - MotionHistory.size + 1, 0) {
      // The clock was set back.
      self = MotionHistory()
    }
    guard let place = place(at: time) else { return }
    newest = max(newest, numbers[place])
    acceleration[place] += SIMD4(sample.x, sample.y, sample.z, 1)
  }

  mutating func add(rotation sample: Vector3, at time: Int64) {
    guard sample.squaredMagnitude.isFinite,
      origin.map({ number(of: time, from: $0) <= newest + MotionHistory.lead }) ?? true,
      let place = place(at: time)
    else { return }
    rotation[place] += SIMD4(sample.x, sample.y, sample.z, 1)
  }

  private func number(of time: Int64, from origin: Int64) -> Int {
    let distance = time.subtractingClamped(origin)
    return Int(clamping: distance < 0 ? -1 : distance / MotionHistory.binLength)
  }

  /// The position of the bin of a time, cleared of an older one; nil = the time is too far back.
  private mutating func place(at time: Int64) -> Int? {
    // Some bins are left for what is measured earlier and arrives later.
    let origin = origin ?? time.subtractingClamped(10 * MotionHistory.binLength)
    self.origin = origin
    let number = number(of: time, from: origin)
    guard number >= 0, number > newest - MotionHistory.size else { return nil }
    let place = number & (MotionHistory.size - 1)
    if numbers[place] != number {
      guard numbers[place] < number else { return nil }
      numbers[place] = number
      acceleration[place] = .zero
      rotation[place] = .zero
    }
    return place
  }

  /// The means around a time, from 15 bins before it to 7 after it. A bin without readings repeats the
  /// one before it.
  private func means(
    _ sums: [SIMD4<Float>], around time: Int64
  ) -> (bins: [SIMD3<Double>], known: Int)? {
    guard let origin else { return nil }
    let middle = number(of: time, from: origin)
    var (bins, known, last) = ([SIMD3<Double>](), 0, SIMD3<Double>.zero)
    for number in middle - MotionHistory.before...middle + MotionHistory.after {
      let place = number & (MotionHistory.size - 1)
      if number >= 0, numbers[place] == number, sums[place].w > 0 {
        let sum = sums[place]
        last = SIMD3(Double(sum.x), Double(sum.y), Double(sum.z)) / Double(sum.w)
        known += 1
      }
      bins.append(last)
    }
    return (bins, known)
  }

  /// The features of the movement around a time, by the name of their model.
  public func features(around time: TraceInstant) -> [String: [Double]] {
    let time = time.nanoseconds
    guard let origin,
      // Bins that are already overwritten, long after a peak, would look like rest.
      number(of: time, from: origin) - MotionHistory.before > newest - MotionHistory.size / 2,
      let acceleration = means(acceleration, around: time), acceleration.known > 0
    else { return [:] }
    var features = [
      PunchDetector.accelerationModel: MotionHistory.shape(of: acceleration.bins)
    ]
    // With large gaps in the rotation rate, the acceleration alone is more reliable.
    if let rotation = means(rotation, around: time), 2 * rotation.known > rotation.bins.count {
      features[PunchDetector.motionModel] = MotionHistory.moments(
        acceleration.bins, rotation.bins)
    }
    return features
  }

  /// The acceleration in the last 16 bins, in pairs and without its strength: 24 numbers.
  private static func shape(of bins: [SIMD3<Double>]) -> [Double] {
    let used = bins.suffix(16)
    let strength = used.reduce(0) { $0 + ($1 * $1).sum() }.squareRoot() + 2
    return stride(from: used.startIndex, to: used.endIndex, by: 2).flatMap { first in
      let mean = (used[first] + used[first + 1]) / (2 * strength)
      return [mean.x, mean.y, mean.z]
    }
  }

  /// Features that depend neither on the exact time of the peak nor on the strength: how the six
  /// axes vary together, how acceleration and rotation are distributed over their axes, and their
  /// means. 27 numbers.
  private static func moments(
    _ acceleration: [SIMD3<Double>], _ rotation: [SIMD3<Double>]
  ) -> [Double] {
    let axes =
      (0..<3).map { axis in acceleration.map { $0[axis] } }
      + (0..<3).map { axis in rotation.map { $0[axis] } }
    let count = Double(acceleration.count)
    func product(_ left: Int, _ right: Int) -> Double {
      zip(axes[left], axes[right]).reduce(0) { $0 + $1.0 * $1.1 } / count
    }
    // The floors, in m s-2 and rad s-1, keep noise on a quiet axis from looking like a movement.
    let sizes = (0..<6).map { axis in
      let floor = axis < 3 ? 0.5 : 0.1
      return (product(axis, axis) + floor * floor).squareRoot()
    }
    var features: [Double] = []
    for axis in 0..<6 {
      for other in axis + 1..<6 {
        features.append(product(axis, other) / (sizes[axis] * sizes[other]))
      }
    }
    for first in [0, 3] {
      let own = sizes[first..<first + 3]
      let length = own.reduce(0) { $0 + $1 * $1 }.squareRoot()
      features += own.map { $0 / length }
    }
    return features + (0..<6).map { axes[$0].reduce(0, +) / count / sizes[$0] }
  }
}
