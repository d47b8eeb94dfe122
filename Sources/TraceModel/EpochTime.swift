/// Instants as text.
///
/// ```swift
/// EpochTime.text(of: 86_400_000_000_000)  // 1970-01-02T00:00:00Z
/// EpochTime.nanoseconds(of: "1970-01-02T00:00:00Z")  // 86400000000000
/// ```
public enum EpochTime {
  /// Nanoseconds from 1970-01-01T00:00:00Z to an instant such as `2022-05-01T10:00:03.5Z` or
  /// `2022-05-01T12:00:03+02:00`; nil if `text` is not an instant, has no zone, or lies outside the
  /// years 1677 to 2262.
  public static func nanoseconds(of text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard let time = CivilTime(bytes.span, 0..<bytes.count), time.hasZone else { return nil }
    return time.nanoseconds
  }

  /// What a message states as expected if ``nanoseconds(of:)`` cannot read `text`: the range of
  /// dates if it is a date beyond it, else `other`.
  package static func expectation(for text: String, otherwise other: String) -> String {
    let bytes = Array(text.utf8)
    return CivilTime.expectation(bytes.span, 0..<bytes.count, otherwise: other)
  }

  /// The instant as ISO 8601 in UTC, with 0, 3, 6 or 9 decimals.
  public static func text(of nanoseconds: Int64) -> String {
    CivilTime.text(nanoseconds: nanoseconds)
  }
}

extension TraceHeader {
  /// Nanoseconds from 1970-01-01T00:00:00Z to the trace's zero; nil where the wall clock is not
  /// known.
  public var epochNanoseconds: Int64? {
    guard isEpochKnown else { return nil }
    let bytes = Array(epoch.utf8)
    return CivilTime(bytes.span, 0..<bytes.count)?.nanoseconds
  }

  /// States the instant of the trace's zero; nil = it is not known.
  public mutating func setEpoch(nanoseconds: Int64?) {
    isEpochKnown = nanoseconds != nil
    epoch = nanoseconds.map(EpochTime.text(of:)) ?? TraceHeader.unknownEpoch
  }
}
