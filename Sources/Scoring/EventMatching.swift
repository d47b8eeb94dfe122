public import TraceModel

/// A matched reference and detection, as positions in the input.
public struct EventPair: Hashable, Sendable, Codable {
  public var reference: Int
  public var detection: Int

  public init(reference: Int, detection: Int) {
    self.reference = reference
    self.detection = detection
  }
}

/// What a reference and a detection must have in common to match. An event without that property
/// (an empty label, no place) matches nothing.
public enum MatchRule: Hashable, Sendable {
  /// Nothing.
  case any
  /// The label.
  case sameLabel
  /// The place.
  case samePlace
}

/// The best one-to-one matching of references and detections.
///
/// A pair is possible where `onset - early <= detection <= offset + late`, both ends inclusive;
/// `detection` is the detection's onset and `offset` equals `onset` for an instant. Among all
/// sets of possible pairs that use no event twice, this is the one with
/// 1. the most pairs, then
/// 2. the smallest sum of |detection - onset|, then
/// 3. ties to the earlier event: with references ordered by (onset, offset, position) and
///    detections by (onset, position), the lexicographically smallest list of matched detections,
///    where no detection counts as last. So the earliest reference takes the earliest detection
///    that it has in any matching that is best by 1 and 2, then the second, and so on.
///
/// The matching is exact for every input; sums of distances beyond the range of `Int64` are
/// clamped.
///
/// Differences from other programs that score events:
/// - mir_eval (`mir_eval.onset.f_measure`, `mir_eval.util.match_events`) finds the same number of
///   pairs, but any of the largest matchings, so that its pairs are not comparable. It compares
///   doubles and therefore loses pairs on decimal edges (1.151 - 0.15 > 1.001; 412 of 1,000 in
///   Tests/Python/check_scoring.py). A figure without events is 0 there and undefined here.
/// - sed_eval's event-based metrics (Mesaros et al., Applied Sciences 6, 2016, doi
///   10.3390/app6060162) give the same counts if only onsets are evaluated, with the optimal
///   matching and within classes (``MatchRule/sameLabel``). By default they also compare the
///   offset, which a detection without a duration does not have. An interval is hit there within
///   the collar of its onset, not by the first detection inside it. A substitution there is a match
///   of any class here, shown in the confusion matrix. sed_eval also compares doubles, and has
///   neither ignore zones nor instants.
///
/// Complexity: sorting, plus O(p) for each stretch of overlapping windows with p possible pairs
/// (two bits of memory per pair). If one window lies strictly inside another, up to O(n p log p)
/// for its n references.
public struct EventMatching: Sendable, Equatable {
  /// The pairs, by the position of the reference.
  public let pairs: [EventPair]
  let groups: [MatchGroup]

  public init(
    references: [ReferenceEvent], detections: [DetectionRecord], tolerance: EventTolerance,
    rule: MatchRule = .any
  ) {
    self.init(
      spans: references.map {
        EventSpan(onset: $0.onset.nanoseconds, offset: $0.offset.nanoseconds)
      },
      times: detections.map(\.onset.nanoseconds), tolerance: tolerance,
      groups: matchGroups(references, detections, rule))
  }

  /// Matches times only, by position.
  init(
    spans: [EventSpan], times: [Int64], tolerance: EventTolerance,
    groups: [(references: [Int], detections: [Int])]
  ) {
    self.groups = groups.map {
      MatchGroup(
        references: $0.references, detections: $0.detections, spans: spans, times: times,
        tolerance: tolerance)
    }
    pairs = self.groups.flatMap(\.pairs).sorted { $0.reference < $1.reference }
  }
}

/// The onset and offset of a reference in nanoseconds.
struct EventSpan: Hashable, Sendable {
  var onset: Int64
  var offset: Int64
}

/// References and detections whose classes allow a match.
struct MatchGroup: Sendable, Equatable {
  /// The positions of the references in order of (onset, offset, position).
  let references: [Int]
  /// The positions of the detections in order of (onset, position).
  let detections: [Int]
  /// For each of `references`, the range of `detections` in its window.
  let windows: [Range<Int>]
  let pairs: [EventPair]

  init(
    references: [Int], detections: [Int], spans: [EventSpan], times: [Int64],
    tolerance: EventTolerance
  ) {
    let references = references.sorted {
      let (left, right) = (spans[$0], spans[$1])
      return (left.onset, left.offset, $0) < (right.onset, right.offset, $1)
    }
    let detections = detections.sorted { (times[$0], $0) < (times[$1], $1) }
    let sortedTimes = detections.map { times[$0] }
    let early = tolerance.early.nanoseconds
    let late = tolerance.late.nanoseconds
    let windows = references.map { reference in
      let span = spans[reference]
      let lower = span.onset.subtractingClamped(early)
      let upper = span.offset.addingClamped(late)
      let start = sortedTimes.partitioningIndex { $0 >= lower }
      return start..<max(start, sortedTimes.partitioningIndex { $0 > upper })
    }
    let assignment = bestAssignment(
      MatchProblem(
        onsets: references.map { spans[$0].onset }, windows: windows, times: sortedTimes))
    self.references = references
    self.detections = detections
    self.windows = windows
    pairs = zip(references, assignment).compactMap { reference, rank in
      rank.map { EventPair(reference: reference, detection: detections[$0]) }
    }
  }
}

/// A matching problem in ranks: references by (onset, offset), detections by time.
struct MatchProblem {
  let onsets: [Int64]
  /// The detections that each reference may take. Lower bounds do not decrease.
  let windows: [Range<Int>]
  let times: [Int64]

  /// Returns the cost of a pair in nanoseconds, clamped.
  func distance(_ reference: Int, _ detection: Int) -> Int64 {
    let difference = times[detection].subtractingClamped(onsets[reference])
    return difference == .min ? .max : abs(difference)
  }
}

/// Returns the detection of each reference in the best matching.
private func bestAssignment(_ problem: MatchProblem) -> [Int?] {
  var assignment = [Int?](repeating: nil, count: problem.windows.count)
  for component in components(of: problem.windows) {
    let ends = component.map { problem.windows[$0].upperBound }
    let isOrdered = zip(ends, ends.dropFirst()).allSatisfy(<=)
    let best =
      isOrdered
      ? orderedAssignment(problem, references: component)
      : nestedAssignment(problem, references: component)
    for (reference, detection) in zip(component, best) { assignment[reference] = detection }
  }
  return assignment
}

/// Splits the references with a detection in their window into independent runs: windows of
/// different runs share no detection.
private func components(of windows: [Range<Int>]) -> [[Int]] {
  var components: [[Int]] = []
  var end = 0
  for (reference, window) in windows.enumerated() where !window.isEmpty {
    if components.isEmpty || window.lowerBound >= end {
      components.append([])
    }
    components[components.count - 1].append(reference)
    end = max(end, window.upperBound)
  }
  return components
}

private func matchGroups(
  _ references: [ReferenceEvent], _ detections: [DetectionRecord], _ rule: MatchRule
) -> [(references: [Int], detections: [Int])] {
  switch rule {
  case .any: [(Array(references.indices), Array(detections.indices))]
  case .sameLabel:
    groups(
      references.map { $0.label.isEmpty ? nil : $0.label },
      detections.map { $0.label.isEmpty ? nil : $0.label })
  case .samePlace: groups(references.map(\.place), detections.map(\.place))
  }
}

/// Returns one group per key of the references, in the order of the keys.
private func groups<Key: Hashable & Comparable>(
  _ references: [Key?], _ detections: [Key?]
) -> [(references: [Int], detections: [Int])] {
  let references = positions(references)
  let detections = positions(detections)
  return references.sorted { $0.key < $1.key }.map { ($0.value, detections[$0.key] ?? []) }
}

private func positions<Key: Hashable>(_ keys: [Key?]) -> [Key: [Int]] {
  var positions: [Key: [Int]] = [:]
  for (position, key) in keys.enumerated() {
    if let key { positions[key, default: []].append(position) }
  }
  return positions
}
