import Foundation

/// A number with a fixed count of decimals, whatever the locale.
func fixed(_ value: Double, _ decimals: Int) -> String {
  guard value.isFinite else { return value.isNaN ? "-" : value < 0 ? "-inf" : "inf" }
  let text = String(format: "%.\(decimals)f", value)
  // -0.00 says nothing that 0.00 does not.
  return text.hasPrefix("-") && text.allSatisfy { "-0.".contains($0) }
    ? String(text.dropFirst()) : text
}

/// A whole number with thousands set apart.
func grouped(_ value: Double) -> String {
  guard value.isFinite, value.magnitude < 1e15 else { return "\(value)" }
  let digits = Array(String(Int64(value.rounded()).magnitude))
  var output = ""
  for (index, digit) in digits.enumerated() {
    if index > 0, (digits.count - index) % 3 == 0 { output += "," }
    output.append(digit)
  }
  return value < 0 ? "-" + output : output
}

extension Nullable: Sendable where Value: Sendable {}

/// A cell as RFC 4180 wants it.
func csvCell(_ text: String) -> String {
  let needsQuotes = text.contains { "\",\n\r".contains($0) }
  return needsQuotes ? "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\"" : text
}

/// Absent values are written as null, so that every object has every key.
@propertyWrapper
struct Nullable<Value: Encodable>: Encodable {
  var wrappedValue: Value?

  init(wrappedValue: Value?) {
    self.wrappedValue = wrappedValue
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let wrappedValue {
      try container.encode(wrappedValue)
    } else {
      try container.encodeNil()
    }
  }
}

/// Pretty JSON with sorted keys in snake case, ended by a line feed. Keys of dictionaries stay.
func jsonText(_ value: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.keyEncodingStrategy = .convertToSnakeCase
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
}
