package import Clocks
import Diagnostics
package import Replay
import TraceModel

extension SystemClock: PacingClock {}

/// One run of a fleet in real time: how many devices, and how well it went.
package struct FleetTrial: Sendable {
  package var devices: Int
  package var timing: TimingRecorder
  package var mode: PacingMode
  package var wall: Duration
  package var processor: ProcessorTime
  /// Readings per second, of all devices.
  package var readingsPerSecond: Double
  package var detections: Int

  /// Runs the fleet on a thread of its own and waits for it.
  /// - Parameter tick: called about five times per second meanwhile.
  package init(
    _ fleet: Fleet, clock: SystemClock, stalls: [Stall] = [],
    limits: TimingLimits = TimingLimits(),
    tick: (_ elapsed: Duration) -> Void = { _ in }
  ) throws {
    let terms = TimingTerms(limits: limits, periods: fleet.periods, devices: fleet.devices)
    let thread = WorkerThread { () -> Outcome in
      SystemClock.sharpenWakeUps()
      let options = PacingOptions(stalls: stalls, keepsDetections: false)
      let window = TraceInstant.zero..<TraceInstant.zero.advanced(by: fleet.duration)
      // Made before the run: thousands of streams take a while. Passed on and not kept, so that the
      // first step does not copy it.
      var made: Timeline? = try fleet.timeline()
      let observer = FleetObserver(timing: TimingRecorder(terms))
      var run = PacedRun(options, window: window, clock: clock, observer: observer) { _ in
        defer { made = nil }
        return try made ?? fleet.timeline()
      }
      let watch = Stopwatch()
      let before = ProcessorTime.now
      _ = try run.play()
      return Outcome(
        observer: run.observer, wall: watch.elapsed, processor: ProcessorTime.now - before)
    }
    try thread.start()
    let outcome = try thread.wait(tick)
    devices = fleet.devices
    timing = outcome.observer.timing
    mode = clock.mode
    wall = outcome.wall
    processor = outcome.processor
    detections = outcome.observer.detections
    readingsPerSecond = Double(timing.deliveries) / seconds(fleet.duration)
  }

  private struct Outcome: Sendable {
    var observer: FleetObserver
    var wall: Duration
    var processor: ProcessorTime
  }
}

private struct FleetObserver: PacingObserver, Sendable {
  var timing: TimingRecorder
  var detections = 0

  mutating func stepped(_ timing: StepTiming) { self.timing.record(timing) }
  mutating func detected(_ records: [DetectionRecord]) { detections += records.count }
}
