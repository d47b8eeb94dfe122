import Foundation
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
    let traces = ["1.h5", "2.h5", "3.h5", "--detector", "punch", "--gravity-filter", "lowpass"]
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

  /// The figures of a file by name and figure: value and bounds.
  private func figures(_ path: String) throws -> [String: [String: [Double?]]] {
    let outcome = try run(["info", path, "--format", "json"])
    let all = try #require(try outcome.object["results"] as? [[String: Any]])
    let rows = try #require(all.first?["figures"] as? [[String: Any]])
    return Dictionary(
      uniqueKeysWithValues: rows.map { row in
        let values = row["values"] as? [[String: Any]] ?? []
        let origin = row["origin"] as? String
        return (
          (row["name"] as? String ?? "") + (origin.map { " " + $0 } ?? ""),
          Dictionary(
            uniqueKeysWithValues: values.map { value in
              (
                value["figure"] as? String ?? "",
                ["value", "lower", "upper"].map { value[$0] as? Double }
              )
            })
        )
      })
  }

  /// What the file has is what the command said.
  @Test func ofARun() throws {
    let found = try #require(try figures("run.h5")["punch/default synthetic"])
    let said = try run(
      ["run", "1.h5", "2.h5", "3.h5", "--detector", "punch", "--gravity-filter", "lowpass"]
        + ["-o", "again.h5", "--format", "json", "--quiet"])
    let summaries = try #require(try said.object["summaries"] as? [[String: Any]])
    let expected = try #require(summaries[0]["figures"] as? [String: [String: Any]])
    for name in ["recall", "precision", "f1", "false_alarms_per_hour", "latency_p50", "references"]
    {
      let own = try #require(expected[name])
      #expect(found[name] == ["value", "lower", "upper"].map { own[$0] as? Double }, "\(name)")
    }
    let table = try run(["info", "run.h5"]).output
    #expect(table.hasPrefix("shadowbox-results/3  (run.h5)\n"))
    #expect(table.contains("punch/default (synthetic): recall "))
    #expect(table.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test func ofASweepAndATuning() throws {
    let points = try figures("sweep.h5")
    let best = try #require(points["best F1"], "\(points.keys)")
    #expect(best["threshold"]?[0] != nil && best["recall"]?[1] != nil)
    let tuning = try run(["info", "tune.h5"]).output
    for fact in ["chosen threshold: ", "verdict: ", "grouped by: subject", "/folds (3 rows)"] {
      #expect(tuning.contains(fact), "\(fact): \(tuning)")
    }
    let csv = try run(["info", "run.h5", "sweep.h5", "--format", "csv"]).output
    #expect(csv.hasPrefix("path,name,origin,figure,value,lower,upper,unit,method,count,clusters\n"))
    #expect(csv.contains("run.h5,punch/default,synthetic,recall,"))
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

  @Test func ofDamagedFiles() throws {
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
