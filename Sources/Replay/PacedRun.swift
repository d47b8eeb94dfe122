import Detectors
public import TraceModel

/// A clock that supports waiting, e.g. the system's clock, or a test's clock with an injected time.
public protocol PacingClock {
  /// Returns nanoseconds from any origin; monotonic.
  func now() -> Int64
  /// The same as ``now()``, for a player that reads the clock after each step: it may use what it
  /// learnt from earlier readings. It may differ from `now()` by a microsecond.
  /// - Parameter began: the last reading; the result is no earlier.
  mutating func now(after began: Int64) -> Int64
  /// Waits until the clock shows `instant` or more. Returns earlier if there is input of the user
  /// for ``PacingObserver/nextControl()``.
  func wait(until instant: Int64)
}

extension PacingClock {
  @inlinable public mutating func now(after began: Int64) -> Int64 { now() }
}

/// A command of the user during a replay.
public enum PlaybackControl: Hashable, Sendable {
  /// Pauses or resumes.
  case togglePause
  /// Seeks forwards, or backwards if negative. The detectors restart there.
  case seek(by: Duration)
  /// Multiplies the rate.
  case changeRate(by: Double)
  case stop
}

/// The timing of a step: when it was due and when it was made, in nanoseconds of the run's clock.
///
/// ```swift
/// let step = StreamStep(
///   kind: .wake, device: DeviceID(0), channel: .location, time: .zero, following: nil)
/// let timing = StepTiming(step: step, due: 10, began: 13, ended: 17, isMissed: false)
/// timing.lateness  // 3
/// timing.response  // 7
/// ```
public struct StepTiming: Hashable, Sendable {
  public var step: StreamStep
  /// When the step was due by the schedule.
  public var due: Int64
  /// When the step's delivery began.
  public var began: Int64
  /// When the detector finished the step.
  public var ended: Int64
  /// Whether the next readings of the channel were due already when the delivery began.
  public var isMissed: Bool

  public init(step: StreamStep, due: Int64, began: Int64, ended: Int64, isMissed: Bool) {
    self.step = step
    self.due = due
    self.began = began
    self.ended = ended
    self.isMissed = isMissed
  }

  public var lateness: Int64 { began - due }
  /// The processing time of the detector.
  public var service: Int64 { ended - began }
  /// The time from due to finished; a stall shows in every step that it delays.
  public var response: Int64 { ended - due }
}

/// Observes a paced run.
public protocol PacingObserver {
  /// The schedule restarts: with a pass, after a seek, at the end of a pause, at a new rate.
  mutating func stretchBegan()
  mutating func stepped(_ timing: StepTiming)
  /// Something was detected, in the order of the run.
  mutating func detected(_ records: [DetectionRecord])
  /// Returns the user's command since the last call. Called before each step and whenever a wait
  /// ends.
  mutating func nextControl() -> PlaybackControl?
  /// The replay was paused or resumed, or its rate changed.
  mutating func changed(rate: Double, isPaused: Bool)
}

extension PacingObserver {
  public mutating func stretchBegan() {}
  public mutating func stepped(_ timing: StepTiming) {}
  public mutating func detected(_ records: [DetectionRecord]) {}
  public mutating func nextControl() -> PlaybackControl? { nil }
  public mutating func changed(rate: Double, isPaused: Bool) {}
}

/// A simulated stall of the player, as if the operating system had preempted it.
public struct Stall: Hashable, Sendable {
  /// The start, from the start of the run, on the clock.
  public var at: Duration
  public var length: Duration

  public init(at: Duration, length: Duration) {
    self.at = at
    self.length = length
  }

  /// Parses a length and a start such as `100ms@5s`; nil = the text is no stall.
  package init?(text: String) {
    let times = text.split(separator: "@", omittingEmptySubsequences: false)
      .map { Quantity.duration(of: String($0)) }
    guard times.count == 2, let length = times[0], let start = times[1] else { return nil }
    self.init(at: start, length: length)
  }
}

/// Rate, passes and stalls of a paced run.
///
/// ```swift
/// PacingOptions.rates.contains(0)  // false
/// PacingOptions().rate  // 1.0
/// ```
public struct PacingOptions: Hashable, Sendable {
  /// The allowed rates: slower ones never end, faster ones never wait.
  public static let rates = 1e-6...1e9

  /// The rate in seconds of trace per second, within ``rates``.
  public var rate: Double
  /// The number of passes; nil = until the user stops.
  public var passes: Int?
  /// Whether to wait for a resume before the first step.
  public var startsPaused: Bool
  /// The stalls, in any order.
  public var stalls: [Stall]
  /// The time between the start of the run and the first step, so that the first step also has a
  /// wait.
  public var lead: Duration
  /// Whether the result contains the detections; the observer always receives them.
  public var keepsDetections: Bool

  public init(
    rate: Double = 1, passes: Int? = 1, startsPaused: Bool = false, stalls: [Stall] = [],
    lead: Duration = .milliseconds(20), keepsDetections: Bool = true
  ) {
    precondition(PacingOptions.rates.contains(rate))
    self.rate = rate
    self.passes = passes
    self.startsPaused = startsPaused
    self.stalls = stalls
    self.lead = lead
    self.keepsDetections = keepsDetections
  }
}

public struct PacedResult: Sendable, Equatable {
  /// The result of the last pass, which may be partial.
  public var last = RunResult()
  public var passes = 0
  /// Whether the user stopped the run before its end.
  public var wasStopped = false
  /// Whether the user seeked in the last pass, so that it is incomplete.
  public var wasSought = false
  /// Whether all complete passes have identical detections.
  public var passesAgree = true

  @usableFromInline init() {}
}

@usableFromInline
enum PassEnd {
  case finished, stopped
  case sought(TraceInstant)
}

/// Plays timelines at the pace of a clock: each step waits until it is due by the schedule, so a
/// late step delays only itself.
///
/// The detections equal those of a virtual run: detectors do not see the pace.
public struct PacedRun<Clock: PacingClock, Observer: PacingObserver> {
  @usableFromInline var clock: Clock
  @usableFromInline var watching: Observer
  @usableFromInline let options: PacingOptions
  /// Creates the run's streams from an instant on: for the start, each pass and each seek.
  @usableFromInline let makeTimeline: (_ from: TraceInstant) throws -> Timeline
  @usableFromInline let window: Range<TraceInstant>
  @usableFromInline var playback: PlaybackClock
  /// The stalls in nanoseconds of the clock.
  @usableFromInline var stalls: [(at: Int64, length: Int64)] = []
  @usableFromInline var records: [DetectionRecord] = []

  public var observer: Observer { watching }

  /// - Parameters:
  ///   - window: the part of the run's time to play; seeks stay within it.
  ///   - makeTimeline: creates the streams of arrivals from an instant of the window on.
  public init(
    _ options: PacingOptions = PacingOptions(), window: Range<TraceInstant>, clock: Clock,
    observer: Observer, makeTimeline: @escaping (_ from: TraceInstant) throws -> Timeline
  ) {
    self.clock = clock
    watching = observer
    self.options = options
    self.window = window
    self.makeTimeline = makeTimeline
    playback = PlaybackClock(rate: options.rate, instant: window.lowerBound, at: 0)
  }

  /// Plays until the end, or until the user stops it.
  @inlinable public mutating func play() throws -> PacedResult {
    var timeline = try makeTimeline(window.lowerBound)
    startClock(at: timeline.next ?? window.lowerBound)
    var result = PacedResult()
    var first: [DetectionRecord]?
    watching.stretchBegan()
    while true {
      var detections: [DetectionRecord] = []
      let end = try play(&timeline, into: &detections)
      result.last = timeline.result
      result.last.detections = detections
      switch end {
      case .stopped:
        result.wasStopped = true
        return result
      case .sought(let instant):
        result.wasSought = true
        timeline = try makeTimeline(instant)
        // Exclude the time that the creation took.
        playback.seek(to: instant, at: clock.now())
        watching.stretchBegan()
      case .finished:
        result.passes += 1
        if !result.wasSought {
          if let first, first != detections { result.passesAgree = false }
          first = first ?? detections
        }
        if let passes = options.passes, result.passes >= passes { return result }
        timeline = try makeTimeline(window.lowerBound)
        result.wasSought = false
        // The next pass follows the schedule, not the end of this pass.
        if let due = playback.due(window.upperBound) {
          playback.seek(to: timeline.next ?? window.lowerBound, at: due)
        }
        watching.stretchBegan()
      }
    }
  }

  @usableFromInline mutating func startClock(at instant: TraceInstant) {
    let start = clock.now().addingClamped(options.lead.nanoseconds)
    stalls = options.stalls.sorted { $0.at < $1.at }.map {
      (start.addingClamped($0.at.nanoseconds), $0.length.nanoseconds)
    }
    playback = PlaybackClock(rate: options.rate, instant: instant, at: start)
    if options.startsPaused { setPaused(true, at: start) }
  }

  // Specialised for the clock and the observer by the module that has them: unspecialised generic
  // code costs more than a step.
  @inlinable mutating func play(
    _ timeline: inout Timeline, into detections: inout [DetectionRecord]
  ) throws -> PassEnd {
    guard var packed = timeline.packed else { return try play(line: &timeline, into: &detections) }
    return try play(line: &packed, into: &detections)
  }

  @inlinable mutating func play<Line: PlayableTimeline>(
    line: inout Line, into detections: inout [DetectionRecord]
  ) throws -> PassEnd {
    var now = clock.now()
    while let next = line.next {
      if let control = watching.nextControl() {
        if let end = obey(control, now: clock.now()) { return end }
        continue
      }
      guard let due = playback.due(next) else {
        clock.wait(until: now.addingClamped(pausedWait))
        now = clock.now()
        continue
      }
      if let stall = stalls.first, stall.at <= max(due, now) {
        stand(still: stall)
        stalls.removeFirst()
        now = clock.now()
        continue
      }
      if now < due {
        clock.wait(until: due)
        now = clock.now()
        // The user may have ended the wait.
        if now < due { continue }
      }
      let began = now
      guard let step = try line.step(into: &records) else { break }
      now = clock.now(after: began)
      watching.stepped(timing(of: step, due: due, began: began, ended: now))
      if !records.isEmpty { passOn(into: &detections) }
    }
    return .finished
  }

  @inlinable
  func timing(of step: StreamStep, due: Int64, began: Int64, ended: Int64) -> StepTiming {
    let following = step.following.flatMap(playback.due)
    return StepTiming(
      step: step, due: due, began: began, ended: ended,
      isMissed: following.map { $0 < began } ?? false)
  }

  @inlinable mutating func passOn(into detections: inout [DetectionRecord]) {
    watching.detected(records)
    if options.keepsDetections { detections += records }
    records.removeAll(keepingCapacity: true)
  }

  /// The polling period of a paused replay if nothing ends its waits.
  @inlinable var pausedWait: Int64 { 50_000_000 }

  @usableFromInline func stand(still stall: (at: Int64, length: Int64)) {
    while clock.now() < stall.at { clock.wait(until: stall.at) }
    let end = clock.now().addingClamped(stall.length)
    while clock.now() < end { clock.wait(until: end) }
  }

  @usableFromInline mutating func obey(_ control: PlaybackControl, now: Int64) -> PassEnd? {
    switch control {
    case .stop: return .stopped
    case .togglePause: setPaused(!playback.isPaused, at: now)
    case .changeRate(let factor):
      let rate = playback.rate * factor
      guard PacingOptions.rates.contains(rate) else { return nil }
      playback.setRate(rate, at: now)
      watching.stretchBegan()
      watching.changed(rate: rate, isPaused: playback.isPaused)
    case .seek(let distance):
      let target = playback.instant(at: now).advanced(by: distance)
      let instant = min(max(target, window.lowerBound), window.upperBound)
      playback.seek(to: instant, at: now)
      return .sought(instant)
    }
    return nil
  }

  private mutating func setPaused(_ isPaused: Bool, at now: Int64) {
    if isPaused { playback.pause(at: now) } else { playback.resume(at: now) }
    watching.stretchBegan()
    watching.changed(rate: playback.rate, isPaused: isPaused)
  }
}
