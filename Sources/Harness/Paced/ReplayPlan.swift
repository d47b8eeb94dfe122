import Foundation
import Pacing
import Replay
import TraceModel

/// What can be played at the pace of a clock.
protocol PlayablePlan: Sendable {
  associatedtype Line: PlayableTimeline

  var played: PlayedTraces { get }
  /// By which the period of the readings is measured.
  var channels: [Channel] { get }
  /// New streams of what arrives from an instant on, with nothing seen before it.
  func timeline(from instant: TraceInstant, blockSize: Int) throws -> Line
}

/// What a replay plays: traces on one clock, a detector, and the part of the time.
struct ReplayPlan: PlayablePlan {
  let played: PlayedTraces
  let detector: RegisteredDetector
  let choice: DetectorChoice
  let policy: ScriptedPolicy?

  var channels: [Channel] { [detector.channel, .action] }

  func timeline(from instant: TraceInstant, blockSize: Int) throws -> Timeline {
    let options = RunOptions(blockSize: blockSize, policy: policy)
    return Timeline(
      try played.parts(from: instant).map { try detector.stream(choice, on: $0, options: options) })
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
    _ options: PacingOptions, plan: some PlayablePlan, clock: SystemClock, feed: PlaybackFeed,
    showsFigures: Bool
  ) -> WorkerThread<PlayedReplay> {
    WorkerThread {
      defer { feed.end() }
      SystemClock.sharpenWakeUps()
      var run = PacedRun(
        options, window: plan.played.window, clock: clock,
        observer: FeedingObserver(feed: feed, rate: options.rate, showsFigures: showsFigures)
      ) { Timeline(playing: try plan.timeline(from: $0, blockSize: .max)) }
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
