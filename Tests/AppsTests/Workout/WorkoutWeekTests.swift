import AppEngines
@testable import WorkoutApp
import Detectors
import Testing
import TraceModel

@Suite struct WorkoutWeekTests {
  /// Wednesday 2023-11-15 00:00 UTC; the bench's epoch is 22:13:20 on the day before.
  private static let wednesday: Int64 = 1_700_006_400
  private static let day: Int64 = 86_400

  private func week(_ seconds: Int64, first: Int = 1) throws -> Workout.CalendarWeek {
    try #require(
      FixedCalendar(firstWeekday: first).week(
        containing: WallTime(seconds: seconds), start: .calendar))
  }

  /// A run of 200 m on Tuesday, swims of 1000 m on Tuesday, Sunday before, and Saturday before that.
  private func bench(_ rules: WorkoutRules = .default) -> WorkoutBench {
    var bench = WorkoutBench(rules)
    bench.run()
    for days in [0, 2, 3] as [Int64] {
      let date = WallTime(seconds: 1_700_000_000 - days * Self.day)
      bench.act(.logSwim(WorkoutBench.form(date)), 200)
    }
    return bench
  }

  @Test func totalsOfTheWeekInTheOrderOfTheLabels() throws {
    var bench = bench()
    #expect(bench.engine.weekReport == nil)
    bench.act(.showWeek(try week(Self.wednesday)), 300)
    let report = try #require(bench.engine.weekReport)
    #expect(report.labels == ["run", "bike", "swim"])
    #expect(report.values == [0.1, 0, 2000])
    #expect(report.units == ["mi", "mi", "m"])
    #expect(report.dayLabels == ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"])
    #expect(report.days[2].values == [1000, 0, 1000, 0, 0, 0, 0])
    #expect(report.days[0].values == [0, 0, 0.1, 0, 0, 0, 0])
  }

  @Test func weekStartsWhereTheCalendarSays() throws {
    var bench = bench()
    bench.act(.showWeek(try week(Self.wednesday, first: 2)), 300)
    #expect(bench.engine.weekReport?.values == [0.1, 0, 1000])
    #expect(bench.engine.weekReport?.dayLabels.first == "Mon")
    let calendar = FixedCalendar(firstWeekday: 2)
    let time = WallTime(seconds: Self.wednesday)
    #expect(WorkoutRules.tri.weekStart == .sunday && WorkoutRules.default.weekStart == .calendar)
    #expect(calendar.week(containing: time, start: .sunday)?.days.first?.label == "Sun")
    #expect(calendar.week(containing: time, start: .calendar)?.days.first?.label == "Mon")
  }

  /// The original lists the week's runs again on each refresh, and adds the list to what it shows:
  /// 1, 3, 6, 10 times the runs. Rides, swims and the days are right.
  @Test(arguments: [(WorkoutRules.tri, [1.0, 3, 6, 10]), (.default, [1, 1, 1, 1])])
  func refreshing(rules: WorkoutRules, factors: [Double]) throws {
    var bench = WorkoutBench(rules)
    bench.start()
    bench.move(0...1000, from: 0, speed: 8)
    bench.act(.stop, 1000)
    bench.act(.save, 1000)
    bench.act(.logSwim(WorkoutBench.form()), 1000)
    let run = try #require(bench.engine.activities.first { $0.summary.sport == .run })
    let miles = run.summary.distance / rules.tracker.paceRule.metersPerMile
    for (refresh, factor) in factors.enumerated() {
      bench.act(.showWeek(try week(Self.wednesday)), 1001 + Double(refresh))
      let report = try #require(bench.engine.weekReport)
      #expect(report.values == [(miles * factor * 10).rounded() / 10, 0, 1000])
      #expect(report.values.count == report.labels.count)
      #expect(report.days[0].values[2] == (miles * 10).rounded() / 10)
    }
    // What changes shows at the next refresh only.
    bench.start(at: 2000)
    bench.move(2000...2500, from: 0, speed: 8)
    bench.act(.stop, 2500)
    bench.act(.save, 2500)
    let runs = try #require(bench.engine.weekReport).values[0]
    #expect((runs == (miles * 10 * 10).rounded() / 10) == (rules == .tri))
  }

  private func summary(
    _ user: String, _ number: Int, _ meters: Double, days: Int64 = 0
  ) -> Workout.Summary {
    Workout.Summary(
      id: Workout.ActivityID(
        creator: Workout.UserID(rawValue: user), installation: 2, number: number),
      creatorName: user, sport: .run,
      start: WallTime(seconds: 1_700_000_000 - days * Self.day), duration: 600, movingTime: 600,
      distance: meters)
  }

  /// How the user stacks up: the most distance first, equal ones by id, friends of whom nothing is
  /// known with nothing.
  @Test func standingAmongTheFriends() throws {
    var bench = WorkoutBench()
    let book = [("Bea", "2025550101"), ("Cyd", "2025550102")].map {
      Workout.Contact(name: $0.0, numbers: [$0.1])
    }
    #expect(bench.engine.weekStandings == [])
    bench.act(.contacts(book))
    bench.act(.showFeed(.mineAndFriends))
    let matches = try [("bea", "+12025550101"), ("cyd", "+12025550102")].map {
      Workout.Match(
        user: Workout.UserID(rawValue: $0.0), name: $0.0,
        number: try #require(PhoneNumber(rawValue: $0.1)))
    }
    let served = [
      summary("ann", 1, 2000), summary("bea", 1, 1500), summary("bea", 2, 1500),
      summary("cyd", 1, 9000, days: 7), summary("eve", 1, 99_000),
    ]
    bench.answer(bench.sent) { _ in .feed(served, matches) }
    bench.act(.showWeek(try week(Self.wednesday)), 1)
    let run = try #require(bench.engine.weekStandings.first)
    #expect(run.sport == .run && run.rank == 2)
    #expect(run.rows.map(\.name) == ["Bea", "ann", "Cyd"])
    #expect(run.rows.map(\.distance) == [3000, 2000, 0])
    #expect(bench.engine.weekStandings[1].rank == 1, "nobody has a ride")
    // The own feed alone does not forget the friends' week.
    bench.act(.showFeed(.mine), 2)
    bench.answer(bench.sent, 3) { _ in .feed([summary("ann", 1, 2000)], matches) }
    #expect(bench.engine.weekStandings.first == run)
    bench.act(.toggle(.run), 4)
    #expect(bench.engine.weekStandings.map(\.sport) == [.bike, .swim])
  }

  @Test func togglesTakeASportOut() throws {
    var bench = bench()
    bench.act(.showWeek(try week(Self.wednesday)), 300)
    bench.act(.toggle(.run), 301)
    #expect(bench.effects == [.weekChanged])
    #expect(bench.engine.weekReport?.labels == ["bike", "swim"])
    #expect(bench.engine.weekReport?.values == [0, 2000])
    #expect(bench.engine.weekReport?.days.map(\.sport) == [.bike, .swim])
    bench.act(.toggle(.swim), 301)
    bench.act(.toggle(.bike), 301)
    #expect(bench.engine.weekReport?.values == [])
    bench.act(.toggle(.run), 301)
    #expect(bench.engine.weekReport?.labels == ["run"])
  }

  @Test func unitsAreMilesAndMetersForSwims() throws {
    var bench = WorkoutBench()
    bench.start(.bike)
    bench.move(0...1000, from: 0, speed: 8)
    bench.act(.stop, 1000)
    bench.act(.save, 1000)
    bench.act(.logSwim(WorkoutBench.form(laps: 3, length: 33.3)), 1000)
    bench.act(.showWeek(try week(Self.wednesday)), 1001)
    #expect(bench.engine.weekReport?.values == [0, 5, 100])
    #expect(bench.engine.weekReport?.units == ["mi", "mi", "m"])
  }

  /// Midnight is the next day's, and that of the week's end the next week's.
  @Test func midnightBelongsToTheNextDay() throws {
    var bench = WorkoutBench()
    let week = try week(Self.wednesday - 7 * Self.day)
    let times = [week.days[0].start, week.days[3].start, try #require(week.days.last).end]
    for time in times { bench.act(.logSwim(WorkoutBench.form(time))) }
    bench.act(.logSwim(WorkoutBench.form(week.days[0].start.advanced(byNanoseconds: -1))))
    bench.act(.showWeek(week))
    #expect(bench.engine.weekReport?.values == [0, 0, 2000])
    #expect(bench.engine.weekReport?.days[2].values == [1000, 0, 0, 1000, 0, 0, 0])
  }

  @Test func newActivitiesShowInTheWeek() throws {
    var bench = WorkoutBench()
    bench.act(.showWeek(try week(Self.wednesday)))
    bench.act(.logSwim(WorkoutBench.form()), 1)
    #expect(bench.effects.contains(.weekChanged))
    #expect(bench.engine.weekReport?.values == [0, 0, 1000])
  }

  @Test func friendsDoNotCount() throws {
    var bench = WorkoutBench()
    bench.act(.showWeek(try week(Self.wednesday)))
    bench.act(.contacts([Workout.Contact(name: "Bea", numbers: ["2025550101"])]))
    bench.act(.showFeed(.mineAndFriends))
    let id = {
      Workout.ActivityID(creator: Workout.UserID(rawValue: $0), installation: 2, number: 1)
    }
    let summaries = ["ann", "bea"].map {
      Workout.Summary(
        id: id($0), creatorName: $0, sport: .swim, start: WorkoutBench.epoch, duration: 60,
        movingTime: 60, distance: 100)
    }
    let match = Workout.Match(
      user: Workout.UserID(rawValue: "bea"), name: "bea",
      number: try #require(PhoneNumber(rawValue: "+12025550101")))
    bench.answer(bench.sent) { _ in .feed(summaries, [match]) }
    #expect(bench.engine.feed.count == 2)
    #expect(bench.engine.weekReport?.values == [0, 0, 100], "mine from another phone counts")
  }

  @Test func whatIsNoWeekIsRefused() throws {
    var bench = WorkoutBench()
    var week = try week(Self.wednesday)
    week.days[3].end = week.days[3].start
    #expect(bench.act(.showWeek(week)) == "invalid-week")
    #expect(bench.act(.showWeek(Workout.CalendarWeek(days: []))) == "invalid-week")
    #expect(bench.engine.week == nil)
  }

  /// Every first weekday, zone and day of some years: seven days, the asked one among them.
  @Test func fixedCalendarsWeeksHoldTheirDay() throws {
    for first in 1...7 {
      for offset in [-43_200, 0, 3600, 45_900] {
        let calendar = FixedCalendar(firstWeekday: first, offset: offset)
        for day in stride(from: -40_000, to: 40_000, by: 997) as StrideTo<Int64> {
          let time = WallTime(seconds: day * Self.day + 12_345)
          let week = try #require(calendar.week(containing: time, start: .calendar))
          #expect(week.days.count == 7 && week.days.count { $0.contains(time) } == 1)
          let labels = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
          #expect(week.days[0].label == labels[first - 1])
        }
      }
    }
    #expect(FixedCalendar().week(containing: WallTime(nanoseconds: .max), start: .calendar) == nil)
    #expect(FixedCalendar().week(containing: WallTime(nanoseconds: .min), start: .calendar) == nil)
  }

  @Test func datesAreTheCalendars() throws {
    let leapDay = try week(1_709_164_800).days[4]
    #expect((leapDay.year, leapDay.month, leapDay.day) == (2024, 2, 29))
    #expect(leapDay.label == "Thu" && leapDay.start == WallTime(seconds: 1_709_164_800))
    let new = try week(1_735_689_600).days[3]
    #expect((new.year, new.month, new.day) == (2025, 1, 1))
  }
}
