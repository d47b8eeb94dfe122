public import TraceModel

/// The check-ins of one trace held against the visits that really took place, event by event: to
/// ``VisitScore`` what ``EventJudgement`` is to ``EventScore``.
public struct VisitJudgement: Sendable, Equatable {
  public let score: VisitScore
  public let tolerance: EventTolerance
  /// By reference: the position in the references that were given, and the position among the
  /// detections of kind `visit`, counted from zero without those of other kinds.
  public let pairs: [EventPair]
  /// One for each detection of kind `visit`, in the order given.
  public let detectionOutcomes: [DetectionOutcome]
  /// One for each reference, in the order given.
  public let referenceOutcomes: [ReferenceOutcome]

  /// - Parameters:
  ///   - references: the visits.
  ///   - detections: of every kind; `visit`, `exit` and `prompt` are read, in any order.
  ///   - duration: the recorded time, from zero.
  public init(
    references: [ReferenceEvent], detections: [DetectionRecord], ignoreZones: [IgnoreZone] = [],
    tolerance: EventTolerance = .visit, duration: Duration
  ) {
    let visits = detections.filter { $0.kind == "visit" }
    let judged = EventJudgement(
      references: references, detections: visits, ignoreZones: ignoreZones, tolerance: tolerance,
      duration: duration, rule: .samePlace)
    self.tolerance = tolerance
    pairs = judged.pairs
    detectionOutcomes = judged.detectionOutcomes
    referenceOutcomes = judged.referenceOutcomes
    score = VisitScore(
      judged, references: references, visits: visits, detections: detections,
      zones: ZoneUnion(ignoreZones), tolerance: tolerance)
  }

  /// Judges a trace by what its header states: visits, their tolerance, ignore zones and duration.
  public init(_ reference: ReferenceSet, detections: [DetectionRecord], header: TraceHeader) {
    self.init(
      references: reference.events, detections: detections, ignoreZones: header.ignoreZones,
      tolerance: EventTolerance(for: reference), duration: header.duration)
  }
}
