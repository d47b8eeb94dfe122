import TraceModel

/// The recent samples that a later one has to exceed: those that no later one reaches (a monotonic
/// queue; Knuth, TAOCP 1, 2.2.1, calls it an output-restricted deque). Amortised O(1) per sample. A
/// removed sample does not come back, even if times decrease.
struct Rivals: Sendable, Codable {
  /// The share of a peak from which on another peak apart from it may be another punch. Among
  /// 916 punches of one person, one has a second peak of 0.7 of its height 0.2 to 0.32 s away.
  static let share: Float = 0.7
  /// The number of rivals up to which a look at each is cheaper than a search.
  private static let few = 8

  private var times: [Int64] = []
  private var heights: [Float] = []
  /// The start of the queue in the arrays.
  private var first = 0
  /// The time of the newest sample, and whether none was less than the one before it.
  private var newest = Int64.min
  private var isOrdered = true

  mutating func removeAll() {
    times.removeAll(keepingCapacity: true)
    heights.removeAll(keepingCapacity: true)
    first = 0
    newest = .min
    isOrdered = true
  }

  /// Adds a sample and returns whether it is higher than all samples added within `window` ns of
  /// it.
  mutating func admit(_ height: Float, at time: Int64, within window: Int64) -> Bool {
    while first < times.count, distance(time, times[first]) > window { first += 1 }
    let exceedsAll = first == times.count || height > heights[first]
    push(height, at: time)
    return exceedsAll
  }

  /// Adds a squared magnitude and returns whether it is higher than all within `window` ns, except
  /// those near the open peaks at the times `one` and `other` (within a quarter of the window).
  /// These may be higher if they are more than `near` ns away and ``share`` of them does not exceed
  /// it.
  mutating func admit(
    _ height: Float, at time: Int64, within window: Int64, apart near: Int64, beside one: Int64?,
    _ other: Int64?
  ) -> Bool {
    while first < times.count, distance(time, times[first]) > window { first += 1 }
    func peak(of rival: Int64) -> Int64? {
      if let one, distance(rival, one) <= window / 4 { return one }
      if let other, distance(rival, other) <= window / 4 { return other }
      return nil
    }
    var isPeak = true
    var rival = first
    while isPeak, rival < times.count, heights[rival] >= height {
      guard distance(time, times[rival]) > near,
        height >= Rivals.share * Rivals.share * heights[rival], let peak = peak(of: times[rival])
      else {
        isPeak = false
        break
      }
      rival += 1
      // The lower rivals of the same peak need no look: a slow fall has many of them.
      if times.count - rival > Rivals.few, isOrdered, newest <= time {
        rival = times[rival...].partitioningIndex {
          $0 > peak && distance($0, peak) > window / 4 || distance(time, $0) <= near
        }
      }
    }
    push(height, at: time)
    return isPeak
  }

  private mutating func push(_ height: Float, at time: Int64) {
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
    if time < newest { isOrdered = false }
    newest = time
    times.append(time)
    heights.append(height)
  }
}

/// Returns the absolute difference of two times, clamped.
func distance(_ left: Int64, _ right: Int64) -> Int64 {
  let difference = left.subtractingClamped(right)
  return difference == .min ? .max : abs(difference)
}
