import Foundation
import Pacing
import Replay
import TraceModel

/// What a replay plays: traces on one clock, a detector, and the part of the time.
struct ReplayPlan: Sendable {
  struct Device: Sendable {
    var trace: Trace
    /// Its zero on the run's axis.
    var start: TraceInstant
  }

  let devices: [Device]
  let detector: RegisteredDetector
  let choice: DetectorChoice
  let policy: ScriptedPolicy?
  /// Of the run's axis.
  let window: Range<TraceInstant>
  /// Whether the window cuts the traces' ends off.
  private let hasEnd: Bool

  /// - Throws: where nothing of the traces lies in the window.
  init(
    devices: [Device], detector: RegisteredDetector, choice: DetectorChoice,
    policy: ScriptedPolicy?, window: (start: TraceInstant, end: TraceInstant?)
  ) throws {
    self.devices = devices
    self.detector = detector
    self.choice = choice
    self.policy = policy
    let end =
      devices.map { $0.trace.header.end.advanced(byNanoseconds: $0.start.nanoseconds) }.max()
      ?? .zero
    guard window.start < end || end <= .zero && window.start == .zero else {
      throw CommandError(
        .wrongUse,
        "--start-offset \(fixed(window.start.seconds, 3)) s: the run ends at "
          + "\(fixed(end.seconds, 3)) s")
    }
    hasEnd = window.end.map { $0 < end } ?? false
    self.window = window.start..<max(window.start, min(window.end ?? end, end))
  }

  /// New streams of what arrives from an instant on, each with a detector that has seen nothing.
  func timeline(from instant: TraceInstant, blockSize: Int) throws -> Timeline {
    let options = RunOptions(blockSize: blockSize, policy: policy)
    return Timeline(
      try devices.enumerated().map { index, device in
        let source = MemorySource(part(of: device, from: instant))
        return try detector.stream(
          choice, on: ReplayDevice(DeviceID(index), source: source, start: device.start),
          options: options)
      })
  }

  private func part(of device: Device, from instant: TraceInstant) -> Trace {
    let start = TraceInstant(
      nanoseconds: instant.nanoseconds.subtractingClamped(device.start.nanoseconds))
    let end = TraceInstant(
      nanoseconds: window.upperBound.nanoseconds.subtractingClamped(device.start.nanoseconds))
    // A trace is played from its very first reading, whatever its time, and to its last.
    let from = instant == .zero ? TraceInstant(nanoseconds: .min) : start
    return device.trace.window(from: from, to: hasEnd ? end : TraceInstant(nanoseconds: .max))
  }

  /// How much of a device's trace lies in the window.
  func playedSeconds(of device: Device) -> Double {
    let start = max(window.lowerBound, device.start)
    let end = min(
      window.upperBound,
      device.trace.header.end.advanced(byNanoseconds: device.start.nanoseconds))
    return Double(max(0, start.nanoseconds(to: end))) / 1e9
  }

  /// Nanoseconds on the clock between two instants at which readings are due, in the median, of
  /// the device with the most; nil where there are no two.
  func period(at rate: Double) -> Double? {
    devices.flatMap { device in
      let played = part(of: device, from: window.lowerBound)
      return [detector.channel, .action].compactMap { played[$0]?.medianInterval }
    }.min().map { Double($0) / rate }
  }
}

/// What a paced replay came to.
struct PlayedReplay: Sendable {
  var result: PacedResult
  var timing: TimingRecorder
  /// Events of all passes.
  var events: Int
  var hasChangedRate: Bool
  var wall: Duration
  var processor: ProcessorTime

  /// Plays on a thread of its own, which nothing else holds up, and ends the feed when it has done.
  static func thread(
    _ options: PacingOptions, replay: ReplayPlan, clock: SystemClock, feed: PlaybackFeed,
    showsFigures: Bool
  ) -> WorkerThread<PlayedReplay> {
    WorkerThread {
      defer { feed.end() }
      SystemClock.sharpenWakeUps()
      var run = PacedRun(
        options, window: replay.window, clock: clock,
        observer: FeedingObserver(feed: feed, rate: options.rate, showsFigures: showsFigures)
      ) { try replay.timeline(from: $0, blockSize: .max) }
      let watch = Stopwatch()
      let before = ProcessorTime.now
      let result = try run.play()
      return PlayedReplay(
        result: result, timing: run.observer.timing,
        events: run.observer.figures.events, hasChangedRate: run.observer.hasChangedRate,
        wall: watch.elapsed,
        processor: ProcessorTime.now - before)
    }
  }
}
