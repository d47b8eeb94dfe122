import ArgumentParser
import Clocks
import Detectors
import Pacing
import Replay
import TraceModel

struct PaceOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: .init(
      "The pace: 1x for real time, 0.5x, 8x, any factor, or max.", "rate"))
  var rate = "max"

  @Option(help: .init("Start at this time of the run, e.g. 30s.", "time")) var startOffset: String?
  @Option(help: .init("Play this length of the run, e.g. 10s.", "time")) var duration: String?
  @Flag(name: .shortAndLong, help: "Repeat until stopped (q or Ctrl-C).") var loop = false
  @Option(help: .init("Play it this number of times.", "count")) var passes: Int?

  @Flag(name: [.customShort("p"), .long], help: "Wait for the space bar before the first reading.")
  var startPaused = false

  @Option(
    help: .init(
      "Simulate a stall, e.g. 100ms@5s: for 100 ms, 5 s after the start; may be repeated.",
      "time@time"))
  var stall: [String] = []

  /// Returns seconds of trace per second; nil = as fast as possible.
  func value() throws -> Double? {
    if rate == "max" { return nil }
    return try parsed(
      rate, of: "--rate", "a number from 1e-6 to 1e9 such as 1x or 0.5x, or max"
    ) { rate in
      Double(rate.hasSuffix("x") ? String(rate.dropLast()) : rate)
        .flatMap { PacingOptions.rates.contains($0) ? $0 : nil }
    }
  }

  /// Returns the part of the run to play; end nil = to the end of the run.
  func window() throws -> (start: TraceInstant, end: TraceInstant?) {
    let start = try time(startOffset, of: "--start-offset") ?? .zero
    let length = try time(duration, of: "--duration")
    try requireUse(length != .zero, "--duration: expected a time above zero, found 0")
    let instant = TraceInstant.zero.advanced(by: start)
    return (instant, length.map { instant.advanced(by: $0) })
  }

  func options(rate: Double) throws -> PacingOptions {
    try requirePositive(passes, "--passes")
    try requireUse(!loop || passes == nil, "--loop and --passes: expected only one of the two")
    return PacingOptions(
      rate: rate, passes: loop ? nil : passes ?? 1, startsPaused: startPaused,
      stalls: try stall.map(parseStall))
  }

  /// Refuses the options that need a clock.
  func checkUnpaced(_ waiting: WaitingOptions) throws {
    // Invalid values are an error in any case.
    _ = try waiting.clock()
    _ = try waiting.limits()
    for (option, isGiven) in [
      ("--loop", loop), ("--passes", passes != nil), ("--start-paused", startPaused),
      ("--stall", !stall.isEmpty), ("--timing", waiting.timing != nil),
    ] {
      try refuse(option, isGiven, without: "a pace; add --rate, e.g. --rate 1x")
    }
  }
}

/// The options for waiting, and the limits of timing errors.
struct WaitingOptions: ParsableArguments {
  @Option(
    help: .init(
      "How to wait: sleep (cheap), sleep-then-spin (exact to 1 us), busy (uses one CPU).", "mode"))
  var mode = PacingMode.sleep.rawValue

  @Option(help: .init("How long sleep-then-spin spins before each instant.", "time"))
  var spinMargin = "200us"

  @Option(help: .init("Limit of the p99 lateness, as a share of the period.", "share"))
  var maxLateness = "10%"

  @Option(help: .init("Limit of the share of missed deliveries.", "share")) var maxMissed = "0.1%"

  @Option(help: .init("Write lateness, service and response times as HdrHistogram text.", "file"))
  var timing: String?

  func limits() throws -> TimingLimits {
    TimingLimits(
      lateness: try share(maxLateness, of: "--max-lateness"),
      missed: try share(maxMissed, of: "--max-missed"))
  }

  func clock(attention: Int32? = nil) throws -> SystemClock {
    SystemClock(
      try named(mode, "mode"), margin: try time(spinMargin, of: "--spin-margin"),
      attention: attention)
  }

  private func share(_ text: String, of option: String) throws -> Double {
    try parsed(text, of: option, "a share such as 10% or 0.1", by: Quantity.share)
  }
}
