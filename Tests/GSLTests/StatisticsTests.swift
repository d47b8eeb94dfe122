import GSL
import Testing

// Expected figures: NumPy, `np.mean(s)`, `np.std(s, ddof=1)`, `np.quantile(s, q)`.
@Suite struct StatisticsTests {
  let sample = [2.5, -1.0, 4.0, 4.0, 10.25, 0.125, 3.0]

  @Test func moments() throws {
    #expect(abs(try #require(Statistics.mean(sample)) - 3.267857142857143) < 1e-14)
    let deviation = try #require(Statistics.standardDeviation(sample))
    #expect(abs(deviation - 3.6188371257708107) < 1e-14)
  }

  @Test(arguments: [
    (0, -1.0), (0.05, -0.6625), (0.5, 3.0), (0.9, 6.5), (0.95, 8.375), (1, 10.25),
  ])
  func quantile(fraction: Double, expected: Double) throws {
    let value = try #require(Statistics.quantile(fraction, ofSorted: sample.sorted()))
    #expect(abs(value - expected) < 1e-12)
  }

  @Test func tooLittleOrNotFinite() {
    #expect(Statistics.mean([]) == nil)
    #expect(Statistics.standardDeviation([1]) == nil)
    #expect(Statistics.quantile(0.5, ofSorted: []) == nil)
    #expect(Statistics.quantile(1.01, ofSorted: [1]) == nil)
    #expect(Statistics.quantile(.nan, ofSorted: [1]) == nil)
    #expect(Statistics.mean([1, .nan]) == nil)
    #expect(Statistics.standardDeviation([1, .infinity]) == nil)
    #expect(Statistics.mean([7]) == 7)
    #expect(Statistics.quantile(0.3, ofSorted: [7]) == 7)
  }
}
