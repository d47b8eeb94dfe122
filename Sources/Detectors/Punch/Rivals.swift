import TraceModel

/// The recent samples that a later one has to exceed: those that no later one reaches (a monotonic
/// queue; Knuth, TAOCP 1, 2.2.1, calls it an output-restricted deque). Amortised O(1) per sample. A
/// removed sample does not come back, even if times decrease.
struct Rivals: Sendable, Codable {
  private var times: [Int64] = []
  /// The magnitudes, decreasing.
  private var heights: [Float] = []
  /// The start of the queue in the arrays.
  private var first = 0

  mutating func removeAll() {
    times.removeAll(keepingCapacity: true)
    heights.removeAll(keepingCapacity: true)
    first = 0
  }

  /// Adds a sample and returns whether it is higher than all samples added within `window` ns of
  /// it.
  mutating func admit(_ height: Float, at time: Int64, within window: Int64) -> Bool {
    while first < times.count, distance(time, times[first]) > window { first += 1 }
    let exceedsAll = first == times.count || height > heights[first]
    while times.count > first, let last = heights.last, last <= height {
      times.removeLast()
      heights.removeLast()
    }
    // Drop the removed part once it is the larger one: O(1) per sample.
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

/// Returns the absolute difference of two times, clamped.
func distance(_ left: Int64, _ right: Int64) -> Int64 {
  let difference = left.subtractingClamped(right)
  return difference == .min ? .max : abs(difference)
}
