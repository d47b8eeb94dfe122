internal import TraceModel

/// Delays in ns from references to their detections, and the waiting times of misses.
public struct Delays: Hashable, Sendable, Codable {
  /// The delays of the references that were found; signed.
  public var reached: [Int64]
  /// For each missed reference, the time from it to the end of its window.
  public var missed: [Int64]

  public init(reached: [Int64] = [], missed: [Int64] = []) {
    self.reached = reached
    self.missed = missed
  }

  /// The delays as one element each.
  var single: [Delays] {
    reached.map { Delays(reached: [$0]) } + missed.map { Delays(missed: [$0]) }
  }

  static func + (left: Delays, right: Delays) -> Delays {
    Delays(reached: left.reached + right.reached, missed: left.missed + right.missed)
  }
}

/// The share of the references whose detection has come by a time: one minus the estimate of Kaplan
/// and Meier (JASA 53, 1958) over all references. A miss is censored at the end of its window, so a
/// detector that misses does not look quick.
///
/// ```swift
/// let curve = DelayCurve([Delays(reached: [100, 200, 300], missed: [400])])
/// curve.time(by: 0.5)  // 200
/// curve.time(by: 0.9) == nil  // true
/// ```
public struct DelayCurve: Hashable, Sendable {
  /// The delays in ns at which the share grows, ascending.
  public private(set) var times: [Int64] = []
  /// The share from each of these times on.
  public private(set) var shares: [Double] = []
  public let count: Int
  /// By time: 1 / the number that still waits, and the sum of hazards, each divided by that number.
  private var weights: [Double] = []
  private var sums: [Double] = []

  /// - Complexity: O(n log n).
  public init(_ parts: [Delays]) {
    let reached = parts.flatMap { $0.reached }.sorted()
    let missed = parts.flatMap { $0.missed }.sorted()
    count = reached.count + missed.count
    var (left, sum, censored, index) = (1.0, 0.0, 0, 0)
    while index < reached.count {
      let time = reached[index]
      let next = reached[index...].partitioningIndex { $0 > time }
      // A reference that is censored at this time was waited for until then.
      while censored < missed.count, missed[censored] < time { censored += 1 }
      let waiting = Double(count - index - censored)
      left *= 1 - Double(next - index) / waiting
      let (now, staying) = (Double(next - index), waiting - Double(next - index))
      sum += staying > 0 ? now / waiting / staying : 0
      times.append(time)
      shares.append(next + censored == count ? 1 : 1 - left)
      weights.append(staying > 0 ? 1 / staying : 0)
      sums.append(sum)
      index = next
    }
  }

  /// The delay by which a share has come; nil = never. Without misses, that of nearest rank.
  public func time(by share: Double) -> Int64? {
    let place = shares.partitioningIndex { $0 >= share - 1e-12 }
    return place < times.count ? times[place] : nil
  }

  /// Returns the share at a time, with its variance from the influence of each cluster: the
  /// derivative by its weight (the infinitesimal jackknife: Efron, Biometrika 68, 1981). With each
  /// delay a cluster of its own, it is Greenwood's but for the correction. nil with fewer than three
  /// clusters.
  func ratio(at time: Int64, of parts: [Delays]) -> ClusteredRatio? {
    let last = times.partitioningIndex { $0 > time } - 1
    let share = last >= 0 ? shares[last] : 0
    /// The hazard up to a time, divided by its variance.
    func sum(_ until: Int64) -> Double {
      let place = min(times.partitioningIndex { $0 > until } - 1, last)
      return place >= 0 ? sums[place] : 0
    }
    let influences = parts.map { part -> (influence: Double, size: Double) in
      var influence = 0.0
      for delay in part.reached {
        if delay <= time { influence += weights[times.partitioningIndex { $0 >= delay }] }
        influence -= sum(delay)
      }
      for window in part.missed { influence -= sum(window) }
      return ((1 - share) * influence, Double(part.reached.count + part.missed.count))
    }
    return ClusteredRatio(share: share, influences)
  }
}
