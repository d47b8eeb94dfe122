import Testing

@testable import Scoring

@Suite struct BlockDependenceTests {
  /// Digits of pi.
  private static let values: [Double] = [
    3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4, 6, 2, 6, 4, 3, 3, 8, 3, 2, 7, 9, 5,
    0, 2, 8, 8, 4, 1, 9, 7,
  ]

  private func factor(_ change: Int, _ block: (Int) -> Int) -> Double? {
    BlockDependence.factor(
      of: Self.values, change: change, blocks: Self.values.indices.map(block))
  }

  /// SciPy 1.15.3, with `r` the distances from the medians before and after, `b` the blocks:
  /// u = rankdata(r) - 20.5; s = bincount(b, u); (s @ s) / (u @ u) * 10 / chi2.ppf(0.01, 8)
  @Test(arguments: [(20, 3.9357567143954277), (13, 3.6230425449648846)])
  func agreesWithSciPy(change: Int, expected: Double) throws {
    let found = try #require(factor(change) { $0 % 10 })
    #expect(abs(found - expected) < 1e-9, "\(found)")
  }

  @Test func itsLimits() {
    // Alone, or all in one block.
    for block in [{ $0 }, { _ in 1 }] as [(Int) -> Int] {
      #expect(factor(20, block) == BlockDependence.least)
    }
    // Few blocks: two unlike days look like a change.
    #expect(factor(20) { $0 / 10 } == nil && factor(20) { $0 / 8 } != nil)
    // Blocks of equal values need as much evidence as if each were one value.
    let days: [Double] = [3, 9, 4, 8, 1, 7, 2, 6].flatMap { [Double](repeating: $0, count: 5) }
    let blocks = days.indices.map { $0 / 5 }
    #expect(BlockDependence.factor(of: days, change: 20, blocks: blocks) == 5)
    let constant = [Double](repeating: 1, count: 40)
    #expect(
      BlockDependence.factor(of: constant, change: 20, blocks: blocks) == BlockDependence.least)
  }
}
