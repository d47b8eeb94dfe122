import Diagnostics
import Foundation
import Scoring
import Testing
import TraceModel

@testable import Evaluation
@testable import Reports

/// Detectors that measure nothing: no first screen shows one of them as good.
@Suite struct NullDetectorTests {
  enum Null: String, CaseIterable {
    case never, always
    case atTheEnd = "at the end"
    case atRandom = "at random"
  }

  enum Task: String, CaseIterable {
    case punches, drops, visits, presence, tracks, counts

    var reference: ReferenceTask {
      switch self {
      case .punches, .counts: .punch
      case .drops: .drop
      case .visits: .visit
      case .presence: .presence
      case .tracks: .distance
      }
    }

    /// In s.
    var length: Double { [.punches, .drops].contains(self) ? 600 : 3600 }
  }

  private static func instant(_ seconds: Double) -> TraceInstant {
    TraceInstant(nanoseconds: Int64((seconds * 1000).rounded()) * 1_000_000)
  }

  private static func event(
    _ from: Double, _ to: Double? = nil, _ place: Int32? = nil
  ) -> ReferenceEvent {
    ReferenceEvent(onset: instant(from), offset: to.map(instant), place: place)
  }

  private static func header(_ task: Task, _ person: Int) -> TraceHeader {
    var generator = SeededGenerator(seed: UInt64(person))
    var header = TraceHeader(id: "\(task)-\(person)", origin: .recorded)
    header.subject = "person\(person)"
    header.end = instant(task.length)
    func every(_ seconds: Double, of length: Double, _ place: (Int) -> Int32) -> [ReferenceEvent] {
      (0..<6).map { event(seconds * Double($0) + 60, seconds * Double($0) + length, place($0)) }
    }
    switch task {
    case .punches, .drops:
      let events = (0..<50).map { number -> ReferenceEvent in
        let within: Double = generator.uniform(0...8)
        return event(
          10 + 11.8 * Double(number) + within, nil,
          task == .drops ? Int32(number * 7 % 6) : nil)
      }
      header.references = [ReferenceSet(task: task.reference, events: events)]
    case .visits:
      header.references = [
        ReferenceSet(task: .visit, events: every(600, of: 360) { Int32($0) })
      ]
    case .presence:
      header.references = [ReferenceSet(task: .presence, events: every(600, of: 540) { _ in 1 })]
    case .tracks:
      header.references = [
        ReferenceSet(task: .distance, events: [ReferenceEvent(onset: .zero, value: 5000)])
      ]
    case .counts:
      // 360 on average, as many as the detector at random has.
      header.counts = [ReferenceCount(task: .punch, count: 160 + 100 * (person % 5))]
    }
    return header
  }

  /// When a detector fires, in s.
  private static func times(_ null: Null, every seconds: Double, _ run: (Task, Int)) -> [Double] {
    var generator = SeededGenerator(seed: UInt64(100 + run.1))
    let all = Int(run.0.length / seconds)
    switch null {
    case .never: return []
    case .always: return (0..<all).map { Double($0) * seconds }
    case .atTheEnd: return [run.0.length]
    case .atRandom:
      let times: [Double] = (0..<all / 10).map { _ in generator.uniform(0...run.0.length) }
      return times.sorted()
    }
  }

  private static func detections(_ null: Null, _ task: Task, _ person: Int) -> [DetectionRecord] {
    func record(_ kind: String, _ time: Double, _ place: Int32? = nil) -> DetectionRecord {
      DetectionRecord(onset: instant(time), emitted: instant(time), kind: kind, place: place)
    }
    func fired(every seconds: Double) -> [Double] { times(null, every: seconds, (task, person)) }
    switch task {
    case .counts: return fired(every: 1).map { record("punch", $0) }
    case .punches: return fired(every: 0.3).map { record("punch", $0) }
    case .drops:
      return fired(every: 0.3).enumerated().map { record("drop", $0.element, Int32($0.offset % 6)) }
    case .visits:
      return fired(every: 60).flatMap { time in (0..<6).map { record("visit", time, $0) } }
    case .presence where null == .always: return [record("present", 0, 1)]
    case .presence where null == .atTheEnd:
      return [record("present", 0, 1), record("absent", task.length, 1)]
    case .presence:
      return fired(every: 6).enumerated().map {
        record($0.offset % 2 == 0 ? "present" : "absent", $0.element, 1)
      }
    case .tracks: return []
    }
  }

  /// In m; a detector that never fires measures nothing.
  private static func distance(_ null: Null, _ person: Int) -> Double? {
    var generator = SeededGenerator(seed: UInt64(200 + person))
    switch null {
    case .never: return nil
    case .always: return 50_000
    case .atTheEnd: return 0
    case .atRandom: return generator.uniform(0...20_000)
    }
  }

  private static func result(_ task: Task) throws -> SuiteResult {
    let runs = try Null.allCases.flatMap { null in
      try (1...5).map { person in
        let header = header(task, person)
        let found = detections(null, task, person)
        let measured = distance(null, person).map { ["distance": $0] } ?? [:]
        var run = RunRecord(
          entry: null.rawValue, detector: "null", preset: "", header: header,
          task: task.reference, detections: found, measurements: [],
          score: try TaskScore(
            task: task.reference, detections: found, measured: measured, header: header,
            fixes: nil, tolerance: nil, distance: { _, _, _, _ in 0 }))
        run.addShifts(nil, grid: nil, movement: { nil })
        return run
      }
    }
    return SuiteResult(provenance: .init(suite: "s"), runs: runs)
  }

  /// What a first screen has of a detector.
  private static func cell(_ task: Task, _ summary: EntrySummary) -> String {
    func value(_ name: String, _ decimals: Int, _ unit: String = "") -> String {
      let value = summary[name]?.value
      return value.map { fixed($0, decimals) + unit } ?? "-"
    }
    switch task {
    case .punches, .drops, .visits:
      let rate = task == .visits ? "false_visits_per_hour" : "false_alarms_per_hour"
      return "recall \(value("recall", 3)), precision \(value("precision", 3)), "
        + "\(value(rate, 0)) false/h"
    case .presence:
      return "found \(value("departures_found", 2)), query accuracy \(value("query_accuracy", 2)), "
        + "\(value("mistakes_per_hour", 0)) mistakes/h"
    case .tracks:
      return "measured \(summary.track?.measured.successes ?? 0) of 5, mean \\|error\\| "
        + value("distance_error_mean_absolute", 0, " %")
    case .counts:
      return "error \(value("count_error_percent", 0, " %")), sum of \\|error\\| "
        + value("count_absolute_error_percent", 0, " %")
    }
  }

  /// The first screen says of each that it is no better than chance, or shows a figure that is bad.
  private static func isGood(_ task: Task, _ summary: EntrySummary, _ screen: String) -> Bool {
    func value(_ name: String) -> Double { summary[name]?.value ?? 0 }
    switch task {
    case .punches, .drops:
      return
        !(screen.contains("No better than chance (recall")
        && screen.contains("\(summary.entry) (\(fixed(summary.chance?.recall ?? 0, 3)))"))
    case .visits: return value("recall") > 0.5 && value("precision") > 0.5
    case .presence:
      return value("departures_found") > 0.5 && value("query_accuracy") > 0.9
        && value("mistakes_per_hour") < 10
    case .tracks: return summary["distance_error_mean_absolute"]?.value.map { $0 < 20 } ?? false
    case .counts:
      return !screen.contains(
        "No better than as many detections at an even pace or at random: never, "
          + "always, at the end, at random")
    }
  }

  /// docs/scoring.md has the row of the task; on a failure, this is it.
  @Test(arguments: Task.allCases)
  func aNullDetectorDoesNotLookGood(task: Task) throws {
    let result = try Self.result(task)
    let screen = SuiteTables(result: result).summary().split(separator: "\n")
      .map { $0.drop { $0 == " " } }.joined(separator: " ")
    var cells = [task.rawValue]
    for summary in result.summaries {
      #expect(!Self.isGood(task, summary, screen), "\(summary.entry)\n\(screen)")
      cells.append(Self.cell(task, summary))
    }
    if task == .tracks { #expect(screen.contains("0/5")) }
    if task == .drops { #expect(screen.contains("Drops (recorded)")) }
    let row = "| " + cells.joined(separator: " | ") + " |\n"
    let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "docs/scoring.md")
    #expect(try String(contentsOf: page, encoding: .utf8).contains(row), "\(row)\n\(screen)")
  }

  /// Counts that follow what is stated are better than an even pace, unless all recordings have one.
  @Test func countsThatFollowTheStatedOnesAreBetterThanBlind() throws {
    func blind(_ counts: [(stated: Int, detected: Int)]) throws -> Double {
      try #require(
        CountSummary.errorOfBlind(
          counts.map { (CountScore(stated: $0.stated, detected: $0.detected), 1) }))
    }
    #expect(try blind([(10, 11), (30, 28), (20, 20)]) > 3)
    #expect(try blind([(10, 10), (10, 10), (10, 10)]) == 0)
    #expect(CountSummary.errorOfBlind([(CountScore(stated: 1, detected: 1), 0)]) == nil)
  }
}
