import TraceModel

/// Returns a number with a fixed count of decimals in any locale; "-" for NaN.
package func fixed(_ value: Double, _ decimals: Int) -> String {
  guard value.isFinite else { return value.isNaN ? "-" : value < 0 ? "-inf" : "inf" }
  let text = formatted(value, decimals: decimals)
  // Write -0.00 as 0.00.
  return text.hasPrefix("-") && text.allSatisfy { "-0.".contains($0) }
    ? String(text.dropFirst()) : text
}

/// Returns a rounded number with separators of thousands, such as `12,345`.
package func grouped(_ value: Double) -> String {
  guard value.isFinite, value.magnitude < 1e15 else { return "\(value)" }
  var digits = String(Int64(value.rounded()).magnitude)
  var groups = ""
  while digits.count > 3 {
    groups = "," + digits.suffix(3) + groups
    digits.removeLast(3)
  }
  return (value < 0 ? "-" : "") + digits + groups
}

/// Escapes the control characters of a text, but no line feed: texts from files must not move the
/// cursor of a terminal, set its title, or change the order of what it shows.
package func escapingControls(_ text: String, keeping kept: Set<Unicode.Scalar> = []) -> String {
  PrintedText.escaping(text, keeping: kept) { "\\u{\(String($0.value, radix: 16))}" }
}

/// A name in ASCII, for a message with two that look alike.
package func inASCII(_ text: String) -> String {
  text.unicodeScalars.map { $0.isASCII ? "\($0)" : "\\u{\(String($0.value, radix: 16))}" }.joined()
}

/// Escapes line feeds and control characters.
package func onOneLine(_ text: String) -> String {
  let text = escapingControls(text)
  return text.utf8.contains(0x0A) ? text.replacing("\n", with: "\\n") : text
}

/// Escapes line feeds and control characters, and limits the length, to print a text from a file
/// within a line.
package func inLine(_ text: String) -> String { Failure.printable(text) }

package func seconds(_ duration: Duration) -> Double { Double(duration.nanoseconds) / 1e9 }

package func milliseconds(_ duration: Duration) -> Double { Double(duration.nanoseconds) / 1e6 }

/// Returns a number without a fraction if it is an integer: `2`, `0.5`, as parameters are shown.
package func number(_ value: Double) -> String {
  value == value.rounded() && value.magnitude < 1e15 ? "\(Int64(value))" : "\(value)"
}

/// Returns two numbers as `text` writes them, but with all digits if these texts are equal although the
/// numbers are not.
package func toldApart(
  _ left: Double?, _ right: Double?, _ text: (Double?) -> String,
  exact: (Double) -> String = number
) -> (String, String) {
  let texts = (text(left), text(right))
  guard texts.0 == texts.1, let left, let right, left != right, !(left.isNaN && right.isNaN) else {
    return texts
  }
  return (exact(left), exact(right))
}

/// Returns the number rounded to four significant digits.
package func rounded(_ value: Double) -> Double {
  guard value != 0, value.isFinite else { return value }
  var scale = 1.0
  while (value * scale).magnitude < 1000, scale < 1e300 { scale *= 10 }
  while (value * scale).magnitude >= 10_000, scale > 1e-300 { scale /= 10 }
  return (value * scale).rounded() / scale
}
