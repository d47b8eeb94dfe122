import Diagnostics
import Digests
import Evaluation
import Foundation
import Yams

/// Reads suites. Every key is checked: a misspelt one would otherwise silently change what is
/// measured.
struct SuiteParser {
  let path: String
  let registry: DetectorRegistry

  /// - Throws: ``Failure`` as `suite.yml:12: what is wrong`.
  static func read(_ path: String, registry: DetectorRegistry) throws -> Suite {
    let bytes = try bytes(of: path)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(.badData, "\(path): expected UTF-8 text, found other bytes")
    }
    do {
      var suite = try SuiteParser(path: path, registry: registry).parse(text)
      let digest = SHA256Digest()
      bytes.withUnsafeBytes { digest.update($0) }
      suite.sha256 = digest.finish()
      return suite
    } catch let error as Failure where error.kind == .wrongUse {
      // An unknown name is wrong use on a command line, and bad data in a file.
      throw Failure(.badData, error.description)
    }
  }

  /// Bytes. Larger than any suite written by hand, and small enough to be read whole.
  private static let largestSuite = 1 << 20

  /// The file's bytes; a pipe is read to its end.
  private static func bytes(of path: String) throws -> Data {
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw Failure(
        .fileError,
        "\(path): cannot be read as a suite: "
          + (errno == ENOENT ? "no such file" : String(cString: strerror(errno))))
    }
    defer { try? handle.close() }
    var bytes = Data()
    do {
      while bytes.count <= largestSuite, let piece = try handle.read(upToCount: largestSuite),
        !piece.isEmpty
      {
        bytes += piece
      }
    } catch {
      throw Failure(
        .fileError, "\(path): cannot be read as a suite: \(error.localizedDescription)")
    }
    guard bytes.count <= largestSuite else {
      throw Failure(
        .badData, "\(path): expected a suite of at most 1 MiB, found a larger file")
    }
    return bytes
  }

  func parse(_ text: String) throws -> Suite {
    try SuiteText(path: path, text: text).requireNoAliases()
    let root: Node?
    do {
      root = try Yams.compose(yaml: text)
    } catch {
      throw SuiteText(path: path, text: text).failure(error)
    }
    guard let root else { throw Failure(.badData, "\(path): the suite is empty") }
    let fields = try Fields(
      root, parser: self, known: ["schema", "name", "traces", "entries", "apps"])
    let schema = try fields.string("schema")
    guard schema == Suite.schema else {
      throw failure(fields.node, "expected schema \(Suite.schema), found \(schema)")
    }
    return try suite(of: fields)
  }

  private func suite(of fields: Fields) throws -> Suite {
    let sets = try traceSets(fields.required("traces"))
    var suite = Suite(
      name: try fields.optionalString("name") ?? fileStem, path: path, traceSets: sets,
      entries: [])
    let names = sets.map(\.name)
    var seen: Set<String> = []
    func checkName(_ name: String, _ node: Node) throws {
      guard seen.insert(name).inserted else {
        throw failure(node, "duplicate entry \(name); names must be unique")
      }
    }
    // A suite may have apps only.
    if fields["entries"] != nil || fields["apps"] == nil {
      for node in try list(fields.required("entries"), "entries") {
        let entry = try parseEntry(node, sets: names)
        try checkName(entry.name, node)
        suite.entries.append(entry)
      }
    }
    if let apps = fields["apps"] {
      for node in try list(apps, "apps") {
        let entry = try parseApp(node, sets: names, of: suite)
        try checkName(entry.name, node)
        suite.apps.append(entry)
      }
    }
    return suite
  }

  func list(_ node: Node, _ what: String) throws -> Node.Sequence {
    guard let sequence = node.sequence, !sequence.isEmpty else {
      throw failure(node, "expected a list of \(what)")
    }
    return sequence
  }

  func name(of fields: Fields) throws -> String? {
    if let name = fields["name"], name.string?.isEmpty ?? true {
      throw failure(name, "expected a name of the entry, found none")
    }
    return try fields.optionalString("name")
  }

  /// The trace sets that an entry names.
  func traces(of fields: Fields, sets: [String], place: String) throws -> [String] {
    let traces = try strings(fields.required("traces"), "traces")
    for name in traces where !sets.contains(name) {
      throw Failure.unknown("trace set", name, known: sets, place: place)
    }
    return traces
  }

  private var fileStem: String {
    URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
  }

  private func traceSets(_ node: Node) throws -> [Suite.TraceSet] {
    guard let mapping = node.mapping, !mapping.isEmpty else {
      throw failure(node, "expected named sets of trace files")
    }
    var sets: [Suite.TraceSet] = []
    var seen: Set<String> = []
    for (key, value) in mapping {
      let name = key.string ?? ""
      guard seen.insert(name).inserted else {
        throw failure(key, "duplicate trace set \(name)")
      }
      let patterns = try strings(value, "trace set \(name)")
      var files: [String] = []
      for pattern in patterns {
        let found = expand(pattern)
        guard !found.isEmpty else {
          throw Failure(
            .fileError,
            "\(path):\(line(value)): no file matches \(pattern), relative to the suite's folder")
        }
        files += found
      }
      sets.append(Suite.TraceSet(name: name, files: files))
    }
    return sets
  }

  /// The files that a shell pattern matches, sorted.
  private func expand(_ pattern: String) -> [String] {
    let folder = Suite.folder(of: path)
    // The folder's own name is no pattern.
    let escaped = folder.map { "\\*?[".contains($0) ? "\\\($0)" : "\($0)" }.joined()
    let full = pattern.hasPrefix("/") || folder == "." ? pattern : escaped + "/" + pattern
    var matches = glob_t()
    defer { globfree(&matches) }
    guard glob(full, 0, nil, &matches) == 0 else { return [] }
    return (0..<Int(matches.gl_pathc)).compactMap { index in
      matches.gl_pathv[index].map { String(cString: $0) }
    }
  }

  func strings(_ node: Node, _ what: String) throws -> [String] {
    if let one = node.string, node.sequence == nil { return [one] }
    guard let sequence = node.sequence, !sequence.isEmpty else {
      throw failure(node, "expected \(what) as a list of names")
    }
    return try sequence.map { item in
      guard let text = item.string else {
        throw failure(item, "expected \(what) as a list of names")
      }
      return text
    }
  }

  func line(_ node: Node) -> Int { node.mark?.line ?? 1 }

  func failure(_ node: Node, _ message: String) -> Failure {
    Failure(.badData, "\(path):\(line(node)): \(message)")
  }
}
