import TraceModel

/// A format: its recognition and its reader.
///
/// To add a format: a case of ``RecordingFormat``, a ``PlainFormat`` or a type that conforms to this,
/// and a line in ``RecordingReader/formats``.
protocol RecordingFormatReader: Sendable {
  var format: RecordingFormat { get }

  /// Returns the evidence that the files have this format, e.g. `meta/time.csv`; nil = they do not.
  /// It uses names and the first bytes (``RecordingFiles/head(of:)``, ``RecordingFiles/header(of:)``,
  /// ``RecordingFiles/only``), and throws only if a file cannot be read at all.
  func evidence(in files: RecordingFiles) throws(TraceError) -> String?

  /// Reads the traces, even if another reader would be chosen: `--from` has priority.
  func read(
    _ files: RecordingFiles, options: RecordingOptions
  ) throws(TraceError) -> [ImportedTrace]
}

/// The first line of a table.
struct TableHeader {
  /// The names as written, without quotes and blanks around them.
  var names: [String]
  var separator: UInt8

  func contains(_ name: String) -> Bool { names.contains(name) }

  /// Returns the position of a column, ignoring case.
  func index(_ name: String) -> Int? {
    let wanted = name.lowercased()
    return names.firstIndex { $0.lowercased() == wanted }
  }
}

extension RecordingFiles.Entry {
  /// Whether the file may be a table of the recording: the recording itself, or a CSV file outside
  /// subfolders.
  var isTable: Bool {
    if isWhole { return true }
    let name = name.lowercased()
    return !name.utf8.contains(UInt8(ascii: "/"))
      && [".csv", ".csv.gz", ".txt", ".tsv"].contains(where: name.hasSuffix)
  }
}

extension RecordingFiles {
  /// The file, if there is only one.
  var only: Entry? { entries.count == 1 ? entries[0] : nil }

  /// Returns the file for a reader of one file.
  /// - Throws: if there are several.
  func single() throws(TraceError) -> Entry {
    if let only { return only }
    throw fault(
      "one file",
      found: entries.isEmpty
        ? "none" : "\(entries.count): \(names)\(entries.count > 8 ? ", …" : "")",
      remedy: "pass one of the files")
  }

  /// The first names, for messages.
  var names: String {
    entries.isEmpty ? "none" : entries.prefix(8).map { shown($0.name) }.joined(separator: ", ")
  }

  /// An error of the recording as a whole.
  func fault(_ expected: String, found: String, remedy: String) -> TraceError {
    TraceError(place: shown(path), expected: expected, found: found, remedy: remedy)
  }

  /// Returns the first result of `body` for a table of the recording and its header.
  func firstTable<Result>(_ body: (Entry, TableHeader) -> Result?) throws(TraceError) -> Result? {
    for entry in entries where entry.isTable {
      if let header = try header(of: entry), let result = body(entry, header) { return result }
    }
    return nil
  }

  /// Returns the first line of a file as a table header; nil = the file is binary or has no such
  /// line. Later bytes do not matter: an app that was stopped leaves zeros at the end of its file.
  func header(of entry: Entry) throws(TraceError) -> TableHeader? {
    let head = try head(of: entry)
    guard head.prefix(while: { $0 != .lineFeed }).allSatisfy({ $0 >= .tab }) else { return nil }
    return record(0, head, entry).map { TableHeader(names: $0.cells, separator: $0.separator) }
  }

  /// Returns the first record after the header line; nil = there is none in the first bytes.
  func firstRecord(of entry: Entry) throws(TraceError) -> [String]? {
    try record(1, head(of: entry), entry)?.cells
  }

  /// Far more than a table of an app has.
  private static let mostColumns = 4_096

  private func record(
    _ number: Int, _ head: [UInt8], _ entry: Entry
  ) -> (cells: [String], separator: UInt8)? {
    do throws(TraceError) {
      var scanner = try DelimitedScanner(ByteSource(bytes: head, name: entry.place), separator: nil)
      for _ in 0...number { guard try scanner.next() else { return nil } }
      guard scanner.fault == nil, scanner.cells.count <= Self.mostColumns else { return nil }
      return (scanner.texts, scanner.separator)
    } catch {
      // The chosen reader reports what is wrong.
      return nil
    }
  }

  /// `phyphox folder`, `phyphox zip`, `phyphox file`.
  func describe(_ title: String) -> String {
    switch kind {
    case .file: title.hasSuffix("file") ? title : "\(title) file"
    case .folder: "\(title) folder"
    case .zip: "\(title) zip"
    }
  }
}
