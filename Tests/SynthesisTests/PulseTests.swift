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
  func amountIsWhatThePulseBringsAbout(_ duration: Double) {
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

  @Test func nothingHappensOutside() {
    let pulse = Pulse.ring(
      at: 1, amplitude: Vector(x: 1, y: 2, z: 3), frequency: 30, decay: 0.02)
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

  @Test func goesTheShortWay() {
    let start = Attitude(pitch: 0.2)
    let end = Attitude(pitch: 0.2 + 2 * .pi - 0.4)
    let middle = Attitude.between(start, end, fraction: 0.5)
    let expected = Attitude(pitch: 0)
    let probe = Vector(x: 0.3, y: 0.4, z: 0.5)
    #expect((middle.toBody(probe) - expected.toBody(probe)).magnitude < 1e-12)
  }
}
