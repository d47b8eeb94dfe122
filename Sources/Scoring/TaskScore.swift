public import TraceModel

/// What a run on one trace gave, scored by its detector's task.
public enum TaskScore: Sendable, Equatable {
  case events(EventJudgement)
  case visits(VisitJudgement)
  case track(TrackScore)
  case presence(PresenceQuality)
  /// The trace has no reference of the task: nothing to judge by.
  case unscored

  public var figures: [Figure] {
    switch self {
    case .events(let judgement): judgement.score.figures
    case .visits(let judgement): judgement.score.figures
    case .track(let score): score.figures
    case .presence(let quality): quality.figures
    case .unscored: []
    }
  }

  /// What became of each event; nil where events are not what is scored.
  public var eventOutcomes: EventOutcomes? {
    switch self {
    case .events(let judgement):
      EventOutcomes(
        pairs: judgement.pairs, detections: judgement.detectionOutcomes,
        references: judgement.referenceOutcomes, tolerance: judgement.score.tolerances.first)
    case .visits(let judgement):
      EventOutcomes(
        pairs: judgement.pairs, detections: judgement.detectionOutcomes,
        references: judgement.referenceOutcomes, tolerance: judgement.tolerance)
    case .track, .presence, .unscored: nil
    }
  }
}

/// Detections of the task's kind, in their order, held against the references.
public struct EventOutcomes {
  public var pairs: [EventPair]
  public var detections: [DetectionOutcome]
  public var references: [ReferenceOutcome]
  public var tolerance: EventTolerance?
}

extension TaskScore {
  /// Scores a run by its task.
  ///
  /// - Parameters:
  ///   - task: the one that the detector is scored on.
  ///   - detections: all of the run, of any kind.
  ///   - measured: the detector's measurements by name, for tracks.
  ///   - header: that of the recording, with its references.
  ///   - fixes: the positions of the recording, for tracks.
  ///   - tolerance: the stated one; nil = see ``EventTolerance/init(for:stated:)``.
  ///   - distance: metres between two positions in degrees, for tracks.
  public init(
    task: ReferenceTask, detections: [DetectionRecord], measured: [String: Double],
    header: TraceHeader, fixes: FixColumns?, tolerance: EventTolerance?, rule: MatchRule = .any,
    distance: @escaping PositionDistance
  ) {
    let (reference, zones) = (header.reference(task), header.ignoreZones)
    switch (task, reference) {
    case (.distance, _), (.movingTime, _), (.ascent, _), (.split, _):
      self = .track(
        TrackScore(
          header: header,
          measured: TrackMeasurement(
            distance: measured["distance"], movingTime: measured["moving_time"],
            ascent: measured["ascent"]),
          detections: detections, fixes: fixes, distance: distance))
    case (_, nil): self = .unscored
    case (.presence, let reference?):
      self = .presence(PresenceQuality(reference, detections: detections, header: header))
    case (.visit, let reference?):
      self = .visits(
        VisitJudgement(
          references: reference.events, detections: detections, ignoreZones: zones,
          tolerance: EventTolerance(for: reference, stated: tolerance), duration: header.duration))
    case (.punch, let reference?), (.drop, let reference?):
      self = .events(
        EventJudgement(
          references: reference.events,
          detections: detections.filter { $0.kind == task.rawValue }, ignoreZones: zones,
          tolerance: EventTolerance(for: reference, stated: tolerance), duration: header.duration,
          rule: rule))
    }
  }
}
