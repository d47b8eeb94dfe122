import Reports
import Scoring
import Evaluation
import Diagnostics
import ArgumentParser
import Detectors
import Digests
import Pacing
import Foundation
import Replay
import TraceFormats
import TraceModel

struct ReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Streams traces through a detector or an app, and prints the events.",
    discussion: """
      Several traces are several devices on one clock; their events are merged. With --app, they \
      are people who use an app together.

      EXAMPLES:
        shadowbox replay traces/synthetic/punch-s01-right.h5
        shadowbox replay walk.h5 --detector punch/hitThat --parameters threshold=2.5g
        shadowbox replay route.h5 --detector checkin/goHike --policy
        shadowbox replay walk.h5 --rate 1x --start-offset 30s --duration 10s
        shadowbox replay --app fight traces/synthetic/fight-s01.h5 traces/synthetic/fight-s02.h5

      The detectors with their presets and parameters: shadowbox info --detectors
      The apps with their presets: shadowbox info --apps

      \(ExitStatus.help)
      """)

  @Argument(help: ArgumentHelp("Native traces, and folders of them.", valueName: "trace"))
  var traces: [String]

  @OptionGroup(title: "Detector") var detector: DetectorOptions
  @OptionGroup(title: "App") var app: AppReplayOptions
  @OptionGroup(title: "Device") var device: DeviceRateOptions
  @OptionGroup(title: "Delivery") var delivery: DeliveryOptions
  @OptionGroup(title: "Person") var person: PolicyOptions

  @Flag(help: "Start all traces at the same time; ignore their wall clocks.")
  var together = false

  @OptionGroup(title: "Pace") var pace: PaceOptions

  @Option(help: "The format of the events.")
  var format = OutputFormat.table

  @Option(help: "The largest block of readings for the detector; does not change the result.")
  var batch = 4096

  @OptionGroup var writing: WritingOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    guard batch > 0 else { throw Failure(.wrongUse, "--batch: expected 1 or more") }
    let rate = try pace.value()
    if rate == nil { try pace.checkUnpaced() }
    let timingFile = try pace.waiting.timing.map {
      try OutputFile.checked($0, .timing, inputs: traceFiles())
    }
    let terminal = common.terminal
    let timing =
      if let choice = try app.choice() {
        try replay(choice, rate: rate, terminal: terminal)
      } else {
        try replayDetector(rate: rate, terminal: terminal)
      }
    guard let timing, let report = timing.timing else { return }
    if report.outcome == .valid {
      terminal.say(report.text, terminator: "")
    } else {
      terminal.warn(report.text, terminator: "")
    }
    if let timingFile {
      try OutputFile.prepared(timing.histogramText, at: timingFile).commit()
    }
    if report.outcome == .invalid { throw ExitStatus.timingInvalid.exitCode }
  }

  private func replayDetector(rate: Double?, terminal: Terminal) throws -> ReplayOutcome? {
    try app.checkUnused()
    let replay = try prepare(terminal: terminal)
    if rate != nil, replay.detector.isExternal {
      throw Failure(
        .wrongUse,
        "\(replay.choice.detector) has no real-time pace: the detections of another program come at "
          + "the end; leave --rate out")
    }
    let rows = EventRows(
      replay.played.devices.map(\.trace.header.id), screen: OutputTerminal.screen)
    let outcome = try player(of: replay, rows, terminal).play(rate: rate)
    try StandardOutput.write(rest(of: outcome, replay, rows))
    try sayWhatWasDone(outcome, replay, terminal: terminal)
    return outcome
  }

  func player<Plan>(
    of plan: Plan, _ rows: any RecordRows, _ terminal: Terminal
  ) -> ReplayPlayer<Plan> {
    ReplayPlayer(
      plan: plan, rows: rows, format: format, pace: pace, batch: batch, terminal: terminal)
  }

  /// The traces; each is a device, or a person with --app.
  func traceFiles() throws -> [String] { try TraceArguments.files(traces) }

  // MARK: Input

  private func prepare(terminal: Terminal) throws -> ReplayPlan {
    let registry = Harness.registry
    let loaded = try traceFiles().map { try NativeFile.read($0) }
    guard let first = loaded.first else { throw Failure(.wrongUse, "expected a trace") }
    let choice = try detector.choice(for: first.header, registry: registry)
    let registered = try registry.detector(named: choice.detector)
    let (_, played) = try played(loaded, channel: registered.channel, terminal: terminal)
    return ReplayPlan(
      played: played, detector: registered, choice: choice, policy: try person.value())
  }

  /// The traces on one clock, as the detector of `channel` gets them.
  func played(
    _ loaded: [Trace], channel: Channel, terminal: Terminal
  ) throws -> ([SignalPath.Signal], PlayedTraces) {
    let path = SignalPath(
      deviceRate: try device.value(), gravity: try detector.gravityParameters(),
      delivery: try delivery.value())
    let signals = path.apply(to: loaded, for: channel)
    for line in path.lines(signals, channel) { terminal.say(line) }
    let starts = PlayedTraces.startTimes(
      of: loaded.map(\.header), together: together, areToMeet: app.app != nil
    ) { terminal.warn($0) }
    return (
      signals,
      try PlayedTraces(
        zip(signals, starts).map { .init(trace: $0.trace, start: $1) }, window: pace.window())
    )
  }

  // MARK: Printing

  private func sayWhatWasDone(
    _ outcome: ReplayOutcome, _ replay: ReplayPlan, terminal: Terminal
  ) throws {
    guard let first = replay.played.devices.first?.trace.header else { return }
    let parameters = try replay.detector.parameters(of: replay.choice, for: first)
      .map { "\($0.name) \($0.value)\($0.unit.isEmpty ? "" : " " + $0.unit)" }
    terminal.say(
      "\(replay.choice.title): \(parameters.joined(separator: ", "))")
    terminal.say("person: \(replay.policy?.summary ?? "the trace's own actions")")
    say(outcome, replay.played, terminal: terminal)
  }

  /// How much was played, how fast, and the log's digest.
  func say(_ outcome: ReplayOutcome, _ played: PlayedTraces, terminal: Terminal) {
    if let timing = outcome.timing {
      terminal.say(
        "\(outcome.events) events, \(timing.deliveries) deliveries in "
          + "\(fixed(outcome.wallSeconds, 1)) s")
    } else {
      let traced = played.playedSeconds
      let speed = grouped(traced / max(outcome.wallSeconds, 1e-9))
      terminal.say(
        "\(outcome.result.detections.count) events in \(fixed(traced, 1)) s of trace, "
          + "\(outcome.result.readings) readings, \(speed) x real time")
    }
    if let interruption = outcome.interruption {
      let missing = app.app == nil ? "detection log" : "outcomes and no detection log"
      terminal.say("\(interruption): no \(missing), because the replay was incomplete")
    } else {
      terminal.say("log SHA-256 \(outcome.logSHA256)")
    }
  }

  /// The output that is not printed yet.
  private func rest(
    of outcome: ReplayOutcome, _ replay: ReplayPlan, _ rows: EventRows
  ) throws -> String {
    let ids = replay.played.devices.map(\.trace.header.id)
    if format == .json { return try json(of: outcome, replay, ids) }
    return unprinted(outcome, rows)
      + (format == .table ? rows.measurements(outcome.result) : "")
  }

  /// The events, unless they are printed already.
  func unprinted(_ outcome: ReplayOutcome, _ rows: any RecordRows) -> String {
    if outcome.isPrinted { return "" }
    if format == .table { return rows.table(outcome.result.detections) }
    return rows.heading(format)
      + outcome.result.detections.map { rows.row($0, format) }.joined()
  }
}
