import Diagnostics
package import Evaluation
import Scoring
import Foundation

/// Returns a badge in the JSON of the endpoint of shields.io, version 1 of its schema.
private func badge(
  _ label: String, _ message: String, _ color: String, isError: Bool = false
) throws -> String {
  struct Badge: Encodable {
    var schemaVersion = 1
    var label: String
    var message: String
    var color: String
    var isError: Bool
  }
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  let badge = Badge(label: label, message: message, color: color, isError: isError)
  return String(decoding: try encoder.encode(badge), as: UTF8.self) + "\n"
}

extension GateReport {
  package func badge() throws -> String {
    let count = "\(verdict.rawValue): \(deciding.count) of \(checks.count)"
    let isShort = verdict == .pass || checks.isEmpty
    return try Reports.badge(
      "gate", isShort ? verdict.rawValue : count, verdict.color, isError: verdict == .error)
  }
}

extension GateVerdict {
  fileprivate var color: String {
    switch self {
    case .pass, .improved: "brightgreen"
    case .inconclusive: "yellow"
    case .fail: "red"
    case .error: "lightgrey"
    }
  }
}

extension ResultComparison {
  package func badge() throws -> String {
    guard !entries.isEmpty else {
      return try Reports.badge("compare", "nothing compared", "lightgrey", isError: true)
    }
    return isIdentical
      ? try Reports.badge("compare", "no difference", "brightgreen")
      : try Reports.badge(
        "compare",
        flipCount == 0 && outcomes.contains(where: \.differs)
          ? counted(outcomes.count(where: \.differs), "outcome") : counted(flipCount, "flip"),
        "yellow")
  }
}

extension MeasuredResults {
  /// The recall of the entries as a badge; without recall the number of runs.
  package func badge() throws -> String {
    guard !runs.isEmpty else {
      return try Reports.badge("shadowbox", "nothing measured", "lightgrey", isError: true)
    }
    let recalls = entryFigures.flatMap(\.figures).filter { $0.figure == .recall }.compactMap(\.head)
    guard let least = recalls.min(), let most = recalls.max() else {
      return try Reports.badge("shadowbox", counted(runs.count, "run"), "blue")
    }
    let range = least == most ? fixed(least, 3) : "\(fixed(least, 3)) to \(fixed(most, 3))"
    return try Reports.badge(FigureDefinition.recall.name, range, "blue")
  }
}
