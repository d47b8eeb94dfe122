import ArgumentParser
import Clocks
import Detectors
import Diagnostics
import Evaluation
import Files
import Pacing
import Replay
import Reports
import Synthesis
import TraceModel

struct BenchCommand: WritingCommand, DetectingCommand {
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
    help: .init("Native traces to play, or folders of them. Default: synthetic traces.", "trace"))
  var traces: [String] = []

  @OptionGroup(title: "Detector") var detector: DetectorOptions
  @Option(help: "The number of devices.") var devices = 100
  @Option(help: .init("The length of a run, e.g. 10s.", "time")) var duration = "10s"

  @Flag(help: "Find the largest number of devices with valid timing, in 5 searches.")
  var findCapacity = false

  @Option(help: "With --find-capacity: the largest number of devices to try.")
  var maxDevices = 200_000

  @OptionGroup(title: "Pace") var waiting: WaitingOptions

  @Option(help: .init("Stop the player for a while, e.g. 100ms@5s.", "time@time"))
  var stall: [String] = []

  @Option(help: "The seed of the places in the recordings at which devices start.")
  var seed: UInt64 = 1

  @Option(help: "The format of the result.") var format = DocumentFormat.table
  @OptionGroup var writing: WritingOptions

  func run(_ registry: DetectorRegistry) async throws {
    let length = try checkedLength()
    let traces = try TracePath.nativeTraces(self.traces)
    let bench = FleetBench(
      lanes: try lanes(from: traces, length: length, registry), clock: try waiting.clock(),
      stalls: try stalls(within: length), limits: try waiting.limits(), seed: seed,
      duration: length, terminal: terminal)
    let timingFile = try outputFiles.checked(
      waiting.timing, .timing, inputs: traces + detector.files)
    let (report, histograms) =
      try findCapacity ? bench.capacity(from: devices, limit: maxDevices) : bench.single(devices)
    try StandardOutput.write(
      format == .json
        ? jsonDocument(report, .bench, inputs: .files(traces))
        : OutputTerminal.screen.wrapped(report.text, indent: 2), as: format.output)
    if let timingFile { try outputFiles.prepared(histograms, at: timingFile).commit() }
    if !report.isValid { try ExitStatus.timingInvalid.end() }
  }

  /// - Throws: also if another option has a wrong value.
  private func checkedLength() throws -> Duration {
    try require(devices, "--devices", in: 1...1_000_000)
    try require(maxDevices, "--max-devices", in: 1...1_000_000)
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

  private func lanes(
    from files: [String], length: Duration, _ registry: DetectorRegistry
  ) throws -> [FleetLane] {
    let traces =
      try files.isEmpty
      ? syntheticTraces(length) : files.map { try NativeTraceLoader().load($0).trace }
    let gravity = try detector.gravityParameters()
    guard detector.isNamed else {
      return try FleetLane.builtIn(registry, on: traces, gravity: gravity, length: length)
    }
    let choice = try detector.choice(for: traces[0].header, registry)
    let named = try registry.detector(named: choice.detector)
    return [try FleetLane(choice, of: named, on: traces, gravity: gravity, length: length)]
  }

  /// The traces that `bench` plays if none are named: the punches of three people, a route with
  /// places, and heartbeats.
  private func syntheticTraces(_ length: Duration) throws(TraceError) -> [Trace] {
    let motion = min(max(seconds(length) * 2, 60), 3600)
    let specs = try (1...3).map { subject throws(TraceError) in
      try ScenarioSpec(kind: .punches, subject: subject, seed: UInt64(subject), duration: motion)
    }
    return try (specs + [ScenarioSpec(kind: .route)]).map(Synthesizer.trace)
      + [Synthesizer.heartbeats(duration: motion)]
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
      "no reading arrives within \(fixed(seconds(duration), 1)) s; choose a longer --duration")
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

extension FleetLane {
  /// A lane for each built-in detector that some of the traces are for.
  static func builtIn(
    _ registry: DetectorRegistry, on traces: [Trace], gravity: GravityFilter.Parameters?,
    length: Duration
  ) throws -> [FleetLane] {
    let names = [
      PunchDetector.name, CheckInDetector.name, TrackDetector.name, PresenceDetector.name,
      TileDragDetector.name,
    ]
    let lanes = try names.compactMap { name -> FleetLane? in
      let detector = try registry.detector(named: name)
      let needsPlaces = name == CheckInDetector.name
      let fitting = traces.filter {
        detector.channel != .location || $0.header.places.isEmpty != needsPlaces
      }
      let recordings = readable(fitting, by: detector, gravity)
      guard !recordings.isEmpty else { return nil }
      return try FleetLane(
        DetectorChoice(detector: name, preset: "default"), of: detector, on: recordings,
        gravity: gravity, length: length)
    }
    try requireData(
      !lanes.isEmpty,
      "the traces have no channel that a built-in detector reads; name a detector with --detector")
    return lanes
  }

  /// The lane of one detector, on the traces that have its channel.
  init(
    _ choice: DetectorChoice, of detector: AnyDetector, on traces: [Trace],
    gravity: GravityFilter.Parameters?, length: Duration
  ) throws {
    try requireUse(
      !detector.isExternal,
      "\(choice.detector): bench cannot run other programs in real time; run --full and gate measure their time"
    )
    let recordings = Self.readable(traces, by: detector, gravity)
    try requireData(
      !recordings.isEmpty,
      "expected channel \(detector.channel.name), which \(choice.title) reads, in a trace, found none"
    )
    for trace in recordings { try Self.check(trace, of: detector.channel, for: length) }
    self.init(channel: detector.channel, detector: choice.title, recordings: recordings) {
      try detector.bound(choice, for: $0.source.header).stream(on: $0, options: $1)
    }
  }

  /// The traces without gravity that have at least two readings of the detector's channel.
  private static func readable(
    _ traces: [Trace], by detector: AnyDetector, _ gravity: GravityFilter.Parameters?
  ) -> [Trace] {
    traces.map { trace in
      var trace = trace
      if detector.channel == .userAcceleration, trace[.userAcceleration] == nil {
        trace.removeGravity(gravity ?? GravityFilter.Parameters())
      }
      return trace
    }.filter { ($0.header.info(detector.channel)?.count ?? 0) > 1 }
  }

  /// Checks that a recording is in order and as long as the run: a device without readings is no load.
  private static func check(_ trace: Trace, of channel: Channel, for length: Duration) throws {
    let header = trace.header
    try requireData(
      trace[channel]?.isInOrder ?? true,
      "\(header.id): /\(channel.name): arrival times go back; reorder it with convert --sort")
    try requireData(
      header.duration >= length,
      "\(header.id): lasts \(fixed(header.end.seconds, 1)) s, expected at least the run's "
        + "\(fixed(seconds(length), 1)) s; choose a shorter --duration, or a longer recording")
  }
}
