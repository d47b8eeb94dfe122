import Reports
import Evaluation
import Detectors
import Diagnostics
import ArgumentParser
import Pacing
import Replay
import TraceModel

/// The options for the pace of a replay.
struct PaceOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The pace: 1x for real time, 0.5x, 8x, any factor, or max.", valueName: "rate"))
  var rate = "max"

  @Option(help: ArgumentHelp("Start at this time of the run, e.g. 30s.", valueName: "time"))
  var startOffset: String?

  @Option(help: ArgumentHelp("Play this length of the run, e.g. 10s.", valueName: "time"))
  var duration: String?

  @Flag(name: .shortAndLong, help: "Repeat until stopped (q or Ctrl-C).")
  var loop = false

  @Option(help: ArgumentHelp("Play it this number of times.", valueName: "count"))
  var passes: Int?

  @Flag(name: [.customShort("p"), .long], help: "Wait for the space bar before the first reading.")
  var startPaused = false

  @OptionGroup var waiting: WaitingOptions

  @Option(
    help: ArgumentHelp(
      "Simulate a stall, e.g. 100ms@5s: for 100 ms, 5 s after the start; may be repeated.",
      valueName: "time@time"))
  var stall: [String] = []

  /// Returns seconds of trace per second; nil = as fast as possible.
  func value() throws -> Double? {
    if rate == "max" { return nil }
    let digits = rate.hasSuffix("x") ? String(rate.dropLast()) : rate
    guard let value = Double(digits), PacingOptions.rates.contains(value) else {
      throw Failure(
        .wrongUse, "--rate \(rate): expected a number from 1e-6 to 1e9 such as 1x or 0.5x, or max")
    }
    return value
  }

  /// Returns the part of the run to play; end nil = to the end of the run.
  func window() throws -> (start: TraceInstant, end: TraceInstant?) {
    let start = try startOffset.map { try time($0, of: "--start-offset") } ?? .zero
    let length = try duration.map { try time($0, of: "--duration") }
    if let length, length <= .zero {
      throw Failure(.wrongUse, "--duration: expected a time above zero, found 0")
    }
    let instant = TraceInstant.zero.advanced(by: start)
    return (instant, length.map { instant.advanced(by: $0) })
  }

  func options(rate: Double) throws -> PacingOptions {
    guard passes ?? 1 > 0 else { throw Failure(.wrongUse, "--passes: expected 1 or more") }
    if loop, passes != nil {
      throw Failure(.wrongUse, "--loop and --passes: expected only one of the two")
    }
    return PacingOptions(
      rate: rate, passes: loop ? nil : passes ?? 1, startsPaused: startPaused,
      stalls: try stall.map(parseStall(_:)))
  }

  /// Checks that options that need a clock are not given without one.
  func checkUnpaced() throws {
    let used = [
      loop ? "--loop" : nil, passes == nil ? nil : "--passes", startPaused ? "--start-paused" : nil,
      stall.isEmpty ? nil : "--stall", waiting.timing == nil ? nil : "--timing",
    ].compactMap { $0 }
    // Invalid values are an error in any case.
    _ = try waiting.clock()
    _ = try waiting.limits()
    if let first = used.first {
      throw Failure(.wrongUse, "\(first) has no effect without a pace; add --rate, e.g. --rate 1x")
    }
  }
}

/// The options for waiting, and the limits of timing errors.
struct WaitingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How to wait: sleep (cheap), sleep-then-spin (exact to 1 us), busy (uses one CPU).",
      valueName: "mode"))
  var mode = PacingMode.sleep.rawValue

  @Option(
    help: ArgumentHelp("How long sleep-then-spin spins before each instant.", valueName: "time"))
  var spinMargin = "200us"

  @Option(
    help: ArgumentHelp("Limit of the p99 lateness, as a share of the period.", valueName: "share"))
  var maxLateness = "10%"

  @Option(help: ArgumentHelp("Limit of the share of missed deliveries.", valueName: "share"))
  var maxMissed = "0.1%"

  @Option(
    help: ArgumentHelp(
      "Write lateness, service and response times as HdrHistogram text.", valueName: "file"))
  var timing: String?

  func limits() throws -> TimingLimits {
    TimingLimits(
      lateness: try share(maxLateness, of: "--max-lateness"),
      missed: try share(maxMissed, of: "--max-missed"))
  }

  func clock(attention: Int32? = nil) throws -> SystemClock {
    guard let known = PacingMode(rawValue: mode) else {
      throw Failure.unknown("mode", mode, known: PacingMode.allCases.map(\.rawValue))
    }
    return SystemClock(
      known, margin: try time(spinMargin, of: "--spin-margin"), attention: attention)
  }

  private func share(_ text: String, of option: String) throws -> Double {
    let isPercent = text.hasSuffix("%")
    guard let number = Double(isPercent ? String(text.dropLast()) : text), number >= 0,
      number.isFinite
    else {
      throw Failure(.wrongUse, "\(option) \(text): expected a share such as 10% or 0.1")
    }
    return isPercent ? number / 100 : number
  }
}

private func time(_ text: String, of option: String) throws -> Duration {
  guard let duration = Quantity.duration(of: text) else {
    throw Failure(.wrongUse, "\(option) \(text): expected a time such as 10s or 500ms")
  }
  return duration
}
