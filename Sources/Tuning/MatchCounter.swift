import Scoring
import TraceModel

/// A change of the counts at the score that the threshold reaches.
struct CountChange {
  var score: Double
  var truePositives: Int
  var falsePositives: Int
}

/// Counts hits and false alarms while detections are added and removed.
///
/// Detections occur only at known instants, the slots. References with touching windows form a
/// cluster. A detection is matched within its cluster, so a change costs no more than that cluster.
/// The counts equal those of ``EventJudgement``, because every maximum matching has the same number
/// of pairs. Only if an ignore zone overlaps a cluster does it matter which detection is matched;
/// there the exact matching decides.
struct MatchCounter {
  private(set) var truePositives = 0
  private(set) var falsePositives = 0

  private let task: MatchTask
  private let times: [Int64]
  /// The cluster of each slot, or one of the two values below.
  private let clusterOfSlot: [Int32]
  static let free: Int32 = -1
  static let ignored: Int32 = -2

  private var counts: [Int32]
  /// The current contribution of each cluster to the sums.
  private var hits: [Int32]
  private var alarms: [Int32]
  /// The slots of a cluster's detections, ascending, if the count alone is not sufficient.
  private var members: [[Int32]]
  private var isChanged: [Bool]
  private var changed: [Int32] = []
  private var noted = (truePositives: 0, falsePositives: 0)

  /// - Parameter times: the times of the slots, ascending.
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

  /// Updates the counts and records their change since the last record.
  mutating func settle(at score: Double, into changes: inout [CountChange]) {
    settle()
    let change = CountChange(
      score: score, truePositives: truePositives - noted.truePositives,
      falsePositives: falsePositives - noted.falsePositives)
    guard change.truePositives != 0 || change.falsePositives != 0 else { return }
    noted = (truePositives, falsePositives)
    changes.append(change)
  }

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
