/// The newest intervals between a peer's heartbeats, with what is asked of their distribution.
struct IntervalWindow: Sendable, Equatable {
  /// The end of the distribution: what lies beyond `start`.
  struct Tail: Equatable {
    /// Nanoseconds; the largest interval that is not in the tail.
    var start: Int64
    /// The share of the intervals that are in the tail.
    var share: Double
    /// Nanoseconds; how far they lie beyond the start on average.
    var meanExcess: Double
  }

  /// Nanoseconds, in the order in which they came, from `oldest` on and round.
  private var ring: [Int64] = []
  private var oldest = 0
  private(set) var sorted: [Int64] = []
  private let capacity: Int

  /// - Parameter capacity: intervals that are kept, at least one.
  init(capacity: Int) {
    self.capacity = max(capacity, 1)
  }

  var count: Int { sorted.count }
  var isEmpty: Bool { sorted.isEmpty }

  /// Takes an interval in nanoseconds and forgets the oldest one, if there are more than fit.
  /// O(capacity), which is a move of a few kilobytes.
  mutating func add(_ interval: Int64) {
    if ring.count < capacity {
      ring.append(interval)
    } else {
      let forgotten = position(of: ring[oldest])
      sorted.remove(at: forgotten)
      ring[oldest] = interval
      oldest = (oldest + 1) % capacity
    }
    sorted.insert(interval, at: position(of: interval))
  }

  /// Nanoseconds; nil without an interval.
  var mean: Double? {
    isEmpty ? nil : sorted.reduce(0) { $0 + Double($1) } / Double(count)
  }

  /// Nanoseconds; of the sample, with n - 1. nil with fewer than two intervals.
  var standardDeviation: Double? {
    guard let mean, count > 1 else { return nil }
    let squares = sorted.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
    return (squares / Double(count - 1)).squareRoot()
  }

  /// The tail that holds `share` of the intervals, and one at least; nil without an interval.
  func tail(share: Double) -> Tail? {
    guard !isEmpty else { return nil }
    let size = min(max(Int(exactly: (share * Double(count)).rounded(.up)) ?? 1, 1), count)
    let start = sorted[max(count - size - 1, 0)]
    let excess = sorted[(count - size)...].reduce(0) { $0 + Double($1 - start) }
    return Tail(
      start: start, share: Double(size) / Double(count), meanExcess: excess / Double(size))
  }

  /// How many intervals are longer than `interval`. O(log n).
  func count(longerThan interval: Int64) -> Int {
    count - firstPosition { $0 > interval }
  }

  private func position(of interval: Int64) -> Int { firstPosition { $0 >= interval } }

  /// The first position from which on the condition holds, in a sorted array.
  private func firstPosition(where holds: (Int64) -> Bool) -> Int {
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = low + (high - low) / 2
      if holds(sorted[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
