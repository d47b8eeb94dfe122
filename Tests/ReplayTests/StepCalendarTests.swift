import TestSupport
import Testing
import TraceModel

@testable import Replay

@Suite struct StepCalendarTests {
  /// Takes the first key again and again, and inserts what `next` returns for it, next to a sorted
  /// array as the oracle.
  private func compare(
    _ keys: [StepKey], steps: Int, seed: UInt64, next: (StepKey) -> StepKey?
  ) {
    let calendar = StepCalendar(keys)
    var heap = StepHeap(keys)
    var sorted = keys.sorted(by: >)
    for step in 0..<steps {
      #expect(calendar.first == sorted.last, "seed \(seed), step \(step)")
      #expect(heap.first == sorted.last)
      if sorted.count > 1 { #expect(heap.second == sorted[sorted.count - 2]) }
      guard calendar.first == sorted.last, let first = sorted.popLast() else { return }
      let key = next(first)
      let opens = calendar.replaceFirst(by: key)
      if opens, let soon = calendar.upcoming.first, let first = calendar.first {
        // One that came late, or is far, may be earlier.
        #expect(first <= soon)
        #expect(zip(calendar.upcoming, calendar.upcoming.dropFirst()).allSatisfy(<))
      }
      heap.replaceFirst(by: key)
      if let key {
        sorted.insert(key, at: sorted.firstIndex { $0 < key } ?? sorted.endIndex)
      }
    }
  }

  private func time(_ random: inout SeededGenerator) -> Int64 {
    switch random.next() % 8 {
    case 0: .min
    case 1: .max
    case 2: 0
    default: Int64(bitPattern: random.next()) >> Int64(random.next() % 64)
    }
  }

  @Test(.longer) func anyTimesComeInTheirOrder() {
    for seed in 0..<LongTests.count(quick: UInt64(60), long: 1000) {
      var random = SeededGenerator(seed: seed)
      let count = Int(random.next() % 80)
      let keys = (0..<count).map { StepKey(time: time(&random), tie: UInt64($0)) }
      compare(keys, steps: 400, seed: seed) { key in
        // The next time may be anywhere, also before this one; a stream may end.
        random.unit() < 0.02 ? nil : StepKey(time: time(&random), tie: key.tie)
      }
    }
  }

  /// As in a fleet: many streams of few periods, with jitter, ties and deadlines at the same instant.
  @Test(.longer) func fleetsComeInTheirOrder() {
    for seed in 0..<LongTests.count(quick: UInt64(10), long: 100) {
      var random = SeededGenerator(seed: 1000 + seed)
      let count = 1 + Int(random.next() % 300)
      let periods: [Int64] = [10_000_000, 1_000_000_000, 1_500_000_000]
      let jitter = [0, 1000, 1_000_000][Int(random.next() % 3)]
      let keys = (0..<count).map {
        StepKey(time: Int64($0) * 10_000_000 / Int64(count), tie: UInt64($0))
      }
      compare(keys, steps: 3000, seed: seed) { key in
        var key = key
        switch random.next() % 100 {
        case 0: key.tie ^= 1 << 63
        case 1: return nil
        case 2...5: key.time += 0
        default:
          key.time += periods[Int(key.tie % 3)] + Int64(random.unit() * Double(jitter))
        }
        return key
      }
    }
  }

  /// The first keys are dense, and come back after a far longer time: the buckets must become wider.
  @Test(arguments: [1, 1000, 10_000_000, 1_000_000_000_000] as [Int64])
  func densityMayChange(period: Int64) {
    var random = SeededGenerator(seed: UInt64(period))
    let keys = (0..<200).map { StepKey(time: Int64($0), tie: UInt64($0)) }
    compare(keys, steps: 5000, seed: UInt64(period)) { key in
      StepKey(time: key.time + period + Int64(random.next() % 3), tie: key.tie)
    }
  }

  @Test func manyAtOneInstantComeByTheirTies() {
    for count in [1, 15, 16, 17, 32, 33, 1000] {
      let keys = (0..<count).map { StepKey(time: 7, tie: UInt64(count - $0)) }
      compare(keys, steps: 4 * count + 1, seed: 0) { key in
        key.time > 60 ? nil : StepKey(time: key.time * 3, tie: key.tie)
      }
    }
  }

  @Test func nothingHasNoFirst() {
    #expect(StepCalendar([]).first == nil)
    let calendar = StepCalendar([StepKey(time: 3, tie: 1)])
    _ = calendar.replaceFirst(by: nil)
    #expect(calendar.first == nil)
  }
}
