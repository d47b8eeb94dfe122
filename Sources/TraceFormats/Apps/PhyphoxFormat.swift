import TraceModel

/// Recordings of phyphox (RWTH Aachen): a CSV file for each sensor, and a folder `meta/`.
///
/// The header states which sensors a file has; if it does not (`X (m/s^2)`, on iOS), the file's name
/// decides. All five combinations of separators and decimal marks of the app are read.
struct PhyphoxFormat: RecordingFormatReader {
  let format = RecordingFormat.phyphox

  func evidence(in files: RecordingFiles) throws(TraceError) -> String? {
    let sensor = try files.firstTable { entry, header in
      PhyphoxTable.isTable(entry, header)
        ? "\(Excerpt.of(header.names[0])) in \(shown(entry.name))" : nil
    }
    guard let time = files.entry("meta/time.csv"),
      try files.header(of: time)?.contains("experiment time") ?? false
    else { return sensor }
    return "meta/time.csv" + (sensor.map { ", and \($0)" } ?? "")
  }

  func read(
    _ files: RecordingFiles, options: RecordingOptions
  ) throws(TraceError) -> [ImportedTrace] {
    var recording = AppRecording(strict: options.strict)
    let tables = try tables(of: files, &recording)
    let clock = try PhyphoxClock(files, &recording)
    let shift = options.pauses == .insert ? clock.pauses : []
    for tables in tables {
      try recording.read(tables, of: files, time: { PhyphoxClock.wall($0, shift) })
    }
    var header = TraceHeader(id: options.id ?? files.stem, origin: .recorded)
    header.source = FilePath.lastComponent(files.path)
    try PhyphoxDevice(files, &recording)?.describe(&header)
    recording.report.notes += clock.notes(options.pauses)
    var imported = try recording.finish(header, options, isAbsolute: false)
    clock.apply(to: &imported, options.pauses)
    return [imported]
  }

  /// The tables of each file, one for each channel; unused columns are listed.
  private func tables(
    of files: RecordingFiles, _ recording: inout AppRecording
  ) throws(TraceError) -> [[SensorTable]] {
    var tables: [[SensorTable]] = []
    var taken: Set<Channel> = []
    for entry in files.entries where !PhyphoxClock.isMeta(entry) {
      var found: [SensorTable] = []
      if entry.isTable, let header = try files.header(of: entry) {
        found = PhyphoxTable.tables(entry, header).filter { taken.insert($0.channel).inserted }
      }
      if found.isEmpty {
        recording.report.unmappedColumns.append(shown(entry.name))
      } else {
        tables.append(found)
      }
    }
    guard !tables.isEmpty else { throw try nothingKnown(files) }
    return tables
  }

  private func nothingKnown(_ files: RecordingFiles) throws(TraceError) -> TraceError {
    let ambiguous = try files.firstTable { PhyphoxTable.hasNamelessAxes($1) ? $0 : nil }
    if let ambiguous {
      return TraceError(
        place: ambiguous.place,
        expected: "a file name or header that states whether gravity is included",
        found: "\(shown(ambiguous.name)) with \"X (m/s^2)\"",
        remedy: "name it Accelerometer.csv (with gravity) or Linear Acceleration.csv (without)")
    }
    return files.fault(
      "a file with accelerations, rotation rates, pressures or positions of phyphox",
      found: files.names, remedy: "export the recording's raw data as CSV")
  }
}

/// The header of a phyphox file.
enum PhyphoxTable {
  private struct Column {
    var index: Int
    /// The name in lower case, without its unit: `linear acceleration x`.
    var label: String
    /// The unit without brackets; empty = there is none, as for `Satellites`.
    var unit = ""

    init(_ index: Int, _ name: String) {
      self.index = index
      label = name.lowercased()
      guard name.last == ")", let open = name.lastIndex(of: "(") else { return }
      label = name[..<open].lowercased().trimmingSpaces()
      unit = String(name[name.index(after: open)...].dropLast())
    }

    /// 0, 1, 2 for x, y, z.
    var axis: Int? {
      label.split(separator: " ").last.flatMap { ["x", "y", "z"].firstIndex(of: String($0)) }
    }

    /// `linear acceleration` of `linear acceleration x`.
    var sensor: String { label.split(separator: " ").dropLast().joined(separator: " ") }

    var isTime: Bool { label == "time" && unit == "s" }
  }

  /// Far more than an experiment exports; the limit bounds the comparison of all pairs of columns.
  static let mostColumns = 256
  private static let accelerationUnits = ["m/s^2", "m/s²"]

  private static func columns(_ header: TableHeader) -> [Column] {
    header.names.enumerated().map { Column($0, $1) }
  }

  /// Whether the first column is phyphox's time, and the others are of sensors that are known or all
  /// have units in brackets.
  static func isTable(_ entry: RecordingFiles.Entry, _ header: TableHeader) -> Bool {
    let columns = columns(header)
    guard beginsWithTime(columns) else { return false }
    return columns.allSatisfy { !$0.unit.isEmpty } || !tables(entry, header).isEmpty
  }

  private static func beginsWithTime(_ columns: [Column]) -> Bool {
    (2...mostColumns).contains(columns.count) && columns[0].isTime
  }

  static func hasNamelessAxes(_ header: TableHeader) -> Bool {
    beginsWithTime(columns(header)) && header.names.contains { $0.lowercased() == "x (m/s^2)" }
  }

  /// The tables, one for each sensor of the file, in order. A sensor's time is the last time column
  /// before its own: an experiment may have one for all sensors, or one for each.
  static func tables(_ entry: RecordingFiles.Entry, _ header: TableHeader) -> [SensorTable] {
    let columns = columns(header)
    guard beginsWithTime(columns) else { return [] }
    var tables: [SensorTable] = []
    for column in columns {
      guard let (channel, values) = sensor(of: column, columns, file: entry.name) else { continue }
      let time = columns[...column.index].last(where: \.isTime)?.index ?? 0
      tables.append(
        SensorTable(
          entry, header, channel, time: (time, "s"), values: values,
          unit: channel == .pressure ? "hPa" : nil))
    }
    return tables
  }

  private typealias Values = [(index: Int, column: Int)]

  /// Returns the sensor whose first column this is: latitude, x or the only one; nil = no known
  /// sensor.
  private static func sensor(
    of column: Column, _ columns: [Column], file: String
  ) -> (channel: Channel, values: Values)? {
    if column.label == "latitude" { return location(columns).map { (.location, $0) } }
    if column.unit == "hPa" { return (.pressure, [(0, column.index)]) }
    guard column.axis == 0, let channel = channel(column, file: file) else { return nil }
    let axes: Values = columns.filter { $0.sensor == column.sensor && $0.unit == column.unit }
      .compactMap { own in own.axis.map { (index: $0, column: own.index) } }
    return axes.count == 3 ? (channel, axes) : nil
  }

  private static func channel(_ column: Column, file: String) -> Channel? {
    if column.unit == "rad/s" { return .rotationRate }
    guard accelerationUnits.contains(column.unit) else { return nil }
    let file = String(FilePath.unpackedStem(file).lowercased().map { $0 == "_" ? " " : $0 })
    let words = column.sensor + " " + file
    func says(_ text: String) -> Bool { words.utf8.firstRange(of: text.utf8) != nil }
    if says("linear") || says("without g") { return .userAcceleration }
    return says("accelero") || says("acceleration") ? .acceleration : nil
  }

  private static let locationFields: [(label: String, field: Int)] = [
    ("latitude", 0), ("longitude", 1), ("height", 2), ("altitude", 2),
    ("horizontal accuracy", 3), ("velocity", 4), ("speed", 4), ("direction", 6),
  ]

  /// Nil = there is no longitude.
  private static func location(_ columns: [Column]) -> Values? {
    var values: Values = []
    for (label, field) in locationFields where !values.contains(where: { $0.index == field }) {
      guard let column = columns.first(where: { $0.label == label }) else { continue }
      values.append((field, column.index))
    }
    return values.contains { $0.index == 1 } ? values : nil
  }
}
