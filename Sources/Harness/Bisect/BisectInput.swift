import Diagnostics
import Evaluation
import Files
import Foundation
import Yams

/// The measurement at every commit. The recordings, and the statements of a suite about them, are
/// those of the checkout at the start; programs, scripts and parameter files are those of each
/// commit.
struct BisectInput {
  /// The arguments of `run`, besides the suite that is written into each commit.
  var arguments: [String]
  /// The suite that is written into each commit, and its place there; nil = none.
  var suite: (text: String, place: String)?
  /// The recordings.
  var traces: [String]
  /// The bounds of the suite; nil = none.
  var rules: GateRules?

  /// - Parameters:
  ///   - inputs: a suite, or traces and folders of them.
  ///   - detector: the options of `run` for traces.
  init(_ inputs: [String], detector: [String], in repository: GitRepository) throws {
    if inputs.contains(where: { TracePath.isFolder($0) || TracePath.isNative($0) }) {
      traces = try TracePath.nativeTraces(inputs).map(Self.absolute)
      for trace in traces where !FileManager.default.isReadableFile(atPath: trace) {
        throw Failure(.fileError, "\(trace): expected a native trace, found no file to read")
      }
      arguments = traces + detector
      return
    }
    try requireUse(
      inputs.count == 1,
      "expected one suite, or traces and folders of them, found \(inputs.count) files that are not "
        + "traces")
    try requireUse(
      detector.isEmpty,
      "--detector, --parameters and --gravity-filter: expected traces, found suite \(inputs[0]), "
        + "whose entries name them")
    let moved = try SuiteParser.moved(inputs[0])
    (traces, rules) = (moved.traces, moved.rules)
    let path = GitRepository.resolved(Self.absolute(inputs[0]))
    guard let place = GitRepository.path(path, within: GitRepository.resolved(repository.top))
    else {
      // Files that it names next to it are not in any commit either.
      arguments = [path]
      return
    }
    suite = (moved.text, place)
    arguments = []
  }

  static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }
}

extension SuiteParser {
  /// A suite for another folder: its recordings stay where they are.
  struct Moved {
    var text: String
    var traces: [String]
    var rules: GateRules?
  }

  /// Reads a suite without its detectors, which may be of another commit.
  static func moved(_ path: String) throws -> Moved {
    let bytes = try smallFile(path, "suite", mebibytes: largestSuite)
    let parser = SuiteParser(path: path, registry: Harness.registry)
    return try parser.reading(bytes) { parser, text in
      let fields = try parser.fields(
        text, ["schema", "name", "traces", "entries", "apps", "gate"], schema: Suite.schema)
      return try parser.moved(fields)
    }
  }

  private func moved(_ fields: Fields) throws -> Moved {
    let sets = try traceSets(fields.required("traces"))
    let folder = Self.escaped(BisectInput.absolute(Suite.folder(of: path)))
    let patterns = try fields.required("traces").mapping?.map { name, value in
      let own = try strings(value, "traces").map { pattern in
        Self.text(pattern.hasPrefix("/") ? pattern : folder + "/" + pattern)
      }
      return (Self.text(name.string ?? ""), Node(own))
    }
    var members: [(Node, Node)] = [
      (Self.text("schema"), Self.text(Suite.schema)),
      (Self.text("name"), Self.text(try fields.text("name") ?? stem)),
      (Self.text("traces"), Node(patterns ?? [])),
    ]
    // Not the bounds of a gate: the program of an older commit may not know them.
    for key in ["entries", "apps"] {
      if let node = fields[key] { members.append((Self.text(key), node)) }
    }
    return Moved(
      text: try Yams.serialize(node: Node(members), width: -1, allowUnicode: true),
      traces: sets.flatMap(\.files).map(BisectInput.absolute),
      rules: try fields["gate"].map { try parseGate($0, entries: nil) })
  }

  private static func text(_ text: String) -> Node {
    Node(text, Tag(.str), .doubleQuoted)
  }

  /// A folder's name within a pattern.
  private static func escaped(_ path: String) -> String {
    path.map { "\\*?[".contains($0) ? "\\\($0)" : "\($0)" }.joined()
  }
}
