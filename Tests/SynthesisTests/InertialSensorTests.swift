import TestSupport
import Testing
import TraceModel

@testable import Synthesis

@Suite struct InertialSensorTests {
  private func still(_ attitude: Attitude, seconds: Double) -> MotionModel {
    var random = SeededGenerator(seed: 1)
    let tremor = Tremor(duration: seconds, levels: [], random: &random)
    let turn = MotionModel.Turn(start: 0, duration: 1, from: attitude, to: attitude)
    return MotionModel(duration: seconds, pulses: [], turns: [turn], tremor: tremor)
  }

  /// One short stop in the middle, far beyond every rail.
  private func struck(seconds: Double) -> MotionModel {
    var random = SeededGenerator(seed: 1)
    let tremor = Tremor(duration: seconds, levels: [], random: &random)
    let pulse = Pulse(
      shape: .stop, start: seconds / 2, duration: 0.03, amount: Vector(x: 20, y: -20, z: 20))
    return MotionModel(duration: seconds, pulses: [pulse], turns: [], tremor: tremor)
  }

  @Test(arguments: 1...6)
  func atRestItFeelsGravityAlone(_ number: Int) throws {
    let phone = Subject(number: number).phone
    var random = SeededGenerator(seed: UInt64(number))
    let model = still(Attitude(pitch: -.pi / 2), seconds: 30)
    let output = InertialSensor(phone: phone, rate: 100)
      .measure(model, duration: 30, random: &random)
    let count = Double(output.acceleration.count)
    let mean = output.acceleration.z.reduce(0.0) { $0 + Double($1) } / count
    // The mean differs from gravity by the bias, which was drawn with 0.04 m/s2.
    #expect((mean - standardGravity - phone.bias.z).magnitude < 0.005)
    let farthest = output.acceleration.range.map {
      (Double(output.acceleration[$0].magnitude) - standardGravity).magnitude
    }.max()
    #expect(try #require(farthest) < 0.35)
    // The fusion's tilt of half a degree leaves some gravity in: 0.0087 rad x g, five times over.
    let residue = output.userAcceleration.range.map { output.userAcceleration[$0].magnitude }.max()
    #expect(Double(try #require(residue)) < 0.9)
  }

  /// The readings of the gyroscope add up to the turn, about the axis in the device's frame.
  @Test(arguments: [25.0, 100, 400])
  func rotationRatesAddUpToTheTurn(_ rate: Double) {
    let phone = Subject(number: 1).phone
    var random = SeededGenerator(seed: 3)
    let tremor = Tremor(duration: 3, levels: [], random: &random)
    let start = Attitude(pitch: 0.4, yaw: 0.2)
    let angle = 1.9
    let end = start * Attitude(axis: Vector(x: 0, y: 0.6, z: 0.8), angle: angle)
    let turn = MotionModel.Turn(start: 1, duration: 0.5, from: start, to: end)
    let model = MotionModel(duration: 3, pulses: [], turns: [turn], tremor: tremor)
    let output = InertialSensor(phone: phone, rate: rate)
      .measure(model, duration: 3, random: &random)
    let rates = output.rotationRate
    func sum(_ axis: [Float], _ bias: Double) -> Double {
      axis.reduce(0.0) { $0 + Double($1) - bias } / (rate * phone.rateFactor)
    }
    #expect(sum(rates.x, phone.rotationBias.x).magnitude < 0.02)
    #expect((sum(rates.y, phone.rotationBias.y) - 0.6 * angle).magnitude < 0.03)
    #expect((sum(rates.z, phone.rotationBias.z) - 0.8 * angle).magnitude < 0.03)
    #expect(rates.times.measured == output.acceleration.times.measured)
  }

  @Test(.longer, arguments: LongTests.everyOther([1, 2, 3, 4, 5, 6]))
  func violentMotionDisturbsTheFusion(_ number: Int) {
    let phone = Subject(number: number).phone
    func residue(_ model: MotionModel) -> Double {
      var sum = 0.0
      for seed in 0..<LongTests.count(quick: 10, long: 20) as Range<UInt64> {
        var random = SeededGenerator(seed: seed)
        let output = InertialSensor(phone: phone, rate: 100)
          .measure(model, duration: 6, random: &random)
        for position in output.userAcceleration.range
        where (3.1...3.6).contains(output.userAcceleration.measured(at: position).seconds) {
          sum += Double(output.userAcceleration[position].squaredMagnitude)
        }
      }
      return sum
    }
    let upright = still(.identity, seconds: 6)
    #expect(residue(struck(seconds: 6)) > 1.5 * residue(upright))
  }

  /// A 10 ms half sine sampled at 100 Hz through the window: the highest sample shows 0.6046 of the
  /// peak on average over all phases. NumPy 2.4:
  /// ```
  /// def avg(c):
  ///   t = np.linspace(c - .25, c + .25, 2001)
  ///   return np.where((t > 0) & (t < 1), np.sin(np.pi * t), 0).mean()
  /// np.mean([max(avg(p), avg(p - 1), avg(p + 1)) for p in np.linspace(0, 1, 2001)])
  /// ```
  @Test(.longer) func shortPeaksAreCaughtInPart() {
    let phone = Subject(number: 2).phone
    var sum = 0.0
    let count = LongTests.count(quick: 100, long: 400)
    for index in 0..<count {
      var random = SeededGenerator(seed: UInt64(index))
      let start = 0.5 + random.unit() * 0.01
      let tremor = Tremor(duration: 1, levels: [], random: &random)
      // Takes 0.6 m/s in 10 ms: the peak is pi/2 * 60 = 94.25 m/s2, below the rail of 16 g.
      let pulse = Pulse(
        shape: .stop, start: start, duration: 0.01, amount: Vector(x: 0.6, y: 0, z: 0))
      let model = MotionModel(duration: 1, pulses: [pulse], turns: [], tremor: tremor)
      let output = InertialSensor(phone: phone, rate: 100)
        .measure(model, duration: 1, random: &random)
      sum += Double(output.acceleration.x.max() ?? 0) / 94.24777960769379
    }
    #expect((sum / Double(count) - 0.6046).magnitude < 0.03)
  }
}
