import Testing
import TraceModel

@testable import Detectors

@Suite struct DeadlineQueueTests {
  /// Against a dictionary that is searched through.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func theFirstIsTheEarliestAndThenTheLowest(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var queue = DeadlineQueue()
    var model: [Int: TraceInstant] = [:]
    for _ in 0..<2000 {
      if random.unit() < 0.7 {
        let id = Int(random.unit() * 60)
        let time = TraceInstant(nanoseconds: Int64(random.unit() * 40))
        queue.set(id, to: time)
        model[id] = time
      } else {
        let first = model.min { ($0.value, $0.key) < ($1.value, $1.key) }
        let removed = queue.removeFirst()
        #expect(removed?.id == first?.key && removed?.time == first?.value, "seed \(seed)")
        if let first { model[first.key] = nil }
      }
      let first = model.min { ($0.value, $0.key) < ($1.value, $1.key) }
      #expect(queue.first?.id == first?.key && queue.first?.time == first?.value, "seed \(seed)")
      #expect(queue.entries.count == model.count)
    }
    #expect((0..<60).allSatisfy { queue.time(of: $0) == model[$0] }, "seed \(seed)")
  }

  @Test func whatIsNotDueHasNoTime() {
    var queue = DeadlineQueue()
    #expect(queue.first == nil && queue.removeFirst() == nil && queue.time(of: 3) == nil)
    queue.set(3, to: .zero)
    #expect(queue.time(of: 3) == .zero && queue.time(of: 2) == nil && queue.time(of: -1) == nil)
  }
}
