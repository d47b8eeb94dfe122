import ArgumentParser
import Detectors
import Diagnostics
import Evaluation
import Foundation
import Pacing
import Replay
import Reports
import TraceFormats
import TraceModel

struct BenchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
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

      \(ExitStatus.help)
      """)

  @Argument(
    help: ArgumentHelp(
      "Native traces to play, or folders of them. Default: synthetic traces.", valueName: "trace"))
  var traces: [String] = []

  @OptionGroup(title: "Detector") var detector: DetectorOptions

  @Option(help: "The number of devices.")
  var devices = 100

  @Option(help: ArgumentHelp("The length of a run, e.g. 10s.", valueName: "time"))
  var duration = "10s"

  @Flag(help: "Find the largest number of devices with valid timing.")
  var findCapacity = false

  @Option(help: "With --find-capacity: the largest number of devices to try.")
  var maxDevices = 200_000

  @OptionGroup(title: "Pace") var waiting: WaitingOptions

  @Option(
    help: ArgumentHelp("Stop the player for a while, e.g. 100ms@5s.", valueName: "time@time"))
  var stall: [String] = []

  @Option(help: "The seed of the places in the recordings at which devices start.")
  var seed: UInt64 = 1

  @Option(help: "The format of the result: table or json.")
  var format = OutputFormat.table

  @OptionGroup var writing: WritingOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    let terminal = common.terminal
    let length = try checkedLength()
    let traces = try TraceArguments.files(self.traces)
    let bench = FleetBench(
      lanes: try await lanes(from: traces, length: length), clock: try waiting.clock(),
      stalls: try stalls(within: length), limits: try waiting.limits(), seed: seed,
      duration: length, terminal: terminal)
    let timingFile = try waiting.timing.map {
      try OutputFile.checked($0, .timing, inputs: traces + detector.files)
    }
    let (report, histograms) =
      try findCapacity ? bench.capacity(from: devices, limit: maxDevices) : bench.single(devices)
    try StandardOutput.write(
      format == .json ? jsonDocument(report, .bench, inputs: .files(traces)) : report.text)
    if let timingFile { try OutputFile.prepared(histograms, at: timingFile).commit() }
    if !report.isValid { throw ExitStatus.timingInvalid.exitCode }
  }

  /// The length of a run.
  /// - Throws: also if another option has a wrong value.
  private func checkedLength() throws -> Duration {
    guard (1...1_000_000).contains(devices), (1...1_000_000).contains(maxDevices) else {
      throw Failure(.wrongUse, "--devices and --max-devices: expected 1 to 1000000")
    }
    guard format != .csv else {
      throw Failure(.wrongUse, "--format csv: expected table or json")
    }
    guard let length = Quantity.duration(of: duration), length >= .milliseconds(100) else {
      throw Failure(.wrongUse, "--duration \(duration): expected a time from 100ms, e.g. 10s")
    }
    return length
  }

  private func stalls(within length: Duration) throws -> [Stall] {
    try stall.map { text in
      let stall = try parseStall(text)
      guard stall.at <= length else {
        throw Failure(.wrongUse, "--stall \(text): the run ends after \(duration)")
      }
      return stall
    }
  }

  private func lanes(from files: [String], length: Duration) async throws -> [FleetLane] {
    let traces =
      try files.isEmpty ? BenchTraces.synthetic(length) : files.map { try NativeFile.read($0) }
    let registry = Harness.registry
    let gravity = try detector.gravityParameters()
    guard detector.isNamed else {
      return try FleetLane.builtIn(on: traces, registry, gravity: gravity, length: length)
    }
    let choice = try detector.choice(for: traces[0].header, registry: registry)
    return [
      try FleetLane(
        choice, of: registry.detector(named: choice.detector), on: traces, gravity: gravity,
        length: length)
    ]
  }
}

/// Reads a stall, e.g. `100ms@5s`.
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
