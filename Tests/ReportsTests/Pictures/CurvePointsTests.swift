import Foundation
import Results
import Scoring
import TestSupport
import Testing
import Tuning

@testable import Evaluation
@testable import Reports
@testable import Results

/// Which points of a curve the pictures draw, and with which figures.
@Suite struct CurvePointsTests {
  private struct Point: Decodable {
    var threshold: Double
    var recall: Double?
    var precision: Double?
    var falseAlarms: Double?
    var recallInterval: Interval?
    var recallPopulation: String?
    var precisionInterval: Interval?
    var latencyP50: Double?
  }

  private func points(
    _ curve: ThresholdCurve, _ latencies: CurvePoints.Latencies = [:]
  ) throws -> [Point] {
    let steps = Array(curve.thresholds.indices)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let text = try jsonText(CurvePoints.points(Clustered(curve), steps, latencies))
    return try decoder.decode([Point].self, from: Data(text.utf8))
  }

  /// Every figure of a point is that of its step: recounted from the hits and false alarms.
  @Test func pointsHaveTheFiguresOfTheirSteps() throws {
    let curve = Samples.curve(steps: 240)
    let points = try points(curve, [7: [Figure("latency_p50", 0.25)]])
    try #require(points.count == curve.count)
    for (step, point) in points.enumerated() {
      let (hits, wrong) = (curve.truePositives[step], curve.falsePositives[step])
      #expect(point.threshold == curve.thresholds[step])
      #expect(point.recall == Double(hits) / Double(curve.references))
      #expect(point.precision == (hits + wrong > 0 ? Double(hits) / Double(hits + wrong) : nil))
      #expect((point.precisionInterval == nil) == (point.precision == nil))
      let recall = Proportion(successes: hits, trials: curve.references)
      #expect(point.recallInterval == recall.interval)
      #expect(point.recallPopulation == "these_people")
      let rate = Double(wrong) / curve.scoredHours
      #expect(abs(try #require(point.falseAlarms) - rate) <= 1e-9 * rate)
      #expect(point.latencyP50 == (step == 7 ? 0.25 : nil))
    }
  }

  /// What is left out moves no figure by a pixel; the ends and the steps with latencies stay.
  @Test func whatIsLeftOutIsNotSeen() {
    let curve = Samples.curve(references: 4000, steps: 3000)
    let kept: Set = [curve.count / 3, curve.count / 2]
    let steps = CurvePoints.visible(curve, keeping: kept)
    #expect(steps == Set(steps).sorted() && kept.isSubset(of: steps))
    #expect(steps.first == 0 && steps.last == curve.count - 1 && steps.count < curve.count)
    for (left, right) in zip(steps, steps.dropFirst()) {
      for step in left..<right {
        for counts in [curve.truePositives, curve.falsePositives] {
          #expect(200 * abs(counts[step] - counts[left]) <= max(counts[step], counts[left]))
        }
        #expect(curve.thresholds[step] <= 1.01 * curve.thresholds[left])
      }
    }
  }

  @Test func manyAreThinnedEvenly() {
    #expect(CurvePoints.evenly(7) == Array(0..<7))
    let many = CurvePoints.evenly(100_000)
    #expect(many.count == CurvePoints.most && many.first == 0 && many.last == 99_999)
  }
}
