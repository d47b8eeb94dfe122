package import TraceModel

extension Sequence<Finding> {
  /// Returns the findings in the order of a report: the worst first, then by time, place and kind.
  package func sortedBySeverity() -> [Finding] {
    sorted { left, right in
      if left.severity != right.severity { return left.severity > right.severity }
      let (start, other) = (left.start ?? .zero, right.start ?? .zero)
      return start != other ? start < other : (left.place, left.code) < (right.place, right.code)
    }
  }
}

extension ChannelBlock {
  /// Returns a finding about the readings at `positions`, from the first to the last; nil if there
  /// are none.
  func finding(
    _ code: String, _ severity: Finding.Severity, of place: String, at positions: [Int],
    _ message: String
  ) -> Finding? {
    guard let first = positions.first, let last = positions.last else { return nil }
    return Finding(
      code, severity, place: place, start: TraceInstant(nanoseconds: measuredTimes[first]),
      end: TraceInstant(nanoseconds: measuredTimes[last]), count: positions.count, message: message)
  }
}
