import Scoring

/// Counts of deliveries, or of deadlines, that kept or broke the limits.
package struct TimingCounts: Hashable, Sendable {
  /// The number of readings, actions and deadlines.
  package var count = 0
  /// The number that came later than the limit for the lateness.
  package var late = 0
  /// The number that came later than a period of their channel.
  package var missed = 0
  /// The longest lateness of those that were late, in nanoseconds.
  package var longest: Int64 = 0

  package init() {}

  package var lateShare: Double? { count == 0 ? nil : Double(late) / Double(count) }
  package var missedShare: Double? { count == 0 ? nil : Double(missed) / Double(count) }

  /// The share that may be late: the 99th percentile of the lateness is within the limit exactly if
  /// no more are.
  package static let allowedLateShare = 0.01

  /// The smallest number of deliveries that can show with a confidence of 95 % that no more than 1 %
  /// are late: if 1 % were, 299 would all be on time with a probability of 0.99^299 = 4.95 %, and 298
  /// with 5.003 %.
  package static let fewest = 299

  mutating func addLate(_ count: Int, by lateness: Int64) {
    late += count
    longest = max(longest, lateness)
  }

  static func += (left: inout TimingCounts, right: TimingCounts) {
    left.count += right.count
    left.late += right.late
    left.missed += right.missed
    left.longest = max(left.longest, right.longest)
  }
}

/// The probability to see as much as was seen if the true shares were just at the limits.
struct TimingChance {
  /// The share that may be missed.
  let missed: Double
  /// The deliveries per instant in the mean: those of a batch are late together, and count as one.
  let batch: Double

  func ofLate(_ counts: TimingCounts) -> Double {
    chance(counts.late, of: counts.count, TimingCounts.allowedLateShare)
  }

  func ofMissed(_ counts: TimingCounts) -> Double {
    chance(counts.missed, of: counts.count, min(missed, 1))
  }

  private func chance(_ found: Int, of count: Int, _ share: Double) -> Double {
    let (successes, trials) = (Double(found) / batch, Double(count) / batch)
    return Distributions.binomialProbability(ofAtLeast: Int(successes), in: Int(trials), share) ?? 1
  }

  /// The probability below which a limit counts as broken.
  static let level = 0.05
}
