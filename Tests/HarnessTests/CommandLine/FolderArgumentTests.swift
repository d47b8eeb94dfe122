import Foundation
import TestSupport
import Testing

@testable import Harness

/// Folders and several recordings as arguments.
@Suite struct FolderArgumentTests {
  private let scratch: Scratch

  /// Two exports of phyphox, one file of a receiver in a folder below, and files that are none.
  init() throws {
    scratch = try Scratch()
    for name in ["one", "two"] {
      let folder = "all/\(name)/meta"
      try FileManager.default.createDirectory(
        atPath: scratch.path(folder), withIntermediateDirectories: true)
      let rows = (0..<20).map { "\(Double($0) / 50),0.5,-1,9.8" }.joined(separator: "\n")
      try scratch.write(
        "\"Time (s)\",\"X (m/s^2)\",\"Y (m/s^2)\",\"Z (m/s^2)\"\n\(rows)\n",
        to: "all/\(name)/Accelerometer.csv")
      try scratch.write(
        """
        "event","experiment time","system time","system time text"
        "START",0,1700000000.0,"2023-11-14 22:13:20.000 UTC+00:00"
        "PAUSE",0.4,1700000000.4,"2023-11-14 22:13:20.400 UTC+00:00"

        """, to: "all/\(name)/meta/time.csv")
      try scratch.write("property,value\ndeviceModel,x\n", to: "all/\(name)/meta/device.csv")
    }
    try FileManager.default.createDirectory(
      atPath: scratch.path("all/more"), withIntermediateDirectories: true)
    try scratch.write(
      """
      <gpx version="1.1" creator="hand"><trk><trkseg>
      <trkpt lat="47.0000" lon="11.0"><time>2024-05-01T10:00:00Z</time></trkpt>
      <trkpt lat="47.0001" lon="11.0"><time>2024-05-01T10:00:10Z</time></trkpt>
      </trkseg></trk></gpx>
      """, to: "all/more/walk.gpx")
    try scratch.write("Notes, by hand\n", to: "all/README.md")
  }

  private func run(_ arguments: [String]) throws -> Program.Outcome {
    try Program.run(arguments, in: scratch.url)
  }

  private func traces(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scratch.path(folder)).sorted()
  }

  /// Links to folders lead in circles, or anywhere; links to files are files.
  @Test func linksToFoldersAreNotFollowed() throws {
    for (link, target) in [("all/x", "."), ("all/root", "/"), ("all/more/walk2.gpx", "walk.gpx")] {
      try FileManager.default.createSymbolicLink(
        atPath: scratch.path(link), withDestinationPath: target)
    }
    let outcome = try run(["info", "all", "--format", "json"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let paths = outcome.output.matches(of: /"path" ?: ?"([^"]*)"/).map { String($0.output.1) }
    #expect(Set(paths).count == 4, "\(paths)")
    #expect(outcome.errors.contains("2 links to folders: all/root, all/x"), "\(outcome.errors)")
  }

  /// Each trace goes to the detectors that read it; what none reads is left out.
  @Test func runsUnlikeTraces() throws {
    let synthetic = Fixtures.traces.appending(path: "synthetic").path
    let motion = "\(synthetic)/running-s01.h5"
    let (positions, touches) = ("\(synthetic)/track-run-s01.h5", "\(synthetic)/drags-s01.h5")
    func rows(_ inputs: [String], _ note: String) throws -> [String] {
      let outcome = try run(
        ["run", "-o", "r.h5", "--gravity-filter", "lowpass", "--format", "json"] + inputs)
      try #require(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.errors.contains("note: ") == !note.isEmpty, "\(outcome.errors)")
      #expect(note.isEmpty || outcome.errors.contains(note), "\(outcome.errors)")
      let runs = try #require(try outcome.object["runs"] as? [[String: Any]])
      return runs.map { "\($0["entry"] ?? "") \($0["trace"] ?? "")" }
    }
    #expect(
      try rows([positions, motion, touches], "") == [
        "track/default track-run-s01", "punch/default running-s01", "tiledrag/default drags-s01",
      ])
    #expect(
      try rows(
        [positions, motion, touches, "--detector", "punch"],
        "2 of 3 traces have no channel that the detector reads, and are left out: ")
        == ["punch/default running-s01"])
    let none = try run(["run", positions, touches, "--detector", "punch", "-o", "n.h5"])
    #expect(none.status == 65 && none.errors.contains("channel"), "\(none.errors)")
  }

  /// What `run -q` finds is in its file.
  @Test func quietRunsPrintNoTable() throws {
    let trace = Fixtures.traces.appending(path: "synthetic/track-run-s01.h5").path
    for (options, isQuiet) in [([], true), (["--full"], false), (["--format", "csv"], false)] {
      let outcome = try run(["run", trace, "-q", "-o", "r.h5"] + options)
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
      #expect(outcome.output.isEmpty == isQuiet, "\(outcome.output)")
    }
  }

  @Test func convertsAFolderOfRecordings() throws {
    let outcome = try run(["convert", "all", "-o", "traces"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try traces(in: "traces") == ["one.h5", "two.h5", "walk.h5"])
    #expect(outcome.errors.contains("made folder traces"))
    #expect(outcome.errors.contains("skipped all/README.md, which is not a recording"))
    #expect(outcome.errors.contains("traces: 3 of 3 recordings converted"))
    let info = try run(["info", "traces", "--format", "csv"])
    #expect(info.output.split(separator: "\n").count == 4, "\(info.output)")
  }

  /// A folder that is one export stays one recording.
  @Test func oneExportIsOneRecording() throws {
    let one = try run(["convert", "all/one", "-o", "one.h5"])
    #expect(one.status == 0, "\(one.errors)")
    let several = try run(["convert", "all/one", "all/more/walk.gpx", "-o", "both"])
    #expect(several.status == 0, "\(several.errors)")
    #expect(try traces(in: "both") == ["one.h5", "walk.h5"])
    let file = try run(["convert", "all", "-o", "all.h5"])
    #expect(file.status == 64)
    #expect(file.errors.contains("expected a folder for 3 traces"))
    let named = try run(["convert", "all", "-o", "x", "--id", "a"])
    #expect(named.status == 64)
  }

  /// One recording goes into a folder as several do, whether it is a file or in a folder.
  @Test func oneRecordingGoesIntoAFolder() throws {
    for (input, output) in [("all/more", "a"), ("all/more/", "b/"), ("all/more/walk.gpx", "c")] {
      let outcome = try run(["convert", input, "-o", output])
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.errors.contains("made folder"))
      #expect(try traces(in: output) == ["walk.h5"])
    }
    let named = try run(["convert", "all/more", "-o", "d", "--id", "monday"])
    #expect(named.status == 0, "\(named.errors)")
    #expect(try traces(in: "d") == ["monday.h5"])
    #expect(try run(["convert", "all/more", "-o", "walk.h5"]).status == 0)
    for output in ["", "-"] {
      let unnamed = try run(["convert", "all/more/walk.gpx", "-o", output])
      #expect(unnamed.status == 64, "\(unnamed.errors)")
      #expect(!FileManager.default.fileExists(atPath: scratch.path("-")))
    }
    try FileManager.default.createDirectory(
      atPath: scratch.path("none"), withIntermediateDirectories: true)
    let none = try run(["convert", "none", "-o", "e"])
    #expect(none.status == 65 && none.errors.contains("error: none: expected"), "\(none.errors)")
  }

  /// What a run wrote into its own folder is not a recording for the next run.
  @Test func aFolderConvertsIntoItselfTwice() throws {
    for _ in 0..<2 {
      let outcome = try run(["convert", "all/more", "-o", "all/more"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try traces(in: "all/more") == ["walk.gpx", "walk.h5"])
    }
    let elsewhere = try run(["convert", "all/more", "-o", "b"])
    #expect(elsewhere.status == 0, "\(elsewhere.errors)")
    #expect(try traces(in: "b") == ["more-walk-gpx.h5", "more-walk-h5.h5"])
  }

  @Test func oneFailureDoesNotStopTheOthers() throws {
    try scratch.write("<gpx version=\"1.1\"><trk>", to: "all/more/bad.gpx")
    let outcome = try run(["convert", "all", "-o", "traces"])
    #expect(outcome.status == 65, "\(outcome.errors)")
    #expect(outcome.errors.contains("error: all/more/bad.gpx"))
    #expect(outcome.errors.contains("traces: 3 of 4 recordings converted"))
    #expect(try traces(in: "traces") == ["one.h5", "two.h5", "walk.h5"])
    let validate = try run(["validate", "all"])
    #expect(validate.status == 65)
    #expect(validate.errors.contains("4 recordings"), "\(validate.errors)")
    let info = try run(["info", "all", "--format", "csv"])
    #expect(info.status == 65)
    #expect(info.output.split(separator: "\n").count == 4, "\(info.output)")
  }

  @Test func equalNamesGetTheirFolder() throws {
    try FileManager.default.copyItem(
      atPath: scratch.path("all/more/walk.gpx"), toPath: scratch.path("all/walk.gpx"))
    let outcome = try run(["convert", "all", "-o", "traces", "-q"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try traces(in: "traces") == ["all-walk.h5", "more-walk.h5", "one.h5", "two.h5"])
    let info = try run(["info", "traces/all-walk.h5"])
    #expect(info.output.contains("all-walk"))
  }

  @Test func replayTakesAFolderOfTraces() throws {
    for name in ["a", "b"] {
      #expect(
        try run(["synth", "punches", "--duration", "20s", "-o", "set/\(name).h5"]).status == 0)
    }
    let folder = try run(["replay", "set", "--format", "csv"])
    let files = try run(["replay", "set/a.h5", "set/b.h5", "--format", "csv"])
    #expect(folder.status == 0, "\(folder.errors)")
    #expect(folder.output == files.output)
    let none = try run(["replay", "all"])
    #expect(none.status == 65)
    #expect(none.errors.contains("expected native traces (.h5) in the folder"))
  }
}
