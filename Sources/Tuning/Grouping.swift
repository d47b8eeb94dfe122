/// Which recordings stay together: those of a group are either all tuned on or all held out.
///
/// Recordings and groups are put in an order of their own, by what the files hold: neither the order
/// in which recordings are named nor the names of the groups change any figure.
struct Grouping: Sendable {
  /// The recordings' positions as the evaluator has them, in the order used here.
  let order: [Int]
  /// Of each recording, in that order, from 0.
  let groupOfRecording: [Int]
  /// By group.
  let names: [String]

  /// - Parameter labels: the group of each recording.
  init(_ recordings: [TrialRecording], labels: [String]) {
    precondition(recordings.count == labels.count)
    order = recordings.indices.sorted {
      (recordings[$0].sha256, recordings[$0].id, $0)
        < (recordings[$1].sha256, recordings[$1].id, $1)
    }
    var names: [String] = []
    var numbers: [String: Int] = [:]
    groupOfRecording = order.map { recording in
      let label = labels[recording]
      if let number = numbers[label] { return number }
      numbers[label] = names.count
      names.append(label)
      return names.count - 1
    }
    self.names = names
  }

  var count: Int { names.count }

  /// Of the recordings, from those of the groups.
  func weights(ofGroups weights: [Int]) -> TrialCurves.Weights {
    groupOfRecording.map { weights[$0] }
  }

  /// Every recording once.
  var all: TrialCurves.Weights { groupOfRecording.map { _ in 1 } }

  /// All but those of one group.
  func without(_ group: Int) -> TrialCurves.Weights { groupOfRecording.map { $0 == group ? 0 : 1 } }

  /// How often each group was drawn.
  func weights(drawn: [Int]) -> TrialCurves.Weights {
    var counts = [Int](repeating: 0, count: count)
    for group in drawn { counts[group] += 1 }
    return weights(ofGroups: counts)
  }
}
