import Pacing
import Testing
import TraceModel

/// A machine whose capacity varies from trial to trial.
private func noisy(
  limit: Int = 200_000, seed: UInt64, around center: Double, spread: Double
) -> CapacitySearch {
  var random = SeededGenerator(seed: seed)
  return CapacitySearch(limit: limit) { devices in
    Double(devices) <= center * (1 + spread * (2 * random.unit() - 1))
  }
}

@Suite struct CapacityEstimateTests {
  @Test(arguments: [1, 2, 7, 100, 999, 18_200, 99_999])
  func aSteadyMachineHasNoSpreadBeyondThePrecision(capacity: Int) throws {
    for first in [1, 100, 5000] {
      var search = CapacitySearch(limit: 200_000) { $0 <= capacity }
      let estimate = try search.repeated(from: first)
      #expect(estimate.found.count == 5)
      #expect(estimate.most <= capacity)
      #expect(Double(estimate.least) >= 0.95 * Double(capacity) - 1, "\(estimate.found)")
      #expect(estimate.trials.last == search.tried.count)
      // Each search ends with its number, valid three times in a row or found at once.
      for (found, trials) in zip(estimate.found, estimate.trials) {
        #expect(search.tried[..<trials].suffix(2) == [found, found])
      }
    }
  }

  @Test func laterSearchesAreShort() throws {
    var search = CapacitySearch(limit: 200_000) { $0 <= 18_200 }
    let trials = try search.repeated(from: 100).trials
    #expect(trials[0] > 15)
    #expect(zip(trials, trials.dropFirst()).allSatisfy { $1 - $0 <= 14 }, "\(trials)")
  }

  @Test func searchesTryDifferentNumbers() throws {
    var search = CapacitySearch(limit: 200_000) { $0 <= 18_200 }
    let estimate = try search.repeated(from: 100)
    #expect(Set(estimate.found).count >= 3, "\(estimate.found)")
  }

  /// The machine of the text: two searches on it differ by up to 1.4 times, and the range says so.
  @Test func theRangeGrowsWithTheNoise() throws {
    var ranges: [Double: Double] = [:]
    for spread in [0.0, 0.1, 0.3] {
      var sum = 0.0
      for seed: UInt64 in 0..<40 {
        var search = noisy(seed: seed, around: 10_000, spread: spread)
        let estimate = try search.repeated(from: 100)
        #expect(Double(estimate.most) <= 10_000 * (1 + spread))
        #expect(Double(estimate.least) >= 10_000 * (1 - spread) * 0.8, "\(estimate.found)")
        #expect(estimate.least <= estimate.capacity && estimate.capacity <= estimate.most)
        #expect(estimate.found.contains(estimate.capacity))
        sum += Double(estimate.most) / Double(estimate.least)
      }
      ranges[spread] = sum / 40
    }
    let (none, little, much) = (ranges[0] ?? 0, ranges[0.1] ?? 0, ranges[0.3] ?? 0)
    #expect(none < 1.06 && none + 0.02 < little && little + 0.05 < much, "\(ranges)")
  }

  /// The least and the most of five contain the median of the searches in 93.75 % of the cases, and
  /// the least is below it in 96.9 %.
  @Test func theBoundsCoverTheMedianOfManySearches() throws {
    var all: [Int] = []
    var estimates: [CapacityEstimate] = []
    for seed: UInt64 in 0..<200 {
      var search = noisy(seed: 1000 + seed, around: 10_000, spread: 0.2)
      let estimate = try search.repeated(from: 4000)
      estimates.append(estimate)
      all += estimate.found
    }
    let median = all.sorted()[all.count / 2]
    let covered = estimates.count { $0.least <= median && median <= $0.most }
    // 188 of 200 expected; four standard deviations are 14.
    #expect(covered >= 174, "\(covered)")
    // 194 of 200 expected; four standard deviations are 10.
    let bounded = estimates.count { $0.least <= median }
    #expect(bounded >= 184, "\(bounded)")
  }

  @Test func thereIsNothingToRepeatAtTheLimitOrAtZero() throws {
    var free = CapacitySearch(limit: 4) { _ in true }
    let most = try free.repeated(from: 1)
    #expect(free.tried == [1, 2, 4, 4, 4])
    #expect(most.found == [4] && most.isAtLimit)
    #expect(most.text == "at least 4 devices with 50.0 % confidence (1 search; no more were tried)")
    var none = CapacitySearch(limit: 100) { _ in false }
    let zero = try none.repeated(from: 8)
    #expect(zero.found == [0] && zero.capacity == 0 && zero.text == "0 devices (1 search)")
  }

  /// A search that reaches the limit might have found more: there is a lower bound only.
  @Test func atTheLimitThereIsNoUpperBound() throws {
    var trials = 0
    // The first search finds 800; the machine is faster afterwards.
    var search = CapacitySearch(limit: 1000) { devices in
      trials += 1
      return devices <= (trials <= 12 ? 820 : 5000)
    }
    let estimate = try search.repeated(from: 100)
    #expect(estimate.found.count == 5 && estimate.isAtLimit, "\(estimate.found)")
    #expect(estimate.least < 1000 && estimate.most == 1000, "\(estimate.found)")
    #expect(estimate.confidenceOfLeast == 0.96875 && estimate.confidenceOfRange == nil)
    #expect(estimate.text.contains("no more were tried); with 96.9 % confidence at least"))
  }

  @Test(arguments: [(1, 0.5, nil), (2, 0.75, 0.5), (3, 0.875, 0.75), (7, 0.9921875, 0.984375)])
  func fewerSearchesHaveLessConfidence(count: Int, least: Double, range: Double?) {
    var estimate = CapacityEstimate(first: 100, trials: 9, limit: 200_000)
    for search in 1..<count { estimate.add(100 + search, trials: 9 * (search + 1)) }
    #expect(estimate.confidenceOfLeast == least && estimate.confidenceOfRange == range)
  }

  @Test func aFailureEndsTheSearches() {
    struct Stopped: Error {}
    var trials = 0
    var search = CapacitySearch(limit: 1000) { devices in
      trials += 1
      if trials == 30 { throw Stopped() }
      return devices <= 300
    }
    #expect(throws: Stopped.self) { try search.repeated(from: 100) }
  }

  @Test func statesItsSpread() {
    var estimate = CapacityEstimate(first: 18_200, trials: 16, limit: 200_000)
    for (search, found) in [17_600, 18_900, 18_000, 18_400].enumerated() {
      estimate.add(found, trials: 25 + 9 * search)
    }
    #expect(
      estimate.text
        == "18,200 devices (17,600-18,900 in 5 searches); with 96.9 % confidence at least 17,600")
    #expect(estimate.confidenceOfLeast == 0.96875 && estimate.confidenceOfRange == 0.9375)
    #expect([0, 15, 16, 24, 25, 51].map(estimate.search(ofTrial:)) == [1, 1, 2, 2, 3, 5])
  }
}
