import PackedFiles
import Testing
import TraceModel

@testable import TraceFormats

/// Tables as SensorLog writes them, written by hand: the columns of its versions with a unit behind
/// each name, and of older ones without.
@Suite struct SensorLogTests {
  static let header = [
    "loggingTime(txt)", "locationTimestamp_since1970(s)", "locationLatitude(WGS84)",
    "locationLongitude(WGS84)", "locationAltitude(m)", "locationSpeed(m/s)",
    "locationSpeedAccuracy(m/s)", "locationCourse(°)", "locationHorizontalAccuracy(m)",
    "accelerometerTimestamp_sinceReboot(s)", "accelerometerAccelerationX(G)",
    "accelerometerAccelerationY(G)", "accelerometerAccelerationZ(G)",
    "motionTimestamp_sinceReboot(s)", "motionYaw(rad)", "motionRotationRateX(rad/s)",
    "motionRotationRateY(rad/s)", "motionRotationRateZ(rad/s)", "motionUserAccelerationX(G)",
    "motionUserAccelerationY(G)", "motionUserAccelerationZ(G)",
    "altimeterTimestamp_sinceReboot(s)", "altimeterPressure(kPa)",
  ]

  /// Three rows: the accelerometer is new in each, motion in the first and the third, the position
  /// from the second on, the altimeter never.
  static func rows(_ times: [String]) -> [String] {
    [
      "\(times[0]),0,0,0,0,0,-1,0,-1,62608.25,1,0.5,-1,62608.24,0.1,1,2,3,0.5,0,0,0,0",
      "\(times[1]),1724329927.5,48.5,2.25,35,-1,-1,-1,4.5,62608.27,1,0.5,-1,62608.24,0.1,1,2,3,0.5,0,0,0,0",
      "\(times[2]),1724329927.5,48.5,2.25,35,-1,-1,-1,4.5,62608.29,2,0.5,-1,62608.28,0.1,4,5,6,1,0,null,0,0",
    ]
  }

  static let times = [
    "2024-08-22T14:32:07.300+02:00", "2024-08-22T14:32:07.310+02:00",
    "2024-08-22T14:32:07.350+02:00",
  ]

  private func read(
    _ header: [String], _ rows: [String], _ change: (inout RecordingOptions) -> Void = { _ in }
  ) throws -> Recording {
    let folder = try RecordingFolder()
    let text = ([header.joined(separator: ",")] + rows).joined(separator: "\n")
    var options = RecordingOptions()
    change(&options)
    return try RecordingReader.read(folder.write(text, to: "watch.csv"), options: options)
  }

  /// Whatever follows the names, and however the date is written.
  @Test(arguments: [true, false], [true, false])
  func readsEachGroupByItsOwnTime(hasUnits: Bool, hasBlank: Bool) throws {
    let header = hasUnits ? Self.header : Self.header.map { String($0.prefix { $0 != "(" }) }
    let times =
      hasBlank
      ? Self.times.map {
        $0.replacing("T", with: " ").replacing("+02:00", with: " +0200")
      } : Self.times
    let recording = try read(header, Self.rows(times))
    #expect(
      recording.recognition.reason
        == "SensorLog file: the column \"locationTimestamp_since1970\" in watch.csv")
    let imported = recording.traces[0]
    let trace = try imported.trace
    #expect(
      trace.header.channels.map { "\($0.channel.name) \($0.count)" } == [
        "acceleration 3", "user_acceleration 1", "rotation_rate 2", "pressure 0", "location 1",
      ])
    // The least difference is the second row's: 14:32:07.310 is 62608.27.
    #expect(trace.header.epoch == "2024-08-22T12:32:07.280Z")
    #expect(trace[.rotationRate]?.measuredTimes == [0, 40_000_000])
    #expect(trace[.acceleration]?.measuredTimes == [10_000_000, 30_000_000, 50_000_000])
    #expect(trace[.location]?.measuredTimes == [220_000_000])
    let gravity = Float(standardGravity)
    #expect(
      trace[.acceleration]?.value(at: 0)
        == .vector(Vector3(x: gravity, y: Float(0.5 * standardGravity), z: -gravity)))
    guard case .fix(let fix)? = trace[.location]?.value(at: 0) else {
      Issue.record("no position")
      return
    }
    #expect(fix.latitude == 48.5 && fix.horizontalAccuracy == 4.5 && fix.altitude == 35)
    #expect(fix.speed.isNaN && fix.course.isNaN)
    // A null in the user acceleration, and no reading of the altimeter.
    #expect(imported.report.missing == 1 && imported.report.losses.count == 0)
    #expect(imported.report.unmappedColumns == [hasUnits ? "motionYaw(rad)" : "motionYaw"])
    #expect(imported.report.findings.map(\.code) == ["ios-signs"])
    #expect(
      imported.report.notes.first
        == "Times since the phone's start are converted to the wall clock with loggingTime: "
        + "1724267319.04 s are added, the smallest difference over the first 3 rows, which vary by "
        + "0.02 s.")
  }

  @Test func signsAreNegatedWhereAsked() throws {
    let imported = try read(Self.header, Self.rows(Self.times)) { $0.signs = .android }.traces[0]
    guard case .vector(let columns)? = try imported.trace[.acceleration] else {
      Issue.record("no acceleration")
      return
    }
    #expect(columns.z[0] == Float(standardGravity) && columns.x[0] == -Float(standardGravity))
  }

  @Test func withoutAWallClockPositionsHaveNoPlace() throws {
    let header = ["loggingSample(N)"] + Self.header.dropFirst()
    let imported = try read(header, Self.rows(["1", "2", "3"])).traces[0]
    #expect(!imported.header.isEpochKnown && imported.header.info(.location) == nil)
    #expect(
      try imported.trace[.acceleration]?.measuredTimes == [10_000_000, 30_000_000, 50_000_000])
    #expect(imported.report.unmappedColumns.contains("locationLatitude(WGS84)"))
    #expect(
      imported.report.notes.first
        == "Times count from the phone's start: there is no loggingTime, so the wall clock is "
        + "unknown. Positions, whose times count from 1970, are left out.")
  }

  @Test func aLoggingTimeThatCannotBeReadIsReported() throws {
    let imported = try read(Self.header, Self.rows(["22.08.2024 14:32", "x", "y"])).traces[0]
    #expect(!imported.header.isEpochKnown)
    #expect(
      imported.report.notes.first
        == "Times count from the phone's start: loggingTime \"22.08.2024 14:32\" is not an ISO "
        + "8601 date and time, so the wall clock is unknown. Positions, whose times count from "
        + "1970, are left out.")
  }

  /// Which columns are logged is a setting: a sensor's time is enough.
  @Test func itIsRecognisedWithoutColumnsOfLogging() throws {
    let rows = Self.rows(Self.times).map {
      $0.split(separator: ",", omittingEmptySubsequences: false).dropFirst().joined(separator: ",")
    }
    let recording = try read(Array(Self.header.dropFirst()), rows)
    #expect(recording.recognition.format == .sensorLog)
    #expect(recording.traces[0].header.info(.acceleration)?.count == 3)
  }

  @Test func positionsAloneCountFrom1970() throws {
    let header = Array(Self.header.prefix(9))
    let rows = Self.rows(Self.times).map {
      $0.split(separator: ",").prefix(9).joined(separator: ",")
    }
    let imported = try read(header, rows).traces[0]
    #expect(imported.header.channels.map(\.count) == [1])
    #expect(imported.header.epoch == "2024-08-22T12:32:07.500Z" && imported.report.notes.count == 1)
  }

  @Test func damageIsCounted() throws {
    var rows = Self.rows(Self.times)
    rows[1] += ",1"
    rows[2] = rows[2].replacing("62608.29", with: "6260x.29")
    let imported = try read(Self.header, rows).traces[0]
    #expect(imported.report.losses.count == 2)
    #expect(imported.report.losses.first[1].found == "\"6260x.29\"")
  }
}
