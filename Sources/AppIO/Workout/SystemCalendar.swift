public import AppEngines
public import WorkoutApp
import Foundation

/// The days and weeks of a person's calendar, language and time zone, from Foundation: the locale
/// determines the first day of the week, and the time zone the length of days.
public struct SystemCalendar: WorkoutCalendar {
  private let calendar: Calendar

  /// - Parameters:
  ///   - locale: e.g. `de_DE`: determines the names of the days and the first day of the week.
  ///   - timeZone: e.g. `Europe/Berlin`.
  ///   - isISO8601: whether weeks start on Monday in any locale.
  /// - Returns: nil if there is no such time zone.
  public init?(locale: String, timeZone: String, isISO8601: Bool = false) {
    guard let zone = TimeZone(identifier: timeZone) else { return nil }
    // A locale may have another calendar (th_TH the Buddhist one). Its weeks are the same; the year
    // here is the Gregorian one, for programs.
    var calendar = Calendar(identifier: isISO8601 ? .iso8601 : .gregorian)
    let locale = Locale(identifier: locale)
    calendar.locale = locale
    calendar.timeZone = zone
    calendar.firstWeekday = isISO8601 ? 2 : locale.calendar.firstWeekday
    self.calendar = calendar
  }

  /// - Returns: nil also within two weeks of the ends of the range of ``WallTime``.
  public func week(containing time: WallTime, start: Workout.WeekStart) -> Workout.CalendarWeek? {
    // Use integers: as a Double, the last nanoseconds before midnight would be the next day.
    let (seconds, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let date = Date(timeIntervalSince1970: Double(rest < 0 ? seconds - 1 : seconds))
    let first = start == .sunday ? 1 : calendar.firstWeekday
    let midnight = calendar.startOfDay(for: date)
    let weekday = calendar.component(.weekday, from: midnight)
    let before = (weekday - first + 7) % 7
    guard let firstDay = calendar.date(byAdding: .day, value: -before, to: midnight) else {
      return nil
    }
    // Step day by day: if the clock is set forward at midnight, a day starts at one.
    let starts = (0...7).compactMap {
      calendar.date(byAdding: .day, value: $0, to: firstDay).map(calendar.startOfDay(for:))
    }
    guard starts.count == 8 else { return nil }
    let days = zip(starts, starts.dropFirst()).compactMap { day($0, end: $1) }
    return days.count == 7 ? Workout.CalendarWeek(days: days) : nil
  }

  private func day(_ start: Date, end: Date) -> Workout.CalendarDay? {
    guard let startTime = wall(start), let endTime = wall(end) else { return nil }
    let parts = calendar.dateComponents([.year, .month, .day, .weekday], from: start)
    guard let year = parts.year, let month = parts.month, let day = parts.day,
      let weekday = parts.weekday
    else { return nil }
    let names = calendar.shortWeekdaySymbols
    return Workout.CalendarDay(
      year: year, month: month, day: day,
      label: names.indices.contains(weekday - 1) ? names[weekday - 1] : "\(weekday)",
      start: startTime, end: endTime)
  }

  /// Returns nil outside the range.
  private func wall(_ date: Date) -> WallTime? {
    let seconds = date.timeIntervalSince1970
    guard abs(seconds) < 9.2e9 else { return nil }
    return WallTime(seconds: Int64(seconds))
  }
}
