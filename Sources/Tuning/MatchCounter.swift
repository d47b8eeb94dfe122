import Scoring
import TraceModel

/// How counts change where the threshold reaches a score.
struct CountChange {
  var score: Double
  var truePositives: Int
  var falsePositives: Int
}

/// Counts hits and false alarms while detections come and go.
///
/// Detections can only be at instants that are known beforehand, the slots. References whose windows
/// touch form a cluster; whether a detection is a hit is decided within its cluster, so a change
/// costs no more than that cluster. The counts are those of ``EventJudgement``, for the largest
/// number of pairs is the same for every way to find it; only where an ignore zone reaches into a
/// cluster does it matter which detection is matched, and there the exact matching is asked.
struct MatchCounter {
  private(set) var truePositives = 0
  private(set) var falsePositives = 0
  /// References that count.
  let references: Int
  let scoredNanoseconds: Int64

  private let times: [Int64]
  private let clusters: [Cluster]
  /// Of each slot: its cluster, or one of the two below.
  private let clusterOfSlot: [Int32]
  /// Whether the number of a cluster's detections tells all.
  private let isPlain: [Bool]
  private static let free: Int32 = -1
  private static let ignored: Int32 = -2

  /// Detections of each cluster.
  private var counts: [Int32]
  /// Of each cluster, what it adds to the sums at present.
  private var hits: [Int32]
  private var alarms: [Int32]
  /// The slots of a cluster's detections, ascending, where the count alone does not tell.
  private var members: [[Int32]]
  private var isChanged: [Bool]
  private var changed: [Int32] = []

  private struct Cluster {
    /// References, by the lower ends of their windows.
    var windows: [ClosedRange<Int64>]
    /// Set where an ignore zone reaches into the windows: what the exact matching needs.
    var events: [ReferenceEvent]?
  }

  /// - Parameter times: of the slots, ascending.
  init(
    times: [Int64], references: [ReferenceEvent], ignoreZones: [IgnoreZone],
    tolerance: EventTolerance, duration: Duration
  ) {
    let judged = EventJudgement(
      references: references, detections: [], ignoreZones: ignoreZones, tolerance: tolerance,
      duration: duration)
    let kept = references.indices.filter { judged.referenceOutcomes[$0] != .ignored }
    self.times = times
    self.references = kept.count
    scoredNanoseconds = judged.score.scoredNanoseconds
    zones = ignoreZones.filter { $0.onset <= $0.offset }
    self.tolerance = tolerance
    self.duration = duration
    let clusters = Self.clusters(kept.map { references[$0] }, zones, tolerance)
    self.clusters = clusters
    clusterOfSlot = Self.clusterOfSlots(times, clusters, zones)
    isPlain = clusters.map { $0.windows.count == 1 && $0.events == nil }
    counts = [Int32](repeating: 0, count: clusters.count)
    hits = counts
    alarms = counts
    isChanged = [Bool](repeating: false, count: clusters.count)
    members = [[Int32]](repeating: [], count: clusters.count)
  }

  private let zones: [IgnoreZone]
  private let tolerance: EventTolerance
  private let duration: Duration

  // MARK: Changes

  /// A detection at a slot that has none.
  mutating func add(_ slot: Int) {
    let cluster = clusterOfSlot[slot]
    guard cluster >= 0 else {
      falsePositives += cluster == Self.free ? 1 : 0
      return
    }
    counts[Int(cluster)] += 1
    if !isPlain[Int(cluster)] {
      let position = members[Int(cluster)].partitioningIndex { $0 > slot }
      members[Int(cluster)].insert(Int32(slot), at: position)
    }
    note(cluster)
  }

  /// The detection at a slot goes.
  mutating func remove(_ slot: Int) {
    let cluster = clusterOfSlot[slot]
    guard cluster >= 0 else {
      falsePositives -= cluster == Self.free ? 1 : 0
      return
    }
    counts[Int(cluster)] -= 1
    if !isPlain[Int(cluster)] {
      let position = members[Int(cluster)].partitioningIndex { $0 >= slot }
      members[Int(cluster)].remove(at: position)
    }
    note(cluster)
  }

  private mutating func note(_ cluster: Int32) {
    guard !isChanged[Int(cluster)] else { return }
    isChanged[Int(cluster)] = true
    changed.append(cluster)
  }

  /// Whether no reference can be hit from both slots.
  func isApart(_ left: Int, _ right: Int) -> Bool {
    clusterOfSlot[left] < 0 || clusterOfSlot[left] != clusterOfSlot[right]
  }

  /// Makes the counts right, and notes how they have changed since they were last noted.
  mutating func settle(at score: Double, into changes: inout [CountChange]) {
    settle()
    let change = CountChange(
      score: score, truePositives: truePositives - noted.truePositives,
      falsePositives: falsePositives - noted.falsePositives)
    guard change.truePositives != 0 || change.falsePositives != 0 else { return }
    noted = (truePositives, falsePositives)
    changes.append(change)
  }

  private var noted = (truePositives: 0, falsePositives: 0)

  /// Makes the counts right after changes.
  mutating func settle() {
    for cluster in changed {
      let cluster = Int(cluster)
      isChanged[cluster] = false
      let (hit, alarm) = outcome(of: cluster)
      truePositives += Int(hit - hits[cluster])
      falsePositives += Int(alarm - alarms[cluster])
      hits[cluster] = hit
      alarms[cluster] = alarm
    }
    changed.removeAll(keepingCapacity: true)
  }

  private func outcome(of cluster: Int) -> (hits: Int32, alarms: Int32) {
    let count = counts[cluster]
    if isPlain[cluster] { return (min(count, 1), max(count - 1, 0)) }
    let detections = members[cluster].map { times[Int($0)] }
    if let events = clusters[cluster].events {
      let judged = EventJudgement(
        references: events,
        detections: detections.map {
          let time = TraceInstant(nanoseconds: $0)
          return DetectionRecord(onset: time, emitted: time, kind: "")
        }, ignoreZones: zones, tolerance: tolerance, duration: duration)
      let counts = judged.score.counts
      return (Int32(counts.truePositives), Int32(counts.falsePositives))
    }
    let hits = Int32(mostPairs(clusters[cluster].windows, detections))
    return (hits, count - hits)
  }

  // MARK: Clusters

  private static func clusters(
    _ references: [ReferenceEvent], _ zones: [IgnoreZone], _ tolerance: EventTolerance
  ) -> [Cluster] {
    let (early, late) = (tolerance.early.nanoseconds, tolerance.late.nanoseconds)
    // A negative margin can leave a reference without a window: it is missed, whatever comes.
    let windows = references.compactMap { event -> (ClosedRange<Int64>, ReferenceEvent)? in
      let lower = event.onset.nanoseconds.subtractingClamped(early)
      let upper = event.offset.nanoseconds.addingClamped(late)
      return lower <= upper ? (lower...upper, event) : nil
    }.sorted { ($0.0.lowerBound, $0.0.upperBound) < ($1.0.lowerBound, $1.0.upperBound) }
    var clusters: [Cluster] = []
    var events: [[ReferenceEvent]] = []
    var end = Int64.min
    for (window, event) in windows {
      if clusters.isEmpty || window.lowerBound > end {
        clusters.append(Cluster(windows: []))
        events.append([])
        end = window.upperBound
      }
      clusters[clusters.count - 1].windows.append(window)
      events[events.count - 1].append(event)
      end = max(end, window.upperBound)
    }
    for index in clusters.indices {
      let start = clusters[index].windows[0].lowerBound
      let end = clusters[index].windows.reduce(Int64.min) { max($0, $1.upperBound) }
      let meetsZone = zones.contains {
        $0.onset.nanoseconds <= end && $0.offset.nanoseconds >= start
      }
      if meetsZone { clusters[index].events = events[index] }
    }
    return clusters
  }

  private static func clusterOfSlots(
    _ times: [Int64], _ clusters: [Cluster], _ zones: [IgnoreZone]
  ) -> [Int32] {
    let starts = clusters.map { $0.windows[0].lowerBound }
    let ends = clusters.map { $0.windows.reduce(Int64.min) { max($0, $1.upperBound) } }
    let isInZone = ZoneCursor(zones)
    var next = 0
    return times.map { time in
      while next < clusters.count, ends[next] < time { next += 1 }
      if next < clusters.count, starts[next] <= time { return Int32(next) }
      return isInZone.contains(time) ? ignored : free
    }
  }
}

/// Tells whether an instant lies in one of a few zones.
private struct ZoneCursor {
  private let zones: [IgnoreZone]

  init(_ zones: [IgnoreZone]) { self.zones = zones }

  func contains(_ time: Int64) -> Bool {
    !zones.isEmpty
      && zones.contains { $0.onset.nanoseconds <= time && time <= $0.offset.nanoseconds }
  }
}

/// The largest number of windows that can have a detection each: every detection, in order, goes
/// to the open window that closes first (Glover's rule for convex bipartite graphs, Naval Research
/// Logistics Quarterly 14, 1967).
/// - Parameters:
///   - windows: by their lower ends.
///   - detections: ascending.
func mostPairs(_ windows: [ClosedRange<Int64>], _ detections: [Int64]) -> Int {
  var (next, pairs) = (0, 0)
  // Upper ends of the open windows, ascending from `first`.
  var open: [Int64] = []
  var first = 0
  for time in detections {
    while next < windows.count, windows[next].lowerBound <= time {
      let end = windows[next].upperBound
      if first == open.count || open[open.count - 1] <= end {
        open.append(end)
      } else {
        let position = open[first...].partitioningIndex { $0 > end }
        open.insert(end, at: position)
      }
      next += 1
    }
    while first < open.count, open[first] < time { first += 1 }
    if first < open.count {
      first += 1
      pairs += 1
    }
  }
  return pairs
}
