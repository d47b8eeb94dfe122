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
/// Shifts are whole steps of the grid on which detections lie, see ``SamplingGrid``. They are uniform
/// up to half the length of the stretch in which a reference is, on average, but at least
/// ``fewestWindows`` windows and 50 steps, and at most half of the recorded time.
public struct ShiftedHits: Hashable, Sendable {
  /// The number of compared references that are hit, by the detections and by the shifted ones; then
  /// those of flawless detections.
  struct Comparison: Hashable, Sendable {
    var hits = 0
    var shifted = 0
    /// The number of compared references: flawless detections hit all.
    var windows = 0
    var shiftedFlawless = 0

    static func + (one: Self, other: Self) -> Self {
      Comparison(
        hits: one.hits + other.hits, shifted: one.shifted + other.shifted,
        windows: one.windows + other.windows,
        shiftedFlawless: one.shiftedFlawless + other.shiftedFlawless)
    }
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
  ///   - grid: the samples that the detector reads; nil = the step that the times show.
  ///   - seed: the same seed gives the same shifts; recordings that are pooled need different ones.
  /// - Complexity: O(shifts (references + detections + stretches)).
  public init(
    references: [ReferenceEvent], detections: [TraceInstant], zones: [IgnoreZone] = [],
    tolerance: EventTolerance, movement: [Range<Int64>]?, duration: Duration,
    grid: SamplingGrid? = nil, shifts: Int = defaultShifts, seed: UInt64
  ) {
    let ignored = ZoneUnion(zones)
    let kept = references.filter { !ignored.contains($0.onset) }
    let events = kept.compactMap { EventWindow($0, tolerance) }.sorted { one, other in
      (one.span.lowerBound, one.span.upperBound) < (other.span.lowerBound, other.span.upperBound)
    }
    let times = detections.map(\.nanoseconds).sorted()
    let axis = ShiftAxis(
      grid, detections: times, references: kept.map(\.onset.nanoseconds).sorted())
    let states = MovementStates(movement, duration: max(duration.nanoseconds, 0), axis)
    var comparison = ShiftComparison(events: events, times: times, axis: axis, states: states)
    var generator = SeededGenerator(seed: seed)
    let furthest = axis.steps(
      comparison.furthestShift(windows: Self.fewestWindows), most: Double(states.length) / 2)
    let width = comparison.meanWidth
    var (counts, far): ([Comparison], (hits: Int, windows: Int)) = ([], (0, 0))
    for _ in 0..<max(shifts, 0) {
      let steps = generator.uniform(-furthest.count...furthest.count).rounded()
      let shift = Int64(steps) * furthest.step
      let found = comparison.compare(shift)
      counts.append(found)
      guard Double(shift.magnitude) > width else { continue }
      far.hits += found.shifted
      far.windows += found.windows
    }
    self.references = kept.count
    hits = mostPairs(events.map(\.span), times)
    compared = counts
    // A reference without a window is missed at chance level too.
    let share = kept.isEmpty ? 0 : Double(events.count) / Double(kept.count)
    recall = far.windows > 0 ? share * Double(far.hits) / Double(far.windows) : nil
  }
}

/// The times in which a detection hits a reference, in ns.
private struct EventWindow {
  let span: ClosedRange<Int64>
  private let onset: Int64

  /// nil where a negative margin leaves no time.
  init?(_ reference: ReferenceEvent, _ tolerance: EventTolerance) {
    onset = reference.onset.nanoseconds
    let lower = onset.subtractingClamped(tolerance.early.nanoseconds)
    let upper = max(reference.onset, reference.offset).nanoseconds
      .addingClamped(tolerance.late.nanoseconds)
    guard lower <= upper else { return nil }
    span = lower...upper
  }

  /// Returns the detection of a flawless detector: the nearest to the onset, or one at the onset.
  /// - Parameter times: ascending.
  func flawless(_ times: [Int64]) -> Int64 {
    let wanted = min(max(onset, span.lowerBound), span.upperBound)
    let next = times.partitioningIndex { $0 >= wanted }
    let near = [next - 1, next].filter { times.indices.contains($0) && span.contains(times[$0]) }
    return near.map { times[$0] }.min {
      wanted.subtractingClamped($0).magnitude < wanted.subtractingClamped($1).magnitude
    } ?? wanted
  }
}

/// Counts the hits in windows, and in the same windows shifted, on the axis of shifts.
private struct ShiftComparison {
  private let windows: [ClosedRange<Int64>]
  private let times: [Int64]
  /// Those of these detections that hit, with one for each miss.
  private let flawless: [Int64]
  private let states: MovementStates
  /// Whether each window is in movement; nil = neither movement nor rest, so it is not compared.
  private let isMoving: [Bool?]
  // Kept between shifts for their memory.
  private var own: [ClosedRange<Int64>] = []
  private var moved: [ClosedRange<Int64>] = []

  init(events: [EventWindow], times: [Int64], axis: ShiftAxis, states: MovementStates) {
    let windows = events.map { axis.positions(of: $0.span) }
    self.windows = windows
    self.times = times.map(axis.position)
    flawless = events.map { axis.position(of: $0.flawless(times)) }.sorted()
    self.states = states
    var place = 0
    isMoving = windows.map { states.isMoving($0, from: &place) }
  }

  /// The mean width of a window; 0 without windows.
  var meanWidth: Double {
    let sum = windows.reduce(0.0) { $0 + Double($1.upperBound) - Double($1.lowerBound) }
    return windows.isEmpty ? 0 : sum / Double(windows.count)
  }

  /// The wanted length of the longest shift.
  func furthestShift(windows count: Int) -> Double {
    let known = zip(windows, isMoving).filter { $0.1 != nil }.map(\.0)
    let lengths = known.reduce(0.0) { $0 + states.lengthOfStretch(at: $1.lowerBound) }
    let half = known.isEmpty ? 0 : lengths / Double(known.count) / 2
    return max(half, Double(count) * meanWidth)
  }

  /// Detections are shifted by `shift`; that is, windows the other way.
  mutating func compare(_ shift: Int64) -> ShiftedHits.Comparison {
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
    return ShiftedHits.Comparison(
      hits: mostPairs(own, times), shifted: mostPairs(moved, times), windows: own.count,
      shiftedFlawless: mostPairs(moved, flawless))
  }
}

/// The parts of the recorded time that are movement, and those that are rest, on the axis of shifts.
private struct MovementStates {
  /// The length of the recorded time.
  let length: Int64
  /// Stretches of movement and of rest, ascending; the edges of movement belong to neither.
  private var stretches: [(span: Range<Int64>, isMoving: Bool)] = []

  /// - Parameter movement: in ns; nil = the whole time is one stretch.
  init(_ movement: [Range<Int64>]?, duration: Int64, _ axis: ShiftAxis) {
    length = axis.position(of: duration).subtractingClamped(axis.position(of: 0))
    addStretches(movement ?? [], duration: duration)
    if movement == nil { stretches = [(0..<duration, true)] }
    stretches = stretches.map { span, isMoving in
      (axis.position(of: span.lowerBound)..<axis.position(of: span.upperBound), isMoving)
    }
  }

  private mutating func addStretches(_ movement: [Range<Int64>], duration: Int64) {
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
