import TestSupport
import Testing
import TraceModel

@testable import TraceFormats

/// Mutated files: a reader gives a result or throws a ``TraceError``, with chunks of any size. A trap
/// ends the test run.
@Suite struct TextFuzzTests {
  /// Bytes that break scanners: their own signs, and extreme numbers.
  static let tokens = [
    "\"", "\"\"", ",", ";", "\t", "\n", "\r", "\r\n", "\u{0}", "\u{FEFF}", "NaN", "1e999", "-",
    "9223372036854775807", "-9223372036854775808", "99999999999999999999", "1e-999", "<", ">", "</",
    "/>", "<!--", "-->", "<![CDATA[", "]]>", "<?", "?>", "&", "&#x110000;", "&amp;", "'", "=",
    "<trkpt lat=\"1\" lon=\"2\">", "</trkpt>", "<gpx>", "<!DOCTYPE x [", "2262-04-12T00:00:00Z",
    "0000-00-00T00:00:00Z", "é", "💥",
  ]

  static func mutated(_ text: String, _ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = Array(text.utf8)
    for _ in 0..<(1 + generator.next() % 4) {
      let position = Int(generator.next() % UInt64(bytes.count + 1))
      let end = min(bytes.count, position + Int(generator.next() % 8))
      let token = Array(tokens[Int(generator.next() % UInt64(tokens.count))].utf8)
      switch generator.next() % 6 {
      case 0: bytes.insert(contentsOf: token, at: position)
      case 1: bytes.replaceSubrange(position..<end, with: token)
      case 2: bytes.removeSubrange(position..<end)
      case 3: bytes.insert(contentsOf: bytes[position..<end], at: position)
      case 4: bytes.replaceSubrange(position..., with: [])
      default:
        if position < bytes.count { bytes[position] = UInt8(truncatingIfNeeded: generator.next()) }
      }
    }
    return bytes
  }

  /// The reader's result as text, in which NaN equals NaN.
  static func outcome<Result>(
    _ bytes: [UInt8], chunk: Int, _ read: (consuming ByteSource) throws(TraceError) -> Result
  ) -> String {
    do throws(TraceError) {
      return try "\(read(ByteSource(bytes: bytes, name: "a", chunk: chunk)))"
    } catch {
      return "error: \(error)"
    }
  }

  /// Inputs that are made of a text.
  static var rounds: Int { LongTests.count(quick: 500, long: 2500) }

  /// - Returns: how many of the inputs were read and how many refused.
  static func run<Result>(
    _ text: String, seed: UInt64, _ read: (consuming ByteSource) throws(TraceError) -> Result
  ) -> (read: Int, refused: Int) {
    var generator = SeededGenerator(seed: seed)
    var refused = 0
    for round in 0..<rounds {
      let bytes = mutated(text, &generator)
      let whole = outcome(bytes, chunk: 1 << 16, read)
      let pieces = outcome(bytes, chunk: 1 + Int(generator.next() % 16), read)
      let isSame = whole == pieces
      #expect(isSame, "seed \(seed) round \(round)")
      if whole.hasPrefix("error: ") { refused += 1 }
    }
    return (rounds - refused, refused)
  }

  @Test(.longer) func csv() throws {
    let text = """
      "t, s";x;y;z;p;l;who
      0,5;1,5;2;3;1013.25;jab;a
      1;"4";5;6;NaN;"lead ""hook""\";a
      1,5;1;2;3;;;b
      -2;1e-3;+2;.5;7;jab;a

      """
    var options = try CSVOptions(
      mapping: CSVMapping(parsing: #"time="t, s",x=x[g],y=y,z=z,pressure=p[hPa]"#))
    options.gravity = .included
    options.nanIsMissing = true
    options.referenceColumn = "l"
    options.splitBy = "who"
    options.sort = true
    let plain = Self.run(text, seed: 1) { input throws(TraceError) in
      try CSVReader.read(input, options: options).map { trace throws(TraceError) in
        try described(trace)
      }
    }
    #expect(plain.read > Self.rounds / 5 && plain.refused > Self.rounds / 25)

    var isoOptions = try CSVOptions(
      mapping: CSVMapping(parsing: "time=t[iso],latitude=a,longitude=o,distance=d[km]"))
    isoOptions.metadata = try CSVMetadata(parsing: "subject=w,handedness=w")
    let iso =
      "t,a,o,d,w\n2021-10-24 18:46:23+00:00,52.1,21.07,0.1,left\n2021-10-24T18:46:24.5Z,-52,21,,\n"
    let fixes = Self.run(iso, seed: 2) { input throws(TraceError) in
      try CSVReader.read(input, options: isoOptions).map { trace throws(TraceError) in
        try described(trace)
      }
    }
    #expect(fixes.read > Self.rounds / 5 && fixes.refused > Self.rounds / 25)
  }

  @Test(.longer) func gpx() {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1"><wpt lat="1" lon="2"/><trk><name>a &amp; b</name><trkseg>
      <trkpt lat="46.5" lon='13.5'><ele>1.5</ele><time>2022-05-01T12:00:00Z</time></trkpt>
      <trkpt lat="46.5" lon="13.5"><time>2022-05-01T12:00:01.5+02:00</time><extensions>
      <x:speed>1</x:speed><x:hr>9</x:hr></extensions></trkpt></trkseg><!-- c --></trk>
      </gpx>
      """
    var options = GPXOptions()
    options.waypointsAsPlaces = true
    options.metersPerHDOP = 5
    options.assumeInterval = .seconds(1)
    let outcomes = Self.run(text, seed: 3) { input throws(TraceError) in
      try described(GPXReader.read(input, options: options))
    }
    let enough = Self.rounds / LongTests.count(quick: 25, long: 10)
    #expect(outcomes.read > enough && outcomes.refused > Self.rounds / 5)
  }

  @Test(.longer) func nmea() {
    let text = """
      # receiver log
      \(sentence("GPRMC,235959.5,A,4630.5,N,01330.25,E,2,90.5,311221,,,A"))
      \(sentence("GNGGA,235959.5,4630.5,S,01330.25,W,1,08,0.9,120.5,M,46.9,M,,"))
      $GPVTG,90.0,T,,M,2.0,N,3.7,K
      $GPGNS,000000.5,4630.5,N,01330.25,E,NA,19,0.6,406.110,-26.294,6.0,0138,S
      \(sentence("GPZDA,000001,01,01,2022,00,00"))
      $GPGLL,4630.5,N,01330.25,E,000001,A,A
      12:00 $GPGSA,A,3,01,02,,,,,,,,,,,2.5,1.5,1.9

      """
    var options = RecordingOptions()
    options.gpx.metersPerHDOP = 5
    options.sort = true
    let outcomes = Self.run(text, seed: 6) { input throws(TraceError) in
      try described(NMEAReader.read(input, options: options))
    }
    // Damage is counted, not refused.
    #expect(outcomes.read > Self.rounds * 24 / 25)
    options.strict = true
    let strict = Self.run(text, seed: 7) { input throws(TraceError) in
      try described(NMEAReader.read(input, options: options))
    }
    #expect(strict.read > Self.rounds / 25 && strict.refused > Self.rounds / 5)
  }

  @Test(.longer) func gpslogger() {
    let text = """
      time,lat,lon,elevation,accuracy,bearing,speed,satellites,provider,hdop,annotation
      2022-05-01T10:00:00Z,46.5,13.5,512.25,4.5,90.5,1.25,7,gps,0.9,
      2022-05-01T10:00:01.5Z,46.5,13.5,,20,,,0,network,,"at the ""gate\""

      """
    let outcomes = Self.run(text, seed: 8) { input throws(TraceError) in
      try described(GPSLoggerReader.read(input, options: RecordingOptions()))
    }
    #expect(outcomes.read > Self.rounds / 5 && outcomes.refused > Self.rounds / 25)
  }

  @Test(
    .longer,
    arguments: [
      "filename\tonset\toffset\tevent_label\na\t0.5\t1.5\tjab\nb\t2\t2\tlead hook\na\t3\t4\t\"x\"\n",
      "0.5\t1.5\tjab\n\\\t100\t200\n2\t2\tlead hook\n",
    ])
  func labels(text: String) {
    let outcomes = Self.run(text, seed: 4) { input throws(TraceError) in
      try LabelReader.read(input, for: "a", origin: -5)
    }
    #expect(outcomes.read > Self.rounds / 10 && outcomes.refused > Self.rounds / 10)
  }

  @Test(.longer) func mappings() {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<Self.rounds {
      let bytes = Self.mutated(#"time="Time (s)"[s],x=#2[g],y=a b,z="a ""b"""[mg]"#, &generator)
      let text = String(decoding: bytes, as: UTF8.self)
      _ = message { _ = try CSVMapping(parsing: text) }
      _ = message { _ = try CSVMetadata(parsing: text) }
    }
  }
}
