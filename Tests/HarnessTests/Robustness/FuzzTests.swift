import Foundation
import TestSupport
import Testing

@testable import soak

/// Damaged bytes for each reader, 150,000 in the quick run and seven million in the long one: no
/// crash, no hang, no message that nobody can read, and no more than 256 MiB. `make soak` does the
/// same for longer and from another seed.
@Suite struct FuzzTests {
  @Test(
    .longer,
    arguments: [
      "csv", "day", "fit", "fixture", "gpslogger", "gpx", "http", "labels", "native", "nmea",
      "phyphox",
      "results", "scenarios", "sensorlog", "sensorlogger", "suite", "tcx", "zip",
    ])
  func damagedBytes(reader: String) throws {
    // About a thousand bytes are an answer to a request, which takes longer to read than a file.
    let bytes = LongTests.count(quick: reader == "http" ? 75_000 : 150_000, long: 3_000_000)
    let scratch = try Scratch()
    let soak = Program.sibling("soak")
    let outcome = try Program.launch(
      soak, ["--reader", reader, "--bytes", "\(bytes)", "--seed", "4", "--keep", "kept"],
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
    let pattern = /(\d+) bytes in (\d+) files, (\d+) read, (\d+) refused, 0 faults, at most/
    let found = try #require(outcome.output.firstMatch(of: pattern), "\(outcome.output)")
    #expect(try #require(Int(found.1)) >= bytes)
    let (files, accepted) = (try #require(Int(found.2)), try #require(Int(found.3)))
    #expect(accepted < files)
    // The files of GPX are so large that a million bytes hold too few of them to say.
    #expect(accepted > files / 20 || files < 100)
  }

  /// A case is made again from its seed and number.
  @Test func aCaseIsMadeAgain() throws {
    let scratch = try Scratch()
    let soak = Program.sibling("soak")
    for keep in ["one", "other"] {
      let outcome = try Program.launch(
        soak, ["--reader", "csv", "--seed", "7", "--only", "12", "--keep", keep],
        in: scratch.url)
      #expect(outcome.status == 0, "\(outcome.output)")
    }
    let name = "csv-7-12.csv"
    #expect(try scratch.bytes(of: "one/\(name)") == scratch.bytes(of: "other/\(name)"))
  }

  /// What it found is in its words, and ends the work before it fills the disk.
  @Test(arguments: [0, 1, 19, 20])
  func whatWasFoundIsTold(count: Int) {
    var report = Report(reader: .native, seed: 4)
    report.faults = (0..<count).map {
      Report.Fault(what: "crash", number: $0, file: "file-\($0)")
    }
    report.libraryFailures = 3
    let text = report.description
    #expect(text.contains("\(count) faults, at most 0 MiB; libhdf5 crashed on 3, which were"))
    #expect(text.split(separator: "FAULT case").count - 1 == count)
    #expect(text.contains("there may be more") == (count == 20))
    #expect(report.isFull == (count == 20))
  }

  struct End: Sendable {
    var signal: Int32
    var blame: Blame
    var isHanging = false
    var peakMemory = 0
    var says: String
  }

  @Test(arguments: [
    End(signal: SIGSEGV, blame: .library, says: "in libhdf5"),
    End(signal: SIGSEGV, blame: .project, says: "in the project's code"),
    End(signal: SIGSEGV, blame: .unknown, says: "at an unknown place"),
    End(signal: SIGABRT, blame: .library, isHanging: true, says: "a hang of 60 s"),
    End(signal: SIGSEGV, blame: .library, peakMemory: 11 << 20, says: "11 MiB of memory"),
  ])
  func everyEndButAGoodOneIsAFault(end: End) throws {
    var ended = Supervisor.Ended()
    #expect(ended.fault(memory: 10 << 20) == nil)
    ended.status = end.signal
    ended.progress.blame = end.blame.rawValue
    ended.isHanging = end.isHanging
    ended.peakMemory = end.peakMemory
    #expect(try #require(ended.fault(memory: 10 << 20)).contains(end.says))
  }
}
