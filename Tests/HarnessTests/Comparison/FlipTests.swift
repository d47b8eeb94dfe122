import Detectors
import Foundation
import Replay
import Scoring
import Synthesis
import TestSupport
import Testing
import TraceModel
import Tuning

@testable import Evaluation
@testable import Harness
@testable import Reports
import Results

/// The detections that a change flips, compared with a search through all of them.
@Suite struct FlipTests {
  private static let fixture = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "traces/synthetic/punch-s05-right.h5").path

  /// The results of one threshold, written and read.
  private func results(_ threshold: Double, in scratch: Scratch) async throws -> MeasuredResults {
    let choice = DetectorChoice(
      detector: "punch", preset: "default", overrides: ["threshold": .number(threshold)])
    let suite = Suite(
      name: "flips", path: "", traceSets: [.init(name: "all", files: [Self.fixture])],
      entries: [
        .init(
          name: "punch", choice: choice, traces: ["all"], path: SignalPath(gravity: .init()),
          place: "test")
      ])
    let output = try await SuiteRunner(
      suite: suite, registry: .builtIn, loader: NativeTraceLoader(), threads: 1
    ).run()
    let path = scratch.path("\(threshold.bitPattern).h5")
    try ResultsFile.write(SuiteResult(runs: output.runs), to: path)
    return try MeasuredResults(reading: path)
  }

  /// The detections of one side without an equal one on the other, by comparing all with all.
  private func bruteForce(
    _ one: [MeasuredDetection], _ other: [MeasuredDetection]
  ) -> [DetectionRecord] {
    var rest = other.map(\.record)
    return one.map(\.record).filter { record in
      guard let index = rest.firstIndex(of: record) else { return true }
      rest.remove(at: index)
      return false
    }
  }

  /// A threshold at a candidate's score, and one ulp below it.
  @Test(.longer) func aThresholdMovedByOneUlp() async throws {
    let scratch = try Scratch()
    let lowest = try await results(15, in: scratch)
    let scores = Set(lowest.runs[0].detections.compactMap(\.score)).sorted()
    #expect(scores.count > 40)
    let step = LongTests.areWanted ? 3 : 40
    for score in stride(from: 0, to: scores.count, by: step).map({ scores[$0] }) {
      let base = try await results(score.nextDown, in: scratch)
      let head = try await results(score, in: scratch)
      let comparison = ResultComparison(from: base, to: head)
      let (before, after) = (base.runs[0].detections, head.runs[0].detections)
      let flips = comparison.traces.flatMap(\.list.flips)
      let lost = flips.compactMap { $0.base?.record }
      let gained = flips.compactMap { $0.head?.record }
      let expected = (bruteForce(before, after), bruteForce(after, before))
      #expect(Set(lost) == Set(expected.0) && lost.count == expected.0.count)
      #expect(Set(gained) == Set(expected.1) && gained.count == expected.1.count)
      // The candidate itself: it is there below its score, if nothing suppresses it.
      for detection in before where detection.score == score {
        #expect(lost.contains(detection.record), "\(score)")
        let flip = try #require(flips.first { $0.base?.record == detection.record })
        #expect(flip.kind != .lost || flip.margin == 0)
      }
      #expect(!after.contains { $0.score == score })
      let again = try await results(score, in: scratch)
      #expect(ResultComparison(from: head, to: again).traces.isEmpty)
    }
  }

  /// A detection is reported at the newest reading that had arrived.
  @Test func newestReadings() async throws {
    let scratch = try Scratch()
    let run = try await results(30, in: scratch).runs[0]
    let trace = try NativeTraceLoader().load(Self.fixture).trace
    let block = try #require(trace[.acceleration])
    let arrivals = block.arrivedTimes ?? block.measuredTimes
    for detection in run.detections {
      let newest = arrivals.lastIndex { $0 <= detection.record.emitted.nanoseconds }
      #expect(detection.newestReading == newest)
    }
  }

  @Test func movedDetections() {
    func run(_ times: [(Int64, String)], outcome: String = "true_positive") -> MeasuredRun {
      MeasuredRun(
        entry: "a", trace: "t", traceSHA256: "", origin: "synthetic", subject: "", activity: "",
        task: "punch", facts: [:], tolerance: .standard, threshold: 30, thresholdUnit: "m/s2",
        detections: times.map { time, kind in
          MeasuredDetection(
            DetectionRecord(
              onset: TraceInstant(nanoseconds: time * 1_000_000),
              emitted: TraceInstant(nanoseconds: time * 1_000_000), kind: kind),
            outcome: outcome)
        }, references: [], figures: [:], measurements: [:])
    }
    func kinds(_ base: [(Int64, String)], _ head: [(Int64, String)]) -> [Flip.Kind] {
      FlipList(from: run(base), to: run(head)).flips.map(\.kind)
    }
    #expect(kinds([(1000, "punch")], [(1000, "punch")]).isEmpty)
    #expect(kinds([(1000, "punch")], [(1150, "punch")]) == [.moved])
    #expect(kinds([(1000, "punch")], [(1151, "punch")]) == [.lost, .gained])
    #expect(kinds([(1000, "punch")], [(1000, "visit")]) == [.lost, .gained])
    // Two at one time: one stays.
    #expect(kinds([(1, "punch"), (1, "punch")], [(1, "punch")]) == [.lost])
    // Each takes the nearest that is left, in order.
    #expect(
      kinds([(1000, "punch"), (1100, "punch")], [(1050, "punch"), (1140, "punch")])
        == [.moved, .moved])
    let judged = FlipList(
      from: run([(1, "punch")]), to: run([(1, "punch")], outcome: "duplicate"))
    #expect(judged.flips.isEmpty && judged.rejudged == 1)
  }
}
