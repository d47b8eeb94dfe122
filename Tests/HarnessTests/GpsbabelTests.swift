import Diagnostics
import Foundation
import TestSupport
import Testing
@testable import TraceFormats
import TraceModel

/// What becomes of what gpsbabel does, with a script in its place; and the program itself, where it
/// is installed.
@Suite struct GpsbabelTests {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  private static let gpx = """
    <gpx version="1.0"><trk><trkseg>
    <trkpt lat="46.5" lon="13.5"><time>2022-05-01T10:00:00Z</time><speed>1.5</speed></trkpt>
    <trkpt lat="46.6" lon="13.5"><time>2022-05-01T10:00:01Z</time></trkpt>
    </trkseg></trk></gpx>
    """

  /// - Parameter script: of the shell; its arguments are those of gpsbabel.
  private func standIn(_ script: String, limit: Duration = .seconds(60)) throws -> Gpsbabel {
    try scratch.write("#!/bin/sh\n\(script)\n", to: "gpsbabel")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: scratch.path("gpsbabel"))
    return try Gpsbabel(path: "/nowhere:\(scratch.url.path)", limit: limit)
  }

  private func read(_ gpsbabel: Gpsbabel, _ name: String = "run.fit") throws -> ImportedTrace {
    try scratch.write("x", to: name)
    return try gpsbabel.read(scratch.path(name), format: "garmin_fit", options: GPXOptions())
  }

  private func failure(_ body: () throws -> Void) -> Failure? {
    do {
      try body()
      return nil
    } catch {
      return error as? Failure ?? Failure(.interrupted, "\(error)")
    }
  }

  @Test func whatItWritesIsRead() throws {
    let imported = try read(standIn("cat <<'EOF'\n\(Self.gpx)\nEOF\necho careful >&2"))
    #expect(imported.header.id == "run" && imported.header.source == "run.fit")
    #expect(imported.header.info(.location)?.count == 2)
    #expect(imported.report.notes.contains("gpsbabel read it as garmin_fit."))
    #expect(imported.report.notes.contains("gpsbabel: careful"))
    #expect(imported.report.notes.contains { $0.contains("records without a position") })
    // The file is no FIT that could have an odometer.
    #expect(imported.report.losses.first.first?.description.contains("a header of FIT") == true)
    #expect(imported.header.info(.odometer) == nil)
  }

  /// No shell sees the name, and none of it is taken for an option.
  @Test(arguments: ["a b.fit", "$(touch x).fit", "-f.fit", "é\"'`;&|.fit", "a\nb.fit", "-"])
  func anyNameIsOneArgument(name: String) throws {
    let gpsbabel = try standIn(
      "for each; do printf '%s\\0' \"$each\"; done > \"$0.arguments\"\ncat <<'EOF'\n\(Self.gpx)\nEOF"
    )
    _ = try read(gpsbabel, name)
    let arguments = try scratch.bytes(of: "gpsbabel.arguments").split(separator: 0)
      .map { String(decoding: $0, as: UTF8.self) }
    #expect(
      arguments == [
        "-p", "/dev/null", "-w", "-r", "-t", "-i", "garmin_fit", "-f", scratch.path(name), "-o",
        "gpx,gpxver=1.0",
        "-F", "-",
      ])
    #expect(!scratch.names.contains("x"))
  }

  @Test func whatItSaysIsShown() throws {
    let error = failure { _ = try read(standIn("echo 'bad CRC' >&2; exit 1")) }
    #expect(error?.kind == .badData)
    #expect(
      error?.description
        == "\(scratch.path("run.fit")): expected gpsbabel to read it as garmin_fit, found "
        + "exit code 1 and the message \"bad CRC\"; name another format with --from gpsbabel:FORMAT "
        + "(gpsbabel -h lists them)")
    // Half a file before it fails: what it says counts, not what is wrong with the half.
    let half = failure { _ = try read(standIn("echo '<gpx><trk>'; echo no more >&2; exit 3")) }
    #expect(half?.description.contains("exit code 3 and the message \"no more\"") == true)
  }

  @Test func whatIsWrongWithItsOutputIsShown() throws {
    let error = failure { _ = try read(standIn("echo '<gpx></gpx>'")) }
    #expect(error?.description.contains("run.fit as GPX: expected track points") == true)
    // More output than a pipe holds, after unreadable output: the program does not wait for ever.
    let long = failure { _ = try read(standIn("echo '<x/>'; yes | head -c 1000000")) }
    #expect(long?.description.contains("expected the element \"gpx\"") == true)
  }

  @Test func oneThatHangsIsEnded() throws {
    let gpsbabel = try standIn("echo '<gpx>'; exec sleep 1000", limit: .milliseconds(200))
    let error = failure { _ = try read(gpsbabel) }
    #expect(error?.kind == .childFailed)
    #expect(error?.description.contains("no end after") == true)
  }

  /// Something that it has started may outlive it and keep its streams open. In its group it is ended;
  /// out of it, nobody waits for it.
  @Test(arguments: ["", "setsid "])
  func whatItLeavesBehindIsNotWaitedFor(prefix: String) throws {
    let imported = try read(
      standIn("\(prefix)sleep 1000 & echo $! > \"$0.pid\"\ncat <<'EOF'\n\(Self.gpx)\nEOF"))
    #expect(imported.header.info(.location)?.count == 2)
    let text = try scratch.text(of: "gpsbabel.pid").trimmingCharacters(in: .whitespacesAndNewlines)
    let left = try #require(pid_t(text))
    if prefix.isEmpty {
      // It ends soon, and disappears once the process that adopts orphans has reaped it.
      func isGone() -> Bool {
        let state = try? String(contentsOfFile: "/proc/\(left)/stat", encoding: .utf8)
        return state?.contains(") Z ") ?? true
      }
      for _ in 0..<1000 where !isGone() { usleep(10_000) }
      #expect(isGone())
    } else {
      #expect(kill(left, SIGKILL) == 0)
    }
  }

  /// A folder of the PATH that is not absolute lies in the working directory.
  @Test func relativeFoldersAreNotSearched() throws {
    _ = try standIn("exit 0")
    let relative = String(repeating: "../", count: 30) + scratch.url.path.dropFirst()
    #expect(throws: Failure.self) { try Gpsbabel(path: ":.:\(relative)") }
  }

  @Test func oneThatIsKilledIsTold() throws {
    let error = failure { _ = try read(standIn("kill -9 $$")) }
    #expect(error?.kind == .childFailed)
    #expect(error?.description.contains("a crash with signal 9") == true)
  }

  @Test func withoutItOneIsToldHowToInstallIt() {
    let error = failure { _ = try Gpsbabel(path: "/nowhere") }
    #expect(error?.kind == .fileError)
    #expect(error?.description.contains("apt-get install gpsbabel") == true)
  }

  @Test func anAbsentFileIsTold() throws {
    let gpsbabel = try standIn("exit 0")
    let error = failure {
      _ = try gpsbabel.read("/nowhere/a.fit", format: "x", options: GPXOptions())
    }
    #expect(
      error?.description
        == "/nowhere/a.fit: expected a readable file, found none; check the path")
  }

  // MARK: Formats

  @Test func theFormatIsThatOfTheBytesOrTheEnding() throws {
    let list = [
      "internal\trw----\txcsv\t\tCharacter Separated Values",
      "file\trwrwrw\tkml\tkml\tGoogle Earth",
      "file\t--rw--\tggv_log\tlog\tGeogrid-Viewer",
      "file\t--r---\tricoh\tlog\tRicoh",
      "file\trw----\tgeo\tloc\tGeocaching",
      "file\t--rw--\tgtrnctr\ttcx/crs/hst/xml\tTraining Center",
    ].joined(separator: "\\n")
    let gpsbabel = try standIn("printf '\(list.replacing("\t", with: "\\t"))\\n'")
    func format(_ name: String, _ content: String) throws -> String {
      try scratch.write(content, to: name)
      let found = try gpsbabel.format(of: scratch.path(name))
      return "\(found.name): \(found.reason)"
    }
    let header = "\u{E}\u{10}\u{8}\u{0}\u{1}\u{0}\u{0}\u{0}.FIT\u{0}\u{0}"
    #expect(try format("a.bin", header) == "garmin_fit: it has the signature of FIT")
    #expect(
      try format("a", "<?xml?><TrainingCenterDatabase>")
        == "gtrnctr: it has the element TrainingCenterDatabase of TCX")
    #expect(try format("a.xml", "<kml xmlns=''>") == "kml: it has the element kml")
    #expect(try format("a.HST", "x") == "gtrnctr: its extension is .hst")
    let several = failure { _ = try format("a.log", "x") }
    #expect(several?.kind == .wrongUse)
    #expect(
      several?.description.contains(
        "the extension .log of 2 formats: ggv_log (Geogrid-Viewer), ricoh (Ricoh)") == true)
    // Waypoints alone are not a recording.
    #expect(
      failure { _ = try format("a.loc", "x") }?.description.contains("extension .loc") == true)
    #expect(
      failure { _ = try format("a", "x") }?.description.contains("found no extension") == true)
  }

  // MARK: The program itself

  private static let isInstalled = (try? Gpsbabel()) != nil

  @Test(.enabled(if: isInstalled))
  func aTrainingCenterFileIsConverted() throws {
    let points = (0..<3).map { index in
      """
      <Trackpoint><Time>2022-05-01T10:00:0\(index)Z</Time>
      <Position><LatitudeDegrees>46.\(index)</LatitudeDegrees>
      <LongitudeDegrees>13.5</LongitudeDegrees></Position>
      <AltitudeMeters>500.5</AltitudeMeters><DistanceMeters>\(index)</DistanceMeters></Trackpoint>
      """
    }
    try scratch.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <TrainingCenterDatabase
        xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2">
      <Activities><Activity Sport="Running"><Id>2022-05-01T10:00:00Z</Id>
      <Lap StartTime="2022-05-01T10:00:00Z"><Track>\(points.joined())
      <Trackpoint><Time>2022-05-01T10:00:09Z</Time></Trackpoint></Track></Lap>
      </Activity></Activities></TrainingCenterDatabase>
      """, to: "my run.tcx")
    let outcome = try Program.run(["convert", "my run.tcx", "-o", "a.h5"], in: scratch.url)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let trace = try NativeTrace.read(scratch.path("a.h5"))
    guard case .fix(let fixes)? = trace[.location] else {
      Issue.record("no location")
      return
    }
    #expect(fixes.values.map(\.latitude) == [46, 46.1, 46.2])
    #expect(fixes.values.allSatisfy { $0.altitude == 500.5 })
    #expect(trace.header.epoch == "2022-05-01T10:00:00Z" && trace.header.id == "my run")
    let lines = outcome.errors.split(separator: "\n").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    #expect(lines.joined(separator: " ").contains("trackpoints without a position"))
    let odometer = try #require(trace[.odometer].flatMap { ScalarColumns($0) })
    #expect(odometer.values.map(\.value) == [0, 1, 2])
    #expect(odometer.measuredTimes == [0, 1_000_000_000, 2_000_000_000])
    #expect(lines.joined(separator: " ").contains("Odometer: 3 readings"), "\(outcome.errors)")
  }

  /// A FIT file whose first records have no position and whose last has no distance: gpsbabel reads
  /// the positions, and the odometer is on the same clock.
  @Test(.enabled(if: isInstalled), arguments: ["", ".gz"])
  func anOdometerIsReadBesideThePositions(packing: String) throws {
    let fields = [FITFile.time, FITFile.latitude, FITFile.longitude, FITFile.distance]
    let nowhere = 0x7FFF_FFFF as UInt32
    func record(_ second: UInt32, _ latitude: Double?, _ distance: UInt32) -> [UInt8] {
      let place = latitude.map { [FITFile.semicircles($0), FITFile.semicircles(13)] }
      return FITFile.data(
        0, [FITFile.start + second] + (place ?? [nowhere, nowhere]) + [distance])
    }
    let bytes = FITFile.file([
      FITFile.definition(0, fields), record(0, nil, 0), record(2, 46, 250),
      record(3, 46.001, 11_400),
      record(4, 46.002, .max),
    ])
    try Data(bytes).write(to: scratch.url.appending(path: "run.fit"))
    if !packing.isEmpty {
      #expect(try Program.launch("gzip", ["run.fit"], in: scratch.url).status == 0)
    }
    let outcome = try Program.run(
      ["convert", "run.fit" + packing, "-o", "a.h5", "--true-distance", "odometer"],
      in: scratch.url)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let trace = try NativeTrace.read(scratch.path("a.h5"))
    let odometer = try #require(trace[.odometer].flatMap { ScalarColumns($0) })
    #expect(odometer.values.map(\.value) == [0, 2.5, 114])
    #expect(odometer.measuredTimes == [0, 2_000_000_000, 3_000_000_000])
    let fixes = try #require(trace[.location].flatMap { FixColumns($0) })
    #expect(fixes.measuredTimes == [2_000_000_000, 3_000_000_000, 4_000_000_000])
    #expect(trace.header.epoch == "2022-05-01T10:00:00Z")
    let truth = try #require(trace.header.reference(.distance))
    #expect(truth.events[0].value == 114 && truth.isOfDevice)
    #expect(outcome.errors.contains("the device's own odometer"), "\(outcome.errors)")
    // The table without a true distance.
    try scratch.write(
      "schema: shadowbox-suite/1\ntraces: {a: [a.h5]}\nentries: [{detector: track, traces: [a]}]\n",
      to: "s.yml")
    let run = try Program.run(["run", "s.yml", "--full", "-o", "r.h5"], in: scratch.url)
    #expect(run.output.contains("the device's own odometer"), "\(run.output)\(run.errors)")
  }

  @Test(.enabled(if: isInstalled))
  func aBrokenFileIsBadData() throws {
    try scratch.write("nothing of the kind", to: "a.fit")
    let outcome = try Program.run(
      ["convert", "a.fit", "--from", "gpsbabel:garmin_fit", "-o", "a.h5"], in: scratch.url)
    #expect(outcome.status == 65 && outcome.errors.contains("a.fit"), "\(outcome.errors)")
    #expect(!scratch.names.contains("a.h5"))
  }

  /// A process that has ended is there until its parent asks for its status: with the program gone
  /// that is the system's first process, which may take its time.
  private func isRunning(_ process: Int32) -> Bool {
    guard kill(process, 0) == 0 else { return false }
    let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return stat?.contains(") Z ") != true
  }

  /// An interrupt ends the child too.
  @Test func anInterruptLeavesNoChild() throws {
    _ = try standIn("echo $$ > \"$0.pid\"; exec sleep 1000")
    try scratch.write("x", to: "a.fit")
    let process = Process()
    process.executableURL = URL(filePath: Program.executable)
    process.arguments = ["convert", "a.fit", "--from", "gpsbabel:garmin_fit", "-o", "a.h5"]
    process.currentDirectoryURL = scratch.url
    process.environment = ["PATH": "\(scratch.url.path):/usr/bin:/bin"]
    process.standardError = FileHandle.nullDevice
    try process.run()
    func child() -> Int32? {
      (try? scratch.bytes(of: "gpsbabel.pid")).flatMap {
        Int32(String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
      }
    }
    while process.isRunning, child() == nil { usleep(1000) }
    let pid = try #require(child())
    kill(process.processIdentifier, SIGTERM)
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    // It may take the system a moment to take it away.
    for _ in 0..<5000 where isRunning(pid) { usleep(1000) }
    #expect(!isRunning(pid))
  }

  /// gpsbabel itself reads no packed XML.
  @Test func packedXMLIsUnpackedFirst() throws {
    let gpsbabel = try standIn("cat >\"$0.input\"; cat <<'EOF'\n\(Self.gpx)\nEOF")
    try scratch.write("<TrainingCenterDatabase/>", to: "run.tcx")
    let packed = try Program.launch("gzip", ["-k", "run.tcx"], in: scratch.url)
    try #require(packed.status == 0)
    let trace = try gpsbabel.read(
      scratch.path("run.tcx.gz"), format: "gtrnctr", options: GPXOptions())
    #expect(trace.header.id == "run" && trace.header.source == "run.tcx.gz")
    #expect(try scratch.text(of: "gpsbabel.input") == "<TrainingCenterDatabase/>")
  }

  /// gpsbabel takes time that grows with the square of the depth.
  @Test(arguments: ["kml", "gtrnctr"]) func deepXMLIsRefused(format: String) throws {
    let gpsbabel = try standIn("touch \"$0.started\"")
    try scratch.write(String(repeating: "<a>", count: 300), to: "run.xml")
    let error = failure {
      _ = try gpsbabel.read(scratch.path("run.xml"), format: format, options: GPXOptions())
    }
    #expect(error?.description.contains("256 nested elements") == true, "\(error as Any)")
    #expect(!scratch.names.contains("gpsbabel.started"))
  }

  /// Records of 9 bytes that pack by a thousand: gpsbabel would keep 200 bytes for each.
  @Test func packedFITIsLimited() throws {
    try scratch.write(String(repeating: "123456789", count: 2_000_000), to: "run.fit")
    let packed = try Program.launch("gzip", ["-k", "run.fit"], in: scratch.url)
    try #require(packed.status == 0)
    let gpsbabel = try standIn("touch \"$0.started\"")
    let error = failure {
      _ = try gpsbabel.read(
        scratch.path("run.fit.gz"), format: "garmin_fit", options: GPXOptions())
    }
    #expect(error?.description.contains("8 MiB plus 20 bytes") == true, "\(error as Any)")
    #expect(!scratch.names.contains("gpsbabel.started"))
  }
}
