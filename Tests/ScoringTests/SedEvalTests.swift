import Scoring
import Testing
import TraceModel

/// sed_eval's event-based counts with `evaluate_offset=False` and the optimal matching; see
/// Tests/Fixtures/event_based_counts.py, and ``EventMatching`` for where the two differ.
@Suite struct SedEvalTests {
  @Test func countsAsSedEvalDoes() throws {
    var cases = 0
    for block in sedEvalCases.split(separator: "\n\n") {
      let lines = block.split(separator: "\n").map { $0.split(separator: " ") }
      func onsets(_ name: String) -> [(label: String, onset: TraceInstant)] {
        lines.filter { $0.first == name[...] }.flatMap { $0.dropFirst() }.map {
          // Ticks of 1/512 s, which are whole nanoseconds.
          ($0.prefix(1).description, TraceInstant(nanoseconds: (Int64($0.dropFirst()) ?? 0) * tick))
        }
      }
      let window = try #require(lines.first?.last.flatMap { Int64($0) })
      let margin = Duration.nanoseconds(window * tick)
      let judgement = EventJudgement(
        references: onsets("reference").map { ReferenceEvent(onset: $0.onset, label: $0.label) },
        detections: onsets("detection").map {
          DetectionRecord(onset: $0.onset, emitted: $0.onset, kind: "event", label: $0.label)
        },
        tolerance: EventTolerance(early: margin, late: margin), duration: .seconds(10),
        rule: .sameLabel)
      let found = judgement.score
      #expect(counts(found.counts) == numbers(lines, "all"), "case \(cases)")
      for line in lines where line.first == "class" {
        let expected = line.dropFirst(2).compactMap { Int($0) }
        // A class without a reference is not judged here; there it has false positives alone.
        guard expected[0] > 0 else { continue }
        let own = try #require(found.classes.first { $0.label == line[1] })
        #expect(counts(own.counts) == expected, "case \(cases), class \(line[1])")
      }
      cases += 1
    }
    #expect(cases == 200)
  }

  private let tick: Int64 = 1_953_125

  private func numbers(_ lines: [[Substring]], _ name: String) -> [Int] {
    lines.filter { $0.first == name[...] }.flatMap { $0.dropFirst().compactMap { Int($0) } }
  }

  /// References, detections, matches.
  private func counts(_ counts: EventCounts) -> [Int] {
    [
      counts.truePositives + counts.falseNegatives,
      counts.truePositives + counts.falsePositives, counts.truePositives,
    ]
  }
}
