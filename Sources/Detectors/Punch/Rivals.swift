import TraceModel

/// The samples of the last while that a later one has to exceed, as far as they can decide that:
/// those that no later one reaches (a monotonic queue; Knuth, TAOCP 1, 2.2.1, calls it an
/// output-restricted deque). Amortised O(1) a sample. What was removed once does not come back, also
/// where times fall.
struct Rivals: Sendable, Codable {
  private var times: [Int64] = []
  /// Falling.
  private var heights: [Float] = []
  /// Where the queue begins.
  private var first = 0

  mutating func removeAll() {
    times.removeAll(keepingCapacity: true)
    heights.removeAll(keepingCapacity: true)
    first = 0
  }

  /// Takes a sample, and says whether it is higher than all that were taken within `window` ns of
  /// it.
  mutating func admit(_ height: Float, at time: Int64, within window: Int64) -> Bool {
    while first < times.count, distance(time, times[first]) > window { first += 1 }
    let exceedsAll = first == times.count || height > heights[first]
    while times.count > first, let last = heights.last, last <= height {
      times.removeLast()
      heights.removeLast()
    }
    // What has left the queue is dropped once it is the larger part: O(1) a sample.
    if first > 16, 2 * first > times.count {
      times.removeFirst(first)
      heights.removeFirst(first)
      first = 0
    }
    times.append(time)
    heights.append(height)
    return exceedsAll
  }
}

/// How far apart two times are, in either direction, clamped.
func distance(_ left: Int64, _ right: Int64) -> Int64 {
  let difference = left.subtractingClamped(right)
  return difference == .min ? .max : abs(difference)
}
