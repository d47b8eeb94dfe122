import Testing
import TraceModel

@testable import TraceFormats

@Suite struct CSVMappingGuessTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var header: String
    var options = CSVOptions()
    var count = 60
    /// The record of that number.
    var row: @Sendable (Int) -> String
    /// The mapping in the spelling of the command line, or what was found and what is proposed.
    var expected: String

    var testDescription: String { "\(header) -> \(expected)" }
  }

  // MARK: Values

  /// A sensor that lies almost still, `unit` per g.
  private static func atRest(_ i: Int, _ unit: Double = 1) -> String {
    let wobble = [0.01, -0.02, 0.015, 0][i % 4]
    return "\(wobble * unit),\((0.1 - wobble) * unit),\((0.99 + wobble / 2) * unit)"
  }

  /// A swing about nothing, as of a sensor without gravity: at rest for most of the time.
  private static func moving(_ i: Int, _ unit: Double = 1) -> String {
    let size = i % 30 < 5 ? [1.0, 2, 3, -3, -3][i % 30] : 0.01
    return "\(size * unit),\(0.01 * unit),\(-0.01 * unit)"
  }

  /// A walk to the north at 1.5 m/s, one fix a second.
  private static func fix(_ i: Int) -> (latitude: Double, longitude: Double) {
    (52 + Double(i) * 1.5 / 111_195, 5.1)
  }

  private static func position(_ i: Int) -> String { "\(fix(i).latitude),\(fix(i).longitude)" }

  private static func semicircles(_ i: Int) -> String {
    let scale = 0x1p31 / 180
    return "\(Int(fix(i).latitude * scale)),\(Int(fix(i).longitude * scale))"
  }

  /// `2024-06-08T07:00:01Z`.
  private static func iso(_ i: Int, separator: String = "T", zone: String = "Z") -> String {
    "2024-06-08\(separator)07:\(i / 60 < 10 ? "0" : "")\(i / 60):"
      + "\(i % 60 < 10 ? "0" : "")\(i % 60)\(zone)"
  }

  private static func stating(
    gravity: GravityStatement? = nil, channel: Channel? = nil, unix: Bool = false,
    separator: Character? = nil
  ) -> CSVOptions {
    var options = CSVOptions()
    options.gravity = gravity
    options.channel = channel
    options.epochUnix = unix
    options.separator = separator
    return options
  }

  // MARK: Accelerations

  static let accelerations: [Case] = [
    Case(
      header: "t,ax,ay,az", row: { "\(Double($0) * 0.02),\(atRest($0))" },
      expected: "--map 'time=t[s],x=ax[g],y=ay[g],z=az[g]' --gravity included"),
    Case(
      header: "t,ax,ay,az", row: { "\(Double($0) * 0.02),\(atRest($0, 9.80665))" },
      expected: "--map 'time=t[s],x=ax[m/s2],y=ay[m/s2],z=az[m/s2]' --gravity included"),
    Case(
      header: "timestamp,acc_x,acc_y,acc_z",
      row: { "\(1_700_000_000_000 + $0 * 20),\(atRest($0))" },
      expected: "--map 'time=timestamp[ms],x=acc_x[g],y=acc_y[g],z=acc_z[g]' --epoch unix "
        + "--gravity included"),
    Case(
      header: "timestamp,accel_x,accel_y,accel_z",
      row: { "\(1_700_000_000_000_000 + $0 * 20_000),\(atRest($0))" },
      expected: "--map 'time=timestamp[us],x=accel_x[g],y=accel_y[g],z=accel_z[g]' --epoch unix "
        + "--gravity included"),
    Case(
      header: "timestamp,accZ,accY,accX",
      row: { "\(1_700_000_000_000_000_000 + $0 * 20_000_000),\(atRest($0, 9.8))" },
      expected: "--map 'time=timestamp[ns],x=accX[m/s2],y=accY[m/s2],z=accZ[m/s2]' --epoch unix "
        + "--gravity included"),
    // Nanoseconds since the phone started have the size of milliseconds since 1970.
    Case(
      header: "timestamp,x,y,z", row: { "\(1_700_000_000_000 + $0 * 20_000_000),\(atRest($0))" },
      expected: "--map 'time=timestamp[ns],x=x[g],y=y[g],z=z[g]' --gravity included"),
    Case(
      header: "time_ms,accelerometer_x,accelerometer_y,accelerometer_z",
      row: { "\($0 * 20),\(atRest($0))" },
      expected: "--map 'time=time_ms[ms],x=accelerometer_x[g],y=accelerometer_y[g],"
        + "z=accelerometer_z[g]' --gravity included"),
    Case(
      header: "elapsed (s),X-Axis (g),Y-Axis (g),Z-Axis (g)",
      row: { "\(Double($0) * 0.04),\(atRest($0))" },
      expected: "--map 'time=elapsed (s)[s],x=X-Axis (g)[g],y=Y-Axis (g)[g],z=Z-Axis (g)[g]' "
        + "--gravity included"),
    Case(
      header: "Time [s],Acc X [m/s²],Acc Y [m/s²],Acc Z [m/s²]",
      row: { "\(Double($0) * 0.01),\(atRest($0, 9.81))" },
      expected: "--map 'time=\"Time [s]\"[s],x=\"Acc X [m/s²]\"[m/s2],y=\"Acc Y [m/s²]\"[m/s2],"
        + "z=\"Acc Z [m/s²]\"[m/s2]' --gravity included"),
    Case(
      header: "time_s,ax_g,ay_g,az_g", row: { "\(Double($0) * 0.02),\(moving($0))" },
      expected: "--map 'time=time_s[s],x=ax_g[g],y=ay_g[g],z=az_g[g]' --gravity removed"),
    Case(
      header: "t_ms,ax_mg,ay_mg,az_mg", row: { "\($0 * 10),\(atRest($0, 1000))" },
      expected: "--map 'time=t_ms[ms],x=ax_mg[mg],y=ay_mg[mg],z=az_mg[mg]' --gravity included"),
    Case(
      header: "seconds_elapsed,linear_acceleration_x_mps2,linear_acceleration_y_mps2,"
        + "linear_acceleration_z_mps2", row: { "\(Double($0) * 0.02),\(moving($0))" },
      expected: "--map 'time=seconds_elapsed[s],x=linear_acceleration_x_mps2[m/s2],"
        + "y=linear_acceleration_y_mps2[m/s2],z=linear_acceleration_z_mps2[m/s2]' "
        + "--gravity removed"),
    Case(
      header: "t;ax;ay;az", options: stating(separator: ";"),
      row: {
        let cells = "\(Double($0) * 0.02),\(atRest($0))".split(separator: ",")
        return cells.map { $0.split(separator: ".").joined(separator: ",") }
          .joined(separator: ";")
      },
      expected: "--map 'time=t[s],x=ax[g],y=ay[g],z=az[g]' --gravity included"),
    Case(
      header: "t,ax (g),ay (g),az (g)", options: stating(gravity: .removed), count: 3,
      row: { "\(Double($0) * 0.02),0.3,0.1,0" },
      expected: "--map 'time=t[s],x=ax (g)[g],y=ay (g)[g],z=az (g)[g]' --gravity removed"),
    Case(
      header: "t,x (rad/s),y (rad/s),z (rad/s)", row: { "\(Double($0) * 0.02),\(moving($0))" },
      expected: "--map 'time=t[s],rotation_rate.x=x (rad/s)[rad/s],"
        + "rotation_rate.y=y (rad/s)[rad/s],rotation_rate.z=z (rad/s)[rad/s]'"),
    Case(
      header: "t,ax,ay,az,gx_dps,gyro_x_dps,gyro_y_dps,gyro_z_dps",
      row: { "\(Double($0) * 0.02),\(atRest($0)),0,\(moving($0))" },
      expected: "--map 'time=t[s],x=ax[g],y=ay[g],z=az[g],rotation_rate.x=gyro_x_dps[deg/s],"
        + "rotation_rate.y=gyro_y_dps[deg/s],rotation_rate.z=gyro_z_dps[deg/s]' "
        + "--gravity included"),
    // A gyroscope without a unit is left out.
    Case(
      header: "t,ax,ay,az,gyrX,gyrY,gyrZ",
      row: { "\(Double($0) * 0.02),\(atRest($0)),\(moving($0))" },
      expected: "--map 'time=t[s],x=ax[g],y=ay[g],z=az[g]' --gravity included"),
    // A walk without rest: the mean vector is gravity.
    Case(
      header: "t,ax,ay,az",
      row: { "\(Double($0) * 0.02),0.1,-0.1,\([0.6, 1.4, 1.2, 0.9, 0.95][$0 % 5])" },
      expected: "--map 'time=t[s],x=ax[g],y=ay[g],z=az[g]' --gravity included"),
    // Two clocks that agree: the one that counts from 1970.
    Case(
      header: "seconds_elapsed,timestamp,ax,ay,az",
      row: { "\(Double($0) * 0.02),\(1_700_000_000_000 + $0 * 20),\(atRest($0))" },
      expected: "--map 'time=timestamp[ms],x=ax[g],y=ay[g],z=az[g]' --epoch unix "
        + "--gravity included"),
    // Whole seconds repeat: the finer clock.
    Case(
      header: "time,elapsed,ax,ay,az",
      row: { "\(iso($0 / 50)),\(Double($0) * 0.02),\(atRest($0))" },
      expected: "--map 'time=elapsed[s],x=ax[g],y=ay[g],z=az[g]' --gravity included"),
  ]

  // MARK: Positions

  static let positions: [Case] = [
    Case(
      header: "timestamp,lat,lon,ele", row: { "\(iso($0)),\(position($0)),12" },
      expected: "--map 'time=timestamp[iso],latitude=lat,longitude=lon,altitude=ele'"),
    Case(
      header: "date,time,position_lat,position_long,distance,enhanced_speed,enhanced_altitude",
      row: {
        "\(iso($0, separator: ",", zone: "")),\(position($0)),\(1.5 * Double($0)),1.49,37.2"
      },
      expected: "--map 'date=date,time=time,latitude=position_lat,longitude=position_long,"
        + "altitude=enhanced_altitude,speed=enhanced_speed[m/s],distance=distance[m]'"),
    Case(
      header: "timestamp,position_lat,position_long",
      row: { "\(iso($0, separator: " ", zone: "+00:00")),\(semicircles($0))" },
      expected: "--map 'time=timestamp[iso],latitude=position_lat[semicircles],"
        + "longitude=position_long[semicircles]'"),
    Case(
      header: "timestamp,lat (semicircles),lon (semicircles)",
      row: { "\(iso($0)),\(semicircles($0))" },
      expected: "--map 'time=timestamp[iso],latitude=lat (semicircles)[semicircles],"
        + "longitude=lon (semicircles)[semicircles]'"),
    Case(
      header: "epoch,gps_latitude,gps_longitude,gps_accuracy",
      row: { "\(1_700_000_000 + $0),\(position($0)),4.5" },
      expected: "--map 'time=epoch[s],latitude=gps_latitude,longitude=gps_longitude,"
        + "horizontal_accuracy=gps_accuracy' --epoch unix"),
    Case(
      header: "t,Latitude (deg),Longitude (deg),speed (km/h),course",
      row: { "\($0),\(position($0)),5.4,359.5" },
      expected: "--map 'time=t[s],latitude=Latitude (deg),longitude=Longitude (deg),"
        + "speed=speed (km/h)[km/h],course=course'"),
    Case(
      header: "t,lat,lng,speed", row: { "\($0),\(position($0)),5.5" },
      expected: "--map 'time=t[s],latitude=lat,longitude=lng,speed=speed[km/h]'"),
    // A standing receiver does not show the unit of its speed.
    Case(
      header: "t,lat,lng,speed", row: { "\($0),52.5,5.1,0.0" },
      expected: "--map 'time=t[s],latitude=lat,longitude=lng'"),
    Case(
      header: "t,lat,lng,speed (mph),distance_km",
      row: { "\($0),\(position($0)),3.4,\(0.0015 * Double($0))" },
      expected: "--map 'time=t[s],latitude=lat,longitude=lng,distance=distance_km[km]'"),
    Case(
      header: "t,lat,lng,distance", row: { "\($0),\(position($0)),\(0.0015 * Double($0))" },
      expected: "--map 'time=t[s],latitude=lat,longitude=lng,distance=distance[km]'"),
    // The distance since the previous record is not an odometer.
    Case(
      header: "t,lat,lng,distance", row: { "\($0),\(position($0)),\(1.5 + Double($0 % 2))" },
      expected: "--map 'time=t[s],latitude=lat,longitude=lng'"),
    Case(
      header: "time,lat,lon,pressure", row: { "\($0),\(position($0)),1013.2" },
      expected: "--map 'time=time[s],latitude=lat,longitude=lon,pressure=pressure[hPa]'"),
    Case(
      header: "time,x (m),y (m)", row: { "\($0),\(2 * $0),5" },
      expected: "--map 'time=time[s],local.x=x (m)[m],local.y=y (m)[m]'"),
    Case(
      header: "lat,it's,lon,t,t", row: { "52.5,\($0),5.1,\($0),0" },
      expected: "--map 'time=#4[s],latitude=lat,longitude=lon'"),
  ]

  // MARK: Refused

  static let refused: [Case] = [
    Case(
      header: "alpha,beta", row: { "\($0),1" },
      expected: "found the columns \"alpha\", \"beta\"; pass "
        + "--map 'time=column[unit],x=column,y=column,z=column'"),
    Case(
      header: "t,x,y,z", row: { "\(Double($0) * 0.02),3,0,0" },
      expected: "found \"x\", \"y\", \"z\" without a unit and with a median magnitude of 3; pass "
        + "--map 'time=t[s],x=x[m/s2|g],y=y[m/s2|g],z=z[m/s2|g]' --gravity included|removed, "
        + "corrected where it is wrong"),
    // A walk without gravity in m/s² may have the median of a sensor at rest in g.
    Case(
      header: "t,ax,ay,az", row: { "\(Double($0) * 0.02),\([1.0, -1.2, 0.9, -0.8][$0 % 4]),0.1,0" },
      expected: "found \"ax\", \"ay\", \"az\" without a unit and with a median magnitude of"),
    Case(
      header: "t,ax (g),ay (g),az (g)", count: 2, row: { "\(Double($0) * 0.02),\(atRest($0))" },
      expected:
        "found \"ax (g)\", \"ay (g)\", \"az (g)\" in g with too few values (2), which leaves "
        + "gravity open; pass --map 'time=t[s],x=ax (g)[g],y=ay (g)[g],z=az (g)[g]' "
        + "--gravity included|removed"),
    Case(
      header: "t,ax (g),ay (m/s2),az (g)", row: { "\(Double($0) * 0.02),\(atRest($0))" },
      expected: "found no common unit in \"ax (g)\", \"ay (m/s2)\", \"az (g)\""),
    Case(
      header: "t,ax,ay,az", row: { "\(Double($0) * 0.02),\(atRest($0, 1000))" },
      expected: "found \"ax\", \"ay\", \"az\" without a unit and with a median magnitude of 99"),
    Case(
      header: "t,gyro_x,gyro_y,gyro_z", row: { "\(Double($0) * 0.02),\(moving($0))" },
      expected: "found no common unit in \"gyro_x\", \"gyro_y\", \"gyro_z\"; pass --map "
        + "'time=t[s],rotation_rate.x=gyro_x[rad/s|deg/s]"),
    Case(
      header: "ax,ay,az", row: { atRest($0) },
      expected: "found no column of times among the columns \"ax\", \"ay\", \"az\"; pass --map "
        + "'time=COLUMN[s],x=ax[g]"),
    // 1 s or 1000 s apart.
    Case(
      header: "timestamp,lat,lon", row: { "\(1_700_000_000 + $0 * 1000),\(position($0))" },
      expected: "found times of unclear unit, \"timestamp\" from 1700000000 in steps of 1000; pass "
        + "--map 'time=timestamp[s|ms],latitude=lat,longitude=lon' --epoch unix"),
    Case(
      header: "when,time,lat,lon", row: { "1,08.06.2024 07:00:\(10 + $0 % 50),\(position($0))" },
      expected: "found times such as \"08.06.2024 07:00:10\", which are not ISO 8601 (YYYY-MM-DD "
        + "hh:mm:ss); write the times in that form, then pass --map"),
    Case(
      header: "time,lat,lon", row: { "2500-01-01T00:00:\(10 + $0 % 50)Z,\(position($0))" },
      expected:
        "found times such as \"2500-01-01T00:00:10Z\", which are not a date from 1677-09-22 "
        + "to 2262-04-11; write the times in that form, then pass --map"),
    // The number of a record; ticks of 100 ns at 100 Hz; numbers that count from FIT's zero and from
    // 1904; each would give a time that is wrong by a factor or by years.
    Case(
      header: "time,ax,ay,az", row: { "\($0),\(atRest($0))" },
      expected: "found times of unclear unit, \"time\" from 0 in steps of 1; pass"),
    Case(
      header: "time,ax,ay,az", row: { "\($0 * 100_000),\(atRest($0))" },
      expected: "found times of unclear unit, \"time\" from 0 in steps of 100000; pass"),
    Case(
      header: "timestamp,position_lat,position_long",
      row: { "\(1_083_000_000 + $0),\(semicircles($0))" },
      expected: "found times of unclear unit, \"timestamp\" from 1083000000 in steps of 1; pass"),
    Case(
      header: "timestamp,lat,lon", row: { "\(3_900_000_000 + $0),\(position($0))" },
      expected: "found times of unclear unit, \"timestamp\" from 3900000000 in steps of 1; pass"),
    Case(
      header: "time,lat,ns,lon,ew", row: { "\($0),46.05\($0),S,14.5,W" },
      expected: "found the hemispheres in \"ns\", \"ew\", which a mapping cannot read; write "
        + "signed degrees, then pass --map"),
    // Several recordings: one after the other, and two people by turns.
    Case(
      header: "t,ax,ay,az,rec", row: { "\(Double($0 % 20) * 0.02),\(atRest($0)),\($0 / 20)" },
      expected: "found several recordings: times go back or repeat where \"rec\" changes; pass "
        + "--split-by 'rec'"),
    Case(
      header: "who,time,lat,lon", row: { "p\($0 % 2),\(iso($0 / 2)),\(position($0 / 2))" },
      expected: "found several recordings: times go back or repeat where \"who\" changes; pass "
        + "--split-by 'who'"),
    Case(
      header: "t,timestamp,lat,lon", row: { "\($0),\(iso(2 * $0)),\(position($0))" },
      expected: "found times in \"timestamp\" and \"t\" that do not agree"),
    Case(
      header: "t,lat,lon", row: { "\($0),0.1,0.\($0)" },
      expected: "found \"lat\", \"lon\" so small that they may be radians, or no position at all; "
        + "pass --map 'time=t[s],latitude=lat[deg|rad],longitude=lon[deg|rad]'"),
    Case(
      header: "t,lat,lon", row: { "\($0),\(semicircles($0))" },
      expected: "found whole numbers of an unknown scale in \"lat\", \"lon\"; pass --map "
        + "'time=t[s],latitude=lat[deg|semicircles],longitude=lon[deg|semicircles]'"),
    Case(
      header: "t,lat,lon", row: { "\($0),113.5,5.\($0)" },
      expected: "found values beyond 90 or 180 degrees in \"lat\", \"lon\""),
    Case(
      header: "t,lat,gps_lat,lon", row: { "\($0),52,52,5" },
      expected: "found several columns for one coordinate, \"lat\", \"gps_lat\""),
    Case(
      header: "t,lat_rad,lon_deg", row: { "\($0),0.9,5" },
      expected: "found no common unit of angles in \"lat_rad\", \"lon_deg\""),
    Case(
      header: "timestamp,x,y,label", row: { "\(iso($0)),\(2 * $0),5,walk" },
      expected: "found no unit of length in \"x\", \"y\"; pass --map 'time=timestamp[iso],"
        + "local.x=x,local.y=y', corrected where it is wrong"),
    Case(
      header: "t,ax,ax,ay,az", row: { "\(Double($0) * 0.02),1,\(atRest($0))" },
      expected: "found the columns \"t\", \"ax\", \"ax\", \"ay\", \"az\"; pass --map 'time=column"),
    Case(
      header: "t,ax,ay,az", count: 0, row: { "\($0)" },
      expected: "found the columns \"t\", \"ax\", \"ay\", \"az\""),
  ]

  @Test(arguments: accelerations + positions + refused)
  func oneReadingIsTaken(_ test: Case) throws {
    let rows = (0..<test.count).map { test.row($0) }
    let text = ([test.header] + rows).joined(separator: "\n") + "\n"
    let sample = try TableSample(
      head: Array(text.utf8), isWhole: true,
      separator: test.options.separator?.asciiValue, name: "a.csv")
    var found: String
    do throws(TraceError) {
      let inferred = try CSVMappingGuess(sample, options: test.options).mapping(place: "a.csv")
      found = inferred.commandLine
      // What is reported can be typed.
      #expect(try CSVMapping(parsing: "\(inferred.mapping)") == inferred.mapping)
    } catch {
      #expect(error.asksForMapping)
      found = "\(error)"
    }
    if test.expected.hasPrefix("--map") {
      #expect(found == test.expected)
    } else {
      #expect(found.hasPrefix("a.csv: expected columns with one possible meaning, "))
      #expect(found.contains(test.expected))
    }
  }

  // MARK: Reading

  @Test func whatIsInferredIsReportedAndRead() throws {
    let rows = (0..<60).map { "\(1_700_000_000_000 + $0 * 20),\(Self.atRest($0)),jab" }
    let folder = try RecordingFolder()
    let text = "timestamp,ax,ay,az,label\n" + rows.joined(separator: "\n") + "\n"
    let path = try folder.write(text, to: "a.csv")
    var options = RecordingOptions()
    options.csv = CSVOptions()
    options.csv?.referenceColumn = "label"
    let trace = try #require(try RecordingReader.read(path, options: options).traces.first)
    let channels = trace.header.channels.map(\.channel)
    #expect(channels == [.acceleration])
    #expect(trace.header.epoch == "2023-11-14T22:13:20Z")
    #expect(trace.header.references.map(\.events.count) == [1])
    #expect(
      trace.report.inferredMapping?.commandLine
        == "--map 'time=timestamp[ms],x=ax[g],y=ay[g],z=az[g]' --epoch unix --gravity included")
    #expect(
      trace.report.notes.prefix(3) == [
        "Columns taken: --map 'time=timestamp[ms],x=ax[g],y=ay[g],z=az[g]' --epoch unix "
          + "--gravity included.",
        "Inferred: \"timestamp\" from 1700000000000 in steps of 20 is in ms since 1970.",
        "Inferred: \"ax\", \"ay\", \"az\" with a median magnitude of 0.997 are in g, with "
          + "gravity.",
      ])
  }

  /// Times that go back far after the sample are found too, unless the user states what to do.
  @Test func timesOfAnInferredMappingIncrease() throws {
    let rows = (0..<20_000).map { index in
      "\(Double(index % 19_000) * 0.02),\(Self.atRest(index)),\(index / 19_000)"
    }
    let text = "t,ax,ay,az,rec\n" + rows.joined(separator: "\n")
    func read(_ options: CSVOptions) throws(TraceError) -> [ImportedTrace] {
      try CSVReader.read(ByteSource(bytes: Array(text.utf8), name: "a.csv"), options: options)
    }
    let error = #expect(throws: TraceError.self) { try read(CSVOptions()) }
    #expect(
      error?.description
        == "a.csv: expected times that increase, found 1 earlier than the one before; pass "
        + "--split-by COLUMN if a column divides the table into recordings (rec), --sort if records "
        + "are out of order, or --map 'time=t[s],x=ax[g],y=ay[g],z=az[g]' --gravity included to keep "
        + "them")
    var options = CSVOptions()
    options.splitBy = "rec"
    #expect(try read(options).map(\.report.samples) == [19_000, 1000])
    options.splitBy = nil
    options.sort = true
    #expect(try read(options).map(\.report.samples) == [20_000])
  }

  /// A single column of N is a flag, not a hemisphere.
  @Test func aFlagIsNotAHemisphere() throws {
    let rows = (0..<60).map { "\(Self.iso($0)),\(Self.position($0)),N" }
    let text = "time,lat,lon,indoors\n" + rows.joined(separator: "\n")
    let source = try ByteSource(bytes: Array(text.utf8), name: "a.csv")
    #expect(try CSVReader.read(source, options: CSVOptions()).map(\.report.samples) == [60])
  }

  /// A length without a unit is read as metres, and that is reported.
  @Test func metersAreReported() throws {
    let rows = (0..<60).map { "\(Self.iso($0)),\(Self.position($0)),\(1000 + $0),3" }
    let text = "time,lat,lon,altitude,accuracy\n" + rows.joined(separator: "\n")
    let source = try ByteSource(bytes: Array(text.utf8), name: "a.csv")
    let report = try #require(try CSVReader.read(source, options: CSVOptions()).first).report
    for name in ["altitude", "accuracy"] {
      #expect(
        report.notes.contains("Inferred: \"\(name)\" states no unit and is read as m."),
        "\(report.notes)")
    }
  }

  /// A mapping that is typed gives the same readings as the one that is inferred.
  @Test func semicirclesAreRead() throws {
    let text = "time,position_lat,position_long\n2024-06-08T07:00:00Z,484396573,-883561088\n"
    let source = try ByteSource(bytes: Array(text.utf8), name: "a.csv")
    let trace = try #require(try CSVReader.read(source, options: CSVOptions()).first).trace
    guard case .fix(let fixes) = trace[.location] else {
      Issue.record("no positions")
      return
    }
    // 484396573 · 180 / 2^31 by Python.
    #expect(fixes.values[0].latitude == 40.60165171511471)
    #expect(fixes.values[0].longitude == -74.0592348575592)
  }

  @Test func leftOutColumnsStateHowToKeepThem() throws {
    let rows = (0..<60).map { "\(Double($0) * 0.02),\(Self.atRest($0)),1,2,3" }
    let text = "t,ax,ay,az,gyrX,gyrY,gyrZ\n" + rows.joined(separator: "\n")
    let source = try ByteSource(bytes: Array(text.utf8), name: "a.csv")
    let report = try #require(try CSVReader.read(source, options: CSVOptions()).first).report
    #expect(report.unmappedColumns == ["gyrX", "gyrY", "gyrZ"])
    #expect(
      report.notes.last
        == "Left out: no common unit in \"gyrX\", \"gyrY\", \"gyrZ\"; to keep it, pass --map with "
        + "rotation_rate.x=gyrX[rad/s|deg/s],rotation_rate.y=gyrY[rad/s|deg/s],"
        + "rotation_rate.z=gyrZ[rad/s|deg/s].")
  }

  @Test(arguments: [
    ("accX (m/s²)", "acc_x", "m/s2"), ("acc_x_m/s2", "acc_x", "m/s2"),
    ("Acc-X [m/s^2]", "acc_x", "m/s2"), ("Time (s)", "time", "s"), ("GPSSpeed", "gps_speed", nil),
    ("speed km/h", "speed", "km/h"), ("gyro_x_deg/s", "gyro_x", "deg/s"),
    ("heading (°)", "heading", "deg"), ("time (µs)", "time", "us"), ("g", "g", nil),
    ("timestampMs", "timestamp", "ms"), ("pressure_hPa", "pressure", "hPa"), ("", "", nil),
  ])
  func namesSplitIntoWordsAndUnit(_ text: String, _ key: String, _ unit: String?) {
    let name = ColumnName(text)
    #expect(name.key == key)
    #expect(name.unit == unit)
  }
}
