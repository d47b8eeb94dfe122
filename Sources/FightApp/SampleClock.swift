import AppEngines
import TraceModel

/// The times of a sensor's samples on the phone's monotonic clock, from the stamps of its wall
/// clock.
///
/// A ``StampClock`` corrects the stamps. When the wall clock is set back, it needs half a second to
/// tell that from late samples. Samples of one sensor come in order, so until then a sample that
/// seems to be far before the last one is placed after it by their arrivals: a swing is not cut in
/// two. The stamps of an exact clock are returned unchanged.
struct SampleClock: Hashable, Sendable, Codable {
  /// Samples come within milliseconds, so a lag of half a second is a clock that was set back.
  private var stamps = StampClock(patience: 0.5)
  private var lastTime = Int64.min
  private var lastArrival = Int64.min

  mutating func time(of stamp: TraceInstant, arrived now: TraceInstant) -> TraceInstant {
    var time = stamps.time(of: stamp, arrived: now).nanoseconds
    if time < lastTime.subtractingClamped(StampClock.tolerance) {
      let passed = max(0, now.nanoseconds.subtractingClamped(lastArrival))
      time = min(lastTime.addingClamped(passed), now.nanoseconds)
    }
    (lastTime, lastArrival) = (time, now.nanoseconds)
    return TraceInstant(nanoseconds: time)
  }
}
