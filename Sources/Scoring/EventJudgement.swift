public import TraceModel

public enum DetectionOutcome: String, CaseIterable, Hashable, Sendable, Codable {
  case truePositive = "true_positive"
  case falsePositive = "false_positive"
  /// A false positive within the tolerance of a reference that is matched to another detection.
  case duplicate
  /// Unmatched, in an ignore zone.
  case ignored
}

public enum ReferenceOutcome: String, CaseIterable, Hashable, Sendable, Codable {
  case hit
  case missed
  /// The onset lies in an ignore zone.
  case ignored
}

/// The evaluation of a trace's detections against its references, event by event.
///
/// The steps are: drop references with their onset in an ignore zone (also for an interval only the
/// onset counts); match the rest; drop unmatched detections in an ignore zone.
///
/// ```swift
/// let punch = ReferenceEvent(onset: TraceInstant(nanoseconds: 1_000_000_000))
/// let onsets = [1_040_000_000, 1_120_000_000, 5_000_000_000].map { TraceInstant(nanoseconds: $0) }
/// let detections = onsets.map { DetectionRecord(onset: $0, emitted: $0, kind: "punch") }
/// let judged = EventJudgement(
///   references: [punch], detections: detections, tolerance: .standard, duration: .seconds(3600))
/// judged.detectionOutcomes.map(\.rawValue)  // ["true_positive", "duplicate", "false_positive"]
/// judged.score.falseAlarms.estimate  // 2.0
/// ```
public struct EventJudgement: Sendable, Equatable {
  public let score: EventScore
  /// The matched pairs, as positions in the given references and detections, by reference.
  public let pairs: [EventPair]
  /// The outcome of each detection, in the given order.
  public let detectionOutcomes: [DetectionOutcome]
  /// The outcome of each reference, in the given order.
  public let referenceOutcomes: [ReferenceOutcome]
  /// The outcomes of drags; nil for other tasks, and if the references state no slots.
  public package(set) var drops: DropQuality?

  /// Evaluates a recording whose whole time counts.
  /// - Parameter duration: the recorded time, from zero.
  public init(
    references: [ReferenceEvent], detections: [DetectionRecord], ignoreZones: [IgnoreZone] = [],
    tolerance: EventTolerance, duration: Duration, rule: MatchRule = .any
  ) {
    self.init(
      references: references, detections: detections, ignoreZones: ignoreZones,
      tolerance: tolerance, exposure: Exposure(duration: duration), rule: rule)
  }

  /// - Parameters:
  ///   - detections: the detections of the scored kind, in any order.
  ///   - exposure: the time that counts. It does not change how events are matched.
  public init(
    references: [ReferenceEvent], detections: [DetectionRecord], ignoreZones: [IgnoreZone] = [],
    tolerance: EventTolerance, exposure: Exposure, rule: MatchRule = .any
  ) {
    let zones = ZoneUnion(ignoreZones)
    let kept = references.indices.filter { !zones.contains(references[$0].onset) }
    let outcome = MatchOutcome(
      references: kept.map { references[$0] }, detections: detections, zones: zones,
      tolerance: tolerance, rule: rule)

    pairs = outcome.pairs.map {
      EventPair(reference: kept[$0.reference], detection: $0.detection)
    }
    detectionOutcomes = outcome.detectionOutcomes
    var referenceOutcomes = [ReferenceOutcome](repeating: .ignored, count: references.count)
    for position in kept { referenceOutcomes[position] = .missed }
    for pair in pairs { referenceOutcomes[pair.reference] = .hit }
    self.referenceOutcomes = referenceOutcomes

    var score = EventScore()
    score.tolerances = [tolerance]
    score.counts = outcome.counts
    score.duplicates = outcome.count(of: .duplicate)
    score.fragmented = outcome.fragmented
    score.merged = outcome.merged
    score.ignoredReferences = references.count - kept.count
    score.ignoredDetections = outcome.count(of: .ignored)
    score.exposure = exposure.times
    score.scoredNanoseconds = exposure.scoredNanoseconds(outside: zones)
    score.addErrors(of: pairs.map { (references[$0.reference], detections[$0.detection]) })
    score.classes = classScores(
      kept.map { references[$0] }, detections, zones: zones, tolerance: tolerance)
    let judged = Set(score.classes.map { $0.label })
    for detection in detections
    where !judged.contains(detection.label) && !zones.contains(detection.onset) {
      score.unjudged[detection.label, default: 0] += 1
    }
    self.score = score
  }

  /// Evaluates a trace with the ignore zones and the duration of its header.
  public init(_ reference: ReferenceSet, detections: [DetectionRecord], header: TraceHeader) {
    self.init(
      references: reference.events, detections: detections, ignoreZones: header.ignoreZones,
      tolerance: EventTolerance(for: reference), duration: header.duration)
  }
}

extension EventScore {
  fileprivate mutating func addErrors(of pairs: [(ReferenceEvent, DetectionRecord)]) {
    for (reference, detection) in pairs {
      latencies.append(reference.onset.nanoseconds(to: detection.emitted))
      deliveryWaits.append(detection.deliveryWait)
      onsetErrors.append(reference.onset.nanoseconds(to: detection.onset))
      let magnitudeError = detection.value - reference.value
      if magnitudeError.isFinite { magnitudeErrors.append(magnitudeError) }
    }
    confusion = ConfusionMatrix(
      pairs.filter { !$0.0.label.isEmpty }.map { ($0.0.label, $0.1.label) })
  }
}

/// A match of the references outside ignore zones, with the outcome of each event.
private struct MatchOutcome {
  let pairs: [EventPair]
  private(set) var detectionOutcomes: [DetectionOutcome]
  private(set) var counts = EventCounts()
  private(set) var fragmented = 0
  private(set) var merged = 0

  init(
    references: [ReferenceEvent], detections: [DetectionRecord], zones: ZoneUnion,
    tolerance: EventTolerance, rule: MatchRule
  ) {
    let matching = EventMatching(
      references: references, detections: detections, tolerance: tolerance, rule: rule)
    pairs = matching.pairs
    var isHit = [Bool](repeating: false, count: references.count)
    detectionOutcomes = detections.map { zones.contains($0.onset) ? .ignored : .falsePositive }
    for pair in pairs {
      isHit[pair.reference] = true
      detectionOutcomes[pair.detection] = .truePositive
    }
    for group in matching.groups { markDuplicates(group, isHit) }
    let unmatched = detectionOutcomes.count { $0 == .falsePositive || $0 == .duplicate }
    counts = EventCounts(
      truePositives: pairs.count, falsePositives: unmatched,
      falseNegatives: references.count - pairs.count)
    for group in matching.groups { countMergedAndFragmented(group, references, isHit) }
  }

  func count(of outcome: DetectionOutcome) -> Int { detectionOutcomes.count { $0 == outcome } }

  private mutating func markDuplicates(_ group: MatchGroup, _ isHit: [Bool]) {
    // The number of windows of hit references that open and close before each detection.
    var changes = [Int](repeating: 0, count: group.detections.count + 1)
    for (reference, window) in zip(group.references, group.windows) where isHit[reference] {
      changes[window.lowerBound] += 1
      changes[window.upperBound] -= 1
    }
    var windows = 0
    for (detection, change) in zip(group.detections, changes) {
      windows += change
      if windows > 0, detectionOutcomes[detection] == .falsePositive {
        detectionOutcomes[detection] = .duplicate
      }
    }
  }

  private mutating func countMergedAndFragmented(
    _ group: MatchGroup, _ references: [ReferenceEvent], _ isHit: [Bool]
  ) {
    let duplicates = runningCount(of: .duplicate, group)
    let matched = runningCount(of: .truePositive, group)
    func holds(_ counts: [Int], _ window: Range<Int>) -> Bool {
      counts[window.upperBound] > counts[window.lowerBound]
    }
    for (position, window) in zip(group.references, group.windows) {
      let isInterval = references[position].offset > references[position].onset
      if isHit[position] {
        fragmented += isInterval && holds(duplicates, window) ? 1 : 0
      } else {
        merged += holds(matched, window) ? 1 : 0
      }
    }
  }

  /// Returns the number of detections with an outcome before each detection of the group.
  private func runningCount(of outcome: DetectionOutcome, _ group: MatchGroup) -> [Int] {
    var counts = [0]
    counts.reserveCapacity(group.detections.count + 1)
    var count = 0
    for detection in group.detections {
      count += detectionOutcomes[detection] == outcome ? 1 : 0
      counts.append(count)
    }
    return counts
  }
}

/// Scores each class of the references with the detections of that class.
private func classScores(
  _ references: [ReferenceEvent], _ detections: [DetectionRecord], zones: ZoneUnion,
  tolerance: EventTolerance
) -> [ClassScore] {
  let detected = Dictionary(grouping: detections.indices, by: { detections[$0].label })
  return Dictionary(grouping: references, by: { $0.label }).filter { !$0.key.isEmpty }
    .sorted { $0.key < $1.key }
    .map { label, references in
      let own = detected[label] ?? []
      let outcome = MatchOutcome(
        references: references,
        detections: own.count == detections.count ? detections : own.map { detections[$0] },
        zones: zones, tolerance: tolerance, rule: .sameLabel)
      return ClassScore(label: label, counts: outcome.counts)
    }
}
