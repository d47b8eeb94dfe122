package import Scoring

extension Clustered<ThresholdCurve> {
  /// The most groups of parts that are left out one after the other.
  private static var mostGroups: Int { 20 }

  /// A figure of the whole curve, such as its average precision, with an interval for people like
  /// these: the jackknife, which leaves out one part at a time, or one group of parts of many (Kott,
  /// Journal of Official Statistics 17, 2001), with Student's quantile. Without an interval with fewer
  /// than three parts that have references.
  ///
  /// - Parameters:
  ///   - range: that of the figure.
  ///   - figure: nil = undefined.
  /// - Complexity: that of pooling the curves, up to 20 times.
  package func estimate(
    in range: ClosedRange<Double>, _ figure: (ThresholdCurve) -> Double?
  ) -> Estimate {
    var estimate = Estimate(figure(pooled), by: .jackknife, count: pooled.references)
    let known = parts.filter { $0.references > 0 || $0.scoredNanoseconds > 0 }
    let withReferences = known.count { $0.references > 0 }
    guard let value = estimate.value, withReferences >= GroupScore.fewestClusters else {
      return estimate
    }
    let count = min(known.count, Self.mostGroups)
    let groups = (0..<count).map { group in
      known.indices.filter { $0 % count == group }.map { known[$0] }
    }
    let others = groups.indices.map { left in
      ThresholdCurve.pooled(groups.indices.filter { $0 != left }.flatMap { groups[$0] })
        .flatMap(figure)
    }
    let shares = groups.map { group in
      Double(group.reduce(0) { $0 + $1.references }) / Double(max(pooled.references, 1))
    }
    estimate.setJackknife(value, leftOut: others, shares: shares, in: range)
    estimate.clusters = known.count
    estimate.clusterKind = kind
    return estimate
  }
}
