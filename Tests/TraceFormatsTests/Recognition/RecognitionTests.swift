import Foundation
import PackedFiles
import Testing
import TraceModel

@testable import TraceFormats

@Suite struct RecognitionTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var text: String
    var format: RecordingFormat
    var reason: String
    var testDescription: String { name }
  }

  static let gpx = """
    <?xml version="1.0"?>
    <gpx version="1.1"><trk><trkseg>
    <trkpt lat="46.5" lon="13.5"><time>2022-05-01T12:00:00Z</time></trkpt>
    </trkseg></trk></gpx>
    """
  static let phyphox = "\"Time (s)\",\"X (rad/s)\",\"Y (rad/s)\",\"Z (rad/s)\"\n0,1,2,3\n"
  static let sensorLogger = "time,seconds_elapsed,z,y,x\n1700000000000000000,0,3,2,1\n"
  static let sensorLog =
    "loggingSample,accelerometerTimestamp_sinceReboot,accelerometerAccelerationX,"
    + "accelerometerAccelerationY,accelerometerAccelerationZ\n1,5.5,0,0,-1\n"

  /// A folder that holds one export has its recording, with the name of the export.
  @Test func anExportAloneInAFolderKeepsItsName() throws {
    let folder = try RecordingFolder()
    let path = try folder.write(
      [("a/lab/Gyroscope.csv", Self.phyphox), ("a/lab/meta/time.csv", "event,experiment time\n")],
      in: "recordings")
    for spelling in [path, path + "/", path + "/a/lab"] {
      let list = try RecordingList([spelling], as: nil, isMapped: false)
      #expect(list.paths == [path + "/a/lab"])
    }
  }

  @Test func namesThatLookAlikeDifferInMessages() throws {
    var list = try RecordingList([], as: nil, isMapped: true)
    list.paths = ["r/Z\u{FC}rich.csv", "r/Zu\u{308}rich.csv"]
    let error = #expect(throws: (any Error).self) { try list.names() }
    #expect(
      error.map { "\($0)" }?.hasPrefix("r/Z\\u{fc}rich.csv and r/Zu\\u{308}rich.csv: ") == true)
  }

  /// Recognition uses the content, not the name.
  static let cases = [
    Case(name: "a", text: gpx, format: .gpx, reason: "GPX file: the element gpx"),
    Case(
      name: "b.txt", text: "\u{FEFF}\n  " + gpx, format: .gpx, reason: "GPX file: the element gpx"),
    Case(
      name: "c.csv", text: NMEAReaderTests.documented.joined(separator: "\r\n"), format: .nmea,
      reason: "NMEA 0183 file: sentences with right checksums at its start (2)"),
    Case(
      name: "20220501.csv", text: GPSLoggerReaderTests.headers[1] + "\n", format: .gpsLogger,
      reason: "GPSLogger file: a header line that begins with time, lat, lon, elevation"),
    Case(
      name: "Gyroscope.csv", text: phyphox, format: .phyphox,
      reason: "phyphox file: \"Time (s)\" in Gyroscope.csv"),
    Case(
      name: "Gyroscope.csv", text: sensorLogger, format: .sensorLogger,
      reason: "Sensor Logger file: \"time\" and \"seconds_elapsed\" in Gyroscope.csv"),
    Case(
      name: "stream.csv", text: sensorLog, format: .sensorLog,
      reason: "SensorLog file: the column \"accelerometerTimestamp_sinceReboot\" in stream.csv"),
    Case(
      name: "x.gpx", text: "t;ax;ay;az\n0;1;2;3\n", format: .csv,
      reason: "plain CSV file: a table of 4 columns of no known app"),
    Case(
      name: "a.tsv", text: "filename\tonset\toffset\tevent_label\n", format: .labels,
      reason: "label file: the columns onset and offset"),
    Case(
      name: "a.txt", text: "0.5\t1.5\tjab\n", format: .labels,
      reason: "label file: two times separated by a tab"),
  ]

  @Test(arguments: cases)
  func recognisesAFileByItsContent(example: Case) throws {
    let folder = try RecordingFolder()
    let found = try RecordingReader.recognise(folder.write(example.text, to: example.name))
    #expect(found == FormatRecognition(format: example.format, reason: example.reason))
  }

  /// The same wrapped.
  @Test(arguments: cases)
  func wrappingChangesNothing(example: Case) throws {
    guard example.name.hasSuffix(".csv") || example.format == .gpx else { return }
    let folder = try RecordingFolder()
    let bytes = Array(example.text.utf8)
    let paths = try [
      folder.write(Gzip.member(bytes), to: "packed/\(example.name)"),
      folder.write(Zip([(name: "x/" + example.name, content: bytes)]).bytes, to: "a.zip"),
      folder.write([(example.name, example.text)], in: "folder"),
    ]
    for path in paths {
      #expect(try RecordingReader.recognise(path).format == example.format)
      #expect(try RecordingReader.read(path).traces.count == 1)
    }
  }

  @Test func nativeTracesAreRead() throws {
    let folder = try RecordingFolder()
    let path = folder.path("a")
    try NativeTrace.write(.sampler, to: path)
    let recording = try RecordingReader.read(path)
    #expect(recording.recognition.reason == "native trace file: the signature of HDF5")
    let (trace, original) = (try recording.traces[0].trace, try NativeTrace.read(path))
    #expect("\(trace.header)" == "\(original.header)")
    for info in trace.header.channels {
      // As text, in which NaN equals NaN.
      #expect("\(trace[info.channel] as Any)" == "\(original[info.channel] as Any)")
    }
    var options = RecordingOptions()
    options.id = "other"
    #expect(try RecordingReader.read(path, options: options).traces[0].header.id == "other")
  }

  @Test func aMappingMakesItAPlainTable() throws {
    let folder = try RecordingFolder()
    let path = try folder.write(Self.phyphox, to: "Gyroscope.csv")
    var options = RecordingOptions()
    options.csv = try CSVOptions(
      mapping: CSVMapping(parsing: #"time=#1,x="X (rad/s)"[rad/s],y=#3[rad/s],z=#4[rad/s]"#))
    let recording = try RecordingReader.read(path, options: options)
    #expect(recording.recognition.reason == "plain CSV file: a mapping is given")
    #expect(recording.traces[0].header.id == "Gyroscope")
    options.format = .phyphox
    #expect(
      try RecordingReader.read(path, options: options).recognition.reason
        == "phyphox file: the format is stated")
  }

  /// The messages for users.
  static let messages: [(files: [(String, String)], format: RecordingFormat?, message: String)] = [
    (
      [("a.csv", "epoch (ms),X-Axis (g),Y-Axis (g),Z-Axis (g)\n1572985387000,0,0,1\n")], nil,
      "a.csv: expected columns with one possible meaning, found \"X-Axis (g)\", \"Y-Axis (g)\", "
        + "\"Z-Axis (g)\" in g with too few values (1), which leaves gravity open; pass --map "
        + "'time=epoch (ms)[ms],x=X-Axis (g)[g],y=Y-Axis (g)[g],z=Z-Axis (g)[g]' --epoch unix "
        + "--gravity included|removed, corrected where it is wrong"
    ),
    (
      [("a.csv", "who,timestamp,latitude,longitude,ele\n1,8.6.2024 07:00,52,5,3\n")], nil,
      "a.csv: expected columns with one possible meaning, found times such as \"8.6.2024 07:00\", "
        + "which are not ISO 8601 (YYYY-MM-DD hh:mm:ss); write the times in that form, then pass "
        + "--map 'time=timestamp[iso],latitude=latitude,longitude=longitude,altitude=ele', "
        + "corrected where it is wrong"
    ),
    (
      [("a.csv", "alpha,beta\n1,2\n")], nil,
      "a.csv: expected columns with one possible meaning, found the columns \"alpha\", \"beta\"; "
        + "pass --map 'time=column[unit],x=column,y=column,z=column'"
    ),
    (
      [("a.tsv", "onset\tevent_label\n1\tjab\n")], nil,
      "a.tsv: expected a recording, found a label file; pass the recording, and this file with "
        + "--reference"
    ),
    (
      [("a.json", "[{\"sensor\":\"Accelerometer\",\"seconds_elapsed\":\"0.1\"}]")], nil,
      "a.json: expected a recording of a known format, found a recording of Sensor Logger in JSON; "
        + "export zipped CSV from the app instead"
    ),
    (
      [("a.json", "{\"x\":1}")], nil,
      "a.json: expected a recording of a known format, found JSON; export CSV (sensors) or GPX "
        + "(positions) from the app instead"
    ),
    (
      [("a.json", "{\"locations\":[{\"latitudeE7\":520000000}]}")], nil,
      "a.json: expected a recording of a known format, found a location history in JSON; export each "
        + "track as GPX or FIT instead"
    ),
    (
      [("a.geojson", "{\"type\":\"FeatureCollection\",\"features\":[]}")], nil,
      "a.geojson: expected a recording of a known format, found GeoJSON; export the track as GPX "
        + "instead"
    ),
    (
      [("a.xls", "\u{D0}\u{CF}\u{11}\u{E0}")], nil,
      "a.xls: expected a recording of a known format, found an Excel workbook; export the recording as "
        + "CSV instead"
    ),
    (
      [("a.db", "SQLite format 3\u{0}")], nil,
      "a.db: expected a recording of a known format, found a SQLite database; export the recording as "
        + "CSV instead"
    ),
    (
      [("a.txt", "")], nil,
      "a.txt: expected a recording of a known format, found an empty file; state the format with "
        + "--from"
    ),
    (
      [("a.txt", "Hello.\nSir")], nil,
      "a.txt: expected a recording of a known format, found a file that begins with \"Hello.\"; "
        + "state the format with --from"
    ),
    (
      [("a.fit", "\u{1}\u{2}.FIT")], nil,
      "a.fit: expected a recording of a known format, found binary data; state the format with "
        + "--from"
    ),
    (
      [("a.csv", "\u{FF}\u{FE}t\u{0},\u{0}x\u{0}\n\u{0}1\u{0},\u{0}2\u{0}")], nil,
      "a.csv: expected a recording of a known format, found UTF-16 text; convert it with iconv -f "
        + "UTF-16 -t UTF-8"
    ),
    (
      [("Accelerations.csv", "time,seconds_elapsed,z,y,x\n1,2,3,4,5\n")], nil,
      "Accelerations.csv: expected Accelerometer.csv, TotalAcceleration.csv, Gyroscope.csv, "
        + "Barometer.csv, Location.csv or WristMotion.csv of Sensor Logger, found "
        + "Accelerations.csv; keep the app's file names, or map the columns: --from csv --map "
        + "'time=time[ns],x=x,…'"
    ),
    (
      [("Raw Data.csv", "\"Time (s)\",\"X (m/s^2)\",\"Y (m/s^2)\",\"Z (m/s^2)\"\n0,1,2,3\n")], nil,
      "Raw Data.csv: expected a file name or header that states whether gravity is included, "
        + "found Raw Data.csv with \"X (m/s^2)\"; name it Accelerometer.csv (with gravity) or "
        + "Linear Acceleration.csv (without)"
    ),
    (
      [("Light.csv", "\"Time (s)\",\"Illuminance (lx)\"\n0,1\n")], nil,
      "Light.csv: expected a file with accelerations, rotation rates, pressures or positions of "
        + "phyphox, found Light.csv; export the recording's raw data as CSV"
    ),
    (
      [("a.csv", "loggingTime,pedometerTimestamp_sinceReboot\n1,2\n")], nil,
      "a.csv:1: expected columns of accelerometer, motion, gyro, location or altimeter with their "
        + "times, found \"loggingTime\", \"pedometerTimestamp_sinceReboot\"; switch the sensors "
        + "on, and log the times both as text and as numbers"
    ),
    (
      [("Gyroscope.csv", "x,y,z\n1,2,3\n")], .sensorLogger,
      "Gyroscope.csv:1: expected a column \"time\" (nanoseconds from 1970), found none; export the "
        + "recording again as zipped CSV"
    ),
    (
      [("Gyroscope.csv", "time,seconds_elapsed,x,y\n1,2,3,4\n")], nil,
      "Gyroscope.csv:1: expected columns for x, y and z of rotation_rate, found \"time\", "
        + "\"seconds_elapsed\", \"x\", \"y\"; export the recording again, or map its columns with "
        + "--from csv --map"
    ),
    (
      [("Gyroscope.csv", phyphox), ("meta/time.csv", "\"event\",\"experiment time\"\n")], nil,
      "folder/meta/time.csv:1: expected the columns event, experiment time and system time, found no "
        + "system time; export the recording again"
    ),
    (
      [("a/x.csv", "1\n"), ("b/x.csv", "1\n")], nil,
      "folder: expected the files of one recording, found 2 files: a/x.csv, b/x.csv; pass the "
        + "folder or archive of one recording, or one of its files"
    ),
    (
      [("a.gpx", gpx), ("b.gpx", gpx)], .gpx,
      "folder: expected one file, found 2: a.gpx, b.gpx; pass one of the files"
    ),
    (
      [], nil,
      "folder: expected the files of one recording, found an empty folder; pass the folder or "
        + "archive of one recording, or one of its files"
    ),
  ]

  @Test(arguments: messages.indices)
  func messagesAreForPeople(index: Int) throws {
    let (files, format, expected) = Self.messages[index]
    let folder = try RecordingFolder()
    let path: String
    if files.count == 1 {
      // Latin-1, so that bytes can be written beyond what UTF-8 allows.
      let bytes = files[0].1.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
      path = try folder.write(bytes, to: files[0].0)
    } else {
      path = try folder.write(files, in: "folder")
    }
    var options = RecordingOptions()
    options.format = format
    #expect(folder.message { _ = try RecordingReader.read(path, options: options) } == expected)
  }

  @Test func whatIsPackedTwiceIsReported() throws {
    let folder = try RecordingFolder()
    let bytes = Gzip.member(Gzip.member(Array(Self.sensorLogger.utf8)))
    let path = try folder.write(bytes, to: "Gyroscope.csv.gz")
    #expect(
      folder.message { _ = try RecordingReader.read(path) }
        == "Gyroscope.csv.gz: expected a recording of a known format, found gzip data within gzip "
        + "data; unpack it with gunzip")
  }

  /// An app that was stopped leaves zeros at the end of its file: one damaged record.
  @Test func zerosAtTheEndHideNothing() throws {
    let folder = try RecordingFolder()
    let path = try folder.write(Self.sensorLogger + "\u{0}\u{0}\u{0}", to: "Gyroscope.csv")
    let recording = try RecordingReader.read(path)
    #expect(recording.recognition.format == .sensorLogger)
    #expect(recording.traces[0].report.samples == 1)
    #expect(recording.traces[0].report.losses.count == 1)
  }

  @Test func packedNativeTracesAreRefused() throws {
    let folder = try RecordingFolder()
    try NativeTrace.write(.sampler, to: folder.path("a.h5"))
    let bytes = try [UInt8](Data(contentsOf: URL(filePath: folder.path("a.h5"))))
    let path = try folder.write(Zip([(name: "a.h5", content: bytes)]).bytes, to: "a.zip")
    #expect(
      folder.message { _ = try RecordingReader.read(path) }
        == "a.zip/a.h5: expected an unpacked native trace, found a packed one; unpack it: HDF5 "
        + "has its own compression and needs random access")
  }

  @Test func excelWorkbooksAreRefused() throws {
    let folder = try RecordingFolder()
    let zip = Zip([("[Content_Types].xml", "x"), ("xl/workbook.xml", "x")])
    let path = try folder.write(zip.bytes, to: "a.xlsx")
    #expect(
      folder.message { _ = try RecordingReader.read(path) }
        == "a.xlsx: expected the files of one recording, found an Excel workbook; export the "
        + "recording as CSV instead")
  }
}
