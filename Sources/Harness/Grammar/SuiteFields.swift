import Detectors
import Diagnostics
import Evaluation
import TraceModel
import Yams

extension SuiteParser {
  /// The fields of a mapping. All of its keys are known.
  struct Fields {
    let node: Node
    let parser: SuiteParser
    private let values: Node.Mapping

    init(_ node: Node, parser: SuiteParser, known: [String]) throws {
      guard let mapping = node.mapping else {
        throw parser.failure(node, "expected keys such as \(known.joined(separator: ", "))")
      }
      for key in mapping.keys {
        guard let name = key.string, known.contains(name) else {
          throw Failure.unknown(
            "key", key.string ?? "?", known: known, place: "\(parser.path):\(parser.line(key))")
        }
      }
      self.node = node
      self.parser = parser
      values = mapping
    }

    subscript(key: String) -> Node? { values[Node(key)] }

    func required(_ key: String) throws -> Node {
      guard let value = self[key] else { throw parser.failure(node, "expected key \(key)") }
      return value
    }

    func string(_ key: String) throws -> String {
      let value = try required(key)
      guard let text = value.string else { throw parser.failure(value, "expected \(key) as text") }
      return text
    }

    func optionalString(_ key: String) throws -> String? {
      self[key] == nil ? nil : try string(key)
    }

    func quantity(_ key: String, unit: ParameterUnit) throws -> Double? {
      guard let value = self[key] else { return nil }
      guard let text = value.string, let number = Quantity.value(of: text, unit: unit) else {
        throw parser.failure(
          value,
          "expected \(key) as a number with a unit of "
            + Quantity.names(of: unit).joined(separator: ", "))
      }
      return number
    }

    func duration(_ key: String) throws -> Duration? {
      guard let value = self[key] else { return nil }
      guard let text = value.string, let duration = Quantity.duration(of: text) else {
        throw parser.failure(value, "expected \(key) as a time such as 150 ms")
      }
      return duration
    }

    func flag(_ key: String) throws -> Bool? {
      guard let value = self[key] else { return nil }
      guard let flag = value.bool else {
        throw parser.failure(value, "expected \(key) as true or false")
      }
      return flag
    }

    func fraction(_ key: String) throws -> Double? {
      guard let value = self[key] else { return nil }
      guard let text = value.string, let number = Double(text), (0...1).contains(number) else {
        throw parser.failure(value, "expected \(key) as a number from 0 to 1")
      }
      return number
    }
  }
}
