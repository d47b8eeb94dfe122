import AppEngines
import Diagnostics
import Evaluation
import Files
import Foundation
import Scoring
import TraceFormats
import TraceModel
import Yams

/// Reads files of decisions, as strictly as suites.
extension SuiteParser {
  static let decisionSchema = "shadowbox-decisions/1"

  /// - Parameter source: the path of a file, or a list in brackets.
  /// - Throws: ``Failure`` as `people.yml:12: what is wrong`.
  static func readDecisions(_ source: String, of app: any AppSimulation.Type) throws -> [Decision] {
    let isList = source.hasPrefix("[")
    let bytes =
      isList
      ? Data("{schema: \(decisionSchema), decisions: \(source)}".utf8)
      : try smallFile(source, .decisions, mebibytes: largestSuite)
    let path = isList ? "--decisions" : source
    return try SuiteParser(path: path, registry: .builtIn).reading(bytes) { parser, text in
      let fields = try parser.fields(text, ["schema", "decisions"], schema: decisionSchema)
      return try parser.decisions(fields.required("decisions"), of: app)
    }
  }

  func decisions(_ node: Node, of app: any AppSimulation.Type) throws -> [Decision] {
    try list(node, "a list of decisions").map { try decision($0, of: app) }
  }

  private static let triggers = ["person", "at", "after", "number", "wait", "do"]

  private func decision(_ node: Node, of app: any AppSimulation.Type) throws -> Decision {
    let actions = app.actions + [Decision.nothing]
    let names = Set(actions.flatMap(\.arguments).map(\.name))
    let all = try Fields(node, parser: self, known: Self.triggers + names.sorted())
    let name = try all.requiredText("do")
    guard let action = actions.first(where: { $0.name == name }) else {
      throw Failure.unknown(
        "action of \(app.name)", name, known: actions.map(\.name), place: place(node))
    }
    let fields = try Fields(
      node, parser: self, known: Self.triggers + action.arguments.map(\.name))
    var arguments: [String: String] = [:]
    for argument in action.arguments where argument.isNeeded || fields[argument.name] != nil {
      let text: String = try value(
        fields.required(argument.name), "\(argument.name) as \(argument.expected)"
      ) { node in
        guard let text = node.string, !text.contains("\0") else { return nil }
        return argument.accepts(text, people: app.peopleCount.upperBound) ? text : nil
      }
      arguments[argument.name] = text
    }
    return Decision(
      try count("person", of: fields, default: nil) - 1, try trigger(of: fields), name, arguments)
  }

  private func trigger(of fields: Fields) throws -> Decision.Trigger {
    guard (fields["at"] == nil) != (fields["after"] == nil) else {
      throw failure(
        fields.node, "expected at (a time) or after (an event of the log), not both")
    }
    func time(_ key: String) throws -> TraceInstant? {
      try fields.duration(key).map { TraceInstant.zero.advanced(bySeconds: seconds($0)) }
    }
    if let instant = try time("at") {
      for key in ["number", "wait"] {
        if let node = fields[key] { throw failure(node, "expected \(key) with after alone") }
      }
      return .at(instant)
    }
    return .after(
      try fields.requiredText("after"), number: try count("number", of: fields, default: 1),
      wait: try time("wait")?.nanoseconds ?? 0)
  }

  private func count(_ key: String, of fields: Fields, default standard: Int?) throws -> Int {
    if let standard, fields[key] == nil { return standard }
    return try value(fields.required(key), "\(key) as a whole number from 1") {
      $0.string.flatMap { Int($0) }.flatMap { $0 >= 1 ? $0 : nil }
    }
  }
}

extension Decision {
  /// The decision as an element of a list of ``SuiteParser/readDecisions(_:of:)``.
  var yaml: String {
    func time(_ nanoseconds: Int64) -> String { "\(decimalSeconds(nanoseconds)) s" }
    let when =
      switch trigger {
      case .at(let instant): "at: \(time(instant.nanoseconds))"
      case .after(let event, let number, let wait):
        "after: \(event), number: \(number), wait: \(time(wait))"
      }
    let rest = arguments.sorted { $0.key < $1.key }.map { key, text in
      ", \(key): '\(text.replacing("'", with: "''"))'"
    }
    return "{person: \(person + 1), \(when), do: \(action)\(rest.joined())}"
  }
}
