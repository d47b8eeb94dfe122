internal import GSL
public import TraceModel

/// How well check-ins agree with the visits that really took place: of one trace, or of several
/// together.
///
/// A reference visit (place, onset = entry, offset = exit) is found when a detection of kind
/// `visit` at the same place has its onset in [entry - 10 s, exit + 30 s]; matched one to one as
/// ``EventMatching`` says, with references and detections in ignore zones left out as
/// ``EventJudgement`` says. A visit or a detection without a place matches nothing.
///
/// Undefined figures are nil, never NaN.
public struct VisitScore: Hashable, Sendable, Codable {
  /// True positives are the visits found, false negatives those missed, false positives the
  /// detections without a visit of their own.
  public var counts = EventCounts()
  /// False positives at a place during a visit there that another detection has found; counted in
  /// `counts.falsePositives` too.
  public var duplicates = 0
  /// The recorded time less the union of the ignore zones, ns.
  public var scoredNanoseconds: Int64 = 0
  /// Onset of the detection - entry, ns, signed, for the visits found.
  public var entryDelays: [Int64] = []
  /// Emitted - measured time of the newest fix, ns, for the visits found: of the `prompt` that the
  /// visit goes back to (of the same place and onset), or of the visit where there is none.
  public var deliveryWaits: [Int64] = []
  /// Onset of the `exit` - exit, ns, signed, for the visits found after whose detection, and
  /// before the next matched one at that place, an `exit` there was told: the first such.
  public var exitDelays: [Int64] = []
  /// The values of the `prompt`s that state one, m, in the order of their onsets.
  public var promptDistances: [Double] = []
  /// The `prompt`s at the place of a visit in [entry - 10 s, exit + 30 s] beyond the first of
  /// each visit. One that lies in the margins of two visits belongs to the later.
  public var flaps = 0
  /// The length of the longest common subsequence of the places visited and the places detected,
  /// over the number of visits: how much of the route was told in its order.
  public var order = Proportion(successes: 0, trials: 0)

  /// The score of nothing.
  public init() {}

  /// - Parameters:
  ///   - references: the visits.
  ///   - detections: of every kind; `visit`, `exit` and `prompt` are read, in any order.
  ///   - duration: the recorded time, from zero.
  public init(
    references: [ReferenceEvent], detections: [DetectionRecord], ignoreZones: [IgnoreZone] = [],
    tolerance: EventTolerance = .visit, duration: Duration
  ) {
    self =
      VisitJudgement(
        references: references, detections: detections, ignoreZones: ignoreZones,
        tolerance: tolerance, duration: duration
      ).score
  }

  /// - Parameters:
  ///   - visits: the detections of kind `visit`, in the order in which `judged` has them.
  ///   - detections: of every kind.
  init(
    _ judged: EventJudgement, references: [ReferenceEvent], visits: [DetectionRecord],
    detections: [DetectionRecord], zones: ZoneUnion, tolerance: EventTolerance
  ) {
    counts = judged.score.counts
    duplicates = judged.score.duplicates
    scoredNanoseconds = judged.score.scoredNanoseconds
    entryDelays = judged.score.onsetErrors
    deliveryWaits = waits(
      of: judged.pairs.map { visits[$0.detection] },
      prompts: detections.filter { $0.kind == "prompt" })
    exitDelays = signedExitDelays(
      judged.pairs.map { (references[$0.reference], visits[$0.detection]) },
      exits: sortedByOnset(detections.filter { $0.kind == "exit" }))

    let kept = references.filter { !zones.contains($0.onset) }
    let prompts = sortedByOnset(
      detections.filter { $0.kind == "prompt" && !zones.contains($0.onset) })
    promptDistances = prompts.map(\.value).filter(\.isFinite)
    flaps = extraPrompts(prompts, visits: kept, tolerance: tolerance)

    let scored = zip(visits, judged.detectionOutcomes).filter { $0.1 != .ignored }.map(\.0)
    let route = kept.sorted { ($0.onset, $0.offset) < ($1.onset, $1.offset) }.compactMap(\.place)
    order = Proportion(
      successes: longestCommonSubsequence(route, sortedByOnset(scored).compactMap(\.place)),
      trials: kept.count)
  }

  /// Visits found of those that took place.
  public var found: Proportion { counts.recall }
  public var precision: Proportion { counts.precision }
  public var f1: F1Score { counts.f1 }
  /// False visits, duplicates among them, per scored recorded hour.
  public var falseVisits: PoissonRate {
    PoissonRate(count: counts.falsePositives, hours: hours(ofNanoseconds: scoredNanoseconds))
  }
  public var entryDelay: TimePercentiles? { TimePercentiles(of: entryDelays) }
  public var deliveryWait: TimePercentiles? { TimePercentiles(of: deliveryWaits) }
  public var exitDelay: TimePercentiles? { TimePercentiles(of: exitDelays) }
  /// m.
  public var medianPromptDistance: Double? {
    Statistics.quantile(0.5, ofSorted: promptDistances.sorted())
  }
  public var flapsPerVisit: Double? {
    let visits = counts.recall.trials
    return visits == 0 ? nil : Double(flaps) / Double(visits)
  }

  /// All visits of several traces: counts and hours are summed, delays and distances follow each
  /// other in the order of the traces.
  public static func pooled(_ scores: [VisitScore]) -> VisitScore {
    var sum = VisitScore()
    for score in scores {
      sum.counts = sum.counts + score.counts
      sum.duplicates += score.duplicates
      sum.scoredNanoseconds = sum.scoredNanoseconds.addingClamped(score.scoredNanoseconds)
      sum.entryDelays += score.entryDelays
      sum.deliveryWaits += score.deliveryWaits
      sum.exitDelays += score.exitDelays
      sum.promptDistances += score.promptDistances
      sum.flaps += score.flaps
      sum.order = Proportion(
        successes: sum.order.successes + score.order.successes,
        trials: sum.order.trials + score.order.trials)
    }
    return sum
  }
}

private func sortedByOnset(_ detections: [DetectionRecord]) -> [DetectionRecord] {
  // By position among equals: sorting is not promised to be stable.
  detections.enumerated()
    .sorted { ($0.element.onset, $0.offset) < ($1.element.onset, $1.offset) }.map(\.element)
}

/// The wait for delivery of each visit. What the person took to answer the prompt is none.
private func waits(of visits: [DetectionRecord], prompts: [DetectionRecord]) -> [Int64] {
  struct Key: Hashable {
    var place: Int32?
    var onset: TraceInstant
  }
  let prompts = Dictionary(
    prompts.map { (Key(place: $0.place, onset: $0.onset), $0) },
    uniquingKeysWith: { first, _ in first })
  return visits.map { (prompts[Key(place: $0.place, onset: $0.onset)] ?? $0).deliveryWait }
}

private func signedExitDelays(
  _ found: [(visit: ReferenceEvent, detection: DetectionRecord)], exits: [DetectionRecord]
) -> [Int64] {
  let exits = Dictionary(grouping: exits, by: \.place)
  let starts = Dictionary(grouping: found.map(\.detection), by: \.place)
    .mapValues { $0.map(\.onset).sorted() }
  return found.compactMap { visit, detection in
    let exits = exits[detection.place] ?? []
    let starts = starts[detection.place] ?? []
    let first = exits.partitioningIndex { $0.onset >= detection.onset }
    let next = starts.partitioningIndex { $0 > detection.onset }
    guard first < exits.count, next == starts.count || exits[first].onset < starts[next] else {
      return nil
    }
    return visit.offset.nanoseconds(to: exits[first].onset)
  }
}

private func extraPrompts(
  _ prompts: [DetectionRecord], visits: [ReferenceEvent], tolerance: EventTolerance
) -> Int {
  let early = tolerance.early.nanoseconds
  let visits = Dictionary(grouping: visits.filter { $0.place != nil }, by: \.place)
    .mapValues { $0.sorted { ($0.onset, $0.offset) < ($1.onset, $1.offset) } }
  var seen: Set<[Int]> = []
  var extra = 0
  for prompt in prompts {
    guard let place = prompt.place, let visits = visits[place] else { continue }
    let later = visits.partitioningIndex {
      $0.onset.nanoseconds.subtractingClamped(early) > prompt.onset.nanoseconds
    }
    let visit = visits[..<later].lastIndex {
      prompt.onset <= $0.offset.advanced(by: tolerance.late)
    }
    guard let visit else { continue }
    extra += seen.insert([Int(place), visit]).inserted ? 0 : 1
  }
  return extra
}

/// The length of the longest sequence that both have in common, in order but not necessarily
/// without gaps. O(m n) time, O(n) memory.
func longestCommonSubsequence(_ left: [Int32], _ right: [Int32]) -> Int {
  var lengths = [Int](repeating: 0, count: right.count + 1)
  for element in left {
    var diagonal = 0
    for (position, other) in right.enumerated() {
      let above = lengths[position + 1]
      lengths[position + 1] =
        element == other ? diagonal + 1 : max(above, lengths[position])
      diagonal = above
    }
  }
  return lengths[right.count]
}
