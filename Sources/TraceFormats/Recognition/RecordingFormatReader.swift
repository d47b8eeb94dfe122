import TraceModel

/// A format: its recognition and its reader.
///
/// To add a format: a case of ``RecordingFormat``, a type that conforms to this, and a line in
/// ``RecordingReader/formats``.
protocol RecordingFormatReader: Sendable {
  var format: RecordingFormat { get }

  /// Returns the evidence that the files have this format, e.g. `meta/time.csv`; nil = they do not.
  /// It uses names and the first bytes (``RecordingFiles/head(of:)``,
  /// ``RecordingFiles/header(of:)``, ``RecordingFiles/only``), and may throw only if a file cannot
  /// be read at all.
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
    let names = entries.prefix(8).map(\.name).joined(separator: ", ")
    throw TraceError(
      place: shown(path), expected: "one file",
      found: entries.isEmpty
        ? "none" : "\(entries.count): \(shown(names))\(entries.count > 8 ? ", …" : "")",
      remedy: "pass one of the files")
  }

  /// Returns the first line of a file as a table header; nil = the file is binary or has no such
  /// line. Later bytes do not matter: an app that was stopped leaves zeros at the end of its file.
  func header(of entry: Entry) throws(TraceError) -> TableHeader? {
    let head = try head(of: entry)
    guard head.prefix(while: { $0 != .lineFeed }).allSatisfy({ $0 >= .tab }) else { return nil }
    do throws(TraceError) {
      var scanner = try DelimitedScanner(
        ByteSource(bytes: head, name: entry.place), separator: nil)
      guard try scanner.next(), scanner.fault == nil else { return nil }
      var names: [String] = []
      for index in scanner.cells.indices { names.append(scanner.text(index)) }
      return TableHeader(names: names, separator: scanner.separator)
    } catch {
      // The chosen reader reports what is wrong.
      return nil
    }
  }

  /// Returns a record from the first bytes of a table, where the header line is 0; nil = there is
  /// none.
  func record(_ number: Int, of entry: Entry) throws(TraceError) -> [String]? {
    let head = try head(of: entry)
    do throws(TraceError) {
      var scanner = try DelimitedScanner(
        ByteSource(bytes: head, name: entry.place), separator: nil)
      for _ in 0...number { guard try scanner.next() else { return nil } }
      return scanner.fault == nil ? scanner.cells.indices.map { scanner.text($0) } : nil
    } catch {
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
