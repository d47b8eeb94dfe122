import Scoring
import Testing
import TraceModel

/// The wait for delivery, apart from the latency.
@Suite struct DeliveryWaitTests {
  /// A detection in milliseconds.
  private func found(
    _ kind: String, onset: Int64, emitted: Int64, newest: Int64?, place: Int32? = nil
  ) -> DetectionRecord {
    DetectionRecord(
      onset: at(onset), emitted: at(emitted), newestMeasured: newest.map(at), kind: kind,
      place: place)
  }

  @Test func ofMatchedPunchesAlone() {
    let judged = EventJudgement(
      references: [reference(1000), reference(2000), reference(3000)],
      detections: [
        found("punch", onset: 1010, emitted: 1300, newest: 1250),
        // By a deadline or an action: nothing was waited for.
        found("punch", onset: 2000, emitted: 2200, newest: nil),
        // A sensor whose clock is fast.
        found("punch", onset: 3000, emitted: 3010, newest: 3050),
        found("punch", onset: 9000, emitted: 9900, newest: 9000),
      ], tolerance: .standard, duration: .seconds(10))
    #expect(judged.score.deliveryWaits == [50, 0, -40].map { $0 * 1_000_000 })
    #expect(judged.score.latencies == [300, 200, 10].map { $0 * 1_000_000 })
    #expect(judged.score.deliveryWait?.p50 == 0)
    #expect(judged.score.deliveryWait?.p90 == 50_000_000)
    let twice = EventScore.pooled([judged.score, judged.score])
    #expect(twice.deliveryWaits.count == 6)
    #expect(EventScore().deliveryWait == nil)
  }

  /// Of the prompt that a visit goes back to, not of the answer that makes it a visit.
  @Test func ofThePromptsOfVisits() {
    let score = VisitJudgement(
      references: [
        reference(100_000, to: 200_000, place: 1), reference(300_000, to: 400_000, place: 2),
      ],
      detections: [
        found("prompt", onset: 105_000, emitted: 112_000, newest: 110_000, place: 1),
        found("visit", onset: 105_000, emitted: 120_000, newest: nil, place: 1),
        // The same instant at another place is another prompt.
        found("prompt", onset: 301_000, emitted: 309_000, newest: 301_000, place: 3),
        found("visit", onset: 301_000, emitted: 305_000, newest: 302_000, place: 2),
      ], exposure: Exposure(duration: .seconds(1000))
    ).score
    #expect(score.deliveryWaits == [2, 3].map { $0 * 1_000_000_000 })
    #expect(score.deliveryWait?.p90 == 3_000_000_000)
    #expect(VisitScore.pooled([score, score]).deliveryWaits.count == 4)
  }
}
