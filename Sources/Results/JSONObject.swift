import Foundation

/// A JSON object whose members keep their order. nil is written as null, so that every object has
/// every key.
package struct JSONObject: Encodable, ExpressibleByDictionaryLiteral, Sendable {
  private struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  package typealias Value = any Encodable & Sendable

  package private(set) var members: [(key: String, value: Value)]

  package init(dictionaryLiteral members: (String, Value)...) {
    self.members = members.map { (key: $0, value: $1) }
  }

  /// Returns the object with a further member, or unchanged if the value is nil.
  package func adding(_ key: String, _ value: (some Encodable & Sendable)?) -> JSONObject {
    var object = self
    if let value { object.members.append((key, value)) }
    return object
  }

  /// Returns the members of both. For a key that both have, the member on the right counts.
  package static func + (left: JSONObject, right: JSONObject) -> JSONObject {
    var object = left
    object.members += right.members
    return object
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    for (key, value) in members { try container.encode(value, forKey: Name(stringValue: key)) }
  }
}

/// Pretty JSON with sorted keys in snake case, ended by a line feed. Keys of dictionaries stay.
package func jsonText(_ value: some Encodable) throws -> String {
  try json(value, [.prettyPrinted]) + "\n"
}

/// JSON on one line with sorted keys, as in HDF5 attributes.
/// - Precondition: the value has only texts, flags and finite numbers.
package func jsonLine(_ value: some Encodable) -> String {
  do {
    return try json(value, [])
  } catch {
    preconditionFailure("\(error)")
  }
}

/// nil for a number that JSON does not have.
package func finite(_ number: Double?) -> Double? { number.flatMap { $0.isFinite ? $0 : nil } }

private func json(
  _ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting
) throws -> String {
  let encoder = JSONEncoder()
  encoder.keyEncodingStrategy = .convertToSnakeCase
  encoder.outputFormatting = formatting.union([.sortedKeys, .withoutEscapingSlashes])
  return String(decoding: try encoder.encode(value), as: UTF8.self)
}
