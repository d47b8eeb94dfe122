@testable import Evaluation
import Foundation
import TestSupport
import Testing

@Suite struct ScoreCommandTests {
  /// Labels take memory: as many as no person has are refused, also in several files.
  @Test(.longer, arguments: ["all.csv", "half.csv other.csv"])
  func labelsAreLimited(files: String) throws {
    let scratch = try Scratch()
    let rows = "onset\n" + String(repeating: "1\n", count: 250_001)
    try scratch.write(rows + rows.dropFirst(6), to: "all.csv")
    for name in ["half.csv", "other.csv"] { try scratch.write(rows, to: name) }
    let references = files.split(separator: " ").map(String.init)
    let outcome = try Program.run(
      ["score", "--detections", "all.csv", "--reference"] + references, in: scratch.url)
    #expect(outcome.status == 65, "\(outcome.errors)")
    #expect(outcome.errors.contains("expected at most 500000 labels"), "\(outcome.errors)")
  }

  /// Name, reference, detections, options, and references, TP, FP, FN of all files together.
  struct Case: CustomTestStringConvertible, Sendable {
    let (testDescription, reference, detections): (String, String, String)
    let options: [String]
    let counts: [Double]

    init(
      _ name: String, _ reference: String, _ detections: String, options: [String] = [],
      counts: [Double]
    ) {
      (testDescription, self.reference, self.detections) = (name, reference, detections)
      (self.options, self.counts) = (options, counts)
    }
  }

  @Test(arguments: [
    Case("instants", "onset\n1\n2\n3\n", "onset\n1.15\n2.151\n", counts: [3, 1, 1, 2]),
    Case(
      "a tolerance", "onset\n1\n2\n", "onset\n1.05\n2.051\n", options: ["--tolerance", "50ms"],
      counts: [2, 1, 1, 1]),
    Case(
      "early and late", "onset\n1\n2\n", "onset\n0.98\n2.5\n",
      options: ["--early", "10ms", "--late", "0.5s"], counts: [2, 1, 1, 1]),
    Case(
      "late alone leaves early at the metric's", "onset\n1\n", "onset\n0.85\n",
      options: ["--late", "0s"], counts: [1, 1, 0, 0]),
    Case(
      "an early warning", "onset\n100\n200\n300\n", "onset\n70\n199.6\n290\n",
      options: ["--early", "30s", "--late", "-0.5s"], counts: [3, 2, 1, 1]),
    Case(
      "an early warning ends where it is stated", "onset\n100\n200\n",
      "onset\n99.5\n199.501\n", options: ["--early=30s", "--late=-500ms"], counts: [2, 1, 1, 1]),
    Case(
      "only some time after", "onset\n1\n2\n", "onset\n1.1\n2.3\n",
      options: ["--early", "-0.2s", "--late", "0.5s"], counts: [2, 1, 1, 1]),
    Case(
      "before the end of an interval", "onset,offset\n100,110\n", "onset\n109\n",
      options: ["--early", "2s", "--late", "-2s"], counts: [1, 0, 1, 1]),
    Case(
      "an interval is hit inside", "onset\toffset\n1\t4\n", "onset\n3.9\n", counts: [1, 1, 0, 0]),
    Case(
      "an interval as an instant", "onset\toffset\n1\t4\n", "onset\n3.9\n",
      options: ["--onset-only"], counts: [1, 0, 1, 1]),
    Case(
      "Audacity on both sides", "1\t1\tdog\n2\t3\tcat\n", "1.1\t1.1\t\n5\t5\t\n",
      counts: [2, 1, 1, 1]),
    Case(
      "labels do not matter", "onset,label\n1,dog\n2,cat\n", "onset,label\n1,cat\n2,cat\n",
      counts: [2, 2, 0, 0]),
    Case(
      "labels matter", "onset,label\n1,dog\n2,cat\n", "onset,label\n1,cat\n2,cat\n",
      options: ["--match-labels"], counts: [2, 1, 1, 1]),
    Case(
      "labels to ignore", "onset\toffset\tlabel\n1\t1\ta\n5\t8\tpause\n", "onset\n1\n6\n9\n",
      options: ["--ignore-label", "pause"], counts: [1, 1, 1, 0]),
    Case(
      "files are matched apart", "filename,onset\na.csv,1\nb.csv,2\n", "filename,onset\na,2\nb,2\n",
      counts: [2, 1, 1, 1]),
    Case(
      "files of one side alone", "filename,onset\na,1\nb,2\nb,3\n", "filename,onset\nb,2\nc,7\n",
      counts: [3, 1, 1, 2]),
    Case("an empty detections file", "filename,onset\na,1\nb,2\n", "", counts: [2, 0, 0, 2]),
    Case(
      "one kind of several", "onset\n1\n", "onset,kind\n1,hit\n2,arm\n",
      options: ["--kind", "hit"], counts: [1, 1, 0, 0]),
    Case(
      "a kind of the task", "onset\n1\n", "onset,kind\n1,punch\n2,armed\n", counts: [1, 1, 0, 0]),
    Case("nanoseconds", "onset\n1\n", "onset_ns\n1150000000\n", counts: [1, 1, 0, 0]),
    Case("a decimal edge is in", "onset\n1.001\n", "onset\n1.151\n", counts: [1, 1, 0, 0]),
  ])
  func countsEvents(example: Case) throws {
    let found = try score(example.reference, example.detections, example.options)
    #expect(
      found.values(["references", "true_positives", "false_positives", "false_negatives"])
        == example.counts)
  }

  @Test func poolsAndResamplesFiles() throws {
    let files = (0..<6).map { "rec-\($0)" }
    let reference = "filename,onset\n" + files.flatMap { ["\($0),1\n", "\($0),2\n"] }.joined()
    let detections =
      "filename,onset\n" + files.enumerated().map { "\($1),\($0 < 3 ? 1 : 9)\n" }.joined()
    let found = try score(reference, detections, ["--duration", "30min"])
    #expect(found.values(["recall", "precision", "scored_hours"]) == [0.25, 0.5, 3])
    #expect(found.values(["false_alarms_per_hour"]) == [1])
    let recall = try #require(found.figures["recall"])
    #expect(recall["method"] as? String == "clustered_wilson")
    #expect(recall["population"] as? String == "new_people")
    #expect(recall["clusters"] as? Int == 6)
    #expect(recall["cluster"] as? String == "recordings")
    #expect(found.document["schema"] as? String == "shadowbox-score/2")
    let inputs = try #require(found.document["inputs"] as? [[String: String]])
    #expect(inputs.map { $0["role"] } == ["reference", "detections"])
    #expect(inputs.allSatisfy { $0["sha256"]?.count == 64 })
    #expect((found.document["files"] as? [Any])?.count == 6)
  }

  @Test func subjectsActivitiesAndLengthsComeFromATable() throws {
    let scratch = try Scratch()
    try scratch.write(
      "filename,duration,subject,activity\na,1800,ann,bag\nb,1800,ann,walk\nc,3600,bob,walk\n",
      to: "files.csv")
    let found = try score(
      "filename,onset\na,1\nc,2\n", "filename,onset\na,1\nb,5\n",
      ["--files", scratch.path("files.csv")])
    #expect(found.values(["scored_hours", "false_alarms_per_hour"]) == [2, 0.5])
    let files = try #require(found.document["files"] as? [[String: Any]])
    #expect(files.map { $0["subject"] as? String } == ["ann", "ann", "bob"])
    #expect(files.map { $0["activity"] as? String } == ["bag", "walk", "walk"])
  }

  @Test func rateIsUndefinedWithoutALength() throws {
    let found = try score("onset\n1\n", "onset\n5\n", [])
    #expect(found.values(["false_alarms_per_hour", "scored_hours"]) == [nil, nil])
    #expect(found.summary["hours"] is NSNull)
    #expect(found.errors.contains("rates per hour are undefined; add --duration or --files"))
  }

  @Test func latencyNeedsTheTimeOfTelling() throws {
    let without = try score("onset\n1\n", "onset\n1.1\n", [])
    #expect(without.figures["latency_p50"] == nil)
    #expect(without.values(["onset_error_p50"]) == [0.1])
    let with = try score("onset\n1\n", "onset,emitted\n1.1,1.25\n", [])
    #expect(with.values(["latency_p50"]) == [0.25])
  }

  @Test func zonesAreNotJudged() throws {
    let scratch = try Scratch()
    try scratch.write("4\t6\twarm-up\n", to: "ignore.txt")
    let found = try score(
      "onset\n1\n5\n", "onset\n5.5\n1\n",
      ["--ignore", scratch.path("ignore.txt"), "--duration", "10s"])
    #expect(
      found.values(["references", "true_positives", "false_positives", "scored_hours"])
        == [1, 1, 0, 8.0 / 3600])
  }

  @Test func classesAndConfusion() throws {
    let found = try score(
      "onset,label\n1,Jab\n2,Lead Hook\n3,cross\n", "onset,label\n1,straight\n2,jab\n3,CROSS\n",
      ["--punch-names"])
    let classes = try #require(found.summary["classes"] as? [String: [String: [String: Any]]])
    #expect(classes.keys.sorted() == ["hook", "straight"])
    #expect(classes["straight"]?["false_positives"]?["value"] as? Int == 1)
    let confusion = try #require(found.summary["confusion"] as? [String: Any])
    #expect(confusion["counts"] as? [[Int]] == [[0, 1], [0, 2]])
  }

  @Test func withoutClassesOnOneSideNoneIsScored() throws {
    let found = try score("onset,label\n1,a\n", "onset\n1\n", [])
    #expect((found.summary["classes"] as? [String: Any])?.isEmpty == true)
    #expect(found.errors.contains("the detections have no classes: no scores by class"))
  }

  /// References whose times are uncertain: how much of the recall is a matter of the tolerance.
  @Test func recallAgainstTheTolerance() throws {
    let reference = "onset\n" + (1...40).map { "\($0 * 7 % 300 + 1)\n" }.joined()
    let detections =
      "onset\n" + (1...40).map { "\(Double($0 * 7 % 300 + 1) + Double($0 % 4) * 0.1)\n" }.joined()
    let found = try score(
      reference, detections, ["--duration", "310s", "--tolerance-curve", "50ms..450ms:3"])
    let points = try #require(found.document["tolerance_curve"] as? [[String: Any]])
    #expect(points.map { $0["tolerance"] as? Double } == [0.05, 0.15, 0.45])
    let recalls = points.map { point in
      ((point["figures"] as? [String: Any])?["recall"] as? [String: Any])?["value"] as? Double
    }
    #expect(recalls == [0.25, 0.5, 1])
    // Forty of forty, where the same detections at other times find few.
    #expect(found.values(["recall", "chance_shifts"]) == [0.5, 400])
    let chance = found.values(["recall_at_chance", "chance_share"]).compactMap(\.self)
    #expect(chance.count == 2 && chance[0] < 0.2 && chance[1] < 0.05)
  }

  @Test func visitsByNamesOfPlaces() throws {
    let found = try score(
      "onset,offset,place\n100,200,hut\n400,500,lake\n700,800,hut\n",
      "onset,place,kind\n95,hut,visit\n90,hut,prompt\n210,hut,exit\n420,hut,visit\n",
      ["--task", "visits", "--duration", "1h"])
    #expect(
      found.values([
        "references", "true_positives", "false_positives", "entry_delay_count", "exit_delay_p50",
        "false_visits_per_hour",
      ]) == [3, 1, 1, 3, 10, 1])
    // One of three is found: half of them never are.
    #expect(found.values(["entry_delay_p50"]) == [nil])
  }

  @Test func presenceByIntervalsOrInstants() throws {
    let reference = "onset,offset,place\n0,50,anna\n0,100,ben\n"
    for detections in [
      "onset,offset,place\n1,53,anna\n2,100,ben\n",
      "onset,place,kind\n1,anna,present\n53,anna,absent\n2,ben,present\n",
    ] {
      let found = try score(reference, detections, ["--task", "presence", "--duration", "100s"])
      #expect(
        found.values(["departures", "departures_found", "detection_time_p50", "mistakes"])
          == [1, 1, 3, 0])
    }
  }

  @Test func tracksByTheirFigures() throws {
    let found = try score(
      "quantity,value,onset\ndistance,1000,\nmoving_time,300,\nsplit,500,150\n",
      "quantity,value,onset\ndistance,1020,\nmoving_time,297,\nsplit,500,149\n",
      ["--task", "track"])
    #expect(
      found.values(["distance_error_bias", "moving_time_error_bias", "split_error_p50"]) == [
        2, -1, -1,
      ])
  }

  /// A path due north, and fixes next to it on a clock that started 10 s later.
  @Test func pathsAtEqualTimesOfDay() throws {
    let scratch = try Scratch()
    func gpx(_ points: [(second: Int, latitude: Double, longitude: Double)]) -> String {
      let points = points.map {
        "<trkpt lat=\"\($0.latitude)\" lon=\"\($0.longitude)\">"
          + "<time>2024-05-01T10:00:\($0.second)Z</time></trkpt>"
      }
      return
        "<gpx version=\"1.1\" creator=\"t\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
    }
    // 0.001 degrees of longitude on the equator are 111.3 m.
    let truth = (10...50).map { (second: $0, latitude: 0.0001 * Double($0), longitude: 0.0) }
    let fixes = (20...50).map { (second: $0, latitude: 0.0001 * Double($0), longitude: 0.001) }
    try scratch.write(gpx(truth), to: "truth.gpx")
    try scratch.write(gpx(fixes), to: "phone.gpx")
    let found = try Scored(
      Program.run(
        ["score", "-r", "truth.gpx", "-d", "phone.gpx", "--task", "track", "--format", "json"],
        in: scratch.url))
    let error = try #require(found.values(["horizontal_error_p50"])[0])
    #expect(abs(error - 111.3) < 0.2)
    #expect(found.values(["horizontal_error_fixes", "coverage"]) == [31, 75])
  }

  @Test func nativeTracesAsReference() throws {
    let scratch = try Scratch()
    let trace = Fixtures.traces.appending(path: "synthetic/punch-s01-left.h5").path
    let replay = try Program.run(
      ["replay", trace, "--detector", "punch", "--format", "csv", "--quiet"], in: scratch.url)
    try scratch.write(replay.output, to: "d.csv")
    let run = try Program.run(
      ["score", "-r", trace, "-d", "d.csv", "--format", "json", "--quiet"], in: scratch.url)
    let found = try Scored(run)
    // Whatever the detector finds, a run of a suite says the same of it.
    try scratch.write(
      "schema: shadowbox-suite/1\nname: s\ntraces:\n  t: [\(trace)]\nentries:\n"
        + "  - {detector: punch, traces: t}\n", to: "suite.yml")
    let suite = try Program.run(
      ["run", "suite.yml", "-o", "r.h5", "--format", "json", "--quiet"], in: scratch.url)
    let expected = try Scored(suite)
    let names = [
      "references", "true_positives", "false_positives", "recall", "f1", "false_alarms_per_hour",
      "latency_p50", "latency_p90", "recall_straight", "precision_hook", "magnitude_error_mean",
    ]
    #expect(found.values(names) == expected.values(names))
    #expect(found.summary["origin"] as? String == "synthetic")
  }

  /// - Throws: where it does not end well.
  private func score(
    _ reference: String, _ detections: String, _ options: [String]
  ) throws -> Scored {
    let scratch = try Scratch()
    try scratch.write(reference, to: "reference.csv")
    try scratch.write(detections, to: "detections.csv")
    return try Scored(
      Program.run(
        ["score", "-r", "reference.csv", "-d", "detections.csv", "--format", "json"] + options,
        in: scratch.url))
  }
}

/// What a score in JSON says.
private struct Scored {
  let document: [String: Any]
  let summary: [String: Any]
  let figures: [String: [String: Any]]
  let errors: String

  init(_ outcome: Program.Outcome) throws {
    errors = outcome.errors
    try #require(outcome.status == 0, "\(outcome.errors)")
    document = try outcome.object
    summary = try #require((document["summaries"] as? [[String: Any]])?.first)
    figures = try #require(summary["figures"] as? [String: [String: Any]])
  }

  func values(_ names: [String]) -> [Double?] { names.map { figures[$0]?["value"] as? Double } }
}
