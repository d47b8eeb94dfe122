public import TraceModel

/// The result of a run on one trace, scored by its detector's task.
public enum TaskScore: Sendable, Equatable {
  case events(EventJudgement)
  case visits(VisitJudgement)
  case track(TrackScore)
  case presence(PresenceQuality)
  /// Only the number of events is known, not their times.
  case count(CountScore)
  /// The trace has no reference of the task, so nothing can be scored.
  case unscored

  public var figures: [Figure] {
    switch self {
    case .events(let judgement):
      Clustered(judgement.score).figures + (judgement.drops?.figures ?? [])
    case .visits(let judgement): Clustered(judgement.score).figures
    case .track(let score): score.figures
    case .presence(let quality): Clustered(quality).figures
    case .count(let score): score.figures
    case .unscored: []
    }
  }

  private var judged: EventJudgement? {
    switch self {
    case .events(let judgement): judgement
    case .visits(let judgement): judgement.events
    case .track, .presence, .count, .unscored: nil
    }
  }

  /// The counts and the time that counts; nil if the task is not scored by events.
  public var eventCounts: (counts: EventCounts, duplicates: Int, scoredNanoseconds: Int64)? {
    (judged?.score).map { ($0.counts, $0.duplicates, $0.scoredNanoseconds) }
  }

  /// The outcome of each event; nil if the task is not scored by events.
  public var eventOutcomes: EventOutcomes? {
    judged.map {
      EventOutcomes(
        pairs: $0.pairs, detections: $0.detectionOutcomes, references: $0.referenceOutcomes,
        tolerance: $0.score.tolerances.first)
    }
  }

  /// Scores a run by its task.
  ///
  /// - Parameters:
  ///   - detections: all detections of the run, of any kind.
  ///   - measured: the detector's measurements by name, for tracks.
  ///   - exposure: the time that counts; nil = all recorded time.
  ///   - fixes: the positions of the recording, for tracks.
  ///   - tolerance: the stated one; nil = see ``EventTolerance/init(for:stated:)``.
  ///   - distance: metres between two positions in degrees, for tracks.
  /// - Throws: if too many events are within each other's tolerance.
  public init(
    task: ReferenceTask, detections: [DetectionRecord], measured: [String: Double],
    header: TraceHeader, exposure: Exposure? = nil, fixes: FixColumns?, tolerance: EventTolerance?,
    rule: MatchRule = .any,
    distance: @escaping PositionDistance
  ) throws(TraceError) {
    let (reference, zones) = (header.reference(task), header.ignoreZones)
    let exposure = exposure ?? Exposure(duration: header.duration)
    switch (task, reference) {
    case (.distance, _), (.movingTime, _), (.ascent, _), (.split, _):
      try TrackScore.requireFeasibleSplits(header, detections)
      self = .track(
        TrackScore(
          header: header,
          measured: TrackMeasurement(
            distance: measured["distance"], movingTime: measured["moving_time"],
            ascent: measured["ascent"]),
          detections: detections, fixes: fixes, distance: distance))
    case (_, nil):
      self =
        header.count(task).map {
          .count(CountScore($0, detections: detections, ignoreZones: zones))
        } ?? .unscored
    case (.presence, let reference?):
      self = .presence(
        PresenceQuality(
          references: reference.events, detections: detections, ignoreZones: zones,
          exposure: exposure))
    case (.visit, let reference?):
      let tolerance = EventTolerance(for: reference, stated: tolerance)
      try Self.requireFeasible(reference, detections, header, tolerance, [.samePlace, .sameLabel])
      self = .visits(
        VisitJudgement(
          references: reference.events, detections: detections, ignoreZones: zones,
          tolerance: tolerance, exposure: exposure))
    case (.punch, let reference?), (.drop, let reference?):
      let own = detections.ofKind(task.rawValue)
      let tolerance = EventTolerance(for: reference, stated: tolerance)
      // A drop counts only in the intended slot, if the references state the slots.
      let hasSlots = task == .drop && reference.events.allSatisfy { $0.place != nil }
      let rule = hasSlots && rule == .any ? .samePlace : rule
      try Self.requireFeasible(
        reference, hasSlots ? detections : own, header, tolerance,
        hasSlots ? [.any, rule, .sameLabel] : [rule, .sameLabel])
      var judgement = EventJudgement(
        references: reference.events, detections: own, ignoreZones: zones, tolerance: tolerance,
        exposure: exposure, rule: rule)
      if hasSlots {
        judgement.drops = DropQuality(
          references: reference.events, detections: detections, ignoreZones: zones,
          tolerance: tolerance)
      }
      self = .events(judgement)
    }
  }

  /// - Throws: if the events outside of ignore zones cannot be matched in bounded time.
  private static func requireFeasible(
    _ reference: ReferenceSet, _ detections: [DetectionRecord], _ header: TraceHeader,
    _ tolerance: EventTolerance, _ rules: Set<MatchRule>
  ) throws(TraceError) {
    let zones = ZoneUnion(header.ignoreZones)
    try EventMatching.requireFeasible(
      reference.events.filter { !zones.contains($0.onset) }, detections, tolerance: tolerance,
      rules: rules, place: header.id)
  }
}

extension [DetectionRecord] {
  /// The detections of one kind. They are not copied where all are of that kind.
  package func ofKind(_ kind: String) -> [DetectionRecord] {
    allSatisfy { $0.kind == kind } ? self : filter { $0.kind == kind }
  }
}

/// Detections of the task's kind, in their order, compared with the references.
public struct EventOutcomes {
  public var pairs: [EventPair]
  public var detections: [DetectionOutcome]
  public var references: [ReferenceOutcome]
  public var tolerance: EventTolerance?

  /// The outcome of one event: a matched reference and detection, or an unmatched one.
  public struct Event: Sendable {
    /// The outcome, e.g. `true_positive`, `missed` or `ignored_reference`.
    public var outcome: String
    public var reference: ReferenceEvent?
    public var detection: DetectionRecord?

    /// The detection's onset minus the reference's in seconds; nil without a partner.
    public var difference: Double? {
      guard let reference, let detection else { return nil }
      return Double(reference.onset.nanoseconds(to: detection.onset)) / 1e9
    }
  }

  /// Returns the events in the order of time, each made when it is asked for.
  /// - Parameters: what was judged, in the order of ``detections`` and ``references``.
  public func events(
    references events: [ReferenceEvent], detections records: [DetectionRecord]
  ) -> LazyMapSequence<[Int], Event> {
    let missed = zip(events.indices, references).filter { $1 != .hit }.map { $0.0 }
    let unmatched = zip(records.indices, detections).filter { $1 != .truePositive }.map { $0.0 }
    // Pairs, then what has no partner.
    func event(_ number: Int) -> Event {
      if number < pairs.count {
        let pair = pairs[number]
        return Event(
          outcome: DetectionOutcome.truePositive.rawValue, reference: events[pair.reference],
          detection: records[pair.detection])
      }
      let number = number - pairs.count
      if number < missed.count {
        let outcome = references[missed[number]]
        return Event(
          outcome: outcome == .ignored ? "ignored_reference" : outcome.rawValue,
          reference: events[missed[number]])
      }
      let detection = unmatched[number - missed.count]
      let outcome = detections[detection]
      return Event(
        outcome: outcome == .ignored ? "ignored_detection" : outcome.rawValue,
        detection: records[detection])
    }
    let times = (0..<pairs.count + missed.count + unmatched.count).map { number in
      let event = event(number)
      return event.reference?.onset ?? event.detection?.onset ?? .zero
    }
    return times.indices.sorted { (times[$0], $0) < (times[$1], $1) }.lazy.map(event)
  }
}
