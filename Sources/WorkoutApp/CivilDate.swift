import AppEngines

extension Workout {
  /// A date of the proleptic Gregorian calendar.
  struct CivilDate: Hashable {
    let year: Int
    let month: Int
    let day: Int

    /// - Parameter number: the number of days from 1970-01-01 (H. Hinnant, "chrono-Compatible
    ///   Low-Level Date Algorithms", civil_from_days): years start in March, so that the leap day
    ///   is their last.
    init(day number: Int64) {
      let (era, dayOfEra) = CivilDate.floored(number + 719_468, by: 146_097)
      let leapDays = dayOfEra / 1460 - dayOfEra / 36524 + dayOfEra / 146_096
      let yearOfEra = (dayOfEra - leapDays) / 365
      let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
      let shifted = (5 * dayOfYear + 2) / 153
      day = Int(dayOfYear - (153 * shifted + 2) / 5 + 1)
      month = Int(shifted + (shifted < 10 ? 3 : -9))
      year = Int(yearOfEra + era * 400) + (shifted >= 10 ? 1 : 0)
    }

    /// Returns the weekday: 1 = Sunday ... 7 = Saturday; 1970-01-01 was a Thursday.
    static func weekday(ofDay number: Int64) -> Int64 { floored(number + 4, by: 7).remainder + 1 }

    /// Returns the quotient and the remainder, which is never negative.
    static func floored(_ value: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
      let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
      return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
  }
}

extension Workout.Text {
  /// Returns ISO 8601 in UTC with milliseconds (truncated), e.g. `2024-03-10T09:59:59.250Z`.
  static func timestamp(_ time: WallTime) -> String {
    let (milliseconds, _) = Workout.CivilDate.floored(time.nanoseconds, by: 1_000_000)
    let (seconds, thousandths) = Workout.CivilDate.floored(milliseconds, by: 1000)
    let (days, second) = Workout.CivilDate.floored(seconds, by: 86_400)
    let date = Workout.CivilDate(day: days)
    let parts = [
      DecimalText.padded(Int64(date.year), 4), DecimalText.padded(Int64(date.month), 2),
      DecimalText.padded(Int64(date.day), 2),
    ]
    let clock = [second / 3600, second / 60 % 60, second % 60].map { DecimalText.padded($0, 2) }
    return parts.joined(separator: "-") + "T" + clock.joined(separator: ":")
      + "." + DecimalText.padded(thousandths, 3) + "Z"
  }
}
