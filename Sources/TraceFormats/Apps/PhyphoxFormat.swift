import TraceModel

/// Recordings of phyphox (RWTH Aachen): a CSV file for each sensor, and `meta/` beside them.
///
/// Which sensor a file holds follows from its header, and where that names no sensor (`X (m/s^2)`,
/// on iOS) from its name. All five ways in which the app separates cells and decimals are read.
struct PhyphoxFormat: RecordingFormatReader {
  let format = RecordingFormat.phyphox

  func evidence(in files: RecordingFiles) throws(TraceError) -> String? {
    var sensor: String?
    for entry in files.entries where entry.isTable {
      guard let header = try files.header(of: entry), PhyphoxTable.isHeader(header) else {
        continue
      }
      sensor = "\(Excerpt.of(header.names[0])) in \(shown(entry.name))"
      break
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
    for table in tables {
      try recording.read(table, of: files, time: { PhyphoxClock.wall($0, shift) })
    }
    var header = TraceHeader(id: options.id ?? files.stem, origin: .recorded)
    header.source = FilePath.lastComponent(files.path)
    try PhyphoxDevice(files, &recording)?.describe(&header)
    recording.report.notes += clock.notes(options.pauses)
    var imported = try recording.finish(header, options, isAbsolute: false)
    clock.apply(to: &imported, options.pauses)
    return [imported]
  }

  /// One table for each channel; what is left over is listed.
  private func tables(
    of files: RecordingFiles, _ recording: inout AppRecording
  ) throws(TraceError) -> [SensorTable] {
    var tables: [SensorTable] = []
    for entry in files.entries {
      if PhyphoxClock.isMeta(entry) { continue }
      guard entry.isTable, let header = try files.header(of: entry),
        let table = PhyphoxTable.table(entry, header),
        !tables.contains(where: { $0.channel == table.channel })
      else {
        recording.report.unmappedColumns.append(shown(entry.name))
        continue
      }
      tables.append(table)
    }
    guard !tables.isEmpty else { throw try nothingKnown(files) }
    return tables
  }

  private func nothingKnown(_ files: RecordingFiles) throws(TraceError) -> TraceError {
    let names = files.entries.prefix(8).map { shown($0.name) }.joined(separator: ", ")
    var ambiguous: RecordingFiles.Entry?
    for entry in files.entries where entry.isTable && ambiguous == nil {
      if try files.header(of: entry).map(PhyphoxTable.hasNamelessAxes) == true { ambiguous = entry }
    }
    if let ambiguous {
      return TraceError(
        place: ambiguous.place,
        expected: "a file name or a header that says whether gravity is included",
        found: "\(shown(ambiguous.name)) with \"X (m/s^2)\"",
        remedy: "name it Accelerometer.csv (with gravity) or Linear Acceleration.csv (without)")
    }
    return TraceError(
      place: shown(files.path),
      expected: "a file with accelerations, rotation rates, pressures or positions of phyphox",
      found: names.isEmpty ? "none" : names, remedy: "export the recording's raw data as CSV")
  }
}

/// What the header of a phyphox file says.
enum PhyphoxTable {
  private struct Column {
    /// In small letters, without its unit: `linear acceleration x`.
    var label: String
    var unit: String

    /// Nil = it has no unit in brackets.
    init?(_ name: String) {
      guard name.last == ")", let open = name.lastIndex(of: "(") else { return nil }
      label = name[..<open].lowercased().trimmingSpaces()
      unit = String(name[name.index(after: open)...].dropLast())
    }

    /// 0, 1, 2 for x, y, z.
    var axis: Int? {
      label.split(separator: " ").last.flatMap { ["x", "y", "z"].firstIndex(of: String($0)) }
    }

    /// `linear acceleration` of `linear acceleration x`.
    var sensor: String {
      label.split(separator: " ").dropLast().joined(separator: " ")
    }
  }

  private static let accelerationUnits = ["m/s^2", "m/s²"]

  /// Whether the first column is phyphox's time, and all others have a unit in brackets.
  static func isHeader(_ header: TableHeader) -> Bool {
    header.names.first?.lowercased() == "time (s)" && header.names.count > 1
      && header.names.allSatisfy { Column($0) != nil }
  }

  static func hasNamelessAxes(_ header: TableHeader) -> Bool {
    isHeader(header) && header.names.contains { $0.lowercased() == "x (m/s^2)" }
  }

  static func table(_ entry: RecordingFiles.Entry, _ header: TableHeader) -> SensorTable? {
    guard isHeader(header) else { return nil }
    let columns = header.names.map { Column($0) }
    if let location = location(entry, header, columns) { return location }
    if let pressure = columns.firstIndex(where: { $0?.unit == "hPa" }) {
      return SensorTable(
        entry, header, .pressure,
        columns: [(.time, 0, "s"), (.field(0, of: .pressure), pressure, "hPa")])
    }
    guard let first = columns.firstIndex(where: { $0?.axis == 0 }), let x = columns[first],
      let channel = channel(x, file: entry.name)
    else { return nil }
    var mapped: [(CSVTarget, Int, String?)] = [(.time, 0, "s")]
    for (index, column) in columns.enumerated() {
      guard let column, let axis = column.axis, column.sensor == x.sensor else { continue }
      mapped.append((.axis(axis, of: channel), index, nil))
    }
    guard mapped.count == 4 else { return nil }
    return SensorTable(entry, header, channel, columns: mapped)
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

  private static func location(
    _ entry: RecordingFiles.Entry, _ header: TableHeader, _ columns: [Column?]
  ) -> SensorTable? {
    var mapped: [(CSVTarget, Int, String?)] = [(.time, 0, "s")]
    for (label, field) in locationFields {
      guard let index = columns.firstIndex(where: { $0?.label == label }),
        !mapped.contains(where: { $0.0 == .field(field, of: .location) })
      else { continue }
      mapped.append((.field(field, of: .location), index, nil))
    }
    let hasPosition = [0, 1].allSatisfy { field in
      mapped.contains { $0.0 == .field(field, of: .location) }
    }
    return hasPosition ? SensorTable(entry, header, .location, columns: mapped) : nil
  }
}
