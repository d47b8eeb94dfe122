extension Workout {
  /// Formats figures for sentences and files.
  enum Text {
    /// Returns a decimal with `places` decimals and without an exponent; nil if it is not finite or
    /// 1e15 and more.
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

    /// Returns e.g. `10.02 km`.
    static func kilometers(_ meters: Double) -> String {
      (decimal(meters / 1000, places: 2) ?? "?") + " km"
    }

    /// Returns e.g. `5:12` or `1:02:03`, rounded to the nearest second as in ``Pace``.
    static func clock(_ seconds: Double) -> String {
      guard seconds >= 0, seconds < 1e12 else { return "?" }
      let whole = Int64(seconds.rounded())
      let (hours, minutes) = (whole / 3600, whole / 60 % 60)
      let tail = ":" + padded(whole % 60, 2)
      return hours > 0 ? "\(hours):\(padded(minutes, 2))\(tail)" : "\(minutes)\(tail)"
    }

    /// Pads with leading zeros; not for negative numbers.
    static func padded(_ value: Int64, _ width: Int) -> String {
      let digits = String(value)
      return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
  }
}
