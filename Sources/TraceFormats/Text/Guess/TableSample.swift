import TraceModel

/// The header and the first records of a table, from which a mapping is inferred.
struct TableSample {
  let names: [ColumnName]
  /// Cells by record.
  let rows: [[String]]
  /// Values by column, one per record; NaN = missing or not a number.
  let numbers: [[Double]]
  /// Cells by column that are neither a number nor missing.
  private let textCounts: [Int]
  /// The columns of each key; a header may have a hundred thousand.
  private let columnsByKey: [String: [Int]]

  /// Enough for some seconds of a fast sensor.
  static let mostRows = 5000

  /// - Parameters:
  ///   - head: the first bytes of the table.
  ///   - isWhole: whether these are all its bytes; otherwise the last record may be cut.
  init(head: [UInt8], isWhole: Bool, separator: UInt8?, name: String) throws(TraceError) {
    var scanner = try DelimitedScanner(ByteSource(bytes: head, name: name), separator: separator)
    let header = try scanner.next() && scanner.fault == nil ? scanner.texts : []
    var rows: [[String]] = []
    while rows.count < Self.mostRows, try scanner.next() {
      guard scanner.fault == nil, scanner.cells.count == header.count else { continue }
      rows.append(scanner.texts)
    }
    if !isWhole, rows.count < Self.mostRows { _ = rows.popLast() }
    self.init(header: header, rows: rows, allowsComma: scanner.separator != .comma)
  }

  init(header: [String], rows: [[String]], allowsComma: Bool = false) {
    let names = header.map { ColumnName($0) }
    self.names = names
    columnsByKey = Dictionary(
      grouping: names.indices.filter { !names[$0].statesOther }, by: { names[$0].key })
    self.rows = rows
    let texts = header.indices.map { column in
      rows.map { row in
        let bytes = Array(row[column].utf8)
        return NumberText(bytes.span, 0..<bytes.count, allowsComma: allowsComma)
      }
    }
    textCounts = texts.map { column in column.count { $0 == .malformed } }
    numbers = texts.map { column in
      column.map { if case .number(let number) = $0, number.isFinite { number } else { .nan } }
    }
  }

  /// The columns whose key is one of `keys`, in the order of `keys`.
  func columns(_ keys: [String]) -> [Int] { keys.flatMap { columnsByKey[$0] ?? [] } }

  /// Whether the cells of a column are numbers, apart from a few that are damaged.
  func isNumeric(_ column: Int) -> Bool {
    textCounts[column] * 10 <= rows.count && numbers[column].contains { !$0.isNaN }
  }

  /// The values of a column without the missing ones.
  func values(_ column: Int) -> [Double] { numbers[column].filter { !$0.isNaN } }

  /// The column as a mapping names it: by its number if the name does not identify it or cannot be
  /// typed between single quotes.
  func reference(_ column: Int) -> String {
    let name = names[column].text
    let isPlain =
      !name.isEmpty && name.first != "#"
      && name.unicodeScalars.allSatisfy { $0 != "'" && $0.value >= 32 && $0.value != 127 }
    let isUnique = names.count { $0.text == name } == 1
    return isPlain && isUnique ? name : "#\(column + 1)"
  }

  func entry(_ target: CSVTarget, _ column: Int, _ unit: String?) -> CSVMapping.Entry {
    CSVMapping.Entry(target: target, column: reference(column), unit: unit)
  }

  /// Returns one column as a value of a channel, with a doubt unless its unit is clear.
  func reading(
    _ index: Int, of channel: Channel, _ column: Int, in unit: String?, isClear: Bool,
    evidence: String? = nil
  ) -> ColumnReading {
    ColumnReading(
      entries: [entry(.value(index, of: channel), column, unit)],
      doubt: isClear ? nil : "no clear unit of \(quoted([column]))", evidence: evidence)
  }

  /// `"ax", "ay", "az"`, for messages.
  func quoted(_ columns: [Int]) -> String {
    columns.map { Excerpt.of(names[$0].text) }.joined(separator: ", ")
  }
}

/// The interpretation of a group of columns.
struct ColumnReading {
  var entries: [CSVMapping.Entry]
  /// Why the entries are not the only interpretation; nil = they are.
  var doubt: String?
  /// The evidence that decided, if the names alone did not.
  var evidence: String?
  /// What the user has to change in the file before a mapping can read it; nil = nothing.
  var rewriting: String?
}

/// `0.998`: three significant digits, for messages.
func rounded(_ value: Double) -> String {
  guard value.isFinite, value != 0 else { return "0" }
  var scale = 1.0
  while abs(value) * scale < 100 { scale *= 10 }
  let text = "\((value * scale).rounded() / scale)"
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}
