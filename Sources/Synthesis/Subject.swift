import TraceModel

/// A simulated person with a phone. The number determines everything, so a subject is the same in
/// all scenarios and for all seeds.
struct Subject: Sendable {
  let name: String
  // The punches of the person.
  /// The peak speeds of the hand in m s-1: within 3 to 5 and 6 to 9.
  let softSpeed: ClosedRange<Double>
  let hardSpeed: ClosedRange<Double>
  /// The distance in m over which the hand accelerates.
  let reach: Double
  /// The stopping time of the hand in s: a pad or a bag stops it in 10 to 30 ms, the muscles alone
  /// in 35 to 90 ms.
  let softStop: ClosedRange<Double>
  let hardStop: ClosedRange<Double>
  /// The grip of the phone: 10 to 20 degrees off the straight axes.
  let grip: Attitude
  // The gait of the person.
  /// The duration of a walking step in seconds.
  let walkingStep: Double
  let runningStep: Double
  /// A factor for the impact of the feet.
  let tread: Double
  let tremor: Tremor.Level
  let phone: Phone

  init(number: Int) {
    var random = SeededGenerator(seed: 0x5EED_0F50_0B1E_C700 &+ UInt64(number))
    name = "sim" + twoDigits(number)
    let pace = random.unit()
    softSpeed = (3 + 0.6 * pace)...(4.2 + 0.8 * pace)
    hardSpeed = (6 + 0.9 * pace)...(7.6 + 1.4 * pace)
    reach = random.uniform(0.45...0.7)
    let hitsPad = number / 2 % 2 == 0
    softStop = hitsPad ? 0.020...0.030 : 0.050...0.090
    hardStop = hitsPad ? 0.010...0.018 : 0.035...0.060
    grip = Attitude(
      axis: random.direction(), angle: Math.radians(random.uniform(10...20)))
    walkingStep = random.uniform(0.49...0.57)
    runningStep = random.uniform(0.335...0.385)
    tread = random.uniform(0.8...1.2)
    tremor = Tremor.Level(
      acceleration: random.uniform(0.25...0.6), angle: Math.radians(random.uniform(1...3)))
    phone = Phone(rail: (number % 2 == 0 ? 16 : 8) * standardGravity, random: &random)
  }
}

/// A phone's accelerometer and the fusion that removes gravity.
struct Phone: Sendable {
  /// The measuring range of one axis in m s-2.
  let rail: Double
  /// The white noise per axis and sample in m s-2.
  let noise: Double
  /// The bias per axis in m s-2.
  let bias: Vector
  /// The actual rate divided by the nominal one.
  let rateFactor: Double
  /// The standard deviation of a timestamp in s.
  let jitter: Double
  /// The share of lost samples.
  let missedShare: Double
  /// The error of the gravity estimate at rest in radians.
  let restingTilt: Double
  /// The growth of that error with motion, in radians per m s-1 of integrated absolute
  /// acceleration.
  let tiltGrowth: Double

  /// The maximum error of a timestamp in s.
  static let largestJitter = 0.0004

  init(rail: Double, random: inout SeededGenerator) {
    self.rail = rail
    noise = random.uniform(0.02...0.05)
    bias = random.normalVector(standardDeviation: 0.04)
    rateFactor = random.uniform(0.994...1.006)
    jitter = random.uniform(0.00005...0.0002)
    missedShare = random.uniform(0.0002...0.0008)
    restingTilt = Math.radians(random.uniform(0.3...0.8))
    tiltGrowth = random.uniform(0.002...0.005)
  }

  /// The resolution of the converter in m s-2: 16 bits over the whole range.
  var step: Double { rail / 32768 }
}
