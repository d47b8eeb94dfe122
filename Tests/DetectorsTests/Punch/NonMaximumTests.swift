import Detectors
import TestSupport
import Testing
import TraceModel

/// The punch detector with ``PunchSuppression/nonMaximum`` against its definition.
@Suite struct NonMaximumTests {
  private struct Found: Equatable {
    var onset: Int64
    var emitted: Int64
    var magnitude: Double
  }

  private func parameters(
    _ threshold: Double, _ refractory: Double, arming: PunchArming = .always,
    rule: PunchRule = .magnitude
  ) -> PunchParameters {
    PunchParameters(
      threshold: threshold, rule: rule, retrigger: .onceBelowAgain, arming: arming,
      suppression: .nonMaximum, peakWindow: 0, refractory: refractory)
  }

  private func run(
    _ parameters: PunchParameters, _ columns: VectorColumns, blocks size: Int,
    end: Int64 = 1_000_000_000_000
  ) -> [Found] {
    var detector = PunchDetector(parameters)
    var found: [Detection<PunchEvent>] = []
    var start = columns.range.lowerBound
    while start < columns.range.upperBound {
      let next = min(start + size, columns.range.upperBound)
      detector.ingest(contentsOf: columns, in: start..<next, into: &found)
      start = next
    }
    detector.finish(at: TraceInstant(nanoseconds: end), into: &found)
    return found.map {
      Found(
        onset: $0.onset.nanoseconds, emitted: $0.emitted.nanoseconds,
        magnitude: $0.event.magnitude)
    }
  }

  /// Compares every sample with every other.
  private func definition(
    _ parameters: PunchParameters, _ columns: VectorColumns, end: Int64 = 1_000_000_000_000
  ) -> [Found] {
    let limit = Float(parameters.threshold) * Float(parameters.threshold)
    let window = Int64((parameters.refractory * 1e9).rounded())
    let heights = columns.range.map { columns[$0].squaredMagnitude }
    let times = columns.measuredTimes
    return columns.range.compactMap { index in
      guard heights[index] > limit else { return nil }
      for other in columns.range
      where other != index && abs(times[other] - times[index]) <= window {
        if heights[other] > heights[index] { return nil }
        if heights[other] == heights[index], other < index { return nil }
      }
      let next = columns.range.first { $0 > index && times[$0] - times[index] > window }
      return Found(
        onset: times[index], emitted: next.map { columns.arrived(at: $0).nanoseconds } ?? end,
        magnitude: Double(heights[index]).squareRoot())
    }
  }

  private func randomColumns(_ random: inout SeededGenerator) -> VectorColumns {
    var columns = VectorColumns()
    var time: Int64 = 0
    for _ in 0..<Int.random(in: 0...120, using: &random) {
      time += [0, 10, 10, 10, 50, 400].randomElement(using: &random).map { $0 * 1_000_000 } ?? 0
      // Integers, so that many are equal.
      var x = Float.random(in: -9...9, using: &random).rounded()
      if Int.random(in: 0..<20, using: &random) == 0 { x = .nan }
      columns.append(
        Vector3(x: x, y: Float.random(in: -3...3, using: &random).rounded(), z: 1), measured: time,
        arrived: time)
    }
    return columns
  }

  @Test(.longer, arguments: 0..<LongTests.count(quick: 80, long: 300))
  func agreesWithItsDefinition(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let columns = randomColumns(&random)
    for refractory in [0, 0.01, 0.05, 0.3, 1e9] {
      for threshold in [0, 2, 5.5, 9] {
        let parameters = parameters(threshold, refractory)
        let expected = definition(parameters, columns)
        for size in [1, 2, 33, 200] {
          #expect(
            run(parameters, columns, blocks: size) == expected,
            "seed \(seed), \(parameters), blocks of \(size)")
        }
      }
    }
  }

  /// What is found at a threshold is what is found at a lower one, without what does not reach it.
  @Test(.longer, arguments: 0..<LongTests.count(quick: 30, long: 100)) func thresholdsNest(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: 5000 + seed)
    let columns = randomColumns(&random)
    let all = run(parameters(0, 0.05), columns, blocks: 50)
    for threshold in 1...9 {
      #expect(
        run(parameters(Double(threshold), 0.05), columns, blocks: 7)
          == all.filter { $0.magnitude > Double(threshold) }, "seed \(seed)")
    }
  }

  /// Each hold is separate: a higher sample of another hold suppresses nothing, and a release
  /// reports what is open.
  @Test func holds() {
    var detector = PunchDetector(parameters(10, 1, arming: .actions))
    var found: [Detection<PunchEvent>] = []
    func instant(_ milliseconds: Int64) -> TraceInstant {
      TraceInstant(nanoseconds: milliseconds * 1_000_000)
    }
    func sample(_ x: Float, at milliseconds: Int64) {
      let time = instant(milliseconds)
      detector.ingest(Vector3(x: x, y: 0, z: 0), measured: time, arrived: time, into: &found)
    }
    sample(99, at: 0)
    detector.handle(.arm, at: instant(10), into: &found)
    sample(50, at: 20)
    sample(40, at: 30)
    detector.handle(.disarm, at: instant(40), into: &found)
    sample(99, at: 50)
    detector.handle(.arm, at: instant(60), into: &found)
    sample(20, at: 70)
    sample(5, at: 2000)
    #expect(found.map(\.onset) == [instant(20), instant(70)])
    #expect(found.map(\.emitted) == [instant(40), instant(2000)])
  }

  /// Neither odd parameters nor times at the ends of their range, backwards too, trap; and blocks
  /// of any size agree.
  @Test(.longer, arguments: 0..<LongTests.count(quick: UInt64(8), long: 20))
  func anyParametersAndTimes(seed: UInt64) {
    var random = SeededGenerator(seed: 9000 + seed)
    let edges: [Int64] = [.min, .min + 1, -250_000_000, -1, 0, 1, 250_000_000, .max - 1, .max]
    let times = (0..<150).map { _ in edges[Int(random.unit() * Double(edges.count))] }
    func axis() -> [Float] { times.map { _ in Float(60 * (random.unit() - 0.5)) } }
    let columns = VectorColumns(
      times: TimeColumns(measured: times), x: axis(), y: axis(), z: axis())
    for threshold in [30, 0, -5, .nan, .infinity] {
      for refractory in [0, 1e-9, 0.25, 0.5, 9.2e9, 1e11] {
        for rule in PunchRule.allCases {
          let parameters = parameters(threshold, refractory, rule: rule)
          let single = run(parameters, columns, blocks: 1)
          for size in [2, 33, 150] {
            #expect(run(parameters, columns, blocks: size) == single, "seed \(seed), \(parameters)")
          }
        }
      }
    }
  }
}
