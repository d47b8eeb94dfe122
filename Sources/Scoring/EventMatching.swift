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

/// What a matching reference and detection have in common; events without it match nothing.
///
/// ```swift
/// let hook = ReferenceEvent(onset: .zero, label: "hook")
/// let jab = DetectionRecord(onset: .zero, emitted: .zero, kind: "punch", label: "straight")
/// let matching = EventMatching(
///   references: [hook], detections: [jab], tolerance: .standard, rule: .sameLabel)
/// matching.pairs.count  // 0
/// ```
public enum MatchRule: Hashable, Sendable {
  case any
  case sameLabel
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
/// docs/scoring.md names the differences from other programs that score events.
///
/// Complexity: sorting, plus O(p) for each stretch of overlapping windows, where p are the pairs that
/// a matching with the most pairs can have (two bits of memory each): as many as events where all can
/// be matched. If one window lies strictly inside another, up to O(n p log p) for its n references
/// and all p possible pairs. `requireFeasible` limits both.
///
/// ```swift
/// let onsets = [150_000_000, 150_000_001].map { TraceInstant(nanoseconds: $0) }
/// let matching = EventMatching(
///   references: [ReferenceEvent(onset: .zero), ReferenceEvent(onset: .zero)],
///   detections: onsets.map { DetectionRecord(onset: $0, emitted: $0, kind: "punch") },
///   tolerance: EventTolerance(either: .milliseconds(150)))
/// matching.pairs.map(\.detection)  // [0]
/// ```
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
      times: detections.map { $0.onset.nanoseconds }, tolerance: tolerance,
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
    pairs = self.groups.flatMap { $0.pairs }.sorted { $0.reference < $1.reference }
  }

  /// The limit of the pairs that a stretch of overlapping windows may have: 16 MB, a second or two.
  static let mostPairs = 1 << 26
  /// The limit of references times pairs where a window lies strictly inside another: 20 seconds.
  static let mostNestedSteps = Int(clamping: Int64(1) << 34)

  /// Checks that events can be matched in bounded time and memory by each of the rules, which is
  /// always the case for real recordings.
  /// - Throws: kind `.badData` with the place where too many events have windows in common.
  package static func requireFeasible(
    _ references: [ReferenceEvent], _ detections: [DetectionRecord], tolerance: EventTolerance,
    rules: Set<MatchRule>, place: String
  ) throws(TraceError) {
    let spans = references.map {
      EventSpan(onset: $0.onset.nanoseconds, offset: $0.offset.nanoseconds)
    }
    let times = detections.map { $0.onset.nanoseconds }
    for rule in rules {
      try requireFeasible(
        spans, times, tolerance, matchGroups(references, detections, rule), place: place)
    }
  }

  static func requireFeasible(
    _ spans: [EventSpan], _ times: [Int64], _ tolerance: EventTolerance,
    _ groups: [(references: [Int], detections: [Int])], place: String
  ) throws(TraceError) {
    for group in groups {
      // Usual recordings have too few for any limit, and are not sorted twice.
      let pairs = Double(group.references.count) * Double(group.detections.count)
      guard
        pairs > Double(mostPairs)
          || pairs * Double(group.references.count) > Double(mostNestedSteps)
      else { continue }
      let (problem, _) = MatchGroup.problem(
        group.references, group.detections, spans, times, tolerance)
      for component in components(of: problem.windows) where !isFeasible(problem, component) {
        let windows = component.map { problem.windows[$0] }
        let found =
          (windows.map { $0.upperBound }.max() ?? 0) - (windows.map { $0.lowerBound }.min() ?? 0)
        let start = TraceInstant(nanoseconds: component.map { problem.onsets[$0] }.min() ?? 0)
        throw TraceError(
          place: place,
          expected: "few references and detections within each other's tolerance",
          found: "\(component.count) references and \(found) detections in one stretch from "
            + "\(start.seconds) s on",
          remedy: "remove duplicates, or lower the tolerance")
      }
    }
  }

  private static func isFeasible(_ problem: MatchProblem, _ component: [Int]) -> Bool {
    let isOrdered = isOrdered(problem, component)
    let windows =
      isOrdered ? mostPairsWindows(problem, component) : component.map { problem.windows[$0] }
    let (limit, factor) = isOrdered ? (mostPairs, 1) : (mostNestedSteps, component.count)
    var steps = 0
    for window in windows {
      let (more, isTooLarge) = window.count.multipliedReportingOverflow(by: factor)
      steps = isTooLarge ? .max : steps.addingReportingOverflow(more).partialValue
      guard !isTooLarge, steps >= 0, steps <= limit else { return false }
    }
    return true
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
    let ranks: (references: [Int], detections: [Int])
    let problem: MatchProblem
    (problem, ranks) = Self.problem(references, detections, spans, times, tolerance)
    (self.references, self.detections) = ranks
    windows = problem.windows
    let assignment = bestAssignment(problem)
    pairs = zip(ranks.references, assignment).compactMap { reference, rank in
      rank.map { EventPair(reference: reference, detection: ranks.detections[$0]) }
    }
  }

  fileprivate static func problem(
    _ references: [Int], _ detections: [Int], _ spans: [EventSpan], _ times: [Int64],
    _ tolerance: EventTolerance
  ) -> (MatchProblem, (references: [Int], detections: [Int])) {
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
    return (
      MatchProblem(
        onsets: references.map { spans[$0].onset }, windows: windows, times: sortedTimes),
      (references, detections)
    )
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
    let best =
      isOrdered(problem, component)
      ? orderedAssignment(
        problem, references: component, windows: mostPairsWindows(problem, component))
      : nestedAssignment(problem, references: component)
    for (reference, detection) in zip(component, best) { assignment[reference] = detection }
  }
  return assignment
}

private func isOrdered(_ problem: MatchProblem, _ component: [Int]) -> Bool {
  zip(component, component.dropFirst())
    .allSatisfy { problem.windows[$0].upperBound <= problem.windows[$1].upperBound }
}

/// The windows of a component with ordered windows, without the pairs that no matching with the most
/// pairs and without crossings has.
///
/// Let k be the most pairs of n references and m detections. Before the pair of the reference i and
/// the detection j at most min(i, j) pairs fit, and after it at most min(n - 1 - i, m - 1 - j). If
/// that is less than k in total, no such matching contains the pair; so j - i is from k - n to m -
/// k.
private func mostPairsWindows(_ problem: MatchProblem, _ component: [Int]) -> [Range<Int>] {
  let windows = component.map { problem.windows[$0] }
  guard let first = windows.first?.lowerBound, let end = windows.last?.upperBound else { return [] }
  // With ordered windows, taking the first free detection each time gives the most pairs.
  var (pairs, free) = (0, first)
  for window in windows {
    let taken = max(free, window.lowerBound)
    guard taken < window.upperBound else { continue }
    (pairs, free) = (pairs + 1, taken + 1)
  }
  return windows.indices.map { row in
    let lower = max(windows[row].lowerBound, first + row + pairs - windows.count)
    let upper = min(windows[row].upperBound, first + row + (end - first) - pairs + 1)
    return lower..<max(lower, upper)
  }
}

/// Splits the references into runs whose windows share no detection; without empty windows.
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
  case .samePlace: groups(references.map { $0.place }, detections.map { $0.place })
  }
}

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
