import Detectors
package import TraceModel

/// An error with its kind and a message for a person: place, expected, found, next step.
package struct Failure: Error, CustomStringConvertible {
  /// The kind decides the exit code of a command.
  package enum Kind: Sendable {
    /// A name, an option or a combination of them that is not known.
    case wrongUse
    /// Data that cannot be used, or too little of them.
    case badData
    /// A file or a device that cannot be read or written.
    case fileError
    /// Another program that was started, and failed.
    case childFailed
    /// A signal ended the work.
    case interrupted
  }

  package var kind: Kind
  package var description: String

  package init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = Self.printable(description)
  }

  package init(_ error: TraceError) {
    self.init(error.kind == .inputOutput ? .fileError : .badData, error.description)
  }
}

extension Failure {
  /// What a file holds may be quoted in a message. It must neither steer the terminal nor fill it.
  package static func printable(_ message: String) -> String {
    var text = ""
    for (count, scalar) in message.unicodeScalars.enumerated() {
      guard count < longestMessage else { return text + "…" }
      switch scalar.value {
      case 0x0A, 0x20..<0x7F, 0xA0...: text.unicodeScalars.append(scalar)
      default: text += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return text
  }

  /// In characters; the longest that the project writes by itself has some hundreds.
  private static let longestMessage = 2000

  /// Wrong use, with the names that would have been right.
  package static func unknown(
    _ what: String, _ found: String, known: [String], place: String = ""
  ) -> Failure {
    let prefix = place.isEmpty ? "" : place + ": "
    // Names whose lengths differ by more are not near; nor is anything to a text of no name's length.
    let near = known.filter { abs($0.count - found.count) <= 2 && found.count <= 100 }
      .min { distance($0, found) < distance($1, found) }
    let hint = near.map { distance($0, found) <= 2 ? "did you mean \($0)? " : "" } ?? ""
    return Failure(
      .wrongUse,
      "\(prefix)unknown \(what) \"\(found)\"; \(hint)known: \(known.joined(separator: ", "))")
  }

  /// Levenshtein's distance, case ignored.
  private static func distance(_ left: String, _ right: String) -> Int {
    let (a, b) = (Array(left.lowercased()), Array(right.lowercased()))
    var row = Array(0...b.count)
    for (i, x) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, y) in b.enumerated() {
        let above = row[j + 1]
        row[j + 1] = min(above + 1, row[j] + 1, diagonal + (x == y ? 0 : 1))
        diagonal = above
      }
    }
    return row[b.count]
  }
}
