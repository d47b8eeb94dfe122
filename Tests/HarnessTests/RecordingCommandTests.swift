@testable import Reports
@testable import Evaluation
import Foundation
import TestSupport
import Testing
@testable import TraceFormats

@testable import Harness

/// The first steps with recordings: `convert`, `info` and `validate`.
@Suite struct RecordingCommandTests {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try scratch.write(Self.walk, to: "walk.gpx")
    try scratch.write("t,ax,ay,az\n0,0,0,1\n0.01,0,0,1\n", to: "watch.csv")
  }

  private static let walk = """
    <gpx version="1.1" creator="hand"><trk><trkseg>
    <trkpt lat="47.0000" lon="11.0"><time>2024-05-01T10:00:00Z</time></trkpt>
    <trkpt lat="47.0001" lon="11.0"><time>2024-05-01T10:00:10Z</time></trkpt>
    </trkseg></trk></gpx>
    """
  private static let map = ["--map", "time=t,x=ax[g],y=ay[g],z=az[g]"]

  private func run(_ arguments: [String]) throws -> Program.Outcome {
    try Program.run(arguments, in: scratch.url)
  }

  /// Runs the program with what `cat` writes into a pipe.
  private func piping(_ file: String, _ arguments: [String]) throws -> Program.Outcome {
    try Program.launch(
      "sh", ["-c", "cat \(file) | timeout 20 \"$0\" \"$@\"", Program.executable] + arguments,
      in: scratch.url)
  }

  // MARK: Exit codes

  @Test(arguments: [
    (["walk.gpx", "--pauses", "insert"], "--pauses has no effect on a gpx file"),
    (["watch.csv"], "Expected columns with one possible meaning"),
    (["watch.csv"] + map, "Expected a statement whether accelerations include gravity"),
  ])
  func validateTellsWrongUseFromBadData(arguments: [String], message: String) throws {
    let outcome = try run(["validate"] + arguments)
    #expect(outcome.status == 64)
    #expect(outcome.output.contains("error    \(arguments[0])  -"), "\(outcome.output)")
    #expect(outcome.output.contains(message), "\(outcome.output)")
  }

  @Test func theGravestOfSeveralCounts() throws {
    try scratch.write("", to: "empty.gpx")
    #expect(try run(["validate", "watch.csv", "walk.gpx"]).status == 64)
    #expect(try run(["validate", "watch.csv", "empty.gpx"]).status == 65)
    #expect(try run(["validate", "watch.csv", "empty.gpx", "nowhere.gpx"]).status == 74)
  }

  @Test func aColumnOfLabelsNeedsTheOneThatMeansNothing() throws {
    let rows = ["idle", "jab", "idle", "cross"].enumerated().map { "\($0),0,0,1,\($1)" }
    try scratch.write("t,ax,ay,az,label\n" + rows.joined(separator: "\n") + "\n", to: "l.csv")
    let convert =
      ["convert", "l.csv", "-o", "l.h5", "--gravity", "included", "--reference-column", "label"]
      + Self.map
    let asked = try run(convert)
    #expect(asked.status == 64)
    #expect(
      asked.errors.contains("the labels \"idle\", \"jab\", \"cross\""), "\(asked.errors)")
    #expect(asked.errors.contains("--no-event-label"))
    let told = try run(convert + ["--no-event-label", "idle"])
    #expect(told.status == 0, "\(told.errors)")
    #expect(told.errors.contains("2 reference punches"))
    let none = try run(convert + ["--no-event-label", ""])
    #expect(none.status == 0, "\(none.errors)")
    #expect(none.errors.contains("4 reference punches"))
    // Empty cells mean nothing.
    try scratch.write("t,ax,ay,az,label\n0,0,0,1,\n1,0,0,1,jab\n2,0,0,1,\n", to: "l.csv")
    #expect(try run(convert).status == 0)
  }

  @Test func gravityNamesItsOption() throws {
    let convert = try run(
      ["convert", "watch.csv", "-o", "watch.h5", "--gravity", "included"] + Self.map)
    #expect(convert.status == 0, "\(convert.errors)")
    let outcome = try run(["replay", "watch.h5", "--detector", "punch"])
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("--gravity-filter lowpass"), "\(outcome.errors)")
  }

  @Test func aMappingThatSaysTooLittleIsWrongUse() throws {
    let outcome = try run(["convert", "watch.csv"] + Self.map + ["-o", "watch.h5"])
    #expect(outcome.status == 64)
    #expect(outcome.errors.hasPrefix("error: watch.csv: expected a statement whether"))
    #expect(outcome.errors.contains("--gravity included"))
  }

  // MARK: Plain CSV

  @Test func aTableWithOneReadingNeedsNoMapping() throws {
    let rows = (0..<50).map { "\(Double($0) / 50),0.01,\($0 % 2 == 0 ? 0.02 : 0),0.99" }
    try scratch.write((["t,ax,ay,az"] + rows).joined(separator: "\n"), to: "rest.csv")
    let outcome = try run(["convert", "rest.csv", "-o", "rest.h5"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let mapping = ["--map", "time=t[s],x=ax[g],y=ay[g],z=az[g]", "--gravity", "included"]
    #expect(outcome.errors.contains("Columns taken: --map '\(mapping[1])' --gravity included."))
    // What is reported can be typed, and gives the same file.
    let typed = try run(["convert", "rest.csv", "-o", "typed.h5", "--id", "rest"] + mapping)
    #expect(typed.status == 0, "\(typed.errors)")
    #expect(try scratch.bytes(of: "rest.h5") == scratch.bytes(of: "typed.h5"))
    // A statement of the user overrules what the values show.
    let removed = try run(["convert", "rest.csv", "--gravity", "removed", "-o", "none.h5"])
    #expect(removed.status == 64)
    #expect(removed.errors.contains("z=az[m/s2|g]' --gravity removed"), "\(removed.errors)")
  }

  @Test func jsonSaysWhatToExport() throws {
    try scratch.write("{\"x\": 1}", to: "x.json")
    let outcome = try run(["convert", "x.json", "-o", "x.h5"])
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("found JSON; export CSV (sensors) or GPX (positions)"))
  }

  // MARK: Several files

  @Test func infoTellsOfTheFilesThatItCanRead() throws {
    let outcome = try run(["info", "nowhere.gpx", "walk.gpx", "watch.csv", "--format", "csv"])
    #expect(outcome.status == 74)
    #expect(outcome.output.contains("walk.gpx,walk,recorded"))
    #expect(outcome.errors.contains("error: nowhere.gpx: expected a readable file"))
    #expect(outcome.errors.contains("error: watch.csv: expected columns with one possible meaning"))
  }

  @Test func placesAreWithoutTheFoldersThatLeadThere() throws {
    try makeFolder(scratch.path("a long way/to go"))
    try scratch.write(
      Self.walk.replacing("</trkseg>", with: "<trkpt lat=\"x\" lon=\"1\"/></trkseg>"),
      to: "a long way/to go/walk.gpx")
    let path = "a long way/to go/walk.gpx"
    let outcome = try run(["validate", path])
    #expect(outcome.output.contains("\n  error    walk.gpx:4  "), "\(outcome.output)")
    let csv = try run(["validate", path, "--format", "csv"])
    #expect(csv.output.contains(",\(path):4,"))
  }

  @Test func whatSumsLossesUpComesBeforeThem() throws {
    let good = "$GPGLL,4717.0,N,00833.0,E,100000.00,A,A*"
    let sum = String(format: "%02X", good.dropFirst().dropLast().utf8.reduce(0, ^))
    try scratch.write("\(good)\(sum)\n\(good)\(sum == "00" ? "01" : "00")\n", to: "log.nmea")
    let lines = try run(["validate", "log.nmea"]).output.split(separator: "\n")
    #expect(lines.dropFirst(2).first?.contains("1 of 2 sentences") == true, "\(lines)")
  }

  // MARK: Talk

  @Test func aWarningAloneNamesTheRecording() throws {
    try scratch.write("t,ax,ay,az\n0,0,0,1\n0.01,x,0,1\n", to: "damaged.csv")
    let outcome = try run(
      ["convert", "damaged.csv", "--gravity", "included", "-q", "-o", "d.h5"] + Self.map)
    #expect(outcome.status == 5)
    #expect(
      outcome.errors.hasPrefix("damaged.csv: left out: 1 damaged record"), "\(outcome.errors)")
  }

  @Test func itIsSaidWhatARecordingIsTakenFor() throws {
    let mapped = try run(
      ["convert", "watch.csv", "--gravity", "included", "-o", "w.h5"] + Self.map)
    #expect(mapped.errors.contains("  read as plain CSV: a mapping is given\n"))
    let stated = try run(["info", "--from", "gpx", "walk.gpx"])
    #expect(stated.output.contains("  read as: gpx: stated as the format\n"))
    let narrow = try Program.launch(
      "env", ["COLUMNS=40", Program.executable, "convert", "w.h5", "-o", "w.csv"], in: scratch.url)
    #expect(narrow.errors.hasSuffix("the\n    other facts of the header\n"), "\(narrow.errors)")
    // Where there is no terminal, each message is one line.
    #expect(narrow.errors.hasPrefix("w.h5 -> w.csv: 1 trace, "), "\(narrow.errors)")
  }

  /// The working directory has a name, however it is written.
  @Test(arguments: ["walks", "walks/", "walks/.", "walks/../walks", "walks/sub/.."])
  func outputsAreNamedAfterFolders(path: String) throws {
    try FileManager.default.createDirectory(
      atPath: scratch.path("walks/sub"), withIntermediateDirectories: true)
    #expect(RecordingList.name(of: scratch.path(path)) == "walks")
  }

  @Test func helpNamesEveryTargetAndKeepsItsExamplesWhole() throws {
    let help = try run(["convert", "--help"]).output
    let words = Set(help.split { !($0.isLetter || $0 == "_" || $0 == ".") }.map(String.init))
    let refused = try run(["convert", "watch.csv", "--map", "zeit=t", "-o", "w.h5"]).errors
    let list = try #require(refused.firstMatch(of: /targets (.*), found/)?.output.1)
    for target in list.split(separator: ", ") where !target.contains(/\.[yz]$/) {
      let isThere =
        words.contains(String(target)) || words.contains(target + ".")
        || target == "acceleration.x"
      #expect(isThere, "\(target)")
    }
    #expect(!help.split(separator: "\n").contains { $0.hasPrefix("included") || $0 == "-o" })
  }

  @Test(arguments: ["comma", ","]) func separatorsHaveTheNamesOfTheHelp(name: String) throws {
    let outcome = try run(
      ["convert", "watch.csv", "--gravity", "included", "--separator", name, "-o", "w.h5"]
        + Self.map)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  // MARK: Where it is read from and written to

  @Test func aPipeIsReadWhereItsFormatIsStated() throws {
    let stated = try piping("walk.gpx", ["convert", "/dev/stdin", "--from", "gpx", "-o", "w.h5"])
    #expect(stated.status == 0, "\(stated.errors)")
    let unstated = try piping("walk.gpx", ["convert", "/dev/stdin", "-o", "w.h5"])
    #expect(unstated.status == 64)
    #expect(unstated.errors.contains("--from"), "\(unstated.errors)")
    let info = try piping("walk.gpx", ["info", "/dev/stdin", "--from", "gpx", "--format", "json"])
    #expect(info.output.contains("\"sha256\" : null"))
  }

  @Test(arguments: ["named.gpx", "named"]) func aNamedPipeIsNotWaitedFor(name: String) throws {
    #expect(mkfifo(scratch.path(name), 0o600) == 0)
    let outcome = try Program.launch(
      "timeout", ["20", Program.executable, "info", name], in: scratch.url)
    #expect(outcome.status == 64, "\(outcome.errors)")
  }

  @Test(arguments: [
    ("zip", "zip -q packed.h5.zip walk.h5", "packed.h5.zip", "a zip archive"),
    ("gzip", "gzip -k walk.h5", "walk.h5.gz", "a gzip file"),
  ])
  func aPackedNativeTraceIsToBeUnpacked(
    tool: String, command: String, file: String, name: String
  ) throws {
    #expect(try run(["convert", "walk.gpx", "-o", "walk.h5"]).status == 0)
    let packed = try Program.launch("sh", ["-c", command], in: scratch.url)
    guard packed.status == 0 else { return }
    let outcome = try run(["convert", file, "-o", "out.h5"])
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("found one in \(name); unpack it first"), "\(outcome.errors)")
  }

  @Test func aPackedFileOfGpsbabelIsKnownByItsName() throws {
    for (name, format) in [("run.fit.gz", "garmin_fit"), ("run.TCX.GZ", "gtrnctr")] {
      try Data([0x1F, 0x8B, 8, 0]).write(to: scratch.url.appending(path: name))
      #expect(Gpsbabel.recognise(scratch.path(name))?.name == format)
    }
    try Data([0x1F, 0x8B, 8, 0]).write(to: scratch.url.appending(path: "run.csv.gz"))
    #expect(Gpsbabel.recognise(scratch.path("run.csv.gz")) == nil)
  }

  @Test func theFolderOfTheOutputIsMade() throws {
    let outcome = try run(["convert", "walk.gpx", "-o", "new/folder/walk.h5"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(FileManager.default.fileExists(atPath: scratch.path("new/folder/walk.h5")))
    let failed = try run(["convert", "nowhere.gpx", "-o", "other/walk.h5"])
    #expect(failed.status == 74)
    #expect(!FileManager.default.fileExists(atPath: scratch.path("other")))
  }

  @Test func partsAreNotWrittenIntoAFile() throws {
    let outcome = try run(
      ["convert", "watch.csv", "--gravity", "included", "--split-by", "az", "-o", "walk.gpx"]
        + Self.map)
    #expect(outcome.status == 74)
    #expect(outcome.errors.contains("walk.gpx: expected a folder to write into, found a file"))
  }
}
