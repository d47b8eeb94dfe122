import ArgumentParser
import Detectors
import Diagnostics
import Evaluation
import Files
import Pacing
import Replay
import Reports
import Results
import Scoring
import TraceModel

struct ReplayCommand: WritingCommand, DetectingCommand {
  static let configuration = CommandConfiguration.withExitCodes(
    commandName: "replay",
    abstract: "Streams traces through a detector or an app, and prints the events.",
    discussion: """
      Several traces are several devices on one clock; their events are merged. Devices with one \
      id are named with their number: walk (1), walk (2). With --app, they are people who use an \
      app together.

      EXAMPLES:
        shadowbox replay traces/synthetic/punch-s01-right.h5
        shadowbox replay walk.h5 --detector punch/hitThat --parameters threshold=2.5g
        shadowbox replay route.h5 --detector checkin/goHike --policy
        shadowbox replay walk.h5 --rate 1x --start-offset 30s --duration 10s
        shadowbox replay --app fight traces/synthetic/fight-s01.h5 \\
          traces/synthetic/fight-s02.h5

      The detectors with their presets and parameters: shadowbox info --detectors
      The apps with their presets: shadowbox info --apps
      """)

  @Argument(help: .init("Native traces, and folders of them.", "trace")) var traces: [String]
  @OptionGroup(title: "Detector") var detector: DetectorOptions
  @OptionGroup(title: "App") var app: AppReplayOptions
  @OptionGroup(title: "Device") var device: DeviceRateOptions
  @OptionGroup(title: "Delivery") var delivery: DeliveryOptions
  @OptionGroup(title: "Person") var person: PolicyOptions
  @Flag(help: "Start all traces at the same time; ignore their wall clocks.") var together = false
  @OptionGroup(title: "Pace") var pace: PaceOptions
  @OptionGroup(title: "Pace") var waiting: WaitingOptions
  @Flag(help: "With --app: print what became of the messages, by kind, in place of the log.")
  var messages = false
  @Flag(help: "With --messages: print each message, with the number that --fault takes.")
  var full = false
  @Option(help: "The format of the events.") var format = OutputFormat.table

  @Option(help: "The largest block of readings for the detector; does not change the result.")
  var batch = 4096

  @Option(
    help: .init("Draw each signal with references and detections (.png, .svg, .pdf).", "file"))
  var picture: String?

  @OptionGroup var writing: WritingOptions

  func run(_ registry: DetectorRegistry) async throws {
    try requirePositive(batch, "--batch")
    try requireUse(
      picture == nil || app.app == nil,
      "--picture has no effect with --app; run a suite with --report for a page of the app")
    try refuse("--messages", messages && app.app == nil, without: "--app")
    try refuse("--full", full, without: "--messages", messages)
    let rate = try pace.value()
    if rate == nil { try pace.checkUnpaced(waiting) }
    let files = try TracePath.nativeTraces(traces)
    let timingFile = try outputFiles.checked(waiting.timing, .timing, inputs: files)
    let outcome =
      if let choice = try app.choice(registry) {
        try replay(choice, files, rate: rate, registry)
      } else {
        try replayDetector(files, rate: rate, registry)
      }
    let isValid = try outcome.timing.map { try report($0, of: outcome, timingFile) } ?? true
    if app.failOn.report([outcome.app].compactMap(\.self), terminal) {
      try ExitStatus.regression.end()
    }
    if !isValid { try ExitStatus.timingInvalid.end() }
  }

  /// - Returns: whether the timing is not invalid.
  private func report(
    _ report: TimingReport, of outcome: ReplayOutcome, _ timingFile: String?
  ) throws -> Bool {
    // Its last line ends like any message.
    let text = OutputTerminal.screen.wrapped(String(report.text.dropLast()), indent: 2)
    if report.outcome != .valid || !common.quiet { terminal.report(text) }
    if let timingFile {
      try outputFiles.prepared(outcome.histogramText, at: timingFile).commit()
    }
    return report.outcome != .invalid
  }

  private func replayDetector(
    _ files: [String], rate: Double?, _ registry: DetectorRegistry
  ) throws -> ReplayOutcome {
    try app.checkUnused()
    let target = try outputFiles.checked(picture, .picture, inputs: files)
    let drawer = try target.map { _ in try PictureDrawer() }
    let loaded = try files.map { try NativeTraceLoader().load($0).trace }
    let choice = try detector.choice(for: loaded[0].header, registry)
    let registered = try registry.detector(named: choice.detector)
    if picture != nil { try ReplayPicture.check(registered, choice) }
    let (_, played) = try played(loaded, channel: registered.channel)
    let replay = ReplayPlan(
      played: played, detector: registered, choice: choice, policy: try person.value())
    try requireUse(
      rate == nil || !registered.isExternal,
      "--rate has no effect on \(choice.detector), whose detections come at the end")
    let rows = EventRows(played.names, screen: OutputTerminal.screen)
    let outcome = try play(replay, rows, rate: rate)
    let counts = ReplayCounts(
      of: outcome.result.detections, played, task: registered.task,
      isWhole: outcome.interruption == nil && !played.isPart)
    try StandardOutput.write(
      format == .json
        ? json(of: outcome, replay, rows, counts)
        : unprinted(outcome, rows)
          + (format == .table
            ? rows.measurements(outcome.result) + counts.lines(OutputTerminal.screen) : ""),
      as: format)
    let header = played.devices.first?.trace.header ?? loaded[0].header
    let parameters = try registered.parameters(of: choice, for: header)
      .map { "\($0.name) \($0.value)\($0.unit.isEmpty ? "" : " " + $0.unit)" }
    terminal.say("\(choice.title): \(parameters.joined(separator: ", "))")
    terminal.say("person: \(replay.policy?.summary ?? "as recorded, nobody is simulated")")
    say(outcome, played)
    if let target, let drawer {
      let picture = try ReplayPicture(of: outcome.result, played, registered, choice)
      try drawer.draw(picture.picture, to: target, of: outputFiles)
      terminal.say("written: \(target)")
    }
    return outcome
  }

  /// The traces on one clock, as the detector of a channel reads them.
  func played(_ loaded: [Trace], channel: Channel) throws -> ([SignalPath.Signal], PlayedTraces) {
    let path = SignalPath(
      deviceRate: try app.app == nil
        ? detector.deviceRate(device.value(), warn: terminal.warn) : device.value(),
      gravity: try detector.gravityParameters(),
      delivery: try delivery.value())
    let signals = path.apply(to: loaded, for: channel)
    for line in path.lines(signals, channel) { terminal.say(line) }
    let starts = PlayedTraces.startTimes(
      of: loaded.map(\.header), together: together, areToMeet: app.app != nil
    ) { terminal.warn($0) }
    let devices = zip(signals, starts).map { PlayedTraces.Device(trace: $0.trace, start: $1) }
    return (signals, try PlayedTraces(devices, window: pace.window()))
  }

  /// Reports how much was played, and the log's digest.
  func say(_ outcome: ReplayOutcome, _ played: PlayedTraces) {
    terminal.say(
      outcome.timing.map {
        "\(counted(outcome.events, "event")), \($0.deliveries) deliveries in "
          + "\(fixed(outcome.wallSeconds, 1)) s"
      } ?? "\(counted(outcome.result.detections.count, "event")) in "
        + "\(fixed(played.playedSeconds, 1)) s of trace, \(outcome.result.readings) readings")
    if let interruption = outcome.interruption {
      let missing = app.app == nil ? "detection log" : "outcome and no detection log"
      terminal.say("\(interruption): the replay was incomplete, so there is no \(missing)")
    } else {
      terminal.say("log SHA-256 \(outcome.logSHA256)")
    }
  }

  /// The events, unless they are printed already.
  func unprinted(_ outcome: ReplayOutcome, _ rows: any RecordRows) -> String {
    if outcome.isPrinted { return "" }
    let events = outcome.result.detections
    if format == .table { return rows.table(events) }
    return rows.heading(format) + events.map { rows.row($0, format) }.joined()
  }

  private func json(
    of outcome: ReplayOutcome, _ replay: ReplayPlan, _ rows: EventRows, _ counts: ReplayCounts
  ) throws -> String {
    let delivery = try self.delivery.value()
    let document: JSONObject = [
      "events": rows.documents(outcome.result.detections),
      "measurements": rows.documents(outcome.result.measurements), "timing": outcome.timing,
      "detector": replay.choice.title, "policy": replay.policy?.summary,
      "delivery": delivery?.summary ?? "ideal", "delivery_seed": delivery?.seed,
      "device_rate_hz": try detector.deviceRate(device.value()),
      "detection_log_sha256": outcome.interruption == nil ? outcome.logSHA256 : nil,
    ]
    return try jsonDocument(
      document.adding("counts", counts.documents), .replay, inputs: .files(traces))
  }
}
