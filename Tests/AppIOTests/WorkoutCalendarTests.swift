import AppIO
import AppEngines
@testable import WorkoutApp
import TestSupport
import Testing
import TraceModel

@Suite struct WorkoutCalendarTests {
  private struct Figures: Decodable {
    var weeks: [Week]
  }

  /// When each of the seven days of a time's week begins, and the next week.
  private struct Week: Decodable {
    var locale: String
    var zone: String
    var time: Int64
    var date: String
    var starts: [Int64]
  }

  /// Python's `calendar` and `zoneinfo`: `Tests/Fixtures/workout_figures.py`.
  @Test func weeksAreThoseOfPython() throws {
    let weeks = try Fixtures.read("workout_figures.json", as: Figures.self).weeks
    #expect(weeks.count == 8)
    for expected in weeks { try check(expected) }
  }

  private func check(_ expected: Week) throws {
    let isISO = expected.locale == "iso"
    let time = WallTime(seconds: expected.time)
    let calendar = try #require(
      SystemCalendar(
        locale: isISO ? "en_US" : expected.locale, timeZone: expected.zone, isISO8601: isISO))
    let week = try #require(calendar.week(containing: time, start: .calendar), "\(expected)")
    let starts = expected.starts.map(WallTime.init(seconds:))
    #expect(week.days.map(\.start) + [week.days[6].end] == starts, "\(expected)")
    let first = week.days[0]
    let parts = expected.date.split(separator: "-").compactMap { Int($0) }
    #expect([first.year, first.month, first.day] == parts, "\(expected)")
    #expect(week.days.count { $0.contains(time) } == 1, "\(expected)")
  }

  @Test(arguments: [
    ("en_US", false, "Sun"), ("de_DE", false, "Mo."), ("en_US", true, "Mon"),
    ("fr_FR", false, "lun."),
  ])
  func namesAndFirstDaysAreTheLocales(locale: String, isISO: Bool, label: String) throws {
    let calendar = try #require(
      SystemCalendar(locale: locale, timeZone: "Europe/Berlin", isISO8601: isISO))
    let time = WallTime(seconds: 1_710_259_200)
    let week = try #require(calendar.week(containing: time, start: .calendar))
    #expect(week.days[0].label == label)
    // The preset's weeks start on Sunday with any calendar.
    let sunday = try #require(calendar.week(containing: time, start: .sunday))
    #expect(sunday.days[0].day == 10)
  }

  /// Where nothing changes the clocks, the system's weeks are those of plain arithmetic.
  @Test func agreesWithTheFixedCalendar() throws {
    let system = try #require(SystemCalendar(locale: "en_US", timeZone: "UTC"))
    let fixed = FixedCalendar()
    for day in stride(from: -20_000, to: 30_000, by: 331) as StrideTo<Int64> {
      let time = WallTime(seconds: day * 86_400 + 3_599)
      #expect(
        system.week(containing: time, start: .calendar)
          == fixed.week(containing: time, start: .calendar))
    }
  }

  /// The last nanosecond of a week is its own, before 1970 and after.
  @Test(arguments: [1_710_028_800, -318_600_000] as [Int64])
  func lastNanosecondBelongsToItsWeek(near seconds: Int64) throws {
    let calendar = try #require(SystemCalendar(locale: "en_US", timeZone: "UTC"))
    let week = try #require(
      calendar.week(containing: WallTime(seconds: seconds), start: .calendar))
    let end = try #require(week.days.last?.end)
    let last = end.advanced(byNanoseconds: -1)
    #expect(calendar.week(containing: last, start: .calendar) == week)
    #expect(calendar.week(containing: end, start: .calendar)?.days.first?.start == end)
  }

  /// A day of 23 and one of 25 hours: an activity late on it counts on it.
  @Test func lateActivitiesCountOnTheirDay() throws {
    let calendar = try #require(SystemCalendar(locale: "en_US", timeZone: "America/New_York"))
    for (start, hours) in [(1_710_046_800, 23), (1_730_606_400, 25)] as [(Int64, Int64)] {
      let late = WallTime(seconds: start + hours * 3600 - 1)
      let week = try #require(calendar.week(containing: late, start: .calendar))
      var engine = WorkoutEngine(
        user: Workout.UserID(rawValue: "ann"), name: "ann",
        number: try #require(PhoneNumber(rawValue: "+12025550100")), region: .unitedStates,
        installation: 1, epoch: WallTime(seconds: 1_760_000_000))
      var effects: [WorkoutEngine.Effect] = []
      let form = Workout.SwimForm(date: late, lapLength: 50, laps: 20, minutes: 30)
      try engine.handle(.logSwim(form), at: .zero, into: &effects)
      try engine.handle(.showWeek(week), at: .zero, into: &effects)
      #expect(engine.weekReport?.days[2].values == [1000, 0, 0, 0, 0, 0, 0])
    }
  }

  @Test func endsOfTimeHaveNoWeekAndZonesExist() throws {
    #expect(SystemCalendar(locale: "en_US", timeZone: "Atlantis/Capital") == nil)
    let calendar = try #require(SystemCalendar(locale: "en_US", timeZone: "UTC"))
    for time in [Int64.min, .max] {
      #expect(calendar.week(containing: WallTime(nanoseconds: time), start: .calendar) == nil)
    }
  }
}
