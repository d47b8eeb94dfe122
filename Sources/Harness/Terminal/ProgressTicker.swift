import Diagnostics
import Foundation
import Pacing
import Synchronization

/// Shows the progress of work whose length in time is known, from a thread of its own.
final class ProgressTicker: Sendable {
  private let isStopped = Mutex(false)
  private let terminal: Terminal

  /// Starts to show progress, if the terminal shows any.
  /// - Parameter unit: the text after `3/10`.
  init(over duration: Duration, _ terminal: Terminal, unit: String) {
    self.terminal = terminal
    guard terminal.showsLiveLine else { return }
    let watch = Stopwatch()
    Thread { [self] in
      while show(Self.steps(of: watch.elapsed, duration), unit) {
        // Milliseconds. It paces no replay, only what the person sees.
        poll(nil, 0, 200)
      }
    }.start()
  }

  /// Returns whether the work goes on.
  private func show(_ steps: (done: Int, total: Int), _ unit: String) -> Bool {
    isStopped.withLock { isStopped in
      if !isStopped { terminal.progress(steps.done, of: steps.total, unit) }
      return !isStopped
    }
  }

  /// The whole seconds that have passed, and those of the whole work.
  static func steps(of elapsed: Duration, _ duration: Duration) -> (done: Int, total: Int) {
    let total = max(1, Int(seconds(duration).rounded(.up)))
    return (min(total, Int(seconds(elapsed))), total)
  }

  /// Removes the progress line. Nothing is shown after that.
  func stop() {
    isStopped.withLock { $0 = true }
    terminal.endProgress()
  }
}
