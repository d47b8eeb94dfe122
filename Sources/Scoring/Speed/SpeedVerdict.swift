/// What a comparison of two programs' times, counts or missed periods shows.
package enum SpeedVerdict: String, Sendable, Codable, CaseIterable {
  case pass
  /// Slower by more than the margin.
  case fail
  /// Faster by more than the margin.
  case improved
  /// The interval contains the margin: the measurement cannot decide.
  case inconclusive

  /// Judges an interval of head / base. An end that lies exactly on the margin is within it.
  /// - Parameter margin: the tolerated slowdown as a share, e.g. 0.05; not negative. A speed-up is an
  ///   improvement from the same factor on.
  package init(_ interval: Interval, margin: Double) {
    let limit = 1 + margin
    self =
      if interval.lower > limit {
        .fail
      } else if interval.upper < 1 / limit {
        .improved
      } else if interval.upper <= limit {
        .pass
      } else {
        .inconclusive
      }
  }

  /// Judges an exact ratio, such as that of instructions.
  package init(exactly ratio: Double, margin: Double) {
    self.init(Interval(lower: ratio, upper: ratio), margin: margin)
  }

  /// The verdict on several figures: a failure decides, then an inconclusive one. nil without any.
  package init?(_ parts: some Sequence<SpeedVerdict>) {
    let parts = Set(parts)
    guard !parts.isEmpty else { return nil }
    self = [.fail, .inconclusive, .improved].first(where: parts.contains) ?? .pass
  }
}
