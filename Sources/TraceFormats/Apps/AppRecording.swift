import TraceModel

/// A trace under construction from the tables of an app.
struct AppRecording {
  var assembly = TraceAssembly()
  var report = ImportReport()
  /// The number of values that the source marks as invalid with a negative number, and that became
  /// NaN.
  private(set) var invalidValues = 0
  let isStrict: Bool

  init(strict: Bool) { isStrict = strict }

  /// Counts a damaged record.
  /// - Throws: the error if the reading is strict, or if it is not about a record, e.g. a full disk.
  mutating func lose(_ error: TraceError) throws(TraceError) {
    if isStrict || error.kind == .inputOutput { throw error }
    report.losses.add(error)
  }

  /// Reads all records of a file into the channels of its tables, at least one.
  ///
  /// - Parameter time: converts times of the file's clock to the trace's.
  mutating func read(
    _ tables: [SensorTable], of files: RecordingFiles,
    time: (Int64) -> Int64 = { $0 }
  ) throws(TraceError) {
    let first = tables[0]
    var scanner = try DelimitedScanner(files.open(first.entry), separator: first.separator)
    guard try scanner.next() else { return }
    var rows: [SensorRows] = []
    for table in tables { rows.append(try SensorRows(table, header: scanner, in: &self)) }
    report.unmappedColumns += SensorTable.unmapped(tables, scanner).map {
      "\(first.entry.name): \(shown($0))"
    }
    while try scanner.next() {
      report.recordsRead += 1
      do throws(TraceError) {
        for index in rows.indices { try rows[index].read(scanner, into: &self, time: time) }
      } catch {
        try lose(error)
      }
    }
  }

  /// Returns false if a required value is missing.
  fileprivate mutating func append(
    _ values: [Double], _ plan: CSVPlan.ChannelPlan, at time: Int64, to handle: TraceAssembly.Handle
  ) throws(TraceError) -> Bool {
    var values = values
    switch plan.channel {
    case .location:
      guard !values[0].isNaN, !values[1].isNaN else { return false }
      // A negative horizontal accuracy stays: it marks the position as invalid.
      for index in 4...6 { values[index] = valid(values[index]) }
    case .heading, .pressure:
      // Neither is ever negative.
      values = values.map { valid($0) }
    default: break
    }
    let times = RecordTimes(measured: time, arrived: time)
    return try assembly.append(times, values, plan, to: handle)
  }

  private mutating func valid(_ value: Double) -> Double {
    guard value < 0 else { return value }
    invalidValues += 1
    return .nan
  }

  /// Ends the recording: its notes, and the trace.
  ///
  /// - Parameter isAbsolute: whether the times count from 1970.
  consuming func finish(
    _ header: TraceHeader, _ options: RecordingOptions, isAbsolute: Bool
  ) throws(TraceError) -> ImportedTrace {
    if invalidValues > 0 {
      report.notes.append(
        "A negative speed, course, heading or accuracy marks an unknown value: "
          + "\(invalidValues) are left empty.")
    }
    let report = self.report
    return try assembly.finish(header, report: report, isAbsolute: isAbsolute, sort: options.sort)
  }
}

/// The columns of a file that become a channel.
struct SensorTable {
  var entry: RecordingFiles.Entry
  var separator: UInt8
  var channel: Channel
  /// With a mapping of columns by their number.
  let options: CSVOptions
  /// Positions of the columns that are read, from 0, that of the time first.
  let columns: [Int]
  /// Whether the signs of its axes are inverted.
  var isNegated = false

  /// - Parameters:
  ///   - time: the position of the column of times, from 0, and its unit.
  ///   - values: the positions of the columns of the channel's values, by the index of the value.
  ///   - unit: that of all values; nil = the default of each.
  init(
    _ entry: RecordingFiles.Entry, _ header: TableHeader, _ channel: Channel,
    time: (column: Int, unit: String), values: [(index: Int, column: Int)], unit: String?
  ) {
    (self.entry, self.channel) = (entry, channel)
    separator = header.separator
    columns = [time.column] + values.map(\.column)
    func mapped(_ target: CSVTarget, _ column: Int, _ unit: String?) -> CSVMapping.Entry {
      CSVMapping.Entry(target: target, column: "#\(column + 1)", unit: unit)
    }
    let entries =
      [mapped(.time, time.column, time.unit)]
      + values.map { mapped(.value($0.index, of: channel), $0.column, unit) }
    var options = CSVOptions(mapping: CSVMapping(entries: entries))
    options.nanIsMissing = true
    self.options = options
  }

  var isAcceleration: Bool { channel == .acceleration || channel == .userAcceleration }

  /// Returns the names of the columns that none of a file's tables uses.
  ///
  /// - Parameter header: a scanner at the header line.
  static func unmapped(_ tables: [SensorTable], _ header: borrowing DelimitedScanner) -> [String] {
    let taken = Set(tables.flatMap(\.columns))
    return header.cells.indices.filter { !taken.contains($0) }.map { header.text($0) }
  }
}

/// The records of one table, while they are read.
struct SensorRows {
  private let table: SensorTable
  private let handle: TraceAssembly.Handle
  private let plan: CSVPlan.ChannelPlan
  private var reader: RecordReader
  private var last: Int64?

  /// - Parameter header: a scanner at the header line.
  init(
    _ table: SensorTable, header scanner: borrowing DelimitedScanner,
    in recording: inout AppRecording
  ) throws(TraceError) {
    if let damage = RecordReader.damage(of: scanner, columnCount: nil) { throw damage }
    var plan = try SensorRows.plan(table, scanner.texts, place: scanner.place)
    if table.isNegated { plan.negate() }
    self.table = table
    self.plan = plan.channels[0]
    reader = RecordReader(plan: plan, options: table.options)
    handle = recording.assembly.open(table.channel)
  }

  private static func plan(
    _ table: SensorTable, _ names: [String], place: String
  ) throws(TraceError) -> CSVPlan {
    do throws(TraceError) {
      return try CSVPlan(header: names, options: table.options, place: place)
    } catch {
      // The mapping is built in, so a missing column is a fault of the file.
      let shownNames = names.prefix(12).map { Excerpt.of($0) }.joined(separator: ", ")
      throw TraceError(
        place: place, expected: "columns for \(error.expected)", found: shownNames,
        remedy: "export the recording again, or map its columns with --from csv --map")
    }
  }

  mutating func read(
    _ scanner: borrowing DelimitedScanner, into recording: inout AppRecording,
    time: (Int64) -> Int64
  ) throws(TraceError) {
    let instant = holdsNoTime(scanner) ? nil : time(try reader.read(scanner).measured)
    guard let instant, try recording.append(reader.values, plan, at: instant, to: handle) else {
      recording.report.missing += 1
      return
    }
    recording.report.samples += 1
    recording.report.count(instant, after: last)
    last = instant
  }

  private static let noTime = Array("NaN".utf8)

  /// Whether the time is NaN, with which phyphox pads shorter columns.
  private func holdsNoTime(_ scanner: borrowing DelimitedScanner) -> Bool {
    let column = table.columns[0]
    return scanner.fault == nil && scanner.cells.count == reader.columnCount
      && scanner.holds(column, SensorRows.noTime)
  }
}
