import Foundation
import Scoring
import TestSupport
import Testing
import TraceModel

/// `info` of files that run, sweep and tune wrote, in this version and in older ones.
@Suite struct ResultsInfoTests {
  private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures/results")
  private static let made = MadeFiles { scratch in
    func run(_ arguments: [String]) throws {
      let outcome = try Program.run(arguments, in: scratch.url)
      #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
    }
    for seed in ["1", "2", "3"] {
      try run(
        ["synth", "punches", "--seed", seed, "--subject", seed, "--duration", "30s", "-o"]
          + [seed + ".h5", "--quiet"])
    }
    let traces =
      ["1.h5", "2.h5", "3.h5", "--detector", "punch/magnitude", "--gravity-filter", "lowpass"]
    try run(["run"] + traces + ["-o", "run.h5", "--quiet"])
    try run(["sweep"] + traces + ["-o", "sweep.h5", "--quiet"])
    try run(
      ["tune"] + traces + [
        "--confidence", "0.5", "--resamples", "100", "--no-cache", "-o", "p.json",
      ]
        + ["--results", "tune.h5", "--quiet"])
  }

  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try Self.made.copy(to: scratch)
  }

  private func run(_ arguments: [String]) throws -> Program.Outcome {
    try Program.run(arguments, in: scratch.url)
  }

  private static let keys = [
    "value", "lower", "upper", "method", "population", "count", "clusters", "unit",
  ]

  /// What JSON says of a figure, by the keys that `run` has too.
  private func facts(_ figure: Any?) -> [String] {
    let figure = figure as? [String: Any] ?? [:]
    return Self.keys.map { key in
      switch figure[key] {
      case let text as String: text
      case let number as NSNumber: "\((number.doubleValue * 1e12).rounded() / 1e12)"
      default: "-"
      }
    }
  }

  private func entries(_ path: String) throws -> [String: [String: Any]] {
    let outcome = try run(["info", path, "--format", "json"])
    let all = try #require(try outcome.object["results"] as? [[String: Any]], "\(outcome)")
    let rows = try #require(all.first?["entries"] as? [[String: Any]])
    return Dictionary(
      uniqueKeysWithValues: rows.map { row in
        let origin = row["origin"] as? String
        return (
          (row["name"] as? String ?? "") + (origin.map { " " + $0 } ?? ""),
          row["figures"] as? [String: Any] ?? [:]
        )
      })
  }

  /// The figures of a file by name and figure: value and bounds.
  private func figures(_ path: String) throws -> [String: [String: [Double?]]] {
    try entries(path).mapValues {
      $0.mapValues { figure in
        ["value", "lower", "upper"].map { (figure as? [String: Any])?[$0] as? Double }
      }
    }
  }

  /// What the file has is what the command said.
  @Test func ofARun() throws {
    let found = try #require(try entries("run.h5")["punch/magnitude synthetic"])
    let said = try run(
      [
        "run", "1.h5", "2.h5", "3.h5", "--detector", "punch/magnitude", "--gravity-filter",
        "lowpass",
      ]
        + ["-o", "again.h5", "--format", "json", "--quiet"])
    let summaries = try #require(try said.object["summaries"] as? [[String: Any]])
    let expected = try #require(summaries[0]["figures"] as? [String: [String: Any]])
    for (name, figure) in expected where !(figure["value"] is NSNull) {
      #expect(facts(found[name]) == facts(figure), "\(name)")
    }
    #expect(expected["recall"]?["clusters"] as? Int == 3 && expected["recall_straight"] != nil)
    let table = try run(["info", "run.h5"]).output
    #expect(table.hasPrefix("shadowbox-results/5  (run.h5)\n"))
    #expect(table.contains("punch/magnitude (synthetic): recall "))
    #expect(table.contains("intervals: 95 %, for new people\n"))
    #expect(table.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  /// Long attributes are stored far from the beginning of a file: it is still known, and replaced.
  @Test func ofManyEntries() throws {
    let made = try run(["trim", "1.h5", "-o", "short.h5", "--to", "1s", "--quiet"])
    #expect(made.status == 0, "\(made.errors)")
    let entries = (0..<220).map {
      "  - {name: e\($0), detector: punch, traces: all, gravity_filter: lowpass}\n"
    }
    try scratch.write(
      "schema: shadowbox-suite/1\ntraces: {all: [short.h5]}\nentries:\n" + entries.joined(),
      to: "many.yml")
    let many = try run(["run", "many.yml", "-o", "many.h5", "--quiet"])
    #expect(many.status == 0, "\(many.errors)")
    let found = try run(["info", "many.h5"])
    #expect(found.status == 0 && found.output.contains("200 more with --format json or csv"))
    #expect(try self.entries("many.h5").count == 220)
    let again = try run(
      ["run", "short.h5", "--detector", "punch", "--gravity-filter", "lowpass"]
        + ["-o", "many.h5", "--quiet"])
    #expect(again.status == 0, "\(again.errors)")
  }

  /// A trace that names a schema of results is a trace.
  @Test func ofATraceThatNamesResults() throws {
    let named = try run(
      ["anonymize", "1.h5", "-o", "n.h5", "--id", "shadowbox-results/5", "--quiet"])
    #expect(named.status == 0, "\(named.errors)")
    let found = try run(["info", "n.h5", "--no-plot"])
    #expect(found.status == 0 && found.output.contains("user_acceleration"), "\(found)")
  }

  /// `plan` reads the counts of people from it.
  @Test(.longer) func ofAPlan() throws {
    let said = try run(
      [
        "run", "1.h5", "2.h5", "3.h5", "--detector", "punch/magnitude", "--gravity-filter",
        "lowpass",
      ]
        + ["-o", "again.h5", "--format", "json", "--quiet"])
    try scratch.write(said.output, to: "run.json")
    // What is found there is more than the claim: no simulation of studies.
    let refusals = try ["run.h5", "run.json"].map {
      try run(["plan", "--false-alarms", "1", "--from", $0])
    }
    #expect(
      refusals.allSatisfy { $0.status == 65 && $0.errors.contains("is not beyond the claim") })
    #expect(refusals[0].errors == refusals[1].errors, "\(refusals)")
    if LongTests.areWanted {
      let plans = try ["run.h5", "run.json"].map {
        try run(["plan", "--false-alarms", "2000", "--from", $0])
      }
      #expect(plans[0].status == 0 && plans[0].output == plans[1].output, "\(plans)")
    }
    #expect(try run(["plan", "--false-alarms", "900", "--from", "tune.h5"]).status == 65)
  }

  @Test func ofASweepAndATuning() throws {
    let points = try figures("sweep.h5")
    let best = try #require(points["best F1"], "\(points.keys)")
    #expect(best["threshold"]?[0] != nil && best["recall"]?[1] != nil)
    #expect(points["curve"]?["average_precision"]?[1] != nil)
    let settings = try figures("tune.h5")
    #expect(settings["cross-validated"]?["recall"]?[1] != nil, "\(settings.keys)")
    #expect(settings["preset magnitude"]?["false_alarms_per_hour"]?[0] != nil)
    let tuning = try run(["info", "tune.h5"]).output
    for fact in ["chosen threshold: ", "verdict: ", "grouped by: subject", "/folds (3 rows)"] {
      #expect(tuning.contains(fact), "\(fact): \(tuning)")
    }
    let csv = try run(["info", "run.h5", "sweep.h5", "--format", "csv"]).output
    #expect(csv.hasPrefix("path,name,origin,figure,value,lower,upper,unit,method,count,clusters\n"))
    let row = try #require(
      csv.split(separator: "\n").first { $0.hasPrefix("run.h5,punch/magnitude,synthetic,recall,") })
    let cells = row.split(separator: ",", omittingEmptySubsequences: false)
    #expect(IntervalMethod(rawValue: String(cells[8])) != nil, "\(row)")
    let mixed = try run(["info", "run.h5", "1.h5", "--format", "csv"])
    #expect(mixed.status == 64 && mixed.errors.contains("their columns differ"))
    let both = try run(["info", ".", "--no-plot"])
    #expect(both.status == 0 && both.output.contains("user_acceleration"))
    #expect(both.output.contains("shadowbox-tuning/3"))
  }

  /// Older programs wrote these, see Tests/Fixtures/results/expected.py.
  @Test(arguments: [
    ("run-1.h5", "shadowbox-results/1", "punch/default synthetic"),
    ("run-2.h5", "shadowbox-results/2", "punch/default synthetic"),
    ("run-3.h5", "shadowbox-results/3", "punch/default synthetic"),
    ("run-4.h5", "shadowbox-results/4", "punch/default synthetic"),
  ])
  func ofOlderVersions(file: String, schema: String, entry: String) throws {
    let path = Self.fixtures.appending(path: file).path
    let said = try String(contentsOf: Self.fixtures.appending(path: file + ".txt"), encoding: .utf8)
    let table = try run(["info", path])
    #expect(table.status == 0 && table.output.hasPrefix(schema), "\(table)")
    let found = try #require(try figures(path)[entry])
    for line in said.split(separator: "\n") {
      let words = line.split(separator: " ")
      let (own, other) = (try #require(found[String(words[0])]?[0]), try #require(Double(words[1])))
      // The reader of JSON loses a last digit.
      #expect(abs(own - other) <= 1e-14 * abs(other), "\(line)")
    }
    #expect(!said.isEmpty)
  }

  /// They state no method, or these people only; for new people, the interval follows from the runs.
  @Test(arguments: ["run-1.h5", "run-2.h5"])
  func intervalsOfOlderVersionsAreForNewPeople(file: String) throws {
    let path = Self.fixtures.appending(path: file).path
    #expect(try run(["export", path, "-o", "old.prom"]).status == 0)
    let lines = try String(
      contentsOf: scratch.url.appending(path: "old.prom"), encoding: .utf8
    ).split(separator: "\n")
    let lower = try #require(lines.first { $0.hasPrefix("shadowbox_recall_lower_ratio{") })
    #expect(!lower.contains("population"))
    // 30 of 30 references, in three recordings of unknown people.
    #expect(
      lower.split(separator: " ").last.flatMap { Double($0) }.map { abs($0 - 0.742) < 1e-3 } == true
    )
  }

  @Test func ofOlderSweepsAndTunings() throws {
    func path(_ file: String) -> String { Self.fixtures.appending(path: file).path }
    let points = try figures(path("sweep-1.h5"))
    #expect(points["best F1"]?["threshold"]?[0].map { abs($0 - 55.98) < 0.01 } == true, "\(points)")
    for version in ["1", "2"] {
      let tuning = try run(["info", path("tune-\(version).h5")])
      #expect(tuning.status == 0 && tuning.output.hasPrefix("shadowbox-tuning/\(version)  ("))
      #expect(
        tuning.output.contains("objective: most recall with at most 60 false alarms "))
    }
  }

  @Test(.longer) func ofDamagedFiles() throws {
    let whole = try scratch.bytes(of: "run.h5")
    try whole.prefix(whole.count / 2).write(to: scratch.url.appending(path: "cut.h5"))
    let cut = try run(["info", "cut.h5"])
    #expect(cut.status == 65 && cut.errors.contains("cut.h5"), "\(cut)")
    let seed = UInt64.random(in: 0...UInt64(UInt32.max))
    var generator = SeededGenerator(seed: seed)
    for number in 0..<LongTests.count(quick: 12, long: 200) {
      var bytes = whole
      for _ in 0..<20 {
        let place = Int(generator.next() % UInt64(bytes.count))
        bytes[bytes.startIndex + place] = UInt8(truncatingIfNeeded: generator.next())
      }
      try bytes.write(to: scratch.url.appending(path: "bad.h5"))
      let outcome = try run(["info", "bad.h5"])
      #expect([0, 65].contains(outcome.status), "seed \(seed), file \(number): \(outcome)")
    }
  }
}
