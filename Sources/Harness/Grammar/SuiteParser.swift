import Detectors
import Diagnostics
import Digests
import Evaluation
import Files
import Foundation
import Yams

/// Reads suites. Every key is checked: a misspelt key would silently change the measurement.
struct SuiteParser {
  let path: String
  let registry: DetectorRegistry
  /// The results file that holds the suite; nil = it is a file of its own.
  let results: String?
  /// Whether the `exec:` programs that the suite names may be started.
  let isTrusted: Bool
  /// Whether the text is JSON: that of a file of this name, and what results hold.
  let isJSON: Bool

  init(
    path: String, registry: DetectorRegistry, results: String? = nil, isTrusted: Bool = false
  ) {
    (self.path, self.registry, self.results) = (path, registry, results)
    self.isTrusted = isTrusted
    isJSON = results != nil || TracePath.ending(of: path) == "json"
  }

  /// The suite of commands that name none. It is of the working directory, which is not trusted.
  static let usual = "traces/suite.yml"

  /// Reads a file of a suite, which is trusted: it is a program.
  ///
  /// - Parameter isNamed: whether the command line names it; otherwise it starts no program.
  /// - Throws: ``Failure`` as `suite.yml:12: what is wrong`.
  static func read(
    _ path: String, registry: DetectorRegistry, isNamed: Bool = true
  ) throws -> Suite {
    let bytes = try smallFile(path, .suite, mebibytes: largestSuite)
    let parser = SuiteParser(
      path: path, registry: registry, isTrusted: isNamed && InputKind.suite.mayNamePrograms)
    var suite = try parser.reading(bytes) { try $0.parse($1) }
    suite.sha256 = SHA256Digest.hex(of: Array(bytes))
    return suite
  }

  func reading<Result>(
    _ bytes: Data, _ parse: (SuiteParser, String) throws -> Result
  ) throws -> Result {
    guard let text = String(validating: withoutByteOrderMark(bytes), as: UTF8.self) else {
      throw badData("\(path): expected UTF-8 text, found other bytes")
    }
    do {
      return try parse(self, text)
    } catch let error as Failure where error.kind == .wrongUse {
      // An unknown name is wrong use on a command line, and bad data in a file.
      throw badData(error.description)
    }
  }

  /// In MiB: larger than any suite written by hand.
  static let largestSuite = 1

  static let suiteKeys = ["schema", "name", "traces", "entries", "apps", "gate"]

  func parse(_ text: String) throws -> Suite {
    try suite(of: fields(text, Self.suiteKeys, schema: Suite.schema))
  }

  /// - Parameter known: the keys.
  func fields(_ text: String, _ known: [String], schema expected: String) throws -> Fields {
    let root = try isJSON ? root(ofJSON: text) : root(ofYAML: text)
    let fields = try Fields(root, parser: self, known: known)
    let schema = try fields.requiredText("schema")
    try require(schema == expected, fields.node, "expected schema \(expected), found \(schema)")
    return fields
  }

  private func root(ofYAML text: String) throws -> Node {
    try YAMLEvents.requirePlain(text, of: path)
    let root: Node?
    do {
      root = try Yams.compose(yaml: text)
    } catch {
      throw failure(error, in: text)
    }
    guard let root else { throw badData("\(path): the file is empty") }
    return root
  }

  private func suite(of fields: Fields) throws -> Suite {
    let sets = try traceSets(fields.required("traces"))
    var suite = Suite(
      name: try fields.text("name") ?? stem, path: path, traceSets: sets, entries: [])
    let names = sets.map(\.name)
    var seen: Set<String> = []
    func checkName(_ name: String, _ node: Node) throws {
      try require(seen.insert(name).inserted, node, "duplicate entry \(name); names must be unique")
    }
    // A suite may have apps only.
    if fields["entries"] != nil || fields["apps"] == nil {
      let entries = try list(fields.required("entries"), "a list of entries")
      // Before the first starts, so that all are named.
      try trustPrograms(of: entries)
      for node in entries {
        let entry = try parseEntry(node, sets: names)
        try checkName(entry.name, node)
        suite.entries.append(entry)
      }
    }
    for node in try fields["apps"].map({ try list($0, "a list of apps") }) ?? [] {
      let entry = try parseApp(node, sets: names, of: suite)
      try checkName(entry.name, node)
      suite.apps.append(entry)
    }
    suite.gate = try fields["gate"].map { try parseGate($0, entries: seen) }
    return suite
  }

  /// The name of a file that states none.
  var stem: String { TracePath.stem(of: path) }

  func list(_ node: Node, _ expected: String) throws -> Node.Sequence {
    try value(node, expected) { $0.sequence.flatMap { $0.isEmpty ? nil : $0 } }
  }

  func name(of fields: Fields) throws -> String? {
    try fields["name"].map { node in
      try value(node, "a name of the entry, found none") {
        $0.string.flatMap { $0.isEmpty || $0.contains("\0") ? nil : $0 }
      }
    }
  }

  func traces(of fields: Fields, sets: [String], place: String) throws -> [String] {
    let traces = try strings(fields.required("traces"), "traces")
    for name in traces where !sets.contains(name) {
      throw Failure.unknown("trace set", name, known: sets, place: place)
    }
    return traces
  }

  func traceSets(_ node: Node) throws -> [Suite.TraceSet] {
    guard let mapping = node.mapping, !mapping.isEmpty else {
      throw failure(node, "expected named sets of trace files")
    }
    var sets: [Suite.TraceSet] = []
    for (key, value) in mapping {
      let name = key.string ?? ""
      try require(!sets.contains { $0.name == name }, key, "duplicate trace set \(name)")
      let files = try strings(value, "trace set \(name)").map { pattern in
        let found = try TracePath.matching(pattern, in: Suite.folder(of: path))
        guard !found.isEmpty else {
          throw fileError(
            "\(place(value)): no file matches \(pattern), relative to the suite's folder")
        }
        return found
      }
      sets.append(Suite.TraceSet(name: name, files: Array(files.joined())))
    }
    return sets
  }

  func strings(_ node: Node, _ what: String) throws -> [String] {
    if let one = node.string, node.sequence == nil { return [one] }
    let expected = "\(what) as a list of names"
    return try list(node, expected).map { try value($0, expected, by: \.string) }
  }

  /// Returns the value of a node.
  /// - Throws: if `parse` returns nil.
  func value<Value>(_ node: Node, _ expected: String, by parse: (Node) -> Value?) throws -> Value {
    guard let value = parse(node) else { throw failure(node, "expected \(expected)") }
    return value
  }

  /// The keys and values of a mapping, all of which are text.
  func pairs(
    _ mapping: Node.Mapping, _ what: String
  ) throws -> [(key: Node, name: String, value: Node, text: String)] {
    try mapping.map { key, value in
      guard let name = key.string, let text = value.string else {
        throw failure(key, "expected \(what) as name: value")
      }
      return (key, name, value, text)
    }
  }

  /// `file:line`.
  func place(_ node: Node) -> String { node.mark.map { "\(path):\($0.line)" } ?? path }

  func failure(_ node: Node, _ message: String) -> Failure { badData("\(place(node)): \(message)") }

  /// - Throws: ``failure(_:_:)``, unless `isRight`.
  func require(_ isRight: Bool, _ node: Node, _ message: @autoclosure () -> String) throws {
    if !isRight { throw failure(node, message()) }
  }
}

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
          throw Failure.unknown("key", key.string ?? "?", known: known, place: parser.place(key))
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

    func requiredText(_ key: String) throws -> String {
      try parser.value(required(key), "\(key) as text", by: \.string)
    }

    /// The value of a key; nil = the key is missing.
    private func value<Value>(
      _ key: String, as expected: String, by parse: (String) -> Value?
    ) throws -> Value? {
      try self[key].map {
        // A file of results cannot hold text with NUL.
        try parser.value($0, "\(key) as \(expected)") {
          $0.string.flatMap { $0.contains("\0") ? nil : parse($0) }
        }
      }
    }

    func text(_ key: String) throws -> String? { try value(key, as: "text") { $0 } }

    func quantity(_ key: String, unit: ParameterUnit) throws -> Double? {
      let units = Quantity.names(of: unit).joined(separator: ", ")
      return try value(key, as: "a number with a unit of \(units)") {
        Quantity.value(of: $0, unit: unit)
      }
    }

    func duration(_ key: String) throws -> Duration? {
      try value(key, as: "a time such as 150 ms", by: Quantity.duration(of:))
    }

    func flag(_ key: String) throws -> Bool? {
      try self[key].map { try parser.value($0, "\(key) as true or false", by: \.bool) }
    }

    func fraction(_ key: String) throws -> Double? {
      try value(key, as: "a number from 0 to 1") { text in
        Double(text).flatMap { (0...1).contains($0) ? $0 : nil }
      }
    }

    func seed() throws -> UInt64? { try value("seed", as: "a whole number") { UInt64($0) } }

    func deviceRate() throws -> Double? {
      try value("device_rate", as: "a rate above zero, such as 50 Hz", by: DeviceRateOptions.rate)
    }
  }
}

/// The errors of text that is not YAML.
extension SuiteParser {
  /// Returns the YAML library's error in one line: its own description quotes the whole input.
  private func failure(_ error: any Error, in text: String) -> Failure {
    switch error as? YamlError {
    case .scanner(let context, let problem, let mark, _),
      .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      let what = [context?.text, problem].compactMap { $0 }.joined(separator: ": ")
      return badData("\(path):\(mark.line): not YAML: \(what)")
    case .reader(let problem, let offset, _, _):
      let before = text.utf8.prefix(offset ?? 0)
      return badData("\(path):\(before.count { $0 == 0x0A } + 1): not YAML: \(problem)")
    case .duplicatedKeysInMapping(let duplicates, let context):
      return badData(
        "\(path):\(context.mark.line): expected unique keys, found duplicates: "
          + duplicates.joined(separator: ", "))
    default: return badData("\(path): not a YAML file: \(error)")
    }
  }
}
