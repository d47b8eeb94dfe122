import TraceModel

enum MapText {
  /// Returns the shortest decimal that reads back as the same number, without an exponent (XML's
  /// `xsd:decimal` has none).
  /// - Precondition: the number is finite.
  static func decimal(_ value: Double) -> String {
    let text = value.description
    guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "e")) else { return text }
    let exponent = Int(text[text.index(after: mark)...]) ?? 0
    let sign = text.hasPrefix("-") ? "-" : ""
    let mantissa = text[..<mark].drop { $0 == "-" }
    let parts = mantissa.split(separator: ".", omittingEmptySubsequences: false)
    let fraction = parts.count > 1 && parts[1] != "0" ? String(parts[1]) : ""
    let digits = String(parts[0]) + fraction
    // The digits before the point.
    let whole = parts[0].utf8.count + exponent
    if whole <= 0 { return sign + "0." + String(repeating: "0", count: -whole) + digits }
    let zeros = String(repeating: "0", count: max(0, whole - digits.utf8.count))
    let point = digits.index(digits.startIndex, offsetBy: min(whole, digits.utf8.count))
    let rest = digits[point...]
    return sign + digits[..<point] + zeros + "." + (rest.isEmpty ? "0" : rest)
  }

  /// Longitude, latitude, and the altitude if it is known.
  static func coordinates(_ position: MapPosition, _ separator: String = ",") -> String {
    decimal(position.longitude) + separator + decimal(position.latitude)
      + (position.altitude.map { separator + decimal($0) } ?? "")
  }

  /// A text as JSON, with its quotes.
  static func json(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      // Control characters, and the line ends of JavaScript.
      case "\u{0}"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

/// The colours of maps: three of Okabe and Ito's palette for colour-blind readers, and grey.
enum MapColor: String {
  case accepted = "0072b2"
  case rejected = "d55e00"
  case reference = "009e73"
  case other = "5a6472"

  /// The form of web pages.
  var web: String { "#" + rawValue }

  /// The form of KML: opacity, then blue, green and red.
  func kml(opacity: String = "ff") -> String {
    let pairs = stride(from: 4, through: 0, by: -2).map { start in
      rawValue.dropFirst(start).prefix(2)
    }
    return opacity + pairs.joined()
  }
}
