package import Foundation

/// An instant in UTC, to the millisecond. Its text, such as `2026-11-23T09:07:29.123Z`, sorts as the
/// instants do.
package struct HistoryTime: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Since 1970, in 0...253402300799999: the years up to 9999, whose texts have one length.
  package let milliseconds: Int64

  package static let range: ClosedRange<Int64> = 0...253_402_300_799_999
  private static let millisecondsOfDay: Int64 = 86_400_000

  /// Beyond the range its end.
  package init(milliseconds: Int64) {
    self.milliseconds = min(max(milliseconds, Self.range.lowerBound), Self.range.upperBound)
  }

  /// Beyond the range its end.
  package init(_ date: Date) {
    let milliseconds = date.timeIntervalSince1970 * 1000
    self.init(milliseconds: milliseconds > 0 ? Int64(min(milliseconds.rounded(), 1e15)) : 0)
  }

  /// Returns the instant of a text in UTC: `2026-11-23`, `2026-11-23T09:07:29Z`, or with a fraction of
  /// three digits; nil if it is none.
  package init?(_ text: String) {
    let pattern = [10: "0000-00-00", 20: "0000-00-00T00:00:00Z", 24: "0000-00-00T00:00:00.000Z"]
    guard let form = pattern[text.utf8.count], zip(text.utf8, form.utf8).allSatisfy(Self.fits)
    else {
      return nil
    }
    let parts = text.split { !$0.isNumber }.compactMap { Int64($0) }
    let clock = parts.dropFirst(3) + [0, 0, 0, 0].dropFirst(parts.count - 3)
    let fields = Array(clock)
    let day = Self.day(year: parts[0], month: parts[1], day: parts[2])
    self.init(
      milliseconds: day * Self.millisecondsOfDay
        + ((fields[0] * 60 + fields[1]) * 60 + fields[2]) * 1000 + fields[3])
    // What lies beyond the end of a month, a day or the range has another text.
    guard description.hasPrefix(text.prefix { $0 != "Z" }) else { return nil }
  }

  private static func fits(_ byte: UInt8, _ form: UInt8) -> Bool {
    form == 0x30 ? (0x30...0x39).contains(byte) : byte == form
  }

  package var description: String {
    let (days, rest) = milliseconds.quotientAndRemainder(dividingBy: Self.millisecondsOfDay)
    let date = Self.date(ofDay: days)
    let seconds = rest / 1000
    return [(date.year, 4), (date.month, 2), (date.day, 2)].map(Self.padded).joined(separator: "-")
      + "T"
      + [seconds / 3600, seconds / 60 % 60, seconds % 60].map { Self.padded($0, 2) }
      .joined(separator: ":") + "." + Self.padded(rest % 1000, 3) + "Z"
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// As a part of the name of a file: `20261123T090729Z`.
  var compact: String {
    description.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
  }

  package static func < (left: HistoryTime, right: HistoryTime) -> Bool {
    left.milliseconds < right.milliseconds
  }

  package static func - (left: HistoryTime, right: Duration) -> HistoryTime {
    let (seconds, attoseconds) = right.components
    let limit = range.upperBound / 1000
    let milliseconds = min(max(seconds, -limit), limit) * 1000 + attoseconds / 1_000_000_000_000_000
    return HistoryTime(milliseconds: left.milliseconds - milliseconds)
  }
}

// MARK: The calendar

/// H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil and civil_from_days, for
/// days from 1970 on: years start in March, so that the leap day is their last.
extension HistoryTime {
  private static func day(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = year - (month <= 2 ? 1 : 0)
    let (era, yearOfEra) = shifted.quotientAndRemainder(dividingBy: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func date(ofDay number: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = (number + 719_468).quotientAndRemainder(dividingBy: 146_097)
    let leapDays = dayOfEra / 1460 - dayOfEra / 36524 + dayOfEra / 146_096
    let yearOfEra = (dayOfEra - leapDays) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted + (shifted < 10 ? 3 : -9)
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1
    )
  }
}

extension HistoryTime: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let time = HistoryTime(text) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "expected a time such as 2026-11-23T09:07:29Z, found \(text)")
    }
    self = time
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
