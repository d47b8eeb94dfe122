import TestSupport
import Testing
import TraceModel

@testable import Scoring

/// Detectors that know nothing of the events, and fire where a sensor has its samples.
@Suite struct GridDetectorTests {
  /// The clock of the simulated recordings, and what is known of it.
  enum Clock: CaseIterable {
    case tenMilliseconds, twenty, fifty, hundred
    /// Frames of 1/30 s, written in whole milliseconds.
    case frames
    /// One time in fifty is not on the grid of 50 ms.
    case outliers
    /// Samples of 49.7 ms with a jitter of 0.2 ms, as recorded.
    case jitter
    /// A detector with a decision every 100 ms, on samples of 20 ms.
    case decisions

    var step: Double {
      switch self {
      case .tenMilliseconds: 0.01
      case .twenty: 0.02
      case .fifty, .outliers: 0.05
      case .hundred, .decisions: 0.1
      case .frames: 1.0 / 30
      case .jitter: 0.0497
      }
    }
  }

  /// A level of 5 % is kept if of 4 runs at most 2 are above chance, and of 400 at most 35: 99.9 % of
  /// series have fewer.
  @Test(.longer, arguments: Clock.allCases, [100, 150])
  func blindDetectorsOnAGridAreNotAboveChance(clock: Clock, tolerance: Int) throws {
    let (runs, most) = LongTests.areWanted ? (400, 35) : (4, 2)
    var (above, hits, atChance) = (0, 0.0, 0.0)
    for seed in 0..<runs {
      let level = try #require(self.level(clock, tolerance: tolerance, seed: UInt64(seed)))
      if level.verdict == .above { above += 1 }
      hits += Double(level.hits) / Double(level.references) / Double(runs)
      atChance += (level.recall ?? .nan) / Double(runs)
    }
    #expect(above <= most, "\(above) of \(runs)")
    #expect(
      abs(hits - atChance) < 0.3 / Double(runs).squareRoot(),
      "recall \(hits), at chance \(atChance)")
    print("chance on a grid: \(clock), \(tolerance) ms: \(above) of \(runs) above chance")
  }

  /// A detector with a rhythm of its own in each recording, on a grid: its times have two distances.
  @Test(.longer, arguments: [Clock.twenty, .fifty, .hundred], [100, 150])
  func rhythmsOnAGridAreNotAboveChance(clock: Clock, tolerance: Int) throws {
    let (runs, most) = LongTests.areWanted ? (400, 35) : (4, 2)
    let above = try (0..<runs).count { seed in
      try #require(level(clock, tolerance: tolerance, seed: UInt64(seed), hasRhythm: true)).verdict
        == .above
    }
    #expect(above <= most, "\(above) of \(runs)")
    print("rhythm on a grid: \(clock), \(tolerance) ms: \(above) of \(runs) above chance")
  }

  private func level(
    _ clock: Clock, tolerance: Int, seed: UInt64, hasRhythm: Bool = false
  ) -> ChanceLevel? {
    var generator = SeededGenerator(seed: seed)
    return ChanceLevel(
      (0..<5).map { _ in
        let samples = samples(clock, &generator)
        let every = clock == .decisions ? 5 : 1
        func drawn(_ mean: Double, _ least: Double) -> [Int64] {
          var (times, next): ([Int64], Double) = ([], generator.uniform(0...mean))
          for (index, time) in samples.enumerated() where index % every == 0 {
            guard Double(time) / 1e9 >= next else { continue }
            times.append(time)
            next = Double(time) / 1e9 + least + (mean - least) * generator.uniform(0...2)
          }
          return times
        }
        let references = drawn(1.2, 0.5)
        let period = generator.uniform(0.6...0.9)
        let found =
          hasRhythm
          ? stride(from: period, to: 120, by: period).map {
            Int64(($0 / clock.step).rounded() * clock.step * 1000) * 1_000_000
          } : drawn(1, 0.3)
        return ShiftedHits(
          references: references.map { ReferenceEvent(onset: TraceInstant(nanoseconds: $0)) },
          detections: outliers(clock, found, &generator).map(TraceInstant.init(nanoseconds:)),
          tolerance: EventTolerance(either: .milliseconds(tolerance)), movement: nil,
          duration: .seconds(120), grid: clock == .jitter ? SamplingGrid(samples: samples) : nil,
          shifts: 200, seed: generator.next())
      })
  }

  private func samples(_ clock: Clock, _ generator: inout SeededGenerator) -> [Int64] {
    let step = clock == .decisions ? 0.02 : clock.step
    return (0..<Int(120 / step)).map { index in
      let time = Double(index) * step
      return switch clock {
      case .frames: Int64((time * 1000).rounded()) * 1_000_000
      case .jitter:
        Int64(((time + generator.normal(standardDeviation: 0.0002)) * 1e9).rounded())
      default: Int64((time * 1e9).rounded())
      }
    }
  }

  private func outliers(
    _ clock: Clock, _ times: [Int64], _ generator: inout SeededGenerator
  ) -> [Int64] {
    guard clock == .outliers else { return times }
    return times.map { generator.unit() < 0.02 ? $0 + 12_345_678 : $0 }
  }

  @Test func theStepOfTimes() {
    func step(_ times: [Int64]) -> Int64 { SamplingGrid.commonStep([times]) }
    let millisecond: Int64 = 1_000_000
    var generator = SeededGenerator(seed: 7)
    let counts = (0..<200).map { _ in Int64(generator.uniform(0...4000)) }
    for period in [10, 20, 50, 100, 40, 125] as [Int64] {
      #expect(step(counts.map { $0 * period * millisecond }) == period * millisecond)
    }
    // Three frames of 1/30 s are 100 ms; 16 periods of 128 Hz are 125 ms.
    let frames = counts.map { Int64((Double($0) * 1000 / 30).rounded()) * millisecond }
    #expect(step(frames) == 100 * millisecond)
    let samples = counts.map { Int64((Double($0) * 1000 / 128).rounded()) * millisecond }
    #expect(step(samples) == 125 * millisecond)
    // 51.2 Hz, exact.
    #expect(step(counts.map { $0 * 19_531_250 }) == 19_531_250)
    // No clock but that of the digits.
    let any = (0..<200).map { _ in Int64(generator.uniform(0...60_000)) * millisecond }
    #expect(step(any) == millisecond)
    #expect(step([]) == 1 && step([5]) == 1)
  }

  @Test func positionsCountSamples() {
    // Duplicates are one sample; beyond the ends the mean period goes on.
    let axis = ShiftAxis(
      SamplingGrid(samples: [100, 110, 110, 140, 150]), detections: [], references: [])
    let one = axis.step
    #expect([100, 110, 140, 150].map(axis.position) == [0, one, 2 * one, 3 * one])
    #expect(axis.position(of: 125) == one + one / 2)
    let before = axis.position(of: 50)
    #expect(before < -2 * one && before > -4 * one)
    #expect(axis.position(of: 200) > 5 * one)
    for time in Int64(90)..<160 {
      #expect(axis.position(of: time) <= axis.position(of: time + 1))
    }
  }
}
