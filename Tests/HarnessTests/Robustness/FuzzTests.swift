import Foundation
import Testing

@testable import soak

/// Ten million damaged bytes for each reader: no crash, no hang, no message that nobody can read, and
/// no more than 256 MiB. `make soak` does the same for longer and from another seed.
@Suite struct FuzzTests {
  @Test(arguments: ["csv", "gpslogger", "gpx", "labels", "native", "nmea", "suite"])
  func tenMillionBytes(reader: String) throws {
    let scratch = try Scratch()
    let soak = URL(filePath: Program.executable).deletingLastPathComponent().appending(path: "soak")
    let outcome = try Program.launch(
      soak.path, ["--reader", reader, "--bytes", "10000000", "--seed", "4", "--keep", "kept"],
      in: scratch.url)
    print(outcome.output, terminator: "")
    let kept = FileManager.default.temporaryDirectory.appending(path: "shadowbox-soak-\(reader)")
    if outcome.status != 0 {
      try? FileManager.default.removeItem(at: kept)
      try? FileManager.default.moveItem(at: scratch.url.appending(path: "kept"), to: kept)
    }
    #expect(
      outcome.status == 0, "\(outcome.output)\(outcome.errors)kept in \(kept.path)")
    // There must be damage that the reader gets over, and damage that it does not.
    // Crashes within libhdf5 would not be ours, but of these files there is none.
    let pattern =
      /(\d+) bytes in (\d+) files, (\d+) read, (\d+) refused, 0 faults, 0 crashes within libhdf5,/
    let found = try #require(outcome.output.firstMatch(of: pattern), "\(outcome.output)")
    #expect(try #require(Int(found.1)) >= 10_000_000)
    let (files, accepted) = (try #require(Int(found.2)), try #require(Int(found.3)))
    #expect(accepted > files / 20 && accepted < files)
  }

  /// A case is made again from its seed and number.
  @Test func aCaseIsMadeAgain() throws {
    let scratch = try Scratch()
    let soak = URL(filePath: Program.executable).deletingLastPathComponent().appending(path: "soak")
    for keep in ["one", "other"] {
      let outcome = try Program.launch(
        soak.path, ["--reader", "csv", "--seed", "7", "--only", "12", "--keep", keep],
        in: scratch.url)
      #expect(outcome.status == 0, "\(outcome.output)")
    }
    let name = "csv-7-12.csv"
    #expect(try scratch.bytes(of: "one/\(name)") == scratch.bytes(of: "other/\(name)"))
  }

  struct Count: Sendable {
    var faults: Int
    var libraryCrashes: Int
    var status: Int32
    var isFull: Bool
    var says: String
  }

  /// What it found is in its words, in its exit code, and ends the work before it fills the disk.
  @Test(arguments: [
    Count(faults: 0, libraryCrashes: 0, status: 0, isFull: false, says: "0 faults, 0 crashes"),
    Count(faults: 1, libraryCrashes: 0, status: 1, isFull: false, says: "1 faults, 0 crashes"),
    Count(faults: 0, libraryCrashes: 1, status: 2, isFull: false, says: "0 faults, 1 crashes"),
    Count(faults: 1, libraryCrashes: 19, status: 1, isFull: false, says: "1 faults, 19 crashes"),
    Count(faults: 20, libraryCrashes: 0, status: 1, isFull: true, says: "20 faults, 0 crashes"),
    Count(faults: 0, libraryCrashes: 20, status: 2, isFull: true, says: "0 faults, 20 crashes"),
  ])
  func whatWasFoundIsTold(count: Count) {
    func faults(_ count: Int) -> [Report.Fault] {
      (0..<count).map { Report.Fault(what: "gave way", number: $0, file: "file-\($0)") }
    }
    var report = Report(reader: .native, seed: 4)
    (report.faults, report.libraryCrashes) = (faults(count.faults), faults(count.libraryCrashes))
    let text = report.description
    #expect(text.contains(count.says + " within libhdf5,"))
    #expect(text.split(separator: "FAULT case").count - 1 == count.faults)
    #expect(text.split(separator: "LIBRARY case").count - 1 == count.libraryCrashes)
    #expect(text.contains("there may be more") == count.isFull)
    #expect(report.isFull == count.isFull)
    // A reader without fault changes nothing.
    let other = Report(reader: .csv, seed: 4)
    #expect(Report.status(of: [other, report, other]) == count.status)
  }

  struct End: Sendable {
    var signal: Int32
    var blame: Blame
    var isHanging = false
    var peakMemory = 0
    var isCrashOfLibrary: Bool
  }

  @Test(arguments: [
    End(signal: SIGSEGV, blame: .library, isCrashOfLibrary: true),
    End(signal: SIGSEGV, blame: .project, isCrashOfLibrary: false),
    End(signal: SIGSEGV, blame: .unknown, isCrashOfLibrary: false),
    End(signal: SIGABRT, blame: .library, isHanging: true, isCrashOfLibrary: false),
    End(signal: SIGSEGV, blame: .library, peakMemory: 11, isCrashOfLibrary: false),
  ])
  func aHangOrTooMuchMemoryIsAFaultWhereverItIs(end: End) {
    var ended = Supervisor.Ended()
    ended.status = end.signal
    ended.progress.blame = end.blame.rawValue
    ended.isHanging = end.isHanging
    ended.peakMemory = end.peakMemory
    #expect(ended.fault(memory: 10) != nil)
    #expect(ended.isCrashOfLibrary(memory: 10) == end.isCrashOfLibrary)
  }
}
