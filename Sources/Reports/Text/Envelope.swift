import Diagnostics
package import Detectors
import Digests
package import Evaluation
import Foundation
package import Scoring

/// The kinds of JSON documents. The number rises when keys change.
package enum DocumentSchema: String, CaseIterable, Encodable, Sendable {
  case run = "shadowbox-run/2"
  case score = "shadowbox-score/2"
  case sweep = "shadowbox-sweep/2"
  case tune = "shadowbox-tune/1"
  case replay = "shadowbox-replay/1"
  case appReplay = "shadowbox-app-replay/2"
  case bench = "shadowbox-bench/1"
  case info = "shadowbox-info/1"
  case validate = "shadowbox-validate/1"
  case align = "shadowbox-align/1"
}

/// A JSON document: the keys `schema`, `tool` and `inputs`, then the keys of the result.
private struct Envelope<Result: Encodable>: Encodable {
  var schema: DocumentSchema
  var tool = ToolRecord()
  var inputs: [InputFile]
  var result: Result

  private enum CodingKeys: CodingKey { case schema, tool, inputs }

  func encode(to encoder: any Encoder) throws {
    try result.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(schema, forKey: .schema)
    try container.encode(tool, forKey: .tool)
    try container.encode(inputs, forKey: .inputs)
  }
}

/// The program that made a document.
package struct ToolRecord: Encodable, Sendable {
  package var name = Tool.name
  package var version = Tool.version

  package init() {}
}

/// Returns a result as a JSON document.
/// - Parameter inputs: the files that it rests on.
package func jsonDocument(
  _ result: some Encodable, _ schema: DocumentSchema, inputs: [InputFile]
) throws -> String {
  try jsonText(Envelope(schema: schema, inputs: inputs, result: result))
}

extension [InputFile] {
  /// Returns each regular file once. What came from a pipe has no digest.
  package static func files(_ paths: [String], role: String = "trace") throws -> [InputFile] {
    var seen: Set<String> = []
    return try paths.filter { seen.insert($0).inserted }.compactMap { path in
      var facts = stat()
      guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
      return try InputFile(role: role, path: path, sha256: FileDigest.sha256(of: path))
    }
  }
}

extension [Figure] {
  /// The figures by their names, as JSON has them.
  package var byName: [String: Figure] {
    Dictionary(map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

extension Figure {
  /// The columns of ``csvCells``.
  package static let csvColumns = [
    "figure", "value", "lower", "upper", "unit", "method", "count", "clusters",
  ]

  /// The figure as cells; what is undefined is empty.
  package var csvCells: [String] {
    [
      name, csvCell(value), csvCell(interval?.lower), csvCell(interval?.upper), unit,
      estimate.method?.rawValue ?? "", estimate.count.map(String.init) ?? "",
      estimate.clusters.map(String.init) ?? "",
    ]
  }
}

extension Detectors.Measurement {
  package var figure: Figure { Figure(name, value, unit: unit) }
}
