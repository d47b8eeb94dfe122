import Testing
import TraceModel

// Expected figures: NumPy, `np.mean(s)`, `np.std(s, ddof=1)`, `np.quantile(s, q)`, `np.median(s)`.
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

  @Test func medians() {
    #expect(Sample.median(sample) == 3)
    #expect(Sample.median(Array(sample.dropLast())) == 3.25)
    #expect(Sample.median([7]) == 7)
    #expect(Sample.median([]) == nil)
    // Nor does the sum of the two in the middle overflow.
    #expect(Sample.median([1e308, 1.5e308]) == 1.25e308)
  }

  @Test(arguments: [
    ([7], 50, 7), ([7], 99, 7), ([1, 2], 50, 1), ([1, 2, 4, 8], 50, 2), ([1, 2, 4, 8], 51, 4),
    (Array(1...100), 99, 99), (Array(1...101), 99, 100), (Array(1...250), 90, 225),
    (Array(1...250), 100, 250),
  ])
  func nearestRanks(sample: [Int], percent: Int, expected: Int) {
    #expect(nearestRank(percent, ofSorted: sample) == expected)
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
