import AppEngines
import Detectors
import TraceModel

extension HikeEngine {
  /// Continues on another time axis. A wait, a pause and a budget go on with what was left of them:
  /// how long the restart took is not known.
  mutating func restartClock(
    epoch: WallTime, at now: TraceInstant, into effects: inout [Effect]
  ) {
    let shift = now.nanoseconds.subtractingClamped(clock.nanoseconds)
    self.epoch = epoch
    clock = now
    downloadSince = downloadSince.advanced(byNanoseconds: shift)
    outbox.restartClock(shiftedBy: shift)
    uploadBudget?.restartClock(shiftedBy: shift)
    pingBudget?.restartClock(shiftedBy: shift)
    walk?.detector.restartClock(shiftedBy: shift)
    // What was known of the wall clock held for the old axis.
    stamps = rules.clockPatience.map { StampClock(patience: $0) }
    effects.append(.save)
  }
}
