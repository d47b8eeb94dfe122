/// The grouping of recordings: a fold contains all recordings of a group or none.
///
/// Recordings and groups are ordered by the content of the files, so neither the order of the
/// recordings on the command line nor the names of the groups change a figure.
struct Grouping: Sendable {
  /// The evaluator's positions of the recordings, in the order used here.
  let order: [Int]
  /// The group of each recording in that order, from 0.
  let groupOfRecording: [Int]
  /// The names of the groups.
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

  /// Converts weights of groups to weights of recordings.
  func weights(ofGroups weights: [Int]) -> TrialCurves.Weights {
    groupOfRecording.map { weights[$0] }
  }

  /// Weights that count every recording once.
  var all: TrialCurves.Weights { groupOfRecording.map { _ in 1 } }

  /// Returns weights that omit one group.
  func without(_ group: Int) -> TrialCurves.Weights { groupOfRecording.map { $0 == group ? 0 : 1 } }

  /// Returns weights that count each group as often as it was drawn.
  func weights(drawn: [Int]) -> TrialCurves.Weights {
    var counts = [Int](repeating: 0, count: count)
    for group in drawn { counts[group] += 1 }
    return weights(ofGroups: counts)
  }
}
