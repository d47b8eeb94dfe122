@testable import Evaluation
@testable import Reports
import Foundation
import TestSupport
import Testing

@testable import Harness

/// The short result of `run`: what a new user sees first.
@Suite struct FirstScreenTests {
  private static let repository = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private func defaultSuite() async throws -> SuiteResult {
    let suite = try SuiteParser.read(
      Self.repository.appending(path: "traces/suite.yml").path, registry: Program.registry)
    let output = try await SuiteRunner(
      suite: suite, registry: Program.registry, loader: NativeTraceLoader(), threads: 2
    ).run()
    return SuiteResult(runs: output.runs, apps: output.apps)
  }

  @Test func theDefaultSuiteFitsAScreen() async throws {
    let result = try await defaultSuite()
    let text = SuiteTables(result: result).summary()
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    // The tuning of `make run` and the progress lines take the rest of 45.
    #expect(lines.count <= 31, "\(text)")
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(text)")
    #expect(!text.contains("\u{1B}"))
    let apps = Set(result.apps.map(\.entry))
    for entry in Set(result.runs.map(\.entry)).subtracting(apps) {
      #expect(lines.contains { $0.hasPrefix(entry + " ") }, "\(entry)")
    }
    for app in ["fight", "hike", "workout", "tictactoe", "pictureguess"] {
      #expect(lines.count { $0.hasPrefix("App \(app): default: ") } == 1, "\(text)")
    }
    #expect(text.contains("worst activity") && text.contains("clapping 522.0"))

    // All tables fit any terminal too, and name the columns that they leave out.
    for width in LongTests.areWanted ? [40, 60, 80, 100, 200] : [40, 100] {
      let screen = Screen(width: width)
      let full =
        SuiteTables(result: result, screen: screen).render()
        + AppTables(apps: result.apps, runs: result.runs, screen: screen).render()
      #expect(full.split(separator: "\n").allSatisfy { $0.count <= width }, "\(full)")
    }
    let wide = SuiteTables(result: result, screen: Screen(width: 200)).render()
    #expect(!wide.contains("further column"))
    #expect(wide.contains("Presence: reported against true presence"))
  }

  @Test func thePipeGetsNoEscapesAndTheTerminalItsWidth() throws {
    let scratch = try Scratch()
    _ = try Program.run(["synth", "punches", "--duration", "30s", "-o", "p.h5"], in: scratch.url)
    try scratch.write(
      """
      schema: shadowbox-suite/1
      traces: {all: [p.h5]}
      entries: [{detector: punch, traces: all}]
      """, to: "s.yml")
    let run = [Program.executable, "run", "s.yml", "-o", "r.h5"]
    let short = try Program.launch(run[0], Array(run.dropFirst()), in: scratch.url)
    #expect(short.status == 0, "\(short.errors)")
    #expect(!(short.output + short.errors).contains("\u{1B}"))
    #expect((short.output + short.errors).split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(short.output.hasPrefix("Punches (synthetic)"))
    let full = try Program.launch(
      "env", ["COLUMNS=60"] + run + ["--full"], in: scratch.url)
    #expect(full.output.split(separator: "\n").allSatisfy { $0.count <= 60 }, "\(full.output)")
    #expect(full.output.contains("False alarms by activity"))
  }
}
