import AppIO
import Apps
import Testing
import TraceModel

@Suite struct WorkoutCalendarTests {
  /// Made by `Tests/Python/make_workout_figures.py` with Python's `calendar` and `zoneinfo`
  /// (tzdata 2026.6): locale, zone, a time, the date of its week's first day, and when each of the
  /// seven days and the next week begin. Weeks with a change of the clocks (New York, Berlin, half
  /// an hour on Lord Howe, midnights that are skipped in São Paulo and Cairo), and across a year.
  static let weeks: [(String, String, Int64, String, [Int64])] = [
    (
      "en_US", "America/New_York", 1_710_259_200, "2024-03-10",
      [
        1710046800, 1710129600, 1710216000, 1710302400, 1710388800, 1710475200, 1710561600,
        1710648000,
      ]
    ),
    (
      "en_US", "America/New_York", 1_730_611_800, "2024-11-03",
      [
        1730606400, 1730696400, 1730782800, 1730869200, 1730955600, 1731042000, 1731128400,
        1731214800,
      ]
    ),
    (
      "de_DE", "Europe/Berlin", 1_711_922_340, "2024-03-25",
      [
        1711321200, 1711407600, 1711494000, 1711580400, 1711666800, 1711753200, 1711839600,
        1711922400,
      ]
    ),
    (
      "de_DE", "Europe/Berlin", 1_729_980_000, "2024-10-21",
      [
        1729461600, 1729548000, 1729634400, 1729720800, 1729807200, 1729893600, 1729980000,
        1730070000,
      ]
    ),
    (
      "iso", "Australia/Lord_Howe", 1_712_453_400, "2024-04-01",
      [
        1711890000, 1711976400, 1712062800, 1712149200, 1712235600, 1712322000, 1712408400,
        1712496600,
      ]
    ),
    (
      "en_US", "America/Sao_Paulo", 1_541_426_400, "2018-11-04",
      [
        1541300400, 1541383200, 1541469600, 1541556000, 1541642400, 1541728800, 1541815200,
        1541901600,
      ]
    ),
    (
      "ar_EG", "Africa/Cairo", 1_714_167_000, "2024-04-27",
      [
        1714165200, 1714251600, 1714338000, 1714424400, 1714510800, 1714597200, 1714683600,
        1714770000,
      ]
    ),
    (
      "de_DE", "Europe/Berlin", 1_735_686_000, "2024-12-30",
      [
        1735513200, 1735599600, 1735686000, 1735772400, 1735858800, 1735945200, 1736031600,
        1736118000,
      ]
    ),
  ]

  @Test(arguments: weeks.indices) func weeksAreThoseOfPython(index: Int) throws {
    let (locale, zone, time, date, starts) = Self.weeks[index]
    let calendar = try #require(
      SystemCalendar(
        locale: locale == "iso" ? "en_US" : locale, timeZone: zone, isISO8601: locale == "iso"))
    let week = try #require(
      calendar.week(containing: WallTime(seconds: time), start: .calendar))
    #expect(week.days.map(\.start) + [week.days[6].end] == starts.map(WallTime.init(seconds:)))
    let first = week.days[0]
    let parts = date.split(separator: "-").compactMap { Int($0) }
    #expect([first.year, first.month, first.day] == parts)
    #expect(week.days.count { $0.contains(WallTime(seconds: time)) } == 1)
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
