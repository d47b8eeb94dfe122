extension Workout {
  /// Figures as sentences and files have them.
  enum Text {
    /// With so many decimals and without an exponent; nil where it is no number below 1e15.
    static func decimal(_ value: Double, places: Int) -> String? {
      var scale = 1
      for _ in 0..<places { scale *= 10 }
      let scaled = (value * Double(scale)).rounded()
      guard abs(scaled) < 1e15 else { return nil }
      let number = Int(scaled)
      let (whole, rest) = number.magnitude.quotientAndRemainder(dividingBy: UInt(scale))
      let sign = number < 0 ? "-" : ""
      guard places > 0 else { return "\(sign)\(whole)" }
      return "\(sign)\(whole).\(padded(Int64(rest), places))"
    }

    /// `10.02 km`.
    static func kilometers(_ meters: Double) -> String {
      (decimal(meters / 1000, places: 2) ?? "?") + " km"
    }

    /// `5:12`, `1:02:03`; to the nearest second, as ``Pace`` has it.
    static func clock(_ seconds: Double) -> String {
      guard seconds >= 0, seconds < 1e12 else { return "?" }
      let whole = Int64(seconds.rounded())
      let (hours, minutes) = (whole / 3600, whole / 60 % 60)
      let tail = ":" + padded(whole % 60, 2)
      return hours > 0 ? "\(hours):\(padded(minutes, 2))\(tail)" : "\(minutes)\(tail)"
    }

    /// With zeros in front; not of negative numbers.
    static func padded(_ value: Int64, _ width: Int) -> String {
      let digits = String(value)
      return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
  }
}
