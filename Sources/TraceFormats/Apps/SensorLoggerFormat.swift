import TraceModel

/// Recordings of Sensor Logger (Kelvin Choi): a CSV file for each sensor, columns by name in any
/// order, times in nanoseconds from 1970.
///
/// Units and signs are those of the app's own references, UNITS.md and CROSSPLATFORM.md of
/// github.com/tszheichoi/awesome-sensor-logger.
struct SensorLoggerFormat: RecordingFormatReader {
  let format = RecordingFormat.sensorLogger

  func evidence(in files: RecordingFiles) throws(TraceError) -> String? {
    try files.firstTable { entry, header in
      header.contains("time") && header.contains("seconds_elapsed")
        ? "\"time\" and \"seconds_elapsed\" in \(shown(entry.name))" : nil
    }
  }

  func read(
    _ files: RecordingFiles, options: RecordingOptions
  ) throws(TraceError) -> [ImportedTrace] {
    var recording = AppRecording(strict: options.strict)
    let metadata = try SensorLoggerMetadata(files, &recording)
    let tables = try tables(of: files, metadata, options, &recording)
    for tables in tables { try recording.read(tables, of: files) }
    mergeSeconds(&recording.report)
    var header = TraceHeader(id: options.id ?? files.stem, origin: .recorded)
    header.source = FilePath.lastComponent(files.path)
    metadata.describe(&header)
    metadata.reportSigns(of: Array(tables.joined()), options.signs, &recording.report)
    let annotations = try SensorLoggerAnnotations(files, &recording)
    var imported = try recording.finish(header, options, isAbsolute: true)
    annotations?.apply(to: &imported)
    return [imported]
  }

  /// The files of each channel, in lower case and in order of preference.
  private static let sensors: [(channel: Channel, files: [String])] = [
    (.acceleration, ["totalacceleration", "accelerometeruncalibrated"]),
    (.userAcceleration, ["accelerometer"]),
    (.rotationRate, ["gyroscope", "gyroscopeuncalibrated"]), (.pressure, ["barometer"]),
    (.location, ["location", "locationgps"]),
  ]

  private func tables(
    of files: RecordingFiles, _ metadata: SensorLoggerMetadata, _ options: RecordingOptions,
    _ recording: inout AppRecording
  ) throws(TraceError) -> [[SensorTable]] {
    var tables: [[SensorTable]] = []
    for sensor in Self.sensors {
      for name in sensor.files {
        guard let entry = Self.entry(name, in: files),
          let table = try table(entry, sensor.channel, files, metadata, options)
        else { continue }
        tables.append([table])
        break
      }
    }
    if !tables.contains(where: { Self.isMotion($0[0].channel) }),
      let watch = try watchTables(files, metadata, options)
    {
      tables.append(watch)
    }
    let others = ["metadata", "annotation"].compactMap { Self.entry($0, in: files) }
    let read = Set(tables.map { $0[0].entry.name } + others.map(\.name))
    let left = files.entries.filter { !read.contains($0.name) }
    recording.report.unmappedColumns += left.map { shown($0.name) }
    noteWhatIsLeft(left, metadata, &recording.report)
    guard !tables.isEmpty else { throw nothingKnown(files) }
    return tables
  }

  private func nothingKnown(_ files: RecordingFiles) -> TraceError {
    files.fault(
      "Accelerometer.csv, TotalAcceleration.csv, Gyroscope.csv, Barometer.csv, Location.csv or "
        + "WristMotion.csv of Sensor Logger", found: files.names,
      remedy:
        "keep the app's file names, or map the columns: --from csv --map 'time=time[ns],x=x,…'")
  }

  private func noteWhatIsLeft(
    _ left: [RecordingFiles.Entry], _ metadata: SensorLoggerMetadata, _ report: inout ImportReport
  ) {
    let stems = left.map(Self.stem)
    if let watch = stems.firstIndex(of: Self.watchFile) {
      report.notes.append(
        "\(shown(left[watch].name)) is left out: the watch is another device. Convert that file "
          + "separately.")
    }
    if stems.contains("compass") {
      report.notes.append(
        "Compass.csv is left out: it refers to magnetic north, headings to true north.")
    }
    if stems.contains("accelerometeruncalibrated"), metadata.uncalibratedUnit == nil {
      report.notes.append(
        "AccelerometerUncalibrated.csv is left out: without the platform in Metadata.csv its unit "
          + "(g or m/s2) is unknown.")
    }
  }

  /// The file of a sensor: `Accelerometer.csv` for `accelerometer`; else `Accelerometer (1).csv`,
  /// as browsers name repeated downloads. Files in folders are not sensor files.
  static func entry(_ stem: String, in files: RecordingFiles) -> RecordingFiles.Entry? {
    let tables = files.entries.filter(\.isTable)
    return tables.first { FilePath.unpackedStem($0.name).lowercased() == stem }
      ?? tables.first { Self.stem($0) == stem }
  }

  private static func stem(_ entry: RecordingFiles.Entry) -> String {
    let stem = FilePath.unpackedStem(entry.name).lowercased()
    guard stem.last == ")", let open = stem.lastIndex(of: "("),
      stem[stem.index(after: open)...].dropLast().utf8.allSatisfy(\.isDigit)
    else { return stem }
    return String(stem[..<open]).trimmingSpaces()
  }

  /// Nil = the file cannot be read.
  private func table(
    _ entry: RecordingFiles.Entry, _ channel: Channel, _ files: RecordingFiles,
    _ metadata: SensorLoggerMetadata, _ options: RecordingOptions
  ) throws(TraceError) -> SensorTable? {
    // The sensor was on but has no reading.
    if try files.head(of: entry).isEmpty { return nil }
    guard let header = try files.header(of: entry), let time = header.index("time") else {
      throw TraceError(
        place: "\(entry.place):1", expected: "a column \"time\" (nanoseconds from 1970)",
        found: "none", remedy: "export the recording again as zipped CSV")
    }
    var (names, unit) = try columns(channel, entry, files)
    if Self.stem(entry) == "accelerometeruncalibrated" {
      guard let known = metadata.uncalibratedUnit else { return nil }
      unit = known
    }
    let values = names.enumerated().compactMap { value, name in
      header.index(name).map { (index: value, column: $0) }
    }
    var table = SensorTable(entry, header, channel, time: (time, "ns"), values: values, unit: unit)
    negate(&table, metadata, options)
    return table
  }

  private func negate(
    _ table: inout SensorTable, _ metadata: SensorLoggerMetadata, _ options: RecordingOptions
  ) {
    table.isNegated =
      table.isAcceleration && options.signs == .android && metadata.signs == .ios
  }

  private static let watchFile = "wristmotion"

  private static func isMotion(_ channel: Channel) -> Bool {
    [.acceleration, .userAcceleration, .rotationRate].contains(channel)
  }

  /// Returns the tables of the watch, for a recording without motion of the phone; nil = there are
  /// none.
  private func watchTables(
    _ files: RecordingFiles, _ metadata: SensorLoggerMetadata, _ options: RecordingOptions
  ) throws(TraceError) -> [SensorTable]? {
    guard let entry = Self.entry(Self.watchFile, in: files),
      let header = try files.header(of: entry), let time = header.index("time")
    else { return nil }
    let unit = try gravityUnit(entry, header, files) ?? metadata.uncalibratedUnit
    var tables: [SensorTable] = []
    for (channel, name) in [
      (Channel.userAcceleration, "acceleration"), (.rotationRate, "rotationRate"),
    ] {
      let axes = ["X", "Y", "Z"].compactMap { header.index(name + $0) }
      let isAcceleration = channel == .userAcceleration
      guard axes.count == 3, !isAcceleration || unit != nil else { continue }
      var table = SensorTable(
        entry, header, channel, time: (time, "ns"),
        values: axes.enumerated().map { (index: $0, column: $1) },
        unit: isAcceleration ? unit : nil)
      negate(&table, metadata, options)
      tables.append(table)
    }
    return tables.isEmpty ? nil : tables
  }

  /// Returns the unit of the watch's accelerations, which is that of its gravity of 1 g or 9.8 m/s2;
  /// nil = the first record has no gravity.
  private func gravityUnit(
    _ entry: RecordingFiles.Entry, _ header: TableHeader, _ files: RecordingFiles
  ) throws(TraceError) -> String? {
    let columns = ["gravityX", "gravityY", "gravityZ"].compactMap { header.index($0) }
    guard columns.count == 3, let record = try files.firstRecord(of: entry) else { return nil }
    let axes = columns.compactMap { record.indices.contains($0) ? Double(record[$0]) : nil }
    guard axes.count == 3 else { return nil }
    let magnitude = axes.reduce(0) { $0 + $1 * $1 }.squareRoot()
    return magnitude > 3 ? "m/s2" : magnitude > 0.3 ? "g" : nil
  }

  /// Returns the names of the columns of a channel's values, in their order, and their unit.
  private func columns(
    _ channel: Channel, _ entry: RecordingFiles.Entry, _ files: RecordingFiles
  ) throws(TraceError) -> (names: [String], unit: String?) {
    switch channel {
    case .location:
      // The altitude above sea level if the app states it (iOS), otherwise above the ellipsoid.
      let altitude = try statesSeaLevel(entry, files) ? "altitudeAboveMeanSeaLevel" : "altitude"
      return (
        [
          "latitude", "longitude", altitude, "horizontalAccuracy", "speed", "speedAccuracy",
          "bearing",
        ], nil
      )
    case .pressure: return (["pressure"], "hPa")
    case .rotationRate: return (CSVTarget.axes, nil)
    default: return (CSVTarget.axes, "m/s2")
    }
  }

  /// Whether the first record has an altitude above mean sea level.
  private func statesSeaLevel(
    _ entry: RecordingFiles.Entry, _ files: RecordingFiles
  ) throws(TraceError) -> Bool {
    guard let column = try files.header(of: entry)?.index("altitudeAboveMeanSeaLevel"),
      let record = try files.firstRecord(of: entry), record.indices.contains(column)
    else { return false }
    return Double(record[column]) != nil
  }

  /// Merges the column that every file has into one line.
  private func mergeSeconds(_ report: inout ImportReport) {
    let count = report.unmappedColumns.count
    report.unmappedColumns.removeAll { $0.hasSuffix(": seconds_elapsed") }
    if report.unmappedColumns.count < count {
      report.unmappedColumns.append("seconds_elapsed (same as time)")
    }
  }
}
