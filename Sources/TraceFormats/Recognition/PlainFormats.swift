import TraceFixtures
import TraceModel

/// A format of recordings that are one file.
struct PlainFormat: RecordingFormatReader {
  typealias Evidence =
    @Sendable (RecordingFiles, RecordingFiles.Entry) throws(TraceError) -> String?
  typealias Reader =
    @Sendable (RecordingFiles, RecordingFiles.Entry, RecordingOptions) throws(TraceError)
    -> [ImportedTrace]

  let format: RecordingFormat
  private let evidence: Evidence
  private let reader: Reader

  private init(
    _ format: RecordingFormat, evidence: @escaping Evidence, read reader: @escaping Reader
  ) { (self.format, self.evidence, self.reader) = (format, evidence, reader) }

  func evidence(in files: RecordingFiles) throws(TraceError) -> String? {
    guard let entry = files.only else { return nil }
    return try evidence(files, entry)
  }

  func read(
    _ files: RecordingFiles, options: RecordingOptions
  ) throws(TraceError) -> [ImportedTrace] {
    try reader(files, files.single(), options)
  }

  /// HDF5 in the project's own schema.
  static let native = PlainFormat(.native) { files, entry throws(TraceError) in
    try files.head(of: entry).starts(with: NativeTrace.signature) ? "the signature of HDF5" : nil
  } read: { files, entry, options throws(TraceError) in
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

  /// A trace as lines of text, for the tests of an app.
  static let fixture = PlainFormat(.fixture) { files, entry throws(TraceError) in
    try files.head(of: entry).starts(with: "shadowbox-fixture/".utf8) ? "its first line" : nil
  } read: { files, entry, options throws(TraceError) in
    var source = try files.open(entry)
    var bytes: [UInt8] = []
    repeat {
      bytes += source.buffer[source.position..<source.end]
      source.advance(to: source.end)
    } while try source.fill()
    return [ImportedTrace(whole: try Trace(fixture: bytes, name: entry.place), options)]
  }

  /// GPX 1.0 and 1.1.
  static let gpx = PlainFormat(.gpx) { files, entry throws(TraceError) in
    let head = try files.head(of: entry)
    let isXML = head.first { !$0.isBlank && ![0xEF, 0xBB, 0xBF].contains($0) } == 0x3C
    return isXML && head.firstRange(of: "<gpx".utf8) != nil ? "the element gpx" : nil
  } read: { files, entry, options throws(TraceError) in
    [try GPXReader.read(files.open(entry), options: options.named(files.stem).ofGPX)]
  }

  /// NMEA 0183 as a receiver sends it.
  static let nmea = PlainFormat(.nmea) { files, entry throws(TraceError) in
    try NMEAReader.recognise(files.head(of: entry))
  } read: { files, entry, options throws(TraceError) in
    [try NMEAReader.read(files.open(entry), options: options.named(files.stem))]
  }

  /// The CSV of GPSLogger for Android.
  static let gpsLogger = PlainFormat(.gpsLogger) { files, entry throws(TraceError) in
    try GPSLoggerReader.recognise(files.head(of: entry))
  } read: { files, entry, options throws(TraceError) in
    [try GPSLoggerReader.read(files.open(entry), options: options.named(files.stem))]
  }

  /// Label files: recognised so that the error can state what to do.
  static let labels = PlainFormat(.labels) { files, entry throws(TraceError) in
    guard let header = try files.header(of: entry) else { return nil }
    if header.contains("onset"), header.contains("offset") || header.contains("event_label") {
      return "the columns onset and \(header.contains("offset") ? "offset" : "event_label")"
    }
    let isAudacity =
      header.separator == .tab && (2...3).contains(header.names.count)
      && header.names.prefix(2).allSatisfy { Double($0) != nil }
    return isAudacity ? "two times separated by a tab" : nil
  } read: { files, _, _ throws(TraceError) in
    throw files.fault(
      "a recording", found: "a label file",
      remedy: "pass the recording, and this file with --reference")
  }

  /// Any other table. The user maps its columns, or the mapping is inferred if only one fits.
  static let csv = PlainFormat(.csv) { files, entry throws(TraceError) in
    // Any text has a single column; markup may have commas.
    guard let header = try files.header(of: entry), header.names.count > 1,
      let first = try files.head(of: entry).first(where: { !$0.isBlank }),
      ![0x3C, 0x7B, 0x5B].contains(first)
    else { return nil }
    return "a table of \(header.names.count) columns of no known app"
  } read: { files, entry, options throws(TraceError) in
    var csv = options.csv ?? CSVOptions()
    (csv.id, csv.sort, csv.strict) = (options.id ?? files.stem, options.sort, options.strict)
    return try CSVReader.read(files.open(entry), options: csv)
  }
}
