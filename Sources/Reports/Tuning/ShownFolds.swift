package import Scoring

/// Which of many groups a person is shown one by one: those with something to find, then those with
/// the most false alarms. The others are told together; in `--format json` each is by itself.
package struct ShownFolds {
  /// Positions among the groups, in their order.
  package let single: [Int]
  package let others: [Int]

  /// As many as a table is read of, and a picture has room for.
  package static let most = 30

  package init(_ counts: [EventCounts], most: Int = Self.most) {
    guard counts.count > most else {
      (single, others) = (Array(counts.indices), [])
      return
    }
    let ranked = counts.indices.sorted {
      (counts[$0].references > 0 ? 0 : 1, -counts[$0].falsePositives, $0)
        < (counts[$1].references > 0 ? 0 : 1, -counts[$1].falsePositives, $1)
    }
    single = ranked.prefix(most - 1).sorted()
    others = ranked.dropFirst(most - 1).sorted()
  }

  /// E.g. `310 others`.
  package var nameOfOthers: String { "\(others.count) others" }
}

extension EventCounts {
  fileprivate var references: Int { truePositives + falseNegatives }
}
