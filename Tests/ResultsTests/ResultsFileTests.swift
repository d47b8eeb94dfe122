@testable import Detectors
import Reports
@testable import Results
@testable import Evaluation
import AppEngines
import Foundation
import HDF5
import Scoring
import Testing
import TraceModel

@Suite struct ResultsFileTests {
  private func result(host: Bool) -> SuiteResult {
    var header = TraceHeader(id: "a/b %", origin: .synthetic)
    header.end = TraceInstant(nanoseconds: 3_600_000_000_000)
    header.activity = "punching"
    header.references = [
      ReferenceSet(
        task: .punch,
        events: [1, 2, 3].map {
          ReferenceEvent(
            onset: TraceInstant(nanoseconds: $0 * 1_000_000_000), label: "straight", value: 100)
        }, valueUnits: "m s-2")
    ]
    let detections = [
      DetectionRecord(
        onset: TraceInstant(nanoseconds: 1_050_000_000),
        emitted: TraceInstant(nanoseconds: 1_200_000_000), kind: "punch", label: "straight",
        originalLabel: "jab", value: 90),
      DetectionRecord(
        onset: TraceInstant(nanoseconds: 1_060_000_000),
        emitted: TraceInstant(nanoseconds: 1_210_000_000), kind: "punch", label: "uppercut"),
      DetectionRecord(
        onset: TraceInstant(nanoseconds: 9_000_000_000),
        emitted: TraceInstant(nanoseconds: 9_000_000_000), kind: "other", place: 7),
    ]
    let judgement = EventJudgement(
      references: header.references[0].events,
      detections: detections.filter { $0.kind == "punch" }, tolerance: .standard,
      duration: header.duration)
    let run = RunRecord(
      entry: "punch/x", detector: "punch", preset: "x",
      parameters: [ResolvedParameter(name: "threshold", value: .number(30), unit: "m/s2")],
      seed: 5, header: header, traceSHA256: "00", task: .punch, readings: 5,
      detections: detections,
      measurements: [.init("distance", 12.5, unit: "m")],
      score: .events(judgement), detectorTime: .milliseconds(1))
    return SuiteResult(
      provenance: .init(
        suite: "s", suiteSHA256: "11", dataCommit: "", toolchain: "t",
        detectionLogSHA256: "22"),
      host: host
        ? .init(operatingSystem: "o", processors: 2, threads: 2, wallSeconds: 1) : nil,
      runs: [run])
  }

  private func temporary() -> String {
    FileManager.default.temporaryDirectory.appending(path: "results-\(UUID()).h5").path
  }

  @Test func writesTheResult() throws {
    let path = temporary()
    defer { try? FileManager.default.removeItem(atPath: path) }
    try ResultsFile.write(result(host: true), to: path)
    let file = try HDF5File.open(path)
    let root = try file.root()
    #expect(
      try root.links() == [
        "confusion", "delays", "events", "host", "latency", "runs", "settings", "summary",
      ])
    #expect(try root.textAttribute("schema") == "shadowbox-results/5")
    let runs = try root.openGroup("runs")
    func text(_ name: String, of group: HDF5Group) throws -> [String] {
      try group.openDataset(name).readTexts(most: 1)
    }
    #expect(try text("entry", of: runs) == ["punch/x"] && text("trace", of: runs) == ["a/b %"])
    #expect(try runs.openDataset("duration").read(Int64.self) == [3_600_000_000_000])
    let settings = try root.openGroup("settings")
    #expect(try text("detector", of: settings) == ["punch"])
    #expect(try text("policy_seed", of: settings) == ["5"])
    #expect(try root.textAttribute("seed") == "{\"punch/x\":5}")
    #expect(
      try root.textAttribute("parameters")
        == "{\"punch/x\":[{\"name\":\"threshold\",\"unit\":\"m/s2\",\"value\":30}]}")
    // A slash in a name is not a group.
    let events = try root.openGroup("events").openGroup("punch%2Fx")
    let detections = try events.openGroup("detections")
    #expect(
      try detections.openDataset("onset").read(Int64.self) == [
        1_050_000_000, 1_060_000_000, 9_000_000_000,
      ])
    let outcome = try detections.openDataset("outcome")
    #expect(
      try outcome.textAttribute("flag_meanings")
        == "unlabelled duplicate false_positive ignored not_scored true_positive")
    #expect(try outcome.read(Int8.self) == [5, 1, 4])
    #expect(try detections.openDataset("match_index").read(Int32.self) == [0, -1, -1])
    #expect(try detections.openDataset("place").read(Int32.self) == [-1, -1, 7])
    func figure(_ name: String) throws -> Double {
      try runs.openDataset(name).read(Double.self)[0]
    }
    #expect(try figure("measured_distance") == 12.5)
    #expect(try runs.openDataset("precision_events").read(Int32.self) == [2])
    #expect(try figure("true_positives") == 1)
    #expect(try figure("false_positives") == 1)
    #expect(try figure("false_negatives") == 2)
    #expect(try figure("duplicates") == 1)
    #expect(try figure("precision") == 0.5)
    #expect(try figure("precision_lo") < 0.5)
    #expect(try figure("precision_hi") > 0.5)
    #expect(try figure("latency_p50") == 0.2)
    #expect(try figure("latency_count") == 1)
    // One latency has no interval.
    #expect(try figure("latency_p50_lo").isNaN)
    #expect(try figure("false_alarms_per_hour_upper_if_none").isNaN)
    let latency = try events.openGroup("latency")
    #expect(try latency.openDataset("lower_edge").read(Int64.self) == [200_000_000])
    #expect(try latency.openDataset("count").read(Int32.self) == [1])
    let summary = try root.openGroup("summary")
    #expect(try summary.openDataset("hours").read(Double.self).first == 1)
    let recall = try summary.openDataset("recall")
    #expect(recall.shape.prefix(2) == [1, 1])
    #expect(try recall.read(Double.self)[0] == 1.0 / 3)
    #expect(try summary.openDataset("recall_events").read(Int32.self)[0] == 3)
    #expect(try summary.openDataset("recall_clusters").read(Int32.self)[0] == -1)
    let method = try summary.openDataset("recall_method")
    let meanings = try #require(try method.textAttribute("flag_meanings")).split(separator: " ")
    #expect(meanings[Int(try method.read(Int8.self)[0])] == "wilson")
  }

  @Test func presenceHasItsFiguresAndSeconds() throws {
    var header = TraceHeader(id: "p", origin: .synthetic)
    header.end = TraceInstant(nanoseconds: 3_600_000_000_000)
    header.references = [
      ReferenceSet(
        task: .presence,
        events: [
          ReferenceEvent(
            onset: .zero, offset: TraceInstant(nanoseconds: 1_800_000_000_000), place: 3)
        ])
    ]
    let detections = [("present", 1), ("absent", 600), ("present", 606), ("absent", 1804)].map {
      DetectionRecord(
        onset: .zero, emitted: TraceInstant(nanoseconds: $0.1 * 1_000_000_000), kind: $0.0,
        value: 4, place: 3)
    }
    let quality = PresenceQuality(header.references[0], detections: detections, header: header)
    let runs = ["p", "q"].map { id in
      header.id = id
      return RunRecord(
        entry: "e", detector: "presence", preset: "x", header: header, task: .presence,
        detections: detections, measurements: [], score: .presence(quality))
    }
    let result = SuiteResult(provenance: result(host: false).provenance, runs: runs)
    let summary = try #require(result.summaries.first)
    #expect(summary.score == .presence(.pooled([quality, quality])))
    func figure(_ name: String) throws -> Figure {
      try #require(summary.figures.first { $0.name == name })
    }
    #expect(try figure("departures_found").value == 1)
    #expect(try figure("detection_time_mean").value == 4)
    #expect(try figure("detection_time_p50").value == 4)
    #expect(try figure("mistakes").value == 2)
    #expect(try figure("present_hours").value == 1)
    #expect(try figure("mistakes_per_hour").value == 2)
    // Garwood's interval of 2 events.
    #expect(abs(try #require(figure("mistakes_per_hour").interval?.lower) - 0.2422) < 1e-4)
    #expect(try figure("mistake_duration_p50").value == 6)
    #expect(try figure("query_accuracy").value == 1 - 7.0 / 1800)
    #expect(try figure("arrival_time_p50").value == 1)
    let path = temporary()
    defer { try? FileManager.default.removeItem(atPath: path) }
    try ResultsFile.write(result, to: path)
    let root = try HDF5File.open(path).root()
    let detected = try root.openGroup("events").openGroup("e").openGroup("detections")
    #expect(try detected.openDataset("value").textAttribute("units") == "s")
    #expect(try detected.openDataset("run").read(Int32.self) == [0, 0, 0, 0, 1, 1, 1, 1])
    #expect(try root.openGroup("runs").openDataset("mistakes").read(Double.self) == [1, 1])
  }

  /// Six people who differ: the bootstrap over people is wider than Wilson's interval, which takes
  /// all events as independent; with four there is none.
  @Test func theHeadlineIntervalResamplesPeople() throws {
    func summary(people: Int) throws -> EntrySummary {
      let runs = (0..<people).map { person -> RunRecord in
        var header = TraceHeader(id: "t\(person)", origin: .synthetic)
        header.subject = "p\(person)"
        header.end = TraceInstant(nanoseconds: 100_000_000_000)
        let onsets = (1...40).map { TraceInstant(nanoseconds: $0 * 2_000_000_000) }
        header.references = [
          ReferenceSet(task: .punch, events: onsets.map { ReferenceEvent(onset: $0) })
        ]
        // Half of the people are found always, the others every second time.
        let found = onsets.enumerated().filter { person % 2 == 0 || $0.offset % 2 == 0 }.map {
          DetectionRecord(onset: $0.element, emitted: $0.element, kind: "punch")
        }
        let judgement = EventJudgement(
          header.references[0], detections: found, header: header)
        return RunRecord(
          entry: "e", detector: "d", preset: "p", header: header, task: .punch,
          detections: found, measurements: [], score: .events(judgement))
      }
      return try #require(EntrySummary.summaries(of: runs).first)
    }
    let six = try summary(people: 6)
    guard case .events(let score) = six.score else {
      Issue.record("no events")
      return
    }
    func figure(_ name: String, _ people: Int = 6) throws -> Estimate {
      try #require(try summary(people: people)[name]?.estimate)
    }
    let recall = try figure("recall")
    let wilson = try #require(score.recall.interval)
    let interval = try #require(recall.interval)
    #expect(recall.method == .clusteredWilson)
    #expect((recall.clusters, recall.clusterKind?.rawValue) == (6, "people"))
    #expect(recall.assumedCorrelation == nil)
    #expect(interval.upper - interval.lower > 2 * (wilson.upper - wilson.lower))
    // All people alike say nothing about others, so a correlation is assumed.
    let precision = try figure("precision")
    #expect(precision.assumedCorrelation == GroupScore.assumedCorrelation)
    #expect(try #require(precision.interval).lower < #require(score.precision.interval).lower)
    // Three people at 1 and three at 1/2.
    #expect(try figure("recall_subject_mean").value == 0.75)
    #expect(try figure("recall", 3).method == .clusteredWilson)
    #expect(try figure("recall", 2).method == .wilson)
    #expect(try figure("recall", 2).clusters == nil)
  }

  /// Two people of one trace id, an outcome that is undefined, one with a text, no events.
  private var apps: [AppRecord] {
    func person(_ name: String, _ start: Int64) -> AppRecord.Person {
      AppRecord.Person(
        name: name, traceID: "run/1", traceSHA256: "00", origin: .synthetic,
        start: TraceInstant(nanoseconds: start))
    }
    let facts = AppFacts(
      app: "workout", preset: "default", script: nil, network: "ideal", seed: .max)
    let first = AppRecord(
      entry: "workout/default", facts: facts, people: [person("Ann\n李", 0), person("", 7)],
      outcomes: [
        AppOutcome("distance", of: DeviceID(0), 12.5, unit: "m"),
        AppOutcome("distance", of: DeviceID(1), nil, unit: "m"),
        AppOutcome("winner", 1, text: "Bea"), AppOutcome("title", of: DeviceID(1), 0, text: "é"),
      ],
      events: [
        AppEvent(
          "split", "km 1", person: DeviceID(1), at: TraceInstant(nanoseconds: -5), value: 300,
          unit: "s"),
        AppEvent("prompt", "is asked", person: DeviceID(0), at: .zero, place: 3),
      ])
    let second = AppRecord(
      entry: "a%", facts: facts, people: [person("Cyd", 0)],
      outcomes: [AppOutcome("saved", of: DeviceID(0), 1, unit: "yes")], events: [])
    return [first, second]
  }

  @Test func appsAreWritten() throws {
    let path = temporary()
    defer { try? FileManager.default.removeItem(atPath: path) }
    var result = result(host: false)
    result.apps = apps
    try ResultsFile.write(result, to: path)
    let file = try HDF5File.open(path)
    let group = try file.root().openGroup("apps")
    #expect(try group.links() == ["a%25", "workout%2Fdefault"])
    let app = try group.openGroup("workout%2Fdefault")
    #expect(try app.textAttribute("app") == "workout")
    #expect(try app.textAttribute("policy") == "the traces' own actions")
    #expect(try app.attribute("seed", as: UInt64.self) == .max)
    #expect(try app.textAttribute("text_winner") == "Bea")
    #expect(try app.textAttribute("text_title_1") == "é")
    let people = try app.openGroup("people")
    #expect(try people.textAttribute("name_0") == "Ann\n李")
    #expect(try people.textAttribute("name_1") == "")
    #expect(try people.textAttribute("trace_1") == "run/1")
    #expect(try people.openDataset("start").read(Int64.self) == [0, 7])
    let outcomes = try app.openGroup("outcomes")
    #expect(try outcomes.openDataset("person").read(Int32.self) == [0, 1, -1, 1])
    let values = try outcomes.openDataset("value").read(Double.self)
    #expect(values[0] == 12.5 && values[1].isNaN && values[2...] == [1, 0])
    let events = try app.openGroup("events")
    #expect(try events.openDataset("time").read(Int64.self) == [-5, 0])
    #expect(try events.openDataset("place").read(Int32.self) == [-1, 3])
    let second = try group.openGroup("a%25")
    #expect(try second.openGroup("events").openDataset("time").read(Int64.self) == [])
    // A code means the same in all of the file.
    for name in ["name", "unit"] {
      let meanings = try [app, second].map {
        try $0.openGroup("outcomes").openDataset(name).textAttribute("flag_meanings")
      }
      #expect(meanings[0] == meanings[1])
    }
    let meanings = try #require(
      try outcomes.openDataset("name").textAttribute("flag_meanings"))
    #expect(
      meanings.split(separator: " ").suffix(4) == ["distance", "saved", "title", "winner"])
    #expect(try outcomes.openDataset("name").read(Int8.self) == [1, 1, 4, 3])
  }

  @Test func equalAppsGiveEqualBytes() throws {
    let paths = (0..<4).map { _ in temporary() }
    defer { for path in paths { try? FileManager.default.removeItem(atPath: path) } }
    for path in paths {
      var result = result(host: false)
      result.apps = apps
      try ResultsFile.write(result, to: path)
    }
    let bytes = try paths.map { try Data(contentsOf: URL(filePath: $0)) }
    #expect(bytes.dropFirst().allSatisfy { $0 == bytes[0] })
  }

  @Test func equalResultsGiveEqualBytesWithoutTheHost() throws {
    let paths = [temporary(), temporary(), temporary()]
    defer { for path in paths { try? FileManager.default.removeItem(atPath: path) } }
    try ResultsFile.write(result(host: false), to: paths[0])
    try ResultsFile.write(result(host: false), to: paths[1])
    try ResultsFile.write(result(host: true), to: paths[2])
    let bytes = try paths.map { try Data(contentsOf: URL(filePath: $0)) }
    #expect(bytes[0] == bytes[1])
    #expect(bytes[0] != bytes[2])
  }

  @Test(arguments: [
    ("punch/default", "punch%2Fdefault"), ("100%", "100%25"), (".", "%2E"), ("a\0b", "a%00b"),
    ("hüfte", "hüfte"),
  ])
  func namesBecomeLinks(name: String, link: String) {
    #expect(HDF5Names.link(name) == link)
  }

  @Test(
    arguments: [
      ([], [], []),
      ([0], [0], [1]),
      ([9_999_999, 10_000_000], [0, 10_000_000], [1, 1]),
      ([-1], [-10_000_000], [1]),
      ([-10_000_000, 15_000_000], [-10_000_000, 0, 10_000_000], [1, 0, 1]),
    ] as [([Int64], [Int64], [Int32])])
  func histogram(latencies: [Int64], edges: [Int64], counts: [Int32]) {
    let histogram = LatencyHistogram(latencies)
    #expect(histogram.lowerEdges == edges)
    #expect(histogram.counts == counts)
  }

  @Test func aHistogramOfExtremesStaysSmall() {
    let histogram = LatencyHistogram([.min, 0, .max])
    #expect(histogram.counts.count == LatencyHistogram.mostBins)
    #expect(histogram.counts.reduce(0, +) == 3)
  }
}
