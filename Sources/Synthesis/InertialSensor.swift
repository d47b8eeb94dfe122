import TraceModel

/// Measures a motion with the errors of a phone: a slightly wrong rate, jittered times, lost
/// samples, a short averaging window, bias, noise, quantisation and saturation, and a gravity
/// estimate that is disturbed by violent motion. The gyroscope shares times and window.
struct InertialSensor {
  let phone: Phone
  /// The nominal rate in Hz.
  let rate: Double

  /// The averaging window before the converter, as a share of the sample interval.
  static let window = 0.5
  private static let pointsPerWindow = 8
  /// The resolution of the gyroscope in rad s-1 and of the fusion's result in m s-2. A power of two:
  /// such columns compress to half.
  static let fineStep = 1.0 / 1024

  struct Output {
    var acceleration = VectorColumns()
    var userAcceleration = VectorColumns()
    var rotationRate = VectorColumns()

    fileprivate mutating func append(_ time: Int64, force: Vector, user: Vector, rotation: Vector) {
      func sample(_ vector: Vector) -> Vector3 {
        Vector3(x: Float(vector.x), y: Float(vector.y), z: Float(vector.z))
      }
      acceleration.append(sample(force), measured: time, arrived: time)
      userAcceleration.append(sample(user), measured: time, arrived: time)
      rotationRate.append(sample(rotation), measured: time, arrived: time)
    }
  }

  func measure(
    _ model: MotionModel, duration: Double, random: inout SeededGenerator
  ) -> Output {
    var timing = random.split()
    var noise = random.split()
    var fusion = Fusion(phone: phone, interval: 1 / rate, random: random.split())
    var output = Output()
    var index = 0
    while true {
      let time = sampleTime(index, random: &timing)
      let isMissed = index > 0 && timing.chance(phone.missedShare)
      index += 1
      if time > duration { break }
      let exact = average(of: model, around: time)
      let error = phone.bias + noise.normalVector(standardDeviation: phone.noise)
      let reading = digitized(exact.force + error)
      let gravity = fusion.gravity(truth: exact.gravity, motion: exact.user)
      let turning =
        exact.rotation + phone.rotationBias
        + noise.normalVector(standardDeviation: phone.rotationNoise)
      if isMissed { continue }
      output.append(
        Int64((time * 1e9).rounded()), force: reading,
        user: (reading - gravity).rounded(to: InertialSensor.fineStep),
        rotation: turning.rounded(to: InertialSensor.fineStep).limited(to: Phone.rotationRail))
    }
    return output
  }

  /// Returns the time of a sample: the first is the origin of time, the others have jitter.
  private func sampleTime(_ index: Int, random: inout SeededGenerator) -> Double {
    let jitter = random.normal(standardDeviation: phone.jitter)
    guard index > 0 else { return 0 }
    let limit = Phone.largestJitter
    return Double(index) / (rate * phone.rateFactor) + min(max(jitter, -limit), limit)
  }

  /// Returns the means over the window.
  private func average(
    of model: MotionModel, around time: Double
  ) -> (force: Vector, gravity: Vector, user: Vector, rotation: Vector) {
    let count = InertialSensor.pointsPerWindow
    let width = InertialSensor.window / rate
    let up = Vector(x: 0, y: standardGravity, z: 0)
    var gravity = Vector.zero
    var user = Vector.zero
    var attitudes: [Attitude] = []
    for point in 0..<count {
      let offset = (Double(point) + 0.5) / Double(count) - 0.5
      let instant = time + offset * width
      let attitude = model.attitude(at: instant)
      attitudes.append(attitude)
      gravity += attitude.toDevice(up)
      user += attitude.toDevice(model.bodyAcceleration(at: instant))
    }
    let share = 1 / Double(count)
    let turned = attitudes[0].rotation(to: attitudes[count - 1])
    return (
      (gravity + user) * share, gravity * share, user * share,
      turned * (1 / (width * (1 - share)))
    )
  }

  /// The accelerometer's converter has 16 bits over its whole range.
  private func digitized(_ vector: Vector) -> Vector {
    let step = phone.rail / 32768
    return (vector / step).rounded(.toNearestOrAwayFromZero)
      .clamped(lowerBound: Vector(repeating: -32768), upperBound: Vector(repeating: 32767)) * step
  }
}

/// The phone's estimate of the direction of gravity: its error is a small angle that decays and
/// grows with every violent movement.
private struct Fusion {
  /// The decay time of a disturbance in s.
  private static let forgetting = 3.0
  private let memory: Double
  private let restingStep: Double
  private let growthPerSample: Double
  private var random: SeededGenerator
  private var error: Vector

  init(phone: Phone, interval: Double, random: SeededGenerator) {
    self.random = random
    memory = Math.exp(-interval / Fusion.forgetting)
    restingStep = phone.restingTilt * (1 - memory * memory).squareRoot()
    growthPerSample = phone.tiltGrowth * interval
    error = self.random.normalVector(standardDeviation: phone.restingTilt)
  }

  mutating func gravity(truth: Vector, motion: Vector) -> Vector {
    let spread = restingStep + growthPerSample * motion.magnitude
    error = error * memory + random.normalVector(standardDeviation: spread)
    return Attitude(smallRotation: error).toBody(truth)
  }
}
