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

  private static let length: Int64 = 3600

  private static func instant(_ seconds: Double) -> TraceInstant {
    TraceInstant(nanoseconds: Int64((seconds * 1000).rounded()) * 1_000_000)
  }

  private static func event(
    _ from: Double, _ to: Double? = nil, _ place: Int32? = nil
  ) -> ReferenceEvent {
    ReferenceEvent(onset: instant(from), offset: to.map(instant), place: place)
  }

  private static func header(_ task: ReferenceTask, _ person: Int) -> TraceHeader {
    var generator = SeededGenerator(seed: UInt64(person))
    var header = TraceHeader(id: "\(task)-\(person)", origin: .recorded)
    header.subject = "person\(person)"
    header.end = instant(Double(length))
    var sets: [ReferenceSet] = []
    switch task {
    case .punch:
      let events = (0..<300).map { number -> ReferenceEvent in
        let within: Double = generator.uniform(0...8)
        return event(10 + 11.9 * Double(number) + within)
      }
      sets = [ReferenceSet(task: .punch, events: events)]
    case .visit:
      sets = [
        ReferenceSet(
          task: .visit,
          events: (0..<6).map { event(600 * Double($0) + 60, 600 * Double($0) + 360, Int32($0)) })
      ]
    case .presence:
      sets = [
        ReferenceSet(
          task: .presence,
          events: (0..<6).map { event(600 * Double($0), 600 * Double($0) + 480, 1) })
      ]
    default:
      sets = [
        ReferenceSet(task: .distance, events: [ReferenceEvent(onset: .zero, value: 5000)]),
        ReferenceSet(task: .movingTime, events: [ReferenceEvent(onset: .zero, value: 3000)]),
      ]
    }
    header.references = sets
    return header
  }

  /// When a detector fires: in s, with the place of a visit.
  private static func times(_ null: Null, every seconds: Double, _ person: Int) -> [Double] {
    var generator = SeededGenerator(seed: UInt64(100 + person))
    let all = Int(Double(length) / seconds)
    switch null {
    case .never: return []
    case .always: return (0..<all).map { Double($0) * seconds }
    case .atTheEnd: return [Double(length)]
    case .atRandom:
      let times: [Double] = (0..<all / 10).map { _ in generator.uniform(0...Double(length)) }
      return times.sorted()
    }
  }

  private static func detections(
    _ null: Null, _ task: ReferenceTask, _ person: Int
  ) -> [DetectionRecord] {
    func record(_ kind: String, _ time: Double, _ place: Int32? = nil) -> DetectionRecord {
      DetectionRecord(onset: instant(time), emitted: instant(time), kind: kind, place: place)
    }
    switch task {
    case .punch: return times(null, every: 1, person).map { record("punch", $0) }
    case .visit:
      return times(null, every: 60, person).flatMap { time in
        (0..<6).map { record("visit", time, $0) }
      }
    case .presence where null == .always: return [record("present", 0, 1)]
    case .presence where null == .atTheEnd:
      return [record("present", 0, 1), record("absent", Double(length), 1)]
    case .presence:
      return times(null, every: 6, person).enumerated().map {
        record($0.offset % 2 == 0 ? "present" : "absent", $0.element, 1)
      }
    default: return []
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

  private static func runs(_ task: ReferenceTask) throws -> [RunRecord] {
    try Null.allCases.flatMap { null in
      try (1...5).map { person in
        let header = header(task, person)
        let found = detections(null, task, person)
        let measured = distance(null, person).map { ["distance": $0] } ?? [:]
        var run = RunRecord(
          entry: null.rawValue, detector: "null", preset: "", header: header, task: task,
          detections: found, measurements: [],
          score: try TaskScore(
            task: task, detections: found, measured: measured, header: header, fixes: nil,
            tolerance: nil, distance: { _, _, _, _ in 0 }))
        run.addShifts(nil, grid: nil, movement: { nil })
        return run
      }
    }
  }

  private static func screen(_ task: ReferenceTask) throws -> String {
    SuiteTables(result: SuiteResult(provenance: .init(suite: "s"), runs: try runs(task)))
      .summary()
  }

  @Test(arguments: [ReferenceTask.punch, .visit, .presence, .distance])
  func aNullDetectorDoesNotLookGood(task: ReferenceTask) throws {
    let text = try Self.screen(task)
    switch task {
    case .punch: #expect(text.contains("No better than chance: never"))
    case .presence: #expect(text.contains("query accuracy") && text.contains("0/30"))
    case .distance: #expect(text.contains("0/5"))
    default: break
    }
    for summary in SuiteResult(runs: try Self.runs(task)).summaries {
      func value(_ name: String) -> Double { summary[name]?.value ?? 0 }
      let isGood =
        switch task {
        case .punch, .visit: value("recall") > 0.5 && value("precision") > 0.5
        case .presence:
          value("departures_found") > 0.5 && value("query_accuracy") > 0.9
            && value("mistakes_per_hour") < 10
        default:
          summary["distance_error_mean_absolute"]?.value.map { $0 < 20 } ?? false
        }
      #expect(!isGood, "\(summary.entry)")
    }
  }
}
