import ArgumentParser
import Clocks
import Detectors
import Diagnostics
import Evaluation
import Files
import Pacing
import Replay
import Reports
import TraceModel

struct BenchCommand: WritingCommand {
  static let configuration = CommandConfiguration.withExitCodes(
    commandName: "bench",
    abstract: "Drives a fleet of simulated devices in real time and reports its timing.",
    discussion: """
      Each device has a stream and a detector for each kind of channel: motion, positions, \
      heartbeats. With --detector, it has this detector alone. Devices start at different places of \
      the recordings and at different times. One thread drives them all.

      EXAMPLES:
        shadowbox bench --devices 100 --mode sleep-then-spin
        shadowbox bench --find-capacity
        shadowbox bench --detector punch/hitThat --devices 1000
        shadowbox bench recordings/*.h5 --devices 1000 --format json
      """)

  @Argument(
    help: .init(
      "Native traces to play, or folders of them. Default: synthetic traces.", valueName: "trace"))
  var traces: [String] = []

  @OptionGroup(title: "Detector") var detector: DetectorOptions

  @Option(help: "The number of devices.")
  var devices = 100

  @Option(help: .init("The length of a run, e.g. 10s.", valueName: "time"))
  var duration = "10s"

  @Flag(help: "Find the largest number of devices with valid timing, in 5 searches.")
  var findCapacity = false

  @Option(help: "With --find-capacity: the largest number of devices to try.")
  var maxDevices = 200_000

  @OptionGroup(title: "Pace") var waiting: WaitingOptions

  @Option(help: .init("Stop the player for a while, e.g. 100ms@5s.", valueName: "time@time"))
  var stall: [String] = []

  @Option(help: "The seed of the places in the recordings at which devices start.")
  var seed: UInt64 = 1

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case table, json
  }

  @Option(help: "The format of the result.")
  var format = Format.table

  @OptionGroup var writing: WritingOptions

  func run() async throws {
    let length = try checkedLength()
    let traces = try TracePath.nativeTraces(self.traces)
    let bench = FleetBench(
      lanes: try lanes(from: traces, length: length), clock: try waiting.clock(),
      stalls: try stalls(within: length), limits: try waiting.limits(), seed: seed,
      duration: length, terminal: terminal)
    let timingFile = try waiting.timing.map {
      try outputFiles.checked($0, .timing, inputs: traces + detector.files)
    }
    let (report, histograms) =
      try findCapacity ? bench.capacity(from: devices, limit: maxDevices) : bench.single(devices)
    try StandardOutput.write(
      format == .json
        ? jsonDocument(report, .bench, inputs: .files(traces))
        : OutputTerminal.screen.wrapped(report.text, indent: 2))
    if let timingFile { try outputFiles.prepared(histograms, at: timingFile).commit() }
    if !report.isValid { try ExitStatus.timingInvalid.end() }
  }

  /// The length of a run.
  /// - Throws: also if another option has a wrong value.
  private func checkedLength() throws -> Duration {
    let counts = 1...1_000_000
    try requireUse(
      counts.contains(devices) && counts.contains(maxDevices),
      "--devices and --max-devices: expected 1 to 1000000")
    return try parsed(duration, of: "--duration", "a time from 100ms, e.g. 10s") { text in
      Quantity.duration(of: text).flatMap { $0 >= .milliseconds(100) ? $0 : nil }
    }
  }

  private func stalls(within length: Duration) throws -> [Stall] {
    try stall.map { text in
      let stall = try parseStall(text)
      try requireUse(stall.at <= length, "--stall \(text): the run ends after \(duration)")
      return stall
    }
  }

  private func lanes(from files: [String], length: Duration) throws -> [FleetLane] {
    let traces =
      try files.isEmpty
      ? syntheticTraces(length) : files.map { try NativeTraceLoader().load($0).trace }
    let gravity = try detector.gravityParameters()
    guard detector.isNamed else {
      return try FleetLane.builtIn(on: traces, gravity: gravity, length: length)
    }
    let choice = try detector.choice(for: traces[0].header)
    let named = try Harness.registry.detector(named: choice.detector)
    return [try FleetLane(choice, of: named, on: traces, gravity: gravity, length: length)]
  }
}

/// The runs of `bench`: one fleet, or the search for the largest.
private struct FleetBench {
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
    let trial = try trial(devices)
    try requireData(
      trial.timing.deliveries > 0,
      "no reading of the recordings arrives within \(fixed(seconds(duration), 1)) s; choose a longer "
        + "--duration")
    var report = BenchReport(lanes: lanes, seed: seed, duration: duration)
    report.trials = [trial]
    return (report, trial.histograms)
  }

  /// Searches several times for the largest fleet with valid timing, starting with `devices`.
  func capacity(from devices: Int, limit: Int) throws -> (BenchReport, String) {
    try warmUp(devices)
    var report = BenchReport(lanes: lanes, seed: seed, duration: duration)
    var search = CapacitySearch(limit: limit) { devices in
      let trial = try trial(devices)
      terminal.say(BenchReport.line(of: trial))
      report.trials.append(trial)
      // Few devices have few deliveries: the search goes on, and the report has the verdict.
      return [.valid, .insufficient].contains(trial.timing.outcome)
    }
    let estimate = try search.repeated(from: devices)
    report.capacity = estimate
    return (report, report.trials.last { $0.devices == estimate.capacity }?.histograms ?? "")
  }

  /// The first run is slow: code is loaded and memory is touched.
  private func warmUp(_ devices: Int) throws {
    let fleet = Fleet(
      lanes: lanes, devices: min(devices, 100), duration: .milliseconds(200), seed: seed)
    _ = try FleetTrial(fleet, clock: clock, stalls: stalls)
  }

  private func trial(_ devices: Int) throws -> FleetTrialReport {
    let fleet = Fleet(lanes: lanes, devices: devices, duration: duration, seed: seed)
    defer { terminal.endProgress() }
    let trial = try FleetTrial(fleet, clock: clock, stalls: stalls, limits: limits) {
      terminal.progress($0, of: duration, "s with \(devices) devices")
    }
    return FleetTrialReport(trial)
  }
}
