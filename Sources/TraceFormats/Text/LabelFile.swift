import Diagnostics
import Files
public import TraceModel

/// A file with labels from a person or a program: a table with a header line (TSV or CSV; columns
/// named as in ``LabelField``, in any order), or Audacity labels (start, tab, end, tab, label; no
/// header). Times are in seconds, or in nanoseconds in columns such as `onset_ns`. They are read
/// without rounding to a binary fraction.
public struct LabelFile: Sendable {
  public let path: String
  /// The rows in the file's order.
  public let rows: [LabelRow]
  public let columns: Set<LabelField>
  /// Names of the columns that are not read.
  public let unread: [String]

  /// - Parameter needs: the required columns; Audacity labels have onset, offset and label.
  /// - Throws: for the first row that cannot be read.
  public static func read(
    _ path: String, needs: [LabelField] = [.onset]
  ) throws(TraceError) -> LabelFile {
    try LabelFile(ByteSource(path: path), path: path, needs: needs)
  }

  /// Reads bytes in memory, with that name in messages.
  package static func read(_ bytes: [UInt8], name: String) throws(TraceError) -> LabelFile {
    try LabelFile(ByteSource(bytes: bytes, name: name), path: name, needs: [.onset])
  }

  init(_ source: consuming ByteSource, path: String, needs: [LabelField]) throws(TraceError) {
    self.path = path
    var rows: [LabelRow] = []
    (columns, unread) = try LabelTable.read(source, needs: needs) { row, _, _ throws(TraceError) in
      rows.append(try row.get())
    }
    self.rows = rows
  }
}

struct LabelTable {
  private(set) var columns: [LabelField: (index: Int, power: Int)] = [:]
  private(set) var unread: [String] = []
  private let columnCount: Int

  /// Calls `take` with each row, or its damage, and the file that it names.
  static func read(
    _ source: consuming ByteSource, needs: [LabelField],
    _ take: (Result<LabelRow, TraceError>, String?, borrowing DelimitedScanner) throws(TraceError)
      -> Void
  ) throws(TraceError) -> (columns: Set<LabelField>, unread: [String]) {
    let isAudacity = try isAudacity(&source)
    // Audacity writes labels as they are: a comma, a semicolon or a quote is a part of one.
    var scanner = try DelimitedScanner(
      source, separator: isAudacity ? .tab : nil, hasQuotes: !isAudacity)
    guard try scanner.next() else { return ([], []) }
    if isAudacity {
      repeat {
        try scanner.require(atMost: ReaderBudget.labels, "labels")
        if let row = try audacityRow(scanner) { try take(.success(row), nil, scanner) }
      } while try scanner.next()
      return ([.onset, .offset, .label], [])
    }
    let table = try LabelTable(header: scanner, needs: needs)
    var spellings: [String: String] = [:]
    while try scanner.next() {
      try scanner.require(atMost: ReaderBudget.labels, "labels")
      if let name = table.file(scanner) {
        try requireOneSpelling(of: name, spellings[name], scanner)
        spellings[name] = name
      }
      let row: Result<LabelRow, TraceError>
      do throws(TraceError) { row = .success(try table.row(scanner, needs: needs)) } catch {
        row = .failure(error)
      }
      try take(row, table.file(scanner), scanner)
    }
    return (Set(table.columns.keys), table.unread)
  }

  private init(header scanner: borrowing DelimitedScanner, needs: [LabelField]) throws(TraceError) {
    if let damage = RecordReader.damage(of: scanner, columnCount: nil) { throw damage }
    let names = scanner.texts
    columnCount = names.count
    for column in LabelField.allCases {
      for (name, power) in column.names where columns[column] == nil {
        if let index = names.firstIndex(of: name) { columns[column] = (index, power) }
      }
    }
    let read = Set(columns.values.map(\.index))
    unread = names.indices.filter { !read.contains($0) }.map { names[$0] }
    for column in needs where columns[column] == nil {
      throw scanner.fault(
        "a column \"\(column.names[0].name)\""
          + (column == .onset ? ", or Audacity labels" : ""),
        found: Excerpt.of(names.joined(separator: " ")),
        remedy: column == .onset ? "name the columns filename, onset, offset, event_label" : "")
    }
  }

  /// - Parameter needs: the columns whose cells must not be empty.
  private func row(
    _ scanner: borrowing DelimitedScanner, needs: [LabelField]
  ) throws(TraceError) -> LabelRow {
    if let damage = RecordReader.damage(of: scanner, columnCount: columnCount) { throw damage }
    var row = LabelRow(line: scanner.line)
    for (column, cell) in Self.texts {
      if let index = columns[column]?.index { row[keyPath: cell] = scanner.text(index) }
    }
    row.onset = try time(.onset, scanner, isNeeded: needs.contains(.onset))
    row.offset = try time(.offset, scanner, isNeeded: false)
    row.emitted = try time(.emitted, scanner, isNeeded: false)
    row.duration = try time(.duration, scanner, isNeeded: needs.contains(.duration))
    row.value = try value(scanner)
    try Self.requireOrder(row, scanner)
    return row
  }

  private static let texts:
    [(column: LabelField, cell: any WritableKeyPath<LabelRow, String> & Sendable)] = [
      (.file, \.file), (.label, \.label), (.original, \.original), (.kind, \.kind),
      (.place, \.place), (.quantity, \.quantity), (.subject, \.subject), (.activity, \.activity),
    ]

  /// Returns the cell in the column of file names; nil without such a column.
  private func file(_ scanner: borrowing DelimitedScanner) -> String? {
    guard let index = columns[.file]?.index, index < scanner.cells.count else { return nil }
    return scanner.text(index)
  }

  /// Names of other bytes that Unicode takes for equal may be those of two recordings.
  private static func requireOneSpelling(
    of name: String, _ earlier: String?, _ scanner: borrowing DelimitedScanner
  ) throws(TraceError) {
    guard let earlier, !earlier.utf8.elementsEqual(name.utf8) else { return }
    throw scanner.fault(
      "one spelling of a recording's name",
      found: "\(inASCII(name)) after \(inASCII(earlier))", remedy: "spell it as the file's name is")
  }

  /// Whether the first line begins with two times separated by a tab.
  private static func isAudacity(_ source: inout ByteSource) throws(TraceError) -> Bool {
    // Two times with room to spare.
    let head = try source.peek(256)
    let line = head.drop { $0 == .lineFeed || $0 == .carriageReturn }
      .prefix { $0 != .lineFeed && $0 != .carriageReturn }
    let cells = line.split(separator: .tab, maxSplits: 2, omittingEmptySubsequences: false)
    return cells.count >= 2
      && cells.prefix(2).allSatisfy { cell in
        let bytes = Array(cell)
        return DecimalNumber(bytes.span, trimmed(bytes.span, 0..<bytes.count), allowsComma: true)
          != nil
      }
  }

  /// Returns nil for a line with the frequencies of a spectral selection.
  private static func audacityRow(
    _ scanner: borrowing DelimitedScanner
  ) throws(TraceError) -> LabelRow? {
    // A damaged record may have no cells at all.
    if let damage = RecordReader.damage(of: scanner, columnCount: nil) { throw damage }
    if scanner.holds(0, [0x5C]) { return nil }
    guard (2...3).contains(scanner.cells.count) else {
      throw scanner.fault(
        "start, end and label separated by tabs", found: "\(scanner.cells.count) cells")
    }
    var row = LabelRow(line: scanner.line)
    row.onset = try scanner.time(0, power: 9)
    row.offset = try scanner.time(1, power: 9)
    row.label = scanner.cells.count == 3 ? scanner.text(2) : ""
    try requireOrder(row, scanner)
    return row
  }

  private func time(
    _ column: LabelField, _ scanner: borrowing DelimitedScanner, isNeeded: Bool
  ) throws(TraceError) -> Int64? {
    guard let (index, power) = columns[column] else { return nil }
    let isEmpty = trimmed(scanner.source.buffer.span, scanner.cells[index].range).isEmpty
    return isEmpty && !isNeeded ? nil : try scanner.time(index, power: power)
  }

  private func value(_ scanner: borrowing DelimitedScanner) throws(TraceError) -> Double {
    guard let index = columns[.value]?.index else { return .nan }
    let text = scanner.text(index)
    guard !text.isEmpty else { return .nan }
    guard let value = Double(text), value.isFinite else {
      throw scanner.fault("a number", found: Excerpt.of(text))
    }
    return value
  }

  private static func requireOrder(
    _ row: LabelRow, _ scanner: borrowing DelimitedScanner
  ) throws(TraceError) {
    guard let onset = row.onset, let offset = row.offset, offset < onset else { return }
    throw scanner.fault(
      "an offset that is not before the onset",
      found: "\(decimalSeconds(offset)) after \(decimalSeconds(onset))")
  }
}

extension LabelField {
  /// The accepted column names, the preferred one first, each with the power of ten from the unit
  /// of its times to nanoseconds.
  var names: [(name: String, power: Int)] {
    switch self {
    case .file: [("filename", 0), ("file", 0), ("trace", 0)]
    case .onset, .offset, .emitted, .duration: [(rawValue, 9), (rawValue + "_ns", 0)]
    case .label: [("event_label", 0), ("label", 0)]
    case .original: [("original_label", 0)]
    case .kind, .place, .value, .quantity, .subject, .activity: [(rawValue, 0)]
    }
  }
}
