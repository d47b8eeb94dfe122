import Foundation
import TestSupport
import Testing

/// `history` and its subcommands, as a person uses them.
@Suite struct HistoryCommandTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func run(_ words: String) throws -> Program.Outcome {
    try Program.run(words.split(separator: " ").map(String.init), in: scratch.url)
  }

  /// Results with a threshold that finds less and less.
  private func makeResults(_ thresholds: [Int]) throws {
    let trace = Fixtures.traces.appending(path: "synthetic/punch-s05-right.h5").path
    for threshold in thresholds {
      try scratch.write(
        """
        schema: shadowbox-suite/1
        name: small
        traces: {all: [\(trace)]}
        entries:
          - {name: mine, detector: punch, traces: all, gravity_filter: lowpass,
             parameters: {threshold: \(threshold) m/s2}}
        """, to: "s.yml")
      let outcome = try run("run s.yml --deterministic --quiet -o r\(threshold).h5")
      try #require(outcome.status == 0, "\(outcome.errors)")
    }
  }

  private struct Document: Decodable {
    struct Run: Decodable {
      var id: String
      var commit: String
      var source: String
    }
    struct Series: Decodable {
      struct Point: Decodable {
        var run: String
        var value: Double?
      }
      struct Change: Decodable {
        var run: String
        var commit: String
        var before: Double?
        var after: Double?
        var isOtherSuite: Bool
      }
      var entry: String
      var figure: String
      var points: [Point]
      var changes: [Change]
    }
    var schema: String
    var runs: [Run]
    var series: [Series]
  }

  @Test func addsAndShowsResults() throws {
    try makeResults([30, 90])
    for (file, commit, day) in [("r30", "aaa", 1), ("r30", "bbb", 2), ("r90", "ccc", 3)] {
      let added = try run("history add \(file).h5 --commit \(commit) --time 2026-11-0\(day)")
      #expect(added.status == 0 && added.errors.hasPrefix("added \(file).h5: "), "\(added.errors)")
    }
    let again = try run("history add r90.h5 --commit ccc --machine other")
    #expect(again.status == 0 && again.errors.contains("already in the history; nothing is added"))
    #expect(scratch.names.contains(".shadowbox"))

    let table = try run("history")
    #expect(table.status == 0 && table.errors.isEmpty)
    #expect(table.output.hasPrefix("3 runs of 1 machine, 2026-11-01 to 2026-11-03, in "))
    #expect(table.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(table.output)")
    let entry = try run("history --entry mine --metric recall").output
    #expect(entry.contains("2026-11-03 ccc: recall "), "\(entry)")
    #expect(entry.contains("but the suite or its options changed too"))
    #expect(entry.contains("*"))

    let document = try run("history show --format json").decoded(Document.self)
    #expect(document.schema == "shadowbox-history/1")
    #expect(document.runs.map(\.commit) == ["aaa", "bbb", "ccc"])
    let recall = try #require(document.series.first { $0.figure == "recall" })
    #expect(recall.points.map(\.run) == document.runs.map(\.id))
    #expect(recall.changes.map(\.commit) == ["ccc"] && recall.changes[0].isOtherSuite)
    #expect(recall.changes[0].before == recall.points[1].value)
    #expect(recall.changes[0].after == recall.points[2].value)

    // The figures are those of the results.
    let info = try run("info r90.h5 --format csv").output.split(separator: "\n")
    let row = try #require(info.first { $0.contains(",recall,") }).split(separator: ",")
    #expect(Double(row[4]) == recall.points[2].value)
    let csv = try run("history --format csv --last 1 --metric recall").output.split(separator: "\n")
    #expect(csv.count == 2 && csv[1].hasPrefix("2026-11-03T00:00:00.000Z,ccc,,"))
    #expect(csv[1].hasSuffix(",1"))
  }

  /// A run that is no longer saved is no figure of accuracy, and is told all the same.
  @Test func anOutcomeOfAnAppIsTold() throws {
    _ = try run("synth track-run --seed 3 -o run.h5")
    for (name, network) in [("good", ""), ("lossy", ", network: {loss: 1}")] {
      try scratch.write(
        """
        schema: shadowbox-suite/1
        name: small
        traces: {all: [run.h5]}
        apps:
          - {app: workout, policy: {}, traces: all\(network)}
        """, to: "s.yml")
      let outcome = try run("run s.yml --deterministic --quiet -o \(name).h5")
      try #require(outcome.status == 0, "\(outcome.errors)")
      _ = try run("history add \(name).h5 --commit \(name) --time 2026-11-0\(name.count)")
    }
    let text = try run("history").output.split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    #expect(
      text.contains(
        "Changed: outcomes of apps, 2026-11-05 lossy: workout/default (synthetic): saved of sim01 yes "
          + "-> no"), "\(text)")
  }

  @Test func theCommitIsThatOfTheFile() throws {
    try makeResults([30])
    _ = try run("history add r30.h5 --history h.sqlite")
    let document = try run("history --history h.sqlite --format json").decoded(Document.self)
    let info = try run("info r30.h5 --format csv")
    #expect(document.runs.count == 1 && info.status == 0)
    // The folder is not a git repository.
    #expect(document.runs[0].commit == "" && document.runs[0].source == "results")
  }

  @Test func exportsAndImports() throws {
    let files = try HistoryFiles.make("r", 5, in: scratch)
    let imported = try run("history import \(files.joined(separator: " ")) --history a.sqlite")
    #expect(imported.status == 0 && HistoryFiles.reported(imported.errors).count == 5)
    #expect(try run("history export a.jsonl --history a.sqlite").status == 0)
    #expect(try run("history import a.jsonl --history b.sqlite").status == 0)
    #expect(try run("history export b.jsonl --history b.sqlite").status == 0)
    #expect(try scratch.bytes(of: "a.jsonl") == scratch.bytes(of: "b.jsonl"))
    let known = try run("history import a.jsonl --history b.sqlite")
    #expect(known.errors.contains("added 0 runs and 0 trials; 5 are already there"))
    // A file of another kind is not replaced; one of this kind is.
    #expect(try run("history export a.jsonl --history a.sqlite").status == 0)
    try scratch.write("mine", to: "notes.txt")
    #expect(try run("history export notes.txt --history a.sqlite").status == 64)
    #expect(try run("history export a.sqlite --history a.sqlite").status == 64)
    #expect(try scratch.text(of: "notes.txt") == "mine")
  }

  @Test func prunes() throws {
    let files = try HistoryFiles.make("r", 5, in: scratch)
    _ = try run("history import \(files.joined(separator: " ")) --history h.sqlite")
    let dry = try run("history prune --keep 2 --history h.sqlite --dry-run")
    #expect(dry.errors == "would remove 3 of 5 runs\n")
    #expect(dry.output.split(separator: "\n").count == 3)
    let wet = try run("history prune --keep 2 --history h.sqlite")
    #expect(wet.output == dry.output && wet.errors == "removed 3 of 5 runs\n")
    let none = try run("history prune --older-than 36500d --history h.sqlite")
    #expect(none.errors == "removed 0 of 2 runs\n" && none.output.isEmpty)
  }

  /// Nothing empties a history unless it is asked to.
  @Test(arguments: ["--keep 0", "--older-than 0d", "--keep 0 --older-than 0s"])
  func prunesNotAll(options: String) throws {
    let files = try HistoryFiles.make("r", 3, in: scratch)
    _ = try run("history import \(files.joined(separator: " ")) --history h.sqlite")
    let prune = "history prune \(options) --history h.sqlite"
    let refused = try run(prune)
    #expect(refused.status == 64 && refused.output.isEmpty)
    let message = "found none: 3 runs would be removed; keep some with --keep, or add --force"
    #expect(refused.errors.contains(message), "\(refused.errors)")
    #expect(try run(prune + " --dry-run").errors == "would remove 3 of 3 runs\n")
    #expect(try run(prune + " --force").errors == "removed 3 of 3 runs\n")
    #expect(try run(prune).errors == "removed 0 of 0 runs\n")
  }

  @Test func exportsToAnOptionToo() throws {
    let file = try HistoryFiles.make("r", 1, in: scratch)[0]
    _ = try run("history import \(file)")
    for words in ["a.jsonl", "-o b.jsonl", "--output c.jsonl"] {
      #expect(try run("history export \(words)").status == 0)
    }
    let texts = try ["a", "b", "c"].map { try scratch.text(of: "\($0).jsonl") }
    #expect(Set(texts).count == 1)
    #expect(try run("history export -o -").output == texts[0])
    for words in ["", "a.jsonl -o b.jsonl"] {
      let refused = try run("history export \(words)")
      #expect(refused.status == 64 && refused.errors.contains("the name of one file to write"))
    }
  }

  @Test(
    arguments: [
      ("history", 74, "expected a history, found no such file; add runs with"),
      ("history add none.h5", 74, "none.h5"), ("history add s.txt", 65, "s.txt"),
      ("history add s.txt --time soon", 64, "--time"),
      ("history add s.txt --commit=", 64, "--commit"),
      ("history prune", 64, "expected --keep or --older-than"),
      ("history prune --keep 1", 74, "expected a history, found no such file"),
      ("history prune --older-than 3x", 64, "--older-than"),
      ("history prune --keep -1", 64, "--keep"),
      ("history import s.txt", 65, "s.txt:1: expected {\"schema\""),
      ("history import none.jsonl", 74, "none.jsonl"), ("history --last 0", 64, "--last 0"),
      ("history export x.jsonl", 74, "found no such file"),
      ("history prnue", 64, "did you mean history prune?"),
      ("history --history s.txt", 65, "found a file that is not an SQLite database"),
      ("history --history ok.sqlite --entry mien", 64, "did you mean mine?"),
      ("history --history ok.sqlite --metric recal", 64, "unknown metric"),
      ("history --history ok.sqlite --picture p.txt", 64, "p.txt"),
      ("history --history ok.sqlite --branch mian", 64, "unknown branch \"mian\""),
      ("history --history ok.sqlite --branch=", 64, "--branch"),
      ("history --history ok.sqlite --branch x --all-branches", 64, "remove one"),
    ])
  func errors(words: String, status: Int32, message: String) throws {
    try scratch.write("text\n", to: "s.txt")
    if words.contains("ok.sqlite") {
      let file = try HistoryFiles.make("mine", 1, in: scratch)[0]
      try scratch.write(
        try scratch.text(of: file).replacing("punch/default", with: "mine"), to: file)
      _ = try run("history import \(file) --history ok.sqlite")
    }
    let isPicture = words.contains("--picture")
    if isPicture, ProcessInfo.processInfo.environment["SHADOWBOX_PYTHON"] == nil { return }
    let outcome = try run(words)
    #expect(outcome.status == status, "\(outcome.errors)")
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(outcome.output.isEmpty && !scratch.names.contains(".shadowbox"))
  }

  @Test func helpOfSubcommands() throws {
    for (words, usage) in [
      ("help history", "USAGE: shadowbox history <subcommand>"),
      ("help history prune", "USAGE: shadowbox history prune"),
      ("history add --help", "USAGE: shadowbox history add"),
    ] {
      let outcome = try run(words)
      #expect(outcome.status == 0 && outcome.output.contains(usage), "\(outcome.output)")
    }
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["SHADOWBOX_PYTHON"] != nil))
  func drawsThePicture() throws {
    let files = try HistoryFiles.make("r", 60, in: scratch)
    _ = try run("history import \(files.joined(separator: " ")) --history h.sqlite")
    let outcome = try run(
      "history --history h.sqlite --metric figure_0 --metric figure_1 --picture p.svg")
    #expect(outcome.status == 0 && outcome.errors == "written: p.svg\n", "\(outcome.errors)")
    let picture = try scratch.text(of: "p.svg")
    #expect(picture.hasPrefix("<?xml"))
    // Each change has its commit, and each figure its panel.
    for text in ["c20", "c40", "figure 0", "figure 1"] {
      #expect(picture.contains("<!-- \(text)") || picture.contains(text), "\(text)")
    }
  }

  /// Runs of two days, or of one: only the former wait for more days.
  @Test(arguments: [(2, true), (1, false)])
  func tooFewDaysAreNamed(days: Int, isNamed: Bool) throws {
    let runs = (0..<4).map { number in
      """
      {"run":{"id":"r\(number)","time":"2026-11-2\(number % days)T0\(number):00:00.000Z",\
      "commit":"c\(number)","machine":"ci","tool_version":"0.1.0","toolchain":"Swift","suite":"s",\
      "suite_sha256":"","source":"gate","verdict":"PASS","figures":[{"entry":"e","origin":"synthetic",\
      "metric":"ns_per_sample","kind":"timing","value":\(number),"unit":"ns"}]}}
      """
    }
    try scratch.write(
      (["{\"schema\":\"shadowbox-history-lines/1\"}"] + runs).joined(separator: "\n") + "\n",
      to: "runs.jsonl")
    let added = try run("history import runs.jsonl --history h.sqlite")
    try #require(added.status == 0, "\(added)")
    let shown = try run("history show --history h.sqlite")
    #expect(shown.status == 0 && shown.output.contains("Timing: changes by"), "\(shown)")
    let note = "With several runs per day, a change shows only after 5 days."
    #expect(shown.output.contains(note) == isNamed, "\(shown)")
  }
}
