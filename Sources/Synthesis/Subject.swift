import TraceModel

/// A simulated person with a phone. The number determines everything, so a subject is the same in
/// all scenarios and for all seeds.
struct Subject: Sendable {
  let name: String
  // The punches of the person.
  /// How quick the person is, between 0 and 1.
  private let pace: Double
  /// The distance in m over which the hand accelerates.
  let reach: Double
  /// The person's usual target.
  let target: PunchStyle.Target
  /// The distance of the phone from the elbow in m.
  let forearm: Double
  /// The angle of a swing in radians.
  private let swingAngle: Double
  /// The turn of the fist about the way of a straight punch in radians.
  let fistTurn: Double
  /// The grip of the phone: 10 to 20 degrees off the straight axes.
  let grip: Attitude
  // The gait of the person.
  /// The duration of a walking step in seconds.
  let walkingStep: Double
  let runningStep: Double
  /// A factor for the impact of the feet.
  let tread: Double
  /// The time from clap to clap in s.
  let clapBeat: Double
  let tremor: Tremor.Level
  let phone: Phone
  /// The device that measures positions.
  let receiver: Receiver.Device

  init(number: Int) {
    var random = SeededGenerator(seed: 0x5EED_0F50_0B1E_C700 &+ UInt64(number))
    name = "sim" + twoDigits(number)
    pace = random.unit()
    reach = random.uniform(0.45...0.7)
    target = number / 2 % 2 == 0 ? .pad : .air
    forearm = random.uniform(0.32...0.36)
    swingAngle = random.uniform(2.3...2.5)
    fistTurn = random.uniform(0.8...1.05)
    grip = Attitude(
      axis: random.direction(), angle: Math.radians(random.uniform(10...20)))
    walkingStep = random.uniform(0.49...0.57)
    runningStep = random.uniform(0.36...0.42)
    tread = random.uniform(0.8...1.2)
    clapBeat = random.uniform(0.24...0.36)
    tremor = Tremor.Level(
      acceleration: random.uniform(0.25...0.6), angle: Math.radians(random.uniform(1...3)))
    receiver = number % 4 == 3 ? .watch : .phone
    phone = Phone(rail: (number % 2 == 0 ? 16 : 8) * standardGravity, random: &random)
  }
}

extension Subject {
  /// A straight punch: the peak speed of the hand in m s-1 and its stopping time in s.
  struct Blow: Sendable {
    var speed: ClosedRange<Double>
    var stop: ClosedRange<Double>
  }

  /// Returns the straight punches of the person. The speeds and times give the peaks, rises and
  /// durations that are recorded, see docs/simulated-and-recorded.md.
  func blow(_ force: Force, at target: PunchStyle.Target) -> Blow {
    let more = 0.3 * (pace - 0.5)
    switch (target, force) {
    case (.air, .hard): return Blow(speed: (3.35 + more)...(3.95 + more), stop: 0.075...0.113)
    case (.air, .playful): return Blow(speed: (2.25 + more)...(2.75 + more), stop: 0.085...0.115)
    case (.air, _): return Blow(speed: (2.95 + more)...(3.55 + more), stop: 0.083...0.12)
    case (.pad, .hard): return Blow(speed: (6.3 + more)...(8 + more), stop: 0.07...0.096)
    case (.pad, _): return Blow(speed: (5.2 + more)...(6.8 + more), stop: 0.074...0.102)
    }
  }

  /// A swing of the forearm: its time in s, its angle in radians, and its radius as a share of
  /// the forearm.
  struct Swing: Sendable {
    var duration: ClosedRange<Double>
    var angle: Double
    var lever = 1.0
  }

  func swing(_ force: Force) -> Swing {
    let less = 0.01 * (0.5 - pace)
    switch force {
    case .hard: return Swing(duration: (0.304 + less)...(0.319 + less), angle: swingAngle)
    case .soft: return Swing(duration: (0.312 + less)...(0.327 + less), angle: swingAngle)
    case .light, .playful: return Swing(duration: 0.4...0.52, angle: swingAngle, lever: 0.64)
    }
  }
}

/// A phone's accelerometer, its gyroscope and the fusion that removes gravity.
struct Phone: Sendable {
  /// The measuring range of one axis in m s-2.
  let rail: Double
  /// The white noise per axis and sample in m s-2.
  let noise: Double
  /// The bias per axis in m s-2.
  let bias: Vector
  /// The white noise of the gyroscope per axis and sample in rad s-1, and its bias.
  let rotationNoise: Double
  let rotationBias: Vector
  /// The actual rate divided by the nominal one.
  let rateFactor: Double
  /// The standard deviation of a timestamp in s.
  let jitter: Double
  let missedShare: Double
  /// The error of the gravity estimate at rest in radians.
  let restingTilt: Double
  /// The growth of that error with motion, in radians per m s-1 of integrated absolute
  /// acceleration.
  let tiltGrowth: Double

  /// The maximum error of a timestamp in s.
  static let largestJitter = 0.0004

  /// The range of the gyroscope in rad s-1: 2000 degrees per second.
  static let rotationRail = Math.radians(2000)

  init(rail: Double, random: inout SeededGenerator) {
    self.rail = rail
    noise = random.uniform(0.02...0.05)
    bias = random.normalVector(standardDeviation: 0.04)
    rateFactor = random.uniform(0.994...1.006)
    jitter = random.uniform(0.00005...0.0002)
    missedShare = random.uniform(0.0002...0.0008)
    restingTilt = Math.radians(random.uniform(0.3...0.8))
    tiltGrowth = random.uniform(0.002...0.005)
    rotationNoise = random.uniform(0.002...0.006)
    rotationBias = random.normalVector(standardDeviation: 0.005)
  }
}
