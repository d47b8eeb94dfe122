import Foundation
import Pacing
import Replay
import Synchronization
import TraceModel

/// The live figures of a playback.
struct LiveFigures: Sendable {
  var instant = TraceInstant.zero
  /// The requested rate.
  var rate: Double
  /// The rate so far.
  var achieved: Double?
  var isPaused = false
  /// The worst lateness since the last update, in nanoseconds.
  var worstLateness: Int64 = 0
  var events = 0
}

/// Carries records from the player's thread to the printing thread, and controls in the opposite
/// direction. The player never waits for slow printing.
final class PlaybackFeed: Sendable {
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
  let attention: Pipe?

  init(isInteractive: Bool) {
    attention = isInteractive ? Pipe() : nil
  }

  // MARK: The player's thread

  func post(_ records: [DetectionRecord]) { tell { $0.records += records } }
  func post(_ figures: LiveFigures) { tell { $0.figures = figures } }
  func end() { tell { $0.hasEnded = true } }

  private func tell(_ change: (inout State) -> Void) {
    state.withLock { change(&$0) }
    news.signal()
  }

  func nextControl() -> PlaybackControl? {
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

  func request(_ control: PlaybackControl) {
    state.withLock { state in
      state.controls.append(control)
      hasControls.store(true, ordering: .releasing)
      try? attention?.fileHandleForWriting.write(contentsOf: [1])
    }
  }

  /// Waits for news, and returns the detections since the last call, the latest figures, and whether
  /// the playback has ended.
  func next() -> (records: [DetectionRecord], figures: LiveFigures?, hasEnded: Bool) {
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

/// Measures a run and posts it to the feed.
struct FeedingObserver: PacingObserver, Sendable {
  private(set) var timing = TimingRecorder()
  private let feed: PlaybackFeed
  private let showsFigures: Bool
  private(set) var figures: LiveFigures
  /// When to update the figures next, in nanoseconds of the clock.
  private var nextFigures = Int64.min
  /// Whether the rate was changed, which changes the period.
  private(set) var hasChangedRate = false

  /// - Parameter showsFigures: whether to post live figures.
  init(feed: PlaybackFeed, rate: Double, showsFigures: Bool) {
    self.feed = feed
    self.showsFigures = showsFigures
    figures = LiveFigures(rate: rate)
  }

  mutating func stretchBegan() { timing.beginStretch() }

  mutating func stepped(_ timing: StepTiming) {
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

  mutating func detected(_ records: [DetectionRecord]) {
    figures.events += records.count
    feed.post(records)
  }

  mutating func nextControl() -> PlaybackControl? { feed.nextControl() }

  mutating func changed(rate: Double, isPaused: Bool) {
    if rate != figures.rate { hasChangedRate = true }
    figures.rate = rate
    figures.isPaused = isPaused
    feed.post(figures)
  }
}
