import TestSupport
import Testing

@testable import Scoring

@Suite struct DayRateTests {
  private func run(
    _ subject: String, _ activity: String, _ count: Int, _ hours: Double
  )
    -> DayRate.Run
  { (subject, activity, PoissonRate(count: count, hours: hours)) }

  private func profile(_ parts: KeyValuePairs<String, Double>) -> DayProfile {
    DayProfile(name: "p", parts: parts.map { .init(activity: $0.key, hours: $0.value) })
  }

  /// With one activity it is the interval of a rate, times its hours.
  @Test func oneActivity() throws {
    let (counts, hours) = ([3, 0, 11, 4], [1.0, 0.5, 2, 1])
    let runs = (0..<4).map { run("s\($0)", "walking", counts[$0], hours[$0]) }
    for population in IntervalMethod.Population.allCases {
      let day = DayRate(profile(["walking": 2]), of: runs, about: population)
      let parts = runs.map(\.rate)
      let rate =
        population == .newPeople
        ? Estimate(parts, of: .people) : Estimate(PoissonRate(count: 18, hours: 4.5))
      #expect(day.estimate.value == 8 && day.estimate.method?.population == population)
      let (found, expected) = try (
        #require(day.estimate.interval), #require(rate.interval)
      )
      #expect(abs(found.lower - 2 * expected.lower) < 1e-9 * expected.lower)
      #expect(abs(found.upper - 2 * expected.upper) < 1e-9 * expected.upper)
    }
  }

  @Test func unknownIsNotZero() {
    let runs =
      ["a", "b", "c"].flatMap { [run($0, "walking", 2, 1), run($0, "climbing", 9, 1)] }
      + [run("a", "sitting", 1, 4), run("b", "resting", 5, 0)]
    let day = DayRate(
      profile(["walking": 1, "sleeping": 9, "sitting": 10, "resting": 1, "flying": 0]), of: runs)
    // 1 h of 2 per hour, 10 h of 0.25 per hour
    #expect(day.estimate.value == 4.5 && day.knownHours == 11 && day.unknownHours == 13)
    #expect(day.unknown.map(\.activity) == ["sleeping", "resting"] && day.unlistedHours == 3)
    #expect(day.unlisted == ["climbing"])
    // Sitting is known from one person: nothing about new ones.
    #expect(day.sparse == ["sitting"] && day.estimate.method == .fayFeuer)
    let nothing = DayRate(profile(["sleeping": 9]), of: runs)
    #expect(nothing.estimate.value == nil && nothing.estimate.interval == nil)
    #expect(nothing.unknownHours == 24)
  }

  @Test func withoutAFalseAlarm() throws {
    let runs = ["a", "b", "c"].flatMap { [run($0, "walking", 0, 1), run($0, "sitting", 0, 2)] }
    let day = DayRate(profile(["walking": 3, "sitting": 12]), of: runs)
    let interval = try #require(day.estimate.interval)
    // The largest weight: 12 h by 6 h, times the 3.6889 of no event, times the dispersion of 1.2 and
    // the squared ratio of Student's quantile at 5 degrees of freedom and the normal one.
    let factor = 1.2 * 1.720_151_45
    #expect(interval.lower == 0 && abs(interval.upper - 2 * 3.688_879_454 * factor) < 1e-5)
  }

  /// Somebody with many false alarms in one activity has many in the other: taken apart, the
  /// activities would look more certain than they are.
  @Test func residualsOfAPersonAreAdded() throws {
    let counts = [1, 4, 9, 2, 20, 5]
    func day(_ order: [Int]) -> DayRate {
      DayRate(
        profile(["walking": 1, "sitting": 1]),
        of: (0..<6).flatMap {
          [
            run("s\($0)", "walking", counts[$0], 1),
            run("s\($0)", "sitting", counts[order[$0]], 1),
          ]
        })
    }
    let together = try #require(day([0, 1, 2, 3, 4, 5]).estimate.interval)
    let opposed = try #require(day([4, 2, 1, 5, 0, 3]).estimate.interval)
    #expect(together.upper - together.lower > 1.4 * (opposed.upper - opposed.lower))
  }

  /// People whose rates differ and go together over activities; not everybody is in each.
  @Test(.longer, arguments: [(8, 0.5), (12, 1.0)]) func coverage(people: Int, variation: Double) {
    let sets = LongTests.count(quick: 150, long: 4000)
    var draws = Draws(seed: 21)
    let (rates, hours) = ([20.0, 2, 6], [1.5, 12, 3])
    let truth = zip(rates, hours).reduce(0) { $0 + $1.0 * $1.1 }
    let day = profile(["a": hours[0], "b": hours[1], "c": hours[2]])
    let names = ["a", "b", "c"]
    let covered = (0..<sets).count { _ in
      let runs = (0..<people).flatMap { person -> [DayRate.Run] in
        let own = draws.gamma(mean: 1, variation: variation)
        return (0..<3).filter { ($0 + person) % 4 != 0 }.map { activity in
          let time = 0.5 + 0.25 * Double((person + activity) % 4)
          let mean = own * rates[activity] * time
          return run("s\(person)", names[activity], draws.poisson(mean), time)
        }
      }
      let interval = DayRate(day, of: runs).estimate.interval
      return interval.map { $0.lower <= truth && truth <= $0.upper } ?? false
    }
    let share = Double(covered) / Double(sets)
    let error = (0.95 * 0.05 / Double(sets)).squareRoot()
    print("day rate of \(people) people, CV \(variation): \(share)")
    #expect(share >= 0.93 - 3 * error)
  }
}
