import Diagnostics
import Evaluation
import Files
import Foundation
import Yams

/// The measurement at every commit. The recordings, and what a suite states about them, come from the
/// checkout at the start; programs, scripts and parameter files come from each commit.
struct BisectInput {
  /// The arguments of `run`, besides the suite that is written into each commit.
  var arguments: [String]
  /// The suite that is written into each commit, and its place there; nil = none.
  var suite: (text: String, place: String)?
  var traces: [String]
  var rules: GateRules?

  /// - Parameters:
  ///   - named: a suite, or traces and folders of them; empty = the usual suite.
  ///   - detector: the options of `run` for traces.
  init(
    _ named: [String], detector: [String], _ registry: DetectorRegistry,
    in repository: GitRepository
  ) throws {
    let inputs = named.isEmpty ? [SuiteParser.usual] : named
    switch try SuiteArgument(inputs, hasDetector: !detector.isEmpty) {
    case .traces(let files):
      traces = files.map(Self.absolute)
      for trace in traces where !FileManager.default.isReadableFile(atPath: trace) {
        throw fileError("\(trace): expected a native trace, found no file to read")
      }
      arguments = traces + detector
    case .suite(let file):
      let moved = try SuiteParser.moved(file, registry, isNamed: !named.isEmpty)
      (traces, rules) = (moved.traces, moved.rules)
      let path = resolvedPath(Self.absolute(file))
      let place = GitRepository.path(path, within: resolvedPath(repository.top))
      // Outside of the repository, neither the suite nor the files next to it are in any commit.
      (suite, arguments) = (place.map { (moved.text, $0) }, place == nil ? [path] : [])
    }
  }

  static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }
}

extension SuiteParser {
  /// A suite for another folder: its recordings stay where they are.
  typealias Moved = (text: String, traces: [String], rules: GateRules?)

  /// Reads a suite without its detectors, which may be of another commit.
  static func moved(
    _ path: String, _ registry: DetectorRegistry, isNamed: Bool = true
  ) throws -> Moved {
    let bytes = try smallFile(path, .suite, mebibytes: largestSuite)
    let parser = SuiteParser(path: path, registry: registry, isTrusted: isNamed)
    return try parser.reading(bytes) { parser, text in
      var moved = try parser.moved(parser.fields(text, suiteKeys, schema: Suite.schema))
      if parser.isJSON { moved.text = try parser.movedJSON(text) }
      return moved
    }
  }

  private func moved(_ fields: Fields) throws -> Moved {
    if let entries = fields["entries"]?.sequence { try trustPrograms(of: entries) }
    let sets = try traceSets(fields.required("traces"))
    let folder = Self.escaped(BisectInput.absolute(Suite.folder(of: path)))
    func quoted(_ text: String) -> Node { Node(text, Tag(.str), .doubleQuoted) }
    let patterns = try fields.required("traces").mapping?.map { name, value in
      let own = try strings(value, "traces").map { pattern in
        quoted(pattern.hasPrefix("/") ? pattern : folder + "/" + pattern)
      }
      return (quoted(name.string ?? ""), Node(own))
    }
    var members: [(Node, Node)] = [
      (quoted("schema"), quoted(Suite.schema)),
      (quoted("name"), quoted(try fields.text("name") ?? stem)),
      (quoted("traces"), Node(patterns ?? [])),
    ]
    // Not the bounds of a gate: the program of an older commit may not know them.
    for key in ["entries", "apps"] {
      if let node = fields[key] { members.append((quoted(key), node)) }
    }
    return (
      text: try Yams.serialize(node: Node(members), width: -1, allowUnicode: true),
      traces: sets.flatMap(\.files).map(BisectInput.absolute),
      rules: try fields["gate"].map { try parseGate($0, entries: nil) }
    )
  }

  private func movedJSON(_ text: String) throws -> String {
    var root = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
    let folder = Self.escaped(BisectInput.absolute(Suite.folder(of: path)))
    root["traces"] = (root["traces"] as? [String: Any])?.mapValues { value in
      (value as? [String] ?? [value as? String ?? ""]).map { pattern in
        pattern.hasPrefix("/") ? pattern : folder + "/" + pattern
      }
    }
    root["name"] = root["name"] ?? stem
    root["gate"] = nil
    return String(decoding: try JSONSerialization.data(withJSONObject: root), as: UTF8.self)
  }

  /// A path as a part of a pattern that matches it only.
  static func escaped(_ path: String) -> String {
    path.unicodeScalars.map { "\\*?[".unicodeScalars.contains($0) ? "\\\($0)" : "\($0)" }
      .joined()
  }
}
