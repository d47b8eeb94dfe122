import Reports
import Evaluation
import ChildProcesses
import Diagnostics
import Digests
import Foundation
import Pacing
import Replay
import TraceModel

/// What a replay came to.
struct ReplayOutcome {
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

  /// Of the events as a log.
  var logSHA256: String {
    let log = SHA256Digest()
    log.update(DetectionLog.text(result.detections))
    return log.finish()
  }
}

/// Plays a plan as a command line wants it: at once, or at the pace of a clock, printing what happens
/// while it happens.
struct ReplayPlayer<Plan: PlayablePlan> {
  let plan: Plan
  let rows: any RecordRows
  let format: OutputFormat
  let pace: PaceOptions
  /// Readings handed over at once, at most.
  let batch: Int
  let terminal: Terminal

  /// - Parameter rate: seconds of trace in a second; nil = at once.
  func play(rate: Double?) throws -> ReplayOutcome {
    try rate.map { try play(atRate: $0) } ?? playAtOnce()
  }

  private func playAtOnce() throws -> ReplayOutcome {
    // Another program is at work as soon as there is a timeline.
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
    if options.startsPaused, !isInteractive {
      throw Failure(.wrongUse, "--start-paused needs a terminal to be told to go on")
    }
    try check(options)
    let limits = try pace.waiting.limits()
    terminal.say(announcement(options))
    ExitDuties.add { [terminal] in terminal.endProgress() }
    let keyboard = Keyboard { feed.want($0) }
    if keyboard != nil { terminal.say(Keyboard.help) }
    let player = PlayedReplay.thread(
      options, plan: plan, clock: clock, feed: feed, showsFigures: terminal.showsLiveLine)
    player.start()
    try printEvents(from: feed)
    let played = try player.wait()
    terminal.endProgress()
    let report = TimingReport(
      played.timing, mode: clock.mode, rate: rate,
      period: plan.played.period(of: plan.channels, at: rate),
      hasChangedRate: played.hasChangedRate,
      limits: limits, wall: played.wall, processor: played.processor)
    if !played.result.passesAgree {
      throw Failure(
        .badData, "the passes did not detect the same: the detector is not deterministic")
    }
    return ReplayOutcome(
      result: played.result.last, wallSeconds: seconds(played.wall), timing: report,
      histogramText: played.timing.histogramText, events: played.events,
      interruption: played.result.wasStopped
        ? "stopped" : played.result.wasSought ? "jumped" : nil, isPrinted: format != .json)
  }

  /// How long it will take: recordings of different days lie far apart on one clock.
  private func announcement(_ options: PacingOptions) -> String {
    let length = seconds(plan.played.window.lowerBound.duration(to: plan.played.window.upperBound))
    let passes = options.passes.map { $0 == 1 ? "" : ", \($0) times" } ?? ", again and again"
    return "plays \(fixed(length, 1)) s of the run's time at \(number(options.rate)) x in "
      + "\(fixed(length / options.rate, 1)) s\(passes)"
  }

  /// What could not happen while it plays is wrong use.
  private func check(_ options: PacingOptions) throws {
    let length = plan.played.window.lowerBound.duration(to: plan.played.window.upperBound)
    if options.passes == nil, length <= .zero {
      throw Failure(.wrongUse, "--loop: the traces have no length, there is nothing to repeat")
    }
    guard let passes = options.passes else { return }
    let whole = seconds(length) / options.rate * Double(passes)
    for (stall, text) in zip(options.stalls, pace.stall) where seconds(stall.at) > whole {
      throw Failure(
        .wrongUse, "--stall \(text): the replay is over after \(fixed(whole, 3)) s")
    }
  }

  /// Prints events as they happen, until the replay is over.
  private func printEvents(from feed: PlaybackFeed) throws {
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
