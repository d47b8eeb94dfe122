import TraceModel

/// HDF5 in the project's own schema.
struct NativeFormat: RecordingFormatReader {
  let format = RecordingFormat.native

  func evidence(in files: RecordingFiles) throws(TraceError) -> String? {
    guard let entry = files.only else { return nil }
    return try files.head(of: entry).starts(with: NativeTrace.signature)
      ? "the signature of HDF5" : nil
  }

  func read(
    _ files: RecordingFiles, options: RecordingOptions
  ) throws(TraceError) -> [ImportedTrace] {
    let entry = try files.single()
    guard files.kind == .file, try !files.isPacked(entry) else {
      throw TraceError(
        place: entry.place, expected: "an unpacked native trace", found: "a packed one",
        remedy: "unpack it: HDF5 has its own compression and needs random access")
    }
    var unread: [String] = []
    let trace = try NativeFile.read(files.path, unread: &unread)
    try files.requireUnchanged()
    return [ImportedTrace(whole: trace, unread: unread, options)]
  }
}

/// GPX 1.0 and 1.1.
struct GPXFormat: RecordingFormatReader {
  let format = RecordingFormat.gpx

  func evidence(in files: RecordingFiles) throws(TraceError) -> String? {
    guard let entry = files.only else { return nil }
    let head = try files.head(of: entry)
    let isXML = head.first { !$0.isBlank && ![0xEF, 0xBB, 0xBF].contains($0) } == 0x3C
    return isXML && head.firstRange(of: "<gpx".utf8) != nil ? "the element gpx" : nil
  }

  func read(
    _ files: RecordingFiles, options: RecordingOptions
  ) throws(TraceError) -> [ImportedTrace] {
    [try GPXReader.read(files.open(files.single()), options: options.named(files.stem).ofGPX)]
  }
}

/// Label files: recognised so that the error can state what to do.
struct LabelFormat: RecordingFormatReader {
  let format = RecordingFormat.labels

  func evidence(in files: RecordingFiles) throws(TraceError) -> String? {
    guard let entry = files.only, let header = try files.header(of: entry) else { return nil }
    if header.contains("onset"), header.contains("offset") || header.contains("event_label") {
      return "the columns onset and \(header.contains("offset") ? "offset" : "event_label")"
    }
    let isAudacity =
      header.separator == .tab && (2...3).contains(header.names.count)
      && header.names.prefix(2).allSatisfy { Double($0) != nil }
    return isAudacity ? "two times separated by a tab" : nil
  }

  func read(
    _ files: RecordingFiles, options: RecordingOptions
  ) throws(TraceError) -> [ImportedTrace] {
    throw files.fault(
      "a recording", found: "a label file",
      remedy: "pass the recording, and this file with --reference")
  }
}

/// Any other table. The user maps its columns, or the mapping is inferred if only one fits.
struct CSVFormat: RecordingFormatReader {
  let format = RecordingFormat.csv

  func evidence(in files: RecordingFiles) throws(TraceError) -> String? {
    guard let entry = files.only, let header = try files.header(of: entry) else { return nil }
    // Any text has a single column.
    guard header.names.count > 1, try !Self.isMarkup(files.head(of: entry)) else { return nil }
    return "a table of \(header.names.count) columns of no known app"
  }

  func read(
    _ files: RecordingFiles, options: RecordingOptions
  ) throws(TraceError) -> [ImportedTrace] {
    let entry = try files.single()
    var csv = options.csv ?? CSVOptions()
    (csv.id, csv.sort, csv.strict) = (options.id ?? files.stem, options.sort, options.strict)
    return try CSVReader.read(files.open(entry), options: csv)
  }

  private static func isMarkup(_ head: [UInt8]) -> Bool {
    head.first { !$0.isBlank }.map { [0x3C, 0x7B, 0x5B].contains($0) } ?? false
  }
}
