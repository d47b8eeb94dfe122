import Synchronization

/// The progress of a tuning, in steps whose total is known in advance.
///
/// A stage that needs fewer steps than expected counts as complete when it ends. So the progress
/// never stands still before the end and reaches the total exactly.
final class TuningProgress: Sendable {
  private struct State {
    var done = 0
    /// The number of done steps at the end of the stage.
    var end = 0
  }

  private let state = Mutex(State())
  private let total: Int
  private let report: @Sendable (_ done: Int, _ total: Int) -> Void

  init(total: Int, report: @escaping @Sendable (_ done: Int, _ total: Int) -> Void) {
    self.total = total
    self.report = report
  }

  /// Reports nothing.
  static var silent: TuningProgress { TuningProgress(total: 0) { _, _ in } }

  /// Begins a stage of at most `steps` steps.
  func begin(_ steps: Int) { state.withLock { $0.end = min(total, $0.done + steps) } }

  func step() { move { min($0.end, $0.done + 1) } }

  /// Ends the stage, however many steps it made.
  func end() { move { $0.end } }

  private func move(_ next: @Sendable (State) -> Int) {
    let done = state.withLock { state -> Int? in
      let next = next(state)
      guard next > state.done else { return nil }
      state.done = next
      return next
    }
    if let done { report(done, total) }
  }
}
