import AppEngines
@testable import Detectors
@testable import Evaluation
import Foundation
@testable import Results
import Scoring
import Testing
import TraceModel

/// What a comparison needs of a suite is the same with and without a file.
@Suite struct MeasuredResultsTests {
  private func text(_ figures: [String: Figure]) -> [String] {
    figures.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
  }

  /// All of a run, with NaN equal to itself.
  private func text(_ run: MeasuredRun) -> [String] {
    [
      "\([run.entry, run.trace, run.traceSHA256, run.origin, run.subject, run.activity, run.task])",
      "\(run.facts.sorted { $0.key < $1.key })", "\(String(describing: run.tolerance))",
      "\(String(describing: run.threshold)) \(run.thresholdUnit)",
      "\(run.measurements.sorted { $0.key < $1.key })",
    ] + run.detections.map { "\($0)" } + run.references.map { "\($0)" } + text(run.figures)
  }

  private func instant(_ seconds: Int64) -> TraceInstant {
    TraceInstant(nanoseconds: seconds * 1_000_000_000)
  }

  /// Four people and every task; two entries, one with a withdrawn class, in no order.
  private var runs: [RunRecord] {
    let tasks: [ReferenceTask] = [.visit, .punch, .presence, .distance]
    return ["d", "b", "", "a"].enumerated().flatMap { index, person in
      tasks.map { run($0, Int64(index), person) }
    }
  }

  private func run(_ task: ReferenceTask, _ index: Int64, _ person: String) -> RunRecord {
    var header = TraceHeader(id: "t\(index)/%", origin: index == 2 ? .synthetic : .recorded)
    header.end = instant(3600)
    (header.subject, header.activity) = (person, index > 1 ? "walking" : "")
    let events = [10, 20, 30 + index].map {
      ReferenceEvent(
        onset: instant($0), offset: instant($0 + 4), label: index > 1 ? "jab" : "lo", place: 3,
        value: 2)
    }
    header.references = [ReferenceSet(task: task, events: events, valueUnits: "m s-2")]
    let kinds = task == .presence ? ["present", "absent"] : [task.rawValue]
    let detections = [10, 12, 30].enumerated().map { number, onset in
      DetectionRecord(
        onset: instant(Int64(onset)), emitted: instant(Int64(onset) + 1),
        newestMeasured: instant(Int64(onset) + 1), kind: kinds[number % kinds.count],
        label: number == 1 ? "" : "jab", originalLabel: "x y", value: number == 2 ? .nan : 1.5,
        place: number == 1 ? nil : 3)
    }
    var track = TrackScore()
    track.distanceError = index == 0 ? nil : 1.5 - Double(index)
    let score: TaskScore =
      switch task {
      case .visit:
        .visits(
          VisitJudgement(
            references: events, detections: detections,
            exposure: Exposure(duration: header.duration)))
      case .presence:
        .presence(PresenceQuality(header.references[0], detections: detections, header: header))
      case .distance: .track(track)
      default:
        .events(
          EventJudgement(
            references: events, detections: detections, tolerance: .standard,
            duration: header.duration))
      }
    var run = RunRecord(
      entry: "\(task.rawValue)/x", detector: "d", preset: "p",
      parameters: [
        ResolvedParameter(name: "threshold", value: .number(30 + Double(index)), unit: "m/s2")
      ], seed: index == 0 ? .max : nil, header: header, traceSHA256: "0\(index)", task: task,
      readings: 5, detections: detections,
      measurements: [.init("far", Double(index), unit: index > 1 ? "m" : "km")], score: score)
    run.thresholdParameter = "threshold"
    run.sampling = index == 1 ? SamplingRecord(rate: 12.5, recorded: 100, taken: 50) : nil
    if index < 2 {
      run.detectionScores = [30, nil, 31.25]
      run.newestReadings = [4, -1, 9]
    }
    return run
  }

  /// Outcomes of people and of the run, undefined, with texts, units and every goal.
  private static func app(_ entry: String) -> AppRecord {
    let goals = AppOutcome.Goal.allCases.map { goal in
      AppOutcome("goal_\(goal.rawValue)", of: DeviceID(0), 1, unit: "count", goal)
    }
    return AppRecord(
      entry: entry,
      facts: AppFacts(app: "hike", preset: "goHike", script: nil, network: "ideal", seed: 1),
      people: ["Ann", "李"].map {
        .init(name: $0, traceID: "t", traceSHA256: "00", origin: .synthetic, start: .zero)
      },
      outcomes: goals + [
        AppOutcome("winner", nil, text: "nobody", .mustStay),
        AppOutcome("rank", of: DeviceID(1), 2),
        AppOutcome("title", of: DeviceID(1), 0, text: "é"),
        AppOutcome("delay", of: DeviceID(1), nil, unit: "s", .lower),
      ], events: [])
  }

  /// Every field is the same directly and through the file, with every task and with intervals.
  @Test func directIsThroughTheFile() throws {
    var result = SuiteResult(
      provenance: .init(
        suite: "s", suiteSHA256: "11", dataCommit: "22", toolchain: "t", detectionLogSHA256: "33"),
      inputs: [InputFile(role: "suite", path: "a b.yaml", sha256: "44")],
      runs: runs)
    result.apps = ["hike/b", "hike", "hike-a"].map(Self.app)
    let path = FileManager.default.temporaryDirectory.appending(path: "law-\(UUID()).h5").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try ResultsFile.write(result, to: path)
    let (direct, read) = (
      try MeasuredResults(result, path: path), try MeasuredResults(reading: path)
    )
    #expect(
      [
        direct.path, direct.schema, direct.toolVersion, direct.toolchain, direct.suite,
        direct.suiteSHA256, direct.commit, direct.definition, direct.inputs,
      ] == [
        read.path, read.schema, read.toolVersion, read.toolchain, read.suite, read.suiteSHA256,
        read.commit, read.definition, read.inputs,
      ])
    #expect(direct.runs.map(text) == read.runs.map(text))
    #expect(direct.summaries.map(\.entry) == read.summaries.map(\.entry))
    #expect(direct.summaries.map(\.origin) == read.summaries.map(\.origin))
    #expect(
      direct.summaries.map { text($0.figures) } == read.summaries.map { text($0.figures) })
    #expect(direct.speeds == read.speeds)
    #expect(direct.apps == read.apps && read.apps.count == 3)
    #expect(read.runs.contains { run in run.figures.values.contains { $0.interval != nil } })
    #expect(Set(read.runs.map(\.task)).count >= 4)
  }

  /// What is added up over runs is a count of events, or hours.
  @Test(arguments: [
    ("false_positives", -90.0), ("false_positives", .infinity), ("true_positives", 1e300),
    ("scored_hours", -1), ("recall", 1.5), ("departures_found", -0.1),
  ])
  func impossibleFiguresAreRefused(name: String, value: Double) {
    let text = #expect(throws: (any Error).self) {
      try MeasuredRun(
        entry: "e", trace: "t", facts: [:], tolerance: nil,
        figures: [Figure(name, Estimate(value), unit: "1")], measurements: [], place: "x.h5")
    }.map { "\($0)" }
    #expect(text?.contains("x.h5: run e: expected \(name) from 0 to ") == true, "\(text ?? "")")
  }
}
