import Testing
import TraceModel

@testable import TraceFormats

@Suite struct GPSLoggerReaderTests {
  /// The columns of three generations of the app, each of which added some at the end.
  static let headers = [
    "time,lat,lon,elevation,accuracy,bearing,speed",
    "time,lat,lon,elevation,accuracy,bearing,speed,satellites,provider,hdop,vdop,pdop,geoidheight,"
      + "ageofdgpsdata,dgpsid,activity,battery,annotation",
    "time,lat,lon,elevation,accuracy,bearing,speed,satellites,provider,hdop,vdop,pdop,geoidheight,"
      + "ageofdgpsdata,dgpsid,activity,battery,annotation,timestamp_ms,time_offset,distance,"
      + "starttimestamp_ms,profile_name,battery_charging",
  ]
  private static let rows = [
    ["2022-05-01T10:00:00.000Z", "46.5", "13.5", "512.25", "4.5", "90.5", "1.25"],
    ["2022-05-01T10:00:01.500Z", "46.50001", "13.50002", "", "20", "", ""],
  ]
  private static let rests = [
    [[], []],
    [
      ["7", "gps", "0.9", "", "", "47.1", "", "", "", "88", ""],
      ["0", "network", "", "", "", "", "", "", "STILL", "88", "\"at the \"\"gate\"\"\""],
    ],
    [
      [
        "7", "gps", "0.9", "", "", "47.1", "", "", "", "88", "", "1651399200000",
        "2022-05-01T12:00:00.000+02:00", "0", "1651399200000", "Default Profile", "false",
      ],
      [
        "0", "network", "", "", "", "", "", "", "", "87", "turn, left?", "1651399201500",
        "2022-05-01T12:00:01.500+02:00", "2.1", "1651399200000", "Default Profile", "false",
      ],
    ],
  ]

  private static func text(_ version: Int, separator: String = ",") -> String {
    let rows = zip(Self.rows, rests[version]).map { row, rest in
      (row + rest).map { $0.contains(",") ? "\"\($0)\"" : $0 }.joined(separator: separator)
    }
    let header = headers[version].replacing(",", with: separator)
    return ([header] + rows).joined(separator: "\n") + "\n"
  }

  private func read(
    _ text: String, _ change: (inout RecordingOptions) -> Void = { _ in }
  ) throws(TraceError) -> ImportedTrace {
    var options = RecordingOptions()
    change(&options)
    return try GPSLoggerReader.read(source(text, name: "20220501.csv", chunk: 7), options: options)
  }

  /// A spreadsheet puts names and texts in quotes.
  @Test func quotedNamesAreKnown() throws {
    let quoted = Self.headers[0].split(separator: ",").map { "\"\($0)\"" }.joined(separator: ",")
    let text = Self.text(0).replacing(Self.headers[0], with: quoted)
    #expect(GPSLoggerReader.recognise(Array(text.utf8)) != nil)
    #expect(try read(text).report.samples == 2)
  }

  @Test(arguments: 0...2)
  func everyGenerationIsRead(version: Int) throws {
    let imported = try read(Self.text(version))
    let trace = try imported.trace
    guard case .fix(let fixes) = trace[.location] else {
      Issue.record("no location")
      return
    }
    #expect(fixes.measuredTimes == [0, 1_500_000_000])
    #expect(imported.header.epoch == "2022-05-01T10:00:00Z" && imported.header.id == "20220501")
    let fix = fixes[0]
    #expect(fix.latitude == 46.5 && fix.longitude == 13.5 && fix.altitude == 512.25)
    #expect(fix.horizontalAccuracy == 4.5 && fix.course == 90.5 && fix.speed == 1.25)
    #expect(fixes[1].altitude.isNaN && fixes[1].course.isNaN && fixes[1].speed.isNaN)
    let names = Self.headers[version].split(separator: ",").map(String.init)
    #expect(imported.report.unmappedColumns == Array(names.dropFirst(7)))
    #expect(imported.report.losses.count == 0)
  }

  @Test func providersAndAnnotationsAreReported() throws {
    let imported = try read(Self.text(2))
    #expect(imported.report.notes.last == "Fixes by provider: gps 1, network 1.")
    #expect(
      imported.report.findings == [
        Finding(
          "annotation", .note, place: "20220501.csv:3",
          start: TraceInstant(nanoseconds: 1_500_000_000),
          message: "The person wrote \"turn, left?\".")
      ])
    #expect(
      try read(Self.text(1)).report.findings.map(\.message) == [
        "The person wrote \"at the \"gate\"\"."
      ])
    #expect(try read(Self.text(0)).report.notes.map { $0.prefix(10) } == ["Elevations"])
    let bare = "time,lat,lon\n2022-05-01T10:00:00Z,46.5,13.5\n"
    #expect(try read(bare).report.notes.isEmpty)
  }

  @Test func theSeparatorIsASetting() throws {
    let text = Self.text(1, separator: ";").replacing("46.50001", with: "46,50001")
    let imported = try read(text)
    #expect(imported.report.samples == 2)
    guard case .fix(let fixes)? = try imported.trace[.location] else { return }
    #expect(fixes.values.last?.latitude == 46.50001)
  }

  /// After an update the app goes on in the day's file, with more cells than its header has.
  @Test func rowsOfANewerVersionAreCounted() throws {
    let newer = Self.text(2).split(separator: "\n")[2]
    let imported = try read(Self.text(1) + newer + "\n")
    #expect(imported.report.samples == 2 && imported.report.losses.count == 1)
    #expect(
      imported.report.losses.first.first?.description
        == "20220501.csv:4: expected 18 cells, found 24; check the separators in the line")
    #expect(
      message { _ = try read(Self.text(1) + newer) { $0.strict = true } }?.contains("24") == true)
  }

  @Test func anotherTableIsRefused() {
    #expect(
      message { _ = try read("t,x,y\n1,2,3\n") }
        == "20220501.csv:1: expected the columns time, lat and lon of GPSLogger, found \"t,x,y\"; "
        + "read another CSV with --from csv and --map")
    #expect(message { _ = try read("") }?.contains("found \"\"") == true)
    #expect(
      message { _ = try read("time,lat,lon\nyesterday,1,2\n") { $0.strict = true } }
        == "20220501.csv:2: expected an ISO 8601 date and time in column \"time\", found "
        + "\"yesterday\"")
  }

  @Test func theFormatIsKnownByItsHeader() {
    func reason(_ text: String) -> String? { GPSLoggerReader.recognise(Array(text.utf8)) }
    for version in 0...2 {
      #expect(
        reason(Self.text(version))
          == "a header line that begins with time, lat, lon, elevation")
    }
    #expect(reason("\u{FEFF}" + Self.text(1, separator: ";")) != nil)
    #expect(
      reason("time,lat,lon\n") == nil && reason("time,lat,lon,elevation,accuracy,bear") == nil)
    #expect(reason("") == nil)
  }
}
