import TestSupport
import Testing
import TraceModel

@testable import TraceFormats

/// The fast way to read a track point against the general one.
@Suite struct PlainPointTests {
  private static let none = PlainPoint.Context(takesDilution: false, unmapped: [])

  private static func read(_ text: String, _ context: PlainPoint.Context = none) -> PlainPoint? {
    scanned(text) { PlainPoint($0, $1, context) }
  }

  @Test func readsAPointAndWhatIsBeforeIt() throws {
    let point = try #require(
      Self.read(
        """

          <g:trkpt lon='13.5'
            lat="-46.25" ><ele>7</ele>
          <time>2022-05-01T12:00:00.5Z</time><extensions><a:b><a:speed> 2 </a:speed><x/></a:b>
          </extensions></g:trkpt>\n
        """))
    #expect(point.fix.latitude == -46.25 && point.fix.longitude == 13.5)
    #expect(point.fix.altitude == 7 && point.fix.speed == 2 && point.fix.course.isNaN)
    #expect(point.time == 1_651_406_400_500_000_000 && !point.lacksZone)
    #expect(point.linesBefore == 1 && point.lines == 4)
  }

  // Each is read the general way, for one reason.
  @Test(arguments: [
    "<ele>&#49;</ele>", "<!-- -->", "<![CDATA[ ]]>", "<? ?>", "<ele unit=\"m\">1</ele>",
    "<ele >1</ele>", "<ele>1</ele >", "<ele>1</speed>", "<ele>x</ele>", "<ele>1e999</ele>",
    "<time>noon</time>", "<sat>7</sat>", "<hdop>1</hdop>", "<trkpt/>", "<trkseg></trkseg>",
    "</ele>",
    "<ele>1", "&", "<>", "<1/>",
    "<extensions><a><b><c><d><e><f><g><h/></g></f></e></d></c></b></a></extensions>",
  ])
  func leavesWhatIsNotPlain(content: String) {
    func point(_ content: String) -> String { "<trkpt lat=\"1\" lon=\"2\">\(content)</trkpt>" }
    #expect(Self.read(point("")) != nil)
    #expect(Self.read(point(content)) == nil)
  }

  @Test(arguments: [
    "lat=\"91\" lon=\"2\"", "lat=\"1\" lon=\"-181\"", "lat=\"1\"", "lat=\"1\" lon=\"2\" a=\"3\"",
    "lat=\"1\" lon=\"2\" lat=\"1\"", "lat=\"1\"lon=\"2\"", "lat=\"1\" lon=\"\"",
    "lat=\"1\" lon=\"NaN\"",
    "lat=\"1\" x:lon=\"2\"", "lat =\"1\" lon=\"2\"", "lat=1 lon=2", "lat=\"<\" lon=\"2\"",
    "lat=\"1\" lon='2\"",
  ])
  func leavesPlacesThatAreNotPlain(attributes: String) {
    #expect(Self.read("<trkpt \(attributes)/>") == nil)
  }

  @Test func skipsWhatWasListed() {
    let text = "<trkpt lat=\"1\" lon=\"2\"><sat>7</sat><hdop>3</hdop></trkpt>"
    let names = ["sat", "hdop"].map { name in
      name.utf8.reduce(0 as UInt128) { GPXElement.key($0, adding: $1) }
    }
    #expect(Self.read(text, .init(takesDilution: false, unmapped: Set(names))) != nil)
    let scaled = Self.read(text, .init(takesDilution: true, unmapped: [names[0]]))
    #expect(scaled?.dilution == 3)
  }

  // MARK: The law

  private static func random(_ choices: [String], _ generator: inout SeededGenerator) -> String {
    choices[Int(generator.next() % UInt64(choices.count))]
  }

  private static func value(_ generator: inout SeededGenerator) -> String {
    if generator.next() % 8 > 0 { return DecimalNumberTests.randomNumber(&generator) }
    return random(["", " ", "NaN", "1 ", "x", "&#x31;", "<![CDATA[3]]>", "1<!-- -->2"], &generator)
  }

  private static func time(_ generator: inout SeededGenerator) -> String {
    let second = 10 + generator.next() % 49
    let usual = "2022-05-01T12:00:\(second)"
    return random(
      [usual + "Z", usual + "Z", usual + ".25Z", usual + "+02:00", usual, "", " ", "noon"],
      &generator)
  }

  private static func element(_ generator: inout SeededGenerator, depth: Int) -> String {
    let name = random(
      [
        "ele", "time", "speed", "course", "bearing", "accuracy", "hAcc", "speedAccuracy", "type",
        "hdop", "sat",
        "extensions",
        "gpxtpx:hr", "gpxtpx:speed", "gpxtpx:TrackPointExtension", "name", "a:b:ele", "trkpt",
        "wpt",
      ], &generator)
    if generator.next() % 24 == 0 { return "<\(name)/>" }
    if name.hasPrefix("ext") || name.hasSuffix("Extension"), depth < 10 {
      let parts = (0..<generator.next() % 3).map { _ in element(&generator, depth: depth + 1) }
      return "<\(name)>\(parts.joined(separator: "\n"))</\(name)>"
    }
    let content = name == "time" ? time(&generator) : value(&generator)
    return "<\(name)>\(content)</\(name)>"
  }

  private static func point(_ generator: inout SeededGenerator) -> String {
    let latitude = generator.next() % 30 == 0 ? value(&generator) : "\(generator.next() % 90).5"
    var attributes = ["lat=\"\(latitude)\"", "lon='-1\(generator.next() % 80).25'"]
    if generator.next() % 4 == 0 { attributes.reverse() }
    if generator.next() % 300 == 0 { attributes.append("lat=\"1\"") }
    let start = "<trkpt \(attributes.joined(separator: random([" ", "\n"], &generator)))"
    if generator.next() % 10 == 0 { return start + "/>" }
    var parts = (0..<generator.next() % 4).map { _ in element(&generator, depth: 0) }
    if generator.next() % 16 > 0 { parts.append("<time>\(time(&generator))</time>") }
    return "\(start)>\(parts.joined(separator: random(["", "\n  "], &generator)))</trkpt>"
  }

  private static func document(_ generator: inout SeededGenerator) -> String {
    let segments = (0..<1 + generator.next() % 3).map { _ in
      let points = (0..<generator.next() % 8).map { _ in point(&generator) }
      return "<trkseg>\(points.joined(separator: random(["", "\n", "x\n"], &generator)))</trkseg>"
    }
    return "<gpx>\n<trk>\(segments.joined(separator: "<trkseg/>\n"))</trk></gpx>"
  }

  /// Whole and damaged documents: values, losses with their lines, notes and errors are the same
  /// whether plain points are read the fast way or not.
  @Test(.longer, arguments: [1, 2, 3, 4] as [UInt64])
  func bothWaysGiveTheSame(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let rounds = LongTests.count(quick: 100, long: 400)
    var whole = 0
    for round in 0..<rounds {
      let text = Self.document(&generator)
      let isDamaged = round % 2 == 1
      let bytes = isDamaged ? TextFuzzTests.mutated(text, &generator) : Array(text.utf8)
      var options = GPXOptions()
      options.assumeInterval = seed % 2 == 0 ? .seconds(1) : nil
      options.metersPerHDOP = seed > 2 ? 5 : nil
      options.strict = round % 16 == 5
      let chunk = 1 + Int(generator.next() % 300)
      let outcomes = [true, false].map { takesPlainPoints in
        TextFuzzTests.outcome(bytes, chunk: chunk) { source throws(TraceError) in
          try described(
            GPXReader.read(source, options: options, takesPlainPoints: takesPlainPoints))
        }
      }
      let isSame = outcomes[0] == outcomes[1]
      #expect(isSame, "seed \(seed) round \(round)")
      if !outcomes[0].hasPrefix("error: ") { whole += 1 }
    }
    // Errors end a document early: enough must have been read to the end.
    #expect(whole > rounds * 3 / 20)
  }
}
