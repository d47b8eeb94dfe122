/// The grouping of recordings: a fold contains all recordings of a group or none.
///
/// Recordings and groups are ordered by the content of the files, so neither the order of the
/// recordings on the command line nor the names of the groups change a figure.
struct Grouping: Sendable {
  /// The evaluator's positions of the recordings, in the order used here.
  let order: [Int]
  /// The group of each recording in that order, from 0.
  let groupOfRecording: [Int]
  let names: [String]
  let hasReferences: [Bool]

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
    var hasReferences = [Bool](repeating: false, count: names.count)
    for (place, group) in zip(order, groupOfRecording) where recordings[place].references > 0 {
      hasReferences[group] = true
    }
    self.hasReferences = hasReferences
  }

  /// The groups of each fold: one with references, so that there is something to score, and its
  /// share of those without. With fewer than two groups that have references, each group is a fold.
  var folds: [[Int]] {
    var folds = names.indices.filter { hasReferences[$0] }.map { [$0] }
    guard folds.count > 1 else { return names.indices.map { [$0] } }
    for (place, group) in names.indices.filter({ !hasReferences[$0] }).enumerated() {
      folds[place % folds.count].append(group)
    }
    return folds
  }

  var count: Int { names.count }

  var all: TrialCurves.Weights { groupOfRecording.map { _ in 1 } }

  func without(_ groups: [Int]) -> TrialCurves.Weights {
    groupOfRecording.map { groups.contains($0) ? 0 : 1 }
  }

  /// Returns weights that count each group as often as it was drawn.
  func weights(drawn: [Int]) -> TrialCurves.Weights {
    var counts = [Int](repeating: 0, count: count)
    for group in drawn { counts[group] += 1 }
    return groupOfRecording.map { counts[$0] }
  }
}
