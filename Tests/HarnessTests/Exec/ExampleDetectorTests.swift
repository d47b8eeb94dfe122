import Foundation
import TestSupport
import Testing

/// Tests the examples of README and traces/FORMAT.md: one rule in Swift, Python and C.
@Suite(.timeLimit(.minutes(60))) struct ExampleDetectorTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let examples = root.appending(path: "Tests/Examples")

  @Test func theSwiftDetectorIsShort() throws {
    let folder = Self.examples.appending(path: "SwingDetector")
    let sources = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") && $0 != "Package.swift" }
    #expect(sources.sorted() == ["Swing.swift", "main.swift"])
    let lines = try sources.flatMap {
      try String(contentsOf: folder.appending(path: $0), encoding: .utf8).split(separator: "\n")
    }
    #expect(lines.count <= 40)
  }

  /// docs/own-detectors.md shows the sources that are built here.
  @Test(
    arguments: [
      "SwingDetector/Swing.swift", "SwingDetector/main.swift",
      "AppTests/Tests/BlowTests/BlowTests.swift", "exec/swing.py",
    ])
  func theDocumentationShowsTheExamples(file: String) throws {
    let page = try String(
      contentsOf: Self.root.appending(path: "docs/own-detectors.md"), encoding: .utf8)
    let text = try String(contentsOf: Self.examples.appending(path: file), encoding: .utf8)
    #expect(page.contains("\n" + text + "```"))
  }

  /// All three give the same detections and the same score, on traces with and without punches, with
  /// actions, late delivery and other parameters. The quick run takes two traces, the long run all.
  @Test(.longer) func theSameRuleInThreeLanguagesFindsTheSame() throws {
    let swing = try Self.swing
    let scratch = try Scratch()
    try FileManager.default.createDirectory(
      atPath: scratch.path("mine"), withIntermediateDirectories: false)
    try Self.buildInC(to: scratch.path("mine/swing"))
    try requireProgram("python3")
    try FileManager.default.copyItem(
      at: Self.examples.appending(path: "exec/swing.py"),
      to: scratch.url.appending(path: "mine/swing.py"))
    let swift = try measure(by: swing, "swing", scratch)
    let count = swift.log.split(separator: "\n").count
    #expect(count > LongTests.count(quick: 100, long: 1000), "\(count)")
    let others = [
      (Program.executable, "exec:./swing.py"), (Program.executable, "exec:./swing"),
      (swing, "exec:python3 swing.py"),
    ]
    for (program, detector) in others.prefix(LongTests.count(quick: 2, long: 3)) {
      let other = try measure(by: program, detector, scratch)
      #expect(other.log == swift.log, "\(detector)")
      #expect(other.runs == swift.runs, "\(detector)")
      #expect(other.table == swift.table, "\(detector)")
      #expect(other.curve == swift.curve, "\(detector)")
    }
  }

  private struct Outcome {
    var log: String
    /// The score of each run as JSON, without the program.
    var runs: String
    /// The output of a replay of two devices.
    var table: String
    /// The output of a sweep over the threshold.
    var curve: String
  }

  private func measure(
    by program: String, _ detector: String, _ scratch: Scratch
  ) throws -> Outcome {
    let traces = Self.root.appending(path: "traces/synthetic").path
    let choice = "detector: \"\(detector)\", traces: \(LongTests.areWanted ? "all" : "some")"
    let swept = LongTests.areWanted ? "few" : "one"
    try scratch.write(
      """
      schema: shadowbox-suite/1
      traces:
        all: ["\(traces)/punch-*.h5", "\(traces)/walking-*.h5", "\(traces)/handling-*.h5"]
        some: ["\(traces)/punch-s03-right-hold.h5"]
        few: ["\(traces)/punch-s05-*.h5", "\(traces)/walking-s01.h5"]
        one: ["\(traces)/walking-s01.h5"]
      entries:
        - {name: plain, \(choice)}
        - {name: late, \(choice), delivery: android-batched}
        - {name: sensitive, \(choice), parameters: {threshold: 1.7g, rest: 0.3}, device_rate: 50 Hz}
        - {name: swept, detector: "\(detector)", traces: \(swept)}
      """, to: "mine/suite.yml")
    let run = try Program.launch(
      program,
      ["run", "mine/suite.yml", "-o", "r.h5", "--log", "log", "--format", "json"]
        + ["--deterministic"], in: scratch.url)
    try #require(run.status == 0, "\(detector): \(run.errors)")
    let replay = try Program.launch(
      program,
      ["replay", "\(traces)/punch-s01-left.h5", "\(traces)/punch-s03-right-hold.h5"]
        + ["--detector", detector], in: scratch.url.appending(path: "mine"))
    try #require(replay.status == 0, "\(detector): \(replay.errors)")
    let sweep = try Program.launch(
      program,
      ["sweep", "mine/suite.yml", "--entry", "swept", "--threshold", "threshold=15..55:3"]
        + ["--csv", "curve.csv"], in: scratch.url)
    try #require(sweep.status == 0, "\(detector): \(sweep.errors)")
    var runs = try #require(try run.object["runs"] as? [[String: Any]])
    for index in runs.indices {
      runs[index]["detector"] = nil
      runs[index]["program"] = nil
    }
    return Outcome(
      log: try scratch.text(of: "log"),
      runs: String(
        decoding: try JSONSerialization.data(withJSONObject: runs, options: .sortedKeys),
        as: UTF8.self),
      table: replay.output, curve: try scratch.text(of: "curve.csv"))
  }

  /// The command line of the example is complete.
  @Test(.longer) func thePackageHasEveryCommand() throws {
    let swing = try Self.swing
    let scratch = try Scratch()
    let help = try Program.launch(swing, ["--help"], in: scratch.url)
    #expect(help == (try Program.launch(Program.executable, ["--help"], in: scratch.url)))
    let list = try Program.launch(swing, ["info", "--detectors"], in: scratch.url)
    #expect(list.output.contains("swing (reads user_acceleration, scored on punch)"))
    #expect(list.output.contains("punch (reads user_acceleration, scored on punch)"))
  }

  /// The example, built: in the quick run as a target of this package, in the long run by its own
  /// package. Both compile the same file with the same settings.
  private static var swing: String {
    get throws { LongTests.areWanted ? try ownPackage.get() : Program.sibling("SwingExample") }
  }

  /// Built once, for all tests.
  private static let ownPackage = Result { try buildOwnPackage() }

  private static func buildOwnPackage() throws -> String {
    let outcome = try swift("build", in: "SwingDetector")
    try #require(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    return products.appending(path: "debug/swing").path
  }

  /// A separate folder that persists, so that a second run builds only changes.
  private static let products = root.appending(path: ".build/example")

  private static func swift(_ command: String, in package: String) throws -> Program.Outcome {
    // SwiftPM finds new files only in the root package: without its plan it makes a new one.
    try? FileManager.default.removeItem(at: products.appending(path: "debug.yaml"))
    return try Program.launch(
      "swift",
      [
        command, "--package-path", examples.appending(path: package).path,
        "--scratch-path", products.path,
      ], in: root)
  }

  private static func buildInC(to path: String) throws {
    try requireProgram("cc")
    let outcome = try Program.launch(
      "cc",
      [
        "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O2", "-o", path,
        examples.appending(path: "exec/swing.c").path, "-lm",
      ], in: root)
    try #require(outcome.status == 0, "\(outcome.errors)")
  }
}
