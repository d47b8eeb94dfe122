import TestSupport
import Testing
import TraceModel
import Tuning

@Suite struct ReadingMarksTests {
  /// Acceleration at 50 Hz with noise; values are those of a sensor of 14 bits.
  private func motion(_ seed: UInt64, count: Int = 3000, noise: Double = 0.5) -> [Vector3] {
    var generator = SeededGenerator(seed: seed)
    func value() -> Float {
      let steps = (generator.normal(mean: 0, standardDeviation: noise) / 0.004_788).rounded()
      return Float(steps * 0.004_788)
    }
    return (0..<count).map { _ in Vector3(x: value(), y: value(), z: value()) }
  }

  private func trace(_ values: [Vector3], from start: Int64 = 0) -> Trace {
    var columns = VectorColumns()
    for (index, value) in values.enumerated() {
      let time = start + Int64(index) * 20_000_000
      columns.append(value, measured: time, arrived: time)
    }
    var trace = Trace(header: TraceHeader(id: "t", origin: .recorded))
    trace.set(.vector(columns), for: .acceleration)
    return trace
  }

  private func pairs(_ people: [(String, [Vector3])]) -> [SharedReadings] {
    SharedReadings.pairs(
      people.map { ($0.0, ReadingMarks(of: trace($0.1), channel: .acceleration)) })
  }

  @Test func onePersonUnderFourNames() {
    let values = motion(1)
    let found = pairs(["a", "b", "c", "d"].map { ($0, values) } + [("e", motion(2))])
    #expect(found.map { [$0.first, $0.second] } == [[0, 1], [0, 2], [0, 3]])
    #expect(found.allSatisfy { $0.count > 2900 && $0.firstStart.seconds < 0.5 })
    #expect(pairs([("a", values), ("a", values)]).isEmpty, "one person may have copies")
  }

  /// Forty readings in a row are found wherever they are, and at what times.
  @Test(.longer, arguments: 0..<LongTests.count(quick: 25, long: 2000))
  func overlaps(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: SharedReadings.surelyFound...200, using: &generator)
    let (own, other) = (motion(seed, count: 600), motion(seed + 1_000_000, count: 600))
    let from = Int.random(in: 0...600 - count, using: &generator)
    let to = Int.random(in: 0...600 - count, using: &generator)
    var mixed = other
    mixed.replaceSubrange(to..<to + count, with: own[from..<from + count])
    let found = try #require(pairs([("a", own), ("b", mixed)]).first, "seed \(seed)")
    #expect(found.count <= count && abs(found.firstStart.seconds - Double(from) * 0.02) < 0.5)
    #expect(abs(found.secondStart.seconds - Double(to) * 0.02) < 0.5)
  }

  /// Written with four decimals and read again; half of the values change in their last digits.
  @Test func anotherFormat() {
    let values = motion(3)
    let written = values.map { value in
      func short(_ value: Float) -> Float { Float((Double(value) * 1e4).rounded() / 1e4) }
      return Vector3(x: short(value.x), y: short(value.y), z: short(value.z))
    }
    #expect(values != written)
    #expect(pairs([("a", values), ("b", written)]).count == 1)
  }

  /// What sensors have in common without being copies.
  @Test func differentPeople() {
    let still = [Vector3](repeating: Vector3(x: 0, y: 0, z: 9.8), count: 3000)
    let flickering = (0..<3000).map { Vector3(x: $0 % 2 == 0 ? 0.1 : 0.2, y: 0, z: 9.8) }
    #expect(pairs([("a", still), ("b", still)]).isEmpty)
    #expect(pairs([("a", flickering), ("b", flickering)]).isEmpty)
    #expect(pairs([("a", []), ("b", Array(still.prefix(5)))]).isEmpty)
    // A quiet sensor of low resolution has few values, and by chance many equal ones.
    func coarse(_ seed: UInt64) -> [Vector3] {
      motion(seed, count: 10_000, noise: 0.02).map { value in
        func step(_ value: Float) -> Float { (value / 0.04).rounded() * 0.04 }
        return Vector3(x: step(value.x), y: step(value.y), z: step(value.z))
      }
    }
    #expect(pairs((0..<4).map { ("\($0)", coarse(UInt64($0))) }).isEmpty)
  }

  /// Invalid and huge values have a place too.
  @Test func extremeValues() {
    let odd: [Float] = [.nan, .infinity, -.infinity, .greatestFiniteMagnitude, 0, -0.0]
    var generator = SeededGenerator(seed: 1)
    let values = (0..<200).map { _ in
      func any() -> Float { odd.randomElement(using: &generator) ?? 0 }
      return Vector3(x: any(), y: any(), z: any())
    }
    #expect(pairs([("a", values), ("b", values)]).count == 1)
  }
}
