import Scoring
import Testing
import TraceModel

@testable import Tuning

@Suite struct ParetoFrontTests {
  private func point(_ hits: Int, _ alarms: Int, _ latency: Int64?) -> ParetoPoint {
    ParetoPoint(
      settings: [:], threshold: 1,
      counts: EventCounts(
        truePositives: hits, falsePositives: alarms, falseNegatives: 10 - hits),
      hours: 1, medianLatency: latency)
  }

  @Test func isBeatenByNothing() {
    let best = [point(5, 1, 100), point(9, 4, 100), point(9, 6, 50)]
    let worse = [point(4, 1, 100), point(9, 5, 100), point(5, 2, 100), point(9, 6, 60)]
    #expect(ParetoPoint.front(worse + best) == best)
    #expect(ParetoPoint.front([]).isEmpty)
    #expect(ParetoPoint.front([best[0], best[0]]).count == 1)
    // Nothing found has no latency, which is the latest.
    #expect(ParetoPoint.front([point(0, 1, nil), point(1, 1, 900)]).count == 1)
  }

  @Test(arguments: 0..<30) func everyPointIsOnItOrBeaten(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let points = (0..<40).map { _ in
      point(
        Int.random(in: 0...10, using: &generator), Int.random(in: 0...10, using: &generator),
        Int64.random(in: 0...5, using: &generator))
    }
    let front = ParetoPoint.front(points)
    for one in front { #expect(!points.contains { $0.dominates(one) }, "seed \(seed)") }
    for one in points {
      let isOn = front.contains {
        $0.counts == one.counts && $0.medianLatency == one.medianLatency
      }
      #expect(isOn || front.contains { $0.dominates(one) }, "seed \(seed)")
    }
  }
}
