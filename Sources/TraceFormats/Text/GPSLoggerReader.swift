public import TraceModel

/// Reads the CSV files of GPSLogger for Android (github.com/mendhak/gpslogger).
public enum GPSLoggerReader {
  /// Reads `time`, `lat`, `lon`, `elevation`, `accuracy`, `bearing` and `speed` into the channel
  /// `location`, by the names of the header line: every version of the app adds columns at the end,
  /// and the separator is a setting. The providers of the fixes are a note of the report, each
  /// annotation is a finding with its time, and the other columns are listed.
  ///
  /// Damage and errors are as for ``CSVReader``.
  ///
  /// - Complexity: O(n), with memory for one record besides the readings.
  public static func read(
    _ path: String, options: RecordingOptions = RecordingOptions()
  ) throws(TraceError) -> ImportedTrace {
    try read(ByteSource(path: path), options: options)
  }

  static func read(
    _ source: consuming ByteSource, options: RecordingOptions
  ) throws(TraceError) -> ImportedTrace {
    let name = source.name
    let header = try GPSLoggerHeader(source.peek(ByteSource.chunkSize))
    guard header.isComplete else {
      throw TraceError(
        place: "\(name):1", expected: "the columns time, lat and lon of GPSLogger",
        found: Excerpt.of(header.names.joined(separator: ",")),
        remedy: "read another CSV with --from csv and --map")
    }
    var csv = try CSVOptions(mapping: CSVMapping(parsing: header.mapping))
    csv.separator = header.separator
    (csv.id, csv.strict, csv.sort) = (options.id, options.strict, options.sort)
    var remarks = GPSLoggerRemarks(header)
    let traces = try CSVReader.read(source, options: csv) { scanner, times in
      remarks.add(scanner, times)
    }
    // The file has one part.
    var imported = traces[0]
    remarks.report(in: &imported, fileName: name)
    return imported
  }

  /// Returns why the first bytes of a file are a CSV of GPSLogger; nil = they are not.
  package static func recognise(_ head: [UInt8]) -> String? {
    guard let header = try? GPSLoggerHeader(head), header.isComplete, header.isTypical else {
      return nil
    }
    return "a header line that begins with time, lat, lon, elevation"
  }
}

/// The header line: plain names, which a spreadsheet may have put in quotes.
private struct GPSLoggerHeader {
  let names: [String]
  let separator: Character

  /// The columns of every version of the app, with their targets and units.
  private static let targets = [
    ("time", "time", "[iso]"), ("lat", "latitude", ""), ("lon", "longitude", ""),
    ("elevation", "altitude", ""), ("accuracy", "horizontal_accuracy", ""),
    ("bearing", "course", ""), ("speed", "speed", ""),
  ]

  /// - Parameter head: the first bytes of the file.
  init(_ head: [UInt8]) throws(TraceError) {
    var scanner = try DelimitedScanner(ByteSource(bytes: head, name: ""), separator: nil)
    names = try scanner.next() ? scanner.texts : []
    separator = Character(Unicode.Scalar(scanner.separator))
  }

  var isComplete: Bool { ["time", "lat", "lon"].allSatisfy(names.contains) }

  /// Whether the header has the columns of every version of the app.
  var isTypical: Bool { names.starts(with: GPSLoggerHeader.targets.map(\.0)) }

  /// The mapping as ``CSVMapping`` parses it.
  var mapping: String {
    GPSLoggerHeader.targets.filter { names.contains($0.0) }
      .map { "\($0.1)=\($0.0)\($0.2)" }.joined(separator: ",")
  }
}

/// The remarks of the app about its fixes.
private struct GPSLoggerRemarks {
  private let provider: Int?
  private let annotation: Int?
  private let hasElevation: Bool
  private var providers: [(name: String, count: Int)] = []
  private var annotations: [(time: Int64, line: Int, text: String)] = []
  private var further = 0

  private static let mostProviders = 20
  /// Android's `Location.getAltitude` is above the ellipsoid; a setting of the app changes it, and
  /// the file does not state it.
  private static let datum =
    "Elevations are above the WGS84 ellipsoid, unless the app was set to mean sea level; they are "
    + "kept as recorded."
  private static let mostAnnotations = 1000

  init(_ header: GPSLoggerHeader) {
    provider = header.names.firstIndex(of: "provider")
    annotation = header.names.firstIndex(of: "annotation")
    hasElevation = header.names.contains("elevation")
  }

  mutating func add(_ scanner: borrowing DelimitedScanner, _ times: RecordTimes) {
    if let provider { addProvider(scanner, provider) }
    guard let annotation, !scanner.holds(annotation, []) else { return }
    if annotations.count < GPSLoggerRemarks.mostAnnotations {
      annotations.append((times.measured, scanner.line, scanner.text(annotation)))
    } else {
      further += 1
    }
  }

  private mutating func addProvider(_ scanner: borrowing DelimitedScanner, _ column: Int) {
    let name = scanner.text(column)
    if let index = providers.firstIndex(where: { $0.name == name }) {
      providers[index].count += 1
    } else if providers.count < GPSLoggerRemarks.mostProviders {
      providers.append((name, 1))
    }
  }

  func report(in imported: inout ImportedTrace, fileName: String) {
    if hasElevation { imported.report.notes.append(GPSLoggerRemarks.datum) }
    if !providers.isEmpty {
      let list = providers.map { "\($0.name.isEmpty ? "none" : $0.name) \($0.count)" }
      imported.report.notes.append("Fixes by provider: \(list.joined(separator: ", ")).")
    }
    for annotation in annotations {
      imported.report.findings.append(
        Finding(
          "annotation", .note, place: "\(fileName):\(annotation.line)",
          start: TraceInstant(annotation.time, since: imported.origin),
          message: "The person wrote \(Excerpt.of(annotation.text))."))
    }
    if further > 0 { imported.report.notes.append("\(further) more annotations are not listed.") }
  }
}
