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
      throw CommandError(
        .wrongUse, "--devices and --max-devices: expected 1 to 1000000")
    }
    guard format != .csv else {
      throw CommandError(.wrongUse, "--format csv: expected table or json")
    }
    guard let length = Quantity.duration(of: duration), length >= .milliseconds(100) else {
      throw CommandError(.wrongUse, "--duration \(duration): expected a time from 100ms, e.g. 10s")
    }
    let terminal = common.terminal
    let clock = try waiting.clock()
    let limits = try waiting.limits()
    let timingFile = try waiting.timing.map { try OutputFile.checked($0, inputs: traces) }
    let stalls = try stall.map(parseStall)
    for (stall, text) in zip(stalls, self.stall) where stall.at > length {
      throw CommandError(.wrongUse, "--stall \(text): the run is over after \(duration)")
    }
    let lanes = try FleetLane.lanes(from: traces, length: length, terminal: terminal)
    func attempt(_ devices: Int, _ duration: Duration = length) throws -> FleetTrial {
      try FleetTrial(
        Fleet(lanes: lanes, devices: devices, duration: duration, seed: seed), clock: clock,
        limits: limits, stalls: stalls)
    }
    // What runs for the first time is slow: code is loaded, memory is touched.
    _ = try attempt(min(devices, 100), .milliseconds(200))
    var report = BenchReport(lanes: lanes, seed: seed, duration: length)
    var histograms = ""
    if findCapacity {
      var trials: [FleetTrial] = []
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
        throw CommandError(
          .badData, "no reading of the recordings came within \(duration); choose a longer run")
      }
      report.trials = [trial]
      histograms = trial.histograms
    }
    try StandardOutput.write(format == .json ? jsonText(report) : report.text)
    if let timingFile { try OutputFile.prepared(histograms, at: timingFile).commit() }
    if !report.isValid { throw ExitStatus.timingInvalid.exitCode }
  }
}

/// What `bench` found.
struct BenchReport: Encodable {
  struct Lane: Encodable {
    var channel: String
    var detector: String
    var recordings: [String]
    @Nullable var periodNs: Int64?
  }

  var lanes: [Lane]
  var seed: UInt64
  /// What a search did not go beyond.
  @Nullable var maxDevices: Int?
  var durationSeconds: Double
  /// The largest number of devices that passed all its runs; nil = it was not looked for.
  @Nullable var capacity: Int?
  var trials: [FleetTrial] = []

  init(lanes: [FleetLane], seed: UInt64, duration: Duration) {
    self.lanes = lanes.map {
      Lane(
        channel: $0.detector.channel.name, detector: "\($0.choice.detector)/\($0.choice.preset)",
        recordings: $0.recordings.map(\.header.id), periodNs: $0.period)
    }
    self.seed = seed
    durationSeconds = seconds(duration)
    maxDevices = nil
    capacity = nil
  }

  /// With a search: whether there is a number at all.
  var isValid: Bool {
    capacity.map { $0 > 0 } ?? trials.allSatisfy { $0.timing.outcome != .invalid }
  }

  static func line(of trial: FleetTrial) -> String {
    let p99 = fixed(Double(trial.timing.verdictLatenessNs ?? 0) / 1000, 1)
    return "\(trial.devices) devices: \(trial.timing.verdict), p99 lateness \(p99) us, "
      + "\(trial.timing.missed) of \(trial.timing.deliveries) missed, "
      + "\(fixed(100 * trial.timing.cpuSeconds / trial.timing.wallSeconds, 0)) % of a processor"
  }

  var text: String {
    var output = lanes.map {
      "\($0.channel) every \($0.periodNs.map { fixed(Double($0) / 1e6, 1) } ?? "-") ms through \($0.detector), "
        + "\($0.recordings.count) recording\($0.recordings.count == 1 ? "" : "s")\n"
    }.joined()
    if let capacity {
      output += "\n" + trialTable + "\n"
      output +=
        "seed \(seed)\ncapacity of one thread: \(grouped(Double(capacity))) devices, to within 5 % "
        + "(valid in its last \(lastValid(capacity)) runs of "
        + "\(fixed(durationSeconds, 1)) s; \(smallestInvalid(above: capacity)))\n"
    } else if let trial = trials.first {
      output +=
        "\(grouped(Double(trial.devices))) devices, "
        + "\(grouped(trial.readingsPerSecond)) readings a second, \(trial.detections) detections, "
        + "seed \(seed)\n\n"
        + trial.timing.text
    }
    return output
  }

  private func lastValid(_ capacity: Int) -> Int {
    trials.reversed().prefix { $0.devices == capacity && $0.timing.outcome == .valid }.count
  }

  private func smallestInvalid(above capacity: Int) -> String {
    let invalid = trials.filter { $0.devices > capacity && $0.timing.outcome != .valid }
      .map(\.devices).min()
    return invalid.map { "\(grouped(Double($0))) failed" } ?? "no more were tried"
  }

  private var trialTable: String {
    var table = TextTable(
      "Trials in their order",
      ["devices", "readings/s", "p99 lateness us", "max us", "missed", "CPU %", "timing"].map {
        .init($0, $0 == "timing" ? .left : .right)
      })
    for trial in trials {
      let timing = trial.timing
      table.add([
        grouped(Double(trial.devices)), grouped(trial.readingsPerSecond),
        fixed(Double(timing.verdictLatenessNs ?? 0) / 1000, 1),
        fixed(Double(timing.latenessNs.max) / 1000, 1), "\(timing.missed)",
        fixed(100 * timing.cpuSeconds / timing.wallSeconds, 1), timing.verdict,
      ])
    }
    return table.render()
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
      let needsPlaces = name == CheckInDetector.name
      let recordings = traces.map { withoutGravity($0, for: detector) }.filter { trace in
        (trace.header.info(detector.channel)?.count ?? 0) > 1
          && (detector.channel != .location || trace.header.places.isEmpty != needsPlaces)
      }
      if !recordings.isEmpty {
        try check(recordings, of: detector.channel, for: length)
        lanes.append(
          FleetLane(
            detector: detector, choice: DetectorChoice(detector: name, preset: "default"),
            recordings: recordings))
      }
    }
    guard !lanes.isEmpty else {
      throw CommandError(.badData, "the traces have no channel that a built-in detector reads")
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
        throw CommandError(
          .badData,
          "\(trace.header.id): /\(channel.name): arrivals go back; reorder it with convert --sort")
      }
      guard trace.header.duration >= length else {
        throw CommandError(
          .badData,
          "\(trace.header.id): lasts \(fixed(trace.header.end.seconds, 1)) s, expected at least the "
            + "run's \(fixed(seconds(length), 1)) s; choose a shorter --duration, or a longer recording"
        )
      }
    }
  }

  private static func withoutGravity(_ trace: Trace, for detector: RegisteredDetector) -> Trace {
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
    throw CommandError(
      .wrongUse, "--stall \(text): expected a length and a start, e.g. 100ms@5s")
  }
  return Stall(at: start, length: length)
}
