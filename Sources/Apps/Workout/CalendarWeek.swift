extension Workout {
  /// On which day a week starts.
  public enum WeekStart: String, CaseIterable, Hashable, Sendable, Codable {
    /// On the day on which the person's calendar starts it.
    case calendar
    case sunday
  }

  /// A day of the calendar: from midnight to midnight, which is 23 or 25 hours where the clock is
  /// changed.
  public struct CalendarDay: Hashable, Sendable, Codable {
    public var year: Int
    /// 1...12.
    public var month: Int
    /// 1...31.
    public var day: Int
    /// Short, in the person's language, e.g. `Sun`.
    public var label: String
    public var start: WallTime
    /// The next day's start, which is not part of the day.
    public var end: WallTime

    public init(
      year: Int, month: Int, day: Int, label: String, start: WallTime, end: WallTime
    ) {
      self.year = year
      self.month = month
      self.day = day
      self.label = label
      self.start = start
      self.end = end
    }

    public func contains(_ time: WallTime) -> Bool { start <= time && time < end }
  }

  /// Seven days in a row.
  public struct CalendarWeek: Hashable, Sendable, Codable {
    public var days: [CalendarDay]

    public init(days: [CalendarDay]) {
      self.days = days
    }

    var fault: Refusal? {
      guard days.count == 7, days.allSatisfy({ $0.start < $0.end }),
        zip(days, days.dropFirst()).allSatisfy({ $0.end == $1.start })
      else { return Refusal("invalid-week", "A week is seven days, one after the other.") }
      return nil
    }
  }
}

/// Where the days of the person's weeks begin. The system's calendar knows it: AppIO has one.
public protocol WorkoutCalendar: Sendable {
  /// - Returns: nil where the calendar does not reach that far.
  func week(containing time: WallTime, start: Workout.WeekStart) -> Workout.CalendarWeek?
}

/// The Gregorian calendar at a fixed distance from UTC, for places without a system's calendar.
public struct FixedCalendar: WorkoutCalendar, Hashable {
  /// 1 = Sunday ... 7 = Saturday.
  public let firstWeekday: Int
  /// Seconds east of UTC.
  public let offset: Int

  private static let labels = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let dayLength: Int64 = 86_400

  /// - Parameters:
  ///   - firstWeekday: 1 = Sunday ... 7 = Saturday.
  ///   - offset: seconds east of UTC, within a day.
  public init(firstWeekday: Int = 1, offset: Int = 0) {
    precondition((1...7).contains(firstWeekday) && abs(offset) < 86_400)
    self.firstWeekday = firstWeekday
    self.offset = offset
  }

  public func week(
    containing time: WallTime, start: Workout.WeekStart
  ) -> Workout.CalendarWeek? {
    // Of the first and the last fortnight of the axis not every day can be told.
    let margin = 14 * FixedCalendar.dayLength * 1_000_000_000
    guard time.nanoseconds > .min + margin, time.nanoseconds < .max - margin else { return nil }
    let first = start == .sunday ? 1 : firstWeekday
    let local =
      Workout.CivilDate.floored(time.nanoseconds, by: 1_000_000_000).quotient + Int64(offset)
    let today = Workout.CivilDate.floored(local, by: FixedCalendar.dayLength).quotient
    let since = Workout.CivilDate.floored(
      Workout.CivilDate.weekday(ofDay: today) - Int64(first), by: 7
    ).remainder
    return Workout.CalendarWeek(days: (0..<7).map { day(today - since + $0) })
  }

  private func day(_ number: Int64) -> Workout.CalendarDay {
    let date = Workout.CivilDate(day: number)
    let start = number * FixedCalendar.dayLength - Int64(offset)
    return Workout.CalendarDay(
      year: date.year, month: date.month, day: date.day,
      label: FixedCalendar.labels[Int(Workout.CivilDate.weekday(ofDay: number)) - 1],
      start: WallTime(seconds: start), end: WallTime(seconds: start + FixedCalendar.dayLength))
  }
}
