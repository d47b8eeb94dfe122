import ChildProcesses
import Diagnostics
import Digests
import Evaluation
import Foundation
import Pacing
import Replay
import Reports
import TraceModel

/// The outcome of a replay.
struct ReplayOutcome {
  var result: RunResult
  var wallSeconds: Double
  var timing: TimingReport?
  var histogramText = ""
  /// The number of events of all passes of a paced replay.
  var events = 0
  /// How the replay was interrupted; nil = it played to the end.
  var interruption: String?
  /// Whether the events are already printed.
  var isPrinted = false

  /// The SHA-256 of the detection log of the events.
  var logSHA256: String {
    let log = SHA256Digest()
    log.update(DetectionLog.text(result.detections))
    return log.finish()
  }
}

/// Plays a plan as fast as possible, or at the pace of a clock with live output.
struct ReplayPlayer<Plan: PlayablePlan> {
  let plan: Plan
  let rows: any RecordRows
  let format: OutputFormat
  let pace: PaceOptions
  /// The largest number of readings per batch.
  let batch: Int
  let terminal = Terminal.current

  /// Plays the plan.
  /// - Parameter rate: seconds of trace per second; nil = as fast as possible.
  func play(rate: Double?) throws -> ReplayOutcome {
    try rate.map { try play(atRate: $0) } ?? playAtOnce()
  }

  private func playAtOnce() throws -> ReplayOutcome {
    // The time includes creating the timeline, in which an external detector already works.
    let watch = Stopwatch()
    var timeline = try plan.timeline(from: plan.played.window.lowerBound, blockSize: batch)
    var detections: [DetectionRecord] = []
    try timeline.run(into: &detections)
    let wall = seconds(watch.elapsed)
    var result = timeline.result
    result.detections = detections
    return ReplayOutcome(result: result, wallSeconds: wall)
  }

  private func play(atRate rate: Double) throws -> ReplayOutcome {
    let isInteractive = Keyboard.isThere
    let feed = PlaybackFeed(isInteractive: isInteractive)
    let clock = try pace.waiting.clock(
      attention: feed.attention?.fileHandleForReading.fileDescriptor)
    let options = try pace.options(rate: rate)
    try requireUse(
      !options.startsPaused || isInteractive,
      "--start-paused: expected a terminal to read keys from, found none; remove --start-paused")
    try check(options)
    let limits = try pace.waiting.limits()
    terminal.say(announcement(options))
    ExitDuties.add { [terminal] in terminal.endProgress() }
    let keyboard = Keyboard { feed.request($0) }
    if keyboard != nil { terminal.say(Keyboard.help) }
    let player = thread(options, clock, feed)
    player.start()
    try printEvents(from: feed)
    let (result, observer, wall, processor) = try player.wait()
    terminal.endProgress()
    let report = TimingReport(
      observer.timing, mode: clock.mode, rate: rate,
      period: plan.played.period(of: plan.channels, at: rate),
      hasChangedRate: observer.hasChangedRate, limits: limits, wall: wall, processor: processor)
    try requireData(
      result.passesAgree,
      "expected the same detections in each pass, found different ones: the detector is not "
        + "deterministic")
    return ReplayOutcome(
      result: result.last, wallSeconds: seconds(wall), timing: report,
      histogramText: observer.timing.histogramText, events: observer.figures.events,
      interruption: result.wasStopped ? "stopped" : result.wasSought ? "jumped" : nil,
      isPrinted: format != .json)
  }

  private typealias Played = (PacedResult, FeedingObserver, wall: Duration, ProcessorTime)

  /// A separate thread that plays the plan and ends the feed.
  private func thread(
    _ options: PacingOptions, _ clock: SystemClock, _ feed: PlaybackFeed
  ) -> WorkerThread<Played> {
    let (plan, showsFigures) = (plan, terminal.showsProgress)
    return WorkerThread {
      defer { feed.end() }
      SystemClock.sharpenWakeUps()
      var run = PacedRun(
        options, window: plan.played.window, clock: clock,
        observer: FeedingObserver(feed: feed, rate: options.rate, showsFigures: showsFigures)
      ) { Timeline(playing: try plan.timeline(from: $0, blockSize: .max)) }
      let watch = Stopwatch()
      let before = ProcessorTime.now
      let result = try run.play()
      return (result, run.observer, watch.elapsed, ProcessorTime.now - before)
    }
  }

  /// Announces the length of the playback, which is large for recordings of different days.
  private func announcement(_ options: PacingOptions) -> String {
    let passes = options.passes.map { $0 == 1 ? "" : ", \($0) times" } ?? ", repeated until stopped"
    return "playing \(fixed(length, 1)) s of the run's time at \(number(options.rate)) x in "
      + "\(fixed(length / options.rate, 1)) s\(passes)"
  }

  /// The length of the part to play in seconds.
  private var length: Double {
    seconds(plan.played.window.lowerBound.duration(to: plan.played.window.upperBound))
  }

  /// Checks for options that can have no effect during the playback.
  private func check(_ options: PacingOptions) throws {
    try requireUse(
      options.passes != nil || length > 0,
      "--loop: expected traces with a length, found a length of 0 s")
    guard let passes = options.passes else { return }
    let whole = length / options.rate * Double(passes)
    for (stall, text) in zip(options.stalls, pace.stall) {
      try requireUse(
        seconds(stall.at) <= whole,
        "--stall \(text): expected a time before the end of the replay at \(fixed(whole, 3)) s")
    }
  }

  /// Prints events as they occur, until the end of the replay.
  private func printEvents(from feed: PlaybackFeed) throws {
    if format != .json { try StandardOutput.write(rows.heading(format)) }
    var hasEnded = false
    while !hasEnded {
      let news = feed.next()
      hasEnded = news.hasEnded
      if format != .json, !news.records.isEmpty {
        terminal.endProgress()
        let text = news.records.map { rows.row($0, format) }.joined()
        // The reader of the events has closed the pipe, so the replay can stop.
        if try !StandardOutput.write(text) { feed.request(.stop) }
      }
      if let figures = news.figures { terminal.showLive(line(of: figures)) }
    }
  }

  private func line(of figures: LiveFigures) -> String {
    let end = fixed(plan.played.window.upperBound.seconds, 1)
    let achieved = figures.achieved.map { " (\(fixed($0, 3)) x achieved)" } ?? ""
    let pace = figures.isPaused ? "paused" : "\(number(figures.rate)) x\(achieved)"
    return "\(fixed(figures.instant.seconds, 1))/\(end) s  \(pace)  worst lateness "
      + "\(fixed(Double(figures.worstLateness) / 1000, 0)) us  \(figures.events) events"
  }
}
