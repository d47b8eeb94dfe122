import Scoring
@testable import Evaluation
import Foundation
import TestSupport
import Testing
@testable import TraceFormats
import TraceModel

@testable import Harness

/// The command as a person runs it, on blows whose heights are known.
@Suite struct SweepCommandTests {
  /// Heights of ten punches and of five knocks that are none, m/s2, one every three seconds.
  static let punches: [Float] = [20.5, 30.5, 40.5, 50.5, 60.5, 70.5, 80.5, 90.5, 100.5, 110.5]
  static let knocks: [Float] = [15.5, 25.5, 35.5, 45.5, 55.5]

  /// A folder with `blows.h5`, six minutes, `other.h5`, the same with a wider tolerance, and
  /// `still.h5`, in which nothing happens.
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try Self.files.copy(to: scratch)
  }

  private static let files = MadeFiles { scratch in
    for (name, tolerance) in [("blows", Duration.milliseconds(60)), ("other", .seconds(20))] {
      let trace = trace(name, punches, knocks, tolerance: tolerance)
      try NativeTrace.write(trace, to: scratch.path("\(name).h5"))
    }
    let still = trace("still", [], [], tolerance: nil)
    try NativeTrace.write(still, to: scratch.path("still.h5"))
  }

  /// A reading every 20 ms, all of them at rest but for the blows.
  private static func trace(
    _ name: String, _ punches: [Float], _ knocks: [Float], tolerance: Duration?
  ) -> Trace {
    var header = TraceHeader(id: name, origin: .synthetic)
    header.end = TraceInstant(nanoseconds: 360_000_000_000)
    let blows = punches + knocks
    var columns = VectorColumns()
    for index in 0..<18_000 {
      let time = Int64(index) * 20_000_000
      let blow = index % 150 == 75 ? index / 150 : -1
      let x = blows.indices.contains(blow) ? blows[blow] : 0
      columns.append(Vector3(x: x, y: 0, z: 0), measured: time, arrived: time)
    }
    header.references = [
      ReferenceSet(
        task: .punch,
        events: punches.indices.map {
          ReferenceEvent(onset: TraceInstant(nanoseconds: (Int64($0) * 150 + 75) * 20_000_000))
        }, tolerance: tolerance)
    ]
    var trace = Trace(header: header)
    trace.set(.vector(columns), for: .userAcceleration)
    return trace
  }

  private func sweep(_ options: String...) throws -> Program.Outcome {
    try Program.launch(
      "env",
      ["COLUMNS=120", Program.executable, "sweep"] + Self.withDetector(options) + ["--no-progress"],
      in: scratch.url)
  }

  /// By the height of a blow alone, unless the options name a detector or a suite.
  private static func withDetector(_ options: [String]) -> [String] {
    options.contains("--detector") || options.contains { $0.hasSuffix(".yml") }
      ? options : options + ["--detector", "punch/magnitude"]
  }

  // MARK: What is printed

  @Test func theTable() throws {
    let done = try sweep("blows.h5", "--budgets", "0,20,1000", "--quiet")
    #expect(done.status == 0, "\(done.errors)")
    #expect(
      done.output == """
        punch/magnitude on blows.h5: 1 trace, 0.100 h, 10 references; 95 % intervals below the figures

        point           threshold  same result  TP  FP  FN    precision       recall           F1     false/h  latency ms
                             m/s2      from-to              of this mix                                           p50/p90
        --------------  ---------  -----------  --  --  --  -----------  -----------  -----------  ----------  ----------
        preset                 30    25.5-30.5   9   3   1        0.750        0.900        0.818        30.0     260/260
                                                            0.468-0.911  0.596-0.982  0.595-0.932    6.2-87.7
        best F1                18    15.5-20.5  10   4   0        0.714        1.000        0.833        40.0     260/260
                                                            0.454-0.883  0.722-1.000  0.624-0.938  10.9-102.4
        at most 0/h            58    55.5-60.5   6   0   4        1.000        0.600        0.750         0.0     260/260
                                                            0.610-1.000  0.313-0.832  0.476-0.908    0.0-36.9
        at most 20/h           38    35.5-40.5   8   2   2        0.800        0.800        0.800        20.0     260/260
                                                            0.490-0.943  0.490-0.943  0.562-0.926    2.4-72.2
        at most 1000/h         18    15.5-20.5  10   4   0        0.714        1.000        0.833        40.0     260/260
                                                            0.454-0.883  0.722-1.000  0.624-0.938  10.9-102.4
        16 steps, all thresholds from 0 to 2000.
        Average precision 0.914; mean recall for 1 to 1000 false alarms per hour 0.821.
        Tolerance: 60 ms.
        Intervals for these people only: events are taken as independent. false/h: false alarms per hour.
        Figures of thresholds that are chosen on the same traces are biased: shadowbox tune reports cross-validated figures.

        """)
    #expect(done.output.split(separator: "\n").allSatisfy { $0.count <= 120 })
    #expect(done.errors == "")
  }

  @Test func aTableForEachSetting() throws {
    let done = try sweep(
      "blows.h5", "other.h5", "--grid", "refractory=0.2s,1s", "--grid",
      "rule=magnitude,axes", "--quiet")
    let headings = done.output.split(separator: "\n").filter { $0.hasPrefix("refractory") }
    #expect(
      headings == [
        "refractory 0.2 s, rule magnitude:", "refractory 0.2 s, rule axes:",
        "refractory 1 s, rule magnitude:", "refractory 1 s, rule axes:",
      ])
    #expect(done.output.split(separator: "\n").allSatisfy { $0.count <= 120 })
    // References of both traces, each with its own.
    #expect(done.output.contains("Tolerance: 60 ms or 20 s."))
  }

  @Test func saysWhyAPointIsMissing() throws {
    let low = try sweep(
      "blows.h5", "--threshold", "threshold=1..10", "--budgets", "1,100", "--quiet")
    #expect(low.output.contains("No point for at most 1/h: all thresholds have more false alarms."))
    let high = try sweep("blows.h5", "--threshold", "threshold=200..300", "--quiet")
    #expect(
      high.output.contains(
        "No point for best F1, at most 1/h, at most 10/h, at most 100/h: no threshold has a hit."))
    // The preset's threshold is run in any case.
    #expect(high.output.contains("preset         30"))
    let still = try sweep("still.h5", "--quiet")
    #expect(
      still.output.contains(
        "No point for best F1, at most 1/h, at most 10/h, at most 100/h: there are no reference "
          + "events."))
    #expect(still.output.contains("Average precision -; mean recall"))
  }

  // MARK: Figures

  private struct Sweeps: Decodable {
    struct Sweep: Decodable {
      struct Curve: Decodable {
        var threshold: [Double]
        var truePositives: [Int]
        var falsePositives: [Int]
        var isExact: Bool
        var references: Int
        var hours: Double
      }
      struct Point: Decodable {
        var name: String
        var threshold: Double
        var thresholdFrom: Double
        var thresholdTo: Double
        var figures: [String: Figure]
      }
      struct Tolerance: Decodable {
        var early: Double
        var late: Double
        var origin: String
      }
      var settings: String
      var averagePrecision: Double?
      var tolerances: [Tolerance]
      var operatingPoints: [Point]
      var curve: Curve
    }
    var sweeps: [Sweep]
  }

  private struct Figure: Decodable, Equatable {
    var value: Double?
    var lower: Double?
    var upper: Double?
  }

  private func sweeps(_ options: String...) throws -> [Sweeps.Sweep] {
    let done = try Program.run(
      ["sweep"] + Self.withDetector(options) + ["--format", "json", "--quiet"], in: scratch.url)
    #expect(done.status == 0, "\(done.errors)")
    return try done.decoded(Sweeps.self).sweeps
  }

  /// By hand: a blow is detected if its height is above the threshold.
  @Test func theCurveByHand() throws {
    let found = try sweeps("blows.h5", "--threshold", "threshold=1..2000")[0]
    let heights = (Self.punches + Self.knocks).map(Double.init).sorted()
    #expect(found.curve.isExact)
    #expect(found.curve.references == 10)
    #expect(found.curve.hours == 0.1)
    #expect(found.curve.threshold.count == 16)
    for (step, height) in zip(found.curve.threshold.dropFirst(), heights) {
      // Single precision: the lowest number that rounds to the height there.
      #expect(abs(step - height) < 1e-5 * height)
    }
    for (index, threshold) in found.curve.threshold.enumerated() {
      let above = threshold + 0.01
      #expect(found.curve.truePositives[index] == Self.punches.count { Double($0) > above })
      #expect(found.curve.falsePositives[index] == Self.knocks.count { Double($0) > above })
    }
    // The best precision with so many hits or more: 1 for the six above all knocks; below, each
    // punch comes with one knock more.
    let precisions = [1, 1, 1, 1, 1, 1, 7.0 / 8, 8.0 / 10, 9.0 / 12, 10.0 / 14]
    #expect(abs((found.averagePrecision ?? 0) - precisions.reduce(0, +) / 10) < 1e-12)
    #expect(found.tolerances.map(\.early) == [0.06])
    #expect(found.tolerances.map(\.origin) == ["reference"])
  }

  /// What `run` counts at single thresholds, with its intervals.
  @Test(arguments: ["punch-s01-left", "punch-s03-right-hold", "running-s01"])
  func aRunAtAThresholdSaysTheSame(name: String) throws {
    let trace = Fixtures.traces.appending(path: "synthetic/\(name).h5").path
    let thresholds = [4.0, 22.5, 30, 71, 140]
    try scratch.write(
      """
      schema: shadowbox-suite/1
      traces: {all: [\(trace)]}
      entries:
      \(thresholds.map {
        "  - {name: t\($0), detector: punch, preset: magnitude, traces: all, parameters: {threshold: \($0) m/s2}}"
      }.joined(separator: "\n"))
      """, to: "suite.yml")
    struct Runs: Decodable {
      struct Run: Decodable { var figures: [String: Figure] }
      var runs: [Run]
    }
    let done = try Program.run(
      ["run", "suite.yml", "--format", "json", "--quiet", "-o", "runs.h5"], in: scratch.url)
    #expect(done.status == 0, "\(done.errors)")
    let runs = try JSONDecoder().decode(Runs.self, from: Data(done.output.utf8)).runs
    let exact = try sweeps(trace)[0]
    for (run, threshold) in zip(runs, thresholds) {
      let step = try #require(exact.curve.threshold.lastIndex { $0 <= threshold })
      let counts = ["true_positives", "false_positives"].map { run.figures[$0]?.value }
      #expect(
        counts
          == [Double(exact.curve.truePositives[step]), Double(exact.curve.falsePositives[step])],
        "threshold \(threshold)")
    }
    let preset = try #require(exact.operatingPoints.first { $0.name == "preset" })
    #expect(preset.threshold == 30)
    for (name, figure) in preset.figures {
      #expect(figure == runs[2].figures[name], "\(name)")
    }
  }

  /// The intervals are over people, as those of a run of a suite are.
  @Test func intervalsAreOverPeople() throws {
    for person in 1...5 {
      var trace = Self.trace(
        "p\(person)", Array(Self.punches.dropFirst(person)), Self.knocks,
        tolerance: .milliseconds(60))
      trace.header.subject = "person \(person)"
      try NativeTrace.write(trace, to: scratch.path("p\(person).h5"))
    }
    try scratch.write(
      """
      schema: shadowbox-suite/1
      traces: {all: [p*.h5]}
      entries: [{name: punch, detector: punch, preset: magnitude, traces: all, parameters: {threshold: 50}}]
      """, to: "suite.yml")
    let found = try sweeps("suite.yml")[0]
    let preset = try #require(found.operatingPoints.first { $0.name == "preset" })
    struct Runs: Decodable {
      struct Summary: Decodable { var figures: [String: Figure] }
      var summaries: [Summary]
    }
    let done = try Program.run(
      ["run", "suite.yml", "--format", "json", "--quiet", "-o", "runs.h5"], in: scratch.url)
    let run = try JSONDecoder().decode(Runs.self, from: Data(done.output.utf8)).summaries[0]
    for name in ["precision", "recall", "f1"] {
      #expect(preset.figures[name] == run.figures[name], "\(name)")
    }
    let table = try sweep("suite.yml", "--quiet").output
    #expect(
      table.contains(
        "Intervals for new people: from the differences between people. Where all are alike, a"))
    let these = try sweep("suite.yml", "--quiet", "--intervals", "these-people").output
    #expect(these.contains("Intervals for these people only: events are taken as independent."))
    #expect(these != table)
  }

  @Test func theToleranceIsAnAxisOfTheGrid() throws {
    let found = try sweeps(
      "blows.h5", "--threshold", "threshold=35..35", "--grid", "tolerance=0ms,8.9s,9s")
    #expect(found.map(\.settings) == ["tolerance 0 ms", "tolerance 8900 ms", "tolerance 9000 ms"])
    // The first two punches are too low. With 9 s, edge included, the knock that comes three blows
    // behind the last punch hits it, and so the others have one more between them.
    #expect(found.map(\.curve.truePositives) == [[8], [8], [9]])
    #expect(found.map(\.curve.falsePositives) == [[3], [3], [2]])
    #expect(found.map(\.tolerances[0].early) == [0, 8.9, 9])
  }

  /// A parameter that is no score is run again for each value.
  @Test func aParameterWithoutScoresIsRunForEachValue() throws {
    let found = try sweeps(
      "blows.h5", "--threshold", "refractory=1s..7s:3", "--parameters", "threshold=10m/s2")[
        0]
    #expect(!found.curve.isExact)
    #expect(found.curve.threshold == [1, 4, 7])
    // Every blow; every second; every third.
    #expect(found.curve.truePositives == [10, 5, 4])
    #expect(found.curve.falsePositives == [5, 3, 1])
    let best = try #require(found.operatingPoints.first { $0.name == "best F1" })
    #expect(best.threshold == 1)
    // All values are equal: the middle one, and the width of the plateau.
    let alike = try sweeps("blows.h5", "--threshold", "refractory=0s..2s:5")[0]
    let middle = try #require(alike.operatingPoints.first { $0.name == "best F1" })
    #expect([middle.threshold, middle.thresholdFrom, middle.thresholdTo] == [1, 0, 2])
    #expect(alike.operatingPoints.first?.name == "preset")
  }

  /// Suppression by axes is not nested: fifty values of two thousand are too few.
  @Test func asksForARangeWhereItHasToRun() throws {
    let settings = ["--parameters", "suppression=non-maximum,rule=axes", "--no-progress"]
    let whole = try Program.run(
      ["sweep", "still.h5", "--detector", "punch/magnitude"] + settings, in: scratch.url)
    #expect(
      whole.errors.contains(
        "note: for some settings or traces, punch runs once per threshold, so only 50 values from "
          + "0 m/s2 to 2000 m/s2 were tried; name a range: --threshold threshold=20m/s2..80m/s2:50\n"
      ))
    let named = try Program.run(
      ["sweep", "still.h5", "--threshold", "threshold=10..20:3"] + settings, in: scratch.url)
    #expect(!named.errors.contains("note:"))
    #expect(named.output.contains("3 thresholds, one run per threshold"))
  }

  @Test func saysThatSyntheticTracesArePooledWithRecordedOnes() throws {
    var recorded = Self.trace("recorded", Self.punches, [], tolerance: nil)
    recorded.header.origin = .recorded
    try NativeTrace.write(recorded, to: scratch.path("recorded.h5"))
    let note =
      "note: 2 of 3 traces are synthetic and pooled with recorded ones; name the traces of one "
      + "kind to sweep it alone\n"
    #expect(try sweep("blows.h5", "other.h5", "recorded.h5").errors.contains(note))
    #expect(!(try sweep("blows.h5", "other.h5").errors.contains("note:")))
  }

  @Test func pointsThatRoundingMakesOneAreOne() throws {
    let found = try sweeps("blows.h5", "--threshold", "threshold=1..1.0000000000000004:40")
    #expect(found[0].curve.threshold == [1, 1.0000000000000002, 1.0000000000000004])
  }

  // MARK: Outputs

  @Test func threadsDoNotMatter() throws {
    var bytes: [[Data]] = []
    for threads in ["1", "2", "7"] {
      let done = try sweep(
        "blows.h5", "other.h5", "still.h5", "--grid", "refractory=0.2s,5s", "--threads",
        threads, "-o", "sweep.h5", "--csv", "sweep.csv", "--quiet")
      #expect(done.status == 0, "\(done.errors)")
      bytes.append(
        [try scratch.bytes(of: "sweep.h5"), try scratch.bytes(of: "sweep.csv")]
          + [Data(done.output.utf8)])
    }
    #expect(bytes[0] == bytes[1])
    #expect(bytes[0] == bytes[2])
  }

  @Test func tellsWhatItWrote() throws {
    let done = try sweep(
      "blows.h5", "-o", "new/sweep.h5", "--csv", "sweep.csv", "--format", "csv")
    #expect(done.status == 0, "\(done.errors)")
    #expect(done.errors.contains("1 sweep with 16 steps over 0.10 h of traces"))
    #expect(done.errors.hasSuffix("written: new/sweep.h5\nwritten: sweep.csv\n"))
    #expect(try scratch.bytes(of: "sweep.csv") == Data(done.output.utf8))
    let lines = done.output.split(separator: "\n")
    #expect(lines.count == 17)
    #expect(
      lines[0]
        == "settings,threshold,true_positives,false_positives,false_negatives,recall,recall_lo,"
        + "recall_hi,precision,precision_lo,precision_hi,f1,f1_lo,f1_hi,false_alarms_per_hour,"
        + "false_alarms_per_hour_lo,false_alarms_per_hour_hi")
    // Without detections, precision is undefined: an empty cell.
    #expect(lines[16].hasPrefix("all,110.49999"))
    #expect(lines[16].contains(",0,0,10,0.0,"))
    #expect(lines[16].contains(",,,,"))
  }

  // MARK: Wrong use

  struct Refusal: Sendable, CustomTestStringConvertible {
    var options: [String]
    var status: Int32
    var message: String
    var testDescription: String { options.joined(separator: " ") }

    init(_ options: [String], status: Int32 = 64, _ message: String) {
      (self.options, self.status, self.message) = (options, status, message)
    }

    /// The message begins with the option and its value.
    init(_ option: String, _ value: String, _ message: String) {
      self.init(["blows.h5", option, value], "\(option) \(value): \(message)")
    }
  }

  static let refusals: [Refusal] = [
    .init(
      "--threshold", "1g..6g",
      "expected a parameter before the range, e.g. threshold=20m/s2..80m/s2:50"),
    .init(
      "--threshold", "height=1..2",
      "unknown parameter of detector punch \"height\"; known: threshold, rule, retrigger, "
        + "arming, suppression, peak-window, refractory, gravity-turn, withdraw-below, types, "
        + "profile"),
    .init("--threshold", "rule=1..2", "expected a numeric parameter, found another type"),
    .init(
      "--threshold", "threshold=5..1",
      "expected a range LOW..HIGH such as 10..60 or 10..60:200"),
    .init(
      "--threshold", "threshold=nan..1",
      "expected a range LOW..HIGH such as 10..60 or 10..60:200"),
    .init(
      "--threshold", "threshold=1s..2s",
      "expected a range LOW..HIGH such as 10..60 or 10..60:200"),
    .init("--threshold", "threshold=1..1e9", "expected values from 0 to 2000 m/s2"),
    .init(
      "--threshold", "threshold=1..2:0",
      "expected a number of points from 1 to 100000 after the colon"),
    .init(
      "--threshold", "refractory",
      "expected a range, because detector punch runs once per value of refractory; add e.g. "
        + "--threshold refractory=0.16s..0.64s:50"),
    .init("--grid", "refractory", "expected a parameter and its values, e.g. refractory=0.2s,0.4s"),
    .init(
      "--grid", "refractory=,",
      "expected a parameter and its values, e.g. refractory=0.2s,0.4s"),
    .init("--grid", "refractory=0.2s,200ms", "expected different values, found duplicates"),
    .init("--grid", "tolerance=50ms,0.05s", "expected different values, found duplicates"),
    .init("--grid", "tolerance=5m", "expected times such as 50ms, found 5m"),
    .init(
      "--grid", "threshold=1,2",
      "threshold is the threshold, which the sweep varies; remove it"),
    .init("--budgets", "1,,2", "expected rates of zero or more, e.g. 1,10,100"),
    .init("--budgets", "1,1.0", "duplicate rate"),
    .init(["blows.h5", "--threads", "0"], "--threads: expected 1 or more"),
    .init(["blows.h5", "blows.h5"], "blows.h5: expected each trace once, found it twice"),
    .init(
      ["blows.h5", "-o", "blows.h5"],
      "blows.h5: it is also read (blows.h5), and would be lost; choose another output"),
    .init(
      ["blows.h5", "-o", "a", "--csv", "./a"],
      "a: expected a name that ends in .h5 or .hdf5, for a sweep of Shadowbox"),
    .init(["blows.h5", "--entry", "punch"], "--entry: expected a suite (.yml), found traces"),
    .init(
      ["blows.h5", "--detector", "track"],
      "detector track: expected a task with events (punch, drop or visit), found distance; "
        + "compare its settings as entries of a suite with run"),
    .init(
      ["blows.h5", "--detector", "checkin"], status: 65,
      "blows.h5: expected a reference of task visit, found punch; add one with convert "
        + "--reference, or with --count where only the number of events is known, or state that "
        + "there are no events with convert --without visit"),
    .init(
      ["none.h5"], status: 74,
      "none.h5: expected a file, found No such file or directory; check the path"),
  ]

  @Test(.longer, arguments: LongTests.everyOther(refusals)) func refuses(refusal: Refusal) throws {
    let names = scratch.names
    let done = try Program.run(["sweep"] + refusal.options, in: scratch.url)
    #expect(done.errors == "error: \(refusal.message)\n")
    #expect(done.status == refusal.status)
    #expect(done.output == "")
    #expect(scratch.names == names)
  }
}
