import Foundation
import Pacing
import Replay
import TraceModel

/// One run of a fleet in real time: how many devices, and how well it went.
struct FleetTrial: Encodable, Sendable {
  var devices: Int
  var timing: TimingReport
  /// Readings a second, of all devices.
  var readingsPerSecond: Double
  var detections: Int
  /// As text, for nobody reads it from the JSON.
  let histograms: String

  private enum CodingKeys: String, CodingKey {
    case devices, timing, readingsPerSecond, detections
  }

  /// Runs the fleet on a thread of its own and waits for it.
  init(
    _ fleet: Fleet, clock: SystemClock, limits: TimingLimits, stalls: [Stall] = []
  ) throws {
    let thread = WorkerThread { () -> Outcome in
      SystemClock.sharpenWakeUps()
      let options = PacingOptions(stalls: stalls, keepsDetections: false)
      let window = TraceInstant.zero..<TraceInstant.zero.advanced(by: fleet.duration)
      // Made before the run: thousands of streams take a while.
      let timeline = try fleet.timeline()
      var run = PacedRun(options, window: window, clock: clock, observer: FleetObserver()) { _ in
        timeline
      }
      let watch = Stopwatch()
      let before = ProcessorTime.now
      _ = try run.play()
      return Outcome(
        observer: run.observer, wall: watch.elapsed, processor: ProcessorTime.now - before)
    }
    thread.start()
    let outcome = try thread.wait()
    let timing = outcome.observer.timing
    devices = fleet.devices
    detections = outcome.observer.detections
    histograms = timing.histogramText
    self.timing = TimingReport(
      timing, mode: clock.mode, rate: 1, period: fleet.period.map(Double.init), limits: limits,
      wall: outcome.wall, processor: outcome.processor)
    readingsPerSecond = Double(timing.deliveries) / seconds(fleet.duration)
  }

  private struct Outcome: Sendable {
    var observer: FleetObserver
    var wall: Duration
    var processor: ProcessorTime
  }
}

private struct FleetObserver: PacingObserver, Sendable {
  var timing = TimingRecorder()
  var detections = 0

  mutating func stepped(_ timing: StepTiming) { self.timing.record(timing) }
  mutating func detected(_ records: [DetectionRecord]) { detections += records.count }
}
