@testable import Evaluation
import Foundation
import Replay
import Detectors
import TestSupport
import TraceFixtures
import Testing
import TraceFormats
import TraceModel
import TraceTools

@Suite struct ExportCommandTests {
  private static let traces = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "traces")

  private static func files(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: traces.appending(path: folder).path)
      .filter { $0.hasSuffix(".h5") }.sorted().map {
        traces.appending(path: "\(folder)/\($0)").path
      }
  }

  /// `punch` of `punch-s01-left.h5`.
  private static func kind(_ file: String) -> Substring {
    (file.split(separator: "/").last ?? "").prefix { $0 != "-" }
  }

  /// Every trace of the project comes back from its fixture bit by bit, and gives every built-in
  /// detector the same detections; in the quick run the first minute of one of each kind.
  @Test(.longer) func everyTraceComesBack() throws {
    var bytes = 0
    var readings = 0
    let all = try Self.files(in: "synthetic") + Self.files(in: "recorded")
    for file in LongTests.firstOfEachKind(all, Self.kind) {
      let trace = try Self.part(of: NativeFile.read(file))
      let fixture = try trace.fixture()
      let again = try Trace(fixture: fixture, name: file)
      #expect(try again.fixture() == fixture, "\(file)")
      var (one, other) = (trace.header, again.header)
      // A place may have a radius of NaN, which is unlike itself.
      #expect("\(one.places)" == "\(other.places)")
      (one.places, other.places) = ([], [])
      #expect(one == other, "\(file)")
      for info in trace.header.channels {
        let (one, other) = (trace[info.channel], again[info.channel])
        #expect(
          one?.measuredTimes == other?.measuredTimes && one?.arrivedTimes == other?.arrivedTimes)
        // The description tells -0 and 0 apart, and equal NaNs are equal in it. It takes long; the
        // fixtures are compared above.
        if LongTests.areWanted {
          #expect(one.map { "\($0)" } == other.map { "\($0)" }, "\(file): \(info.channel)")
        }
      }
      bytes += fixture.count
      readings += trace.header.channels.reduce(0) { $0 + $1.count }
      for name in DetectorRegistry.builtIn.names {
        let detector = try DetectorRegistry.builtIn.detector(named: name)
        guard trace[detector.channel] != nil else { continue }
        #expect(try Self.log(detector, trace) == Self.log(detector, again), "\(file): \(name)")
      }
    }
    print("\(readings) readings in \(bytes) bytes of fixtures")
    #expect(readings > LongTests.count(quick: 50_000, long: 100_000))
  }

  private static func part(of trace: Trace) -> Trace {
    let end = TraceInstant.zero.advanced(bySeconds: 60)
    guard !LongTests.areWanted, end < trace.header.end else { return trace }
    return trace.trimmed(to: .zero..<end).trace
  }

  private static func log(_ detector: AnyDetector, _ trace: Trace) throws -> String {
    let choice = DetectorChoice(detector: detector.name, preset: "default")
    let result = try detector.bound(choice, for: trace.header).run(on: MemorySource(trace))
    return DetectionLog.text(result.detections) + "\(result.measurements)"
  }

  @Test func aFileIsWrittenAndConvertedBack() throws {
    let scratch = try Scratch()
    let made = try Program.run(
      ["synth", "punches", "--duration", "10s", "-o", "p.h5"], in: scratch.url)
    try #require(made.status == 0, "\(made.errors)")
    let outcome = try Program.run(["export", "p.h5", "-o", "new/p.trace"], in: scratch.url)
    #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome)")
    #expect(outcome.errors.contains("made folder new\n"))
    #expect(outcome.errors.contains("p.h5 -> new/p.trace: "), "\(outcome.errors)")
    #expect(outcome.errors.contains(" KiB\n"), "\(outcome.errors)")
    let text = try scratch.text(of: "new/p.trace")
    #expect(text.hasPrefix("shadowbox-fixture/1\nid ") && text.hasSuffix("\ncomplete\n"))

    let back = try Program.run(["convert", "new/p.trace", "-o", "back.h5"], in: scratch.url)
    #expect(back.status == 0, "\(back.errors)")
    #expect(try scratch.bytes(of: "back.h5") == scratch.bytes(of: "p.h5"))
    let info = try Program.run(["info", "new/p.trace"], in: scratch.url)
    #expect(info.output.contains("fixture file: its first line"), "\(info.output)")
    #expect(try Program.run(["validate", "new/p.trace"], in: scratch.url).status == 0)
  }

  @Test func severalTracesGoIntoAFolderUnderTheirIDs() throws {
    let scratch = try Scratch()
    for subject in ["1", "2"] {
      let made = try Program.run(
        ["synth", "walking", "--duration", "10s", "--subject", subject, "-o", "in/\(subject).h5"],
        in: scratch.url)
      try #require(made.status == 0, "\(made.errors)")
    }
    let ids = try ["1", "2"].map { try NativeFile.read(scratch.path("in/\($0).h5")).header.id }
    let outcome = try Program.run(["export", "in", "-o", "out"], in: scratch.url)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scratch.path("out")).sorted()
        == ids.map { $0 + ".trace" }.sorted())
    let file = try Program.run(["export", "in", "-o", "one.trace"], in: scratch.url)
    #expect(file.status == 64)
    #expect(
      file.errors.contains("expected a folder for the fixtures of 2 traces"), "\(file.errors)")
    let twice = try Program.run(["export", "in/1.h5", "in/1.h5", "-o", "out"], in: scratch.url)
    #expect(twice.status == 65 && twice.errors.contains("expected a unique id"), "\(twice.errors)")
  }

  @Test func onlySomeChannelsAreExported() throws {
    let scratch = try Scratch()
    let made = try Program.run(
      ["synth", "punches", "--duration", "10s", "-o", "p.h5"], in: scratch.url)
    try #require(made.status == 0, "\(made.errors)")
    let before = try NativeFile.read(scratch.path("p.h5"))
    let channel = try #require(before.header.channels.first?.channel)
    let outcome = try Program.run(
      ["export", "p.h5", "-o", "p.trace", "--as", "fixture", "--channels", channel.name],
      in: scratch.url)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let after = try Trace(fixture: try scratch.text(of: "p.trace"))
    #expect(after.header.channels.map(\.channel) == [channel])
    #expect(after.header.references == before.header.references)
    let unknown = try Program.run(
      ["export", "p.h5", "-o", "p.trace", "--channels", "heading"], in: scratch.url)
    #expect(unknown.status == 64 && unknown.errors.contains("channel of p.h5"), "\(unknown.errors)")
  }

  @Test(arguments: [
    (["export", "none.h5", "-o", "x.trace"], 74, "none.h5"),
    (["export", "text.h5", "-o", "x.trace"], 65, "text.h5"),
    (["export", "text.h5", "-o", "x.xyz"], 64, "expected a name that ends in .trace"),
    (["export", "text.h5", "-o", "x.trace", "--as", "junit"], 64, "ends in .xml"),
    (["export", "text.h5"], 64, "output"),
  ])
  func whatIsWrongIsNamed(arguments: [String], status: Int, message: String) throws {
    let scratch = try Scratch()
    try scratch.write("no trace\n", to: "text.h5")
    let outcome = try Program.run(arguments, in: scratch.url)
    #expect(Int(outcome.status) == status, "\(outcome.errors)")
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(scratch.names == ["text.h5"])
  }
}
