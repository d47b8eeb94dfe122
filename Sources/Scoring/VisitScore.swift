internal import TraceModel

/// The agreement of check-ins with the true visits, for one trace or for several pooled.
///
/// A reference visit (place, onset = entry, offset = exit) is found if a detection of kind `visit`
/// at the same place has its onset in [entry - 10 s, exit + 30 s]. The matching is one to one as in
/// ``EventMatching``, without references and detections in ignore zones as in ``EventJudgement``. A
/// visit or a detection without a place matches nothing.
///
/// Undefined figures are nil, never NaN.
public struct VisitScore: Hashable, Sendable, Codable {
  /// True positives are found visits, false negatives missed ones.
  public var counts = EventCounts()
  /// False positives at a place during a visit that is matched to another detection. Also included
  /// in `counts.falsePositives`.
  public var duplicates = 0
  /// The time that counts, see ``Exposure``, without the union of the ignore zones, in ns.
  public var scoredNanoseconds: Int64 = 0
  /// The recorded time that is left after each reason not to count, with ignore zones.
  public var exposure = ExposureTimes()
  /// The entry delays of the visits found: onset of the detection - entry, ns, signed.
  public var entryDelays: [Int64] = []
  /// The time from the entry to the end of the window of each missed visit, in ns.
  public var missedWindows: [Int64] = []
  /// The delivery delays of the visits found: emitted - measured time of the newest fix, ns, of the
  /// visit's `prompt` (same place and onset), or of the visit if there is none.
  public var deliveryWaits: [Int64] = []
  /// The exit delays of the visits found: onset of the `exit` - exit, ns, signed. The `exit` is the
  /// first one at that place after the visit's detection and before the next matched one there.
  public var exitDelays: [Int64] = []
  /// The distances of the `prompt`s that state one, in m, in the order of their onsets.
  public var promptDistances: [Double] = []
  /// The repeated `prompt`s at the place of a visit in [entry - 10 s, exit + 30 s]. A prompt in the
  /// margins of two visits belongs to the later one.
  public var flaps = 0
  /// The length of the longest common subsequence of the places visited and the places of the visits found,
  /// divided by the number of visits: the share of the route found in order.
  public var order = Proportion(successes: 0, trials: 0)

  public init() {}

  /// - Parameter visits: the detections of kind `visit`, in the order of `judged`.
  init(
    _ judged: EventJudgement, references: [ReferenceEvent], visits: [DetectionRecord],
    detections: [DetectionRecord], zones: ZoneUnion, tolerance: EventTolerance
  ) {
    counts = judged.score.counts
    duplicates = judged.score.duplicates
    scoredNanoseconds = judged.score.scoredNanoseconds
    exposure = judged.score.exposure
    entryDelays = judged.score.onsetErrors
    missedWindows = zip(references, judged.referenceOutcomes).filter { $1 == .missed }.map {
      $0.0.onset.nanoseconds(to: $0.0.offset).addingClamped(tolerance.late.nanoseconds)
    }
    deliveryWaits = waits(
      of: judged.pairs.map { visits[$0.detection] },
      prompts: detections.filter { $0.kind == "prompt" })
    exitDelays = signedExitDelays(
      judged.pairs.map { (references[$0.reference], visits[$0.detection]) },
      exits: sortedByOnset(detections.filter { $0.kind == "exit" }))

    let kept = references.filter { !zones.contains($0.onset) }
    let prompts = sortedByOnset(
      detections.filter { $0.kind == "prompt" && !zones.contains($0.onset) })
    promptDistances = prompts.map { $0.value }.filter { $0.isFinite }
    flaps = extraPrompts(prompts, visits: kept, tolerance: tolerance)

    let found = judged.pairs.map { visits[$0.detection] }
    let route = kept.sorted { ($0.onset, $0.offset) < ($1.onset, $1.offset) }.compactMap {
      $0.place
    }
    order = Proportion(
      successes: longestCommonSubsequence(route, sortedByOnset(found).compactMap { $0.place }),
      trials: kept.count)
  }

  /// The share of the true visits that were found.
  public var found: Proportion { counts.recall }
  public var precision: Proportion { counts.precision }
  public var f1: F1Score { counts.f1 }
  /// The false visits per scored hour, including duplicates.
  public var falseVisits: PoissonRate {
    PoissonRate(count: counts.falsePositives, hours: hours(ofNanoseconds: scoredNanoseconds))
  }
  public var entry: Delays { Delays(reached: entryDelays, missed: missedWindows) }
  public var deliveryWait: TimePercentiles? { TimePercentiles(of: deliveryWaits) }
  public var exitDelay: TimePercentiles? { TimePercentiles(of: exitDelays) }
  /// The median prompt distance in m.
  public var medianPromptDistance: Double? {
    Sample.quantile(0.5, ofSorted: promptDistances.sorted())
  }
  public var flapsPerVisit: Double? {
    let visits = counts.recall.trials
    return visits == 0 ? nil : Double(flaps) / Double(visits)
  }

  /// Adds up counts and hours, and concatenates delays and distances in the order of the traces.
  public static func pooled(_ scores: [VisitScore]) -> VisitScore {
    var sum = VisitScore()
    for score in scores {
      sum.counts = sum.counts + score.counts
      sum.duplicates += score.duplicates
      sum.scoredNanoseconds = sum.scoredNanoseconds.addingClamped(score.scoredNanoseconds)
      sum.exposure = sum.exposure + score.exposure
      sum.entryDelays += score.entryDelays
      sum.missedWindows += score.missedWindows
      sum.deliveryWaits += score.deliveryWaits
      sum.exitDelays += score.exitDelays
      sum.promptDistances += score.promptDistances
      sum.flaps += score.flaps
      sum.order = sum.order + score.order
    }
    return sum
  }
}

private func sortedByOnset(_ detections: [DetectionRecord]) -> [DetectionRecord] {
  // Ties are broken by position: Swift does not guarantee a stable sort.
  detections.enumerated()
    .sorted { ($0.element.onset, $0.offset) < ($1.element.onset, $1.offset) }.map { $0.element }
}

/// Returns the delivery delays, without the time that people took to answer prompts.
private func waits(of visits: [DetectionRecord], prompts: [DetectionRecord]) -> [Int64] {
  struct Key: Hashable {
    var place: Int32?
    var onset: TraceInstant
  }
  // A loop: Embedded Swift has no Dictionary(_:uniquingKeysWith:).
  var first: [Key: DetectionRecord] = [:]
  for prompt in prompts {
    let key = Key(place: prompt.place, onset: prompt.onset)
    if first[key] == nil { first[key] = prompt }
  }
  return visits.map { (first[Key(place: $0.place, onset: $0.onset)] ?? $0).deliveryWait }
}

private func signedExitDelays(
  _ found: [(visit: ReferenceEvent, detection: DetectionRecord)], exits: [DetectionRecord]
) -> [Int64] {
  let exits = Dictionary(grouping: exits, by: { $0.place })
  let starts = Dictionary(grouping: found.map { $0.detection }, by: { $0.place })
    .mapValues { $0.map { $0.onset }.sorted() }
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
  let visits = Dictionary(grouping: visits.filter { $0.place != nil }, by: { $0.place })
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
