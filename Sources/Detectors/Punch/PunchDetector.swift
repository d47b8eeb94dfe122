public import TraceModel

/// Finds punches in gravity-free acceleration.
///
/// One state machine serves all presets: a threshold on an axis or on the magnitude, an optional
/// window for the peak search, a refractory period, arming by actions. Alternatively, with
/// ``PunchSuppression/nonMaximum``, it finds the samples over the threshold that no neighbour
/// exceeds. With ``PunchRule/swing`` it compares these peaks with the threshold by what the movement
/// around them looks like. Beside the acceleration it can read the rotation rate, for the kind of a
/// punch, and the acceleration with gravity, to leave out falls.
///
/// The window and the refractory period use the measured time: a late or batched delivery changes
/// `emitted`, never `onset`. For the same reason there is no deadline: an open swing is reported
/// with the first sample after its window, with the disarm action or at the end. With batched
/// samples a deadline would fire before the peak is delivered.
///
/// A sample before the start of the window (after a clock was set back) is compared by the same
/// distance, so a jump also ends a window. A sample with a NaN counts as missing: only its time is
/// used.
///
/// ```swift
/// let parameters = PunchParameters(
///   threshold: 30, rule: .magnitude, retrigger: .onceBelowAgain, arming: .always,
///   peakWindow: 0.08, refractory: 0.4)
/// var (detector, punches) = (PunchDetector(parameters), [Detection<PunchEvent>]())
/// for (x, time): (Float, Int64) in [(5, 0), (35, 10_000_000), (42, 20_000_000), (4, 99_000_000)] {
///   let (sample, now) = (Acceleration(x: x, y: 0, z: 0), TraceInstant(nanoseconds: time))
///   detector.ingest(sample, measured: now, arrived: now, into: &punches)
/// }
/// punches.map(\.event.magnitude)  // [42.0]
/// ```
public struct PunchDetector: Detector, Codable {
  public typealias Input = Acceleration
  public typealias Event = PunchEvent
  public typealias Parameters = PunchParameters

  public static var name: String { "punch" }
  public static var channel: Channel { .userAcceleration }
  public static var task: ReferenceTask { .punch }
  public static func listensWhenArmed(_ parameters: PunchParameters) -> Bool {
    parameters.arming == .actions
  }

  public let parameters: PunchParameters
  let threshold: Float
  let squaredThreshold: Float
  let peakWindow: Int64
  private let refractory: Int64

  private let suppressesNonMaxima: Bool

  var isArmed: Bool
  /// Whether a sample within the threshold followed the last detection.
  var isBelow = true
  var candidate: Candidate?
  /// With ``PunchRule/swing``, a peak that is still open and that the candidate is apart from.
  var earlier: Candidate?
  private var lastPeak: Int64?
  /// With ``PunchSuppression/nonMaximum``, the samples that may suppress a new one.
  var rivals = Rivals()
  /// With ``PunchRule/swing``, the recent signal.
  var history: SwingHistory?
  /// The checks of every sample in addition to the rule; nil = none.
  var onlooker: PunchOnlooker?
  @usableFromInline let isWatched: Bool

  // In the current state a sample changes nothing if its squared magnitude is below `quietLimit`
  // and its time is at most `quietSpan` ns after `quietFrom`. These two comparisons handle nearly
  // all samples, in the caller's loop.
  @usableFromInline var quietLimit: Float = 0
  @usableFromInline var quietFrom = Int64.min
  @usableFromInline var quietSpan = UInt64.max

  /// A swing with an open peak search.
  struct Candidate: Sendable, Codable {
    let opened: Int64
    var peakTime: Int64
    var peak: Acceleration
    var squaredPeak: Float
    /// With ``PunchRule/swing``, where the peak is in the history.
    var mark: SwingHistory.Mark?
  }

  /// With ``PunchRule/swing``, the magnitude in m s-2 above which a peak is examined.
  private static let swingFloor: Float = 8

  public init(_ parameters: PunchParameters, places: [Place] = []) {
    self.parameters = parameters
    let looksAround = parameters.rule == .swing
    threshold = looksAround ? PunchDetector.swingFloor : Float(parameters.threshold)
    squaredThreshold = threshold * threshold
    // An open swing stays open until no later sample can exceed its peak, and until the signal after
    // it is known.
    let window = nanoseconds(
      looksAround || parameters.suppression == .nonMaximum
        ? parameters.refractory : parameters.peakWindow)
    peakWindow = looksAround ? max(window, SwingHistory.horizon) : window
    refractory = Int64(nanosecondsFromSeconds: parameters.refractory) ?? .max
    suppressesNonMaxima = looksAround || parameters.suppression == .nonMaximum
    history = looksAround ? SwingHistory() : nil
    onlooker = PunchOnlooker(parameters)
    isWatched = onlooker != nil
    isArmed = parameters.arming == .always
    resetQuiet()
  }

  @inlinable public mutating func ingest(
    _ sample: Acceleration, measured: TraceInstant, arrived: TraceInstant,
    into detections: inout [Detection<PunchEvent>]
  ) {
    if isQuiet(sample, at: measured) { return }
    if isWatched {
      watch(sample, measured: measured, arrived: arrived, into: &detections)
    } else if looksAround {
      contendBySwing(sample, measured: measured, arrived: arrived, into: &detections)
    } else {
      weigh(sample, measured: measured, arrived: arrived, into: &detections)
    }
  }

  @inlinable public mutating func ingest(
    contentsOf block: VectorColumns, in range: Range<Int>,
    into detections: inout [Detection<PunchEvent>]
  ) {
    // A paced run passes one sample at a time: a scan would cost more than the sample.
    guard range.count == 1 else {
      return isWatched
        ? watch(block, in: range, into: &detections)
        : looksAround
          ? scanBySwing(block, in: range, into: &detections)
          : scan(block, in: range, into: &detections)
    }
    let position = range.lowerBound
    ingest(
      block[position], measured: block.measured(at: position),
      arrived: block.arrived(at: position), into: &detections)
  }

  /// Whether the rule is ``PunchRule/swing``.
  @inlinable var looksAround: Bool { if case .swing = parameters.rule { true } else { false } }

  @inlinable func isQuiet(_ sample: Acceleration, at time: TraceInstant) -> Bool {
    sample.squaredMagnitude < quietLimit
      && UInt64(bitPattern: time.nanoseconds &- quietFrom) <= quietSpan
  }

  /// Processes a sample that may change the state.
  @usableFromInline
  @inline(never)
  mutating func weigh(
    _ sample: Acceleration, measured: TraceInstant, arrived: TraceInstant,
    into detections: inout [Detection<PunchEvent>]
  ) {
    if suppressesNonMaxima {
      return contend(sample, measured: measured, arrived: arrived, into: &detections)
    }
    let time = measured.nanoseconds
    if let open = candidate {
      if distance(time, open.opened) <= peakWindow {
        raisePeak(to: sample, at: time)
        return
      }
      candidate = nil
      report(open, at: arrived, newest: measured, into: &detections)
    }
    defer { updateQuiet() }
    if isArmed, !sample.squaredMagnitude.isNaN {
      if isOver(sample) {
        fire(at: sample, measured: measured, arrived: arrived, into: &detections)
      } else if isWithin(sample) {
        isBelow = true
      }
    }
  }

  private mutating func fire(
    at sample: Acceleration, measured: TraceInstant, arrived: TraceInstant,
    into detections: inout [Detection<PunchEvent>]
  ) {
    let time = measured.nanoseconds
    guard isBelow || parameters.retrigger == .everySample else { return }
    if let lastPeak, refractory > 0, distance(time, lastPeak) < refractory { return }
    isBelow = false
    if parameters.retrigger == .oncePerArming { isArmed = false }
    let new = Candidate(
      opened: time, peakTime: time, peak: sample, squaredPeak: sample.squaredMagnitude)
    if peakWindow > 0 {
      candidate = new
    } else {
      report(new, at: arrived, newest: measured, into: &detections)
    }
  }

  private mutating func raisePeak(to sample: Acceleration, at time: Int64) {
    let squared = sample.squaredMagnitude
    guard let open = candidate, squared > open.squaredPeak else { return }
    candidate?.squaredPeak = squared
    candidate?.peak = sample
    candidate?.peakTime = time
    if !isWatched { quietLimit = squared }
  }

  /// Processes a sample that is a punch if no neighbour is higher.
  @inline(never)
  private mutating func contend(
    _ sample: Acceleration, measured: TraceInstant, arrived: TraceInstant,
    into detections: inout [Detection<PunchEvent>]
  ) {
    let time = measured.nanoseconds
    if let open = candidate, distance(time, open.opened) > peakWindow {
      candidate = nil
      report(open, at: arrived, newest: measured, into: &detections)
    }
    let squared = sample.squaredMagnitude
    if isArmed, !squared.isNaN, isOver(sample), rivals.admit(squared, at: time, within: peakWindow)
    {
      candidate = Candidate(opened: time, peakTime: time, peak: sample, squaredPeak: squared)
    }
    updateQuiet()
  }

  mutating func report(
    _ found: Candidate, at emitted: TraceInstant, newest: TraceInstant? = nil,
    equivalentPeak: Double? = nil, into detections: inout [Detection<PunchEvent>]
  ) {
    lastPeak = found.peakTime
    var event = PunchEvent(
      punch: .unknown, target: .unknown, magnitude: Double(found.squaredPeak).squareRoot(),
      equivalentPeak: equivalentPeak)
    switch parameters.types {
    case .direction:
      (event.punch, event.target) =
        parameters.rule == .axes ? firstAxisOver(found.peak) : dominantAxis(found.peak)
    case .enrolled: onlooker?.name(&event, at: found.peakTime)
    }
    detections.append(
      Detection(
        onset: TraceInstant(nanoseconds: found.peakTime), emitted: emitted, newestMeasured: newest,
        event: event))
    if isWatched { onlooker?.doubt(detections[detections.count - 1], peak: found.peak) }
  }

  /// Whether only a sample over the threshold can change the state: the signal is already known to
  /// be below.
  private var waitsForOver: Bool { isBelow || parameters.retrigger == .everySample }

  /// With ``PunchRule/swing``, and with checks in addition to the rule, no sample is quiet: the
  /// limit stays 0.
  mutating func resetQuiet() {
    if !looksAround { updateQuiet() }
  }

  private mutating func updateQuiet() {
    if isWatched { return }
    (quietFrom, quietSpan) = (.min, .max)
    if let open = candidate {
      quietLimit = open.squaredPeak
      if suppressesNonMaxima {
        // Samples lower than an open swing still matter for later ones.
        quietLimit = threshold >= 0 ? squaredThreshold : 0
      }
      guard peakWindow < .max else { return }
      quietFrom = open.opened.subtractingClamped(peakWindow)
      quietSpan = UInt64(
        bitPattern: open.opened.addingClamped(peakWindow) &- quietFrom)
    } else if !isArmed {
      quietLimit = .infinity
    } else if waitsForOver, threshold >= 0 {
      // Valid for both rules: the square of an axis beyond the threshold is at least the squared
      // threshold, also after rounding. (Not valid for a negative threshold.)
      quietLimit = squaredThreshold
    } else {
      quietLimit = 0
    }
  }

  @usableFromInline
  @inline(never)
  mutating func scan(
    _ block: VectorColumns, in range: Range<Int>,
    into detections: inout [Detection<PunchEvent>]
  ) {
    let (times, x, y, z) = (block.measuredTimes, block.x, block.y, block.z)
    var position = range.lowerBound
    while true {
      position = firstNotable(
        times.span, x.span, y.span, z.span, in: position..<range.upperBound)
      if position == range.upperBound { return }
      weigh(
        Acceleration(x: x[position], y: y[position], z: z[position]),
        measured: block.measured(at: position), arrived: block.arrived(at: position),
        into: &detections)
      position += 1
    }
  }

  /// The same with ``PunchRule/swing``.
  @usableFromInline
  @inline(never)
  mutating func scanBySwing(
    _ block: VectorColumns, in range: Range<Int>,
    into detections: inout [Detection<PunchEvent>]
  ) {
    var position = range.lowerBound
    while position < range.upperBound {
      if candidate == nil {
        position = remember(block, in: position..<range.upperBound)
        if position == range.upperBound { return }
      }
      contendBySwing(
        block[position], measured: block.measured(at: position),
        arrived: block.arrived(at: position), into: &detections)
      position += 1
    }
  }

  /// Adds samples to the history. Returns the first position in `range` whose sample may be a peak,
  /// or the range's end.
  private mutating func remember(_ block: VectorColumns, in range: Range<Int>) -> Int {
    history?.add(
      block.measuredTimes.span, block.x.span, block.y.span, block.z.span, in: range,
      upTo: squaredThreshold) ?? range.upperBound
  }

  /// Returns the first position in `range` whose sample is not quiet, or the range's end.
  private func firstNotable(
    _ times: Span<Int64>, _ x: Span<Float>, _ y: Span<Float>, _ z: Span<Float>,
    in range: Range<Int>
  ) -> Int {
    var position = range.lowerBound
    if candidate != nil {
      while position < range.upperBound,
        isQuiet(
          Acceleration(x: x[position], y: y[position], z: z[position]),
          at: TraceInstant(nanoseconds: times[position]))
      {
        position += 1
      }
      return position
    }
    guard isArmed else { return range.upperBound }
    guard waitsForOver else { return position }
    // Notable samples rarely come alone: check the next few before the groups.
    let near = min(range.lowerBound + 8, range.upperBound)
    position = firstLoud(x, y, z, in: position..<near)
    if position < near { return position }
    position = firstGroupOver(x, y, z, in: near..<range.upperBound)
    return firstLoud(x, y, z, in: position..<range.upperBound)
  }

  /// Returns the first position in `range` whose squared magnitude is not below the limit, or the
  /// range's end. Without an open swing the column of times is not read.
  private func firstLoud(
    _ x: Span<Float>, _ y: Span<Float>, _ z: Span<Float>, in range: Range<Int>
  ) -> Int {
    var position = range.lowerBound
    while position < range.upperBound,
      Acceleration(x: x[position], y: y[position], z: z[position]).squaredMagnitude < quietLimit
    {
      position += 1
    }
    return position
  }

  /// Returns a position in `range` with no sample over the threshold before it.
  private func firstGroupOver(
    _ x: Span<Float>, _ y: Span<Float>, _ z: Span<Float>, in range: Range<Int>
  ) -> Int {
    switch parameters.rule {
    case .magnitude, .swing:
      let limit = SIMD8(repeating: squaredThreshold)
      return firstGroup(x, y, z, in: range) { $0.squaredMagnitude .> limit }
    case .axes:
      let (over, under) = (SIMD8(repeating: threshold), SIMD8(repeating: -threshold))
      return firstGroup(x, y, z, in: range) {
        ($0.x .> over) .| ($0.x .< under) .| ($0.y .> over) .| ($0.y .< under) .| ($0.z .> over)
      }
    }
  }
}
