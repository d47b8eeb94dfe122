package import TraceModel

/// The name and version of this program, for results.
package enum Tool {
  package static let name = "shadowbox"
  package static let version = "0.1.0"
}

/// An error with its kind and a message: place, expected, found, next step.
package struct Failure: Error, CustomStringConvertible {
  /// The kind decides the exit code of a command.
  package enum Kind: Sendable {
    /// An unknown or invalid name, option or combination of them.
    case wrongUse
    /// Data that cannot be used, or too few data.
    case badData
    /// A file or a device that cannot be read or written.
    case fileError
    /// A child process that failed.
    case childFailed
    /// An interruption by a signal.
    case interrupted
  }

  package var kind: Kind
  package var description: String

  /// - Parameter place: the beginning of the message; empty = none.
  package init(_ kind: Kind, place: String = "", _ description: String) {
    self.kind = kind
    self.description = Self.printable((place.isEmpty ? "" : place + ": ") + description)
  }

  /// A message of several lines, each of which may quote files.
  package init(_ kind: Kind, lines: [String]) {
    (self.kind, description) = (kind, lines.map(Self.printable).joined(separator: "\n"))
  }

  package init(_ error: TraceError, place: String = "") {
    self.init(error.kind == .inputOutput ? .fileError : .badData, place: place, error.description)
  }
}

extension Failure {
  /// Returns what `body` returns; an error about a trace becomes a failure that begins with `place`.
  package static func naming<Result>(
    _ place: String, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as TraceError {
      throw Failure(error, place: place)
    }
  }

  /// Returns what `body` returns; a failure then begins with `place`, unless that is empty.
  package static func placing<Result>(
    _ place: String, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as Failure {
      throw Failure(error.kind, place: place, error.description)
    }
  }

  /// Escapes line feeds and control characters, and limits the length, because messages may quote files.
  package static func printable(_ message: String) -> String {
    // The limit comes first: a message may quote a whole file.
    let scalars = message.unicodeScalars.prefix(longestMessage)
    return onOneLine(String(scalars))
      + (scalars.endIndex == message.unicodeScalars.endIndex ? "" : "…")
  }

  /// The limit in characters. Messages without quotations have some hundreds at most.
  private static let longestMessage = 2000

  /// Returns wrong use with the known names, and a suggestion if one is similar.
  package static func unknown(
    _ what: String, _ found: String, known: [String], place: String = ""
  ) -> Failure {
    // Names whose lengths differ more are not similar; no name has more than 100 characters.
    let near = known.filter { abs($0.count - found.count) <= 2 && found.count <= 100 }
      .min { distance($0, found) < distance($1, found) }
    let hint = near.map { distance($0, found) <= 2 ? "did you mean \($0)? " : "" } ?? ""
    return Failure(
      .wrongUse, place: place,
      "unknown \(what) \"\(found)\"; \(hint)known: \(known.joined(separator: ", "))")
  }

  /// Returns the Levenshtein distance, ignoring case.
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
