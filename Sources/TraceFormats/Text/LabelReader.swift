public import TraceModel

/// Reads the files in which people write down what happened.
public enum LabelReader {
  /// Reads a table with a header line (TSV or CSV, columns `onset`, `offset`, `event_label`,
  /// `filename` in any order, `onset` alone is needed) or Audacity labels (start, tab, end, tab,
  /// label; no header). Times are seconds, kept to the nanosecond; events come sorted by onset.
  ///
  /// Classes and hands are those of ``PunchLabel/classify(_:)``.
  ///
  /// - Parameters:
  ///   - id: the trace; rows whose `filename` is neither it nor a file name of that stem are left
  ///     out, and none left is an empty array. Nil = all rows, which must be of one file.
  ///   - origin: ``ImportedTrace/labelOrigin`` of the trace, subtracted from every time.
  /// - Throws: at the first row that cannot be read: a reference is whole or it is none.
  public static func read(
    _ path: String, for id: String?, origin: Int64 = 0
  ) throws(TraceError) -> [ReferenceEvent] {
    try read(ByteSource(path: path), for: id, origin: origin)
  }

  static func read(
    _ source: consuming ByteSource, for id: String?, origin: Int64 = 0
  ) throws(TraceError) -> [ReferenceEvent] {
    var scanner = try DelimitedScanner(source, separator: nil)
    guard try scanner.next() else { return [] }
    var rows = LabelRows(id: id, origin: origin)
    if LabelRows.isAudacity(scanner) {
      try rows.addAudacity(scanner)
      while try scanner.next() { try rows.addAudacity(scanner) }
    } else {
      let table = try LabelTable(header: scanner)
      while try scanner.next() { try rows.add(scanner, table) }
    }
    return rows.events.sorted { ($0.onset, $0.offset) < ($1.onset, $1.offset) }
  }
}

/// Which column of a label table is what.
private struct LabelTable {
  var onset: Int
  var offset: Int?
  var label: Int?
  var fileName: Int?
  var columnCount: Int

  init(header scanner: borrowing DelimitedScanner) throws(TraceError) {
    if let damage = RecordReader.damage(of: scanner, columnCount: nil) { throw damage }
    var names: [String] = []
    for index in scanner.cells.indices { names.append(scanner.text(index)) }
    guard let onset = names.firstIndex(of: "onset") else {
      throw TraceError(
        place: scanner.place, expected: "a column \"onset\", or Audacity labels",
        found: Excerpt.of(names.joined(separator: " ")),
        remedy: "name the columns filename, onset, offset, event_label")
    }
    self.onset = onset
    offset = names.firstIndex(of: "offset")
    label = names.firstIndex(of: "event_label") ?? names.firstIndex(of: "label")
    fileName = names.firstIndex(of: "filename")
    columnCount = names.count
  }
}

/// The events, while the rows are read.
private struct LabelRows {
  let id: String?
  let origin: Int64
  var events: [ReferenceEvent] = []
  private var fileName: [UInt8]?

  init(id: String?, origin: Int64) {
    self.id = id
    self.origin = origin
  }

  /// Whether a first row has two times in its first cells, and tabs between them.
  static func isAudacity(_ scanner: borrowing DelimitedScanner) -> Bool {
    guard scanner.separator == .tab, scanner.cells.count >= 2, scanner.fault == nil else {
      return false
    }
    let bytes = scanner.source.buffer.span
    return DecimalNumber(bytes, trimmed(bytes, scanner.cells[0].range)) != nil
      && DecimalNumber(bytes, trimmed(bytes, scanner.cells[1].range)) != nil
  }

  mutating func addAudacity(_ scanner: borrowing DelimitedScanner) throws(TraceError) {
    // A damaged record may have no cells at all.
    if let damage = RecordReader.damage(of: scanner, columnCount: nil) { throw damage }
    // A line that starts with a backslash holds the frequencies of a spectral selection.
    if scanner.holds(0, [0x5C]) { return }
    guard (2...3).contains(scanner.cells.count) else {
      throw TraceError(
        place: scanner.place, expected: "start, end and label with tabs between them",
        found: "\(scanner.cells.count) cells")
    }
    try add(scanner, onset: 0, offset: 1, label: scanner.cells.count == 3 ? 2 : nil)
  }

  mutating func add(
    _ scanner: borrowing DelimitedScanner, _ table: LabelTable
  ) throws(TraceError) {
    if let damage = RecordReader.damage(of: scanner, columnCount: table.columnCount) {
      throw damage
    }
    if let column = table.fileName, try !isWanted(scanner, column) { return }
    try add(scanner, onset: table.onset, offset: table.offset, label: table.label)
  }

  private mutating func isWanted(
    _ scanner: borrowing DelimitedScanner, _ column: Int
  ) throws(TraceError) -> Bool {
    if let id {
      let name = scanner.text(column)
      return name == id || FilePath.stem(name) == id
    }
    guard let fileName else {
      fileName = scanner.bytes(column)
      return true
    }
    if scanner.holds(column, fileName) { return true }
    throw TraceError(
      place: scanner.place, expected: "labels of one file",
      found: "those of \(Excerpt.of(scanner.text(column))) too",
      remedy: "name the trace whose labels are meant")
  }

  private mutating func add(
    _ scanner: borrowing DelimitedScanner, onset: Int, offset: Int?, label: Int?
  ) throws(TraceError) {
    let start = try time(scanner, onset)
    let end = try offset.map { column throws(TraceError) in try time(scanner, column) } ?? start
    guard end >= start else {
      throw TraceError(
        place: scanner.place, expected: "an offset that is not before the onset",
        found: "\(decimalSeconds(end)) after \(decimalSeconds(start))")
    }
    let name = label.map { scanner.text($0) } ?? ""
    let (label, hand) = PunchLabel.classify(name)
    events.append(
      ReferenceEvent(
        onset: TraceInstant(nanoseconds: start.subtractingClamped(origin)),
        offset: TraceInstant(nanoseconds: end.subtractingClamped(origin)),
        label: name.isEmpty ? "" : label, originalLabel: name, hand: hand))
  }

  private func time(
    _ scanner: borrowing DelimitedScanner, _ column: Int
  ) throws(TraceError) -> Int64 {
    let bytes = scanner.source.buffer.span
    let range = trimmed(bytes, scanner.cells[column].range)
    let number = DecimalNumber(bytes, range, allowsComma: scanner.separator != .comma)
    guard let time = number?.scaled(byPowerOfTen: 9) else {
      throw TraceError(
        place: scanner.place, expected: "a time in seconds", found: Excerpt.of(bytes, range))
    }
    return time
  }
}
