public import TraceModel

/// The evaluation of a trace's check-ins against the true visits, event by event.
///
/// ```swift
/// let late = TraceInstant(nanoseconds: 30_000_000_000)
/// let visit = DetectionRecord(onset: late, emitted: late, kind: "visit", place: 7)
/// let judged = VisitJudgement(
///   references: [ReferenceEvent(onset: .zero, place: 7)], detections: [visit],
///   exposure: Exposure(duration: .seconds(60)))
/// judged.score.found.estimate  // 1.0
/// ```
public struct VisitJudgement: Sendable, Equatable {
  public let score: VisitScore
  /// The visits as events. Positions of detections are those among the detections of kind `visit`.
  public let events: EventJudgement

  /// - Parameters:
  ///   - detections: of every kind, in any order; `visit`, `exit` and `prompt` are used.
  ///   - exposure: the time that counts. It does not change how visits are matched.
  public init(
    references: [ReferenceEvent], detections: [DetectionRecord], ignoreZones: [IgnoreZone] = [],
    tolerance: EventTolerance = .visit, exposure: Exposure
  ) {
    let visits = detections.filter { $0.kind == "visit" }
    events = EventJudgement(
      references: references, detections: visits, ignoreZones: ignoreZones, tolerance: tolerance,
      exposure: exposure, rule: .samePlace)
    score = VisitScore(
      events, references: references, visits: visits, detections: detections,
      zones: ZoneUnion(ignoreZones), tolerance: tolerance)
  }

  /// Evaluates a trace with the tolerance, the ignore zones and the duration of its header.
  public init(_ reference: ReferenceSet, detections: [DetectionRecord], header: TraceHeader) {
    self.init(
      references: reference.events, detections: detections, ignoreZones: header.ignoreZones,
      tolerance: EventTolerance(for: reference), exposure: Exposure(duration: header.duration))
  }
}
