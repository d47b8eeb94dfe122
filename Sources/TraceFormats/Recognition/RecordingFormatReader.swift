import TraceModel

/// One format: how it is known, and how it is read.
///
/// To add a format: a case of ``RecordingFormat``, a type that conforms to this, and a line in
/// ``RecordingReader/formats``.
protocol RecordingFormatReader: Sendable {
  var format: RecordingFormat { get }

  /// Why the files are of this format: what of them says so, e.g. `meta/time.csv`; nil = they are
  /// not. It looks at names and at the first bytes (``RecordingFiles/head(of:)``,
  /// ``RecordingFiles/header(of:)``, ``RecordingFiles/only``), and may throw only where a file cannot
  /// be read at all.
  func evidence(in files: RecordingFiles) throws(TraceError) -> String?

  /// Reads the traces, also where another reader would have been chosen: `--from` overrules.
  func read(
    _ files: RecordingFiles, options: RecordingOptions
  ) throws(TraceError) -> [ImportedTrace]
}

/// The first line of a table.
struct TableHeader {
  /// As they are written, without quotes and blanks around them.
  var names: [String]
  var separator: UInt8

  func contains(_ name: String) -> Bool { names.contains(name) }

  /// The position of a column, letter case left out of account.
  func index(_ name: String) -> Int? {
    let wanted = name.lowercased()
    return names.firstIndex { $0.lowercased() == wanted }
  }
}

extension RecordingFiles.Entry {
  /// Whether it may be a table of the recording: the recording itself, or a CSV file that lies in no
  /// further folder.
  var isTable: Bool {
    if isWhole { return true }
    let name = name.lowercased()
    return !name.utf8.contains(UInt8(ascii: "/"))
      && [".csv", ".csv.gz", ".txt", ".tsv"].contains(where: name.hasSuffix)
  }
}

extension RecordingFiles {
  /// The file, where there is but one.
  var only: Entry? { entries.count == 1 ? entries[0] : nil }

  /// The file that a reader of one file reads.
  /// - Throws: where there are several.
  func single() throws(TraceError) -> Entry {
    if let only { return only }
    let names = entries.prefix(8).map(\.name).joined(separator: ", ")
    throw TraceError(
      place: shown(path), expected: "one file to read",
      found: entries.isEmpty
        ? "none" : "\(entries.count): \(shown(names))\(entries.count > 8 ? ", …" : "")",
      remedy: "pass the file that is meant")
  }

  /// The first line of a file as that of a table; nil = it is binary, or no such line. What follows
  /// may hold any bytes: an app that was stopped leaves zeros at the end of its file.
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
      // What is wrong with it is for the reader that is chosen to tell.
      return nil
    }
  }

  /// A record of the first bytes of a table, the header line being 0; nil = they hold none.
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
