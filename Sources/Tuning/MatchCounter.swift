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

  private let task: MatchTask
  private let times: [Int64]
  /// Of each slot: its cluster, or one of the two below.
  private let clusterOfSlot: [Int32]
  static let free: Int32 = -1
  static let ignored: Int32 = -2

  /// Detections of each cluster.
  private var counts: [Int32]
  /// Of each cluster, what it adds to the sums at present.
  private var hits: [Int32]
  private var alarms: [Int32]
  /// The slots of a cluster's detections, ascending, where the count alone does not tell.
  private var members: [[Int32]]
  private var isChanged: [Bool]
  private var changed: [Int32] = []
  private var noted = (truePositives: 0, falsePositives: 0)

  /// - Parameter times: of the slots, ascending.
  init(times: [Int64], task: MatchTask) {
    self.times = times
    self.task = task
    clusterOfSlot = task.clusters(of: times)
    counts = [Int32](repeating: 0, count: task.clusters.count)
    hits = counts
    alarms = counts
    isChanged = [Bool](repeating: false, count: task.clusters.count)
    members = task.hasOnlyPlain ? [] : [[Int32]](repeating: [], count: task.clusters.count)
  }

  // MARK: Changes

  /// A detection at a slot that has none.
  mutating func add(_ slot: Int) {
    let cluster = clusterOfSlot[slot]
    guard cluster >= 0 else {
      falsePositives += cluster == Self.free ? 1 : 0
      return
    }
    counts[Int(cluster)] += 1
    if !task.clusters[Int(cluster)].isPlain {
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
    if !task.clusters[Int(cluster)].isPlain {
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
    if task.clusters[cluster].isPlain { return (min(count, 1), max(count - 1, 0)) }
    return task.outcome(of: cluster, detections: members[cluster].map { times[Int($0)] })
  }
}
