package import Scoring

extension Clustered<ThresholdCurve> {
  private static var mostGroups: Int { 20 }

  /// A figure of the whole curve in 0...1, such as its average precision, with an interval for people
  /// like these: Clopper and Pearson's, with Student's quantile and the variance of the jackknife, which
  /// leaves out one part at a time, or one group of parts of many (Kott, Journal of Official
  /// Statistics 17, 2001).
  /// There is no interval with fewer than three parts that have references.
  ///
  /// - Parameter figure: nil = undefined.
  /// - Complexity: that of pooling the curves, up to 20 times.
  package func estimate(_ figure: (ThresholdCurve) -> Double?) -> Estimate {
    var estimate = Estimate(figure(pooled), by: .jackknife, count: pooled.references)
    // Dealt by references, so that no group has all of them and cannot be left out.
    let known = parts.filter { $0.references > 0 || $0.scoredNanoseconds > 0 }
      .sorted { $0.references > $1.references }
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
    let references = groups.map { group in group.reduce(0) { $0 + $1.references } }
    estimate.setJackknife(value, leftOut: others, references: references)
    estimate.clusters = withReferences
    estimate.clusterKind = kind
    return estimate
  }
}
