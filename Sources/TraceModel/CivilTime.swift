/// An ISO 8601 date and time as nanoseconds since 1970-01-01T00:00:00Z.
package struct CivilTime: Equatable {
  package var nanoseconds: Int64
  /// Whether the text states a zone; without one, UTC is used.
  package var hasZone: Bool

  /// Whether the text is a leap second. It is read as the next second, because it has no number on
  /// this axis.
  package var isLeapSecond: Bool

  /// Reads `YYYY-MM-DD`, `T` or a space, `hh:mm` with optional `:ss` and a fraction, and `Z`,
  /// `±hh`, `±hhmm` or `±hh:mm`; nothing else in `range` except blanks at its ends. Beyond nine
  /// digits a fraction is rounded to nanoseconds, ties to even. `24:00:00` is the end of its day; a
  /// second of 60 is valid where leap seconds are inserted, at the end of a month of UTC.
  ///
  /// Nil for anything else, e.g. a day that the month does not have, any other time with hour 24 or
  /// second 60, or an instant outside 1677 to 2262.
  package init?(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    guard let (utc, fraction, hasZone, isLeapSecond) = CivilTime.parts(bytes, range) else {
      return nil
    }
    // Negative whole seconds are rounded down first, because the first second of the range would
    // overflow.
    let borrowed = utc < 0 && fraction > 0
    let (whole, isTooLarge) = (utc + (borrowed ? 1 : 0)).multipliedReportingOverflow(
      by: 1_000_000_000)
    let (sum, isBeyond) = whole.addingReportingOverflow(
      borrowed ? fraction - 1_000_000_000 : fraction)
    guard !isTooLarge, !isBeyond else { return nil }
    nanoseconds = sum
    self.hasZone = hasZone
    self.isLeapSecond = isLeapSecond
  }

  /// Seconds since 1970 and nanoseconds, of any year of four digits; nil if the text is not a date
  /// and time.
  private static func parts(
    _ bytes: Span<UInt8>, _ range: Range<Int>
  ) -> (utc: Int64, fraction: Int64, hasZone: Bool, isLeapSecond: Bool)? {
    var reader = FieldReader(bytes, range)
    guard let seconds = reader.dateAndTime(bytes), let fraction = reader.fraction(bytes),
      let zone = reader.zone(bytes), reader.isAtEnd
    else { return nil }
    let utc = seconds - (zone ?? 0)
    guard !reader.isLeapSecond || CivilTime.isStartOfMonth(utc),
      !reader.isEndOfDay || fraction == 0
    else { return nil }
    return (utc, fraction, zone != nil, reader.isLeapSecond)
  }

  /// What a message states as expected if this type cannot read a text: the range of this axis if
  /// the text is a date beyond it, else `other`.
  package static func expectation(
    _ bytes: Span<UInt8>, _ range: Range<Int>, otherwise other: String = "an ISO 8601 date and time"
  ) -> String {
    parts(bytes, range) == nil || CivilTime(bytes, range) != nil
      ? other : "a date from 1677-09-22 to 2262-04-11"
  }

  private static func isStartOfMonth(_ seconds: Int64) -> Bool {
    let (days, secondOfDay) = floored(seconds, by: 86400)
    return secondOfDay == 0 && civil(fromDays: days).day == 1
  }

  package static func leapSecondNotes(_ count: Int) -> [String] {
    count == 0 ? [] : ["Leap seconds (…:60), read as the next second: \(count)."]
  }

  /// `2022-05-01T10:00:03Z`, with 3, 6 or 9 decimals where they are needed.
  package static func text(nanoseconds: Int64) -> String {
    let (seconds, fraction) = floored(nanoseconds, by: 1_000_000_000)
    let (days, secondOfDay) = floored(seconds, by: 86400)
    let (year, month, day) = civil(fromDays: days)
    let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    let (hour, minute, second) = (secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60)
    let time = "\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2))"
    return "\(date)T\(time)\(fractionText(fraction))Z"
  }

  /// Days from 1970-01-01 in the proleptic Gregorian calendar (H. Hinnant, "chrono-Compatible
  /// Low-Level Date Algorithms", days_from_civil): years start in March, so that the leap day is
  /// the last of its year.
  package static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = floored(shifted, by: 400)
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// Returns the same, or nil if there is no such day.
  package static func validDays(year: Int64, _ month: Int64, _ day: Int64) -> Int64? {
    guard (1...12).contains(month), day >= 1, day <= daysInMonth(year: year, month: month) else {
      return nil
    }
    return days(year: year, month: month, day: day)
  }

  /// The inverse (same source, civil_from_days).
  package static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = floored(days + 719_468, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }

  private static func fractionText(_ fraction: Int64) -> String {
    if fraction == 0 { return "" }
    if fraction % 1_000_000 == 0 { return "." + padded(fraction / 1_000_000, 3) }
    if fraction % 1000 == 0 { return "." + padded(fraction / 1000, 6) }
    return "." + padded(fraction, 9)
  }

  /// Quotient and remainder, the remainder never negative.
  package static func floored(
    _ value: Int64, by divisor: Int64
  ) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  /// `value` with zeros in front; `value` must not be negative.
  package static func padded(_ value: Int64, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}

/// Reads fixed-width fields from the front of a range.
private struct FieldReader {
  private var position: Int
  private let end: Int
  /// Whether the time that was read has a second of 60.
  private(set) var isLeapSecond = false
  /// Whether it has an hour of 24.
  private(set) var isEndOfDay = false

  /// - Parameter range: blanks at its ends are left out.
  init(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high, Self.isBlank(bytes[low]) { low += 1 }
    while low < high, Self.isBlank(bytes[high - 1]) { high -= 1 }
    (position, end) = (low, high)
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  var isAtEnd: Bool { position == end }

  private mutating func digits(_ bytes: Span<UInt8>, _ count: Int) -> Int64? {
    guard end - position >= count else { return nil }
    var value: Int64 = 0
    for offset in 0..<count {
      let byte = bytes[position + offset]
      guard (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int64(byte &- 0x30)
    }
    position += count
    return value
  }

  private mutating func skip(_ bytes: Span<UInt8>, _ first: UInt8, or second: UInt8) -> Bool {
    guard position < end, bytes[position] == first || bytes[position] == second else {
      return false
    }
    position += 1
    return true
  }

  private mutating func skip(_ bytes: Span<UInt8>, _ byte: UInt8) -> Bool {
    skip(bytes, byte, or: byte)
  }

  /// Seconds from 1970 of the civil date and time, before the zone.
  mutating func dateAndTime(_ bytes: Span<UInt8>) -> Int64? {
    guard let year = digits(bytes, 4), skip(bytes, 0x2D), let month = digits(bytes, 2),
      skip(bytes, 0x2D), let day = digits(bytes, 2), skip(bytes, 0x54, or: 0x20),
      let days = CivilTime.validDays(year: year, month, day),
      let hour = digits(bytes, 2), skip(bytes, 0x3A), let minute = digits(bytes, 2),
      hour <= 24, minute < 60
    else { return nil }
    var second: Int64 = 0
    if skip(bytes, 0x3A) {
      guard let value = digits(bytes, 2), value <= 60 else { return nil }
      second = value
    }
    isLeapSecond = second == 60
    isEndOfDay = hour == 24
    guard !isEndOfDay || minute == 0 && second == 0 else { return nil }
    return days * 86400 + hour * 3600 + minute * 60 + second
  }

  /// Nanoseconds, a whole second at most; 0 where there is no fraction.
  mutating func fraction(_ bytes: Span<UInt8>) -> Int64? {
    guard skip(bytes, 0x2E, or: 0x2C) else { return 0 }
    var value: Int64 = 0
    var count = 0
    var next: Int64 = 0
    var hasMore = false
    while let digit = digits(bytes, 1) {
      if count < 9 {
        value = value * 10 + digit
      } else if count == 9 {
        next = digit
      } else if digit != 0 {
        hasMore = true
      }
      count += 1
    }
    guard count > 0 else { return nil }
    for _ in min(count, 9)..<9 { value *= 10 }
    let isUp = next > 5 || next == 5 && (hasMore || value & 1 == 1)
    return value + (isUp ? 1 : 0)
  }

  /// Returns seconds east of UTC; `.some(nil)` if no zone is written, nil if it is malformed.
  mutating func zone(_ bytes: Span<UInt8>) -> Int64?? {
    if isAtEnd { return .some(nil) }
    if skip(bytes, 0x5A) { return 0 }
    let isWest = position < end && bytes[position] == 0x2D
    guard skip(bytes, 0x2B, or: 0x2D), let hours = digits(bytes, 2), hours < 24 else {
      return .none
    }
    var minutes: Int64 = 0
    if !isAtEnd {
      _ = skip(bytes, 0x3A)
      guard let value = digits(bytes, 2), value < 60 else { return .none }
      minutes = value
    }
    let offset = hours * 3600 + minutes * 60
    return isWest ? -offset : offset
  }
}

private func daysInMonth(year: Int64, month: Int64) -> Int64 {
  switch month {
  case 4, 6, 9, 11: 30
  case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
  default: 31
  }
}
