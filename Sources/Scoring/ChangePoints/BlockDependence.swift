internal import TraceModel

/// How much more a series varies from block to block than if its values were shuffled over the blocks,
/// where a block is a day of a machine: neighbours that are alike look like a change.
///
/// A test martingale of independent values exceeds x with a probability of at most 1/x. If the sum of
/// n values varies by the factor d more than that of independent ones, the probability is about
/// x^(-1/d), as for a Brownian motion with a drift, so the limit is raised to the power d.
enum BlockDependence {
  /// The autocorrelation from each run to the next that is always allowed for.
  static let autocorrelation = 0.3
  /// The variance of long sums grows by (1 + 0.3) / (1 - 0.3) = 1.86. Ranks come in steps, so somewhat
  /// more is needed to keep 5 % over 500 runs, see docs/history.md.
  static let least = 2.2
  /// The probability that the estimate is below the true factor.
  private static let risk = 0.01
  /// With fewer blocks a change and two unlike days cannot be told apart.
  static let fewestBlocks = 5

  /// Whether there are enough blocks. Alone, or all in one block, values have no other dependence than
  /// that on their neighbours.
  static func canTell(_ values: Int, inBlocks blocks: Int) -> Bool {
    blocks <= 1 || blocks >= min(values, fewestBlocks)
  }

  /// The factor d, at most that of blocks whose values are all equal; nil = too few blocks to tell.
  ///
  /// The estimate is the sum of squares of the blocks' sums of centred ranks, divided by that of the
  /// ranks, which is its mean over all orders. An upper confidence bound follows from a low quantile of
  /// chi-squared, with two degrees of freedom fewer for the levels before and after.
  /// - Parameters:
  ///   - values: in their order.
  ///   - change: the index of the first value after the supposed change.
  ///   - blocks: the block of each value.
  /// - Complexity: O(n log n).
  static func factor(of values: [Double], change: Int, blocks: [Int]) -> Double? {
    let order = blocks.indices.sorted { (blocks[$0], $0) < (blocks[$1], $1) }
    let ranks = centredRanks(residuals(values, change))
    var sums: [(sum: Double, count: Int)] = []
    for (position, index) in order.enumerated() {
      if position == 0 || blocks[index] != blocks[order[position - 1]] { sums.append((0, 0)) }
      sums[sums.count - 1].sum += ranks[index]
      sums[sums.count - 1].count += 1
    }
    guard sums.count > 1, sums.count < values.count else { return least }
    let squares = ranks.reduce(0) { $0 + $1 * $1 }
    guard canTell(values.count, inBlocks: sums.count),
      let gamma = Distributions.gammaQuantile(risk, shape: Double(sums.count - 2) / 2)
    else { return nil }
    guard squares > 0 else { return least }
    let between = sums.reduce(0) { $0 + $1.sum * $1.sum } / squares * Double(sums.count)
    let most = sums.reduce(0) { $0 + Double($1.count * $1.count) } / Double(values.count)
    return max(least, min(most, between / (2 * gamma)))
  }

  private static func residuals(_ values: [Double], _ change: Int) -> [Double] {
    let before = Sample.median(Array(values[..<change])) ?? 0
    let after = Sample.median(Array(values[change...])) ?? 0
    return values.indices.map { values[$0] - ($0 < change ? before : after) }
  }

  /// Equal values share their mean rank.
  private static func centredRanks(_ values: [Double]) -> [Double] {
    let order = values.indices.sorted { values[$0] < values[$1] }
    var ranks = [Double](repeating: 0, count: values.count)
    var start = 0
    while start < order.count {
      let end = order[start...].firstIndex { values[$0] != values[order[start]] } ?? order.count
      let rank = Double(start + end - order.count) / 2
      for index in order[start..<end] { ranks[index] = rank }
      start = end
    }
    return ranks
  }
}
