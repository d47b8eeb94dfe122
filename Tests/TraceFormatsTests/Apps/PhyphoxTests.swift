import PackedFiles
import Testing
import TraceModel

@testable import TraceFormats

/// Recordings as phyphox 1.1 and 1.2 export them ("CSV (comma, decimal point)" and the four others),
/// written by hand.
@Suite struct PhyphoxTests {
  /// The app's five ways to write a table.
  struct Dialect: Sendable, CustomTestStringConvertible {
    var separator: String
    var decimal: String
    static let all = [
      Dialect(separator: ",", decimal: "."), Dialect(separator: "\t", decimal: "."),
      Dialect(separator: ";", decimal: "."), Dialect(separator: "\t", decimal: ","),
      Dialect(separator: ";", decimal: ","),
    ]
    var testDescription: String { "\(separator)\(decimal)" }

    /// A table whose cells are written with commas and points.
    func text(_ rows: [String]) -> String {
      rows.map { row in
        row.split(separator: ",").map { cell in
          cell.first == "\"" ? String(cell) : String(cell.replacing(".", with: decimal))
        }.joined(separator: separator) + "\n"
      }.joined()
    }
  }

  static let time = [
    #""event","experiment time","system time","system time text""#,
    #""START",0.000000000E0,1718966157.685,"2024-06-21 12:35:57.685 UTC+02:00""#,
    #""PAUSE",1.500000000E0,1718966159.185,"2024-06-21 12:35:59.185 UTC+02:00""#,
  ]
  static let device = [
    #""property","value""#, #""version","1.2.0""#, #""deviceModel","Pixel 8""#,
    #""deviceBrand","google""#, #""deviceRelease","14""#,
  ]
  static let accelerations = [
    "-2.500000000E-3,1.250000000E-1,-2.500000000E-1,9.750000000E0",
    "1.750000000E-2,1.500000000E0,NaN,3.000000000E0", "3.750000000E-2,1.5E0,2.5E0,3.5E0",
  ]

  static func android(_ dialect: Dialect) -> [(String, String)] {
    let header = ["x", "y", "z"].map { "\"Linear Acceleration \($0) (m/s^2)\"" }
    return [
      (
        "Linear Acceleration.csv",
        dialect.text([([#""Time (s)""#] + header).joined(separator: ",")] + accelerations)
      ), ("meta/time.csv", dialect.text(time)), ("meta/device.csv", dialect.text(device)),
    ]
  }

  @Test(arguments: Dialect.all)
  func readsEachDialect(dialect: Dialect) throws {
    let folder = try RecordingFolder()
    let path = try folder.write(Self.android(dialect), in: "cross")
    let recording = try RecordingReader.read(path)
    #expect(
      recording.recognition.reason
        == "phyphox folder: meta/time.csv, and \"Time (s)\" in Linear Acceleration.csv")
    let imported = recording.traces[0]
    let trace = try imported.trace
    guard case .vector(let columns)? = trace[.userAcceleration] else {
      Issue.record("no user acceleration")
      return
    }
    #expect(columns.measuredTimes == [0, 40_000_000])
    #expect(columns.x == [0.125, 1.5] && columns.y == [-0.25, 2.5] && columns.z == [9.75, 3.5])
    #expect(imported.report.missing == 1 && imported.report.losses.count == 0)
    #expect(imported.report.recordsRead == 3 && imported.report.samples == 2)
    #expect(trace.header.epoch == "2024-06-21T10:35:57.682500Z" && trace.header.isEpochKnown)
    #expect(imported.labelOrigin == -2_500_000)
    #expect(trace.header.device == "google Pixel 8, Android 14")
    #expect(trace.header.source == "cross, phyphox 1.2.0" && trace.header.id == "cross")
    #expect(imported.report.findings == [] && imported.report.notes == [])
  }

  /// Which channel a file is.
  @Test(arguments: [
    ("Accelerometer.csv", #""X (m/s^2)","Y (m/s^2)","Z (m/s^2)""#, Channel.acceleration),
    (
      "Accelerometer.csv",
      #""Acceleration x (m/s^2)","Acceleration y (m/s^2)","Acceleration z (m/s^2)""#, .acceleration
    ),
    ("Linear Accelerometer.csv", #""X (m/s^2)","Y (m/s^2)","Z (m/s^2)""#, .userAcceleration),
    (
      "Linear_Acceleration.csv",
      #""Linear Acceleration x (m/s^2)","Linear Acceleration y (m/s^2)","Linear Acceleration z (m/s^2)""#,
      .userAcceleration
    ),
    (
      "Raw Data.csv",
      #""Linear Acceleration x (m/s^2)","Linear Acceleration y (m/s^2)","Linear Acceleration z (m/s^2)","Absolute acceleration (m/s^2)""#,
      .userAcceleration
    ),
    (
      "Raw Data.csv",
      #""Acceleration x (m/s^2)","Acceleration y (m/s^2)","Acceleration z (m/s^2)","Absolute acceleration (m/s^2)""#,
      .acceleration
    ),
    ("Acceleration without g.csv", #""X (m/s²)","Y (m/s²)","Z (m/s²)""#, .userAcceleration),
    ("Gyroscope.csv", #""X (rad/s)","Y (rad/s)","Z (rad/s)""#, .rotationRate),
    (
      "Raw Data.csv",
      #""Gyroscope z (rad/s)","Gyroscope y (rad/s)","Gyroscope x (rad/s)","Absolute (rad/s)""#,
      .rotationRate
    ),
    ("Pressure.csv", #""Pressure (hPa)""#, .pressure), ("Pressure.csv", #""X (hPa)""#, .pressure),
    (
      "Location.csv",
      #""Latitude (°)","Longitude (°)","Height (m)","Velocity (m/s)","Direction (°)","Horizontal Accuracy (m)","Vertical Accuracy (m)""#,
      .location
    ),
  ])
  func statesTheChannel(name: String, columns: String, channel: Channel) throws {
    let folder = try RecordingFolder()
    let count = columns.split(separator: ",").count
    let text =
      "\"Time (s)\",\(columns)\n0.5" + (1...count).map { ",\($0).25" }.joined() + "\n"
    let imported = try RecordingReader.read(folder.write(text, to: name)).traces[0]
    #expect(imported.header.channels.map(\.channel) == [channel])
    let block = try #require(try imported.trace[channel])
    switch block.value(at: 0) {
    case .vector(let vector):
      let isTurned = columns.hasPrefix("\"Gyroscope z")
      #expect(vector == Vector3(x: isTurned ? 3.25 : 1.25, y: 2.25, z: isTurned ? 1.25 : 3.25))
    case .scalar(let scalar): #expect(scalar.value == 125)
    case .fix(let fix):
      #expect(fix.latitude == 1.25 && fix.longitude == 2.25 && fix.altitude == 3.25)
      #expect(fix.speed == 4.25 && fix.course == 5.25 && fix.horizontalAccuracy == 6.25)
    default: Issue.record("another kind of channel")
    }
    #expect(
      imported.report.unmappedColumns
        == (columns.contains("Absolute") || columns.contains("Vertical")
          ? ["\(name): " + columns.split(separator: ",")[count - 1].dropFirst().dropLast()] : []))
    #expect(!imported.header.isEpochKnown)
  }

  static let paused = [
    (
      "Gyroscope.csv",
      "\"Time (s)\",\"X (rad/s)\",\"Y (rad/s)\",\"Z (rad/s)\"\n"
        + (0..<6).map { "\($0).5,1,2,3\n" }.joined()
    ),
    (
      "meta/time.csv",
      """
      "event","experiment time","system time","system time text"
      "START",0.0,1000.0,""
      "PAUSE",2.0,1002.0,""
      "START",2.0,1029.5,""
      "PAUSE",4.0,1031.5,""
      "START",4.0,1032.0,""
      "PAUSE",6.0,1034.0,""

      """
    ),
  ]

  /// Each is a finding, and work for each reading.
  @Test func moreThanAThousandPausesAreRefused() throws {
    let folder = try RecordingFolder()
    let rows = (0..<1001).map { "\"START\",\($0),\($0),\n\"PAUSE\",\($0),\($0),\n" }.joined()
    let head = String(Self.paused[1].1.prefix { $0 != "\n" })
    let files = [Self.paused[0], (Self.paused[1].0, head + "\n" + rows)]
    let path = try folder.write(Zip(files).bytes, to: "a.zip")
    let error = #expect(throws: TraceError.self) { try RecordingReader.read(path) }
    #expect(error?.expected == "at most 1000 pauses", "\(error as Any)")
  }

  @Test func aPauseIsReportedAndKept() throws {
    let folder = try RecordingFolder()
    let imported = try RecordingReader.read(folder.write(Zip(Self.paused).bytes, to: "a.zip"))
      .traces[0]
    let block = try #require(try imported.trace[.rotationRate])
    #expect(block.measuredTimes == (0..<6).map { $0 * 1_000_000_000 })
    let place = folder.path("a.zip/meta/time.csv")
    #expect(
      imported.report.findings == [
        Finding(
          "hidden-pause", .warning, place: place, start: TraceInstant(nanoseconds: 1_500_000_000),
          end: TraceInstant(nanoseconds: 1_500_000_000),
          message: "The recording was paused for 27.5 s at 2 s of experiment time, which its "
            + "times do not show; --pauses insert moves later readings."),
        Finding(
          "hidden-pause", .warning, place: place, start: TraceInstant(nanoseconds: 3_500_000_000),
          end: TraceInstant(nanoseconds: 3_500_000_000),
          message: "The recording was paused for 0.5 s at 4 s of experiment time, which its times "
            + "do not show; --pauses insert moves later readings."),
      ])
    #expect(imported.header.epoch == "1970-01-01T00:16:40.500Z")
  }

  @Test func aPauseIsInserted() throws {
    let folder = try RecordingFolder()
    var options = RecordingOptions()
    options.pauses = .insert
    let imported = try RecordingReader.read(
      folder.write(Zip(Self.paused).bytes, to: "a.zip"), options: options
    ).traces[0]
    let block = try #require(try imported.trace[.rotationRate])
    #expect(
      block.measuredTimes.map { Double($0) / 1e9 } == [0, 1, 29.5, 30.5, 32, 33])
    #expect(
      imported.report.findings.map { [$0.start?.seconds, $0.end?.seconds] }
        == [[1.5, 29], [31, 31.5]])
    #expect(
      imported.report.notes == [
        "Pauses inserted: 2. Labels in experiment time are valid only before the first pause."
      ])
  }

  @Test func damageIsCountedAndReported() throws {
    let folder = try RecordingFolder()
    let files = [
      (
        "Gyroscope.csv",
        "\"Time (s)\",\"X (rad/s)\",\"Y (rad/s)\",\"Z (rad/s)\"\n0,1,2,3\n1,2\n2,1,b,3\n"
      ),
      ("meta/time.csv", "\"event\",\"experiment time\",\"system time\"\n\"START\",x,2\n"),
      ("Magnetometer.csv", "\"Time (s)\",\"X (µT)\",\"Y (µT)\",\"Z (µT)\"\n0,1,2,3\n"),
    ]
    let path = try folder.write(files, in: "a")
    let imported = try RecordingReader.read(path).traces[0]
    #expect(imported.report.samples == 1 && imported.report.losses.count == 3)
    #expect(imported.report.unmappedColumns == ["Magnetometer.csv"])
    let told = imported.report.losses.first.map {
      "\($0)".replacing(path + "/", with: "")
    }
    #expect(
      told == [
        "meta/time.csv:2: expected a time in seconds, found \"x\"",
        "Gyroscope.csv:3: expected 4 cells, found 2; check the separators in the line",
        "Gyroscope.csv:4: expected a number in column \"Y (rad/s)\", found \"b\"",
      ])
    var options = RecordingOptions()
    options.strict = true
    #expect(
      folder.message { _ = try RecordingReader.read(path, options: options) }
        == "a/meta/time.csv:2: expected a time in seconds, found \"x\"")
  }

  /// The experiment "Location (GPS)" has a column without a unit, and fills up short ones.
  @Test func readsTheLocationExperiment() throws {
    let folder = try RecordingFolder()
    let text = """
      "Time (s)","Latitude (°)","Longitude (°)","Height (m)","Speed (m/s)","Direction (°)",\
      "Distance (km)","Horizontal Accuracy (m)","Vertical Accuracy (m)","Satellites"
      0.000000000E0,5.050000000E1,8.500000000E0,1.000000000E2,-1.000000000E0,NaN,0.000000000E0,\
      5.000000000E0,NaN,1.200000000E1
      1.000000000E0,5.075000000E1,8.750000000E0,1.010000000E2,1.500000000E0,9.000000000E1,NaN,\
      4.000000000E0,NaN,1.200000000E1
      NaN,5.100000000E1,9.000000000E0,NaN,NaN,NaN,NaN,NaN,NaN,NaN

      """
    let recording = try RecordingReader.read(folder.write(text, to: "Raw Data.csv"))
    #expect(recording.recognition.format == .phyphox)
    let imported = recording.traces[0]
    guard case .fix(let fix)? = try imported.trace[.location]?.value(at: 1) else {
      Issue.record("no position")
      return
    }
    #expect(fix.latitude == 50.75 && fix.longitude == 8.75 && fix.altitude == 101)
    #expect(fix.horizontalAccuracy == 4 && fix.speed == 1.5 && fix.course == 90)
    #expect(fix.speedAccuracy.isNaN)
    #expect(imported.report.samples == 2 && imported.report.losses.count == 0)
    #expect(imported.report.missing == 1 && imported.report.recordsRead == 3)
    #expect(
      imported.report.unmappedColumns == [
        "Raw Data.csv: Distance (km)", "Raw Data.csv: Vertical Accuracy (m)",
        "Raw Data.csv: Satellites",
      ])
  }

  /// An experiment may put several sensors into one table, with one time or with one for each.
  @Test(arguments: [false, true])
  func readsEverySensorOfATable(hasTimes: Bool) throws {
    let folder = try RecordingFolder()
    let time = hasTimes ? "\"Time (s)\"," : ""
    func axes(_ sensor: String, _ unit: String) -> String {
      ["x", "y", "z"].map { "\"\(sensor) \($0) (\(unit))\"" }.joined(separator: ",")
    }
    let header =
      "\"Time (s)\",\(axes("Acceleration", "m/s^2")),\"Absolute acceleration (m/s^2)\",\(time)"
      + "\(axes("Gyroscope", "rad/s")),\(time)\"Pressure (hPa)\"\n"
    let (gyroscope, pressure) = hasTimes ? ("0.5,", "0.25,") : ("", "")
    let rows = [
      "0,1,2,9,9.5,\(gyroscope)0.1,0.2,0.3,\(pressure)1000\n",
      "1,1.5,2.5,9.5,10,\(hasTimes ? "NaN," : "")NaN,NaN,NaN,\(hasTimes ? "NaN," : "")NaN\n",
    ]
    let text = header + rows.joined()
    let imported = try RecordingReader.read(folder.write(text, to: "Raw Data.csv")).traces[0]
    let trace = try imported.trace
    #expect(
      trace.header.channels.map { "\($0.channel.name) \($0.count)" } == [
        "acceleration 2", "rotation_rate 1", "pressure 1",
      ])
    #expect(trace[.acceleration]?.value(at: 1) == .vector(Vector3(x: 1.5, y: 2.5, z: 9.5)))
    #expect(trace[.rotationRate]?.value(at: 0) == .vector(Vector3(x: 0.1, y: 0.2, z: 0.3)))
    #expect(trace[.rotationRate]?.measuredTimes == [hasTimes ? 500_000_000 : 0])
    #expect(trace[.pressure]?.measuredTimes == [hasTimes ? 250_000_000 : 0])
    #expect(imported.report.recordsRead == 2 && imported.report.samples == 4)
    #expect(imported.report.missing == 2 && imported.report.losses.count == 0)
    #expect(
      imported.report.unmappedColumns == ["Raw Data.csv: Absolute acceleration (m/s^2)"])
  }

  /// However many columns a header claims, recognising them takes no longer than reading them.
  @Test(arguments: [(PhyphoxTable.mostColumns, true), (PhyphoxTable.mostColumns + 1, false)])
  func columnsAreBounded(count: Int, isTable: Bool) throws {
    let names = ["Time (s)"] + (1..<count).map { _ in "Pressure (hPa)" }
    let folder = try RecordingFolder()
    let path = try folder.write(names.joined(separator: ",") + "\n", to: "a.csv")
    let files = try RecordingFiles(path: path)
    let header = try #require(try files.header(of: files.entries[0]))
    #expect(PhyphoxTable.isTable(files.entries[0], header) == isTable)
    #expect(try RecordingReader.recognise(path).format == (isTable ? .phyphox : .csv))
  }
}
