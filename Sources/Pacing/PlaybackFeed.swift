package import Clocks
package import Foundation
package import Replay
import Synchronization
package import TraceModel

package struct LiveFigures: Sendable {
  package fileprivate(set) var instant = TraceInstant.zero
  package fileprivate(set) var rate: Double
  package fileprivate(set) var achieved: Double?
  package fileprivate(set) var isPaused = false
  /// The worst lateness since the last update, in nanoseconds.
  package fileprivate(set) var worstLateness: Int64 = 0
  package fileprivate(set) var events = 0
}

/// Carries records from the player's thread to the printing thread, and controls in the opposite
/// direction. The player never waits for slow printing.
package final class PlaybackFeed: Sendable {
  private struct State {
    var records: [DetectionRecord] = []
    var figures: LiveFigures?
    var controls: [PlaybackControl] = []
    var hasEnded = false
  }

  private let state = Mutex(State())
  private let hasControls = Atomic(false)
  private let news = DispatchSemaphore(value: 0)
  /// A byte in the pipe wakes the player; nil = there are no controls.
  package let attention: Pipe?

  package init(isInteractive: Bool) { attention = isInteractive ? Pipe() : nil }

  // MARK: The player's thread

  fileprivate func post(_ records: [DetectionRecord]) { update { $0.records += records } }
  fileprivate func post(_ figures: LiveFigures) { update { $0.figures = figures } }

  private func update(_ change: (inout State) -> Void) {
    state.withLock { change(&$0) }
    news.signal()
  }

  fileprivate func nextControl() -> PlaybackControl? {
    guard hasControls.load(ordering: .acquiring) else { return nil }
    return state.withLock { state in
      let control = state.controls.isEmpty ? nil : state.controls.removeFirst()
      if control != nil, let attention {
        _ = try? attention.fileHandleForReading.read(upToCount: 1)
      }
      hasControls.store(!state.controls.isEmpty, ordering: .releasing)
      return control
    }
  }

  // MARK: The printing thread

  package func request(_ control: PlaybackControl) {
    state.withLock { state in
      state.controls.append(control)
      hasControls.store(true, ordering: .releasing)
      try? attention?.fileHandleForWriting.write(contentsOf: [1])
    }
  }

  /// Waits for news, and returns the detections since the last call, the latest figures, and whether
  /// the playback has ended.
  package func next() -> (records: [DetectionRecord], figures: LiveFigures?, hasEnded: Bool) {
    news.wait()
    return state.withLock { state in
      defer {
        state.records.removeAll()
        state.figures = nil
      }
      return (state.records, state.figures, state.hasEnded)
    }
  }
}

extension PlaybackFeed {
  package typealias Played = (
    result: PacedResult, observer: FeedingObserver, wall: Duration, processor: ProcessorTime
  )

  /// A separate thread that plays timelines and ends the feed.
  /// - Parameters:
  ///   - terms: what to compare the timing with.
  ///   - showsFigures: whether to post live figures.
  package func player(
    _ options: PacingOptions, window: Range<TraceInstant>, clock: SystemClock, terms: TimingTerms,
    showsFigures: Bool,
    makeTimeline: @escaping @Sendable (_ from: TraceInstant) throws -> Timeline
  ) -> WorkerThread<Played> {
    WorkerThread { [self] in
      defer { update { $0.hasEnded = true } }
      SystemClock.sharpenWakeUps()
      var run = PacedRun(
        options, window: window, clock: clock,
        observer: FeedingObserver(
          feed: self, rate: options.rate, terms: terms, showsFigures: showsFigures),
        makeTimeline: makeTimeline)
      let watch = Stopwatch()
      let before = ProcessorTime.now
      let result = try run.play()
      return (result, run.observer, watch.elapsed, ProcessorTime.now - before)
    }
  }
}

/// Measures a run and posts it to the feed.
package struct FeedingObserver: PacingObserver, Sendable {
  package private(set) var timing: TimingRecorder
  private let feed: PlaybackFeed
  private let showsFigures: Bool
  package private(set) var figures: LiveFigures
  /// When to update the figures next, in nanoseconds of the clock.
  private var nextFigures = Int64.min
  /// Whether the rate was changed, which changes the period.
  package private(set) var hasChangedRate = false

  fileprivate init(feed: PlaybackFeed, rate: Double, terms: TimingTerms, showsFigures: Bool) {
    self.feed = feed
    timing = TimingRecorder(terms)
    self.showsFigures = showsFigures
    figures = LiveFigures(rate: rate)
  }

  package mutating func stretchBegan() { timing.beginStretch() }

  package mutating func stepped(_ timing: StepTiming) {
    self.timing.record(timing)
    guard showsFigures else { return }
    figures.worstLateness = max(figures.worstLateness, timing.lateness)
    guard timing.ended >= nextFigures else { return }
    nextFigures = timing.ended + 100_000_000
    figures.instant = timing.step.time
    figures.achieved = self.timing.achievedRate
    feed.post(figures)
    figures.worstLateness = 0
  }

  package mutating func detected(_ records: [DetectionRecord]) {
    figures.events += records.count
    feed.post(records)
  }

  package mutating func nextControl() -> PlaybackControl? { feed.nextControl() }

  package mutating func changed(rate: Double, isPaused: Bool) {
    if rate != figures.rate { hasChangedRate = true }
    figures.rate = rate
    figures.isPaused = isPaused
    feed.post(figures)
  }
}
