import Foundation
import Pacing
import Replay
import Synchronization
import TraceModel

/// What a playing replay says at a glance.
struct LiveFigures: Sendable {
  var instant: TraceInstant
  /// Asked for, and achieved so far.
  var rate: Double
  var achieved: Double?
  var isPaused: Bool
  /// Nanoseconds; the worst since the last look.
  var worstLateness: Int64
  var events: Int
}

/// Carries what happens from the thread that plays to the one that prints, and what a person wants
/// the other way. Printing can be slow: the player never waits for it.
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
  /// Something to read wakes the player from a wait; nil = nobody will want anything.
  let attention: Pipe?

  init(isInteractive: Bool) {
    attention = isInteractive ? Pipe() : nil
  }

  // MARK: The player's side

  func post(_ records: [DetectionRecord]) {
    state.withLock { $0.records += records }
    news.signal()
  }

  func post(_ figures: LiveFigures) {
    state.withLock { $0.figures = figures }
    news.signal()
  }

  func end() {
    state.withLock { $0.hasEnded = true }
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

  // MARK: The other side

  func want(_ control: PlaybackControl) {
    state.withLock { state in
      state.controls.append(control)
      hasControls.store(true, ordering: .releasing)
      try? attention?.fileHandleForWriting.write(contentsOf: [1])
    }
  }

  /// Waits for news: detections since the last call, the newest figures, and whether it is over.
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

/// Measures a run, and tells the feed.
struct FeedingObserver: PacingObserver {
  private(set) var timing = TimingRecorder()
  private let feed: PlaybackFeed
  private let showsFigures: Bool
  private(set) var figures: LiveFigures
  private var nextFigures = Int64.min
  /// Whether somebody changed the rate, which the period follows from.
  private(set) var hasChangedRate = false

  /// - Parameter showsFigures: somebody looks at them.
  init(feed: PlaybackFeed, rate: Double, showsFigures: Bool) {
    self.feed = feed
    self.showsFigures = showsFigures
    figures = LiveFigures(
      instant: .zero, rate: rate, achieved: nil, isPaused: false, worstLateness: 0, events: 0)
  }

  mutating func stretchBegan() { timing.beginStretch() }

  mutating func stepped(_ timing: StepTiming) {
    self.timing.record(timing)
    guard showsFigures else { return }
    figures.worstLateness = max(figures.worstLateness, timing.lateness)
    guard timing.ended >= nextFigures else { return }
    nextFigures = timing.ended + FeedingObserver.interval
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

  /// Between two looks, in nanoseconds.
  private static var interval: Int64 { 100_000_000 }
}
