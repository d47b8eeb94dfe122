public import TraceModel

extension TraceHeader {
  /// Nanoseconds from 1970-01-01T00:00:00Z to the trace's zero; nil where the wall clock is not
  /// known.
  public var epochNanoseconds: Int64? {
    guard isEpochKnown else { return nil }
    let bytes = Array(epoch.utf8)
    return CivilTime(bytes.span, 0..<bytes.count)?.nanoseconds
  }
}
