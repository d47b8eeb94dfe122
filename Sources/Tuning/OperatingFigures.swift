public import Scoring

/// The figures of an operating point on several recordings.
public struct OperatingFigures: Hashable, Sendable {
  /// Counts and time of all recordings.
  public var score: EventScore
  /// The scores of the groups, in their order.
  public var parts: [EventScore]
  public var kind: ClusterKind
  /// The value of the objective; nil if undefined.
  public var value: Double?

  public var counts: EventCounts { score.counts }
  public var hours: Double { score.falseAlarms.hours }
  /// The score, whose figures have intervals over the groups.
  public var clustered: Clustered<EventScore> { Clustered(score, parts: parts, of: kind) }

  /// - Parameter counts: by recording, as are `nanoseconds`, the scored time, and `groups`.
  init(
    _ counts: [EventCounts], nanoseconds: [Int64], groups: [Int], kind: ClusterKind,
    objective: Objective
  ) {
    parts = [EventScore](repeating: EventScore(), count: (groups.max() ?? -1) + 1)
    for (recording, group) in groups.enumerated() {
      parts[group].counts = parts[group].counts + counts[recording]
      parts[group].scoredNanoseconds += nanoseconds[recording]
    }
    score = EventScore.pooled(parts)
    self.kind = kind
    value = objective.value(of: score.counts, hours: score.falseAlarms.hours)
  }
}

/// The optimism: how much better the resubstitution figures are than the cross-validated ones.
///
/// It has no interval. That would require tuning again on resampled people, which costs too much
/// because of the search over settings, the main source of the optimism. Resampling the outcomes
/// alone would ignore that other people lead to another choice.
public struct Optimism: Hashable, Sendable, Codable {
  /// Resubstitution minus cross-validated recall; nil if one of them is undefined.
  public var recall: Double?
  /// Cross-validated minus resubstitution false alarms per hour.
  public var falseAlarmsPerHour: Double?

  init(resubstitution: OperatingFigures, crossValidated: OperatingFigures) {
    let (inside, outside) = (resubstitution.score, crossValidated.score)
    recall = difference(inside.recall.estimate, outside.recall.estimate)
    falseAlarmsPerHour = difference(outside.falseAlarms.estimate, inside.falseAlarms.estimate)
  }
}

private func difference(_ left: Double?, _ right: Double?) -> Double? {
  guard let left, let right else { return nil }
  return left - right
}
