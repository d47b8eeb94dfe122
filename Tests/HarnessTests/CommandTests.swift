import Foundation
import TestSupport
import Testing
@testable import TraceFormats
import TraceModel

/// The commands on good input, as a person calls them.
@Suite struct CommandTests {
  private func json(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func synthesizesReplaysAndDescribes() throws {
    let scratch = try Scratch()
    let synth = ["synth", "punches", "--subject", "3", "--duration", "30s", "--seed", "7"]
    for name in ["a.h5", "b.h5"] {
      #expect(try Program.run(synth + ["-o", name], in: scratch.url).status == 0)
    }
    #expect(try scratch.bytes(of: "a.h5") == scratch.bytes(of: "b.h5"), "equal input, equal bytes")

    let table = try Program.run(["replay", "a.h5"], in: scratch.url)
    #expect(table.status == 0)
    #expect(table.output.contains("punch"))
    #expect(table.errors.contains("log SHA-256"))
    let quiet = try Program.run(["replay", "a.h5", "--quiet"], in: scratch.url)
    #expect(quiet.errors.isEmpty)
    #expect(quiet.output == table.output)

    let events = try Program.run(["replay", "a.h5", "--format", "json", "-q"], in: scratch.url)
    let lines = try Program.run(["replay", "a.h5", "--format", "csv", "-q"], in: scratch.url)
    let count = (try json(events.output)["events"] as? [Any])?.count
    #expect(count == lines.output.split(separator: "\n").count - 1)
    #expect(try #require(count) > 0)

    // Two devices on one clock find what each finds alone.
    let both = try Program.run(
      ["replay", "a.h5", "b.h5", "--format", "csv", "-q"], in: scratch.url)
    #expect(both.output.split(separator: "\n").count - 1 == 2 * (count ?? 0))
    // Their ids are equal.
    for number in 1...2 {
      let own = both.output.split(separator: "\n").filter {
        $0.hasPrefix("punch-s03-right-30.0s-seed7 (\(number)),")
      }
      #expect(own.count == count, "\(both.output)")
    }

    let info = try Program.run(["info", "a.h5"], in: scratch.url)
    #expect(info.output.contains("origin: synthetic, seed 7"))
    #expect(info.output.contains("reference punch"))
  }

  @Test func convertsCSVThereAndBack() throws {
    let scratch = try Scratch()
    let rows = (0..<50).map { "\(Double($0) / 64),\(Double($0) * 0.125),-1.5,9.75" }
    try scratch.write("t,x,y,z\n" + rows.joined(separator: "\n") + "\n", to: "a.csv")
    let convert = try Program.run(
      ["convert", "a.csv", "--map", "time=t,x=x,y=y,z=z", "--gravity", "included", "-o", "a.h5"],
      in: scratch.url)
    #expect(convert.status == 0, "\(convert.errors)")
    let back = try Program.run(["convert", "a.h5", "-o", "b.csv"], in: scratch.url)
    #expect(back.status == 0, "\(back.errors)")
    let again = try Program.run(
      [
        "convert", "b.csv", "--map", "time=time_ns[ns],x=x,y=y,z=z", "--gravity", "included", "-o",
        "b.h5", "--id", "a",
      ], in: scratch.url)
    #expect(again.status == 0, "\(again.errors)")
    let csv = String(decoding: try scratch.bytes(of: "b.csv"), as: UTF8.self)
    #expect(csv.split(separator: "\n").count == 51)
    let traces = try ["a.h5", "b.h5"].map { try NativeTrace.read(scratch.path($0)) }
    #expect(traces[0][.acceleration]?.count == 50)
    #expect(traces[0][.acceleration] == traces[1][.acceleration])
  }

  /// Where both clocks are known, the run starts with the earlier device.
  @Test func devicesKeepTheirDistanceInTime() throws {
    let scratch = try Scratch()
    for (name, start) in [("a", 1_700_000_000), ("b", 1_700_000_100)] {
      let rows = (0..<300).map { index in
        "\(Double(start) + Double(index) / 100),\(index == 100 ? 60 : 0),0,0"
      }
      try scratch.write("t,x,y,z\n" + rows.joined(separator: "\n") + "\n", to: "\(name).csv")
      let convert = try Program.run(
        [
          "convert", "\(name).csv", "--map", "time=t,x=x,y=y,z=z", "--gravity", "removed",
          "--epoch", "unix", "-o", "\(name).h5",
        ], in: scratch.url)
      #expect(convert.status == 0, "\(convert.errors)")
    }
    let outcome = try Program.run(
      ["replay", "b.h5", "a.h5", "--detector", "punch/magnitude", "--format", "csv"],
      in: scratch.url)
    let onsets = outcome.output.split(separator: "\n").dropFirst().map {
      $0.split(separator: ",").prefix(2).map(String.init)
    }
    #expect(onsets == [["a", "1"], ["b", "101"]], "\(outcome.output)")
    #expect(!outcome.errors.contains("warning"))
  }

  @Test func splitsByAColumn() throws {
    let scratch = try Scratch()
    try scratch.write(
      "t,x,y,z,rec,who\n0,1,2,3,7,ann/b\n1,1,2,3,7,ann/b\n0,1,2,3,9,bob\n", to: "a.csv")
    let outcome = try Program.run(
      [
        "convert", "a.csv", "--map", "time=t,x=x,y=y,z=z", "--gravity", "removed", "--split-by",
        "rec", "--columns", "subject=who", "--without", "punch", "-o", "parts",
      ], in: scratch.url)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scratch.path("parts")).sorted()
        == ["a-7.h5", "a-9.h5"])
    let info = try Program.run(["info", "parts/a-7.h5", "parts/a-9.h5"], in: scratch.url)
    #expect(info.output.contains("subject: ann/b"))
    #expect(info.output.contains("reference punch: 0 events"))
  }

  @Test func runsASuiteInEveryFormat() throws {
    let scratch = try Scratch()
    _ = try Program.run(
      ["synth", "punches", "--duration", "30s", "-o", "p.h5"], in: scratch.url)
    _ = try Program.run(["synth", "walking", "--duration", "30s", "-o", "w.h5"], in: scratch.url)
    try scratch.write(
      """
      schema: shadowbox-suite/1
      traces: {all: [p.h5, w.h5]}
      entries:
        - {detector: punch, traces: all, tolerance: 200 ms}
        - {name: low, detector: punch, traces: all, parameters: {threshold: 2g}}
      """, to: "s.yml")
    let table = try Program.run(["run", "s.yml", "-o", "out/r.h5"], in: scratch.url)
    #expect(table.status == 0, "\(table.errors)")
    #expect(table.output.contains("punch/default"))
    #expect(table.output.contains("synthetic"))
    let csv = try Program.run(
      ["run", "s.yml", "--format", "csv", "--deterministic", "-o", "1.h5"], in: scratch.url)
    #expect(csv.output.contains("low,synthetic,2,"))
    let document = try Program.run(
      [
        "run", "s.yml", "--format", "json", "--deterministic", "--threads", "1", "--batch", "7",
        "--check-determinism", "--log", "log.txt", "-o", "2.h5",
      ], in: scratch.url)
    #expect(document.status == 0, "\(document.errors)")
    let result = try json(document.output)
    let summaries = try #require(result["summaries"] as? [[String: Any]])
    #expect(summaries.map { $0["entry"] as? String } == ["punch/default", "low"])
    #expect(try scratch.bytes(of: "1.h5") == scratch.bytes(of: "2.h5"), "equal input, equal bytes")
    let log = String(decoding: try scratch.bytes(of: "log.txt"), as: UTF8.self)
    #expect(log.hasPrefix("#punch/default\tpunch-s01-right"))
    #expect(result["host"] == nil)
  }

  /// A folder's name is never a pattern, and two names of a file are one file.
  @Test func suitesFindTheirTraces() throws {
    let scratch = try Scratch()
    let folder = scratch.url.appending(path: "a [b]*")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    _ = try Program.run(["synth", "walking", "--duration", "20s", "-o", "w.h5"], in: folder)
    try FileManager.default.createSymbolicLink(
      atPath: folder.appending(path: "link.h5").path, withDestinationPath: "w.h5")
    let suite = """
      schema: shadowbox-suite/1
      traces: {one: [w.h5], other: [./w.h5, link.h5]}
      entries: [{detector: punch, traces: [one, other]}]
      """
    try Data(suite.utf8).write(to: folder.appending(path: "s.yml"))
    let outcome = try Program.run(
      ["run", "a [b]*/s.yml", "-o", "r.h5", "--format", "csv"], in: scratch.url)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("punch/default,synthetic,1,"))
  }

  @Test func detectorsAreListedWithTheirParameters() throws {
    let scratch = try Scratch()
    let outcome = try Program.run(["info", "--detectors"], in: scratch.url)
    for text in [
      "punch/hitThat", "punch/magnitude", "checkin/goHike", "track/tri", "presence/ticChatToe",
      "threshold=40m/s2 (0 to 2000)",
      "order=free (first-unvisited, free)",
    ] {
      #expect(outcome.output.contains(text), "\(text)")
    }
  }

  @Test(arguments: [
    "run", "compare", "gate", "history", "rerun", "bisect", "replay", "shrink", "bench", "sweep",
    "tune",
    "plan", "score", "synth", "info", "convert", "validate", "export", "resample", "trim", "merge",
    "align", "anonymize",
  ])
  func helpIsThere(command: String) throws {
    let scratch = try Scratch()
    let outcome = try Program.run([command, "--help"], in: scratch.url)
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("USAGE: shadowbox \(command)"))
    #expect(outcome.output.contains("help exit-codes") == !Self.withoutExitCodes.contains(command))
    #expect(!outcome.output.contains("EXIT CODES"))
  }

  /// The steps that change a trace: their help is short.
  private static let withoutExitCodes: Set = [
    "synth", "export", "resample", "trim", "merge", "align", "anonymize",
  ]
}
