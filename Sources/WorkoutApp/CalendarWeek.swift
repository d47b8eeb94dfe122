public import AppEngines
import TraceModel

extension Workout {
  public enum WeekStart: String, CaseIterable, Hashable, Sendable, Codable {
    /// The first day of the week in the person's calendar.
    case calendar
    case sunday
  }

  /// A day of the calendar, from midnight to midnight: 23 or 25 hours when the clock changes.
  public struct CalendarDay: Hashable, Sendable, Codable {
    public var year: Int
    /// The month, 1...12.
    public var month: Int
    /// The day, 1...31.
    public var day: Int
    /// The short name in the person's language, e.g. `Sun`.
    public var label: String
    public var start: WallTime
    /// The end of the day, exclusive: the start of the next day.
    public var end: WallTime

    public init(year: Int, month: Int, day: Int, label: String, start: WallTime, end: WallTime) {
      (self.year, self.month, self.day) = (year, month, day)
      (self.label, self.start, self.end) = (label, start, end)
    }

    public func contains(_ time: WallTime) -> Bool { start <= time && time < end }
  }

  /// Seven days in a row.
  public struct CalendarWeek: Hashable, Sendable, Codable {
    public var days: [CalendarDay]

    public init(days: [CalendarDay]) { self.days = days }

    var fault: Refusal? {
      guard days.count == 7, days.allSatisfy({ $0.start < $0.end }),
        zip(days, days.dropFirst()).allSatisfy({ $0.end == $1.start })
      else { return Refusal("invalid-week", "A week must have seven consecutive days.") }
      return nil
    }
  }
}

/// A calendar with the start of days and weeks. AppIO has one for the system's calendar.
public protocol WorkoutCalendar: Sendable {
  /// - Returns: nil if the calendar does not cover the time.
  func week(containing time: WallTime, start: Workout.WeekStart) -> Workout.CalendarWeek?
}

/// The Gregorian calendar at a fixed offset from UTC, for platforms without a system calendar.
public struct FixedCalendar: WorkoutCalendar, Hashable {
  public let firstWeekday: Int
  public let offset: Int

  private static let labels = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let dayLength: Int64 = 86_400

  /// - Parameters:
  ///   - firstWeekday: the first weekday: 1 = Sunday ... 7 = Saturday.
  ///   - offset: seconds east of UTC, within a day.
  public init(firstWeekday: Int = 1, offset: Int = 0) {
    precondition((1...7).contains(firstWeekday) && abs(offset) < 86_400)
    self.firstWeekday = firstWeekday
    self.offset = offset
  }

  public func week(containing time: WallTime, start: Workout.WeekStart) -> Workout.CalendarWeek? {
    // Not every day of the first and the last two weeks of the axis can be represented.
    let margin = 14 * FixedCalendar.dayLength * 1_000_000_000
    guard time.nanoseconds > .min + margin, time.nanoseconds < .max - margin else { return nil }
    let first = start == .sunday ? 1 : firstWeekday
    let local = CivilTime.floored(time.nanoseconds, by: 1_000_000_000).quotient + Int64(offset)
    let today = CivilTime.floored(local, by: FixedCalendar.dayLength).quotient
    let since = CivilTime.floored(
      FixedCalendar.weekday(ofDay: today) - Int64(first), by: 7
    ).remainder
    return Workout.CalendarWeek(days: (0..<7).map { day(today - since + $0) })
  }

  /// Returns the weekday: 1 = Sunday ... 7 = Saturday; 1970-01-01 was a Thursday.
  private static func weekday(ofDay number: Int64) -> Int64 {
    CivilTime.floored(number + 4, by: 7).remainder + 1
  }

  private func day(_ number: Int64) -> Workout.CalendarDay {
    let (year, month, day) = CivilTime.civil(fromDays: number)
    let start = number * FixedCalendar.dayLength - Int64(offset)
    return Workout.CalendarDay(
      year: Int(year), month: Int(month), day: Int(day),
      label: FixedCalendar.labels[Int(FixedCalendar.weekday(ofDay: number)) - 1],
      start: WallTime(seconds: start), end: WallTime(seconds: start + FixedCalendar.dayLength))
  }
}
