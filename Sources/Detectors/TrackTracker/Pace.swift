/// A pace in minutes and seconds per mile, as running apps print it.
///
/// ```swift
/// Pace(seconds: 456, meters: 1609.344)?.description  // 7:36
/// Pace(minutesPerMile: 7.6, rule: .tri)?.description  // 8:36
/// ```
public struct Pace: Hashable, Sendable, CustomStringConvertible {
  /// The conversion of fractional minutes to whole ones.
  public enum Rule: String, CaseIterable, Hashable, Sendable, Codable {
    /// Miles of 1,609.344 m (the international mile of 1959), minutes floored: 7.6 is 7:36.
    case exact
    /// Miles of 1,609.34 m, minutes rounded, which is one minute too much from 30 s on: 7.6 is
    /// 8:36.
    case tri

    /// The length of a mile under this rule, in metres.
    public var metersPerMile: Double { self == .exact ? 1609.344 : 1609.34 }
  }

  public let minutes: Int
  /// The seconds, 0..<60.
  public let seconds: Int

  /// The displayed pace in seconds: 8:36 is 516.
  public var totalSeconds: Int { 60 * minutes + seconds }

  /// - Returns: nil if there is no pace: the distance or time is zero, negative or not finite, or
  ///   the pace is more than a million minutes per mile.
  public init?(seconds duration: Double, meters distance: Double, rule: Rule = .exact) {
    guard duration > 0, distance > 0 else { return nil }
    self.init(minutesPerMile: (duration / 60) / (distance / rule.metersPerMile), rule: rule)
  }

  public init?(minutesPerMile: Double, rule: Rule = .exact) {
    guard minutesPerMile > 0, minutesPerMile < 1e6 else { return nil }
    // Whole seconds first, so that 7.9999 is 8:00 and not 7:60.
    let total = Int((minutesPerMile * 60).rounded())
    seconds = total % 60
    minutes = rule == .exact ? total / 60 : Int(minutesPerMile.rounded())
  }

  public var description: String { "\(minutes):\(seconds < 10 ? "0" : "")\(seconds)" }
}
