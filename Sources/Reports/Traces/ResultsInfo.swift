import Diagnostics
import Digests
import Files
import Foundation
import Results
import Scoring
import TraceFormats

package struct ResultsInfo: Encodable, Sendable {
  package let path: String
  private let contents: ResultsContents
  private let sha256: String

  /// Whether a file is a results file of any version.
  package static func matches(_ path: String) -> Bool {
    guard FileDigest.isRegularFile(path), let file = FileHandle(forReadingAtPath: path) else {
      return false
    }
    defer { try? file.close() }
    guard (try? file.read(upToCount: 4)) == Data([0x89]) + Data("HDF".utf8),
      let schema = ResultsContents.schema(of: path)
    else { return false }
    return ["results", "sweep", "tuning"].contains { schema.hasPrefix("shadowbox-\($0)/") }
  }

  package init(_ path: String) throws {
    self.path = path
    contents = try SteadyFile.reading(path) { try ResultsContents.reading(path) }
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
      "entries": contents.rows.map { row -> JSONObject in
        [
          "name": row.name, "origin": row.origin.isEmpty ? nil : row.origin,
          "figures": Dictionary(
            row.figures.map { ($0.name, Self.document(of: $0)) },
            uniquingKeysWith: { first, _ in first }),
        ]
      },
      "sha256": sha256,
    ]
  }

  /// As an estimate encodes itself, but also with an interval of unknown method.
  private static func document(of figure: Figure) -> JSONObject {
    let (estimate, interval) = (figure.estimate, figure.interval)
    let document: JSONObject = ["value": finite(figure.value), "unit": figure.unit]
    guard estimate.method != nil || interval != nil else { return document }
    return document + [
      "lower": finite(interval?.lower), "upper": finite(interval?.upper),
      "method": estimate.method?.rawValue, "population": estimate.method?.population.rawValue,
      "count": estimate.count, "clusters": estimate.clusters,
      "cluster": estimate.clusterKind?.rawValue,
      "assumed_correlation": estimate.assumedCorrelation,
    ]
  }

  package static func csv(_ infos: [ResultsInfo]) -> String {
    let keys = ["value", "lower", "upper", "unit", "method", "count", "clusters"]
    return csvTable(
      ["path", "name", "origin", "figure"] + keys,
      infos.flatMap { info in
        info.contents.rows.flatMap { row in
          row.figures.map { value -> JSONObject in
            ["path": info.path, "name": row.name, "origin": row.origin, "figure": value.name]
              + document(of: value)
          }
        }
      })
  }
}

extension ResultsInfo {
  /// The main figures, in this order.
  static let headlines =
    ["threshold"]
    + [
      FigureDefinition.recall, .precision, .falseAlarmsPerHour, .falseVisitsPerHour,
      .entryDelay.p50, .distanceError.bias, .mistakesPerHour, .detectionTime.p50,
      .averagePrecision, .meanRecall, .countErrorPercent, .countAbsoluteErrorPercent,
    ].map(\.name)
  /// Further entries and groups are counted.
  private static let most = 20

  package func table(_ screen: Screen = Screen()) -> String {
    // JSON in attributes is for programs.
    func isDocument(_ fact: [String]) -> Bool { ["{", "["].contains(fact[1].prefix(1)) }
    let documents = contents.facts.filter(isDocument)
    var lines = contents.rows.prefix(Self.most).map(text(of:))
    let more = contents.rows.count - Self.most
    if more > 0 { lines.append("\(more) more with --format json or csv") }
    if let whom { lines.append("intervals: 95 %, for \(whom)") }
    lines += contents.facts.filter { !$0[1].isEmpty && !isDocument($0) }.map(Self.text(ofFact:))
    if !documents.isEmpty {
      lines.append(
        "with --format json also: " + documents.map { inLine($0[0]) }.joined(separator: ", "))
    }
    let groups = contents.groups.map(Self.text(of:))
    lines.append("holds: " + (groups.isEmpty ? "nothing" : listed(groups, most: Self.most)))
    lines.append("SHA-256: \(sha256)")
    let head = "\(inLine(contents.schema))  (\(onOneLine(path)))\n"
    return screen.wrapped(head + lines.map { "  \($0)\n" }.joined(), indent: 4)
  }

  /// The people for whom the printed intervals are.
  private var populations: Set<IntervalMethod.Population?> {
    let values = contents.rows.prefix(Self.most).flatMap(Self.shown)
    return Set(values.filter { $0.interval != nil }.map(\.estimate.method?.population))
  }

  /// nil without an interval.
  private var whom: String? {
    switch populations {
    case []: nil
    case [.thesePeople]: "these people only"
    case [.newPeople]: "new people"
    case [.newPeople, .thesePeople]: "new people, unless a row says these people only"
    default: "people that the file does not state"
    }
  }

  private static func text(ofFact fact: [String]) -> String {
    let (name, value) = (inLine(fact[0]).replacing("_", with: " "), inLine(fact[1]))
    guard name.hasPrefix("is ") else { return "\(name): \(value)" }
    return "\(name.dropFirst(3)): \(value == "1" ? "yes" : value == "0" ? "no" : value)"
  }

  private static func text(of group: ResultsContents.Group) -> String {
    let sizes = [
      group.groups > 0 ? counted(group.groups, "group") : "",
      group.inner > 0 ? "\(group.inner) in them" : "",
      group.rows > 0 ? counted(group.rows, "row") : "",
    ].filter { !$0.isEmpty }
    return "/\(inLine(group.name))" + (sizes.isEmpty ? "" : " (\(sizes.joined(separator: ", ")))")
  }

  /// The main figures of a row. Without references there is no precision.
  private static func shown(_ row: ResultsContents.Row) -> [Figure] {
    let hasNothing = row.figures.contains {
      $0.name == FigureDefinition.references.name && $0.value == 0
    }
    return headlines.compactMap { name in
      row.figures.first {
        $0.name == name && !(hasNothing && name == FigureDefinition.precision.name)
      }
    }
  }

  private func text(of row: ResultsContents.Row) -> String {
    let title = inLine(row.name) + (row.origin.isEmpty ? "" : " (\(inLine(row.origin)))")
    let figures = Self.shown(row)
    guard !figures.isEmpty else { return "\(title): \(counted(row.figures.count, "figure"))" }
    // Printed per row, or per figure of a row, only if they differ.
    let own = Set(figures.filter { $0.interval != nil }.map(\.estimate.method?.population))
    let texts = figures.map {
      let isMarked = own.count > 1 && $0.estimate.method?.population == .thesePeople
      return Self.text(of: $0, mark: isMarked ? " these people" : "")
    }
    let isApart = populations.count > 1 && own == [.thesePeople]
    return "\(title): " + texts.joined(separator: ", ") + (isApart ? "; these people only" : "")
  }

  /// - Parameter mark: the people for whom the interval is.
  private static func text(of value: Figure, mark: String) -> String {
    func short(_ value: Double) -> String { number(rounded(value)) }
    var text = value.name.replacing("_", with: " ") + " "
    text +=
      value.value.map(short)
      ?? (value.estimate.count ?? 0 > 0 ? "not reached" : TableCell.undefined)
    if let interval = value.interval {
      text += " (\(short(interval.lower))-\(short(interval.upper))\(mark))"
    }
    switch value.unit {
    case "1": return text
    case "h-1": return text.replacing(" per hour", with: "") + " per hour"
    default: return "\(text) \(inLine(value.unit))"
    }
  }
}
