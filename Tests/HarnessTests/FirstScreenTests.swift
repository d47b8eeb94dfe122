import Evaluation
import Foundation
import TestSupport
import Testing

@testable import Harness

/// The short result of `run`: what a new user sees first.
@Suite struct FirstScreenTests {
  private let suite = Fixtures.traces.appending(path: "suite.yml").path

  /// The tables of the default suite on a screen of a width.
  private func tables(width: Int = 80, _ options: [String] = []) throws -> String {
    let scratch = try Scratch()
    let run = [Program.executable, "run", suite, "-o", "r.h5"]
    let outcome = try Program.launch(
      "env", ["COLUMNS=\(width)"] + run + options, in: scratch.url)
    try #require(outcome.status == 0, "\(outcome.errors)")
    return outcome.output
  }

  @Test(.longer) func theDefaultSuiteFitsAScreen() throws {
    let text = try tables()
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    // Without the last line feed, and with the line of the next step, 30; `make run` has 45.
    #expect(lines.count <= 30, "\(text)")
    #expect(
      text.hasPrefix("punch/default finds 878 of 883 punches and has 100 false alarms an hour"))
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(text)")
    #expect(!text.contains("\u{1B}"))
    for entry in try SuiteParser.read(suite, registry: Program.registry).entries {
      #expect(lines.contains { $0.hasPrefix(entry.name + " ") }, "\(entry.name)")
    }
    for app in ["fight", "hike", "workout", "tictactoe", "pictureguess"] {
      #expect(lines.count { $0.hasPrefix("App \(app): default") } == 1, "\(text)")
    }
    #expect(text.contains("worst activity") && text.contains("clapping 522.0"))
    #expect(text.contains("App fight: default (punch/magnitude, 30 m/s2)"))

    // All tables fit any terminal too, and name the columns that they leave out.
    for width in LongTests.areWanted ? [40, 60, 80, 100] : [40] {
      let full = try tables(width: width, ["--full"])
      #expect(full.split(separator: "\n").allSatisfy { $0.count <= width }, "\(full)")
    }
    let wide = try tables(width: 200, ["--full"])
    #expect(wide.split(separator: "\n").allSatisfy { $0.count <= 200 }, "\(wide)")
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
    #expect(short.output.hasPrefix("punch/default finds "))
    #expect(short.output.contains("\n\nPunches (synthetic)"))
    let full = try Program.launch(
      "env", ["COLUMNS=60"] + run + ["--full"], in: scratch.url)
    #expect(full.output.split(separator: "\n").allSatisfy { $0.count <= 60 }, "\(full.output)")
    #expect(full.output.contains("False alarms by activity"))
  }
}
