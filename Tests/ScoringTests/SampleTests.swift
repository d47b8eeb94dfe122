import Scoring
import Testing

// Expected figures: NumPy, `np.mean(s)`, `np.std(s, ddof=1)`, `np.quantile(s, q)`.
@Suite struct SampleTests {
  let sample = [2.5, -1.0, 4.0, 4.0, 10.25, 0.125, 3.0]

  @Test func moments() throws {
    #expect(abs(try #require(Sample.mean(sample)) - 3.267857142857143) < 1e-14)
    let deviation = try #require(Sample.standardDeviation(sample))
    #expect(abs(deviation - 3.6188371257708107) < 1e-14)
  }

  @Test(arguments: [
    (0, -1.0), (0.05, -0.6625), (0.5, 3.0), (0.9, 6.5), (0.95, 8.375), (1, 10.25),
  ])
  func quantile(fraction: Double, expected: Double) throws {
    let value = try #require(Sample.quantile(fraction, ofSorted: sample.sorted()))
    #expect(abs(value - expected) < 1e-12)
  }

  @Test func tooLittleOrNotFinite() {
    #expect(Sample.mean([]) == nil)
    #expect(Sample.standardDeviation([1]) == nil)
    #expect(Sample.quantile(0.5, ofSorted: []) == nil)
    #expect(Sample.quantile(1.01, ofSorted: [1]) == nil)
    #expect(Sample.quantile(.nan, ofSorted: [1]) == nil)
    #expect(Sample.mean([1, .nan]) == nil)
    #expect(Sample.standardDeviation([1, .infinity]) == nil)
    #expect(Sample.mean([7]) == 7)
    #expect(Sample.quantile(0.3, ofSorted: [7]) == 7)
  }
}
