import Scoring
import TestSupport
import Testing
import TraceModel

/// sed_eval's event-based counts with `evaluate_offset=False` and the optimal matching; see
/// Tests/Fixtures/event_based_counts.py, and ``EventMatching`` for where the two differ.
@Suite struct SedEvalTests {
  private struct Case: Decodable {
    var window: Int64
    var references: [Event]
    var detections: [Event]
    /// By label.
    var classes: [String: Counts]
    var all: Counts
  }

  private struct Event: Decodable {
    var label: String
    /// In ticks of 1/512 s, which are whole nanoseconds.
    var onset: Int64

    var instant: TraceInstant { TraceInstant(nanoseconds: onset * SedEvalTests.tick) }
  }

  private struct Counts: Decodable, Equatable {
    var references: Int
    var detections: Int
    var matches: Int
  }

  private static let tick: Int64 = 1_953_125

  @Test func countsAsSedEvalDoes() throws {
    let cases = try Fixtures.cases(of: "event_based_counts.json", as: Case.self)
    #expect(cases.count == 200)
    for (number, expected) in cases.enumerated() {
      let found = score(of: expected)
      #expect(counts(found.counts) == expected.all, "case \(number)")
      #expect(expected.classes.count == 3)
      // A class without a reference is not judged here; there it has false positives alone.
      for (label, counted) in expected.classes where counted.references > 0 {
        let own = try #require(found.classes.first { $0.label == label })
        #expect(counts(own.counts) == counted, "case \(number), class \(label)")
      }
    }
  }

  private func score(of expected: Case) -> EventScore {
    let margin = Duration.nanoseconds(expected.window * Self.tick)
    return EventJudgement(
      references: expected.references.map { ReferenceEvent(onset: $0.instant, label: $0.label) },
      detections: expected.detections.map {
        DetectionRecord(onset: $0.instant, emitted: $0.instant, kind: "event", label: $0.label)
      },
      tolerance: EventTolerance(early: margin, late: margin), duration: .seconds(10),
      rule: .sameLabel
    ).score
  }

  private func counts(_ counts: EventCounts) -> Counts {
    Counts(
      references: counts.truePositives + counts.falseNegatives,
      detections: counts.truePositives + counts.falsePositives, matches: counts.truePositives)
  }
}
