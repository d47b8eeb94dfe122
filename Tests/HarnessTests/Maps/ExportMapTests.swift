import Detectors
import Foundation
import TestSupport
import Testing
@testable import TraceFormats
import TraceModel

@testable import Harness

@Suite struct ExportMapTests {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try MapTraces.write(to: scratch)
  }

  @discardableResult
  private func run(_ arguments: String, _ status: Int32 = 0) throws -> Program.Outcome {
    let outcome = try Program.run(arguments.split(separator: " ").map(String.init), in: scratch.url)
    #expect(outcome.status == status, "\(arguments): \(outcome.errors)")
    return outcome
  }

  private func features(_ name: String) throws -> [(kind: String, [String: Any], [String: Any])] {
    let document = try #require(
      try JSONSerialization.jsonObject(with: scratch.bytes(of: name)) as? [String: Any])
    #expect(document["type"] as? String == "FeatureCollection")
    let features = try #require(document["features"] as? [[String: Any]])
    return try features.map { feature in
      #expect(feature["type"] as? String == "Feature")
      let properties = try #require(feature["properties"] as? [String: Any])
      return (
        try #require(properties["kind"] as? String), properties,
        try #require(feature["geometry"] as? [String: Any])
      )
    }
  }

  private func xml(_ name: String) throws -> XMLTree { try XMLTree(scratch.bytes(of: name)) }

  // MARK: GPX

  /// Every fix comes back, to the nanosecond and the last bit, and so does the true path.
  @Test func aGPXIsConvertedBack() throws {
    let outcome = try run("export run.h5 -o run.gpx --detector track")
    #expect(outcome.output.isEmpty)
    #expect(
      outcome.errors.contains(
        "run.h5 -> run.gpx: 1500 fixes: 1485 accepted, 15 rejected, "), "\(outcome.errors)")
    #expect(outcome.errors.contains("  track/default: distance "))
    let back = try run("convert run.gpx -o back.h5")
    #expect(back.errors.contains("True path: 1500 points."), "\(back.errors)")
    #expect(!back.errors.contains("Track 1, segment"), "\(back.errors)")
    let (before, after) = (MapTraces.run(), try NativeTrace.read(scratch.path("back.h5")))
    #expect(after.header.epoch == before.header.epoch)
    let (one, other) = (before[.location], after[.location])
    #expect(one?.measuredTimes == other?.measuredTimes)
    #expect(one.map { "\($0)" } == other.map { "\($0)" })
    #expect(after.header.track == before.header.track)
    // So the track measures the same.
    #expect(
      try run("replay run.h5 --detector track").output
        == run("replay back.h5 --detector track").output)
    // An export of the export is the same, but for the id and what a GPX does not hold.
    try run("export back.h5 -o again.gpx --detector track")
    let points = try [xml("run.gpx"), xml("again.gpx")].map { $0.all("trkpt").map(\.text) }
    #expect(points[0] == points[1] && points[0].count == 3000)
  }

  /// Events and rejected fixes are no places.
  @Test func onlyPlacesBecomePlaces() throws {
    try run("export run.h5 -o run.gpx --detector checkin --policy")
    #expect(try xml("run.gpx").all("wpt").count > 15)
    let back = try run("convert run.gpx -o back.h5 --waypoints-as-places")
    #expect(back.errors.contains("events of an export, left out: "), "\(back.errors)")
    let places = try NativeTrace.read(scratch.path("back.h5")).header.places
    #expect(places.map(\.latitude) == [46.01, 46.03])
  }

  @Test func waypointsHaveNamesAndTimes() throws {
    #expect(try run("export run.h5 -o run.gpx").errors.contains("the prompts are not answered"))
    let answered = try run("export run.h5 -o run.gpx --detector checkin --policy")
    #expect(!answered.errors.contains("nobody"), "\(answered.errors)")
    let waypoints = try xml("run.gpx").all("wpt")
    let names = waypoints.compactMap { $0.child("name")?.text }
    for name in ["place 3", "place 8", "prompt at place 3", "visit at place 3", "rejected fix"] {
      #expect(names.contains(name), "\(names)")
    }
    #expect(names.count { $0 == "true visit at place 3" } == 1)
    let prompt = try #require(
      waypoints.first { $0.child("name")?.text == "prompt at place 3" })
    // The first fix that is more likely inside than outside: 40 m before 46.01.
    let time = try #require(prompt.child("time").flatMap { EpochTime.nanoseconds(of: $0.text) })
    let start = try #require(MapTraces.run().header.epochNanoseconds)
    #expect(abs(Double(time - start) / 1e9 - 357) < 3)
    let meters = Geodesy.distance(
      latitude: 46.01, longitude: 14.5, toLatitude: Double(prompt.attributes["lat"] ?? "") ?? .nan,
      longitude: Double(prompt.attributes["lon"] ?? "") ?? .nan)
    #expect(abs(meters - 40) < 5)
    try run("export run.h5 -o run.gpx --detector track")
    let splits = try xml("run.gpx").all("wpt").compactMap { $0.child("name")?.text }
    #expect(splits.filter { $0.hasPrefix("km") } == ["km 1", "km 2", "km 3", "km 4"])
  }

  @Test func onlyAcceptedFixes() throws {
    let outcome = try run("export run.h5 -o clean.gpx --fixes accepted")
    #expect(outcome.errors.contains("1485 fixes: 1485 accepted, "), "\(outcome.errors)")
    let tree = try xml("clean.gpx")
    let tracks = tree.all("trk")
    #expect(tracks.count == 2 && tracks[0].all("trkpt").count == 1485)
    #expect(tracks[0].child("type")?.text == "running" && tracks[0].child("src")?.text == "phone")
    #expect(!tree.all("wpt").contains { $0.child("name")?.text == "rejected fix" })
  }

  @Test(arguments: ["gpx", "geojson", "kml"])
  func withoutAWallClockThereAreNoDates(ending: String) throws {
    let outcome = try run("export dateless.h5 -o run.\(ending)")
    #expect(outcome.errors.contains("dateless.h5: unknown wall clock"))
    #expect(outcome.errors.contains("--start"))
    let text = try scratch.text(of: "run.\(ending)")
    #expect(!text.contains("1970-01-01") && !text.contains("<when>") && !text.contains("\"time\""))
    if ending != "kml" { #expect(text.contains("1499.000010493")) }
    let stated = try run("export dateless.h5 -o run.\(ending) --start 2024-06-07T12:00:00Z")
    #expect(!stated.errors.contains("wall clock"))
    try run("export run.h5 -o dated.\(ending)")
    #expect(try scratch.bytes(of: "run.\(ending)") == scratch.bytes(of: "dated.\(ending)"))
  }

  // MARK: GeoJSON

  @Test func aGeoJSONHasFixesLinesPlacesAndEvents() throws {
    try run("export run.h5 -o run.geojson --detector track")
    let features = try features("run.geojson")
    let kinds = Dictionary(grouping: features, by: \.kind).mapValues(\.count)
    #expect(
      kinds == [
        "track": 1, "accepted": 1, "true path": 1, "fence": 1, "place": 2, "event": 4,
        "true event": 1, "fix": 1500,
      ])
    let fixes = features.filter { $0.kind == "fix" }
    let first = try #require(MapTraces.run()[.location].flatMap { FixColumns($0) })
    for (index, fix) in fixes.enumerated() {
      let expected = first.values[index]
      // Foundation's reader may miss the last bit; Tests/Python/check_maps.py compares all.
      let found = fix.2["coordinates"] as? [Double] ?? []
      let place = [expected.longitude, expected.latitude, expected.altitude]
      #expect(found.count == 3 && zip(found, place).allSatisfy { abs($0 - $1) < 1e-12 * abs($1) })
      #expect(fix.1["accuracy_m"] as? Double == expected.horizontalAccuracy)
      #expect(fix.1["speed_m_per_s"] as? Double == expected.speed)
      #expect(fix.1["number"] as? Int == index)
      #expect(fix.1["use"] as? String == (index % 100 == 99 ? "rejected" : "accepted"))
      let time = (fix.1["time"] as? String).flatMap(EpochTime.nanoseconds(of:))
      let start = try #require(MapTraces.run().header.epochNanoseconds)
      #expect(time == start + first.measuredTimes[index])
    }
    let accepted = try #require(features.first { $0.kind == "accepted" })
    #expect(accepted.2["type"] as? String == "LineString")
    #expect((accepted.2["coordinates"] as? [[Double]])?.count == 1485)
  }

  /// No line jumps to the other side of the map, and nothing is lost.
  @Test func aLineOverTheDateLineIsCut() throws {
    try run("export crossing.h5 -o c.geojson")
    let features = try features("c.geojson")
    for kind in ["track", "accepted"] {
      let line = try #require(features.first { $0.kind == kind })
      #expect(line.2["type"] as? String == "MultiLineString")
      let parts = try #require(line.2["coordinates"] as? [[[Double]]])
      #expect(
        parts.map { $0.map { $0[0] } } == [
          [179.9998, 179.9999, 180], [-180, -179.9999, -179.9998],
        ])
    }
    #expect(features.filter { $0.kind == "fix" }.count == 5)
    try run("export crossing.h5 -o c.kml --start 2024-06-07T12:00:00Z", 64)
    try run("export crossing.h5 -o c.kml")
    #expect(try xml("c.kml").all("LineString").count == 2)
    // A GPX has no 180: it is the same meridian.
    try run("export crossing.h5 -o c.gpx")
    #expect(
      try xml("c.gpx").all("trkpt").map { $0.attributes["lon"] } == [
        "179.9998", "179.9999", "-180.0", "-179.9999", "-179.9998",
      ])
  }

  // MARK: KML

  @Test func aKMLHasStylesTimesAndValues() throws {
    try run("export run.h5 -o run.kml --detector checkin --policy")
    let tree = try xml("run.kml")
    let styles = Set(tree.all("Style").compactMap { $0.attributes["id"] })
    for used in tree.all("styleUrl") { #expect(styles.contains(String(used.text.dropFirst()))) }
    let track = try #require(tree.all("gx:Track").first)
    #expect(track.all("when").count == 1500 && track.all("gx:coord").count == 1500)
    let arrays = track.all("gx:SimpleArrayData")
    #expect(
      arrays.compactMap { $0.attributes["name"] }
        == ["use", "accuracy", "speed", "speed_accuracy", "course"])
    #expect(arrays.allSatisfy { $0.all("gx:value").count == 1500 })
    #expect(
      tree.all("Folder").compactMap { $0.child("name")?.text }
        == ["places", "events", "true events", "rejected fixes"])
    #expect(tree.all("TimeSpan").count == 1 && tree.all("Polygon").count == 2)
  }

  // MARK: Any format

  @Test(arguments: ["gpx", "geojson", "kml"])
  func hostileTextsAreQuoted(ending: String) throws {
    let outcome = try run("export hostile.h5 -o h.\(ending)")
    let text = try scratch.text(of: "h.\(ending)")
    #expect(
      !(text + outcome.errors).unicodeScalars.contains {
        ($0.properties.generalCategory == .control && $0 != "\n")
      })
    if ending == "geojson" {
      let track = try #require(try features("h.geojson").first { $0.kind == "track" })
      #expect(track.1["name"] as? String == MapTraces.hostileText)
    } else {
      // What XML 1.0 cannot hold, or nobody sees, is shown as its number; the rest is as it was.
      let name = try #require(try xml("h.\(ending)").all("name").first?.text)
      #expect(
        name == "<a&b>\"'\\ ]]> \\u{1}\\u{1b}[31m\\u{85}\\u{7f}\\u{fffe} \\u{2028}é李 </name>")
    }
    // The name of the file is the id.
    try run("export hostile.h5 run.h5 -o maps --as \(ending)")
    #expect(try scratch.filesInFolders() == 2)
  }

  @Test(arguments: ["gpx", "geojson", "kml"])
  func fixesWithoutAPositionAreLeftOut(ending: String) throws {
    let outcome = try run("export wild.h5 -o w.\(ending)")
    #expect(outcome.errors.contains("3 fixes without a valid position"), "\(outcome.errors)")
    #expect(outcome.errors.contains("2 fixes: 2 accepted"), "\(outcome.errors)")
    #expect(try !scratch.text(of: "w.\(ending)").lowercased().contains("nan"))
    // Its own file is replaced, with equal bytes; another one's is not.
    let bytes = try scratch.bytes(of: "w.\(ending)")
    try run("export wild.h5 -o w.\(ending)")
    #expect(try scratch.bytes(of: "w.\(ending)") == bytes)
    try scratch.write("<gpx creator=\"me\"/>", to: "w.\(ending)")
    let refused = try run("export wild.h5 -o w.\(ending)", 64)
    #expect(refused.errors.contains("expected no file or a "), "\(refused.errors)")
    try run("export wild.h5 -o w.\(ending) --force")
    #expect(try scratch.bytes(of: "w.\(ending)") == bytes)
  }

  @Test func severalTracesGoIntoAFolder() throws {
    let file = try run("export run.h5 crossing.h5 -o one.gpx", 64)
    #expect(file.errors.contains("expected a folder for the maps of 2 traces"), "\(file.errors)")
    let outcome = try run("export run.h5 hostile.h5 -o maps --as kml")
    #expect(outcome.errors.contains("run.h5 -> maps/run.kml: "), "\(outcome.errors)")
  }

  @Test(arguments: [
    StepCase("export motion.h5 -o x.gpx", 65, "motion.h5", "channel location", "user_acceleration"),
    StepCase("export run.h5 -o x.gpx --detector punch", 64, "--detector punch/default", "location"),
    StepCase("export run.h5 -o x.gpx --detector nothing", 64, "nothing"),
    StepCase("export run.h5 -o x.gpx --parameters depth=3", 64, "depth"),
    StepCase("export run.h5 -o x.gpx --gravity-filter lowpass", 64, "--gravity-filter"),
    StepCase("export run.h5 -o x.gpx --channels location", 64, "--channels", "fixtures"),
    StepCase("export run.h5 -o x.gpx --fixes bad", 64, "--fixes"),
    StepCase("export run.h5 -o x.gpx --start noon", 64, "--start noon", "date and time"),
    StepCase("export run.h5 -o x.gpx --start 2024-06-07T12:00:00Z", 64, "--start", "leave it out"),
    StepCase("export run.h5 -o x.xyz", 64, ".gpx, .geojson, .kml"),
    StepCase("export run.h5 -o run.h5 --as gpx", 74, "run.h5"),
    StepCase("export run.h5 -o x.trace --detector track", 64, "--detector", "gpx, geojson and kml"),
    StepCase("export run.h5 -o x.trace --fixes accepted", 64, "--fixes"),
    StepCase("export run.h5 -o x.trace --policy", 64, "--policy"),
    StepCase("export nowhere.h5 -o x.kml", 65, "nowhere.h5", "fixes with a position", "none in 2"),
    StepCase("export empty.h5 -o x.kml", 65, "empty.h5", "none in 0"),
    StepCase("export bad.h5 -o x.gpx --fixes accepted", 65, "bad.h5", "--fixes"),
    StepCase("export text.h5 -o x.gpx", 65, "text.h5"),
    StepCase("export none.h5 -o x.gpx", 74, "none.h5"),
  ])
  func whatIsWrongIsNamed(_ row: StepCase) throws {
    let before = scratch.names
    let outcome = try run(row.arguments, row.status)
    for message in row.messages { #expect(outcome.errors.contains(message), "\(outcome.errors)") }
    #expect(scratch.names == before)
  }
}
