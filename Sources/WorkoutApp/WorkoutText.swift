import AppEngines
import TraceModel

extension Workout {
  /// Formats figures for sentences and files.
  enum Text {
    /// Returns e.g. `10.02 km`.
    static func kilometers(_ meters: Double) -> String {
      (DecimalText.text(meters / 1000, decimals: 2) ?? "?") + " km"
    }

    /// Returns e.g. `5:12` or `1:02:03`, rounded to the nearest second as in ``Pace``.
    static func clock(_ seconds: Double) -> String {
      guard seconds >= 0, seconds < 1e12 else { return "?" }
      let whole = Int64(seconds.rounded())
      let (hours, minutes) = (whole / 3600, whole / 60 % 60)
      let tail = ":" + CivilTime.padded(whole % 60, 2)
      return hours > 0 ? "\(hours):\(CivilTime.padded(minutes, 2))\(tail)" : "\(minutes)\(tail)"
    }

    /// Returns ISO 8601 in UTC with milliseconds (truncated), e.g. `2024-03-10T09:59:59.250Z`.
    static func timestamp(_ time: WallTime) -> String {
      let (seconds, rest) = CivilTime.floored(time.nanoseconds, by: 1_000_000_000)
      let whole = CivilTime.text(nanoseconds: seconds * 1_000_000_000).dropLast()
      return "\(whole).\(CivilTime.padded(rest / 1_000_000, 3))Z"
    }
  }
}
