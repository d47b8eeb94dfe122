import Diagnostics

/// What repeated searches for the capacity found.
package struct CapacityEstimate: Sendable, Equatable {
  /// The largest valid number of each search, in order; 0 = not even one device.
  package private(set) var found: [Int]
  /// The number of trials until the end of each search.
  package private(set) var trials: [Int]
  /// What the searches did not go beyond.
  package let limit: Int

  package init(first: Int, trials: Int, limit: Int) {
    (found, self.trials, self.limit) = ([first], [trials], limit)
  }

  package mutating func add(_ capacity: Int, trials count: Int) {
    found.append(capacity)
    trials.append(count)
  }

  /// The median of the searches; of an even number, the lower one.
  package var capacity: Int { found.sorted()[(found.count - 1) / 2] }
  package var least: Int { found.min() ?? 0 }
  package var most: Int { found.max() ?? 0 }

  /// Whether a search reached the limit: the capacity may be larger.
  package var isAtLimit: Bool { most >= limit }

  /// The number of the search, from 1, that made the trial at an index.
  package func search(ofTrial index: Int) -> Int {
    1 + (trials.firstIndex { index < $0 } ?? trials.count - 1)
  }

  /// For people, without units: `18,200 devices (17,600-18,900 in 5 searches)`.
  package var text: String {
    let median = grouped(Double(capacity)) + (capacity == 1 ? " device" : " devices")
    if found.count > 1 {
      let range = "\(grouped(Double(least)))-\(grouped(Double(most))) in \(found.count) searches"
      return "\(median) (\(range)\(isAtLimit ? "; no more were tried" : ""))"
    }
    return isAtLimit ? "at least \(median) (no more were tried)" : "\(median) (1 search)"
  }
}
