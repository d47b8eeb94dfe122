import Diagnostics
import Scoring
import TraceModel

/// The cells of tables. An undefined value is a dash.
enum TableCell {
  static let undefined = "-"

  static func value(_ value: Double?, _ decimals: Int) -> String {
    value.map { fixed($0, decimals) } ?? undefined
  }

  static func range(_ interval: Interval?, _ decimals: Int) -> String? {
    interval.map { "\(fixed($0.lower, decimals))-\(fixed($0.upper, decimals))" }
  }

  /// The value with its interval on a second line.
  static func estimate(_ value: Double?, _ interval: Interval?, _ decimals: Int) -> String {
    guard let value else { return undefined }
    return fixed(value, decimals) + (range(interval, decimals).map { "\n" + $0 } ?? "")
  }

  /// The value with its interval in parentheses.
  static func inline(_ value: Double?, _ interval: Interval?, _ decimals: Int) -> String {
    guard let value else { return undefined }
    return fixed(value, decimals) + (range(interval, decimals).map { " (\($0))" } ?? "")
  }

  static func proportion(_ proportion: Proportion) -> String {
    estimate(proportion.estimate, proportion.interval, 3)
  }

  static func rate(_ rate: PoissonRate, decimals: Int = 1) -> String {
    estimate(rate.estimate, rate.interval, decimals)
  }

  /// The median and a percentile of the tail in a unit of so many nanoseconds.
  static func percentiles(
    _ times: TimePercentiles?, _ tail: KeyPath<TimePercentiles, Int64> = \.p90,
    perUnit nanoseconds: Double, decimals: Int
  ) -> String {
    guard let times else { return undefined }
    return fixed(Double(times.p50) / nanoseconds, decimals) + "/"
      + fixed(Double(times[keyPath: tail]) / nanoseconds, decimals)
  }

  static func milliseconds(_ times: TimePercentiles?) -> String {
    percentiles(times, perUnit: 1e6, decimals: 0)
  }

  static func seconds(_ times: TimePercentiles?) -> String {
    percentiles(times, perUnit: 1e9, decimals: 1)
  }

  static func signed(_ value: Double?, _ decimals: Int) -> String {
    guard let value else { return undefined }
    let text = fixed(value, decimals)
    return text.hasPrefix("-") ? text : "+" + text
  }

  /// The bias, its interval and the mean of the magnitudes, each on a line.
  static func error(_ error: ErrorSummary?) -> String {
    guard let error else { return undefined }
    let interval = error.bias.interval
    return signed(error.bias.mean, 2) + "\n"
      + (interval.map { "\(signed($0.lower, 2)) to \(signed($0.upper, 2))" } ?? undefined) + "\n"
      + fixed(error.absolute.mean, 2)
  }

  static func fraction(_ proportion: Proportion) -> String {
    "\(proportion.successes)/\(proportion.trials)"
  }
}
