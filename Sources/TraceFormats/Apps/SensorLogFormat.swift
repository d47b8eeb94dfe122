import TraceModel

/// Recordings of SensorLog (Bernd Thomas) for iOS and Apple Watch: one wide table, in which each
/// group of columns has its own time and repeats its last values until its sensor has new ones.
///
/// A group gives one reading for each of its distinct times. Newer versions write units in brackets
/// after the names; they are ignored, because the units are always the same.
struct SensorLogFormat: RecordingFormatReader {
  let format = RecordingFormat.sensorLog

  func evidence(in files: RecordingFiles) throws(TraceError) -> String? {
    try files.firstTable { entry, header in
      SensorLogColumns(header).firstTime.map {
        "the column \(Excerpt.of($0)) in \(shown(entry.name))"
      }
    }
  }

  func read(
    _ files: RecordingFiles, options: RecordingOptions
  ) throws(TraceError) -> [ImportedTrace] {
    let entry = try table(of: files)
    var recording = AppRecording(strict: options.strict)
    guard let header = try files.header(of: entry) else {
      throw TraceError(
        place: "\(entry.place):1", expected: "a header line", found: "none",
        remedy: "check the recording")
    }
    let columns = SensorLogColumns(header)
    let clock = try SensorLogClock(files, entry, columns)
    let groups = columns.groups(entry, header, options.signs).filter { $0.clock.isKnown(clock) }
    guard !groups.isEmpty else { throw nothingKnown(entry, columns) }
    try read(groups, entry, clock, files, &recording)
    recording.report.notes += clock.notes(groups.map(\.clock))
    reportSigns(groups, options.signs, place: entry.place, &recording.report)
    var trace = TraceHeader(id: options.id ?? files.stem, origin: .recorded)
    trace.source = FilePath.lastComponent(files.path)
    return [try recording.finish(trace, options, isAbsolute: clock.isAbsolute(groups))]
  }

  private func table(of files: RecordingFiles) throws(TraceError) -> RecordingFiles.Entry {
    if let only = files.only { return only }
    var tables: [RecordingFiles.Entry] = []
    for entry in files.entries where entry.isTable {
      guard let header = try files.header(of: entry) else { continue }
      if SensorLogColumns(header).firstTime != nil { tables.append(entry) }
    }
    return tables.count == 1 ? tables[0] : try files.single()
  }

  private func nothingKnown(
    _ entry: RecordingFiles.Entry, _ columns: SensorLogColumns
  ) -> TraceError {
    TraceError(
      place: "\(entry.place):1",
      expected: "columns of accelerometer, motion, gyro, location or altimeter with their times",
      found: columns.names.prefix(8).map { Excerpt.of($0) }.joined(separator: ", "),
      remedy: "switch the sensors on, and log the times both as text and as numbers")
  }

  private func read(
    _ groups: [SensorLogGroup], _ entry: RecordingFiles.Entry, _ clock: SensorLogClock,
    _ files: RecordingFiles, _ recording: inout AppRecording
  ) throws(TraceError) {
    var scanner = try DelimitedScanner(files.open(entry), separator: groups[0].table.separator)
    guard try scanner.next() else { return }
    let columnCount = scanner.cells.count
    var readers: [SensorLogRows] = []
    for group in groups {
      readers.append(try SensorLogRows(group, header: scanner, in: &recording))
    }
    // The wall time is used for the clock.
    let logging = clock.isMapped ? SensorLogColumns.loggingTime : nil
    recording.report.unmappedColumns += SensorTable.unmapped(groups.map(\.table), scanner).filter {
      SensorLogColumns.bare($0) != logging
    }.map(shown)
    while try scanner.next() {
      recording.report.recordsRead += 1
      do throws(TraceError) {
        if let damage = RecordReader.damage(of: scanner, columnCount: columnCount) { throw damage }
        for index in readers.indices { try readers[index].read(scanner, clock, into: &recording) }
      } catch {
        try recording.lose(error)
      }
    }
  }

  private func reportSigns(
    _ groups: [SensorLogGroup], _ signs: SignConvention, place: String,
    _ report: inout ImportReport
  ) {
    guard groups.contains(where: \.table.isAcceleration) else { return }
    report.findings.append(
      Finding(
        "ios-signs", .note, place: place,
        message: "Accelerations have the signs of iOS, opposite to Android's: "
          + "\(signs.treatmentOfIOS)."))
  }
}

/// The columns of a SensorLog table by their bare names.
struct SensorLogColumns {
  let names: [String]
  private let bare: [String]

  init(_ header: TableHeader) {
    names = header.names
    bare = header.names.map(Self.bare)
  }

  static let loggingTime = "loggingTime"

  /// A column's name without the unit in brackets.
  static func bare(_ name: String) -> String { String(name.prefix { $0 != "(" }) }

  func index(_ name: String) -> Int? { bare.firstIndex(of: name) }

  /// The first column with the time of a sensor.
  var firstTime: String? {
    bare.first { $0.hasSuffix("Timestamp_sinceReboot") || $0.hasSuffix("Timestamp_since1970") }
  }

  /// The columns of a channel's values, in their order, with the unit in which the app writes them.
  private struct Source {
    var channel: Channel
    var time: String
    var columns: [String]
    var unit: String?
    /// The number of required columns.
    var required: Int
  }

  /// In order of preference within a channel.
  private static let sources: [Source] = [
    Source(
      channel: .acceleration, time: "accelerometer", columns: axes("accelerometerAcceleration"),
      unit: "g", required: 3),
    Source(
      channel: .userAcceleration, time: "motion", columns: axes("motionUserAcceleration"),
      unit: "g", required: 3),
    Source(
      channel: .rotationRate, time: "motion", columns: axes("motionRotationRate"), required: 3),
    Source(channel: .rotationRate, time: "gyro", columns: axes("gyroRotation"), required: 3),
    Source(
      channel: .heading, time: "locationHeading",
      columns: ["locationTrueHeading", "locationHeadingAccuracy"], required: 1),
    Source(
      channel: .pressure, time: "altimeter", columns: ["altimeterPressure"], unit: "kPa",
      required: 1),
    Source(
      channel: .location, time: "location",
      columns: [
        "Latitude", "Longitude", "Altitude", "HorizontalAccuracy", "Speed", "SpeedAccuracy",
        "Course",
      ].map { "location" + $0 }, required: 2),
  ]

  private static func axes(_ name: String) -> [String] { ["X", "Y", "Z"].map { name + $0 } }

  func groups(
    _ entry: RecordingFiles.Entry, _ header: TableHeader, _ signs: SignConvention
  ) -> [SensorLogGroup] {
    var groups: [SensorLogGroup] = []
    for source in Self.sources
    where !groups.contains(where: { $0.table.channel == source.channel }) {
      let values = source.columns.enumerated().compactMap { value, name in
        index(name).map { (index: value, column: $0) }
      }
      guard source.columns.prefix(source.required).allSatisfy({ index($0) != nil }),
        let (time, clock) = time(source.time)
      else { continue }
      var table = SensorTable(
        entry, header, source.channel, time: (time, "s"), values: values, unit: source.unit)
      table.isNegated = table.isAcceleration && signs == .android
      groups.append(SensorLogGroup(table: table, time: time, clock: clock))
    }
    return groups
  }

  private func time(_ sensor: String) -> (index: Int, clock: SensorLogGroup.Clock)? {
    if let index = index(sensor + "Timestamp_since1970") { return (index, .since1970) }
    return index(sensor + "Timestamp_sinceReboot").map { ($0, .sinceReboot) }
  }
}

/// The columns of one sensor, and the column of its times.
struct SensorLogGroup {
  enum Clock {
    case sinceReboot, since1970

    /// Whether its times can be converted to the trace's axis.
    func isKnown(_ clock: SensorLogClock) -> Bool { self == .sinceReboot || clock.isWallKnown }
  }

  var table: SensorTable
  var time: Int
  var clock: Clock
}

/// The records of one group, while they are read.
struct SensorLogRows {
  private let group: SensorLogGroup
  private var rows: SensorRows
  /// The time of the group's last reading, as written.
  private var last: [UInt8] = []

  init(
    _ group: SensorLogGroup, header scanner: borrowing DelimitedScanner,
    in recording: inout AppRecording
  ) throws(TraceError) {
    self.group = group
    rows = try SensorRows(group.table, header: scanner, in: &recording)
  }

  mutating func read(
    _ scanner: borrowing DelimitedScanner, _ clock: SensorLogClock,
    into recording: inout AppRecording
  ) throws(TraceError) {
    if scanner.holds(group.time, last) { return }
    let time = scanner.bytes(group.time)
    // The sensor has no reading yet.
    if SensorLogRows.isNothing(time) { return }
    last = time
    try rows.read(
      scanner, into: &recording,
      time: { group.clock == .sinceReboot ? clock.wall(sinceReboot: $0) : $0 })
  }

  /// Whether a cell is empty, zero, `null` or `nan`.
  private static func isNothing(_ cell: [UInt8]) -> Bool {
    if cell.isEmpty || cell == Array("null".utf8) || cell == Array("nan".utf8) { return true }
    return DecimalNumber(cell.span, 0..<cell.count)?.digits == 0
  }
}

/// The conversion of times since the phone's start to the wall clock.
///
/// Each row has the wall time at which it was logged, which is never before its sensors' times. The
/// smallest difference over the first rows is used as the offset of the clocks; its error is the
/// shortest delay between a reading and its row.
struct SensorLogClock {
  /// Nanoseconds from the start of the phone's clock to 1970; nil = not known.
  private var offset: Int64?
  private var rows = 0
  private var spread: Int64 = 0
  private var lacksZone = false
  /// A time of logging that could not be read.
  private var unread: String?
  private let hasReboot: Bool
  private static let mostRows = 1000

  init(
    _ files: RecordingFiles, _ entry: RecordingFiles.Entry, _ columns: SensorLogColumns
  ) throws(TraceError) {
    let reboot = ["accelerometer", "motion", "gyro", "altimeter"].compactMap {
      columns.index($0 + "Timestamp_sinceReboot")
    }
    hasReboot = !reboot.isEmpty
    guard hasReboot, let logging = columns.index(SensorLogColumns.loggingTime) else { return }
    let head = try files.head(of: entry)
    // Faults are reported when the row is read again.
    guard
      var scanner = try? DelimitedScanner(
        ByteSource(bytes: head, name: entry.place), separator: nil),
      (try? scanner.next()) == true
    else { return }
    while rows < Self.mostRows, (try? scanner.next()) == true {
      // The last record of a head may be cut.
      let isWhole = scanner.source.position < scanner.source.end
      guard isWhole || head.count < RecordingFiles.headSize, scanner.fault == nil else { break }
      add(scanner, logging, reboot)
    }
  }

  private mutating func add(
    _ scanner: borrowing DelimitedScanner, _ logging: Int, _ reboot: [Int]
  ) {
    guard scanner.cells.indices.contains(logging) else { return }
    guard let wall = SensorLogClock.wallTime(scanner.bytes(logging)) else {
      unread = unread ?? scanner.text(logging)
      return
    }
    var newest: Int64?
    for column in reboot where scanner.cells.indices.contains(column) {
      guard let number = scanner.decimal(column), number.digits != 0,
        let time = number.scaled(byPowerOfTen: 9)
      else { continue }
      newest = max(newest ?? time, time)
    }
    guard let newest else { return }
    let difference = wall.nanoseconds.subtractingClamped(newest)
    rows += 1
    lacksZone = lacksZone || !wall.hasZone
    spread = max(spread, difference.subtractingClamped(offset ?? difference))
    if let offset, difference < offset {
      spread = spread.addingClamped(offset.subtractingClamped(difference))
    }
    offset = min(offset ?? difference, difference)
  }

  /// `2017-06-23 15:42:42.144 +0200` has a space that ISO 8601 does not allow.
  private static func wallTime(_ bytes: [UInt8]) -> CivilTime? {
    var bytes = bytes
    let sign = bytes.lastIndex { $0 == 0x2B || $0 == 0x2D } ?? 0
    if sign > 0, bytes[sign - 1] == .space { bytes.remove(at: sign - 1) }
    return CivilTime(bytes.span, 0..<bytes.count)
  }

  /// Whether wall times can be converted to the trace's axis: it counts from 1970 if the offset of
  /// the clocks is known or there is no other clock.
  var isWallKnown: Bool { offset != nil || !hasReboot }

  /// Whether times since the phone's start can be converted to the wall clock.
  var isMapped: Bool { offset != nil }

  func isAbsolute(_ groups: [SensorLogGroup]) -> Bool {
    offset != nil || groups.allSatisfy { $0.clock == .since1970 }
  }

  func wall(sinceReboot time: Int64) -> Int64 { time.addingClamped(offset ?? 0) }

  func notes(_ clocks: [SensorLogGroup.Clock]) -> [String] {
    guard clocks.contains(.sinceReboot) else { return [] }
    guard let offset else {
      let why =
        unread.map { "loggingTime \(Excerpt.of($0)) is not an ISO 8601 date and time" }
        ?? "there is no loggingTime"
      return [
        "Times count from the phone's start: \(why), so the wall clock is unknown. Positions, whose "
          + "times count from 1970, are left out."
      ]
    }
    var notes = [
      "Times since the phone's start are converted to the wall clock with loggingTime: "
        + "\(decimalSeconds(offset)) s are added, the smallest difference over the first \(rows) "
        + "rows, which vary by \(decimalSeconds(spread)) s."
    ]
    if lacksZone { notes.append("Dates without a zone are read as UTC.") }
    return notes
  }
}
