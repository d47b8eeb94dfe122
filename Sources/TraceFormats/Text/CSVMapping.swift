public import TraceModel

/// The meaning and unit of the columns of a CSV.
///
/// ```
/// mapping = entry { "," entry }
/// entry   = target "=" column [ "[" unit "]" ]
/// column  = name | '"' name '"' | "#" number
/// ```
///
/// - A **name** is a column's name in the header line, letter by letter. Without quotes it may hold
///   anything but a comma and a quote, and a bracket at its end is the unit. In quotes it may
///   hold anything, a quote written twice. `#1` is the first column.
/// - **Targets**: `time` (required) and `arrived`; `date` if `time` is a time of the day; `x`, `y`,
///   `z` of the channel that ``CSVOptions`` names, or of a named one: `rotation_rate.x`;
///   `latitude`, `longitude`, `altitude`, `horizontal_accuracy`, `speed`, `speed_accuracy`,
///   `course` of the location; `local.x` and `local.y` of a local frame; `distance` of the
///   odometer; `pressure`; `heading`, `heading_accuracy`; `peer` and `sequence` of a heartbeat,
///   whole numbers; `touch.x`, `touch.y`, `phase` (a word: began, moved, ended, cancelled) and
///   `pointer` of a touch.
/// - **Units**: time `s ms us ns iso`; acceleration `m/s2 g mg`; rotation rate `rad/s deg/s`;
///   angles `deg rad semicircles`; lengths `m km ft mi`; speeds `m/s km/h`; pressure `Pa hPa kPa`; touches `pt`.
///   The first of each is the default.
///
/// ```swift
/// try CSVMapping(parsing: #"time="Time (s)",x=ax[g],y=ay[g],z=#4[g]"#)
/// ```
public struct CSVMapping: Sendable, Hashable {
  struct Entry: Sendable, Hashable {
    var target: CSVTarget
    var column: String
    /// Nil = the first unit of the target's quantity.
    var unit: String?

    /// Whether the target is `x`, `y` or `z` of the channel that the options name.
    var isBareAxis: Bool { if case .value(_, nil) = target { true } else { false } }
  }

  var entries: [Entry]

  init(entries: [Entry]) { self.entries = entries }

  /// Parses a mapping as written on the command line.
  ///
  /// - Throws: an error whose place is the entry at fault.
  public init(parsing text: String) throws(TraceError) {
    entries = []
    let place = "mapping \(Excerpt.of(text))"
    for assignment in try ColumnAssignment.list(parsing: text, allowsUnit: true) {
      guard let target = CSVTarget(name: assignment.key) else {
        let names = CSVTarget.all.map(\.name).joined(separator: ", ")
        throw TraceError(
          place: place, expected: "one of the targets \(names)", found: Excerpt.of(assignment.key),
          remedy: "write target=column[unit]")
      }
      guard !entries.contains(where: { $0.target == target }) else {
        throw TraceError(
          place: place, expected: "each target once", found: "\(assignment.key) twice",
          remedy: "map one column to it")
      }
      entries.append(Entry(target: target, column: assignment.column, unit: assignment.unit))
    }
  }
}

extension CSVMapping: CustomStringConvertible {
  /// The mapping as ``init(parsing:)`` reads it.
  public var description: String {
    entries.map { entry in
      let needsQuotes = entry.column.contains { ",[]\"=".contains($0) }
      let doubled = entry.column.map { $0 == "\"" ? "\"\"" : String($0) }.joined()
      return "\(entry.target.name)=" + (needsQuotes ? "\"\(doubled)\"" : entry.column)
        + (entry.unit.map { "[\($0)]" } ?? "")
    }.joined(separator: ",")
  }
}

/// The columns with metadata that is constant over a part of a CSV:
/// `subject=person,activity=exercise`.
///
/// The syntax is that of ``CSVMapping`` without units; the keys are `subject`, `activity`,
/// `placement`, `device`, `handedness` and `hand` (of the reference events whose labels do not
/// state it).
public struct CSVMetadata: Sendable, Hashable {
  enum Field: String, CaseIterable {
    case subject, activity, placement, device, handedness, hand
  }

  struct Entry: Sendable, Hashable {
    var field: Field
    var column: String
  }

  var entries: [Entry] = []

  public init() {}

  public init(parsing text: String) throws(TraceError) {
    for assignment in try ColumnAssignment.list(parsing: text, allowsUnit: false) {
      guard let field = Field(rawValue: assignment.key) else {
        let names = Field.allCases.map(\.rawValue).joined(separator: ", ")
        throw TraceError(
          place: "columns \(Excerpt.of(text))", expected: "one of \(names)",
          found: Excerpt.of(assignment.key), remedy: "write subject=column,activity=column")
      }
      entries.append(Entry(field: field, column: assignment.column))
    }
  }
}

/// `key=column[unit]`.
struct ColumnAssignment: Equatable {
  var key: String
  var column: String
  var unit: String?

  static func list(
    parsing text: String, allowsUnit: Bool
  ) throws(TraceError) -> [ColumnAssignment] {
    try entries(of: text).map { entry throws(TraceError) in
      try ColumnAssignment(parsing: entry, of: text, allowsUnit: allowsUnit)
    }
  }

  /// Returns the texts between the commas outside quotes.
  private static func entries(of text: String) throws(TraceError) -> [String] {
    var entries = [""]
    var isQuoted = false
    for character in text {
      if character == "\"" { isQuoted.toggle() }
      if character == ",", !isQuoted {
        entries.append("")
      } else {
        entries[entries.count - 1].append(character)
      }
    }
    guard !isQuoted else {
      throw fault(text, expected: "a closing quote", found: "the end of the text")
    }
    return entries
  }

  private init(parsing entry: String, of text: String, allowsUnit: Bool) throws(TraceError) {
    guard let equals = entry.firstIndex(of: "=") else {
      throw ColumnAssignment.fault(text, expected: "target=column", found: Excerpt.of(entry))
    }
    key = entry[..<equals].trimmingSpaces()
    var rest = entry[entry.index(after: equals)...].trimmingSpaces()
    if allowsUnit, rest.last == "]", let bracket = rest.lastIndex(of: "[") {
      unit = rest[rest.index(after: bracket)...].dropLast().trimmingSpaces()
      rest = rest[..<bracket].trimmingSpaces()
    }
    guard let column = ColumnAssignment.unquoted(rest), !column.isEmpty else {
      throw ColumnAssignment.fault(
        text, expected: "a column name, quoted as a whole or not at all", found: Excerpt.of(rest))
    }
    self.column = column
  }

  /// Returns the text without quotes; nil if quotes are anywhere other than around the whole.
  private static func unquoted(_ text: String) -> String? {
    guard text.contains("\"") else { return text }
    guard text.count >= 2, text.first == "\"", text.last == "\"" else { return nil }
    // Quotes inside come in pairs: every second part between quotes is empty.
    let parts = text.dropFirst().dropLast().split(separator: "\"", omittingEmptySubsequences: false)
    let isPaired = stride(from: 1, to: parts.count, by: 2).allSatisfy { parts[$0].isEmpty }
    guard isPaired, parts.count % 2 == 1 else { return nil }
    return stride(from: 0, to: parts.count, by: 2).map { parts[$0] }.joined(separator: "\"")
  }

  private static func fault(_ text: String, expected: String, found: String) -> TraceError {
    TraceError(
      place: "mapping \(Excerpt.of(text))", expected: expected, found: found,
      remedy: #"write e.g. time="Time (s)",x=ax[g]"#)
  }
}

extension StringProtocol {
  /// The text without spaces at its ends.
  func trimmingSpaces() -> String {
    var rest = self[...]
    while rest.first == " " { rest.removeFirst() }
    while rest.last == " " { rest.removeLast() }
    return String(rest)
  }
}
