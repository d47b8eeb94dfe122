import Foundation
import TestSupport
import Testing
import TraceFormats
import TraceModel

/// What a person states about a whole recording: a number of punches, and a true distance.
@Suite struct CountCommandTests {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try scratch.write(Self.walk, to: "walk.gpx")
    try scratch.write(Self.table(punches: 3), to: "watch.csv")
  }

  /// About 22.24 m to the north.
  private static let walk = """
    <gpx version="1.1" creator="hand"><trk><trkseg>
    <trkpt lat="47.0000" lon="11.0"><time>2024-05-01T10:00:00Z</time></trkpt>
    <trkpt lat="47.0001" lon="11.0"><time>2024-05-01T10:00:10Z</time></trkpt>
    <trkpt lat="47.0002" lon="11.0"><time>2024-05-01T10:00:20Z</time></trkpt>
    </trkseg></trk></gpx>
    """
  private static let map = [
    "--map", "time=t,x=x[g],y=y[g],z=z[g],distance=m[m]", "--channel", "user_acceleration",
  ]

  /// A hand at rest with some jerks, and the odometer of a device.
  private static func table(punches: Int) -> String {
    let rows = (0..<(500 * (punches + 1))).map { row in
      // Half a sine of 0.2 s, every five seconds.
      let phase = row % 500 - 200
      let pulse = (0..<20).contains(phase) && row / 500 < punches
      let x = pulse ? 9 * sin(Double.pi * Double(phase) / 20) : 0
      return "\(Double(row) / 100),\(x),0,0,\(Double(row) / 1000)"
    }
    return "t,x,y,z,m\n" + rows.joined(separator: "\n") + "\n"
  }

  private func run(_ arguments: [String]) throws -> Program.Outcome {
    try Program.run(arguments, in: scratch.url)
  }

  private func converted(
    _ options: [String], _ name: String = "a.h5", from input: String = "watch.csv"
  ) throws -> TraceHeader {
    let isTable = input.hasSuffix("csv")
    let outcome = try run(
      ["convert", input, "-o", name] + (isTable ? Self.map : []) + options)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try NativeTrace.readHeader(scratch.path(name))
  }

  // MARK: Convert

  @Test func countsAreWritten() throws {
    let one = try converted(["--count", "10", "--definition", "as the boxer counted"])
    #expect(
      one.counts == [
        ReferenceCount(task: .punch, count: 10, definition: "as the boxer counted")
      ])
    let several = try converted(["--count", "visit=3", "--count", "punch=0"])
    #expect(several.counts.map(\.task) == [.punch, .visit])
    #expect(several.counts.map(\.count) == [0, 3])
  }

  // 26.2 international miles of 1609.344 m.
  @Test(arguments: [
    ("42195m", 42_195), ("42.195km", 42_195), ("26.2mi", 42_164.812_8), ("1e3 m", 1000),
  ])
  func distancesAreWritten(text: String, meters: Double) throws {
    let header = try converted(["--true-distance", text], from: "walk.gpx")
    let set = try #require(header.reference(.distance))
    #expect(set.events.count == 1 && set.valueUnits == "m" && !set.isOfDevice)
    #expect(abs(set.events[0].value - meters) < 1e-9)
    #expect(set.events[0].onset == .zero && set.events[0].offset == header.end)
  }

  @Test(arguments: [
    (["--count", "-1"], "--count -1: expected a whole number from 0 to 1000000000"),
    (["--count", "x"], "--count x: expected a whole number"),
    (["--count", ""], "--count : expected a whole number"),
    (["--count", "1.5"], "--count 1.5: expected a whole number"),
    (["--count", "99999999999999999999"], "expected a whole number"),
    (["--count", "punch="], "--count punch=: expected a whole number"),
    (["--count", "kick=3"], "--count: unknown task \"kick\"; known: punch, visit, drop"),
    (["--count", "distance=3"], "--count: unknown task \"distance\""),
    (["--count", "1", "--count", "punch=1"], "--count: expected one count of punch, found two"),
    (["--count", "1", "--without", "punch"], "--count and --without: expected one reference"),
    (["--count", "1", "--reference", "l.tsv"], "--count and --reference: expected one reference"),
    (
      ["--count", "1", "--reference-column", "x"],
      "--count and --reference-column: expected one reference"
    ),
    (["--count", "1", "--split-by", "x"], "--split-by: expected no --count"),
    (["--true-distance", "0"], "--true-distance 0: expected a length above zero with its unit"),
    (["--true-distance", "0m"], "--true-distance 0m: expected a length above zero"),
    (["--true-distance", "-3km"], "--true-distance -3km: expected a length above zero"),
    (["--true-distance", "42195"], "--true-distance 42195: expected a length above zero with its"),
    (["--true-distance", "5kg"], "--true-distance 5kg: expected a length"),
    (["--true-distance", "infm"], "--true-distance infm: expected a length"),
    (["--true-distance", "nanm"], "--true-distance nanm: expected a length"),
    (["--true-distance", "1e12km"], "--true-distance 1e12km: expected a length"),
    (
      ["--true-distance", "1km", "--true-distance", "odometer"],
      "--true-distance: expected one distance, found 2"
    ),
    (
      ["--true-distance", "1km", "--without", "distance"],
      "--true-distance and --without: expected one reference of task distance"
    ),
  ])
  func whatCannotBeIsWrongUse(options: [String], says: String) throws {
    let outcome = try run(["convert", "watch.csv", "-o", "a.h5"] + Self.map + options)
    #expect(outcome.status == 64, "\(outcome.errors)")
    #expect(outcome.errors.contains(says), "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: scratch.path("a.h5")))
  }

  /// A stated reference takes the place of the file's own, and that is said.
  @Test func whatIsReplacedIsTold() throws {
    _ = try converted(["--without", "punch"])
    let counted = try run(["convert", "a.h5", "-o", "b.h5", "--count", "4"])
    #expect(counted.errors.contains("replaced: reference punch (0 events)"), "\(counted.errors)")
    let header = try NativeTrace.readHeader(scratch.path("b.h5"))
    #expect(header.count(.punch)?.count == 4 && header.reference(.punch) == nil)
    let back = try run(["convert", "b.h5", "-o", "c.h5", "--without", "punch"])
    #expect(back.errors.contains("replaced: count of punch (4)"), "\(back.errors)")
    #expect(try NativeTrace.readHeader(scratch.path("c.h5")).counts.isEmpty)
    // Nothing is stated: the count stays.
    _ = try run(["convert", "b.h5", "-o", "d.h5"])
    #expect(try NativeTrace.readHeader(scratch.path("d.h5")).count(.punch)?.count == 4)
  }

  // MARK: The odometer

  @Test func theOdometerIsAReferenceThatSaysWhoseItIs() throws {
    let header = try converted(["--true-distance", "odometer", "--definition", "foot pod"])
    let set = try #require(header.reference(.distance))
    #expect(abs(set.events[0].value - 1.999) < 1e-9)
    #expect(set.isOfDevice && set.definition.hasSuffix("no independent truth; foot pod"))
  }

  /// What FIT writes for a distance that it does not know ends a table of it.
  @Test(arguments: ["4294967295", "42949672.95", ""])
  func anUnknownReadingIsNoDistance(text: String) throws {
    try scratch.write("t,x,y,z,m\n0,0,0,0,1\n1,0,0,0,4.5\n2,0,0,0,\(text)\n", to: "u.csv")
    let header = try converted(
      ["--true-distance", "odometer", "--nan-is-missing"], from: "u.csv")
    #expect(header.reference(.distance)?.events.map(\.value) == [3.5])
  }

  @Test(arguments: [
    ("0,0,0,0,\n1,0,0,0,\n", "an odometer that counts, found no reading"),
    ("0,0,0,0,5\n1,0,0,0,4\n", "an odometer that never goes back, found 4 m after 5 m at 1.000 s"),
    ("0,0,0,0,5\n1,0,0,0,5\n", "an odometer that counts, found 5 m from the first to the last"),
  ])
  func odometersThatTellNothing(rows: String, says: String) throws {
    try scratch.write("t,x,y,z,m\n" + rows, to: "w.csv")
    let outcome = try run(
      ["convert", "w.csv", "-o", "a.h5", "--true-distance", "odometer", "--nan-is-missing"]
        + Self.map)
    #expect(outcome.status == 65 && outcome.errors.contains(says), "\(outcome.errors)")
  }

  @Test func withoutAnOdometerThereIsNone() throws {
    let outcome = try run(["convert", "walk.gpx", "-o", "a.h5", "--true-distance", "odometer"])
    #expect(outcome.status == 65)
    #expect(
      outcome.errors.contains(
        "walk.gpx: --true-distance odometer: expected channel odometer, found "
          + "location; state the distance itself, such as --true-distance 10km"),
      "\(outcome.errors)")
  }

  // MARK: Figures

  private func suite(_ entries: String) throws {
    try scratch.write(
      "schema: shadowbox-suite/1\ntraces:\n  all: [\"*.h5\"]\nentries:\n\(entries)\n", to: "s.yml")
  }

  @Test func runShowsCountsInEveryForm() throws {
    for (index, stated) in [3, 5, 2].enumerated() {
      _ = try converted(
        ["--count", "\(stated)", "--id", "r\(index)", "--subject", "p\(index)"], "r\(index).h5")
    }
    try suite("  - {detector: punch, traces: [all]}")
    let full = try run(["run", "s.yml", "--full", "--deterministic", "-o", "out/r.h5"])
    #expect(full.status == 0, "\(full.errors)")
    #expect(full.output.contains("Counts: numbers of detections against the stated numbers"))
    #expect(full.output.contains("all 3 traces of 3 people"), "\(full.output)")
    #expect(!full.output.contains("Not scored") && !full.output.contains("Punches:"))
    let short = try run(["run", "s.yml", "-o", "out/r.h5"])
    #expect(short.output.contains("Counts (recorded)"), "\(short.output)")
    #expect(!short.output.contains("Without a reference"))
    let json = try run(["run", "s.yml", "--format", "json", "-o", "out/r.h5"]).object
    let summary = try #require((json["summaries"] as? [[String: Any]])?.first)
    let figures = try #require(summary["figures"] as? [String: [String: Any]])
    // Three punches in each: 9 detected, 10 stated.
    #expect(figures["count_stated"]?["value"] as? Double == 10)
    #expect(figures["count_detected"]?["value"] as? Double == 9)
    #expect(figures["count_error"]?["value"] as? Double == -1)
    #expect(figures["count_absolute_error"]?["value"] as? Double == 3)
    #expect(figures["count_error_bias"]?["method"] as? String == "clustered_student")
    #expect(figures["count_error_bias"]?["clusters"] as? Int == 3)
    let runs = try #require(json["runs"] as? [[String: Any]])
    let own = runs.compactMap { ($0["figures"] as? [String: [String: Any]])?["count_error"] }
    #expect(own.map { $0["value"] as? Double } == [0, -2, 1])
    let info = try run(["info", "out/r.h5"])
    #expect(info.output.contains("count absolute error"), "\(info.output)")
  }

  /// Recordings with events, with a count and with neither, in one entry.
  @Test func eventsAndCountsStayApart() throws {
    try scratch.write("onset\tevent_label\n2.1\tjab\n7.1\tjab\n12.1\tjab\n", to: "l.tsv")
    _ = try converted(["--reference", "l.tsv", "--tolerance", "500ms", "--id", "known"], "k.h5")
    _ = try converted(["--count", "4", "--id", "counted"], "c.h5")
    _ = try converted(["--id", "neither"], "n.h5")
    try suite("  - {detector: punch, traces: [all]}")
    let json = try run(["run", "s.yml", "--format", "json", "-o", "out/r.h5"]).object
    let summary = try #require((json["summaries"] as? [[String: Any]])?.first)
    let figures = try #require(summary["figures"] as? [String: [String: Any]])
    #expect(figures["true_positives"]?["value"] as? Double == 3)
    #expect(figures["references"]?["value"] as? Double == 3)
    #expect(figures["count_traces"]?["value"] as? Double == 1)
    #expect(figures["count_error"]?["value"] as? Double == -1)
    #expect(figures["unscored_traces"]?["value"] as? Double == 1)
    #expect(summary["traces"] as? Int == 1)
  }

  @Test func replayComparesTheWholeOnly() throws {
    _ = try converted(["--count", "4", "--id", "r"])
    let whole = try run(["replay", "a.h5"])
    #expect(
      whole.output.contains("r: 3 punch events detected, 4 stated, error -1 (-25.0 %)"),
      "\(whole.output)\(whole.errors)")
    let json = try run(["replay", "a.h5", "--format", "json"]).object
    #expect((json["counts"] as? [[String: Any]])?.count == 1)
    let part = try run(["replay", "a.h5", "--duration", "5s", "--start-offset", "1s"])
    #expect(part.status == 0 && !part.output.contains("stated"), "\(part.output)\(part.errors)")
  }

  @Test func infoAndValidateKnowCounts() throws {
    _ = try converted(["--count", "4"])
    let info = try run(["info", "a.h5"])
    #expect(info.output.contains("reference punch: 4 events, of which only the number is known"))
    let json = try run(["info", "a.h5", "--format", "json"])
    #expect(json.output.contains("\"counts\""))
    let validated = try run(["validate", "a.h5"])
    #expect(!validated.output.contains("has no reference"), "\(validated.output)")
  }
}
