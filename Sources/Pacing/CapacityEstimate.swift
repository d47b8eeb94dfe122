import Diagnostics
import TraceModel

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
  package var capacity: Int { nearestRank(50, ofSorted: found.sorted()) ?? 0 }
  package var least: Int { found.min() ?? 0 }
  package var most: Int { found.max() ?? 0 }

  /// Whether a search reached the limit: the capacity may be larger.
  package var isAtLimit: Bool { most >= limit }

  /// The confidence with which the median of any number of searches is ``least`` or more: n searches
  /// all find more than it with a probability of at most 2^-n, whatever their distribution, if they
  /// are independent and the machine stays as it is. A search that reached the limit counts, because
  /// it would not have found less.
  package var confidenceOfLeast: Double { 1 - missingShare }

  /// The confidence with which that median is between ``least`` and ``most``, 1 - 2 · 2^-n; nil if a
  /// search reached the limit, or with a single search, which is no range.
  package var confidenceOfRange: Double? {
    isAtLimit || found.count < 2 ? nil : 1 - 2 * missingShare
  }

  /// The probability that all searches are on one side of the median.
  private var missingShare: Double { Double(sign: .plus, exponent: -found.count, significand: 1) }

  /// The number of the search, from 1, that made the trial at an index.
  package func search(ofTrial index: Int) -> Int {
    1 + (trials.firstIndex { index < $0 } ?? trials.count - 1)
  }

  /// For people: `18,200 devices (17,600-18,900 in 5 searches); with 96.9 % confidence at least 17,600`.
  package var text: String {
    let median = grouped(Double(capacity)) + (capacity == 1 ? " device" : " devices")
    let confidence = "\(fixed(100 * confidenceOfLeast, 1)) % confidence"
    let end = isAtLimit ? "; no more were tried" : ""
    if found.count > 1 {
      let low = grouped(Double(least))
      let range = "\(low)-\(grouped(Double(most))) in \(found.count) searches\(end)"
      return "\(median) (\(range)); with \(confidence) at least \(low)"
    }
    guard isAtLimit else { return "\(median) (1 search)" }
    return "at least \(median) with \(confidence) (1 search\(end))"
  }
}
