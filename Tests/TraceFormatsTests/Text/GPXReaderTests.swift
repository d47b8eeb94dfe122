import Testing
import TraceModel

@testable import TraceFormats

/// A whole GPX around the content of its root.
private func document(_ content: String) -> String {
  """
  <?xml version="1.0" encoding="UTF-8"?>
  <gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1">
  \(content)
  </gpx>
  """
}

/// One segment of points, each the content of a `trkpt` at 46.5, 13.5 + its position.
private func track(_ points: [String]) -> String {
  let points = points.enumerated().map { "<trkpt lat=\"46.5\" lon=\"1\($0)\">\($1)</trkpt>\n" }
  return document("<trk><trkseg>\n\(points.joined())</trkseg></trk>")
}

private func read(
  _ text: String, chunk: Int = ByteSource.chunkSize, _ change: (inout GPXOptions) -> Void = { _ in }
) throws(TraceError) -> ImportedTrace {
  var options = GPXOptions()
  change(&options)
  return try GPXReader.read(source(text, name: "walk.gpx", chunk: chunk), options: options)
}

private func fixes(_ imported: ImportedTrace) throws -> FixColumns {
  guard case .fix(let columns) = try imported.trace[.location] else { return FixColumns() }
  return columns
}

private let noon = "<time>2022-05-01T12:00:00Z</time>"

@Suite struct GPXReaderTests {
  @Test func readsWhatAPointHolds() throws {
    let text = document(
      """
      <!-- <trkpt lat="1" lon="1"/> -->
      <metadata><time>2000-01-01T00:00:00Z</time><bounds minlat="1"/></metadata>
      <wpt lat="46.25" lon="13.25"><ele>5</ele><name>Hut &amp; spring</name></wpt>
      <wpt lat="46.75" lon="13.75"/>
      <trk><name><![CDATA[<trkpt>]]></name><trkseg>
      <trkpt lat='46.5' lon = "13.5"><ele>1614.5</ele><time>2022-05-01T12:00:00Z</time>
        <hdop>1.5</hdop><sat>7</sat></trkpt>
      <trkpt lon="-1.35e1" lat="&#52;6.5"><time>2022-05-01T14:00:02.25+02:00</time>
        <extensions><gpxtpx:TrackPointExtension xmlns:gpxtpx="x"><gpxtpx:hr>120</gpxtpx:hr>
          <gpxtpx:speed>1.25</gpxtpx:speed><gpxtpx:bearing>90</gpxtpx:bearing>
          </gpxtpx:TrackPointExtension><accuracy>4</accuracy><time>x</time></extensions></trkpt>
      <trkpt lat="46.5" lon="13.5"><ele/><speed> 2 </speed><course>1<!-- -->80</course>
        <time>2022-05-01T12:00:03</time></trkpt>
      </trkseg></trk>
      """)
    let imported = try read(text) {
      $0.waypointsAsPlaces = true
      $0.waypointRadius = 50
    }
    let columns = try fixes(imported)
    #expect(columns.measuredTimes == [0, 2_250_000_000, 3_000_000_000])
    #expect(columns.values.map(\.latitude) == [46.5, 46.5, 46.5])
    #expect(columns.values.map(\.longitude) == [13.5, -13.5, 13.5])
    #expect(columns.values[0].altitude == 1614.5 && columns.values[0].horizontalAccuracy.isNaN)
    #expect(columns.values[1].speed == 1.25 && columns.values[1].course == 90)
    #expect(columns.values[1].horizontalAccuracy == 4)
    #expect(columns.values[2].speed == 2 && columns.values[2].course == 180)
    #expect(columns.values[2].altitude.isNaN)
    let header = imported.header
    #expect(header.id == "walk" && header.epoch == "2022-05-01T12:00:00Z" && header.isEpochKnown)
    #expect(header.end.nanoseconds == 3_000_000_000)
    #expect(
      header.places == [
        Place(id: 0, latitude: 46.25, longitude: 13.25, radius: 50, rank: 0),
        Place(id: 1, latitude: 46.75, longitude: 13.75, radius: 50, rank: 1),
      ])
    #expect(imported.report.unmappedColumns == ["hdop", "sat", "hr", "time"])
    #expect(imported.report.notes == ["Dates without a zone are read as UTC."])
    #expect(imported.report.losses.count == 0 && imported.report.recordsRead == 3)
    for chunk in [1, 2, 5, 64] {
      let again = try read(text, chunk: chunk) {
        $0.waypointsAsPlaces = true
        $0.waypointRadius = 50
      }
      #expect(try described(again) == described(imported))
    }
    let without = try read(text)
    #expect(without.header.places.isEmpty)
    #expect(
      without.report.notes.contains("Waypoints left out: 2; --waypoints-as-places reads them."))
  }

  @Test func hdopBecomesMetresOnlyWhenAScaleIsGiven() throws {
    let text = track([noon + "<hdop>1.5</hdop>", noon + "<hdop>2</hdop><accuracy>7</accuracy>"])
    let imported = try read(text) { $0.metersPerHDOP = 5 }
    #expect(try fixes(imported).values.map(\.horizontalAccuracy) == [7.5, 7])
    #expect(imported.report.unmappedColumns.isEmpty)
  }

  @Test func concatenatesTracksAndSegments() throws {
    func point(_ second: Int) -> String {
      "<trkpt lat=\"1\" lon=\"2\"><time>2022-05-01T12:00:0\(second)Z</time></trkpt>"
    }
    let text = document(
      """
      <trk><trkseg>\(point(3))\(point(4))</trkseg><trkseg/>
      <trkseg>\(point(5))</trkseg></trk>
      <rte><rtept lat="x" lon="y"/></rte>
      <trk><trkseg>\(point(1))\(point(1))</trkseg></trk>
      """)
    let imported = try read(text)
    #expect(try fixes(imported).measuredTimes.map { $0 / 1_000_000_000 } == [2, 3, 4, 0, 0])
    #expect(
      imported.report.notes == [
        "Routes left out: 1.",
        "Track 1, segment 1 starts at 2 s (line 3).",
        "Track 1, segment 3 starts at 4 s (line 4).",
        "Track 2, segment 1 starts at 0 s (line 6).",
      ])
    #expect(imported.report.backwardTimes == 1 && imported.report.duplicatedTimes == 1)
    let sorted = try read(text) { $0.sort = true }
    #expect(try fixes(sorted).measuredTimes.map { $0 / 1_000_000_000 } == [0, 0, 2, 3, 4])
  }

  // Points, then the losses; the points lie on line 4 and after.
  @Test(
    arguments: [
      ([noon, "", noon], ["walk.gpx:5: expected a time, found a point without one"]),
      (
        [noon, "<time>yesterday</time>"],
        ["walk.gpx:5: expected an ISO 8601 date and time, found \"yesterday\""]
      ),
      (
        [noon, "<time>2500-01-01T00:00:00Z</time>"],
        [
          "walk.gpx:5: expected a date from 1677-09-22 to 2262-04-11, found "
            + "\"2500-01-01T00:00:00Z\""
        ]
      ), ([noon + "<ele>high</ele>", noon], ["walk.gpx:4: expected an elevation, found \"high\""]),
      ([noon + "<speed>1e999</speed>", noon], ["walk.gpx:4: expected a speed, found \"1e999\""]),
      (
        ["", noon, "<ele>x</ele>"],
        [
          "walk.gpx:4: expected a time, found a point without one",
          "walk.gpx:6: expected an elevation, found \"x\"",
        ]
      ),
    ] as [([String], [String])])
  func countsDamagedPoints(points: [String], losses: [String]) throws {
    let report = try read(track(points)).report
    #expect(report.losses.first.map(\.description) == losses)
    #expect(report.losses.count == losses.count && report.recordsRead == points.count)
    #expect(report.samples == points.count - losses.count)
    let strict = message { _ = try read(track(points)) { $0.strict = true } }
    #expect(strict.map { losses.contains($0) } == true)
  }

  @Test(arguments: [
    ("lat=\"90.5\" lon=\"1\"", "lat from -90 to 90, found \"90.5\""),
    ("lat=\"1\" lon=\"180.1\"", "lon from -180 to 180, found \"180.1\""),
    ("lat=\"north\" lon=\"1\"", "lat from -90 to 90, found \"north\""),
    ("lat=\"NaN\" lon=\"1\"", "lat from -90 to 90, found \"NaN\""),
    ("lon=\"1\"", "lat from -90 to 90, found none"), ("", "lat from -90 to 90, found none"),
  ])
  func countsPointsThatAreNowhere(attributes: String, expected: String) throws {
    let text = document("<trk><trkseg><trkpt \(attributes)>\(noon)</trkpt></trkseg></trk>")
    let report = try read(text).report
    #expect(report.losses.first.map(\.description) == ["walk.gpx:3: expected \(expected)"])
    #expect(report.samples == 0)
  }

  @Test func assumesTimesOnlyWhenAsked() throws {
    let text = track(["", "", ""])
    #expect(
      message { _ = try read(text) }
        == "walk.gpx: expected times, found none in 3 track points; pass --assume-interval 1s to "
        + "set times")
    let imported = try read(text) { $0.assumeInterval = .milliseconds(1500) }
    #expect(try fixes(imported).measuredTimes == [0, 1_500_000_000, 3_000_000_000])
    #expect(!imported.header.isEpochKnown)
    #expect(
      imported.report.notes == [
        "The points have no times: intervals of 1.5 s are assumed."
      ])
    #expect(message { _ = try read(text) { $0.assumeInterval = .zero } } != nil)
  }

  @Test func dropsAssumedTimesWhenAPointHasOne() throws {
    let text = track(["", "<ele>1</ele>", noon, "", noon])
    let imported = try read(text) { $0.assumeInterval = .seconds(1) }
    #expect(try fixes(imported).measuredTimes == [0, 0])
    #expect(imported.header.epoch == "2022-05-01T12:00:00Z")
    #expect(imported.report.notes.isEmpty && imported.report.duplicatedTimes == 1)
    #expect(imported.report.losses.count == 3 && imported.report.samples == 2)
    #expect(
      imported.report.losses.first.map(\.place) == ["walk.gpx:4", "walk.gpx:5", "walk.gpx:7"])
  }

  @Test func reportsLeapSeconds() throws {
    let text = track(["<time>2016-12-31T23:59:60Z</time>", "<time>2016-12-31T24:00:00Z</time>"])
    let imported = try read(text)
    #expect(try fixes(imported).measuredTimes == [0, 0])
    #expect(
      imported.report.notes == ["Leap seconds (…:60), read as the next second: 1."])
  }

  private static let cutShort =
    "; copy the file again: it is truncated; xmllint --recover closes open elements"
  private static let malformed = "; check the program that wrote it: the XML is invalid"

  @Test(arguments: [
    ("", "walk.gpx:1: expected an element, found the end of the file" + Self.cutShort),
    (
      "text",
      "walk.gpx:1: expected a tag, found \"text\"; remove the content outside the root element"
    ),
    (
      "<kml></kml>",
      "walk.gpx:1: expected the element \"gpx\", found \"kml\"; convert the file to GPX with gpsbabel"
    ),
    ("<gpx>\n<trk>\n</gpx>", "walk.gpx:3: expected </trk>, found \"</gpx>\"" + Self.malformed),
    ("<gpx>\n<trk>\n", "walk.gpx:3: expected </trk>, found the end of the file" + Self.cutShort),
    (
      "<gpx>\n<trk",
      "walk.gpx:2: expected the end of the tag that begins here, found the end of the file"
        + Self.cutShort
    ),
    (
      "<gpx>\n<!-- ",
      "walk.gpx:2: expected the end of the tag that begins here, found the end of the file"
        + Self.cutShort
    ),
    ("<gpx/></gpx>", "walk.gpx:1: expected no further tag, found \"</gpx>\"" + Self.malformed),
    (
      "<gpx/><gpx/>",
      "walk.gpx:1: expected one root element, found a second one" + Self.malformed
    ),
    (
      "<gpx/>x",
      "walk.gpx:1: expected a tag, found \"x\"; remove the content outside the root element"
    ),
    (
      "<gpx a></gpx>",
      "walk.gpx:1: expected an attribute with a value in quotes, found \"a\"" + Self.malformed
    ),
    (
      "<gpx a=1></gpx>",
      "walk.gpx:1: expected an attribute with a value in quotes, found \"a=1\"" + Self.malformed
    ),
    (
      "<gpx a='1'b='2'></gpx>",
      "walk.gpx:1: expected a blank before an attribute, found \"<gpx a='1'b='2'>\""
        + Self.malformed
    ),
    (
      "<gpx a='1' a='2'/>",
      "walk.gpx:1: expected each attribute once, found \"a\" twice" + Self.malformed
    ),
    ("<gpx a='<'/>", "walk.gpx:1: expected a value without <, found \"a='<'/\"" + Self.malformed),
    ("< gpx/>", "walk.gpx:1: expected a name, found \" gpx/\"" + Self.malformed),
    ("<>", "walk.gpx:1: expected a name, found \"\"" + Self.malformed),
    ("<gpx><1/></gpx>", "walk.gpx:1: expected a name, found \"1/\"" + Self.malformed),
    (
      "<gpx><trk><trkseg><trkpt lat='&lat;' lon='1'/></trkseg></trk></gpx>",
      "walk.gpx:1: expected &amp;, &lt;, &gt;, &quot;, &apos; or a character number, found "
        + "\"&lat;\"" + Self.malformed
    ),
    (
      "<gpx><trk><trkseg><trkpt lat='1' lon='1'><ele>&#0;</ele></trkpt></trkseg></trk></gpx>",
      "walk.gpx:1: expected &amp;, &lt;, &gt;, &quot;, &apos; or a character number, found "
        + "\"&#0;\"" + Self.malformed
    ),
    (
      "<!DOCTYPE gpx [\n<!ENTITY a \"b\">\n]>\n<gpx/>",
      "walk.gpx:1: expected a document without own declarations, found a document type with "
        + "declarations; remove it: GPX needs none"
    ),
    (
      "<?xml version='1.0' encoding='ISO-8859-1'?><gpx/>",
      "walk.gpx:1: expected UTF-8, found \"ISO-8859-1\"; convert it with iconv -f ISO-8859-1 -t UTF-8"
    ),
    (
      "<gpx><trkpt lat='1' lon='1'/></gpx>",
      "walk.gpx:1: expected gpx, trk, trkseg and trkpt nested in this order, found \"trkpt\" "
        + "elsewhere; check the program that wrote the file"
    ),
    (
      "<gpx><wpt lat='1' lon='1'/></gpx>",
      "walk.gpx: expected track points, found 1 waypoints, 0 routes and no track point; record a "
        + "track, or convert a route to a track with gpsbabel"
    ),
  ])
  func refusesOtherFilesThanGPX(text: String, expected: String) {
    for chunk in [1, 3, 1000] { #expect(message { _ = try read(text, chunk: chunk) } == expected) }
  }

  @Test func boundsDepthAndTokens() {
    let deep = "<gpx>" + String(repeating: "<a>", count: 100_000)
    #expect(
      message { _ = try read(deep) }
        == "walk.gpx:1: expected at most 256 nested elements, found more")
    let long = "<gpx><!--" + String(repeating: " ", count: 3_000_000)
    #expect(
      message { _ = try read(long) }
        == "walk.gpx:1: expected a tag or a text of at most 1 MiB, found a longer one; check for "
        + "a missing closing quote or bracket")
  }

  @Test(arguments: [
    "<!DOCTYPE gpx SYSTEM \"a>b.dtd\">", "<?php ?>", "\u{FEFF}", "<!-- a -- b > -->\n",
    "<?xml version='1.0'?>", "<?xml version=\"1.0\" encoding=\"utf-8\" ?>",
  ])
  func passesOverProlog(prolog: String) throws {
    let text =
      "\(prolog)<gpx><trk><trkseg><trkpt lat='1' lon='2'>\(noon)</trkpt></trkseg></trk></gpx>\n"
    for chunk in [1, 2, 1000] { #expect(try read(text, chunk: chunk).report.samples == 1) }
  }

  @Test func decodesReferences() throws {
    var scanner = XMLScanner(
      try source("<a b='&lt;&#x41;&#66;&apos;'>&quot;<![CDATA[&amp;]]>&gt;é&#x1F600;</a>"))
    guard case .start = try scanner.next() else {
      Issue.record("no element")
      return
    }
    let value = try #require(try scanner.attribute([0x62]))
    #expect(String(decoding: value, as: UTF8.self) == "<AB'")
    var text: [UInt8] = []
    while case .text = try scanner.next() { try scanner.appendText(to: &text) }
    #expect(String(decoding: text, as: UTF8.self) == "\"&amp;>é😀")
  }
}
