import Detectors
import TraceModel

/// What a detector with a lockout does at one threshold, kept up to date while the threshold rises.
///
/// What follows from a sample that fires does not depend on the threshold until the detector can
/// fire again: its window, its event, its refractory period. So the run at one threshold is a path
/// through the samples, from each that fires to the next that does. For each link of the path we
/// keep the lowest score that it hangs on: as long as the threshold is below, the link holds. When
/// the threshold reaches it, that link is followed anew until the new path meets the old one, and
/// only what lies between changes.
///
/// The thresholds themselves do not occur here: `limit` is the score of one, and a sample fires
/// where its score is above.
struct LockoutPath {
  private let samples: ScoredSamples
  private let resting: [Double]
  private let heights: [Double]
  private let times: [Int64]
  private let lockout: Lockout
  private let stretches: [Stretch]

  // Of each sample, filled when it first fires.
  /// The sample that is its event; -1 = it has not fired yet.
  private var peak: [Int32]
  /// The first sample behind its window.
  private var resume: [Int32]
  /// The first sample behind its window that its refractory period allows.
  private var free: [Int32]
  /// Whether what comes behind its window is at rest at every threshold of the sweep.
  private var restsAtOnce: [Bool]

  // Of each sample on the path; the last one is the path's beginning.
  private var next: [Int32]
  private var margin: [Double]
  private var isOnPath: [Bool]

  /// Of each sample: where to go on if it does not fire. Thresholds rise, so what does not fire now
  /// never will again.
  private var skip: [Int32]
  private var queue = MarginQueue()

  /// A stretch in which the detector listens, as positions among the samples, and its end in the
  /// recording.
  private struct Stretch {
    var samples: Range<Int>
    var end: Int
  }

  private var start: Int { samples.count }
  /// Behind the last sample of the section that is swept.
  private var end = 0

  /// - Parameters:
  ///   - samples: those in `listening` alone.
  ///   - times: of all positions of the recording, in ns, not decreasing.
  ///   - listening: positions of the recording, disjoint and ascending.
  init(
    _ samples: ScoredSamples, times: [Int64], lockout: Lockout, listening: [Range<Int>]
  ) {
    self.samples = samples
    self.times = times
    self.lockout = lockout
    resting = samples.resting ?? samples.firing
    heights = samples.heights ?? samples.firing
    let positions = samples.positions
    stretches = listening.map { range in
      let first = positions.partitioningIndex { $0 >= range.lowerBound }
      let last = positions.partitioningIndex { $0 >= range.upperBound }
      return Stretch(samples: first..<last, end: range.upperBound)
    }
    let count = samples.count
    peak = [Int32](repeating: -1, count: count)
    resume = [Int32](repeating: 0, count: count)
    free = resume
    restsAtOnce = [Bool](repeating: false, count: count)
    next = [Int32](repeating: 0, count: count + 1)
    margin = [Double](repeating: .infinity, count: count + 1)
    isOnPath = [Bool](repeating: false, count: count + 1)
    skip = (0..<Int32(count)).map { $0 + 1 }
    isOnPath[count] = true
  }

  /// Sweeps one section: adds its detections at the lowest threshold to `counter`, and takes the
  /// threshold from change to change.
  ///
  /// - Parameters:
  ///   - limits: the scores of the thresholds that are looked at, ascending; nil = all from `lowest`
  ///     to `highest`.
  ///   - changes: gets what changes, and at which score.
  mutating func sweep(
    _ section: Range<Int>, lowest: Double, highest: Double, limits: [Double]?,
    counter: inout MatchCounter, changes: inout [CountChange]
  ) {
    end = section.upperBound
    queue.removeAll()
    next[start] = Int32(end)
    follow(from: start, first: section.lowerBound, limit: lowest, counter: &counter)
    counter.settle(at: lowest, into: &changes)
    while let margin = nextMargin(), margin <= highest {
      var limit = margin
      if let limits { limit = limits[limits.partitioningIndex { $0 >= margin }] }
      rise(to: limit, from: section.lowerBound, counter: &counter)
      counter.settle(at: limit, into: &changes)
    }
  }

  /// The samples in sections that have nothing to do with each other at any threshold: between two
  /// of them every window and refractory period is over, a sample was at rest, and no reference can
  /// be hit from both sides. Small sections stay in the processor's cache.
  func sections(_ counter: MatchCounter) -> [Range<Int>] {
    let positions = samples.positions
    guard !positions.isEmpty else { return [] }
    var sections: [Range<Int>] = []
    var from = 0
    for sample in positions.indices.dropFirst() {
      let (last, this) = (positions[sample - 1], positions[sample])
      guard this != last + 1 || lockout.rearming != .rest, isApart(last, this, sample),
        counter.isApart(sample - 1, sample)
      else { continue }
      sections.append(from..<sample)
      from = sample
    }
    sections.append(from..<positions.count)
    return sections
  }

  private func isApart(_ last: Int, _ this: Int, _ sample: Int) -> Bool {
    let wait = max(lockout.peakWindow, lockout.refractory)
    guard times[this].subtractingClamped(times[last]) > wait else { return false }
    let isNextStretch = stretches.count > 1 && stretch(of: sample - 1).samples.upperBound == sample
    switch lockout.rearming {
    case .none: return true
    case .nextStretch: return isNextStretch
    // The sample before this one was not kept, so it was at rest; and it lies behind the window.
    case .rest:
      return isNextStretch
        || times[this - 1].subtractingClamped(times[last]) > lockout.peakWindow
    }
  }

  /// The lowest score at which something changes; nil = nothing does any more.
  private mutating func nextMargin() -> Double? {
    while let first = queue.first {
      let node = Int(first.node)
      if isOnPath[node], margin[node] == first.margin { return first.margin }
      queue.removeFirst()
    }
    return nil
  }

  /// Raises the threshold to the one whose score is `limit`.
  private mutating func rise(to limit: Double, from first: Int, counter: inout MatchCounter) {
    while let margin = nextMargin(), margin <= limit, let node = queue.first?.node {
      queue.removeFirst()
      follow(from: Int(node), first: first, limit: limit, counter: &counter)
    }
  }

  // MARK: The path

  /// Follows the path anew from a sample on it, until it is the old one again.
  private mutating func follow(
    from node: Int, first: Int, limit: Double, counter: inout MatchCounter
  ) {
    var old = next[node]
    var last = node
    var new = link(from: node, first: first, limit: limit)
    while old != new {
      if old < new {
        isOnPath[Int(old)] = false
        counter.remove(Int(peak[Int(old)]))
        old = next[Int(old)]
      } else {
        next[last] = new
        last = Int(new)
        isOnPath[last] = true
        settleWindow(of: last)
        counter.add(Int(peak[last]))
        new = link(from: last, first: first, limit: limit)
      }
    }
    next[last] = new
  }

  /// The sample that fires next after one that fired, or from the beginning; notes what that hangs
  /// on.
  private mutating func link(from node: Int, first: Int, limit: Double) -> Int32 {
    var lowest = Double.infinity
    var ready = first
    if node != start {
      ready = Int(resume[node])
      switch lockout.rearming {
      case .none: break
      case .nextStretch: ready = endOfStretch(node)
      case .rest where restsAtOnce[node]: break
      case .rest: ready = firstAtRest(from: ready, of: node, limit: limit, lowest: &lowest)
      }
      ready = max(ready, Int(free[node]))
    }
    let target = firstFiring(from: ready, limit: limit)
    if target < end { lowest = min(lowest, samples.firing[target]) }
    margin[node] = lowest
    if lowest < .infinity { queue.insert(lowest, Int32(node)) }
    return Int32(target)
  }

  private mutating func firstFiring(from ready: Int, limit: Double) -> Int {
    guard ready < end else { return end }
    var found = ready
    while found < end, !(samples.firing[found] > limit) { found = Int(skip[found]) }
    var passed = ready
    while passed < found {
      let following = Int(skip[passed])
      skip[passed] = Int32(found)
      passed = following
    }
    return found
  }

  /// Where the detector may fire again: behind the first sample at rest, or at the end of the
  /// stretch.
  private func firstAtRest(
    from ready: Int, of node: Int, limit: Double, lowest: inout Double
  ) -> Int {
    let end = min(endOfStretch(node), end)
    var position = ready
    while position < end {
      // A sample between, which is at rest at every threshold of the sweep.
      if position > ready, samples.positions[position] != samples.positions[position - 1] + 1 {
        return position
      }
      let rest = resting[position]
      if rest <= limit { return position }
      if rest < lowest { lowest = rest }
      position += 1
    }
    return end
  }

  private func endOfStretch(_ node: Int) -> Int { stretch(of: node).samples.upperBound }

  private func stretch(of node: Int) -> Stretch {
    stretches.count == 1
      ? stretches[0] : stretches[stretches.partitioningIndex { $0.samples.upperBound > node }]
  }

  /// Finds what follows from a sample that fires, whatever the threshold.
  private mutating func settleWindow(of node: Int) {
    guard peak[node] < 0 else { return }
    let stretch = stretch(of: node)
    let opened = samples.positions[node]
    var end = opened + 1
    if lockout.peakWindow > 0 {
      let last = times[opened].addingClamped(lockout.peakWindow)
      // Windows hold tens of samples: near the beginning, and then by halves.
      var step = 1
      while end + step < stretch.end, times[end + step] <= last {
        end += step
        step *= 2
      }
      let high = min(end + step, stretch.end)
      if end < high { end = times[end..<high].partitioningIndex { $0 > last } }
    }
    var highest = node
    var behind = node + 1
    let lastSample = stretch.samples.upperBound
    while behind < lastSample, samples.positions[behind] < end {
      if heights[behind] > heights[highest] { highest = behind }
      behind += 1
    }
    peak[node] = Int32(highest)
    resume[node] = Int32(behind)
    restsAtOnce[node] =
      end < stretch.end && (behind == lastSample || samples.positions[behind] != end)
    free[node] = Int32(firstFree(from: behind, after: highest))
  }

  private func firstFree(from behind: Int, after highest: Int) -> Int {
    guard lockout.refractory > 0 else { return behind }
    let over = times[samples.positions[highest]].addingClamped(lockout.refractory)
    var (low, step) = (behind, 1)
    let count = samples.count
    while low < count, times[samples.positions[low]] < over {
      low += step
      step *= 2
    }
    let floor = max(behind, low - step / 2)
    let high = min(low, count)
    guard floor < high else { return high }
    return samples.positions[floor..<high].partitioningIndex { times[$0] >= over }
  }
}

/// Samples by the score at which their link breaks, the lowest first: a binary heap.
private struct MarginQueue {
  struct Entry {
    var margin: Double
    var node: Int32
  }

  private var entries: [Entry] = []

  var first: Entry? { entries.first }

  mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

  mutating func insert(_ margin: Double, _ node: Int32) {
    entries.append(Entry(margin: margin, node: node))
    var child = entries.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard entries[child].margin < entries[parent].margin else { return }
      entries.swapAt(child, parent)
      child = parent
    }
  }

  mutating func removeFirst() {
    let last = entries.removeLast()
    guard !entries.isEmpty else { return }
    entries[0] = last
    var parent = 0
    while true {
      var lowest = parent
      let left = 2 * parent + 1
      if left < entries.count, entries[left].margin < entries[lowest].margin { lowest = left }
      let right = left + 1
      if right < entries.count, entries[right].margin < entries[lowest].margin { lowest = right }
      guard lowest != parent else { return }
      entries.swapAt(parent, lowest)
      parent = lowest
    }
  }
}
