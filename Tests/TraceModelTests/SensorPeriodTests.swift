import Testing
import TraceModel

@Suite struct SensorPeriodTests {
  private static let ms: Int64 = 1_000_000

  private func even(_ count: Int, every period: Int64 = 20 * ms, from start: Int64 = 0) -> [Int64] {
    (0..<Int64(count)).map { start + $0 * period }
  }

  private func silences(_ times: [Int64], to end: Int64) -> [ClosedRange<Int64>] {
    SensorPeriod(times[...]).silences(in: times[...], from: 0, to: end)
  }

  @Test func aSteadySensorHasNoSilence() {
    let times = even(500)
    let period = SensorPeriod(times[...])
    #expect(period.median == 20 * Self.ms)
    #expect(silences(times, to: 10_000 * Self.ms) == [])
  }

  /// Up to three periods are no silence; one that is longer begins a period after its last reading.
  @Test(arguments: [(60, false), (61, true), (10_000, true)])
  func aGap(milliseconds: Int64, isSilent: Bool) {
    let first = even(100)
    let last = 99 * 20 * Self.ms
    let times = first + even(100, from: last + milliseconds * Self.ms)
    let expected = [last + 20 * Self.ms...last + milliseconds * Self.ms]
    #expect(silences(times, to: times[199]) == (isSilent ? expected : []))
  }

  @Test func theEndsOfARecording() {
    let times = even(100, from: 1000 * Self.ms)
    #expect(
      silences(times, to: 5000 * Self.ms) == [0...1000 * Self.ms, 3000 * Self.ms...5000 * Self.ms])
    // Readings outside of the recording are not part of it.
    #expect(silences(times, to: 500 * Self.ms) == [0...500 * Self.ms])
    #expect(silences(even(100, from: -500 * Self.ms), to: 1000 * Self.ms) == [])
  }

  /// Without two readings there is no period, and so no recorded time.
  @Test(arguments: [[], [5], [5, 5, 5]] as [[Int64]])
  func tooFewReadings(times: [Int64]) {
    #expect(SensorPeriod(times[...]).median == nil)
    #expect(silences(times, to: 100) == [0...100])
  }

  /// Readings of one batch are of one instant, whether their times are equal or nearly so, and however
  /// many they are.
  @Test(arguments: [(5, 0), (5, 40_000), (50, 40_000), (400, 40_000)])
  func batches(size: Int, apart: Int64) {
    let times = (0..<Int64(4000)).map { index in
      let (batch, place) = index.quotientAndRemainder(dividingBy: Int64(size))
      return batch * Int64(size) * 10 * Self.ms + place * apart
    }
    let period = SensorPeriod(times[...])
    let whole = Int64(size) * 10 * Self.ms
    #expect(period.median.map { abs($0 - whole) <= Int64(size) * apart } ?? false)
    #expect(silences(times, to: 40_000 * Self.ms) == [])
  }

  /// A pause of the sensor changes no period, also where the pauses are most of the time.
  @Test(arguments: [1, 5, 20])
  func pauses(count: Int) {
    var times: [Int64] = []
    for part in 0...count { times += even(500, from: Int64(part) * 100_000 * Self.ms) }
    let period = SensorPeriod(times[...])
    #expect(period.median == 20 * Self.ms && period.together == 2 * Self.ms)
    #expect(silences(times, to: times.last! + 20 * Self.ms).count == count)
  }

  /// The median is that of the sorted intervals, whatever their size.
  @Test(arguments: 0..<200 as Range<UInt64>)
  func theMedian(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let bits = Int.random(in: 1...58, using: &generator)
    var times: [Int64] = [0]
    for _ in 0..<Int.random(in: 1...40, using: &generator) {
      times.append(times.last!.addingClamped(Int64.random(in: 1...1 << bits, using: &generator)))
    }
    let period = SensorPeriod(times[...])
    let intervals = zip(times.dropFirst(), times).map { $0.0.subtractingClamped($0.1) }
      .filter { $0 > period.together }.sorted()
    let expected = intervals.isEmpty ? nil : intervals[(intervals.count - 1) / 2]
    #expect(period.median == expected, "seed \(seed)")
  }

  @Test func extremeTimes() {
    let times: [Int64] = [.min, -1, 0, 1, .max]
    #expect(SensorPeriod(times[...]).silences(in: times[...], from: 0, to: .max).count < 3)
  }
}
