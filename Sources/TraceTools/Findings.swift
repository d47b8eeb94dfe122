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
