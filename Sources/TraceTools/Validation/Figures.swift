// Formatting of numbers in messages: independent of the locale and without Foundation.

/// Returns a number with `decimals` decimals, rounded half away from zero.
func figure(_ value: Double, _ decimals: Int) -> String {
  guard value.isFinite, value.magnitude < 1e12 else { return "\(value)" }
  var scale = 1.0
  for _ in 0..<decimals { scale *= 10 }
  let units = (value.magnitude * scale).rounded()
  let digits = String(Int64(units))
  let sign = value < 0 && units > 0 ? "-" : ""
  guard decimals > 0 else { return sign + digits }
  let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
  return sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
}

/// Returns a percentage, with one more digit if it is small.
func percent(_ part: Int, of whole: Int) -> String {
  let share = whole > 0 ? 100 * Double(part) / Double(whole) : 0
  return figure(share, share < 1 ? 2 : 1) + " %"
}

/// Returns nanoseconds as seconds, to the millisecond.
func seconds(_ nanoseconds: Int64) -> String { figure(Double(nanoseconds) / 1e9, 3) + " s" }

/// Returns nanoseconds as milliseconds, or as seconds from one second on.
func interval(_ nanoseconds: Int64) -> String {
  nanoseconds.magnitude < 1_000_000_000
    ? figure(Double(nanoseconds) / 1e6, 2) + " ms" : seconds(nanoseconds)
}

/// `1 reading`, `2 readings`.
func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
  count == 1 ? "1 \(noun)" : "\(count) \(plural ?? noun + "s")"
}

/// `3 of 40 readings (7.5 %)`.
func share(_ part: Int, of whole: Int, _ nouns: String = "readings") -> String {
  "\(part) of \(whole) \(nouns) (\(percent(part, of: whole)))"
}
