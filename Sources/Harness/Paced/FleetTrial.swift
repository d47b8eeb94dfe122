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
      timing, mode: clock.mode, rate: 1, period: Double(fleet.period), limits: limits,
      wall: outcome.wall, processor: outcome.processor)
    readingsPerSecond = Double(timing.deliveries) / seconds(outcome.wall)
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

/// Finds the largest fleet whose timing is valid.
struct CapacitySearch {
  /// All that was tried, in order.
  private(set) var trials: [FleetTrial] = []
  private let limit: Int
  private let precision: Double
  private let repeats: Int
  private let tell: (FleetTrial) -> Void
  private let attempt: (Int) throws -> FleetTrial

  /// - Parameters:
  ///   - precision: between the largest valid and the smallest invalid number, as a share.
  ///   - repeats: runs that the number found has to pass, all of them.
  init(
    limit: Int, precision: Double = 0.05, repeats: Int = 3,
    tell: @escaping (FleetTrial) -> Void, attempt: @escaping (Int) throws -> FleetTrial
  ) {
    self.limit = limit
    self.precision = precision
    self.repeats = repeats
    self.tell = tell
    self.attempt = attempt
  }

  /// Doubles from `first` until the timing is invalid, halves the interval between, and has the
  /// number found prove itself again; what fails there is too many. 0 = not even one device.
  mutating func run(from first: Int) throws -> Int {
    var valid = 0
    var invalid: Int?
    var next = min(first, limit)
    while true {
      if try passes(next) {
        valid = next
      } else {
        invalid = next
      }
      guard let candidate = self.next(valid: valid, invalid: invalid) else {
        if valid == 0 { return 0 }
        if try holds(valid) { return valid }
        // Too many after all: look below.
        invalid = valid
        valid = 0
        next = max(1, Int(Double(invalid ?? 1) * (1 - 2 * precision)))
        if next == invalid { return 0 }
        continue
      }
      next = candidate
    }
  }

  private func next(valid: Int, invalid: Int?) -> Int? {
    guard let invalid else { return valid < limit ? min(limit, 2 * valid) : nil }
    if valid == 0 { return invalid > 1 ? invalid / 2 : nil }
    let gap = invalid - valid
    return gap <= 1 || Double(gap) <= precision * Double(invalid) ? nil : valid + gap / 2
  }

  private mutating func holds(_ devices: Int) throws -> Bool {
    for _ in 1..<max(repeats, 1) where try !passes(devices) { return false }
    return true
  }

  private mutating func passes(_ devices: Int) throws -> Bool {
    let trial = try attempt(devices)
    trials.append(trial)
    tell(trial)
    return trial.timing.isValid
  }
}
