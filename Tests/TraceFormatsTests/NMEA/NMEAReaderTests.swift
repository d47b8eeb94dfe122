import Testing
import TraceModel

@testable import TraceFormats

/// A sentence with its checksum, without a line end.
func sentence(_ body: String) -> String {
  let sum = body.utf8.reduce(0, ^)
  return "$\(body)*\(sum < 16 ? "0" : "")\(String(sum, radix: 16, uppercase: true))"
}

func nmea(
  _ lines: [String], ending: String = "\r\n", chunk: Int = ByteSource.chunkSize,
  _ change: (inout RecordingOptions) -> Void = { _ in }
) throws(TraceError) -> ImportedTrace {
  var options = RecordingOptions()
  change(&options)
  let text = lines.map { $0 + ending }.joined()
  return try NMEAReader.read(source(text, name: "a.nmea", chunk: chunk), options: options)
}

extension ImportedTrace {
  fileprivate var fixes: FixColumns {
    get throws {
      guard case .fix(let columns) = try trace[.location] else { return FixColumns() }
      return columns
    }
  }

  fileprivate func finding(_ code: String) -> Finding? {
    report.findings.first { $0.code == code }
  }
}

@Suite struct NMEAReaderTests {
  /// Sentences from documentation of the format, with the printed checksums.
  static let documented = [
    "$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47",
    "$GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W*6A",
  ]

  static func rmc(
    _ time: String, _ date: String = "010522", status: String = "A", speed: String = "2",
    latitude: String = "4630.5"
  ) -> String {
    sentence("GPRMC,\(time),\(status),\(latitude),N,01330.25,E,\(speed),90.5,\(date),,,A")
  }

  static func gga(_ time: String, quality: String = "1", talker: String = "GP") -> String {
    sentence("\(talker)GGA,\(time),4630.5,N,01330.25,E,\(quality),08,0.9,120.5,M,46.9,M,,")
  }

  private func first(_ imported: ImportedTrace) throws -> Fix {
    try #require(try imported.fixes.values.first)
  }

  @Test func sentencesOfOneTimeBecomeOneFix() throws {
    let imported = try nmea(Self.documented)
    let fixes = try imported.fixes
    #expect(fixes.count == 1 && imported.report.recordsRead == 2)
    let fix = try first(imported)
    // 48° 7.038' and 11° 31'.
    #expect(fix.latitude == 48.1173 && abs(fix.longitude - 11.516_666_666_666_667) < 1e-14)
    #expect(fix.altitude == 545.4 && fix.course == 84.4 && fix.horizontalAccuracy.isNaN)
    // Knots of 1852 m.
    #expect(abs(fix.speed - 22.4 * 1852 / 3600) < 1e-12)
    #expect(imported.header.epoch == "1994-03-23T12:35:19Z" && imported.header.isEpochKnown)
    #expect(imported.origin == 764_426_119_000_000_000)
    #expect(imported.finding("gps-week-rollover")?.severity == .warning)
    #expect(
      imported.report.unmappedColumns == [
        "fix quality", "satellites", "hdop", "geoid separation", "magnetic variation",
      ])
  }

  @Test func aDocumentedGNSIsRead() throws {
    let imported = try nmea([
      sentence(
        "GPGNS,224749.00,3333.4268304,N,11153.3538273,W,D,19,0.6,406.110,-26.294,6.0,0138,S,")
    ])
    let fix = try first(imported)
    #expect(abs(fix.latitude - (33 + 33.426_830_4 / 60)) < 1e-13)
    #expect(abs(fix.longitude + (111 + 53.353_827_3 / 60)) < 1e-13)
    #expect(fix.altitude == 406.11)
    #expect(!imported.header.isEpochKnown && imported.origin == 82_069_000_000_000)
    #expect(imported.report.notes.contains { $0.contains("No sentence states a date") })
  }

  /// Any change of one character is reported, and the neighbouring sentences are read.
  @Test func everyDamagedCharacterIsFound() throws {
    let whole = Array(Self.rmc("120001").utf8)
    var generator = SeededGenerator(seed: 11)
    for position in 1..<whole.count {
      var damaged = whole
      repeat {
        damaged[position] = 0x20 + UInt8(generator.next() % 0x5F)
      } while damaged[position] == whole[position]
        // Hexadecimal digits count in either case, and $ starts another sentence.
        || damaged[position] ^ whole[position] == 0x20 || damaged[position] == 0x24
      let text = String(decoding: damaged, as: UTF8.self)
      let imported = try nmea([Self.rmc("120000"), text, Self.rmc("120002")])
      #expect(imported.report.losses.count == 1, "\(text)")
      #expect(imported.report.losses.first.first?.place == "a.nmea:2")
      #expect(imported.report.samples == 2 && imported.report.recordsRead == 3)
    }
  }

  @Test func wrongChecksumsAreCounted() throws {
    let wrong = Self.rmc("120001").replacing("*", with: "0*")
    let lines = [Self.rmc("120000")] + Array(repeating: wrong, count: 25)
    let imported = try nmea(lines)
    #expect(imported.report.losses.count == 25 && imported.report.losses.first.count == 20)
    #expect(imported.finding("bad-checksum")?.count == 25)
    #expect(imported.finding("bad-checksum")?.message.contains("25 of 26 sentences") == true)
  }

  @Test func timesWithoutAFixAreMissing() throws {
    let imported = try nmea([
      sentence("GPRMC,,V,,,,,,,,,,N"), sentence("GPGGA,,,,,,0,,,,M,,M,,"),
      Self.gga("120001", quality: "0"), Self.rmc("120001", status: "V"),
      // One system has no fix, the receiver has.
      Self.gga("120002"), Self.gga("120002", quality: "0", talker: "GL"), Self.rmc("120002"),
      // The receiver marks its own position as invalid.
      Self.gga("120003"), Self.rmc("120003", status: "V"),
    ])
    #expect(imported.report.missing == 3 && imported.report.samples == 1)
    #expect(try imported.trace.header.end == .zero)
    let finding = imported.finding("void-fix")
    #expect(finding?.count == 3)
    #expect(finding?.message.contains("GPRMC 3, GPGGA 2, GLGGA 1") == true)
  }

  @Test func anUnstatedQualityIsNotAMissingFix() throws {
    #expect(try nmea([Self.gga("120001", quality: "")]).report.samples == 1)
  }

  // MARK: Time

  struct Times: Sendable {
    var lines: [String]
    /// Seconds.
    var times: [Double]
    var epoch: String
  }

  @Test(arguments: [
    // Midnight between dated sentences, and with an earlier date.
    Times(
      lines: [rmc("235959.5", "311221"), rmc("000000.5", "010122")], times: [0, 1],
      epoch: "2021-12-31T23:59:59.500Z"),
    Times(
      lines: [rmc("235959", "311221"), gga("000000"), gga("000001")], times: [0, 1, 2],
      epoch: "2021-12-31T23:59:59Z"),
    // The first fixes come before any date.
    Times(
      lines: [gga("235959"), gga("000000"), rmc("000001", "010122")], times: [0, 1, 2],
      epoch: "2021-12-31T23:59:59Z"),
    // From ZDA: of the same time, of one that is still to come, of just after midnight.
    Times(
      lines: [gga("120000"), sentence("GPZDA,120000,01,05,2022,00,00"), gga("120001")],
      times: [0, 1], epoch: "2022-05-01T12:00:00Z"),
    Times(
      lines: [sentence("GPZDA,120000,01,05,2022,00,00"), gga("120001")], times: [0],
      epoch: "2022-05-01T12:00:01Z"),
    Times(
      lines: [gga("235959.9"), sentence("GPZDA,000000,02,05,2022,00,00")], times: [0],
      epoch: "2022-05-01T23:59:59.900Z"),
    // 1980 to 1999 and 2000 to 2079.
    Times(lines: [rmc("000000", "060180")], times: [0], epoch: "1980-01-06T00:00:00Z"),
    Times(lines: [rmc("000000", "311279")], times: [0], epoch: "2079-12-31T00:00:00Z"),
    // Backwards stays backwards: the earliest time is zero.
    Times(
      lines: [rmc("120002"), rmc("120001"), rmc("120001"), rmc("120003")], times: [1, 0, 0, 2],
      epoch: "2022-05-01T12:00:01Z"),
    Times(
      lines: [rmc("120000.123456789")], times: [0], epoch: "2022-05-01T12:00:00.123456789Z"),
    Times(lines: [gga("120000")], times: [0], epoch: TraceHeader.unknownEpoch),
  ])
  func timesAreThoseOfTheDay(case times: Times) throws {
    let imported = try nmea(times.lines)
    #expect(try imported.fixes.measuredTimes == times.times.map { Int64($0 * 1e9) })
    #expect(imported.header.epoch == times.epoch)
  }

  @Test func orderIsCountedAndMadeOnRequest() throws {
    let lines = ["120002", "120001", "120001", "120003"].map { Self.rmc($0) }
    let imported = try nmea(lines)
    #expect(imported.report.backwardTimes == 1 && imported.report.duplicatedTimes == 1)
    let sorted = try nmea(lines) { $0.sort = true }
    #expect(try sorted.fixes.measuredTimes == [0, 0, 1_000_000_000, 2_000_000_000])
  }

  /// A receiver that states whole seconds and five fixes in each.
  @Test func fixesOfOneSecondStayApart() throws {
    let cycle = [Self.gga("120000"), Self.rmc("120000")]
    let imported = try nmea(Array(repeating: cycle, count: 5).flatMap { $0 })
    #expect(imported.report.samples == 5 && imported.report.duplicatedTimes == 4)
  }

  @Test func aLeapOf1024WeeksIsToldAndNotMoved() throws {
    let imported = try nmea([
      Self.rmc("120000", "010522"), Self.rmc("120001", "150902"), Self.rmc("120002", "010522"),
    ])
    #expect(imported.finding("gps-week-rollover")?.count == 2)
    #expect(imported.header.epoch == "2002-09-15T12:00:01Z")
    #expect(imported.report.backwardTimes == 1)
  }

  // MARK: Values

  @Test func aVTGBelongsToItsFixInAnyOrder() throws {
    let tracks = (1...2).map {
      sentence("GPVTG,\($0)0.0,T,,M,\($0).0,N,\(Double($0) * 1.852),K,A")
    }
    let after = try nmea([Self.gga("120001"), tracks[0], Self.gga("120002"), tracks[1]])
    let before = try nmea([tracks[0], Self.gga("120001"), tracks[1], Self.gga("120002")])
    #expect(try after.fixes.values.map(\.course) == [10, 20])
    // The first sentence can only belong to the next fix; after that the order decides.
    #expect(try before.fixes.values.map(\.course) == [10, 20])
    let kilometres = try nmea([Self.gga("120001"), sentence("GPVTG,5,T,,M,,N,36.0,K")])
    #expect(try first(kilometres).speed == 10)
  }

  @Test func accuracyComesFromHDOPOnRequest() throws {
    let active = sentence("GPGSA,A,3,01,02,03,,,,,,,,,,2.5,1.5,1.9")
    let lines = [Self.gga("120001"), active, Self.rmc("120002"), active]
    let imported = try nmea(lines) { $0.gpx.metersPerHDOP = 5 }
    #expect(try imported.fixes.values.map(\.horizontalAccuracy) == [4.5, 7.5])
    #expect(!imported.report.unmappedColumns.contains("hdop"))
    #expect(try nmea(lines).fixes.values.allSatisfy { $0.horizontalAccuracy.isNaN })
  }

  @Test func southAndWestAreNegative() throws {
    let imported = try nmea([sentence("GNGLL,0000.0001,S,18000,W,120000,A,A")])
    let fix = try first(imported)
    #expect(abs(fix.latitude + 0.0001 / 60) < 1e-18 && fix.longitude == -180)
  }

  @Test(arguments: [("NN", 0), ("NA", 1), ("AN", 1), ("RDNN", 1)])
  func aFixOfAnySystemIsOne(modes: String, count: Int) throws {
    let imported = try nmea([
      sentence("GNGNS,120000,4630.5,N,01330.25,E,\(modes),08,0.9,1.5,46.9,,")
    ])
    #expect(imported.report.samples == count)
  }

  /// Positions come back to the last digit that the sentence has.
  @Test(arguments: 0..<20)
  func positionsKeepTheirDigits(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func digits(_ count: Int) -> String {
      (0..<count).map { _ in "\(generator.next() % 10)" }.joined()
    }
    for decimals in 0...9 {
      let degrees = Int(generator.next() % 90)
      let minutes = Int(generator.next() % 60)
      let rest = digits(decimals)
      let number = "\(degrees * 100 + minutes)\(decimals > 0 ? "." : "")\(rest)"
      let imported = try nmea([sentence("GPGLL,\(number),N,\(number),W,120000,A")])
      let expected = Double(degrees) + (Double("\(minutes).\(rest)0") ?? .nan) / 60
      let fix = try first(imported)
      #expect(abs(fix.latitude - expected) <= 2 * expected.ulp, "seed \(seed): \(number)")
      #expect(fix.longitude == -fix.latitude)
    }
  }

  // MARK: What stands between sentences

  @Test(arguments: ["\n", "\r\n", "\r"])
  func lineEndsDoNotMatter(ending: String) throws {
    let lines = [
      "# a comment with $GPRMC in it", Self.rmc("120000"), "",
      "2022-05-01 12:00:01 " + Self.rmc("120001"),
      Self.rmc("120002").replacing("A,4", with: "A,5"), "some text", Self.gga("120003") + "  ",
      "RMC,120004,A,4630.5,N*6A",
    ]
    let imported = try nmea(lines, ending: ending)
    #expect(imported.report.samples == 3)
    #expect(imported.report.losses.first.map(\.place) == ["a.nmea:5", "a.nmea:8"])
    #expect(imported.finding("other-text")?.count == 1)
    #expect(imported.finding("extra-text")?.count == 1)
  }

  /// The result depends neither on the chunks nor on binary messages between sentences.
  @Test(arguments: [1, 2, 3, 7, 64, 1 << 18])
  func binaryMessagesAreCounted(chunk: Int) throws {
    // UBX begins with B5 62, SiRF with A0 A2; a $ in them starts no sentence.
    let binary: [UInt8] = [0xB5, 0x62, 0x01, 0x24, 0x41, 0x02, 0x0A, 0xA0, 0xA2, 0x2A, 0xB0, 0xB3]
    var bytes = Array((Self.rmc("120000") + "\r\n").utf8) + binary
    bytes += Array((Self.rmc("120001") + "\r\n").utf8) + binary + [0x0A]
    bytes += Array(Self.rmc("120002").utf8)
    let imported = try NMEAReader.read(
      ByteSource(bytes: bytes, name: "a.nmea", chunk: chunk), options: RecordingOptions())
    #expect(imported.report.samples == 3 && imported.report.losses.count == 0)
    #expect(imported.finding("binary-data")?.count == 22)
  }

  @Test func megabytesWithoutALineEndAreRead() throws {
    let bytes =
      [UInt8](repeating: 0xFF, count: 3 << 20) + Array(Self.rmc("120000").utf8)
      + [UInt8](repeating: 0x41, count: 3 << 20)
    let imported = try NMEAReader.read(
      ByteSource(bytes: bytes, name: "a.nmea"), options: RecordingOptions())
    #expect(imported.report.samples == 1)
    #expect(imported.finding("binary-data")?.count == 6 << 20)
  }

  @Test func longSentencesAreRead() throws {
    let long = sentence(
      "GPRMC,120000,A,4630.5,N,01330.25,E,2,90.5,010522,,,A" + String(repeating: ",1", count: 100))
    #expect(try nmea([long]).report.samples == 1)
  }

  @Test func sentencesWithoutChecksumsAreTaken() throws {
    let bare = "$GPRMC,120000,A,4630.5,N,01330.25,E,2,90.5,010522,,"
    let imported = try nmea([bare, bare.replacing("120000", with: "120001")])
    #expect(imported.report.samples == 2 && imported.finding("no-checksum")?.count == 2)
    // Where the others have one, its end is missing.
    let mixed = try nmea([Self.rmc("120000"), bare.replacing("120000", with: "120001")])
    #expect(mixed.report.samples == 1 && mixed.report.losses.count == 1)
  }

  @Test func otherSentencesAreListed() throws {
    let imported = try nmea([
      sentence("PTFTTXT,hello"), Self.rmc("120000"), sentence("GPGSV,1,1,00"),
      sentence("GLGSV,1,1,00"), sentence("GPGSV,1,1,00"), sentence("IIXDR,C,1,C,A"),
    ])
    #expect(imported.report.unmappedColumns == ["PTFTTXT", "GPGSV", "GLGSV", "IIXDR"])
    #expect(imported.report.recordsRead == 6 && imported.report.samples == 1)
  }

  @Test func theFormatIsKnownByItsSentences() {
    func reason(_ text: String) -> String? { NMEAReader.recognise(Array(text.utf8)) }
    #expect(
      reason(Self.documented[0] + "\r\n")
        == "sentences with right checksums at its start (1)")
    #expect(
      reason("# log\n\u{1}\u{2}" + Self.documented.joined(separator: "\n"))?.hasSuffix("(2)")
        == true)
    #expect(
      reason("$GPGGA,1,2,3,4,5,6\n") == "sentences about fixes at its start (1)")
    #expect(reason("time,lat,lon\n$5,10,20\n") == nil)
    #expect(reason("") == nil && reason("$\n$$$\n") == nil)
  }

  // MARK: Messages

  struct Refused: Sendable {
    var line: String
    var message: String
  }

  @Test(arguments: [
    Refused(
      line: "$GPRMC,120000,A,4630.5,N,01330.25,E,2,90.5,010522,,,A*00",
      message: "expected GPRMC with the checksum 00, found bytes with the checksum 65; check the "
        + "connection to the receiver: the sentence is damaged"),
    Refused(
      line: "$GPRMC,120000,A*4",
      message: "expected a complete sentence GPRMC, found no two-digit checksum at the end"),
    Refused(
      line: "$GPRMC,12$GPGLL,,,,,,V*06",
      message: "expected a complete sentence GPRMC, found the start of the next sentence"),
    Refused(
      line: "$GPRMC,12\u{1}",
      message: "expected a complete sentence GPRMC, found a byte that is not text"),
    Refused(
      line: "$GPRMC," + String(repeating: "1", count: 900),
      message: "expected a complete sentence GPRMC, found more than 820 characters"),
    Refused(
      line: "$hello", message: "expected a sentence such as $GPRMC,…, found \"$hello\""),
    Refused(
      line: "20000,A,4630.5,N*6A",
      message: "expected a sentence that begins with $, found the end of a sentence; check the "
        + "connection to the receiver"),
    Refused(
      line: sentence("GPRMC,250000,A,4630.5,N,01330.25,E,2,90.5,010522,,"),
      message: "expected a time as hhmmss.ss in GPRMC, found \"250000\""),
    Refused(
      line: sentence("GPRMC,120000,A,4630.5,N,01330.25,E,2,90.5,310222,,"),
      message: "expected a date as ddmmyy in GPRMC, found \"310222\""),
    Refused(
      line: sentence("GPRMC,120000,X,4630.5,N,01330.25,E,2,90.5,010522,,"),
      message: "expected a status of A or V in GPRMC, found \"X\""),
    Refused(
      line: sentence("GPGGA,120000,9000.1,N,01330.25,E,1,08,0.9,120.5,M,46.9,M,,"),
      message: "expected degrees and minutes up to 90, then one of N,S in GPGGA, found "
        + "\"9000.1\",\"N\""),
    Refused(
      line: sentence("GPGLL,4660.0,N,01330.25,E,120000,A"),
      message: "expected degrees and minutes up to 90, then one of N,S in GPGLL, found "
        + "\"4660.0\",\"N\""),
    Refused(
      line: sentence("GPGLL,4630.0,N,01330.25,,120000,A"),
      message: "expected degrees and minutes up to 180, then one of E,W in GPGLL, found "
        + "\"01330.25\",\"\""),
    Refused(
      line: sentence("GPGGA,120000,4630.5,N,01330.25,E,good,08,0.9,120.5,M,46.9,M,,"),
      message: "expected a quality from 0 to 9 in GPGGA, found \"good\""),
    Refused(
      line: sentence("GPGGA,120000,4630.5,N,01330.25,E,1,08,0.9,400,f,46.9,M,,"),
      message: "expected an altitude in M in GPGGA, found \"f\""),
    Refused(
      line: sentence("GPZDA,120000,32,05,2022,00,00"),
      message:
        "expected a date as dd,mm,yyyy in the years 1970 to 2261 in GPZDA, found \"32\",\"05\",\"2022\""
    ),
    Refused(
      line: sentence("GPVTG,1x,T,,M,2,N,3,K"), message: "expected a course in GPVTG, found \"1x\""),
    Refused(
      line: sentence("GPGLL,4630.0,N,01330.25,E,,A"),
      message: "expected a time for the fix, found none"),
  ])
  func messages(case refused: Refused) throws {
    let lines = ["", refused.line]
    #expect(message { _ = try nmea(lines) { $0.strict = true } } == "a.nmea:2: " + refused.message)
    let imported = try nmea(lines + [Self.gga("120001")])
    #expect(imported.report.losses.first.first.map(\.description) == "a.nmea:2: " + refused.message)
    #expect(imported.report.samples == 1)
  }

  @Test func aSentenceThatTheFileCutsOffIsLost() throws {
    let cut = try NMEAReader.read(
      source(Self.gga("120000") + "\n$GPRMC,120001,A,4630", name: "a.nmea"),
      options: RecordingOptions())
    #expect(
      cut.report.losses.first.first?.description
        == "a.nmea:2: expected a complete sentence GPRMC, found the end of the file")
  }

  @Test func aFileWithoutSentencesIsRefused() {
    #expect(
      message { _ = try nmea(["hello", "world"]) }
        == "a.nmea: expected NMEA 0183 sentences such as $GPRMC,…, found none in 2 lines of text "
        + "and 0 other bytes; set the receiver to NMEA, or read its own format with --from "
        + "gpsbabel:FORMAT")
  }
}
