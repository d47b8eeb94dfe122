import Diagnostics
import Digests
package import Evaluation
import Results
package import Scoring

/// The kinds of JSON documents. A change of keys increases the number.
package enum DocumentSchema: String, CaseIterable, Encodable, Sendable {
  case run = "shadowbox-run/3"
  case score = "shadowbox-score/2"
  case sweep = "shadowbox-sweep/2"
  case tune = "shadowbox-tune/2"
  case plan = "shadowbox-plan/1"
  case replay = "shadowbox-replay/2"
  case appReplay = "shadowbox-app-replay/3"
  case bench = "shadowbox-bench/2"
  case info = "shadowbox-info/2"
  case validate = "shadowbox-validate/1"
  case align = "shadowbox-align/1"
  case compare = "shadowbox-compare/1"
  case gate = "shadowbox-gate/1"
  case history = "shadowbox-history/1"
  case bisect = "shadowbox-bisect/1"
  case shrink = "shadowbox-shrink/1"
  case profiles = "shadowbox-profiles/1"
}

/// Returns CSV with a column per key and a row per object. Absent and undefined values are empty.
func csvTable(_ keys: [String], _ objects: [JSONObject]) -> String {
  csvTable(objects, keys.map { key in (key, { $0.members.last { $0.key == key }?.value }) })
}

/// Returns CSV with a row per item.
func csvTable<Items: Sequence>(
  _ items: Items, _ columns: [(title: String, value: (Items.Element) -> JSONObject.Value?)]
) -> String {
  var text = ""
  writeCSV(items, columns) { text += $0 }
  return text
}

/// Writes CSV row by row: half a million rows of cells would take ten times the memory of the text.
func writeCSV<Items: Sequence>(
  _ items: Items, _ columns: [(title: String, value: (Items.Element) -> JSONObject.Value?)],
  to write: (String) throws -> Void
) rethrows {
  try write(csvRow(columns.map(\.title)))
  for item in items {
    try write(
      csvRow(
        columns.map { column in
          switch column.value(item) {
          case let text as String: text
          case let number as Double: csvCell(number)
          case let integer as Int: "\(integer)"
          case let name as any RawRepresentable: "\(name.rawValue)"
          default: ""
          }
        }))
  }
}

/// A JSON document: the keys `schema`, `tool` and `inputs`, then the keys of the result.
private struct Envelope<Result: Encodable>: Encodable {
  var head: JSONObject
  var result: Result

  func encode(to encoder: any Encoder) throws {
    try result.encode(to: encoder)
    try head.encode(to: encoder)
  }
}

let toolRecord: JSONObject = ["name": Tool.name, "version": Tool.version]

/// Returns a result as a JSON document.
/// - Parameter inputs: the files behind it.
package func jsonDocument(
  _ result: some Encodable, _ schema: DocumentSchema, inputs: [InputFile]
) throws -> String {
  let head: JSONObject = ["schema": schema, "tool": toolRecord, "inputs": inputs]
  return try jsonText(Envelope(head: head, result: result))
}

extension [InputFile] {
  /// Returns each regular file once. A pipe has no digest.
  package static func files(_ paths: [String], role: String = "trace") throws -> [InputFile] {
    try paths.uniqued().filter(FileDigest.isRegularFile).map { path in
      try InputFile(role: role, path: path, sha256: FileDigest.sha256(of: path))
    }
  }
}

extension [Figure] {
  package var byName: [String: Figure] {
    Dictionary(map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

extension Figure {
  /// CSV with a row per figure, so that new figures add no columns.
  /// - Parameter columns: the columns before those of the figure; each row has as many cells.
  static func csv(
    after columns: [String], _ rows: [(lead: [String], figures: [Figure])]
  ) -> String {
    let own = ["figure", "value", "lower", "upper", "unit", "method", "count", "clusters"]
    let cells = rows.flatMap { row in row.figures.map { row.lead + $0.csvCells } }
    return ([columns + own] + cells).map(csvRow).joined()
  }

  package var csvCells: [String] {
    [
      name, csvCell(value), csvCell(interval?.lower), csvCell(interval?.upper), unit,
      estimate.method?.rawValue ?? "", estimate.count.map(String.init) ?? "",
      estimate.clusters.map(String.init) ?? "",
    ]
  }
}

extension EventCounts {
  /// The columns of ``csvCells``.
  static let csvColumns = ["true_positives", "false_positives", "false_negatives"]

  var csvCells: [String] { ["\(truePositives)", "\(falsePositives)", "\(falseNegatives)"] }
}
