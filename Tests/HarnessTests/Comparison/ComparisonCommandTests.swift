import Evaluation
import Foundation
import TestSupport
import Testing

@testable import Reports

/// `compare`, `gate` and `rerun` as a person uses them.
@Suite struct ComparisonCommandTests {
  private static let suite = """
    schema: shadowbox-suite/1
    traces: {punches: ["[1-4].h5"]}
    entries: [{detector: punch, preset: magnitude, traces: punches, gravity_filter: lowpass}]
    """
  private static let made = MadeFiles { scratch in
    for seed in ["1", "2", "3", "4"] {
      let arguments = [
        "synth", "punches", "--seed", seed, "--subject", seed, "--duration", "30s", "-o",
        seed + ".h5", "--quiet",
      ]
      let outcome = try Program.run(arguments, in: scratch.url)
      #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
    }
    try Data(suite.utf8).write(to: scratch.url.appending(path: "suite.yml"))
    for (name, threshold) in [("a", "30"), ("b", "60")] {
      let outcome = try Program.run(
        ["run"] + detector + ["--parameters", "threshold=\(threshold)", "-o", "\(name).h5"],
        in: scratch.url)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
  }
  private static let traces = ["1.h5", "2.h5", "3.h5", "4.h5"]
  private static let detector =
    traces + ["--detector", "punch/magnitude", "--gravity-filter", "lowpass", "--quiet"]

  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try Self.made.copy(to: scratch)
  }

  private func run(_ arguments: [String]) throws -> Program.Outcome {
    try Program.run(arguments, in: scratch.url)
  }

  // MARK: compare

  @Test func equalResultsDifferInNothing() throws {
    let again = try run(
      ["run"] + Self.detector + ["--parameters", "threshold=30", "--threads", "1", "--batch", "7"]
        + ["-o", "again.h5"])
    #expect(again.status == 0)
    let outcome = try run(["compare", "a.h5", "again.h5", "--fail-on-difference"])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.hasSuffix("No detection differs in 4 runs of 1 entry.\n"))
    #expect(!outcome.output.contains("Changed"))
  }

  @Test func differencesAreListed() throws {
    let outcome = try run(["compare", "a.h5", "b.h5", "--flips", "f.csv", "-o", "c.h5"])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.contains("Changed: punch/magnitude: threshold 30 m/s2 -> 60 m/s2\n"))
    #expect(outcome.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    let document = try run(["compare", "a.h5", "b.h5", "--format", "json"]).object
    let traces = try #require(document["traces"] as? [[String: Any]])
    let flips = traces.flatMap { $0["flips"] as? [[String: Any]] ?? [] }
    let rows = try String(contentsOf: scratch.url.appending(path: "f.csv"), encoding: .utf8)
      .split(separator: "\n")
    #expect(rows.count == flips.count + 1 && !flips.isEmpty)
    // What is lost because of the threshold has a score up to it; others give way to another peak.
    let lost = flips.filter { $0["change"] as? String == "lost" }
    var belowThreshold = 0
    for flip in lost {
      let score = try #require(flip["score"] as? Double)
      let margin = try #require(flip["margin"] as? Double)
      #expect(abs(margin - (score - 60)) < 1e-12 && score > 30)
      if margin <= 0 { belowThreshold += 1 }
    }
    #expect(belowThreshold > 0)
    #expect(try run(["compare", "a.h5", "b.h5", "--fail-on-difference"]).status == 2)
    #expect(try run(["compare", "a.h5", "b.h5", "-o", "c.h5", "--quiet"]).status == 0)
    let info = try run(["convert", "c.h5", "-o", "x"])
    #expect(info.status != 0)
  }

  @Test func figuresHavePairedDifferences() throws {
    let outcome = try run(["compare", "a.h5", "b.h5", "--format", "csv"])
    let rows = outcome.output.split(separator: "\n").map { $0.split(separator: ",") }
    let recall = try #require(rows.first { $0.count > 2 && $0[2] == "recall" })
    #expect(recall[9] == "paired_student" && recall[10] == "4")
  }

  @Test func whatCannotBeComparedIsAnError() throws {
    let cut = try run(["trim", "2.h5", "-o", "t.h5", "--to", "20s", "--quiet"])
    #expect(cut.status == 0, "\(cut)")
    try FileManager.default.removeItem(at: scratch.url.appending(path: "2.h5"))
    try FileManager.default.moveItem(
      at: scratch.url.appending(path: "t.h5"), to: scratch.url.appending(path: "2.h5"))
    #expect(try run(["run"] + Self.detector + ["-o", "cut.h5"]).status == 0)
    let outcome = try run(["compare", "a.h5", "cut.h5"])
    #expect(outcome.status == 65 && outcome.errors.contains("--allow-different"), "\(outcome)")
    #expect(outcome.output.contains("SHA-256"))
    let rest = try run(["compare", "a.h5", "cut.h5", "--allow-different"])
    #expect(rest.status == 0 && rest.output.contains("in 3 runs"), "\(rest)")
    let gate = try run(["gate", "suite.yml", "--base-results", "a.h5"])
    #expect(gate.status == 65 && gate.output.hasPrefix("Gate: ERROR"), "\(gate)")
  }

  /// The exit status, then the arguments.
  @Test(arguments: [
    "74 compare a.h5 nothing.h5", "65 compare a.h5 1.h5", "65 compare a.h5 suite.yml",
    "64 compare a.h5 b.h5 -o a.h5", "64 compare a.h5 b.h5 -o c.txt", "64 gate suite.yml",
    "70 gate suite.yml --base-build /nowhere/shadowbox",
    "70 gate suite.yml --base-build /bin/false",
    "64 gate suite.yml --base-results a.h5 --bound recal=0",
    "64 gate suite.yml --base-results a.h5 --bound recall",
    "64 gate --base-results a.h5 --base-suite suite.yml",
    "64 gate suite.yml --base-results a.h5 --base-build /bin/true",
    "64 gate suite.yml --base-results a.h5 --bound time=+5%",
    "64 gate suite.yml --base-build /bin/true --no-timing --bound instructions=+5%",
    "64 gate suite.yml --base-results a.h5 --bound worst_person_lost=0",
    "64 gate suite.yml --base-results a.h5 --bound recall=97%",
    "70 gate suite.yml --base-build /bin/true", "74 gate suite.yml --base-results .",
    "74 gate suite.yml --base-suite no.yml", "65 rerun 1.h5", "74 rerun nothing.h5",
  ])
  func wrongInput(line: String) throws {
    let words = line.split(separator: " ").map(String.init)
    let outcome = try run(Array(words.dropFirst()))
    #expect("\(outcome.status)" == words[0], "\(line): \(outcome)")
    #expect(outcome.errors.hasPrefix("error: ") && outcome.output.isEmpty, "\(outcome)")
  }

  // MARK: gate

  @Test(arguments: ["1", "2", "3"])
  func equalSidesPass(threads: String) throws {
    let outcome = try run(
      ["gate", "suite.yml", "--base-results", "a.h5", "--threads", threads, "--bound", "flips=0"])
    #expect(outcome.status == 0 && outcome.output.hasPrefix("Gate: PASS (1 check"), "\(outcome)")
    // The other side is a program, whatever the number of threads.
    guard threads == "1" else { return }
    let builds = try run(["gate", "suite.yml", "--base-build", Program.executable, "--no-timing"])
    #expect(builds.status == 0 && builds.output.hasPrefix("Gate: PASS"), "\(builds)")
  }

  @Test func aRuinedThresholdFails() throws {
    let sides = ["gate", "--no-timing"] + Self.detector + ["--head-parameters", "threshold=500"]
    let outcome = try run(sides)
    #expect(outcome.status == 2 && outcome.output.hasPrefix("Gate: FAIL"), "\(outcome)")
    #expect(outcome.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    let document = try run(sides + ["--format", "json"]).object
    #expect(document["verdict"] as? String == "FAIL")
    let better = ["gate", "--no-timing"] + Self.detector + ["--base-parameters", "threshold=500"]
    #expect(try run(better + ["--bound", "recall=-0.01"]).status == 0)
    let refused = try run(better + ["--bound", "recall=-0.01", "--fail-on-improvement"])
    #expect(refused.status == 4 && refused.output.hasPrefix("Gate: IMPROVED"), "\(refused)")
    // The threshold makes less of a difference than people do.
    let people =
      ["gate", "--no-timing"] + Self.detector + ["--head-parameters", "threshold=60"]
      + ["--new-people"]
    let unclear = try run(people + ["--bound", "recall=-0.0001", "--fail-on-inconclusive"])
    #expect([0, 2].contains(unclear.status), "\(unclear)")
  }

  @Test func boundsOfASuite() throws {
    func gate(_ text: String) throws -> Program.Outcome {
      try Data("\(Self.suite)\ngate: \(text)\n".utf8)
        .write(to: scratch.url.appending(path: "g.yml"))
      return try run(["gate", "g.yml", "--base-results", "b.h5", "--full"])
    }
    // b has the higher threshold: the head of threshold 30 makes more false alarms.
    let strict = try gate("{false_alarms_per_hour: +1 %, recall: -0.5}")
    #expect(strict.status == 2 && strict.output.contains("2 checks"), "\(strict)")
    let lax = try gate(
      "{these_recordings: {recall: -0.5}, new_people: {recall: '>= 0.01'}, time: +5 %}")
    #expect(lax.status == 0 && lax.output.contains("2 checks"), "\(lax)")
    let own = try gate("{recall: -0.1, entries: {punch/magnitude: {recall: '>= 0.01'}}}")
    #expect(own.status == 0 && own.output.contains(">= 0.01"), "\(own)")
    for wrong in [
      "{recal: 0}", "{recall: many}", "{entries: {nobody: {recall: 0}}}", "[recall]", "{time: 5}",
      "{new_people: {lost: 0}}", "{entries: [1]}", "{new_people: 3}",
    ] {
      let outcome = try gate(wrong)
      #expect(outcome.status == 65 && outcome.errors.contains("g.yml:4"), "\(wrong): \(outcome)")
    }
  }

  // MARK: rerun

  @Test func aRunIsRepeated() throws {
    let outcome = try run(["rerun", "a.h5"])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.hasSuffix("Identical: every detection and measurement.\n"))
    let folder = scratch.url.appending(path: "moved")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in Self.traces {
      try FileManager.default.moveItem(
        at: scratch.url.appending(path: name), to: folder.appending(path: "x" + name))
    }
    let missing = try run(["rerun", "a.h5"])
    #expect(missing.status == 65 && missing.errors.contains("--traces"), "\(missing)")
    #expect(try run(["rerun", "a.h5", "--traces", "moved"]).status == 0)
  }

  /// The traces of other entries are not read, so that they are no part of what is repeated.
  @Test func aRunOfOneEntryIsRepeated() throws {
    let suite = """
      schema: shadowbox-suite/1
      traces: {one: [1.h5], others: ["[2-4].h5"]}
      entries:
        - {name: a, detector: punch, traces: one, gravity_filter: lowpass}
        - {name: b, detector: punch, traces: others, gravity_filter: lowpass}
      """
    try Data(suite.utf8).write(to: scratch.url.appending(path: "two.yml"))
    #expect(try run(["run", "two.yml", "--only", "a", "--quiet", "-o", "only.h5"]).status == 0)
    let outcome = try run(["rerun", "only.h5"])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.contains("No detection differs in 1 run"), "\(outcome)")
  }

  @Test func aChangedTraceIsNamed() throws {
    let cut = try run(["trim", "2.h5", "-o", "t.h5", "--to", "20s", "--quiet"])
    #expect(cut.status == 0)
    try FileManager.default.removeItem(at: scratch.url.appending(path: "2.h5"))
    try FileManager.default.moveItem(
      at: scratch.url.appending(path: "t.h5"), to: scratch.url.appending(path: "2.h5"))
    let outcome = try run(["rerun", "a.h5"])
    #expect(outcome.status == 65 && outcome.errors.contains("2.h5"), "\(outcome)")
    #expect(outcome.output.contains("No detection differs in 3 runs"), "\(outcome)")
  }

  /// Versions 4 and 5 state the same: a stored base of before is compared, and run again.
  @Test func theSchemaBeforeIsCompared() {
    func obstacles(_ schema: String) -> [String] {
      var base = MeasuredSamples.results([])
      base.schema = schema
      return ResultComparison(from: base, to: MeasuredSamples.results([])).obstacles.map(\.reason)
    }
    #expect(obstacles("shadowbox-results/5") == [])
    #expect(obstacles("shadowbox-results/4") == [])
    #expect(
      obstacles("shadowbox-results/3") == [
        "schema shadowbox-results/3 in the base, shadowbox-results/5 in the head"
      ])
  }

  @Test func anOlderSchemaIsNamed() throws {
    let fixture = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/results/run-2.h5").path
    let outcome = try run(["rerun", fixture])
    #expect(outcome.status == 65 && outcome.errors.contains("shadowbox-results/2"), "\(outcome)")
    let old = try run(["compare", fixture, "a.h5"])
    #expect(old.status == 65 && old.output.contains("schema shadowbox-results/2"), "\(old)")
  }
}
