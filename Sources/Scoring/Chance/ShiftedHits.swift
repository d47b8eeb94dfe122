public import TraceModel

/// The hits of a recording's detections, and of the same detections shifted in time. The latter are
/// the hits of a detector that knows when there is movement, but nothing about the events.
///
/// All detections of the recording are shifted by the same time, which keeps their rhythm: steps at
/// the pace of the references hit either most windows or hardly any, before a shift as after it. A
/// reference is compared if its window and the shifted window are both in movement, or both at
/// rest; the edges of a stretch, which may be either, are left out. So a detector that only fires
/// in movement gains nothing from where the references are.
///
/// Shifts are uniform up to half the length of the stretch in which a reference is, on average, but at
/// least ``fewestWindows`` windows, and at most half of the recorded time.
public struct ShiftedHits: Hashable, Sendable {
  /// The number of compared references that are hit, by the detections and by the shifted ones.
  struct Comparison: Hashable, Sendable {
    var hits: Int
    var shifted: Int
  }

  /// Shifts are at least this many times the length of a window on either side.
  public static let fewestWindows = 20
  public static let defaultShifts = 1000

  /// The number of references outside ignore zones.
  public let references: Int
  public let hits: Int
  let compared: [Comparison]
  /// Over all shifts that are longer than a window; nil if no reference can be compared.
  public let recall: Double?

  /// - Parameters:
  ///   - detections: the onsets, in any order.
  ///   - zones: excluded; references that begin in one are left out.
  ///   - movement: ascending and disjoint, in ns, see ``Movement``; nil = not known: the whole
  ///     recorded time is one stretch.
  ///   - seed: the same seed gives the same shifts; recordings that are pooled need different ones.
  /// - Complexity: O(shifts (references + detections + stretches)).
  public init(
    references: [ReferenceEvent], detections: [TraceInstant], zones: [IgnoreZone] = [],
    tolerance: EventTolerance, movement: [Range<Int64>]?, duration: Duration,
    shifts: Int = defaultShifts, seed: UInt64
  ) {
    let ignored = ZoneUnion(zones)
    let kept = references.filter { !ignored.contains($0.onset) }
    let windows = kept.compactMap { reference -> ClosedRange<Int64>? in
      let lower = reference.onset.nanoseconds.subtractingClamped(tolerance.early.nanoseconds)
      let upper = max(reference.onset, reference.offset).nanoseconds
        .addingClamped(tolerance.late.nanoseconds)
      // A negative margin can leave a reference without a window.
      return lower <= upper ? lower...upper : nil
    }.sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
    let times = detections.map(\.nanoseconds).sorted()
    let states = MovementStates(movement, duration: max(duration.nanoseconds, 0))
    var comparison = ShiftComparison(windows: windows, times: times, states: states)
    var generator = SeededGenerator(seed: seed)
    let furthest = comparison.furthestShift(windows: Self.fewestWindows)
    let width = comparison.meanWidth
    var (counts, far): ([Comparison], (hits: Int, windows: Int)) = ([], (0, 0))
    for _ in 0..<max(shifts, 0) {
      let shift = Int64(generator.uniform(-furthest...furthest))
      let found = comparison.compare(shift)
      counts.append(Comparison(hits: found.hits, shifted: found.shifted))
      guard Double(shift.magnitude) > width else { continue }
      far.hits += found.shifted
      far.windows += found.windows
    }
    self.references = kept.count
    hits = mostPairs(windows, times)
    compared = counts
    // A reference without a window is missed at chance level too.
    let share = kept.isEmpty ? 0 : Double(windows.count) / Double(kept.count)
    recall = far.windows > 0 ? share * Double(far.hits) / Double(far.windows) : nil
  }
}

/// Counts the hits in windows, and in the same windows shifted.
private struct ShiftComparison {
  private let windows: [ClosedRange<Int64>]
  private let times: [Int64]
  private let states: MovementStates
  /// Whether each window is in movement; nil = neither movement nor rest, so it is not compared.
  private let isMoving: [Bool?]
  // Kept between shifts for their memory.
  private var own: [ClosedRange<Int64>] = []
  private var moved: [ClosedRange<Int64>] = []

  init(windows: [ClosedRange<Int64>], times: [Int64], states: MovementStates) {
    (self.windows, self.times, self.states) = (windows, times, states)
    var place = 0
    isMoving = windows.map { states.isMoving($0, from: &place) }
  }

  /// The mean width of a window in ns; 0 without windows.
  var meanWidth: Double {
    let sum = windows.reduce(0.0) { $0 + Double($1.upperBound) - Double($1.lowerBound) }
    return windows.isEmpty ? 0 : sum / Double(windows.count)
  }

  /// The length of the longest shift, in ns.
  func furthestShift(windows count: Int) -> Double {
    let known = zip(windows, isMoving).filter { $0.1 != nil }.map(\.0)
    let lengths = known.reduce(0.0) { $0 + states.lengthOfStretch(at: $1.lowerBound) }
    let half = known.isEmpty ? 0 : lengths / Double(known.count) / 2
    return min(max(half, Double(count) * meanWidth), Double(states.duration) / 2)
  }

  /// Detections are shifted by `shift`, in ns; that is, windows the other way.
  mutating func compare(_ shift: Int64) -> (hits: Int, shifted: Int, windows: Int) {
    own.removeAll(keepingCapacity: true)
    moved.removeAll(keepingCapacity: true)
    var place = 0
    for (window, state) in zip(windows, isMoving) {
      guard let state else { continue }
      let target =
        window.lowerBound.subtractingClamped(shift)...window.upperBound.subtractingClamped(shift)
      guard states.isMoving(target, from: &place) == state else { continue }
      own.append(window)
      moved.append(target)
    }
    return (mostPairs(own, times), mostPairs(moved, times), own.count)
  }
}

/// The parts of the recorded time that are movement, and those that are rest.
private struct MovementStates {
  let duration: Int64
  /// Stretches of movement and of rest, ascending; the edges of movement belong to neither.
  private var stretches: [(span: Range<Int64>, isMoving: Bool)] = []

  /// - Parameter movement: nil = the whole time is one stretch.
  init(_ movement: [Range<Int64>]?, duration: Int64) {
    self.duration = duration
    guard let movement else {
      stretches = [(0..<duration, true)]
      return
    }
    var rest: Int64 = 0
    for stretch in movement.map({ $0.clamped(to: 0..<duration) }) where !stretch.isEmpty {
      if rest < stretch.lowerBound { stretches.append((rest..<stretch.lowerBound, false)) }
      // The start and the end of a long stretch are known only to a part of the signal; a short
      // stretch, such as a single punch, is too short to leave out its edges.
      let edge = stretch.count > 8 * Movement.part ? Movement.part : 0
      stretches.append((stretch.lowerBound + edge..<stretch.upperBound - edge, true))
      rest = stretch.upperBound
    }
    if rest < duration { stretches.append((rest..<duration, false)) }
  }

  /// Returns whether a window is in movement; nil = it is not in one stretch.
  /// - Parameter place: that of the previous window, in ascending order of lower ends; 0 at first.
  func isMoving(_ window: ClosedRange<Int64>, from place: inout Int) -> Bool? {
    while place < stretches.count, stretches[place].span.upperBound <= window.lowerBound {
      place += 1
    }
    guard place < stretches.count, stretches[place].span.lowerBound <= window.lowerBound,
      stretches[place].span.upperBound > window.upperBound
    else { return nil }
    return stretches[place].isMoving
  }

  func lengthOfStretch(at time: Int64) -> Double {
    let place = stretches.partitioningIndex { $0.span.upperBound > time }
    return place < stretches.count ? Double(stretches[place].span.count) : 0
  }
}
