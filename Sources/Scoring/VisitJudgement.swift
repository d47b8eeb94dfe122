public import TraceModel

/// The evaluation of a trace's check-ins against the true visits, event by event: it is to
/// ``VisitScore`` what ``EventJudgement`` is to ``EventScore``.
public struct VisitJudgement: Sendable, Equatable {
  public let score: VisitScore
  public let tolerance: EventTolerance
  /// The matched pairs, by reference: the position in the given references, and the position among
  /// the detections of kind `visit`.
  public let pairs: [EventPair]
  /// The outcome of each detection of kind `visit`, in the given order.
  public let detectionOutcomes: [DetectionOutcome]
  /// The outcome of each reference, in the given order.
  public let referenceOutcomes: [ReferenceOutcome]

  /// Evaluates a recording whose whole time counts.
  /// - Parameter duration: the recorded time, from zero.
  public init(
    references: [ReferenceEvent], detections: [DetectionRecord], ignoreZones: [IgnoreZone] = [],
    tolerance: EventTolerance = .visit, duration: Duration
  ) {
    self.init(
      references: references, detections: detections, ignoreZones: ignoreZones,
      tolerance: tolerance, exposure: Exposure(duration: duration))
  }

  /// - Parameters:
  ///   - references: the true visits.
  ///   - detections: of every kind, in any order; `visit`, `exit` and `prompt` are used.
  ///   - exposure: the time that counts. It does not change how visits are matched.
  public init(
    references: [ReferenceEvent], detections: [DetectionRecord], ignoreZones: [IgnoreZone] = [],
    tolerance: EventTolerance = .visit, exposure: Exposure
  ) {
    let visits = detections.filter { $0.kind == "visit" }
    let judged = EventJudgement(
      references: references, detections: visits, ignoreZones: ignoreZones, tolerance: tolerance,
      exposure: exposure, rule: .samePlace)
    self.tolerance = tolerance
    pairs = judged.pairs
    detectionOutcomes = judged.detectionOutcomes
    referenceOutcomes = judged.referenceOutcomes
    score = VisitScore(
      judged, references: references, visits: visits, detections: detections,
      zones: ZoneUnion(ignoreZones), tolerance: tolerance)
  }

  /// Evaluates a trace with the tolerance, the ignore zones and the duration of its header.
  public init(_ reference: ReferenceSet, detections: [DetectionRecord], header: TraceHeader) {
    self.init(
      references: reference.events, detections: detections, ignoreZones: header.ignoreZones,
      tolerance: EventTolerance(for: reference), duration: header.duration)
  }
}
