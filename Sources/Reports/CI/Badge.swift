import Diagnostics
package import Evaluation
import Scoring
import Foundation

/// A badge in the JSON of the endpoint of shields.io, version 1 of its schema.
private struct Badge: Encodable {
  var schemaVersion = 1
  var label: String
  var message: String
  var color: String
  var isError = false

  var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }
  }
}

extension GateReport {
  /// The verdict as a badge.
  package func badge() throws -> String {
    let deciding = "\(verdict.rawValue): \(deciding.count) of \(checks.count)"
    return try Badge(
      label: "gate", message: verdict == .pass || checks.isEmpty ? verdict.rawValue : deciding,
      color: verdict.color, isError: verdict == .error
    ).json
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
  /// The number of detections that differ as a badge.
  package func badge() throws -> String {
    guard !entries.isEmpty else {
      return try Badge(
        label: "compare", message: "nothing compared", color: "lightgrey", isError: true
      ).json
    }
    return try Badge(
      label: "compare",
      message: isIdentical ? "no difference" : "\(counted(flipCount, "flip"))",
      color: isIdentical ? "brightgreen" : "yellow"
    ).json
  }
}

extension MeasuredResults {
  /// The recall of the entries as a badge; without one the number of runs.
  package func badge() throws -> String {
    guard !runs.isEmpty else {
      return try Badge(
        label: "shadowbox", message: "nothing measured", color: "lightgrey", isError: true
      ).json
    }
    let recalls = entryFigures.flatMap(\.figures).filter { $0.figure == .recall }.compactMap(\.head)
    guard let least = recalls.min(), let most = recalls.max() else {
      return try Badge(label: "shadowbox", message: counted(runs.count, "run"), color: "blue").json
    }
    let range = least == most ? fixed(least, 3) : "\(fixed(least, 3)) to \(fixed(most, 3))"
    return try Badge(label: FigureDefinition.recall.name, message: range, color: "blue").json
  }
}
