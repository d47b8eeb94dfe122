public import TraceModel

/// A clock that can be waited for. The system's clock is one; a test's clock shows what the test
/// says.
public protocol PacingClock {
  /// Nanoseconds from any origin; never goes back.
  func now() -> Int64
  /// Returns when the clock shows `instant` or more; earlier where a person has something to say,
  /// which ``PacingObserver/nextControl()`` then tells.
  func wait(until instant: Int64)
}

/// What a person does with a replay that plays.
public enum PlaybackControl: Hashable, Sendable {
  /// Stops the time, or lets it go on.
  case togglePause
  /// So far forwards, or backwards where negative. The detectors begin anew there.
  case seek(by: Duration)
  /// So many times as fast as now.
  case changeRate(by: Double)
  case stop
}

/// When a step was due and when it was made, in nanoseconds of the run's clock.
public struct StepTiming: Hashable, Sendable {
  /// What was done.
  public var step: StreamStep
  /// When it was due by the schedule.
  public var due: Int64
  /// When the step's delivery began.
  public var began: Int64
  /// When the detector had done with it.
  public var ended: Int64
  /// Whether it came later than its channel's next readings were due.
  public var isMissed: Bool

  public init(step: StreamStep, due: Int64, began: Int64, ended: Int64, isMissed: Bool) {
    self.step = step
    self.due = due
    self.began = began
    self.ended = ended
    self.isMissed = isMissed
  }

  /// How late it was delivered.
  public var lateness: Int64 { began - due }
  /// What the detector took.
  public var service: Int64 { ended - began }
  /// From when it was due to when it was done: a stall shows in every step that it delayed.
  public var response: Int64 { ended - due }
}

/// Is told what a paced run does, while it does it.
public protocol PacingObserver {
  /// The schedule begins anew: with a pass, after a jump, at the end of a pause, at another rate.
  mutating func stretchBegan()
  /// A step was made.
  mutating func stepped(_ timing: StepTiming)
  /// Something was detected, in the order of the run.
  mutating func detected(_ records: [DetectionRecord])
  /// What a person wants since the last call; asked before each step and whenever a wait ends.
  mutating func nextControl() -> PlaybackControl?
  /// Whether the replay is paused, and how fast it is otherwise.
  mutating func changed(rate: Double, isPaused: Bool)
}

extension PacingObserver {
  public mutating func stretchBegan() {}
  public mutating func stepped(_ timing: StepTiming) {}
  public mutating func detected(_ records: [DetectionRecord]) {}
  public mutating func nextControl() -> PlaybackControl? { nil }
  public mutating func changed(rate: Double, isPaused: Bool) {}
}

/// The player itself stands still for a while, as if the machine had taken the processor away.
public struct Stall: Hashable, Sendable {
  /// From the run's start, on the clock.
  public var at: Duration
  /// How long.
  public var length: Duration

  public init(at: Duration, length: Duration) {
    self.at = at
    self.length = length
  }
}

/// How a paced run is played.
public struct PacingOptions: Hashable, Sendable {
  /// Within which a rate must lie: slower ones never end, faster ones wait for nothing.
  public static let rates = 1e-6...1e9

  /// Seconds of trace in a second, within ``rates``.
  public var rate: Double
  /// Times that the traces are played; nil = until somebody stops it.
  public var passes: Int?
  /// Waits to be told to go on before the first step.
  public var startsPaused: Bool
  /// In any order.
  public var stalls: [Stall]
  /// Between the start of the run and the first step, so that it too is waited for.
  public var lead: Duration
  /// Whether the result has the detections; the observer is told of them in any case.
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

/// What a paced run came to.
public struct PacedResult: Sendable, Equatable {
  /// Of the last pass, or of what was played of it.
  public var last: RunResult
  /// Passes that were played to their end.
  public var passes: Int
  /// Somebody stopped it before the end.
  public var wasStopped: Bool
  /// Somebody jumped in the last pass: it is no whole.
  public var wasSought: Bool
  /// Whether all whole passes detected the same.
  public var passesAgree: Bool
}

/// Plays timelines at the pace of a clock: each step waits until it is due, which is told by the
/// schedule alone, so a step that is late delays nothing but itself.
///
/// What is detected is what a virtual run detects: the pace is not seen by the detectors.
public struct PacedRun<Clock: PacingClock, Observer: PacingObserver> {
  private let clock: Clock
  /// As it stands; after the run, with all that it was told.
  public private(set) var observer: Observer
  private let options: PacingOptions
  /// Makes the run's streams anew from an instant on: for the start, each pass and each jump.
  private let makeTimeline: (_ from: TraceInstant) throws -> Timeline
  private let window: Range<TraceInstant>
  private var playback: PlaybackClock
  private var stalls: [(at: Int64, length: Int64)]
  private var records: [DetectionRecord] = []

  /// - Parameters:
  ///   - window: what is played of the run's time; jumps stay within it.
  ///   - makeTimeline: streams of what arrives from an instant of the window on.
  public init(
    _ options: PacingOptions = PacingOptions(), window: Range<TraceInstant>, clock: Clock,
    observer: Observer, makeTimeline: @escaping (_ from: TraceInstant) throws -> Timeline
  ) {
    self.clock = clock
    self.observer = observer
    self.options = options
    self.window = window
    self.makeTimeline = makeTimeline
    playback = PlaybackClock(rate: options.rate, instant: window.lowerBound, at: 0)
    stalls = []
  }

  private enum PassEnd {
    case finished, stopped
    case sought(TraceInstant)
  }

  /// Plays until the end, or until somebody stops it.
  public mutating func play() throws -> PacedResult {
    var timeline = try makeTimeline(window.lowerBound)
    let start = clock.now().addingClamped(options.lead.nanoseconds)
    stalls = options.stalls.sorted { $0.at < $1.at }.map {
      (start.addingClamped($0.at.nanoseconds), $0.length.nanoseconds)
    }
    playback = PlaybackClock(
      rate: options.rate, instant: timeline.next ?? window.lowerBound, at: start)
    if options.startsPaused { setPaused(true, at: start) }
    var result = PacedResult(
      last: RunResult(), passes: 0, wasStopped: false, wasSought: false, passesAgree: true)
    var first: [DetectionRecord]?
    observer.stretchBegan()
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
        // Making it took a while that was not played.
        playback.seek(to: instant, at: clock.now())
        observer.stretchBegan()
      case .finished:
        result.passes += 1
        if !result.wasSought {
          if let first, first != detections { result.passesAgree = false }
          first = first ?? detections
        }
        if let passes = options.passes, result.passes >= passes { return result }
        timeline = try makeTimeline(window.lowerBound)
        result.wasSought = false
        // The next pass follows on the schedule, not on when this one was done.
        if let due = playback.due(window.upperBound) {
          playback.seek(to: timeline.next ?? window.lowerBound, at: due)
        }
        observer.stretchBegan()
      }
    }
  }

  private mutating func play(
    _ timeline: inout Timeline, into detections: inout [DetectionRecord]
  ) throws -> PassEnd {
    var now = clock.now()
    while let next = timeline.next {
      if let control = observer.nextControl() {
        if let end = obey(control, now: clock.now()) { return end }
        continue
      }
      guard let due = playback.due(next) else {
        clock.wait(until: now.addingClamped(PacedRun.pausedWait))
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
        // A person may have ended the wait.
        if now < due { continue }
      }
      let began = now
      guard let step = try timeline.step(into: &records) else { break }
      now = clock.now()
      let following = step.following.flatMap(playback.due)
      observer.stepped(
        StepTiming(
          step: step, due: due, began: began, ended: now,
          isMissed: following.map { $0 < began } ?? false))
      if !records.isEmpty {
        observer.detected(records)
        if options.keepsDetections { detections += records }
        records.removeAll(keepingCapacity: true)
      }
    }
    return .finished
  }

  /// How often a paused replay looks whether it is to go on where nothing ends its waits.
  private static var pausedWait: Int64 { 50_000_000 }

  private func stand(still stall: (at: Int64, length: Int64)) {
    while clock.now() < stall.at { clock.wait(until: stall.at) }
    let end = clock.now().addingClamped(stall.length)
    while clock.now() < end { clock.wait(until: end) }
  }

  private mutating func obey(_ control: PlaybackControl, now: Int64) -> PassEnd? {
    switch control {
    case .stop: return .stopped
    case .togglePause: setPaused(!playback.isPaused, at: now)
    case .changeRate(let factor):
      let rate = playback.rate * factor
      guard PacingOptions.rates.contains(rate) else { return nil }
      playback.setRate(rate, at: now)
      observer.stretchBegan()
      observer.changed(rate: rate, isPaused: playback.isPaused)
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
    observer.stretchBegan()
    observer.changed(rate: playback.rate, isPaused: isPaused)
  }
}
