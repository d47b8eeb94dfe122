import Foundation
import Yams

extension SuiteParser {
  /// Reads JSON as the nodes that YAML has, so that one parser checks both. It is not read as YAML,
  /// which refuses some of its characters: U+007F, U+0080 to U+009F, U+FFFF.
  func root(ofJSON text: String) throws -> Node {
    do {
      return try JSONDecoder().decode(JSONNode.self, from: Data(text.utf8)).node
    } catch {
      throw badData("\(path): expected JSON, found \(decodingReason(error))")
    }
  }
}

/// A value of JSON as a node. The order of keys is that of their names.
private struct JSONNode: Decodable {
  let node: Node

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let text = try? value.decode(String.self) {
      node = Self.quoted(text)
    } else if let flag = try? value.decode(Bool.self) {
      node = Node(flag ? "true" : "false")
    } else if let number = try? value.decode(UInt64.self) {
      node = Node("\(number)")
    } else if let number = try? value.decode(Int64.self) {
      node = Node("\(number)")
    } else if let number = try? value.decode(Double.self) {
      node = Node("\(number)")
    } else if value.decodeNil() {
      node = Node("null")
    } else if let fields = try? value.decode([String: JSONNode].self) {
      let sorted = fields.sorted { $0.key < $1.key }
      node = Node(sorted.map { (Self.quoted($0.key), $0.value.node) })
    } else {
      node = Node(try value.decode([JSONNode].self).map(\.node))
    }
  }

  private static func quoted(_ text: String) -> Node { Node(text, Tag(.str), .doubleQuoted) }
}
