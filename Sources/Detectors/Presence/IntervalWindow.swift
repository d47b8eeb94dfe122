import TraceModel

/// The newest intervals between the heartbeats of a peer, with statistics of their distribution.
struct IntervalWindow: Sendable, Equatable, Codable {
  /// The tail of the distribution: the intervals beyond `start`.
  struct Tail: Equatable {
    /// The largest interval outside the tail, in nanoseconds.
    var start: Int64
    /// The share of the intervals in the tail.
    var share: Double
    /// The mean distance of the tail's intervals from its start, in nanoseconds.
    var meanExcess: Double
  }

  /// A ring buffer of intervals in nanoseconds, in order of arrival from `oldest` on.
  private var ring: [Int64] = []
  private var oldest = 0
  private(set) var sorted: [Int64] = []
  private let capacity: Int

  /// - Parameter capacity: the number of intervals to keep, at least one.
  init(capacity: Int) { self.capacity = max(capacity, 1) }

  var count: Int { sorted.count }
  var isEmpty: Bool { sorted.isEmpty }

  /// Adds an interval in nanoseconds and drops the oldest one if the window is full. O(capacity): a
  /// move of a few kilobytes.
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

  /// The mean in nanoseconds; nil without an interval.
  var mean: Double? { isEmpty ? nil : sorted.reduce(0) { $0 + Double($1) } / Double(count) }

  /// The sample standard deviation (n - 1) in nanoseconds; nil with fewer than two intervals.
  var standardDeviation: Double? {
    guard let mean, count > 1 else { return nil }
    let squares = sorted.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
    return (squares / Double(count - 1)).squareRoot()
  }

  /// Returns the tail with `share` of the intervals, at least one; nil without an interval.
  func tail(share: Double) -> Tail? {
    guard !isEmpty else { return nil }
    let size = min(max(Int(exactly: (share * Double(count)).rounded(.up)) ?? 1, 1), count)
    let start = sorted[max(count - size - 1, 0)]
    let excess = sorted[(count - size)...].reduce(0) { $0 + Double($1 - start) }
    return Tail(
      start: start, share: Double(size) / Double(count), meanExcess: excess / Double(size))
  }

  /// Returns the number of intervals longer than `interval`. O(log n).
  func count(longerThan interval: Int64) -> Int {
    count - sorted.partitioningIndex { $0 > interval }
  }

  private func position(of interval: Int64) -> Int { sorted.partitioningIndex { $0 >= interval } }
}
