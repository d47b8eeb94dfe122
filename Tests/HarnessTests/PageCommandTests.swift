import Evaluation
import Files
import Foundation
import PageRuns
import Scoring
import Synthesis
import TestSupport
import Testing
import TraceFormats
import TraceModel
import Tuning

/// The page of `report` and of `run --report`: what is in the file. What it does in a browser is in
/// Tests/Python/page_in_browser.py.
@Suite struct PageCommandTests {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  private static let hostile = "</script><script>alert(1)</script>\"'&\u{202E}é"

  /// - Parameter seconds: the part of the first trace that does not count.
  private func makeTraces(ignoring seconds: ClosedRange<Double>? = nil) throws {
    for (number, name) in ["one", Self.hostile].enumerated() {
      let spec = try ScenarioSpec(kind: .punches, seed: UInt64(number + 1), duration: 20)
      var trace = MadeTraces.trace(spec)
      trace.header.id = name
      trace.header.activity = number == 0 ? "punching" : Self.hostile
      if let seconds, number == 0 {
        trace.header.ignoreZones = [
          IgnoreZone(
            onset: TraceInstant(nanoseconds: Int64(seconds.lowerBound * 1e9)),
            offset: TraceInstant(nanoseconds: Int64(seconds.upperBound * 1e9)))
        ]
      }
      try NativeTrace.write(trace, to: scratch.url.appending(path: "\(number).h5").path)
    }
  }

  private func run(_ arguments: [String]) throws -> Program.Outcome {
    try Program.run(arguments, in: scratch.url)
  }

  private func page(_ name: String) throws -> String {
    try String(contentsOf: scratch.url.appending(path: name), encoding: .utf8)
  }

  private func element(_ id: String, of page: String) throws -> Substring {
    let start = try #require(page.range(of: "id=\"\(id)\">"))
    let end = try #require(page.range(of: "</script>", range: start.upperBound..<page.endIndex))
    return page[start.upperBound..<end.lowerBound]
  }

  private struct Model: Decodable {
    struct Entry: Decodable {
      var name: String
      var number: Int?
      var isRunnable: Bool
      var runs: [Int]
      var differences: [Difference]
      var unlike: Int
      var figures: [Figure]
    }
    struct Figure: Decodable {
      var name: String
      var value: Double?
      var lower: Double?
    }
    struct Difference: Decodable {
      var name: String
      var base: Double?
      var head: Double?
    }
    struct Comparison: Decodable {
      var base: String
      var head: String
    }
    struct Stored: Decodable {
      var onsets: [Double]
      var outcomes: [Int]
      var references: [Int]
    }
    struct Run: Decodable {
      var curve: ThresholdCurve?
      var stored: Stored?
      var before: Stored?
      var uses: String?
      var trace: Int
      var values: [Double?]
      var hits: Int?
      var misses: Int?
      var falseAlarms: Int?
    }
    struct Trace: Decodable {
      var id: String
      var activity: String
      var data: String?
      var truePath: [Double]?
    }
    struct App: Decodable {
      struct Person: Decodable {
        var name: String
        var trace: Int?
      }
      struct Outcome: Decodable {
        var name: String
        var cells: [String]
      }
      struct Event: Decodable {
        var time: Double
        var person: Int
        var kind: String
      }
      var name: String
      var headline: String
      var number: Int?
      var people: [Person]
      var outcomes: [Outcome]
      var events: [Event]
    }
    var apps: [App]
    var entries: [Entry]
    var runs: [Run]
    var traces: [Trace]
    var comparison: Comparison?
  }

  private func model(of page: String) throws -> Model {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(Model.self, from: Data(try element("model", of: page).utf8))
  }

  @Test func everythingIsInTheFile() throws {
    try makeTraces()
    let made = try run(["run", "0.h5", "1.h5", "--detector", "punch", "--report", "page.html"])
    try #require(made.status == 0, "\(made.errors)")
    #expect(made.errors.contains("open page.html"))
    let page = try page("page.html")
    #expect(page.hasPrefix("<!doctype html>"))
    #expect(page.contains("default-src 'none'; script-src 'sha256-"))
    #expect(page.contains("; worker-src blob:; "))
    // Three that are not data: the policy's own script alone is run.
    #expect(page.components(separatedBy: "<script>").count == 2)
    #expect(!page.contains("http://") || page.contains("http://www.w3.org/2000/svg"))
    #expect(!page.contains("https://"))

    let model = try model(of: page)
    #expect(model.traces.map(\.id) == ["one", Self.hostile])
    #expect(model.traces[1].activity == Self.hostile)
    #expect(!(try element("model", of: page)).contains("<"))
    #expect(model.entries.map(\.number) == [PageDetector.punch.rawValue])
    #expect(model.entries.map(\.isRunnable) == [true])
    #expect(model.runs.allSatisfy { $0.stored == nil })

    // What the page computes from its own bytes is what the program has counted.
    for run in model.runs {
      let name = try #require(model.traces[run.trace].data)
      let text = String(try element(name, of: page))
      let packed = try #require(Data(base64Encoded: text))
      let unpacked = try GzipInput.unpacked(Array(packed), limit: 10_000_000, name: "page")
      let bytes = try #require(unpacked)
      let trace = try PackedTrace.trace(from: bytes)
      let result = try PageDetector.punch.run(run.values.map { $0 ?? .nan }, on: trace)
      let score = try result.score(result.detections, header: trace.header, tolerance: nil)
      func figure(_ name: String) -> Double? { score.figures.first { $0.name == name }?.value }
      #expect(figure("true_positives") == run.hits.map(Double.init))
      #expect(figure("false_negatives") == run.misses.map(Double.init))
      #expect(figure("false_positives") == run.falseAlarms.map(Double.init))
    }
  }

  @Test func theReportOfResultsIsThatOfTheRun() throws {
    try makeTraces()
    let made = try run([
      "run", "0.h5", "1.h5", "--detector", "punch/fast", "-o", "r.h5", "--report", "page.html",
    ])
    try #require(made.status == 0, "\(made.errors)")
    #expect(try run(["report", "r.h5", "-o", "later.html"]).status == 0)
    #expect(try page("page.html") == page("later.html"))
    #expect(
      try model(of: page("later.html")).entries.map(\.name) == ["punch/fast", "punch/fast, final"])
  }

  /// What was chosen and what it was before, with the parameters that the parameter file has.
  @Test func aTuningHasTheChoiceAndThePreset() throws {
    let traces = ["3-right-hold", "4-left-hold", "5-right", "6-left"].map {
      Fixtures.traces.appending(path: "synthetic/punch-s0\($0).h5").path
    }
    let detector = ["--detector", "punch", "--gravity-filter", "lowpass"]
    let tuned = try run(
      ["tune"] + traces + detector + [
        "--max-false-alarms", "60", "--trials", "1", "--resamples", "100", "--no-cache",
        "-o", "tuned.json", "--report", "page.html", "--accept-loss",
      ])
    try #require(tuned.status == 0, "\(tuned.errors)")
    let model = try model(of: page("page.html"))
    #expect(model.entries.map(\.name) == ["tuned, chosen on these traces", "punch/default"])
    let file = try run(
      ["run"] + traces + detector + ["--parameters", "tuned.json", "--report", "run.html"])
    try #require(file.status == 0, "\(file.errors)")
    let direct = try self.model(of: page("run.html"))
    let chosen = model.entries[0].runs.map { model.runs[$0] }
    #expect(chosen.map(\.values) == direct.runs.map(\.values))
    #expect(chosen.map(\.hits) == direct.runs.map(\.hits) && chosen.count == 4)
    #expect(chosen[0].values != model.runs[model.entries[1].runs[0]].values)
    let same = try run(["tune", traces[0], "--report", "p.html", "-o", "p.html"])
    #expect(same.status == 64, "\(same.errors)")
  }

  /// An app is there with its people, their signals, what happened and how it ended.
  @Test func anAppHasItsPeopleAndEvents() throws {
    for subject in 1...2 {
      let made = try run([
        "synth", "fight", "--subject", "\(subject)", "--seed", "3", "-o", "\(subject).h5",
      ])
      try #require(made.status == 0, "\(made.errors)")
    }
    try scratch.write(
      """
      schema: shadowbox-suite/1
      traces: {both: [1.h5, 2.h5]}
      apps: [{app: fight, traces: both}]
      """, to: "s.yml")
    let made = try run(["run", "s.yml", "-o", "r.h5", "--report", "page.html"])
    try #require(made.status == 0, "\(made.errors)")
    let model = try model(of: page("page.html"))
    #expect(model.entries.isEmpty)
    let app = try #require(model.apps.first)
    #expect(app.name == "fight/default" && app.headline.hasPrefix("violations 0, hit seen in 0.2"))
    #expect(app.number == PageDetector.punch.rawValue)
    #expect(app.people.map(\.name) == ["sim01", "sim02"])
    let traces = app.people.compactMap(\.trace)
    #expect(traces.count == 2 && traces.allSatisfy { model.traces[$0].data != nil })
    // For each person, and for the fight.
    #expect(app.outcomes.allSatisfy { $0.cells.count == 3 })
    let winner = try #require(app.outcomes.first { $0.name == "winner" })
    #expect(winner.cells[2].hasPrefix("sim0"))
    // As many hits as the table of outcomes says.
    let hits = try #require(app.outcomes.first { $0.name == "hits" })
    for person in 0...1 {
      let count = app.events.count { $0.kind == "hit" && $0.person == person }
      #expect(hits.cells[person] == "\(count)" && count > 0)
    }
  }

  /// A map has what the detector made of each fix, and where the person was.
  @Test func aMapHasItsFixesAndTheTruePath() throws {
    let made = try run(["synth", "track-run", "--seed", "3", "-o", "t.h5"])
    try #require(made.status == 0, "\(made.errors)")
    let report = try run(["run", "t.h5", "--detector", "track", "--report", "page.html"])
    try #require(report.status == 0, "\(report.errors)")
    let model = try model(of: page("page.html"))
    let path = try #require(model.traces[0].truePath)
    #expect(path.count.isMultiple(of: 2) && (100...6002).contains(path.count))
    let uses = try #require(model.runs[0].uses)
    let counts = uses.matches(of: /([ars])(\d+)/).map { (use: $0.1, count: Int($0.2) ?? 0) }
    let exported = try run(["export", "t.h5", "-o", "t.geojson"])
    // The same fixes as `export` counts: `1074 fixes: 1044 accepted, 30 rejected`.
    for (use, word) in [("a", "accepted"), ("r", "rejected")] {
      let sum = counts.filter { $0.use == use }.reduce(0) { $0 + $1.count }
      #expect(sum > 0 && exported.errors.contains("\(sum) \(word)"), "\(exported.errors)")
    }
  }

  /// The page of a comparison has what both files say, and what the base cannot say.
  @Test func aComparisonHasBothSides() throws {
    try makeTraces()
    for (name, files, threshold) in [("base", ["0.h5"], 20), ("head", ["0.h5", "1.h5"], 100)] {
      let made = try run(
        ["run"] + files + [
          "--detector", "punch/magnitude", "--parameters", "threshold=\(threshold)",
          "-o", "\(name).h5",
        ])
      try #require(made.status == 0, "\(made.errors)")
    }
    let refused = try run(["compare", "base.h5", "head.h5", "--report", "page.html"])
    #expect(refused.status == 65, "a trace without a base: \(refused.errors)")
    let made = try run([
      "compare", "base.h5", "head.h5", "--allow-different", "--report", "page.html",
      "--flips", "flips.csv",
    ])
    try #require(made.status == 0, "\(made.errors)")
    #expect(
      made.errors.contains("page in page.html") && !made.errors.contains("differ from the file"))
    let model = try model(of: page("page.html"))
    #expect(model.comparison?.base == "base.h5" && model.comparison?.head == "head.h5")
    #expect(model.runs.map { $0.before == nil } == [false, true])
    let (before, after) = (try #require(model.runs[0].before), try #require(model.runs[0].stored))
    // A higher threshold finds less.
    let lost = zip(before.references, after.references).count { $0 == 0 && $1 == 1 }
    #expect(lost > 0 && before.references.count == after.references.count)
    #expect(before.onsets.count > after.onsets.count)
    #expect(before.outcomes.count == before.onsets.count)
    let recall = try #require(model.entries[0].differences.first { $0.name == "recall" })
    let count = Double(before.references.count)
    #expect(recall.base == Double(before.references.count { $0 == 0 }) / count)
    #expect(recall.head == Double(after.references.count { $0 == 0 }) / count)

    // The page alone reads the traces.
    for options in [["--traces", "0.h5"], ["--full-data"]] {
      let idle = try run(["compare", "base.h5", "base.h5"] + options)
      #expect(idle.status == 64 && idle.errors.contains("--report"), "\(idle.errors)")
    }
    #expect(try run(["compare", "base.h5", "base.h5", "--report", "base.h5"]).status == 64)
  }

  /// Of what the page cannot run it has what the program found. A page may be written again.
  @Test func whatCannotRunHasItsOutcomes() throws {
    try makeTraces()
    try requireProgram("python3")
    try FileManager.default.copyItem(
      at: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Examples/exec/swing.py"),
      to: scratch.url.appending(path: "swing.py"))
    for attempt in 1...2 {
      let made = try run([
        "run", "0.h5", "--detector", "exec:python3 swing.py", "--report", "page.html",
      ])
      try #require(made.status == 0, "\(attempt): \(made.errors)")
    }
    let model = try model(of: page("page.html"))
    #expect(model.entries.map(\.isRunnable) == [false])
    // To draw the acceleration that it reads.
    #expect(model.entries.map(\.number) == [PageDetector.punch.rawValue])
    let stored = try #require(model.runs[0].stored)
    #expect(stored.outcomes.count == stored.onsets.count)
    #expect(stored.references.count { $0 == 0 } == model.runs[0].hits)
    #expect(stored.references.count { $0 == 1 } == model.runs[0].misses)
    #expect(stored.outcomes.count { $0 == 1 || $0 == 2 } == model.runs[0].falseAlarms)

    // At thresholds that were tried, what a run gives there.
    let curve = try #require(model.runs[0].curve)
    #expect(!curve.isExact && curve.thresholds.count == 21)
    for place in [3, 10, 15] {
      let again = try run([
        "run", "0.h5", "--detector", "exec:python3 swing.py", "--report", "again.html",
        "--parameters", "threshold=\(curve.thresholds[place])",
      ])
      try #require(again.status == 0, "\(again.errors)")
      let other = try self.model(of: page("again.html")).runs[0]
      let counts = curve.counts(at: place)
      #expect(counts.truePositives == other.hits && counts.falsePositives == other.falseAlarms)
      #expect(counts.falseNegatives == other.misses)
    }
  }

  /// A detector that refuses a threshold of the page's does not cost the page.
  @Test func aThresholdThatIsRefusedIsLeftOut() throws {
    try makeTraces()
    try requireProgram("python3")
    let rule = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Examples/exec/swing.py"), encoding: .utf8)
    let line = "        parameters[fields[0]] = float(fields[1])\n"
    try rule.replacing(
      line, with: line + "        if parameters['threshold'] > 70: sys.exit('too high')\n"
    ).write(to: scratch.url.appending(path: "swing.py"), atomically: true, encoding: .utf8)
    let made = try run([
      "run", "0.h5", "--detector", "exec:python3 swing.py", "--report", "page.html",
    ])
    try #require(made.status == 0, "\(made.errors)")
    #expect(made.errors.contains("warning: the page lacks other thresholds of 1 run: "))
    let model = try model(of: page("page.html"))
    #expect(model.runs[0].stored != nil && model.runs[0].curve == nil)
  }

  /// A page of a comparison shows the head's file, also where this program detects something else.
  @Test func aComparisonShowsWhatTheFilesSay() throws {
    try makeTraces(ignoring: 0...10)
    try requireProgram("python3")
    let swing = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Examples/exec/swing.py"), encoding: .utf8)
    try scratch.write(swing, to: "swing.py")
    for (name, threshold) in [("base", 30), ("head", 40)] {
      let made = try run([
        "run", "0.h5", "--detector", "exec:python3 swing.py", "-o", "\(name).h5",
        "--parameters", "threshold=\(threshold)", "--report", "\(name).html",
      ])
      try #require(made.status == 0, "\(made.errors)")
    }
    let filed = try model(of: page("head.html")).runs[0]
    // The program is another one now: it finds nothing.
    let deaf = swing.replacing("if magnitude >", with: "if magnitude > 1e9 +")
    try scratch.write(deaf, to: "swing.py")
    let made = try run([
      "compare", "base.h5", "head.h5", "--allow-different", "--allow-programs",
      "--report", "page.html",
    ])
    try #require(made.status == 0, "\(made.errors)")
    #expect(made.errors.contains("detections differ from the file in 1 run"), "\(made.errors)")
    let model = try model(of: page("page.html"))
    let shown = model.runs[0]
    #expect(model.entries[0].unlike == 1 && !model.entries[0].isRunnable && shown.curve == nil)
    let (stored, expected) = (try #require(shown.stored), try #require(filed.stored))
    #expect(stored.onsets == expected.onsets && !stored.onsets.isEmpty)
    #expect(stored.outcomes == expected.outcomes && stored.references == expected.references)
    // Some references do not count.
    let counting = stored.references.count { $0 < 2 }
    #expect((1..<stored.references.count).contains(counting))
    #expect(shown.before?.references.count { $0 < 2 } == counting)
    #expect(shown.hits == filed.hits && shown.misses == filed.misses)
    #expect(shown.falseAlarms == filed.falseAlarms)
    let recall = try #require(model.entries[0].figures.first { $0.name == "recall" })
    #expect(recall.value == Double(filed.hits ?? 0) / Double(counting))
    let own = try self.model(of: page("head.html")).entries[0].figures
    let ownRecall = try #require(own.first { $0.name == "recall" })
    #expect(ownRecall.lower != nil && recall.lower == ownRecall.lower)
  }

  @Test func everyErrorIsARow() throws {
    try makeTraces()
    let made = try run([
      "run", "0.h5", "1.h5", "--detector", "punch/hitThat", "--errors", "e.csv", "--format", "json",
    ])
    try #require(made.status == 0, "\(made.errors)")
    let table = try page("e.csv").split(separator: "\n", omittingEmptySubsequences: true)
    #expect(table[0] == "entry,trace,path,subject,activity,error,time,label,place,value,emitted")
    let runs = try #require(try made.object["runs"] as? [[String: Any]])
    for (path, run) in zip(["0.h5", "1.h5"], runs) {
      let figures = try #require(run["figures"] as? [String: [String: Any]])
      func count(_ name: String) -> Int { figures[name]?["value"] as? Int ?? -1 }
      func rows(_ error: String) -> Int {
        table.count { $0.contains(",\(path),") && $0.contains(",\(error),") }
      }
      #expect(rows("missed") == count("false_negatives"))
      #expect(rows("false_alarm") + rows("duplicate") == count("false_positives"))
      #expect(rows("duplicate") == count("duplicates"))
      #expect(count("false_positives") > 0)
    }
    let again = try run(["run", "0.h5", "--detector", "punch", "--errors", "e.csv"])
    #expect(again.status == 0, "\(again.errors)")
    try scratch.write("mine,1\n", to: "mine.csv")
    #expect(try run(["run", "0.h5", "--detector", "punch", "--errors", "mine.csv"]).status == 64)
  }

  @Test func errorsSayWhatToDo() throws {
    try makeTraces()
    let missing = try run(["report", "nowhere.h5"])
    #expect(missing.status == 74 && missing.errors.contains("nowhere.h5"))
    let noResults = try run(["report", "0.h5"])
    #expect(noResults.status == 65, "\(noResults.errors)")
    try scratch.write("<html>mine</html>", to: "mine.html")
    let mine = try run(["run", "0.h5", "--detector", "punch", "--report", "mine.html"])
    #expect(mine.status == 64 && mine.errors.contains("--force"), "\(mine.errors)")
    #expect(try page("mine.html") == "<html>mine</html>")
    let ending = try run(["run", "0.h5", "--detector", "punch", "--report", "page.pdf"])
    #expect(ending.status == 64 && ending.errors.contains(".html"))
    #expect(try run(["run", "0.h5", "--detector", "punch", "-o", "r.h5"]).status == 0)
    try FileManager.default.removeItem(at: scratch.url.appending(path: "0.h5"))
    let gone = try run(["report", "r.h5"])
    #expect(gone.status == 65 && gone.errors.contains("--traces"), "\(gone.errors)")
  }
}
