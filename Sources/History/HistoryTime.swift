package import Foundation

/// An instant in UTC, to the millisecond. Its text, such as `2026-11-23T09:07:29.123Z`, sorts as the
/// instants do.
package struct HistoryTime: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Since 1970, in 0...253402300799999: the years up to 9999, whose texts have one length.
  package let milliseconds: Int64

  package static let range: ClosedRange<Int64> = 0...253_402_300_799_999

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
    let full =
      switch text.utf8.count {
      case 10: text + "T00:00:00.000Z"
      case 20 where text.hasSuffix("Z"): String(text.dropLast()) + ".000Z"
      default: text
      }
    guard full.utf8.count == 24, let date = try? Date(full, strategy: Self.style) else {
      return nil
    }
    self.init(date)
    // The parser accepts what lies beyond the end of a month.
    guard description == full else { return nil }
  }

  package var description: String {
    Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(Self.style)
  }

  /// As a part of the name of a file: `20261123T090729Z`.
  var compact: String {
    description.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
  }

  private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

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
        debugDescription: "expected a time such as 2026-11-23T09:07:29Z, found \(text)"
      )
    }
    self = time
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
