import Testing
import TraceModel

@testable import Synthesis

@Suite struct PulseTests {
  /// Velocity and displacement after a pulse, by the trapezoid rule over a fine grid.
  private func outcome(of pulse: Pulse) -> (velocity: Double, displacement: Double) {
    let count = 200_000
    let step = pulse.duration / Double(count)
    var velocity = 0.0
    var displacement = 0.0
    for index in 0..<count {
      let acceleration = pulse.acceleration(at: pulse.start + (Double(index) + 0.5) * step).x
      displacement += (velocity + acceleration * step / 2) * step
      velocity += acceleration * step
    }
    return (velocity, displacement)
  }

  @Test(arguments: [0.01, 0.2, 1.5])
  func theAmountIsTheEffectOfThePulse(_ duration: Double) {
    func pulse(_ shape: Pulse.Shape) -> Pulse {
      Pulse(shape: shape, start: 3, duration: duration, amount: Vector(x: 7, y: 0, z: 0))
    }
    #expect((outcome(of: pulse(.ramp)).velocity - 7).magnitude < 1e-6)
    #expect((outcome(of: pulse(.stop)).velocity - 7).magnitude < 1e-6)
    let reach = outcome(of: pulse(.reach))
    #expect(reach.velocity.magnitude < 1e-6 / duration)
    #expect((reach.displacement - 7).magnitude < 1e-6)
  }

  @Test func peaksAreThoseOfTheFormulas() {
    let stop = Pulse(
      shape: .stop, start: 0, duration: 0.02, amount: Vector(x: 8, y: 0, z: 0))
    // A half sine of 20 ms that takes 8 m/s: pi/2 * 8 / 0.02.
    #expect((stop.acceleration(at: 0.01).x - 628.3185307179587).magnitude < 1e-9)
    let ramp = Pulse(shape: .ramp, start: 0, duration: 0.2, amount: Vector(x: 6, y: 0, z: 0))
    // 15/8 of the mean acceleration (Flash and Hogan).
    #expect((ramp.acceleration(at: 0.1).x - 56.25).magnitude < 1e-9)
  }

  /// An arc against its geometry: the hand rests at both ends, and the chord is that of the circle,
  /// whatever the skew.
  @Test(arguments: [-0.6, 0, 0.4])
  func anArcGoesRoundItsCentre(_ skew: Double) {
    let (radius, angle) = (0.3, 2.2)
    let pulse = Pulse(
      shape: .arc(centre: Vector(x: 0, y: radius, z: 0), angle: angle, skew: skew), start: 1,
      duration: 0.3, amount: Vector(x: radius, y: 0, z: 0))
    let count = 200_000
    let step = pulse.duration / Double(count)
    var (velocity, place) = (Vector.zero, Vector.zero)
    var (longest, fastest) = (0.0, 0.0)
    for index in 0..<count {
      let acceleration = pulse.acceleration(at: 1 + (Double(index) + 0.5) * step)
      place += (velocity + acceleration * (step / 2)) * step
      velocity += acceleration * step
      // Every place is on the circle.
      longest = max(longest, ((place - Vector(x: 0, y: radius, z: 0)).magnitude - radius).magnitude)
      fastest = max(fastest, velocity.magnitude)
    }
    #expect(velocity.magnitude < 1e-6)
    let chord = Vector(
      x: radius * Math.sin(angle), y: radius * (1 - Math.cos(angle)), z: 0)
    #expect((place - chord).magnitude < 1e-6)
    #expect(longest < 1e-6)
    if skew == 0 {
      // 15/8 of the mean speed (Flash and Hogan).
      #expect((fastest - 1.875 * radius * angle / 0.3).magnitude < 1e-4)
    }
  }

  @Test func nothingHappensOutside() {
    let pulse = Pulse(
      shape: .ring(frequency: 30, decay: 0.02), start: 1, duration: 7 * 0.02,
      amount: Vector(x: 1, y: 2, z: 3))
    #expect(pulse.acceleration(at: 1) == .zero)
    #expect(pulse.acceleration(at: pulse.end) == .zero)
    #expect(pulse.acceleration(at: pulse.end - 1e-6).magnitude < 0.004)
  }
}

@Suite struct AttitudeTests {
  @Test(arguments: [1, 2, 3] as [UInt64])
  func turnsThereAndBack(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let attitude = Attitude(axis: random.direction(), angle: random.uniform(-3...3))
    let vector = random.normalVector(standardDeviation: 5)
    let back = attitude.toDevice(attitude.toBody(vector))
    #expect((back - vector).magnitude < 1e-13, "seed \(seed)")
    #expect((attitude.toBody(vector).magnitude - vector.magnitude).magnitude < 1e-13)
  }

  @Test func axesAreRightHanded() {
    let up = Vector(x: 0, y: 1, z: 0)
    // Tipped back by a quarter turn, a phone lies flat: its screen looks up.
    let flat = Attitude(pitch: -.pi / 2)
    #expect((flat.toDevice(up) - Vector(x: 0, y: 0, z: 1)).magnitude < 1e-15)
    // Rolled by a quarter turn, its right edge points up.
    let rolled = Attitude(pitch: 0, roll: .pi / 2)
    #expect((rolled.toDevice(up) - Vector(x: 1, y: 0, z: 0)).magnitude < 1e-15)
  }

  /// The rotation from one attitude to another, applied in the device's frame, gives the other.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func rotationLeadsToTheOther(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let start = Attitude(axis: random.direction(), angle: random.uniform(-3...3))
    let axis = random.direction()
    let angle = random.uniform(0.001...3.1)
    let end = start * Attitude(axis: axis, angle: angle)
    #expect((start.rotation(to: end) - axis * angle).magnitude < 1e-9, "seed \(seed)")
    #expect((end.rotation(to: start) + axis * angle).magnitude < 1e-9, "seed \(seed)")
    #expect(start.rotation(to: start) == .zero)
  }

  @Test func goesTheShortWay() {
    let start = Attitude(pitch: 0.2)
    let end = Attitude(pitch: 0.2 + 2 * .pi - 0.4)
    let middle = Attitude.between(start, end, fraction: 0.5)
    let expected = Attitude(pitch: 0)
    let probe = Vector(x: 0.3, y: 0.4, z: 0.5)
    #expect((middle.toBody(probe) - expected.toBody(probe)).magnitude < 1e-12)
  }
}
