import Foundation
import Pacing
import Replay
import TraceModel
import Evaluation

/// The result of a paced replay.
struct PlayedReplay: Sendable {
  var result: PacedResult
  var timing: TimingRecorder
  /// The number of events of all passes.
  var events: Int
  var hasChangedRate: Bool
  var wall: Duration
  var processor: ProcessorTime

  /// Returns a separate thread that plays the plan and ends the feed.
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
