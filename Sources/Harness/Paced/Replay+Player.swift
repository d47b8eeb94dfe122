import Clocks
import Diagnostics
import Digests
import Evaluation
import Files
import Foundation
import Pacing
import Replay
import Reports
import TraceModel

struct ReplayOutcome {
  var result: RunResult
  var wallSeconds: Double
  var timing: TimingReport?
  var histogramText = ""
  /// The number of events of all passes of a paced replay.
  var events = 0
  /// How the replay was interrupted; nil = it played to the end.
  var interruption: String?
  var isPrinted = false
  /// Of an app that played to the end.
  var app: AppRecord?

  var logSHA256: String { SHA256Digest.hex(of: Array(DetectionLog.text(result.detections).utf8)) }
}

/// Plays a plan as fast as possible, or at the pace of a clock with live output.
extension ReplayCommand {
  /// - Parameter rate: seconds of trace per second; nil = as fast as possible.
  func play(
    _ plan: some PlayablePlan, _ rows: any RecordRows, rate: Double?
  ) throws -> ReplayOutcome {
    if let rate { return try play(plan, rows, atRate: rate) }
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

  private func play(
    _ plan: some PlayablePlan, _ rows: any RecordRows, atRate rate: Double
  ) throws -> ReplayOutcome {
    let isInteractive = Keyboard.isThere
    let feed = PlaybackFeed(isInteractive: isInteractive)
    let clock = try waiting.clock(attention: feed.attention?.fileHandleForReading.fileDescriptor)
    let options = try pace.options(rate: rate)
    try requireUse(
      !options.startsPaused || isInteractive,
      "--start-paused: expected a terminal to read keys from, found none; remove --start-paused")
    let window = plan.played.window
    let length = seconds(window.lowerBound.duration(to: window.upperBound))
    try check(options, length)
    let terms = TimingTerms(
      limits: try waiting.limits(), periods: plan.played.periods(of: plan.channels, at: rate),
      devices: plan.played.devices.count)
    terminal.say(announcement(options, length))
    ExitDuties.add { [terminal] in terminal.endProgress() }
    let keyboard = Keyboard { feed.request($0) }
    if keyboard != nil { terminal.say(Keyboard.help) }
    let player = feed.player(
      options, window: window, clock: clock, terms: terms, showsFigures: terminal.showsProgress
    ) { Timeline(playing: try plan.timeline(from: $0, blockSize: .max)) }
    try player.start()
    try printEvents(from: feed, rows, until: window.upperBound)
    let (result, observer, wall, processor) = try player.wait()
    terminal.endProgress()
    let report = TimingReport(
      observer.timing, mode: clock.mode, rate: rate, hasChangedRate: observer.hasChangedRate,
      wall: wall, processor: processor, names: plan.played.names)
    try requireData(
      result.passesAgree,
      "expected equal detections in each pass, found differences: the detector is not deterministic"
    )
    return ReplayOutcome(
      result: result.last, wallSeconds: seconds(wall), timing: report,
      histogramText: observer.timing.histogramText, events: observer.figures.events,
      interruption: result.wasStopped ? "stopped" : result.wasSought ? "jumped" : nil,
      isPrinted: format != .json)
  }

  /// Announces the length of the playback, which is long for recordings of different days.
  private func announcement(_ options: PacingOptions, _ length: Double) -> String {
    let passes = options.passes.map { $0 == 1 ? "" : ", \($0) times" } ?? ", repeated until stopped"
    return "playing \(fixed(length, 1)) s of the run's time at \(number(options.rate)) x in "
      + "\(fixed(length / options.rate, 1)) s\(passes)"
  }

  /// Refuses options that have no effect during the playback.
  private func check(_ options: PacingOptions, _ length: Double) throws {
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

  private func printEvents(
    from feed: PlaybackFeed, _ rows: any RecordRows, until end: TraceInstant
  ) throws {
    if format != .json { try StandardOutput.write(rows.heading(format), as: format) }
    var hasEnded = false
    while !hasEnded {
      let news = feed.next()
      hasEnded = news.hasEnded
      if format != .json, !news.records.isEmpty {
        terminal.endProgress()
        let text = news.records.map { rows.row($0, format) }.joined()
        // The reader of the events has closed the pipe, so the replay can stop.
        if try !StandardOutput.write(text, as: format) { feed.request(.stop) }
      }
      if let figures = news.figures { terminal.showLive(line(of: figures, end)) }
    }
  }

  private func line(of figures: LiveFigures, _ end: TraceInstant) -> String {
    let achieved = figures.achieved.map { " (\(fixed($0, 3)) x achieved)" } ?? ""
    let pace = figures.isPaused ? "paused" : "\(number(figures.rate)) x\(achieved)"
    return
      "\(fixed(figures.instant.seconds, 1))/\(fixed(end.seconds, 1)) s  \(pace)  worst lateness "
      + "\(fixed(Double(figures.worstLateness) / 1000, 0)) us  \(figures.events) events"
  }
}
