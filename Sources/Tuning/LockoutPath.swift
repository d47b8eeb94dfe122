import Detectors
import TraceModel

/// The behaviour of a detector with a lockout at one threshold, updated while the threshold rises.
///
/// What follows from a sample that fires does not depend on the threshold until the detector can
/// fire again: its window, its event, its refractory period. So the run at one threshold is a path
/// through the samples, from each that fires to the next that does. Each link of the path stores
/// the lowest score that it depends on: the link holds as long as the threshold is below it. When
/// the threshold reaches it, the path is followed again from that link until it meets the old path,
/// and only the part in between changes.
///
/// This type uses scores instead of thresholds: `limit` is the score of a threshold, and a sample
/// fires if its score is above it.
struct LockoutPath {
  private let samples: ScoredSamples
  private let resting: [Double]
  private let heights: [Double]
  private let times: [Int64]
  private let sampleTimes: [Int64]
  private let lockout: Lockout
  private let stretches: [Stretch]

  /// The nodes of the current section: its start, then its samples. They stay in the cache.
  private var nodes: [Node] = []
  /// The node before the section's first sample: the start.
  private var start = 0
  /// The position after the last sample of the section.
  private var end = 0
  private var queue = MarginQueue()

  /// A sample on the path.
  private struct Node {
    // Set when the sample first fires.
    /// The sample that is its event; -1 = not fired yet.
    var peak: Int32 = -1
    /// The first sample after its window.
    var resume: Int32 = 0
    /// The first sample after its window and its refractory period.
    var free: Int32 = 0
    /// Whether the sample after its window is at rest at every threshold of the sweep.
    var restsAtOnce = false

    var isOnPath = false
    /// The sample that fires next.
    var next: Int32 = 0
    /// The lowest score that the link depends on.
    var margin = Double.infinity

    /// The next sample if this one does not fire, which then holds at all higher thresholds.
    var skip: Int32
  }

  /// A stretch in which the detector listens: its samples, and its end in the recording.
  private struct Stretch {
    var samples: Range<Int>
    var end: Int
  }

  /// - Parameters:
  ///   - samples: only those in `listening`.
  ///   - sampleTimes: the times of the samples, in ns.
  ///   - times: the times of all positions of the recording, in ns, not decreasing.
  ///   - listening: positions of the recording, disjoint and ascending.
  init(
    _ samples: ScoredSamples, sampleTimes: [Int64], times: [Int64], lockout: Lockout,
    listening: [Range<Int>]
  ) {
    (self.sampleTimes, self.samples) = (sampleTimes, samples)
    (self.times, self.lockout) = (times, lockout)
    resting = samples.resting ?? samples.firing
    heights = samples.heights ?? samples.firing
    let positions = samples.positions
    stretches = listening.map { range in
      let first = positions.partitioningIndex { $0 >= range.lowerBound }
      let last = positions.partitioningIndex { $0 >= range.upperBound }
      return Stretch(samples: first..<last, end: range.upperBound)
    }
  }

  /// Sweeps one section: adds its detections at the lowest threshold to `counter`, then raises the
  /// threshold from change to change.
  ///
  /// - Parameter lowest: the score of the lowest threshold; `highest` that of the highest.
  mutating func sweep(
    _ section: Range<Int>, lowest: Double, highest: Double, counter: inout MatchCounter,
    changes: inout [CountChange]
  ) {
    begin(section)
    follow(from: start, limit: lowest, counter: &counter)
    counter.settle(at: lowest, into: &changes)
    while let margin = nextMargin(), margin <= highest {
      rise(to: margin, counter: &counter)
      counter.settle(at: margin, into: &changes)
    }
  }

  private mutating func begin(_ section: Range<Int>) {
    start = section.lowerBound - 1
    end = section.upperBound
    queue.removeAll()
    nodes.removeAll(keepingCapacity: true)
    for sample in start..<end { nodes.append(Node(skip: Int32(sample + 1))) }
    nodes[0].next = Int32(end)
    nodes[0].isOnPath = true
  }

  private subscript(node: Int) -> Node {
    get { nodes[node - start] }
    _modify { yield &nodes[node - start] }
  }

  /// Returns small sections of samples that are independent at any threshold: between two, every
  /// window and refractory period is over, a sample is at rest, and no reference spans both.
  func sections(_ counter: MatchCounter) -> [Range<Int>] {
    let positions = samples.positions
    guard !positions.isEmpty else { return [] }
    var sections: [Range<Int>] = []
    var from = 0
    for sample in positions.indices.dropFirst() {
      guard isApart(sample),
        counter.isApart(sample - 1, sample)
      else { continue }
      sections.append(from..<sample)
      from = sample
    }
    sections.append(from..<positions.count)
    return sections
  }

  private func isApart(_ sample: Int) -> Bool {
    let last = sampleTimes[sample - 1]
    let wait = max(lockout.peakWindow, lockout.refractory)
    guard sampleTimes[sample].subtractingClamped(last) > wait else { return false }
    let isNextStretch = stretches.count > 1 && stretch(of: sample - 1).samples.upperBound == sample
    switch lockout.rearming {
    case .none: return true
    case .nextStretch: return isNextStretch
    case .rest:
      // The previous sample, if it was not kept, is at rest; and it lies after the window.
      let before = samples.positions[sample] - 1
      return isNextStretch
        || (before > samples.positions[sample - 1]
          && times[before].subtractingClamped(last) > lockout.peakWindow)
    }
  }

  /// Returns the lowest score at which something changes; nil = no further change.
  private mutating func nextMargin() -> Double? {
    while let first = queue.first {
      let node = Int(first.node)
      if self[node].isOnPath, self[node].margin == first.margin { return first.margin }
      queue.removeFirst()
    }
    return nil
  }

  /// Raises the threshold to the one with the score `limit`.
  private mutating func rise(to limit: Double, counter: inout MatchCounter) {
    while let margin = nextMargin(), margin <= limit, let node = queue.first?.node {
      queue.removeFirst()
      follow(from: Int(node), limit: limit, counter: &counter)
    }
  }

  /// Follows the path again from one of its samples until it meets the old path.
  private mutating func follow(from node: Int, limit: Double, counter: inout MatchCounter) {
    var old = Int(self[node].next)
    var last = node
    var new = link(from: node, limit: limit)
    while old != new {
      if old < new {
        self[old].isOnPath = false
        counter.remove(Int(self[old].peak))
        old = Int(self[old].next)
      } else {
        self[last].next = Int32(new)
        last = new
        self[last].isOnPath = true
        settleWindow(of: last)
        counter.add(Int(self[last].peak))
        new = link(from: last, limit: limit)
      }
    }
    self[last].next = Int32(new)
  }

  /// Returns the sample that fires next after a node; stores the score that this depends on.
  private mutating func link(from node: Int, limit: Double) -> Int {
    var lowest = Double.infinity
    var ready = node + 1
    if node != start {
      ready = Int(self[node].resume)
      switch lockout.rearming {
      case .none: break
      case .nextStretch: ready = endOfStretch(node)
      case .rest where self[node].restsAtOnce: break
      case .rest: ready = firstAtRest(from: ready, of: node, limit: limit, lowest: &lowest)
      }
      ready = max(ready, Int(self[node].free))
    }
    let target = firstFiring(from: ready, limit: limit)
    if target < end { lowest = min(lowest, samples.firing[target]) }
    self[node].margin = lowest
    if lowest < .infinity { queue.insert(lowest, Int32(node)) }
    return target
  }

  private mutating func firstFiring(from ready: Int, limit: Double) -> Int {
    guard ready < end else { return end }
    var found = ready
    while found < end, !(samples.firing[found] > limit) { found = Int(self[found].skip) }
    var passed = ready
    while passed < found {
      let following = Int(self[passed].skip)
      self[passed].skip = Int32(found)
      passed = following
    }
    return found
  }

  /// The detector can fire again after the first sample at rest, or at the end of the stretch.
  private func firstAtRest(
    from ready: Int, of node: Int, limit: Double, lowest: inout Double
  ) -> Int {
    let end = min(endOfStretch(node), end)
    var position = ready
    while position < end {
      // A sample in between is at rest at every threshold of the sweep.
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

  /// Computes the window of a sample that fires, which does not depend on the threshold.
  private mutating func settleWindow(of node: Int) {
    guard self[node].peak < 0 else { return }
    let stretch = stretch(of: node)
    let behind: Int
    var highest = node
    let restsAtOnce: Bool
    if lockout.peakWindow > 0 {
      let last = sampleTimes[node].addingClamped(lockout.peakWindow)
      var sample = node + 1
      while sample < stretch.samples.upperBound, sampleTimes[sample] <= last {
        if heights[sample] > heights[highest] { highest = sample }
        sample += 1
      }
      behind = sample
      // Whether the reading before the next sample is at rest after the window.
      let before =
        (behind < stretch.samples.upperBound ? samples.positions[behind] : stretch.end) - 1
      restsAtOnce = before > samples.positions[behind - 1] && times[before] > last
    } else {
      behind = node + 1
      let following = samples.positions[node] + 1
      restsAtOnce =
        following < stretch.end
        && (behind == stretch.samples.upperBound || samples.positions[behind] != following)
    }
    self[node].peak = Int32(highest)
    self[node].resume = Int32(behind)
    self[node].restsAtOnce = restsAtOnce
    self[node].free = Int32(firstFree(from: behind, after: highest))
  }

  private func firstFree(from behind: Int, after highest: Int) -> Int {
    guard lockout.refractory > 0 else { return behind }
    let over = sampleTimes[highest].addingClamped(lockout.refractory)
    var (low, step) = (behind, 1)
    let count = samples.count
    while low < count, sampleTimes[low] < over {
      low += step
      step *= 2
    }
    let floor = max(behind, low - step / 2)
    let high = min(low, count)
    guard floor < high else { return high }
    return sampleTimes[floor..<high].partitioningIndex { $0 >= over }
  }
}

/// A binary heap of samples by the score at which their link breaks, the lowest first.
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
