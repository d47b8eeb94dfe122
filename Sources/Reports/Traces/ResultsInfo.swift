import Diagnostics
import Digests
package import TraceFormats

/// What `info` prints about a file of `run`, `sweep` or `tune`.
package struct ResultsInfo: Encodable, Sendable {
  package let path: String
  private let contents: ResultsContents
  private let sha256: String

  /// Whether the beginning of a file is that of results.
  package static func matches(_ path: String) -> Bool {
    [OutputKind.results, .sweep, .tuning].contains { $0.matches(fileAt: path) }
  }

  package init(_ path: String) throws {
    self.path = path
    contents = try SteadyFile.reading(path) { try NativeFile.readResults(path) }
    sha256 = try FileDigest.sha256(of: path)
  }

  package func encode(to encoder: any Encoder) throws { try document.encode(to: encoder) }

  private var document: JSONObject {
    [
      "path": path, "schema": contents.schema,
      "attributes": Dictionary(
        contents.facts.map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first }),
      "groups": contents.groups.map { group -> JSONObject in
        [
          "name": group.name, "groups": group.groups, "inner_groups": group.inner,
          "rows": group.rows,
        ]
      },
      "figures": contents.rows.map { row -> JSONObject in
        [
          "name": row.name, "origin": row.origin.isEmpty ? nil : row.origin,
          "values": row.values.map(Self.document),
        ]
      },
      "sha256": sha256,
    ]
  }

  /// JSON has no infinity: a bound that the data do not bound is null.
  private static func document(of value: ResultsContents.Value) -> JSONObject {
    func finite(_ number: Double?) -> Double? { number.flatMap { $0.isFinite ? $0 : nil } }
    return [
      "figure": value.name, "value": finite(value.value), "lower": finite(value.lower),
      "upper": finite(value.upper), "unit": value.unit, "method": value.method,
      "count": value.count, "clusters": value.clusters,
    ]
  }

  // MARK: Text

  /// The figures that a first look wants, in this order.
  private static let headlines = [
    "threshold", "recall", "precision", "false_alarms_per_hour", "false_visits_per_hour",
    "entry_delay_p50", "distance_error_bias", "mistakes_per_hour", "detection_time_p50",
  ]
  /// Further entries are counted.
  private static let mostRows = 20

  package func table(_ screen: Screen = Screen()) -> String {
    // Documents within attributes are for programs.
    func isDocument(_ fact: [String]) -> Bool { ["{", "["].contains(fact[1].prefix(1)) }
    let documents = contents.facts.filter(isDocument)
    var lines = contents.rows.prefix(Self.mostRows).map(Self.text)
    let more = contents.rows.count - Self.mostRows
    if more > 0 { lines.append("\(more) more with --format json or csv") }
    lines += contents.facts.filter { !$0[1].isEmpty && !isDocument($0) }.map {
      "\(inLine($0[0]).replacing("_", with: " ")): \(inLine($0[1]))"
    }
    if !documents.isEmpty {
      lines.append(
        "with --format json also: " + documents.map { inLine($0[0]) }.joined(separator: ", "))
    }
    lines.append("holds: " + contents.groups.map(Self.text).joined(separator: ", "))
    lines.append("SHA-256: \(sha256)")
    let head = "\(inLine(contents.schema))  (\(path))\n"
    return screen.wrapped(head + lines.map { "  \($0)\n" }.joined(), indent: 4)
  }

  private static func text(of group: ResultsContents.Group) -> String {
    let sizes = [
      group.groups > 0 ? counted(group.groups, "group") : "",
      group.inner > 0 ? "\(group.inner) in them" : "",
      group.rows > 0 ? counted(group.rows, "row") : "",
    ].filter { !$0.isEmpty }
    return "/\(inLine(group.name))" + (sizes.isEmpty ? "" : " (\(sizes.joined(separator: ", ")))")
  }

  private static func text(of row: ResultsContents.Row) -> String {
    let figures = headlines.compactMap { name in row.values.first { $0.name == name } }
    let title = inLine(row.name) + (row.origin.isEmpty ? "" : " (\(inLine(row.origin)))")
    guard !figures.isEmpty else { return "\(title): \(counted(row.values.count, "figure"))" }
    return "\(title): " + figures.map(text).joined(separator: ", ")
  }

  private static func text(of value: ResultsContents.Value) -> String {
    var text = "\(value.name.replacing("_", with: " ")) \(number(rounded(value.value)))"
    if let lower = value.lower, let upper = value.upper {
      text += " (\(number(rounded(lower)))-\(number(rounded(upper))))"
    }
    switch value.unit {
    case "1": return text
    case "h-1": return text.replacing(" per hour", with: "") + " per hour"
    default: return "\(text) \(inLine(value.unit))"
    }
  }

  /// A row per figure.
  package static func csv(_ infos: [ResultsInfo]) -> String {
    let keys = ["figure", "value", "lower", "upper", "unit", "method", "count", "clusters"]
    return csvTable(
      ["path", "name", "origin"] + keys,
      infos.flatMap { info in
        info.contents.rows.flatMap { row in
          row.values.map { value -> JSONObject in
            ["path": info.path, "name": row.name, "origin": row.origin] + document(of: value)
          }
        }
      })
  }
}
