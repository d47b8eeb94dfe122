import Reports
import Evaluation
import Diagnostics
import ArgumentParser
import Detectors
import Foundation
import Pacing
import Replay
import Synthesis
import TraceFormats
import TraceModel

struct BenchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Drives a fleet of simulated devices in real time and says how well it keeps up.",
    discussion: """
      Each device has a stream and a detector of its own for each kind of channel: motion, \
      positions, heartbeats. Devices play from different places of the recordings and are shifted \
      against each other. One thread drives them all.

      EXAMPLES:
        shadowbox bench --devices 100 --mode sleep-then-spin
        shadowbox bench --find-capacity
        shadowbox bench recordings/*.h5 --devices 1000 --format json

      \(ExitStatus.help)
      """)

  @Argument(
    help: ArgumentHelp(
      "Native traces to play; without any, synthetic ones.", valueName: "trace"))
  var traces: [String] = []

  @Option(help: "How many devices.")
  var devices = 100

  @Option(help: ArgumentHelp("How long, e.g. 10s.", valueName: "time"))
  var duration = "10s"

  @Flag(help: "Find the largest number of devices whose timing is valid.")
  var findCapacity = false

  @Option(help: "With --find-capacity: try no more devices than these.")
  var maxDevices = 200_000

  @OptionGroup(title: "Pace") var waiting: WaitingOptions

  @Option(
    help: ArgumentHelp("Let the player stand still, e.g. 100ms@5s.", valueName: "time@time"))
  var stall: [String] = []

  @Option(help: "Seed of where in the recordings the devices begin.")
  var seed: UInt64 = 1

  @Option(help: "How the result is printed: table or json.")
  var format = OutputFormat.table

  @OptionGroup var common: CommonOptions

  func run() async throws {
    guard (1...1_000_000).contains(devices), (1...1_000_000).contains(maxDevices) else {
      throw Failure(
        .wrongUse, "--devices and --max-devices: expected 1 to 1000000")
    }
    guard format != .csv else {
      throw Failure(.wrongUse, "--format csv: expected table or json")
    }
    guard let length = Quantity.duration(of: duration), length >= .milliseconds(100) else {
      throw Failure(.wrongUse, "--duration \(duration): expected a time from 100ms, e.g. 10s")
    }
    let terminal = common.terminal
    let clock = try waiting.clock()
    let limits = try waiting.limits()
    let timingFile = try waiting.timing.map { try OutputFile.checked($0, inputs: traces) }
    let stalls = try stall.map(parseStall)
    for (stall, text) in zip(stalls, self.stall) where stall.at > length {
      throw Failure(.wrongUse, "--stall \(text): the run is over after \(duration)")
    }
    let lanes = try FleetLane.lanes(from: traces, length: length, terminal: terminal)
    func attempt(_ devices: Int, _ duration: Duration = length) throws -> FleetTrialReport {
      let fleet = Fleet(lanes: lanes, devices: devices, duration: duration, seed: seed)
      return FleetTrialReport(
        try FleetTrial(fleet, clock: clock, stalls: stalls), limits: limits)
    }
    // What runs for the first time is slow: code is loaded, memory is touched.
    _ = try attempt(min(devices, 100), .milliseconds(200))
    var report = BenchReport(lanes: lanes, seed: seed, duration: length)
    var histograms = ""
    if findCapacity {
      var trials: [FleetTrialReport] = []
      var search = CapacitySearch(limit: maxDevices) { devices in
        let trial = try attempt(devices)
        terminal.say(BenchReport.line(of: trial))
        trials.append(trial)
        return trial.timing.outcome == .valid
      }
      let capacity = try search.run(from: devices)
      report.capacity = capacity
      report.maxDevices = maxDevices
      report.trials = trials
      histograms = trials.last { $0.devices == capacity }?.histograms ?? ""
    } else {
      let trial = try attempt(devices)
      guard trial.timing.deliveries > 0 else {
        throw Failure(
          .badData, "no reading of the recordings came within \(duration); choose a longer run")
      }
      report.trials = [trial]
      histograms = trial.histograms
    }
    try StandardOutput.write(
      format == .json ? jsonDocument(report, .bench, inputs: .files(traces)) : report.text)
    if let timingFile { try OutputFile.prepared(histograms, at: timingFile).commit() }
    if !report.isValid { throw ExitStatus.timingInvalid.exitCode }
  }
}

extension FleetLane {
  /// Lanes for the channels of the given traces, or of synthetic ones where none is given.
  static func lanes(
    from paths: [String], length: Duration, terminal: Terminal
  ) throws -> [FleetLane] {
    let registry = Harness.registry
    let traces = try paths.isEmpty ? synthetic(length) : paths.map { try NativeFile.read($0) }
    var lanes: [FleetLane] = []
    for name in [
      PunchDetector.name, CheckInDetector.name, TrackDetector.name, PresenceDetector.name,
    ] {
      let detector = try registry.detector(named: name)
      let choice = DetectorChoice(detector: name, preset: "default")
      let needsPlaces = name == CheckInDetector.name
      let recordings = traces.map { withoutGravity($0, for: detector) }.filter { trace in
        (trace.header.info(detector.channel)?.count ?? 0) > 1
          && (detector.channel != .location || trace.header.places.isEmpty != needsPlaces)
      }
      if !recordings.isEmpty {
        try check(recordings, of: detector.channel, for: length)
        lanes.append(
          FleetLane(
            channel: detector.channel, detector: choice.title, recordings: recordings
          ) { try detector.stream(choice, on: $0, options: $1) })
      }
    }
    guard !lanes.isEmpty else {
      throw Failure(.badData, "the traces have no channel that a built-in detector reads")
    }
    return lanes
  }

  /// Each recording has to be in order, and as long as the run: devices that fall silent would be
  /// no load.
  private static func check(
    _ recordings: [Trace], of channel: Channel, for length: Duration
  ) throws {
    for trace in recordings {
      guard let block = trace[channel] else { continue }
      if !block.isInOrder {
        throw Failure(
          .badData,
          "\(trace.header.id): /\(channel.name): arrivals go back; reorder it with convert --sort")
      }
      guard trace.header.duration >= length else {
        throw Failure(
          .badData,
          "\(trace.header.id): lasts \(fixed(trace.header.end.seconds, 1)) s, expected at least the "
            + "run's \(fixed(seconds(length), 1)) s; choose a shorter --duration, or a longer recording"
        )
      }
    }
  }

  private static func withoutGravity(_ trace: Trace, for detector: AnyDetector) -> Trace {
    var trace = trace
    if detector.channel == .userAcceleration, trace[.userAcceleration] == nil {
      trace.removeGravity(GravityFilter.Parameters())
    }
    return trace
  }

  /// Some people's punches, a route with places, and heartbeats.
  private static func synthetic(_ length: Duration) throws(TraceError) -> [Trace] {
    let motion = min(max(seconds(length) * 2, 60), 3600)
    var traces: [Trace] = []
    for subject in 1...3 {
      traces.append(
        Synthesizer.trace(
          try ScenarioSpec(
            kind: .punches, subject: subject, seed: UInt64(subject), duration: motion)))
    }
    traces.append(Synthesizer.trace(try ScenarioSpec(kind: .route)))
    traces.append(heartbeats(duration: motion))
    return traces
  }

  /// One peer that beats every 1.5 s, as the app's do, and is heard at once: where messages come
  /// close together by chance, missed periods would say more of the network than of the player.
  private static func heartbeats(duration: Double) -> Trace {
    var header = TraceHeader(id: "heartbeats", origin: .synthetic)
    header.end = TraceInstant(nanoseconds: Int64(duration * 1e9))
    var trace = Trace(header: header)
    var columns = HeartbeatColumns()
    for (index, time) in stride(from: 0, to: header.end.nanoseconds, by: 1_500_000_000).enumerated()
    {
      columns.append(
        Heartbeat(peer: 1, sequence: Int64(index)), measured: time, arrived: time)
    }
    trace.set(.heartbeat(columns), for: .heartbeat)
    return trace
  }
}

/// A stall as a command line says it, e.g. `100ms@5s`.
func parseStall(_ text: String) throws -> Stall {
  let parts = text.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
  guard parts.count == 2, let length = Quantity.duration(of: parts[0]),
    let start = Quantity.duration(of: parts[1])
  else {
    throw Failure(
      .wrongUse, "--stall \(text): expected a length and a start, e.g. 100ms@5s")
  }
  return Stall(at: start, length: length)
}
