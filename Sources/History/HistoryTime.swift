package import Foundation

/// An instant in UTC, to the millisecond. Its text, such as `2026-11-23T09:07:29.123Z`, sorts as the
/// instants do.
package struct HistoryTime: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Since 1970, in 0...253402300799999: up to the year 9999, so that all texts have one length.
  package let milliseconds: Int64

  package static let range: ClosedRange<Int64> = 0...253_402_300_799_999

  /// Clamped to the range.
  package init(milliseconds: Int64) {
    self.milliseconds = min(max(milliseconds, Self.range.lowerBound), Self.range.upperBound)
  }

  /// Clamped to the range.
  package init(_ date: Date) {
    let milliseconds = date.timeIntervalSince1970 * 1000
    self.init(milliseconds: milliseconds > 0 ? Int64(min(milliseconds.rounded(), 1e15)) : 0)
  }

  /// The instant of a text: `2026-11-23` in UTC, or a time with its zone, as git prints them with
  /// `%cI` and `%ci`: `2026-11-23T09:07:29Z`, `2026-11-23T11:07:29.5+02:00`,
  /// `2026-11-23 11:07:29 +0200`. Fractions are cut off after the millisecond. nil for other texts,
  /// and for instants outside the range.
  package init?(_ text: String) {
    let text = text.utf8.count == 10 ? text + "T00:00:00Z" : text
    let clock = text.prefix(19)
    guard ["0000-00-00T00:00:00", "0000-00-00 00:00:00"].contains(where: { Self.fits(clock, $0) })
    else { return nil }
    let rest = text.dropFirst(19)
    let digits = rest.prefix(1) == "." ? rest.dropFirst().prefix { "0"..."9" ~= $0 } : ""
    guard digits.isEmpty == (rest.prefix(1) != "."), digits.count <= 9,
      let offset = Self.minutes(ofZone: rest.dropFirst(digits.isEmpty ? 0 : digits.count + 1))
    else { return nil }
    let fields = clock.split { !$0.isNumber }.compactMap { Int32($0) }
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (fields[0] - 1900, fields[1] - 1, fields[2])
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (fields[3], fields[4], fields[5])
    let local = Int64(timegm(&parts)) * 1000 + (Int64("\(digits)00".prefix(3)) ?? 0)
    let milliseconds = local - offset * 60_000
    // A time beyond the end of a month or a day has another text.
    guard Self.range.contains(local), Self.range.contains(milliseconds),
      Self(milliseconds: local).description.prefix(19) == clock.replacing(" ", with: "T")
    else { return nil }
    self.init(milliseconds: milliseconds)
  }

  /// The minutes that a zone is ahead of UTC: `Z`, `+02:00`, `+0200` or `+02`; git's `%ci` has a space
  /// before it.
  private static func minutes(ofZone text: Substring) -> Int64? {
    let zone = text.first == " " ? text.dropFirst() : text
    if zone == "Z" { return 0 }
    let digits = zone.dropFirst()
    guard let sign = zone.first, sign == "+" || sign == "-",
      ["00:00", "0000", "00"].contains(where: { fits(digits, $0) }),
      let hours = Int64(digits.prefix(2)), hours < 24,
      let minutes = Int64("0" + digits.dropFirst(2).drop { $0 == ":" }), minutes < 60
    else { return nil }
    return (hours * 60 + minutes) * (sign == "-" ? -1 : 1)
  }

  /// Whether a text has the digits of a form where that has zeros, and otherwise the same characters.
  private static func fits(_ text: Substring, _ form: String) -> Bool {
    text.utf8.count == form.utf8.count
      && zip(text.utf8, form.utf8).allSatisfy { byte, form in
        form == 0x30 ? (0x30...0x39).contains(byte) : byte == form
      }
  }

  package var description: String {
    var seconds = time_t(milliseconds / 1000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    return String(
      format: "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", parts.tm_year + 1900, parts.tm_mon + 1,
      parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, Int32(milliseconds % 1000))
  }

  /// The number of the day in UTC, since 1970.
  var day: Int { Int(milliseconds / 86_400_000) }

  /// For names of files: `20261123T090729Z`.
  var compact: String { description.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z" }

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
