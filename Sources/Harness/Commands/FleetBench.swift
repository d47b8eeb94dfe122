import Diagnostics
import Pacing
import Replay
import Reports
import TraceModel

/// The runs of `bench`: one fleet, or the search for the largest.
struct FleetBench {
  let lanes: [FleetLane]
  let clock: SystemClock
  let stalls: [Stall]
  let limits: TimingLimits
  let seed: UInt64
  let duration: Duration
  let terminal: Terminal

  /// Runs one fleet. Returns the report and the text of its histograms.
  func single(_ devices: Int) throws -> (BenchReport, String) {
    try warmUp(devices)
    var report = BenchReport(lanes: lanes, seed: seed, duration: duration)
    let trial = try trial(devices, duration)
    guard trial.timing.deliveries > 0 else {
      throw Failure(
        .badData,
        "no reading of the recordings arrives within \(fixed(seconds(duration), 1)) s; choose a longer "
          + "--duration")
    }
    report.trials = [trial]
    return (report, trial.histograms)
  }

  /// Searches for the largest fleet with valid timing, starting with `devices`.
  func capacity(from devices: Int, limit: Int) throws -> (BenchReport, String) {
    try warmUp(devices)
    var report = BenchReport(lanes: lanes, seed: seed, duration: duration)
    var trials: [FleetTrialReport] = []
    var search = CapacitySearch(limit: limit) { devices in
      let trial = try trial(devices, duration)
      terminal.say(BenchReport.line(of: trial))
      trials.append(trial)
      return trial.timing.outcome == .valid
    }
    let capacity = try search.run(from: devices)
    report.capacity = capacity
    report.maxDevices = limit
    report.trials = trials
    return (report, trials.last { $0.devices == capacity }?.histograms ?? "")
  }

  /// The first run is slow: code is loaded and memory is touched.
  private func warmUp(_ devices: Int) throws {
    let fleet = Fleet(
      lanes: lanes, devices: min(devices, 100), duration: .milliseconds(200), seed: seed)
    _ = try FleetTrial(fleet, clock: clock, stalls: stalls)
  }

  private func trial(_ devices: Int, _ duration: Duration) throws -> FleetTrialReport {
    let fleet = Fleet(lanes: lanes, devices: devices, duration: duration, seed: seed)
    let ticker = ProgressTicker(over: duration, terminal, unit: "s with \(devices) devices")
    defer { ticker.stop() }
    return FleetTrialReport(try FleetTrial(fleet, clock: clock, stalls: stalls), limits: limits)
  }
}
