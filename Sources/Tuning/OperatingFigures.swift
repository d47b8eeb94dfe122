public import Scoring

/// The figures of an operating point on several recordings, with intervals.
public struct OperatingFigures: Hashable, Sendable, Codable {
  public var counts: EventCounts
  /// The scored hours.
  public var hours: Double
  /// The value of the objective; nil if undefined.
  public var value: Double?
  /// Intervals by resampling groups; nil with fewer than ``ClusterInterval/fewestClusters`` groups,
  /// for recall counting only groups with a reference.
  public var recallOverGroups: ClusterInterval?
  public var falseAlarmsOverGroups: ClusterInterval?

  public var recall: Proportion { counts.recall }
  public var falseAlarms: PoissonRate { PoissonRate(count: counts.falsePositives, hours: hours) }

  /// - Parameters:
  ///   - counts: by recording, as are `hours` and `groups`.
  init(
    _ counts: [EventCounts], hours: [Double], groups: [Int], objective: Objective, seed: UInt64,
    resamples: Int
  ) {
    self.counts = counts.reduce(EventCounts(), +)
    self.hours = hours.reduce(0, +)
    value = objective.value(of: self.counts, hours: self.hours)
    let parts = GroupSums(counts, hours: hours, groups: groups)
    if parts.counts.count(where: { $0.recall.trials > 0 }) >= ClusterInterval.fewestClusters {
      recallOverGroups = ClusterInterval(
        clusters: parts.counts.count, seed: seed, resamples: resamples
      ) { parts.recall($0) }
    }
    falseAlarmsOverGroups = ClusterInterval(
      clusters: parts.counts.count, seed: seed, resamples: resamples
    ) { parts.falseAlarms($0) }
  }
}

/// The optimism: how much better the resubstitution figures are than the cross-validated ones.
public struct Optimism: Hashable, Sendable, Codable {
  /// Resubstitution minus cross-validated recall; nil if one of them is undefined.
  public var recall: Double?
  /// Cross-validated minus resubstitution false alarms per hour: positive if cross-validation has
  /// more.
  public var falseAlarmsPerHour: Double?
  /// Intervals by resampling groups, with the same groups on both sides of the difference.
  public var recallOverGroups: ClusterInterval?
  public var falseAlarmsOverGroups: ClusterInterval?

  init(
    resubstitution: [EventCounts], crossValidated: [EventCounts], hours: [Double], groups: [Int],
    seed: UInt64,
    resamples: Int
  ) {
    let inside = GroupSums(resubstitution, hours: hours, groups: groups)
    let outside = GroupSums(crossValidated, hours: hours, groups: groups)
    func recall(_ drawn: [Int]) -> Double? {
      difference(inside.recall(drawn), outside.recall(drawn))
    }
    func alarms(_ drawn: [Int]) -> Double? {
      difference(outside.falseAlarms(drawn), inside.falseAlarms(drawn))
    }
    let all = Array(inside.counts.indices)
    self.recall = recall(all)
    falseAlarmsPerHour = alarms(all)
    recallOverGroups = ClusterInterval(
      clusters: all.count, seed: seed, resamples: resamples, figure: recall)
    falseAlarmsOverGroups = ClusterInterval(
      clusters: all.count, seed: seed, resamples: resamples, figure: alarms)
  }
}

private func difference(_ left: Double?, _ right: Double?) -> Double? {
  guard let left, let right else { return nil }
  return left - right
}

/// The counts and hours by group.
private struct GroupSums {
  var counts: [EventCounts]
  var hours: [Double]

  init(_ counts: [EventCounts], hours: [Double], groups: [Int]) {
    let count = (groups.max() ?? -1) + 1
    self.counts = [EventCounts](repeating: EventCounts(), count: count)
    self.hours = [Double](repeating: 0, count: count)
    for (index, group) in groups.enumerated() {
      self.counts[group] = self.counts[group] + counts[index]
      self.hours[group] += hours[index]
    }
  }

  func recall(_ drawn: [Int]) -> Double? {
    drawn.reduce(EventCounts()) { $0 + counts[$1] }.recall.estimate
  }

  func falseAlarms(_ drawn: [Int]) -> Double? {
    let time = drawn.reduce(0) { $0 + hours[$1] }
    return time > 0 ? Double(drawn.reduce(0) { $0 + counts[$1].falsePositives }) / time : nil
  }
}
