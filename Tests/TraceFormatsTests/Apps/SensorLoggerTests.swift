import PackedFiles
import Testing
import TraceModel

@testable import TraceFormats

/// Recordings as Sensor Logger exports them ("Zipped CSV"), written by hand from UNITS.md and
/// CROSSPLATFORM.md of github.com/tszheichoi/awesome-sensor-logger.
@Suite struct SensorLoggerTests {
  static let zero: Int64 = 1_700_000_000_000_000_000

  /// A table of three axes in the app's usual order of columns.
  static func axes(_ rows: [[Double]], step: Int64 = 10_000_000) -> String {
    "time,seconds_elapsed,z,y,x\n"
      + rows.enumerated().map { index, row in
        let time = zero + Int64(index) * step
        return "\(time),\(Double(index) / 100 - 0.005),\(row[2]),\(row[1]),\(row[0])\n"
      }.joined()
  }

  static func metadata(platform: String, standardisation: String) -> String {
    """
    version,device name,recording epoch time,recording time,recording timezone,platform,appVersion,\
    device id,sensors,sampleRateMs,standardisation,platform version
    3,My Phone,1700000000000,2023-11-14_22-13-20,Europe/Paris,\(platform),1.47.1,abc,\
    Accelerometer|Gyroscope,10|10,\(standardisation),17

    """
  }

  static func files(platform: String, standardisation: String) -> [(String, String)] {
    [
      ("Accelerometer.csv", axes([[1, 2, 3], [1.5, 2.5, 3.5]])),
      ("AccelerometerUncalibrated.csv", axes([[0, 0.5, -1]])),
      ("Gravity.csv", axes([[0, 0, 9.8]])), ("Gyroscope.csv", axes([[0.1, 0.2, 0.3]])),
      ("GyroscopeUncalibrated.csv", axes([[7, 7, 7]])),
      (
        "Barometer.csv",
        "time,seconds_elapsed,relativeAltitude,pressure\n\(zero),0,0.1,1013.25\n"
      ),
      (
        "Location.csv",
        """
        time,seconds_elapsed,bearingAccuracy,speedAccuracy,verticalAccuracy,horizontalAccuracy,speed,\
        bearing,altitude,longitude,latitude
        \(zero - 1_000_000_000),-1,-1,-1,3,4.5,-1,-1,101.5,2.25,48.5
        \(zero),0,10,0.5,3,-1,1.25,90,102,2.5,48.25

        """
      ), ("Compass.csv", "time,seconds_elapsed,magneticBearing\n\(zero),0,12\n"),
      (
        "Annotation.csv",
        """
        time,seconds_elapsed,text,millisecond_press_duration
        \(zero),0,left hook,120
        \(zero + 5_000_000),0.005,"a, b",80

        """
      ), ("Metadata.csv", metadata(platform: platform, standardisation: standardisation)),
    ]
  }

  private func read(
    _ files: [(String, String)], _ change: (inout RecordingOptions) -> Void = { _ in }
  ) throws -> Recording {
    let folder = try RecordingFolder()
    var options = RecordingOptions()
    change(&options)
    return try RecordingReader.read(
      folder.write(Zip(files).bytes, to: "2023-11-14.zip"), options: options)
  }

  @Test func readsEverySensor() throws {
    let recording = try read(Self.files(platform: "android", standardisation: "false"))
    #expect(
      recording.recognition.reason
        == "Sensor Logger zip: \"time\" and \"seconds_elapsed\" in Accelerometer.csv")
    let imported = recording.traces[0]
    let trace = try imported.trace
    #expect(
      trace.header.channels.map { "\($0.channel.name) \($0.count)" } == [
        "acceleration 1", "user_acceleration 2", "rotation_rate 1", "pressure 1", "location 2",
      ])
    #expect(trace[.userAcceleration]?.value(at: 1) == .vector(Vector3(x: 1.5, y: 2.5, z: 3.5)))
    #expect(trace[.userAcceleration]?.measuredTimes == [1_000_000_000, 1_010_000_000])
    #expect(trace[.rotationRate]?.value(at: 0) == .vector(Vector3(x: 0.1, y: 0.2, z: 0.3)))
    #expect(trace[.acceleration]?.value(at: 0) == .vector(Vector3(x: 0, y: 0.5, z: -1)))
    guard case .scalar(let pressure)? = trace[.pressure]?.value(at: 0),
      case .fix(let first)? = trace[.location]?.value(at: 0),
      case .fix(let second)? = trace[.location]?.value(at: 1)
    else {
      Issue.record("another kind of channel")
      return
    }
    #expect(pressure.value == 101_325)
    #expect(first.latitude == 48.5 && first.longitude == 2.25 && first.altitude == 101.5)
    #expect(first.speed.isNaN && first.course.isNaN && first.speedAccuracy.isNaN)
    #expect(first.horizontalAccuracy == 4.5)
    // The mark of an invalid position stays.
    #expect(second.horizontalAccuracy == -1 && second.speed == 1.25 && second.course == 90)
    #expect(trace.header.epoch == "2023-11-14T22:13:19Z" && imported.labelOrigin == 0)
    #expect(trace.header.device == "My Phone, android")
    #expect(trace.header.source == "2023-11-14.zip, Sensor Logger 1.47.1")
    #expect(
      imported.report.unmappedColumns == [
        "Compass.csv", "Gravity.csv", "GyroscopeUncalibrated.csv",
        "Barometer.csv: relativeAltitude", "Location.csv: bearingAccuracy",
        "Location.csv: verticalAccuracy", "seconds_elapsed (same as time)",
      ])
    #expect(imported.report.losses.count == 0 && imported.report.findings == [])
    #expect(
      trace.header.references == [
        ReferenceSet(
          task: .punch,
          events: [
            ReferenceEvent(
              onset: TraceInstant(nanoseconds: 1_000_000_000), label: "hook",
              originalLabel: "left hook", hand: .left)
          ], definition: "annotation made by hand while recording")
      ])
    #expect(
      imported.report.notes == [
        "Compass.csv is left out: it refers to magnetic north, headings to true north.",
        "Accelerations have Android's signs (Metadata.csv: platform android, standardisation "
          + "false).",
        "A negative speed, course, heading or accuracy marks an unknown value: 3 are left empty.",
        "1 of 2 annotations name punches and become references.",
        "Annotation at 1 s: \"left hook\".", "Annotation at 1.005 s: \"a, b\".",
      ])
  }

  struct Signs: Sendable {
    var platform: String
    var standardisation: String
    var wanted = SignConvention.recorded
    /// z of the uncalibrated accelerometer, -1 in the file; nil = left out.
    var uncalibrated: Float?
    /// x of the linear acceleration, 1 in the file.
    var linear: Float
    var finding: String?
  }

  @Test(arguments: [
    Signs(platform: "android", standardisation: "false", uncalibrated: -1, linear: 1),
    Signs(
      platform: "android", standardisation: "false", wanted: .android, uncalibrated: -1, linear: 1),
    Signs(platform: "ios", standardisation: "true", uncalibrated: -1, linear: 1),
    Signs(
      platform: "ios", standardisation: "true", wanted: .android, uncalibrated: -1, linear: 1),
    Signs(
      platform: "ios", standardisation: "false", uncalibrated: -9.80665, linear: 1,
      finding: "ios-signs"),
    Signs(
      platform: "ios", standardisation: "", wanted: .android, uncalibrated: 9.80665, linear: -1,
      finding: "ios-signs"),
    Signs(
      platform: "", standardisation: "false", wanted: .android, linear: 1,
      finding: "unknown-signs"),
  ])
  func signsFollowPlatformAndFlag(signs: Signs) throws {
    let files = Self.files(platform: signs.platform, standardisation: signs.standardisation)
    let imported = try read(files) { $0.signs = signs.wanted }.traces[0]
    let trace = try imported.trace
    guard case .vector(let linear)? = trace[.userAcceleration] else {
      Issue.record("no user acceleration")
      return
    }
    #expect(linear.x[0] == signs.linear)
    if case .vector(let raw)? = trace[.acceleration] {
      #expect(raw.z[0] == signs.uncalibrated)
    } else {
      #expect(signs.uncalibrated == nil)
      #expect(imported.report.unmappedColumns.contains("AccelerometerUncalibrated.csv"))
    }
    #expect(imported.report.findings.map(\.code) == [signs.finding].compactMap(\.self))
    // Rotation rates are the same on both.
    #expect(trace[.rotationRate]?.value(at: 0) == .vector(Vector3(x: 0.1, y: 0.2, z: 0.3)))
  }

  @Test func theBetterFileIsTaken() throws {
    let files = [
      ("TotalAcceleration.csv", Self.axes([[1, 2, 9]])),
      ("AccelerometerUncalibrated.csv", Self.axes([[5, 5, 5]])),
      ("Metadata.csv", Self.metadata(platform: "android", standardisation: "false")),
    ]
    let imported = try read(files).traces[0]
    #expect(try imported.trace[.acceleration]?.value(at: 0) == .vector(Vector3(x: 1, y: 2, z: 9)))
    #expect(imported.report.unmappedColumns.first == "AccelerometerUncalibrated.csv")
  }

  /// On iOS there are altitudes above the sea and above the ellipsoid; on Android the former column
  /// is empty.
  @Test(arguments: [("35.5", 35.5), ("", 80)])
  func altitudeIsAboveTheSea(cell: String, expected: Double) throws {
    let text =
      "time,seconds_elapsed,altitudeAboveMeanSeaLevel,altitude,longitude,latitude\n"
      + "\(Self.zero),0,\(cell),80,2,48\n"
    let imported = try read([("Location.csv", text)]).traces[0]
    guard case .fix(let fix)? = try imported.trace[.location]?.value(at: 0) else {
      Issue.record("no position")
      return
    }
    #expect(fix.altitude == expected)
  }

  /// `WristMotion.csv` as a watch records it: gravity in the unit of the accelerations.
  static func wrist(gravity: Double) -> String {
    let names = ["rotationRate", "gravity", "acceleration"].flatMap { name in
      ["X", "Y", "Z"].map { name + $0 }
    }
    return "time,seconds_elapsed,\(names.joined(separator: ",")),quaternionW\n"
      + "\(zero),0,0.25,0.5,0.75,0,0,\(-gravity),1,2,-4,1\n"
  }

  struct Watch: Sendable {
    var gravity: Double
    var wanted = SignConvention.recorded
    var standardisation = "false"
    /// x of the linear acceleration, 1 in the file.
    var x: Float
  }

  @Test(arguments: [
    Watch(gravity: 1, x: 9.80665), Watch(gravity: 1, wanted: .android, x: -9.80665),
    Watch(gravity: 9.80665, standardisation: "true", x: 1),
    Watch(gravity: 9.80665, wanted: .android, standardisation: "true", x: 1),
  ])
  func aWatchAloneIsRead(watch: Watch) throws {
    let files = [
      ("WristMotion.csv", Self.wrist(gravity: watch.gravity)),
      ("HeartRate.csv", "time,seconds_elapsed,bpm\n\(Self.zero),0,120\n"),
      ("Metadata.csv", Self.metadata(platform: "ios", standardisation: watch.standardisation)),
    ]
    let imported = try read(files) { $0.signs = watch.wanted }.traces[0]
    let trace = try imported.trace
    guard case .vector(let linear)? = trace[.userAcceleration] else {
      Issue.record("no user acceleration")
      return
    }
    #expect(linear.x == [watch.x] && linear.y == [2 * watch.x] && linear.z == [-4 * watch.x])
    #expect(trace[.rotationRate]?.value(at: 0) == .vector(Vector3(x: 0.25, y: 0.5, z: 0.75)))
    #expect(imported.report.recordsRead == 1 && imported.report.samples == 2)
    #expect(
      imported.report.unmappedColumns == [
        "HeartRate.csv", "WristMotion.csv: gravityX", "WristMotion.csv: gravityY",
        "WristMotion.csv: gravityZ", "WristMotion.csv: quaternionW",
        "seconds_elapsed (same as time)",
      ])
  }

  @Test func aWatchBesideThePhoneIsReported() throws {
    let files = [
      ("Accelerometer.csv", Self.axes([[1, 2, 3]])),
      ("WristMotion.csv", Self.wrist(gravity: 1)),
    ]
    let imported = try read(files).traces[0]
    #expect(imported.report.samples == 1)
    #expect(imported.report.unmappedColumns.first == "WristMotion.csv")
    #expect(
      imported.report.notes == [
        "WristMotion.csv is left out: the watch is another device. Convert that file separately."
      ])
  }

  /// Names as browsers and other programs change them.
  @Test(arguments: ["Gyroscope (1).csv", "gyroscope.CSV", "2023\\Gyroscope.csv"])
  func changedNamesAreKnown(name: String) throws {
    let imported = try read([(name, Self.axes([[1, 2, 3]]))]).traces[0]
    #expect(try imported.trace[.rotationRate]?.value(at: 0) == .vector(Vector3(x: 1, y: 2, z: 3)))
  }

  /// An empty file is listed and hides neither other files nor the second choice for its channel.
  @Test func anEmptyFileHidesNothing() throws {
    let files = [
      ("Accelerometer.csv", Self.axes([[1, 2, 3]])), ("Gyroscope.csv", ""),
      ("GyroscopeUncalibrated.csv", Self.axes([[4, 5, 6]])), ("Location.csv", ""),
    ]
    let imported = try read(files).traces[0]
    #expect(imported.header.channels.map(\.channel) == [.userAcceleration, .rotationRate])
    #expect(imported.report.unmappedColumns.prefix(2) == ["Gyroscope.csv", "Location.csv"])
  }

  /// Metadata are recognised under a changed name too; a duplicate is listed and not read.
  @Test func theFirstDownloadIsTaken() throws {
    let files = [
      ("Gyroscope (1).csv", Self.axes([[4, 5, 6]])), ("Gyroscope.csv", Self.axes([[1, 2, 3]])),
      ("Metadata (2).csv", Self.metadata(platform: "android", standardisation: "false")),
    ]
    let imported = try read(files).traces[0]
    #expect(try imported.trace[.rotationRate]?.value(at: 0) == .vector(Vector3(x: 1, y: 2, z: 3)))
    #expect(imported.header.device == "My Phone, android")
    #expect(
      imported.report.unmappedColumns == [
        "Gyroscope (1).csv", "seconds_elapsed (same as time)",
      ])
  }
}
