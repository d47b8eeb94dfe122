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

  /// The instant of a text in UTC: `2026-11-23`, `2026-11-23T09:07:29Z`, or with a fraction of three
  /// digits. nil for other texts.
  package init?(_ text: String) {
    let pattern = [10: "0000-00-00", 20: "0000-00-00T00:00:00Z", 24: "0000-00-00T00:00:00.000Z"]
    guard let form = pattern[text.utf8.count], zip(text.utf8, form.utf8).allSatisfy(Self.fits)
    else { return nil }
    let fields = text.split { !$0.isNumber }.compactMap { Int32($0) } + [0, 0, 0, 0]
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (fields[0] - 1900, fields[1] - 1, fields[2])
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (fields[3], fields[4], fields[5])
    self.init(milliseconds: Int64(timegm(&parts)) * 1000 + Int64(fields[6]))
    // An instant beyond the end of a month, a day or the range has another text.
    guard description.hasPrefix(text.prefix { $0 != "Z" }) else { return nil }
  }

  private static func fits(_ byte: UInt8, _ form: UInt8) -> Bool {
    form == 0x30 ? (0x30...0x39).contains(byte) : byte == form
  }

  package var description: String {
    var seconds = time_t(milliseconds / 1000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    return String(
      format: "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", parts.tm_year + 1900, parts.tm_mon + 1,
      parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, Int32(milliseconds % 1000))
  }

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
