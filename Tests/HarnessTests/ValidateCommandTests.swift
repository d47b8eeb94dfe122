@testable import Evaluation
import Foundation
import TestSupport
import Testing
@testable import TraceFormats
import TraceModel
import TraceTools

@testable import Harness

/// `validate`, `convert --repair` and `info`, as a person calls them.
@Suite struct ValidateCommandTests {
  /// Fixes with a copy, a time that goes back, one at 0, 0 and one without a time.
  private static let walk = """
    <gpx version="1.1" creator="hand"><trk><trkseg>
    <trkpt lat="47.0000" lon="11.0"><time>2024-05-01T10:00:00Z</time></trkpt>
    <trkpt lat="47.0001" lon="11.0"><time>2024-05-01T10:00:10Z</time></trkpt>
    <trkpt lat="47.0001" lon="11.0"><time>2024-05-01T10:00:10Z</time></trkpt>
    <trkpt lat="0" lon="0"><time>2024-05-01T10:00:20Z</time></trkpt>
    <trkpt lat="47.0003" lon="11.0"><time>2024-05-01T10:00:40Z</time></trkpt>
    <trkpt lat="47.0002" lon="11.0"><time>2024-05-01T10:00:30Z</time></trkpt>
    <trkpt lat="47.0004" lon="11.0"></trkpt>
    </trkseg></trk></gpx>
    """

  private func json(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func tellsLossesFindingsAndRepairs() throws {
    let scratch = try Scratch()
    try scratch.write(Self.walk, to: "walk.gpx")
    let outcome = try Program.run(["validate", "walk.gpx"], in: scratch.url)
    #expect(outcome.status == 65, "\(outcome.errors)")
    #expect(
      outcome.output == """
        walk.gpx: walk
          error    walk.gpx:8  -
                   Expected a time, found a point without one.
          error    location    30.000 s
                   1 reading earlier than the previous one, by up to 10.000 s, the first
                   after 40.000 s.
                   repair: sorts the readings
          warning  location    10.000 s
                   1 reading of 6 (16.7 %) is a copy of an earlier reading at the same
                   time.
                   repair: removes 1 copy
          warning  location    20.000 s
                   1 fix of 5 at latitude 0, longitude 0, far from the others: not
                   positions.
                   repair: removes 1 fix
          note     header      -
                   The trace has no reference: detectors can run on it but cannot be
                   scored.

        """)
    #expect(outcome.errors.contains("1 recording: 2 errors, 2 warnings, 1 note"))

    let csv = try Program.run(["validate", "walk.gpx", "--format", "csv", "-q"], in: scratch.url)
    let rows = csv.output.split(separator: "\n")
    #expect(rows.count == 6 && csv.errors.isEmpty)
    #expect(
      rows.contains { $0.hasPrefix("walk.gpx,walk,error,backward-times,location,30.0,") })

    let document = try json(
      Program.run(["validate", "walk.gpx", "--format", "json"], in: scratch.url).output)
    let files = try #require(document["files"] as? [[String: Any]])
    #expect(files.first?["errors"] as? Int == 2)
    let findings = try #require(files.first?["findings"] as? [[String: Any]])
    #expect(findings.count == 5)
    let keys = ["code", "count", "end", "message", "place", "repair", "severity", "start"]
    for finding in findings { #expect(finding.keys.sorted() == keys) }
  }

  @Test func repairsWhatIsListedAndTellsIt() throws {
    let scratch = try Scratch()
    try scratch.write(Self.walk, to: "walk.gpx")
    let plain = try Program.run(["convert", "walk.gpx", "-o", "plain.h5"], in: scratch.url)
    #expect(!plain.errors.contains("repaired"))
    let repair = try Program.run(
      ["convert", "plain.h5", "--repair", "-o", "walk.h5"], in: scratch.url)
    #expect(repair.status == 0, "\(repair.errors)")
    for text in [
      "repaired: location: removes 1 copy (1 duplicated-readings)",
      "repaired: location: removes 1 fix (1 null-position)",
      "repaired: location: sorts the readings (1 backward-times)",
    ] {
      #expect(repair.errors.contains(text), "\(repair.errors)")
    }
    let outcome = try Program.run(["validate", "walk.h5"], in: scratch.url)
    #expect(outcome.status == 0)
    #expect(!outcome.output.contains("repair:"), "\(outcome.output)")
    let trace = try NativeTrace.read(scratch.path("walk.h5"))
    #expect(trace[.location]?.measuredTimes == [0, 10, 30, 40].map { $0 * 1_000_000_000 })

    let again = try Program.run(
      ["convert", "walk.h5", "--repair", "-o", "again.h5"], in: scratch.url)
    #expect(again.errors.contains("nothing to repair"))
    #expect(try scratch.bytes(of: "walk.h5") == scratch.bytes(of: "again.h5"))
  }

  @Test func spreadsTimesOnlyWhenAsked() throws {
    let scratch = try Scratch()
    try scratch.write("t,x,y,z\n0,1,2,3\n1,4,5,6\n1,7,8,9\n2,1,2,3\n3,1,2,3\n", to: "a.csv")
    let convert = ["convert", "a.csv", "--map", "time=t,x=x,y=y,z=z", "--gravity", "removed"]
    for (options, expected) in [
      (["--repair"], [0, 1000, 1000, 2000, 3000]),
      (["--repair", "--spread-times"], [0, 1000, 1500, 2000, 3000]),
    ] {
      let outcome = try Program.run(convert + options + ["-o", "a.h5"], in: scratch.url)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let trace = try NativeTrace.read(scratch.path("a.h5"))
      #expect(trace[.userAcceleration]?.measuredTimes == expected.map { Int64($0) * 1_000_000 })
    }
    let alone = try Program.run(convert + ["--spread-times", "-o", "b.h5"], in: scratch.url)
    #expect(alone.status == 64)
    #expect(alone.errors.contains("--repair"))
  }

  @Test func warningsCountWhenStrict() throws {
    let scratch = try Scratch()
    let hike = Fixtures.traces.appending(path: "recorded/cerknicko-jezero.h5").path
    #expect(try Program.run(["validate", hike], in: scratch.url).status == 0)
    #expect(try Program.run(["validate", hike, "--strict"], in: scratch.url).status == 65)
  }

  @Test func oneFileThatCannotBeReadDoesNotHideTheOthers() throws {
    let scratch = try Scratch()
    try scratch.write(Self.walk, to: "walk.gpx")
    try scratch.write("hello", to: "text.h5")
    let damaged = try Program.run(["validate", "text.h5", "walk.gpx"], in: scratch.url)
    #expect(damaged.status == 65)
    #expect(damaged.output.contains("error    text.h5  -\n           Expected an HDF5 file"))
    #expect(damaged.output.contains("walk.gpx: walk"))
    let absent = try Program.run(["validate", "nowhere.h5", "walk.gpx"], in: scratch.url)
    #expect(absent.status == 74)
    #expect(absent.output.contains("walk.gpx: walk"))
    #expect(try Program.run(["validate"], in: scratch.url).status == 64)
  }

  private static func corpus() throws -> [URL] {
    try ["recorded", "synthetic"].flatMap { folder in
      let url = Fixtures.traces.appending(path: folder)
      return try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
        .filter { $0.hasSuffix(".h5") }.map { url.appending(path: $0) }
    }
  }

  /// Warnings there are: synthetic sensors have rails, and hikers pause.
  @Test func theCorpusHasNoErrorsAndNothingToRepair() throws {
    struct Document: Decodable {
      struct File: Decodable { var findings: [Finding] }
      struct Finding: Decodable {
        var severity: String
        var code: String
        var repair: String?
      }
      var files: [File]
    }
    let (scratch, traces) = (try Scratch(), try Self.corpus())
    let outcome = try Program.run(
      ["validate", "--format", "json"] + traces.map(\.path), in: scratch.url)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let files = try outcome.decoded(Document.self).files
    try #require(files.count == traces.count && traces.count > 60)
    for (file, trace) in zip(files, traces) {
      let grave = file.findings.filter { $0.severity == "error" || $0.repair != nil }
      #expect(grave.isEmpty, "\(trace.lastPathComponent): \(grave)")
      // The synthetic punchers hit the rails of their sensors, but never a label boundary.
      #expect(!file.findings.contains { $0.code == "leaking-labels" }, "\(trace.lastPathComponent)")
    }
    #expect(files.contains { file in file.findings.contains { $0.code == "saturation" } })
  }

  @Test(.longer) func theCorpusKeepsItsGravityAndItsRails() throws {
    // punch-s01-left.h5 is one of the punches.
    let kinds = LongTests.firstOfEachKind(try Self.corpus()) {
      [$0.deletingLastPathComponent().path, "\($0.lastPathComponent.prefix { $0 != "-" })"]
    }
    for trace in kinds { try expectGravityAndRails(of: NativeTrace.read(trace.path)) }
  }

  /// Synthetic traces state where their sensors saturate, and have both accelerations.
  private func expectGravityAndRails(of trace: Trace) throws {
    let id = trace.header.id
    for info in trace.header.channels {
      let block = try #require(trace[info.channel])
      if let decision = GravityDecision(info.channel, block) {
        let isClear = id.hasPrefix("handling") || id.hasPrefix("walking")
        #expect(
          decision.found == decision.stated || (!isClear && decision.found == .unclear),
          "\(id): \(decision.reason)")
      }
      guard info.channel == .acceleration, let columns = VectorColumns(block),
        let stated = info.attributes["saturation"].flatMap({ Double($0) })
      else { continue }
      let rails = SaturationRail.find(in: columns, of: info.channel)
      // Three readings at one end of one axis.
      let isHit = [columns.x, columns.y, columns.z].contains { axis in
        [stated, -stated].contains { end in
          axis.count { abs(Double($0) - end) < 0.01 } >= 3
        }
      }
      #expect(rails.isEmpty == !isHit, "\(id)")
      for rail in rails {
        #expect(abs(abs(rail.value) - stated) < 0.01, "\(id): \(rail.value)")
        #expect(rail.exact >= 3)
      }
    }
  }

  // MARK: Info

  @Test func infoTellsHistogramGravityAndRails() throws {
    let scratch = try Scratch()
    let path = Fixtures.traces.appending(path: "synthetic/handling-s01.h5").path
    // Long lines wrap.
    let table = try Program.run(["info", path], in: scratch.url).output
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for text in [
      "readings in m s-2", "intervals: 0.5-1.5 periods 29861, 1.5-3 periods 10 ",
      "gravity: stated as included, by the readings included: ",
      "saturation: x at 78.45 m s-2, 16 readings (0.05 %); y at -78.45 m s-2, 9 readings (0.03 %); "
        + "z at 78.45 m s-2, 26 readings (0.09 %)",
    ] {
      #expect(table.contains(text), "\(text) in \(table)")
    }
    let output = try Program.run(["info", path, "--format", "json"], in: scratch.url).output
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
    let infos = try #require(document["traces"] as? [[String: Any]])
    let channels = try #require(infos.first?["channels"] as? [[String: Any]])
    let acceleration = try #require(channels.first { $0["channel"] as? String == "acceleration" })
    let intervals = try #require(acceleration["intervals"] as? [[String: Any]])
    #expect(intervals.count == 7)
    #expect(intervals.compactMap { $0["count"] as? Int }.reduce(0, +) == 29871)
    let gravity = try #require(acceleration["gravity"] as? [String: Any])
    #expect(gravity["found"] as? String == "included")
    let resting = try #require(gravity["resting_magnitude"] as? Double)
    #expect(abs(resting - 9.8) < 0.1)
    #expect((acceleration["saturation"] as? [Any])?.count == 3)
  }

  @Test func infoReadsGPXAndSaysWhatItLeavesOut() throws {
    let scratch = try Scratch()
    try scratch.write(
      Self.walk.replacingOccurrences(
        of: "</time>", with: "</time><extensions><hr>90</hr></extensions>"),
      to: "walk.gpx")
    let info = try Program.run(["info", "walk.gpx"], in: scratch.url)
    #expect(info.status == 0, "\(info.errors)")
    #expect(info.output.contains("location: 6 readings"))
    #expect(info.output.contains("not read: hr"))
  }

  /// Only on a terminal unless asked, and in ASCII where the locale has no other characters.
  @Test func infoDrawsWhenAsked() throws {
    let scratch = try Scratch()
    let path = Fixtures.traces.appending(path: "recorded/cerknicko-jezero.h5").path
    func info(_ options: [String], locale: String) throws -> String {
      try Program.launch(
        "env", ["LC_ALL=\(locale)", "COLUMNS=60", Program.executable, "info", path] + options,
        in: scratch.url
      ).output
    }
    func isASCII(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }
    let none = try info([], locale: "C.UTF-8")
    #expect(isASCII(none))
    let drawn = try info(["--plot"], locale: "C.UTF-8")
    #expect(drawn.hasPrefix(none))
    let plot = drawn.dropFirst(none.count).split(separator: "\n")
    #expect(plot.first?.contains("north is up") == true)
    #expect((2...13).contains(plot.count))
    #expect(plot.allSatisfy { $0.count <= 60 })
    let hasDots = plot.dropFirst().joined().unicodeScalars
      .contains { (0x2801...0x28FF).contains($0.value) }
    #expect(hasDots)
    let ascii = try info(["--plot"], locale: "C")
    #expect(isASCII(ascii))
    #expect(ascii.split(separator: "\n").count == drawn.split(separator: "\n").count)
    #expect(try info(["--no-plot"], locale: "C.UTF-8") == none)
  }
}
