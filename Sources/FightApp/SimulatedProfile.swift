import AppEngines
import TraceModel

extension Profile {
  /// Makes up the stats of a person whom a trace names, the same in every order of the traces: height by
  /// gender (normal, 64.5 and 69.5 inches, ± 2.8), weight by height and build, reach about the height, a
  /// GPA about 3.0, jail time and tattoos mostly none.
  init(simulating person: String, seed: UInt64) {
    self.init(alias: "sim")
    var random = SeededGenerator(seed: StableHash(seed: seed).with(person).value)
    let isMale = random.unit() >= 0.5
    let build = BodyType.allCases[Int(random.unit() * 5)]
    let tall = random.normal(mean: isMale ? 69.5 : 64.5, standardDeviation: 2.8)
    // Weight over the square of the height, kg m-2, times 703 in pounds and inches.
    let mass: [BodyType: Double] = [
      .slim: 19.5, .average: 24, .heavy: 31, .athletic: 23.5, .muscular: 26.5,
    ]
    let heavy = (mass[build] ?? 24) * random.uniform(0.93...1.07) * tall * tall / 703
    gender = isMale ? .male : .female
    bodyType = build
    height = Self.whole(tall, in: Profile.heights)
    weight = Self.whole(heavy, in: Profile.weights)
    reach = Self.whole(tall + random.normal(standardDeviation: 1.8), in: Profile.reaches)
    gpa = Self.whole(random.normal(mean: 300, standardDeviation: 60), in: Profile.gradePoints)
    let hasBeenInside = random.unit() < 0.25
    let months = -12 * Math.log(1 - random.unit())
    jailTime = hasBeenInside ? Self.whole(months, in: Profile.jailTimes) : 0
    let isTattooed = random.unit() < 0.4
    let count = 1 - 3 * Math.log(1 - random.unit())
    tattoos = isTattooed ? Self.whole(count, in: Profile.tattooCounts) : 0
  }

  private static func whole(_ value: Double, in range: ClosedRange<Int>) -> Int {
    Int(min(max(value.rounded(), Double(range.lowerBound)), Double(range.upperBound)))
  }
}
