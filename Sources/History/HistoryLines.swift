import Diagnostics
import Files
package import Foundation

/// A history as lines of JSON: a head, then a line for each run with its figures, and one for each
/// trial of a gate.
///
/// ```
/// {"schema":"shadowbox-history-lines/1"}
/// {"run":{"commit":"1a2b3c4",…,"figures":[{"entry":"punch/default","metric":"recall",…}]}}
/// {"trial":{"alarms":0,"kind":"timing",…}}
/// ```
package enum HistoryLines {
  package static let schema = "shadowbox-history-lines/1"
  /// Further errors are only counted.
  private static let mostErrors = 10

  private struct Head: Codable {
    var schema: String
  }

  fileprivate struct Line: Codable {
    var run: Run?
    var trial: HistoryTrial?
  }

  /// A run and its figures, as one JSON object.
  fileprivate struct Run: Codable {
    private enum CodingKeys: String, CodingKey { case figures }

    var run: HistoryRun
    var figures: [HistoryFigure]

    init(_ run: HistoryRun, _ figures: [HistoryFigure]) {
      (self.run, self.figures) = (run, figures)
    }

    init(from decoder: any Decoder) throws {
      run = try HistoryRun(from: decoder)
      figures = try decoder.container(keyedBy: CodingKeys.self)
        .decode([HistoryFigure].self, forKey: .figures)
    }

    func encode(to encoder: any Encoder) throws {
      try run.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(figures, forKey: .figures)
    }
  }

  /// Returns all of a history; equal histories give equal texts.
  package static func text(of store: HistoryStore) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    func line(_ value: some Encodable) throws -> String {
      String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
    }
    return try store.read { database in
      var text = try line(Head(schema: schema))
      let lines = try database.rows("SELECT * FROM runs ORDER BY time, id") { row in
        let figures = try HistoryStore.figures(of: row.value("number"), database)
        return try line(Line(run: Run(HistoryRun(row), figures)))
      }
      text += lines.joined()
      for trial in try HistoryStore.trials(database) { text += try line(Line(trial: trial)) }
      return text
    }
  }

  // MARK: Reading

  /// The numbers of lines that an import added, and of those that the history already had.
  package struct Count: Hashable, Sendable {
    package var runs = 0
    package var trials = 0
    package var known = 0
  }

  package struct Content {
    fileprivate let lines: [(place: String, line: Line)]
  }

  /// - Parameter path: of the file, for messages.
  /// - Throws: ``Failure`` with the damaged lines.
  package static func content(of bytes: Data, from path: String) throws -> Content {
    Content(lines: try lines(of: bytes, path))
  }

  /// Adds the lines that the history lacks, all or nothing.
  package static func add(_ content: Content, to store: HistoryStore) throws -> Count {
    try store.write { database in
      var count = Count()
      for (place, line) in content.lines {
        var isNew = false
        if let run = line.run {
          isNew = try HistoryStore.append(run.run, run.figures, database, place)
          if isNew { count.runs += 1 }
        } else if let trial = line.trial {
          isNew = try HistoryStore.append(trial, database, place)
          if isNew { count.trials += 1 }
        }
        if !isNew { count.known += 1 }
      }
      return count
    }
  }

  private static func lines(of bytes: Data, _ path: String) throws -> [(String, Line)] {
    let parts = withoutByteOrderMark(bytes).split(separator: 0x0A, omittingEmptySubsequences: false)
    var (lines, errors): ([(String, Line)], [String]) = ([], [])
    try checkHead(parts.first ?? Data(), path)
    for (number, part) in parts.enumerated().dropFirst() where !isBlank(part) {
      let place = "\(path):\(number + 1)"
      do {
        lines.append((place, try line(part)))
      } catch {
        errors.append("\(place): \(description(of: error))")
      }
    }
    guard errors.isEmpty else {
      let more = errors.count - mostErrors
      throw Failure(
        .badData,
        lines: errors.prefix(mostErrors) + (more > 0 ? ["and \(more) more lines"] : [])
          + ["nothing is imported"])
    }
    return lines
  }

  private static func isBlank(_ part: Data) -> Bool {
    part.allSatisfy { $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }
  }

  private static func checkHead(_ line: Data, _ path: String) throws {
    let head = try? JSONDecoder().decode(Head.self, from: line)
    guard head?.schema != schema else { return }
    let found = head.map { "schema \($0.schema)" } ?? "something else"
    throw Failure(
      .badData,
      "\(path):1: expected {\"schema\":\"\(schema)\"}, found \(found); write such a file with "
        + "shadowbox history export")
  }

  private static func line(_ part: Data) throws -> Line {
    let line = try JSONDecoder().decode(Line.self, from: part)
    switch (line.run, line.trial) {
    case (let run?, nil):
      guard Set(run.figures.map(\.name)).count == run.figures.count else {
        throw Failure(.badData, "expected each figure once, found a duplicate")
      }
      guard !run.run.id.isEmpty else { throw Failure(.badData, "expected an id, found none") }
    case (nil, let trial?):
      guard trial.isValid else {
        throw Failure(
          .badData,
          "expected an id and at most one alarm in each of 1 to 1,000,000,000 runs, found "
            + "\(trial.alarms) in \(trial.runs)")
      }
    default: throw Failure(.badData, "expected a run or a trial, found neither or both")
    }
    return line
  }

  private static func description(of error: any Error) -> String {
    func place(_ context: DecodingError.Context) -> String {
      let path = context.codingPath.map { $0.intValue.map { "\($0 + 1)" } ?? $0.stringValue }
      return path.isEmpty ? "" : path.joined(separator: ".") + ": "
    }
    switch error {
    case let error as Failure: return error.description
    case DecodingError.keyNotFound(let key, let context):
      return "\(place(context))expected \(key.stringValue), found no such key"
    case DecodingError.typeMismatch(let type, let context):
      return "\(place(context))expected \(noun(of: type)), found another type"
    case DecodingError.valueNotFound(let type, let context):
      return "\(place(context))expected \(noun(of: type)), found null"
    case DecodingError.dataCorrupted(let context):
      return context.codingPath.isEmpty
        ? "expected one object of JSON, found something else"
        : place(context) + context.debugDescription
    default: return "expected one object of JSON, found something else"
    }
  }

  private static func noun(of type: any Any.Type) -> String {
    switch type {
    case is String.Type: "a text"
    case is Double.Type, is Int.Type: "a number"
    default: type is [HistoryFigure].Type ? "a list" : "an object"
    }
  }
}
