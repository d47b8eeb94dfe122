import TestSupport
import Testing
import TraceModel

@testable import TraceFormats

/// What a test states of a vector channel: time in ns, then the axes.
private func rows(_ trace: Trace, _ channel: Channel = .acceleration) -> [[Double]] {
  guard case .vector(let columns) = trace[channel] else { return [] }
  return columns.range.map {
    let value = columns[$0]
    return [Double(columns.measuredTimes[$0]), Double(value.x), Double(value.y), Double(value.z)]
  }
}

private let axes = "time=t,x=x,y=y,z=z"

@Suite struct CSVReaderTests {
  @Test(
    arguments: [
      // Text, mapping, rows with the times of the file.
      ("t,x,y,z\n0,1,2,3\n0.5,4,5,6\n", axes, [[0, 1, 2, 3], [5e8, 4, 5, 6]]),
      ("t,x,y,z\r\n0,1,2,3\r\n0.5,4,5,6", axes, [[0, 1, 2, 3], [5e8, 4, 5, 6]]),
      ("\u{FEFF}t,x,y,z\n0,1,2,3\n", axes, [[0, 1, 2, 3]]),
      ("t;x;y;z\n0,5;1,5;2;3\n", axes, [[5e8, 1.5, 2, 3]]),
      ("t\tx\ty\tz\n0,5\t1.5\t2\t3\n", axes, [[5e8, 1.5, 2, 3]]),
      ("z,y,x,t\n3,2,1,0.5\n", axes, [[5e8, 1, 2, 3]]),
      ("t,t,t,t\n0.5,1,2,3\n", "time=#1,x=#2,y=#3,z=#4", [[5e8, 1, 2, 3]]),
      (
        "\"Time (s)\",\"X, \"\"raw\"\"\",y [g],z\n\"0.5\",\"1\",2,3\n",
        #"time="Time (s)",x="X, ""raw""",y="y [g]",z=z"#, [[5e8, 1, 2, 3]]
      ),
      ("Time (s),x,y,z\n0.5,1,2,3\n", "time=Time (s),x=x,y=y,z=z", [[5e8, 1, 2, 3]]),
      ("t,x,y,z\n250,1,2,3\n", "time=t[ms],x=x,y=y,z=z", [[2.5e8, 1, 2, 3]]),
      ("t,x,y,z\n250,1,2,3\n", "time=t[us],x=x,y=y,z=z", [[2.5e5, 1, 2, 3]]),
      ("t,x,y,z\n250,1,2,3\n", "time=t[ns],x=x,y=y,z=z", [[250, 1, 2, 3]]),
      ("t,x,y,z\n\n0,1,2,3\n\n\n0.5,4,5,6\n\n", axes, [[0, 1, 2, 3], [5e8, 4, 5, 6]]),
      ("t,x,y,z\n 0 , 1 ,2 , 3\n", axes, [[0, 1, 2, 3]]),
      ("t,x,y,z\n", axes, []), ("t,x,y,z", axes, []),
    ] as [(String, String, [[Double]])])
  func readsRows(text: String, mapping: String, expected: [[Double]]) throws {
    let imported = try csv(text, mapping)
    #expect(imported.count == 1)
    let origin = Double(imported[0].origin)
    #expect(try rows(imported[0].trace).map { [$0[0] + origin] + $0.dropFirst() } == expected)
    #expect(imported[0].report.losses.count == 0)
    #expect(imported[0].report.recordsRead == expected.count)
    // Where the chunks end must not matter.
    for chunk in [1, 2, 3, 7] {
      #expect(try csv(text, mapping, chunk: chunk).map(described) == imported.map(described))
    }
  }

  @Test(
    arguments: [
      ("g", Float(2 * 9.80665)), ("mg", Float(0.0196133)), ("m/s2", 2), ("m/s^2", 2),
    ] as [(String, Float)])
  func convertsAccelerations(unit: String, expected: Float) throws {
    let trace = try csv("t,x,y,z\n0,2,0,0\n", "time=t,x=x[\(unit)],y=y,z=z")[0].trace
    #expect(rows(trace)[0][1] == Double(expected))
  }

  @Test func readsHeartbeats() throws {
    let imported = try csv(
      "sent,got,who,n\n1,1.5,7,3\n2,2.25,-4,\n3,3,2.5,4\n4,4,1e10,4\n5,5,,4\n6,6.5,0,1e3\n",
      "time=sent,arrived=got,peer=who,sequence=n")[0]
    let columns = try #require(imported.trace[.heartbeat].flatMap { HeartbeatColumns($0) })
    #expect(
      columns.values == [
        Heartbeat(peer: 7, sequence: 3), Heartbeat(peer: -4), Heartbeat(peer: 0, sequence: 1000),
      ])
    #expect(columns.arrivedTimes == [500_000_000, 1_250_000_000, 5_500_000_000])
    // Half a peer, one beyond 32 bits, and none.
    #expect(imported.report.losses.count == 3)
    let without = try csv("t,who\n1,7\n", "time=t,peer=who")[0].trace
    #expect(without[.heartbeat]?.value(at: 0) == .heartbeat(Heartbeat(peer: 7)))
    let error = try #require(throws: TraceError.self) { try csv("t,n\n1,7\n", "time=t,sequence=n") }
    #expect(error.expected == "peer of heartbeat")
  }

  @Test func unitsOfRotationNameTheChannel() throws {
    let mapping = "time=t,x=x[deg/s],y=y[deg/s],z=z[rad/s]"
    let trace = try csv("t,x,y,z\n0,180,90,1\n", mapping) { $0.gravity = nil }[0].trace
    #expect(
      rows(trace, .rotationRate) == [
        [0, Double(Float(Double.pi)), Double(Float(Double.pi / 2)), 1]
      ])
    #expect(trace.header.channels.map(\.channel) == [.rotationRate])
  }

  @Test func gravityNamesTheChannel() throws {
    let trace = try csv("t,x,y,z\n0,1,2,3\n", axes) { $0.gravity = .removed }[0].trace
    #expect(trace.header.channels.map(\.channel) == [.userAcceleration])
  }

  @Test func readsSeveralChannelsOfOneRecord() throws {
    let text = "t,ax,ay,az,gx,gy,gz,p\n0,1,2,3,4,5,6,1013.25\n1,1,,3,4,5,6,1000\n"
    let mapping =
      "time=t,x=ax,y=ay,z=az,rotation_rate.x=gx,rotation_rate.y=gy,rotation_rate.z=gz,"
      + "pressure=p[hPa]"
    let imported = try csv(text, mapping) { $0.nanIsMissing = true }[0]
    #expect(try rows(imported.trace) == [[0, 1, 2, 3]])
    #expect(try rows(imported.trace, .rotationRate) == [[0, 4, 5, 6], [1e9, 4, 5, 6]])
    guard case .scalar(let pressures) = try imported.trace[.pressure] else {
      Issue.record("no pressure")
      return
    }
    #expect(pressures.values.map(\.value) == [101_325, 100_000])
    #expect(imported.report.missing == 1)
    #expect(imported.report.samples == 5)
  }

  @Test func readsAWatchOfARunner() throws {
    let text = """
      time,latitude,longitude,distance,cadence,altitude
      2021-10-24 18:46:23+00:00,52.13188183,21.0715245,0.0,0.0,
      2021-10-24 18:46:24+00:00,52.131874,21.07154333,2.5,0.0,101.5

      """
    let mapping =
      "time=time[iso],latitude=latitude,longitude=longitude,altitude=altitude,"
      + "distance=distance"
    let imported = try csv(text, mapping)[0]
    guard case .fix(let fixes) = try imported.trace[.location] else {
      Issue.record("no location")
      return
    }
    #expect(fixes.measuredTimes == [0, 1_000_000_000])
    #expect(fixes[0].latitude == 52.13188183 && fixes[0].altitude.isNaN)
    #expect(fixes[1].altitude == 101.5 && fixes[1].speed.isNaN)
    #expect(try imported.trace[.odometer]?.count == 2)
    #expect(imported.header.epoch == "2021-10-24T18:46:23Z")
    #expect(imported.header.isEpochKnown)
    #expect(imported.header.end == TraceInstant(nanoseconds: 1_000_000_000))
    #expect(imported.header.id == "a" && imported.header.source == "a.csv")
    #expect(imported.report.unmappedColumns == ["cadence"])
    #expect(imported.report.losses.count == 0 && imported.report.missing == 0)
    #expect(imported.labelOrigin == 0)
  }

  // Times of the file, absolute, then: times of the trace, what was subtracted.
  @Test(
    arguments: [
      (["0", "0.02"], false, [0, 20_000_000], 0),
      (["0.065", "0.085"], false, [0, 20_000_000], 65_000_000),
      (["86400", "86399.5"], false, [500_000_000, 0], 86_399_500_000_000),
      (["-0.002", "0.018"], false, [0, 20_000_000], -2_000_000),
      (["1.5", "-0.5", "1"], false, [2_000_000_000, 0, 1_500_000_000], -500_000_000),
      (["1696409036.9583288", "1696409037"], true, [0, 41_671_200], 1_696_409_036_958_328_800),
    ] as [([String], Bool, [Int64], Int64)])
  func placesTheOrigin(
    times: [String], isUnix: Bool, expected: [Int64], origin: Int64
  ) throws {
    let text = "t,x,y,z\n" + times.map { "\($0),1,2,3\n" }.joined()
    let imported = try csv(text, axes) { $0.epochUnix = isUnix }[0]
    #expect(try imported.trace[.acceleration]?.measuredTimes == expected)
    #expect(imported.origin == origin)
    #expect(imported.labelOrigin == (isUnix ? 0 : origin))
    #expect(imported.header.end.nanoseconds == expected.max())
    #expect(imported.report.notes.count == (origin == 0 || isUnix ? 0 : 1))
  }

  // The first time, and what the report says of it.
  @Test(
    arguments: [
      ("0", []),
      (
        "0.0652317",
        [
          "Times are shifted by -0.0652317 s, so that the trace starts at its earliest sample; "
            + "labels are shifted by the same amount."
        ]
      ),
      (
        "-0.002",
        [
          "Times are shifted by 0.002 s, so that the trace starts at its earliest sample; labels "
            + "are shifted by the same amount."
        ]
      ),
    ] as [(String, [String])])
  func reportsTheShift(time: String, notes: [String]) throws {
    #expect(try csv("t,x,y,z\n\(time),1,2,3\n", axes)[0].report.notes == notes)
  }

  @Test func suspectsUnixTimes() throws {
    let imported = try csv("t,x,y,z\n1696409036,1,2,3\n", axes)[0]
    #expect(
      imported.report.notes == [
        "Times are shifted by -1696409036 s, so that the trace starts at its earliest sample; "
          + "labels are shifted by the same amount.",
        "The first time is 1696409036 s after zero: if these are Unix times, pass --epoch unix.",
      ])
  }

  @Test func keepsArrivals() throws {
    let text = "t,a,x,y,z\n10,30,1,2,3\n20,30,4,5,6\n"
    let imported = try csv(text, "time=t[ms],arrived=a[ms],x=x,y=y,z=z")[0]
    #expect(try imported.trace[.acceleration]?.measuredTimes == [0, 10_000_000])
    #expect(try imported.trace[.acceleration]?.arrivedTimes == [20_000_000, 20_000_000])
    #expect(imported.header.info(.acceleration)?.hasArrivalTimes == true)
    #expect(imported.header.end.nanoseconds == 20_000_000)
  }

  @Test func countsAndKeepsTimesAsTheyAre() throws {
    let text = "t,x,y,z\n2,1,0,0\n2,2,0,0\n1,3,0,0\n3,4,0,0\n"
    let kept = try csv(text, axes)[0]
    #expect(try rows(kept.trace).map { $0[1] } == [1, 2, 3, 4])
    #expect(kept.report.duplicatedTimes == 1 && kept.report.backwardTimes == 1)
    let sorted = try csv(text, axes) { $0.sort = true }[0]
    #expect(try rows(sorted.trace).map { $0[1] } == [3, 1, 2, 4])
    #expect(sorted.report == kept.report)
  }

  static let damaged = "t,x,y,z\n0,1,2,3\n1,1,2\n2,one,2,3\n3,1,2,3,4\nx,1,2,3\n4,1,2,3\n5,,2,3\n"

  @Test func reportsAndCountsDamage() throws {
    let imported = try csv(Self.damaged, axes)[0]
    #expect(try rows(imported.trace).map { $0[0] } == [0, 4e9])
    #expect(imported.report.recordsRead == 7 && imported.report.losses.count == 5)
    #expect(
      imported.report.losses.first.map(\.description) == [
        "a.csv:3: expected 4 cells, found 3; check the separators in the line",
        "a.csv:4: expected a number in column \"x\", found \"one\"",
        "a.csv:5: expected 4 cells, found 5; check the separators in the line",
        "a.csv:6: expected a time in column \"t\", found \"x\"",
        "a.csv:8: expected a number in column \"x\", found \"\"",
      ])
    #expect(
      message { _ = try csv(Self.damaged, axes) { $0.strict = true } }
        == "a.csv:3: expected 4 cells, found 3; check the separators in the line")
  }

  @Test func keepsTheFirstTwentyLosses() throws {
    let text = "t,x,y,z\n" + String(repeating: "1,2\n", count: 100)
    let losses = try csv(text, axes)[0].report.losses
    #expect(losses.count == 100 && losses.first.count == 20)
  }

  @Test func missingIsDamageUnlessStated() throws {
    let text = "t,x,y,z\n0,NaN,2,3\n1,1,2,3\n"
    let damaged = try csv(text, axes)[0].report
    #expect(damaged.losses.count == 1 && damaged.missing == 0)
    let missing = try csv(text, axes) { $0.nanIsMissing = true }[0].report
    #expect(missing.losses.count == 0 && missing.missing == 1 && missing.samples == 1)
  }

  @Test(arguments: [
    ("latitude=x,longitude=y", "90.1,0", "expected a number from -90.0 to 90.0 in column \"x\""),
    ("latitude=x,longitude=y", "0,-181", "expected a number from -180.0 to 180.0 in column \"y\""),
    ("x=x,y=y,z=y", "1e300,0", "expected a number from -3.4028235e+38"),
    ("pressure=x", "1e400,0", "expected a finite number in column \"x\""),
  ])
  func refusesNumbersOutOfRange(mapping: String, cells: String, expected: String) throws {
    let imported = try csv("t,x,y\n0,\(cells)\n", "time=t," + mapping)[0]
    let loss = try #require(imported.report.losses.first.first?.description)
    #expect(loss.hasPrefix("a.csv:2: " + expected), "\(loss)")
  }

  @Test func splitsByAColumn() throws {
    let text = "t,x,y,z,rec,who\n5,1,0,0,b,ann\n1,2\n6,2,0,0,b,ann\n1,3,0,0,a,bob\n7,4,0,0,b,ann\n"
    let parts = try csv(text, axes) {
      $0.splitBy = "rec"
      $0.metadata = try! CSVMetadata(parsing: "subject=who")
    }
    #expect(parts.map(\.header.id) == ["a-b", "a-a"])
    #expect(parts.map(\.header.subject) == ["ann", "bob"])
    #expect(try parts.map { try rows($0.trace).map { $0[1] } } == [[1, 2, 4], [3]])
    // Each part starts at its own first sample.
    #expect(try parts.map { try rows($0.trace).map { $0[0] } } == [[0, 1e9, 2e9], [0]])
    #expect(parts.map(\.origin) == [5_000_000_000, 1_000_000_000])
    #expect(parts.map(\.report.losses.count) == [1, 0])
    #expect(parts.map(\.report.recordsRead) == [4, 1])
    #expect(parts.allSatisfy { $0.report.unmappedColumns.isEmpty })
  }

  @Test func notesMetadataThatChanges() throws {
    let text = "t,x,y,z,who\n0,1,0,0,ann\n2,2,0,0,bob\n3,2,0,0,eve\n"
    let imported = try csv(text, axes) { $0.metadata = try! CSVMetadata(parsing: "subject=who") }
    #expect(
      imported[0].report.notes
        == ["The subject is not constant: \"ann\" is kept, line 3 has \"bob\"."])
  }

  @Test func makesReferencesOfRuns() throws {
    let text = """
      t,x,y,z,label,hand
      1,0,0,0,none,left
      2,0,0,0,jab,left
      3,0,0,0,jab,left
      4,0,0,0,,left
      5,0,0,0,lead hook,left
      6,0,0,0,jab,left
      """
    let imported = try csv(text, axes) {
      $0.referenceColumn = "label"
      $0.noEventLabel = "none"
      $0.metadata = try! CSVMetadata(parsing: "hand=hand")
    }
    let events = try #require(imported[0].header.reference(.punch)).events
    #expect(events.map { $0.onset.seconds } == [1, 4, 5])
    #expect(events.map { $0.offset.seconds } == [2, 4, 5])
    #expect(events.map(\.label) == ["straight", "hook", "straight"])
    #expect(events.map(\.originalLabel) == ["jab", "lead hook", "jab"])
    #expect(events.map(\.hand) == [.left, .lead, .left])
  }

  // Faults of the whole file or mapping.
  @Test(
    arguments: [
      ("", axes, "a.csv:1: expected a header line, found an empty file; check the recording"),
      (
        "t,x,y,z\n", "x=x,y=y,z=z",
        "mapping: expected a column for time, found none; add time=column[unit]"
      ),
      (
        "t,x,y,z\n", "time=t",
        "mapping: expected a column other than time, found none; add e.g. x=ax[g],y=ay[g],z=az[g]"
      ),
      (
        "t,x,y,z\n", "time=t,x=x,y=y",
        "mapping: expected x, y and z of acceleration, found one of them unmapped; map a column to each"
      ),
      (
        "t,x,y\n", axes,
        "a.csv:1: expected a column \"z\", found \"t\", \"x\", \"y\"; correct the column name, or pass --separator"
      ),
      (
        "t,x,x,z\n", "time=t,x=x,y=x,z=z",
        "a.csv:1: expected one column \"x\", found 2; use the column number, e.g. #2"
      ),
      (
        "t,x,y,z\n", "time=t,x=x[kg],y=y,z=z",
        "mapping of x: expected a unit of acceleration: m/s2, m/s^2, g, mg, found \"kg\"; quote a column name that ends with a bracket"
      ),
      (
        "t,x,y,z\n", "time=t[g],x=x,y=y,z=z",
        "mapping of time: expected a unit of time: s, ms, us, ns, iso, found \"g\"; state the unit of the column"
      ),
      (
        "t,x,y,z\n", "time=t[iso],arrived=x,x=x,y=y,z=z",
        "mapping: expected the same clock for time and arrived, found an ISO date and a number; pass --epoch unix if the numbers are Unix times"
      ),
      (
        "t,x,y,z\n", "time=t,x=x,y=y,z=z,acceleration.x=x",
        "mapping: expected each axis of acceleration once, found acceleration.x twice; map one column to it"
      ),
      (
        "\"t,x\n0,1\n", axes,
        "a.csv:1: expected a closing quote, found the end of the file; close the quote: the text after it is not read"
      ),
    ])
  func refusesFilesThatDoNotFit(text: String, mapping: String, expected: String) {
    #expect(message { _ = try csv(text, mapping) } == expected)
  }

  @Test(
    arguments: [
      (
        nil, nil,
        "mapping: expected a statement whether accelerations include gravity, found none; pass --gravity included or --gravity removed"
      ),
      (
        .location, nil,
        "mapping: expected a channel with x, y and z, found location; pass --channel acceleration, user_acceleration or rotation_rate"
      ),
      (
        .acceleration, .removed,
        "mapping: expected user_acceleration, as --gravity states, found acceleration; pass --gravity or --channel, not both"
      ),
    ] as [(Channel?, GravityStatement?, String)])
  func asksForWhatTheFileDoesNotState(
    channel: Channel?, gravity: GravityStatement?, expected: String
  ) {
    let found = message {
      _ = try csv("t,x,y,z\n", axes) {
        $0.channel = channel
        $0.gravity = gravity
      }
    }
    #expect(found == expected)
  }

  @Test(arguments: [
    (
      "t,x,y,z\n\"1\"2,1,2,3\n3,1,2,3\n",
      "a.csv:2: expected a separator after the closing quote, found \"2\"; double a quote inside quotes",
      1
    ),
    (
      "t,x,y,z\n1,1,2,3\n2,\"1,2,3\n3,1,2,3\n",
      "a.csv:3: expected a closing quote, found the end of the file; close the quote: the text after it is not read",
      1
    ),
    (
      "t,x,y,z\n1,1,2,\"3\n\"\n2,1,2,\n", "a.csv:4: expected a number in column \"z\", found \"\"",
      1
    ),
  ])
  func reportsBadQuotes(text: String, loss: String, samples: Int) throws {
    for chunk in [1, 2, 3, 1000] {
      let report = try csv(text, axes, chunk: chunk)[0].report
      #expect(report.losses.first.map(\.description) == [loss])
      #expect(report.samples == samples)
    }
  }

  @Test func refusesARecordWithoutEnd() {
    let text = "t,x,y,z\n1,\"" + String(repeating: "1,2,3\n", count: 400_000)
    #expect(
      message { _ = try csv(text, axes) }
        == "a.csv:2: expected a record of at most 1 MiB, found a longer one; check for a missing closing quote or bracket"
    )
  }

  @Test(arguments: [
    ("\u{1}\u{2}", "x"), ("time=t,time=u", "each target once"), ("speed", "target=column"),
    ("colour=c", "one of the targets"), ("x=", "a column name"), ("x=\"a", "a closing quote"),
    ("x=\"a\"b", "a column name"), ("x=a\"b\"", "a column name"), ("", "target=column"),
    ("x=[g]", "a column name"),
  ])
  func refusesMalformedMappings(text: String, expected: String) {
    let found = message { _ = try CSVMapping(parsing: text) }
    #expect(found?.contains(expected) == true, "\(found ?? "no error")")
  }

  @Test(arguments: ["date=#1,time=#2", "time=Time of day[iso],date=Date[iso]"])
  func joinsADateAndATimeOfDay(time: String) throws {
    let text = """
      Date,Time of day,x,y,z
      2022-05-01,10:00:00.25,1,2,3
       2022-05-01 ,10:00:01 ,1,2,3
      2022-05-01,10:00:01+02:00,1,2,3
      "2022-06-30",23:59:60,1,2,3
      01.05.2022,10:00:02,1,2,3

      """
    let imported = try csv(text, time + ",x=x,y=y,z=z")[0]
    #expect(imported.header.epoch == "2022-05-01T08:00:01Z")
    let block = try #require(try imported.trace[.acceleration])
    #expect(block.measuredTimes.map { $0 / 1_000_000 } == [7_199_250, 7_200_000, 0, 5_241_599_000])
    #expect(imported.report.unmappedColumns.isEmpty)
    #expect(
      imported.report.notes == [
        "Dates without a zone are read as UTC.",
        "Leap seconds (…:60), read as the next second: 1.",
      ])
    #expect(
      imported.report.losses.first.map(\.description) == [
        "a.csv:6: expected a date such as 2022-05-01, and a time of the day in column \"Time of "
          + "day\", found \"01.05.2022\" and \"10:00:02\"; write dates as YYYY-MM-DD: the order "
          + "of day and month is not guessed"
      ])
  }

  @Test(arguments: [
    (
      "time=t[iso]", "2022-05-01",
      "an ISO 8601 date and time in column \"t\", found \"2022-05-01\"; map the time of day too: "
        + "date=column,time=column"
    ),
    (
      "time=t", "5/1/22 10:00",
      "a time in column \"t\", found \"5/1/22 10:00\"; write dates as YYYY-MM-DD: the order of "
        + "day and month is not guessed"
    ),
    (
      "time=t", "2022-05-01T10:00:00Z",
      "a time in column \"t\", found \"2022-05-01T10:00:00Z\"; map a date and time as time=t[iso]"
    ),
    (
      "time=t[iso]", "1066-10-14T09:00:00Z",
      "a date from 1677-09-22 to 2262-04-11 in column \"t\", found \"1066-10-14T09:00:00Z\""
    ),
    (
      "time=t[ns]", "-9223372036854775808",
      "a time in column \"t\", found \"-9223372036854775808\""
    ),
    ("time=t[ns]", "9223372036854775807", "a time in column \"t\", found \"9223372036854775807\""),
    ("time=t", "1.2.3.4", "a time in column \"t\", found \"1.2.3.4\""),
  ])
  func statesHowToWriteDates(time: String, value: String, expected: String) {
    let text = "t,x,y,z\n\(value),1,2,3\n"
    #expect(
      message { _ = try csv(text, time + ",x=x,y=y,z=z") { $0.strict = true } }
        == "a.csv:2: expected \(expected)")
  }

  /// More parts and records than may be kept in memory.
  @Test(.longer) func splitsIntoManyParts() throws {
    let (parts, records) = (40, LongTests.count(quick: 54_000, long: 270_000))
    var text = "t,x,y,z,p\n"
    for index in 0..<records { text += "\(index),\(index % 100),0,0,\(index % parts)\n" }
    let imported = try csv(text, "time=t[ns],x=x,y=y,z=z") { $0.splitBy = "p" }
    #expect(imported.count == parts && imported.allSatisfy { $0.report.samples == records / parts })
    let last = try #require(try imported[parts - 1].trace[.acceleration])
    #expect(last.measuredTimes == (0..<records / parts).map { Int64($0 * parts) })
  }

  @Test func positionsInALocalFrameAreTheirOwnChannel() throws {
    let imported = try csv("t,x,y\n0,-1.5,2\n5,0.25,3e3\n", "time=t,local.x=x,local.y=y[km]")[0]
    guard case .local(let positions)? = try imported.trace[.local] else {
      Issue.record("no channel local")
      return
    }
    #expect(
      positions.values == [LocalPosition(x: -1.5, y: 2000), LocalPosition(x: 0.25, y: 3e6)])
    #expect(
      message { _ = try csv("t,x\n0,1\n", "time=t,local.x=x") }
        == "mapping: expected local.x and local.y, found one of them unmapped; map a column to "
        + "each")
  }

  /// The label of a visit is kept as it is, and so is a name that would be a punch.
  @Test func runsOfLabelsBelongToTheTask() throws {
    let text = "t,a,o,stop\n0,1,1,FALSE\n1,1,1,TRUE\n2,1,1,TRUE\n3,1,1,left hook\n4,1,1,\n"
    let imported = try csv(text, "time=t,latitude=a,longitude=o") {
      $0.referenceColumn = "stop"
      $0.referenceTask = .visit
      $0.noEventLabel = "FALSE"
    }[0]
    #expect(imported.header.references.map(\.task) == [.visit])
    let second = Int64(1_000_000_000)
    #expect(
      imported.header.reference(.visit)?.events == [
        ReferenceEvent(
          onset: TraceInstant(nanoseconds: second), offset: TraceInstant(nanoseconds: 2 * second),
          label: "TRUE"),
        ReferenceEvent(onset: TraceInstant(nanoseconds: 3 * second), label: "left hook"),
      ])
  }

  @Test func aDateMayHaveAColumnOfItsOwn() throws {
    let text = "d,t,p\n2022-11-06,23:59:59.5,1\n2022-11-07,00:00:00,2\n2022-13-01,00:00:00,3\n"
    let imported = try csv(text, "date=d,time=t,pressure=p")[0]
    #expect(imported.header.epoch == "2022-11-06T23:59:59.500Z")
    #expect(try imported.trace[.pressure]?.measuredTimes == [0, 500_000_000])
    #expect(
      imported.report.losses.first.map(\.description) == [
        "a.csv:4: expected a date such as 2022-05-01, and a time of the day in column \"t\", found "
          + "\"2022-13-01\" and \"00:00:00\""
      ])
    #expect(
      message { _ = try csv(text, "date=d,time=t[ms],pressure=p") }
        == "mapping of date: expected a date and a time of the day, both iso, found \"ms\"; write "
        + "date=column,time=column")
  }
}
