import Foundation

/// An object of JSON with its keys as they are written. nil is written as null, so that every object
/// has every key.
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

  /// Returns the object with a further member, without one if the value is nil.
  package func adding(_ key: String, _ value: (some Encodable & Sendable)?) -> JSONObject {
    var object = self
    if let value { object.members.append((key, value)) }
    return object
  }

  /// Returns the members of both; for a key that both have, those of the right one hold.
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

/// JSON in one line with sorted keys, as attributes of HDF5 have it.
/// - Precondition: the value has only texts, flags and finite numbers.
package func jsonLine(_ value: some Encodable) -> String {
  do {
    return try json(value, [])
  } catch {
    preconditionFailure("\(error)")
  }
}

private func json(
  _ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting
) throws -> String {
  let encoder = JSONEncoder()
  encoder.keyEncodingStrategy = .convertToSnakeCase
  encoder.outputFormatting = formatting.union([.sortedKeys, .withoutEscapingSlashes])
  return String(decoding: try encoder.encode(value), as: UTF8.self)
}
