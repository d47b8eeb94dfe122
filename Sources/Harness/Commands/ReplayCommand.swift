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
    abstract: "Streams traces through a detector and prints each event.",
    discussion: """
      Several traces are several devices on one clock: their events come merged.

      EXAMPLES:
        shadowbox replay traces/synthetic/punch-s01-right.h5
        shadowbox replay walk.h5 --detector punch/hitThat --parameters threshold=2.5g
        shadowbox replay route.h5 --detector checkin/goHike --policy
        shadowbox replay walk.h5 --rate 1x --start-offset 30s --duration 10s

      The detectors with their presets and parameters: shadowbox info --detectors

      \(ExitStatus.help)
      """)

  @Argument(help: ArgumentHelp("Native traces.", valueName: "trace"))
  var traces: [String]

  @OptionGroup(title: "Detector") var detector: DetectorOptions
  @OptionGroup(title: "Device") var device: DeviceRateOptions
  @OptionGroup(title: "Delivery") var delivery: DeliveryOptions
  @OptionGroup(title: "Person") var person: PolicyOptions

  @OptionGroup(title: "Pace") var pace: PaceOptions

  @Option(help: "How events are printed.")
  var format = OutputFormat.table

  @Option(help: "Readings handed to the detector at once, at most; changes nothing else.")
  var batch = 4096

  @OptionGroup var common: CommonOptions

  func run() async throws {
    guard batch > 0 else { throw CommandError(.wrongUse, "--batch: expected 1 or more") }
    let terminal = common.terminal
    let rate = try pace.value()
    if rate == nil { try pace.checkUnpaced() }
    let timingFile = try pace.waiting.timing.map {
      try OutputFile.checked($0, inputs: traces)
    }
    let replay = try prepare(terminal: terminal)
    if rate != nil, replay.detector.isExternal {
      throw CommandError(
        .wrongUse,
        "\(replay.choice.detector) cannot be played at a clock's pace: another program is heard only "
          + "at the end; leave --rate out")
    }
    let outcome =
      try rate.map { try play(replay, rate: $0, terminal: terminal) }
      ?? runAtOnce(replay)
    try StandardOutput.write(rest(of: outcome, replay))
    try sayWhatWasDone(outcome, replay, terminal: terminal)
    guard let timing = outcome.timing else { return }
    if timing.outcome == .valid {
      terminal.say(timing.text, terminator: "")
    } else {
      terminal.warn(timing.text, terminator: "")
    }
    if let timingFile {
      try OutputFile.prepared(outcome.histogramText, at: timingFile).commit()
    }
    if timing.outcome == .invalid { throw ExitStatus.timingInvalid.exitCode }
  }

  // MARK: What is played

  private func prepare(terminal: Terminal) throws -> ReplayPlan {
    let registry = Harness.registry
    let path = try signalPath()
    let loaded = try traces.map { try NativeFile.read($0) }
    guard let first = loaded.first else { throw CommandError(.wrongUse, "expected a trace") }
    let choice = try detector.choice(for: first.header, registry: registry)
    let registered = try registry.detector(named: choice.detector)
    let signals = path.apply(to: loaded, for: registered.channel)
    for line in path.lines(signals, registered.channel) { terminal.say(line) }
    let starts =
      loaded.count == 1 ? [.zero] : startTimes(of: loaded.map(\.header), terminal: terminal)
    return try ReplayPlan(
      devices: zip(signals, starts).map { .init(trace: $0.trace, start: $1) },
      detector: registered, choice: choice,
      policy: person.value(), window: pace.window())
  }

  /// What happens to the traces before the detector gets them.
  private func signalPath() throws -> SignalPath {
    SignalPath(
      deviceRate: try device.value(), gravity: try detector.gravityParameters(),
      delivery: try delivery.value())
  }

  /// The devices' zeros on the run's clock, which starts with the earliest of them; all together
  /// where the wall clock of one is not known.
  private func startTimes(of headers: [TraceHeader], terminal: Terminal) -> [TraceInstant] {
    let known = headers.compactMap(\.epochNanoseconds)
    guard known.count == headers.count, let first = known.min() else {
      terminal.warn(
        "warning: the wall clock of at least one trace is not known; all start at zero together")
      return headers.map { _ in .zero }
    }
    return known.map { TraceInstant(nanoseconds: $0.subtractingClamped(first)) }
  }

  // MARK: Playing

  /// What a replay came to.
  private struct Outcome {
    var result: RunResult
    var wallSeconds: Double
    var timing: TimingReport?
    var histogramText = ""
    /// Of all passes of a paced replay.
    var events = 0
    /// Nil = it ran to the end of what was asked for.
    var interruption: String?
    /// Whether the events are printed already.
    var isPrinted = false
  }

  private func runAtOnce(_ replay: ReplayPlan) throws -> Outcome {
    // Another program is at work as soon as there is a timeline.
    let watch = Stopwatch()
    var timeline = try replay.timeline(from: replay.window.lowerBound, blockSize: batch)
    var detections: [DetectionRecord] = []
    try timeline.run(into: &detections)
    let wall = seconds(watch.elapsed)
    var result = timeline.result
    result.detections = detections
    return Outcome(result: result, wallSeconds: wall)
  }

  private func play(
    _ replay: ReplayPlan, rate: Double, terminal: Terminal
  ) throws -> Outcome {
    let isInteractive = Keyboard.isThere
    let feed = PlaybackFeed(isInteractive: isInteractive)
    let clock = try pace.waiting.clock(
      attention: feed.attention?.fileHandleForReading.fileDescriptor)
    let options = try pace.options(rate: rate)
    if options.startsPaused, !isInteractive {
      throw CommandError(.wrongUse, "--start-paused needs a terminal to be told to go on")
    }
    try check(options, of: replay)
    let limits = try pace.waiting.limits()
    terminal.say(plan(of: replay, options))
    Interruption.beforeExit { terminal.endProgress() }
    let keyboard = Keyboard { feed.want($0) }
    if keyboard != nil { terminal.say(Keyboard.help) }
    let player = PlayedReplay.thread(
      options, replay: replay, clock: clock, feed: feed, showsFigures: terminal.showsLiveLine)
    player.start()
    try printEvents(from: feed, replay, terminal: terminal)
    let played = try player.wait()
    terminal.endProgress()
    let report = TimingReport(
      played.timing, mode: clock.mode, rate: rate,
      period: replay.period(at: rate), hasChangedRate: played.hasChangedRate,
      limits: limits, wall: played.wall, processor: played.processor)
    if !played.result.passesAgree {
      throw CommandError(
        .badData, "the passes did not detect the same: the detector is not deterministic")
    }
    return Outcome(
      result: played.result.last, wallSeconds: seconds(played.wall), timing: report,
      histogramText: played.timing.histogramText, events: played.events,
      interruption: played.result.wasStopped
        ? "stopped" : played.result.wasSought ? "jumped" : nil, isPrinted: format != .json)
  }

  /// How long it will take: recordings of different days lie far apart on one clock.
  private func plan(of replay: ReplayPlan, _ options: PacingOptions) -> String {
    let length = seconds(replay.window.lowerBound.duration(to: replay.window.upperBound))
    let passes = options.passes.map { $0 == 1 ? "" : ", \($0) times" } ?? ", again and again"
    return "plays \(fixed(length, 1)) s of the run's time at \(number(options.rate)) x in "
      + "\(fixed(length / options.rate, 1)) s\(passes)"
  }

  /// What could not happen while it plays is wrong use.
  private func check(_ options: PacingOptions, of replay: ReplayPlan) throws {
    let length = replay.window.lowerBound.duration(to: replay.window.upperBound)
    if options.passes == nil, length <= .zero {
      throw CommandError(.wrongUse, "--loop: the traces have no length, there is nothing to repeat")
    }
    guard let passes = options.passes else { return }
    let whole = seconds(length) / options.rate * Double(passes)
    for (stall, text) in zip(options.stalls, pace.stall) where seconds(stall.at) > whole {
      throw CommandError(
        .wrongUse, "--stall \(text): the replay is over after \(fixed(whole, 3)) s")
    }
  }

  /// Prints events as they happen, until the replay is over.
  private func printEvents(from feed: PlaybackFeed, _ replay: ReplayPlan, terminal: Terminal) throws
  {
    let rows = EventRows(replay.devices.map(\.trace.header.id))
    if format != .json { try StandardOutput.write(rows.heading(format)) }
    var hasEnded = false
    while !hasEnded {
      let news = feed.next()
      hasEnded = news.hasEnded
      if format != .json, !news.records.isEmpty {
        terminal.endProgress()
        let text = news.records.map { rows.row($0, format) }.joined()
        // Whoever read the events has gone: there is nobody to play for.
        if try !StandardOutput.write(text) { feed.want(.stop) }
      }
      if let figures = news.figures { terminal.showLive(line(of: figures, replay)) }
    }
  }

  private func line(of figures: LiveFigures, _ replay: ReplayPlan) -> String {
    let end = fixed(replay.window.upperBound.seconds, 1)
    let achieved = figures.achieved.map { " (\(fixed($0, 3)) x achieved)" } ?? ""
    let pace = figures.isPaused ? "paused" : "\(number(figures.rate)) x\(achieved)"
    return "\(fixed(figures.instant.seconds, 1))/\(end) s  \(pace)  worst lateness "
      + "\(fixed(Double(figures.worstLateness) / 1000, 0)) us  \(figures.events) events"
  }

  // MARK: Printing

  private func sayWhatWasDone(
    _ outcome: Outcome, _ replay: ReplayPlan, terminal: Terminal
  ) throws {
    guard let first = replay.devices.first?.trace.header else { return }
    let parameters = try replay.detector.parameters(of: replay.choice, for: first)
      .map { "\($0.name) \($0.value)\($0.unit.isEmpty ? "" : " " + $0.unit)" }
    terminal.say(
      "\(replay.choice.title): \(parameters.joined(separator: ", "))")
    terminal.say("person: \(replay.policy?.summary ?? "the trace's own actions")")
    if let timing = outcome.timing {
      terminal.say(
        "\(outcome.events) events, \(timing.deliveries) deliveries in "
          + "\(fixed(outcome.wallSeconds, 1)) s")
    } else {
      let traced = replay.devices.reduce(0) { $0 + replay.playedSeconds(of: $1) }
      let speed = grouped(traced / max(outcome.wallSeconds, 1e-9))
      terminal.say(
        "\(outcome.result.detections.count) events in \(fixed(traced, 1)) s of trace, "
          + "\(outcome.result.readings) readings, \(speed) x real time")
    }
    if let interruption = outcome.interruption {
      terminal.say("\(interruption): no detection log, for it would not be whole")
    } else {
      terminal.say("detection log SHA-256 \(logSHA256(of: outcome))")
    }
  }

  private func logSHA256(of outcome: Outcome) -> String {
    let log = SHA256Digest()
    log.update(DetectionLog.text(outcome.result.detections))
    return log.finish()
  }

  /// What is not printed yet.
  private func rest(of outcome: Outcome, _ replay: ReplayPlan) throws -> String {
    let ids = replay.devices.map(\.trace.header.id)
    if format == .json { return try json(of: outcome, replay, ids) }
    let rows = EventRows(ids)
    var text = ""
    if !outcome.isPrinted {
      text =
        format == .table
        ? rows.table(outcome.result.detections)
        : rows.heading(format)
          + outcome.result.detections.map { rows.row($0, format) }.joined()
    }
    return text + (format == .table ? rows.measurements(outcome.result) : "")
  }

  private func json(of outcome: Outcome, _ replay: ReplayPlan, _ ids: [String]) throws -> String {
    struct Event: Encodable {
      var trace: String
      var onsetNs: Int64
      var emittedNs: Int64
      var kind: String
      var label: String
      var originalLabel: String
      @Nullable var value: Double?
      @Nullable var place: Int32?
    }
    struct Figure: Encodable {
      var trace: String
      var name: String
      @Nullable var value: Double?
      var unit: String
    }
    struct Document: Encodable {
      var events: [Event]
      var measurements: [Figure]
      @Nullable var timing: TimingReport?
      var detector: String
      @Nullable var policy: String?
      var delivery: String
      @Nullable var deliverySeed: UInt64?
      @Nullable var deviceRateHz: Double?
      @Nullable var detectionLogSha256: String?
    }
    let result = outcome.result
    let named = try delivery.value()
    let document = Document(
      events: result.detections.map {
        Event(
          trace: ids[$0.device.index], onsetNs: $0.onset.nanoseconds,
          emittedNs: $0.emitted.nanoseconds, kind: $0.kind, label: $0.label,
          originalLabel: $0.originalLabel, value: $0.value.isFinite ? $0.value : nil,
          place: $0.place)
      },
      measurements: result.measurements.sorted { $0.key < $1.key }.flatMap { device, figures in
        figures.map {
          Figure(
            trace: ids[device.index], name: $0.name,
            value: $0.value.isFinite ? $0.value : nil, unit: $0.unit)
        }
      }, timing: outcome.timing,
      detector: replay.choice.title,
      policy: replay.policy?.summary, delivery: named?.summary ?? "ideal",
      deliverySeed: named?.seed,
      deviceRateHz: try device.value(),
      detectionLogSha256: outcome.interruption == nil ? logSHA256(of: outcome) : nil)
    return try jsonText(document)
  }
}
