import ArgumentParser
import Detectors
import Diagnostics
import Evaluation
import Reports
import TraceModel
import TraceTools

struct AlignCommand: WritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "align",
    abstract: "Finds the offset between the clocks of two devices on one body.",
    usage: "shadowbox align <first> <second> [<options>]",
    discussion: """
      Compares signals that do not depend on orientation: the magnitude of the acceleration or of \
      the rotation rate, or the speed over ground. The offset is added to the second trace's times. \
      It is printed with an interval (bootstrap over windows), the drift between the clocks, the \
      best correlation and the second-best. If another offset fits nearly as well, or none fits, \
      nothing is written and the exit code is 65.

      A constant delay (a filter in one of the devices) looks like a clock offset.

      EXAMPLES:
        shadowbox align phone.h5 watch.h5
        shadowbox align phone.h5 watch.h5 -o watch-on-phone-time.h5 --correct-drift
        shadowbox align garmin.h5 polar.h5 --signal speed --max-offset 60s \\
          --format json
      """)

  @Argument(help: "The native trace with the reference clock.")
  var first: String

  @Argument(help: "The native trace of the other device.")
  var second: String

  @Option(name: .shortAndLong, help: "Write the second trace on the clock of the first (.h5).")
  var output: String?

  @Flag(help: "With --output: correct the drift too.")
  var correctDrift = false

  @Option(
    help: .init(
      "The signal to compare; default: the first that both have.",
      valueName: "acceleration|rotation|speed"), transform: oneOf)
  var signal: AlignmentSignal?

  @Option(help: "The common rate, e.g. 50Hz; default: the higher of the two, at most 200 Hz.")
  var rate: String?

  @Option(
    help: .init(
      "The largest offset; default: 10 min if both clocks are known, else no limit.",
      valueName: "time"))
  var maxOffset: String?

  @Option(help: "The seed of the bootstrap.")
  var seed: UInt64 = 1

  @Option(help: "The format of the output.")
  var format = OutputFormat.table

  @OptionGroup var writing: WritingOptions

  func run() async throws {
    try requireUse(
      output != nil || !correctDrift, "--correct-drift has no effect without --output")
    var options = try self.options()
    let target = try output.map { try OutputFile.checked($0, .trace, inputs: [first, second]) }
    let files = try [first, second].map { try TraceFile(reading: $0) }
    let epochs = files.compactMap(\.trace.header.epochNanoseconds)
    let areKnown = epochs.count == 2
    if maxOffset == nil, areKnown { options.largestOffset = 600 }
    let between = areKnown ? epochs[1].subtractingClamped(epochs[0]) : 0
    let moved = files[1].trace.shifted(byNanoseconds: between)
    let found = try ClockAlignment.align(files[0].trace, moved, options: options)
    let report = AlignmentReport(
      found: found, first: first, second: second, areClocksKnown: areKnown, seed: seed)
    try StandardOutput.write(try report.text(format))
    try requireData(found.verdict == .aligned, "\(second): \(report.reason)")
    guard let target, let output else { return }
    let result = try aligned(moved, found, files[0].trace.header)
    try TraceFile.write(result, to: target)
    terminal.say("\(second) -> \(output): \(result.sizeText), with the time of \(first)")
    terminal.reportLeftOut(files[1].unread)
  }

  private func options() throws -> ClockAlignment.Options {
    var options = ClockAlignment.Options()
    options.signal = signal
    options.seed = seed
    options.rate = try rate.map {
      try quantity($0, .hertz, of: "--rate", "a rate from 0.01 to 10000 Hz, such as 50Hz") {
        (0.01...10_000).contains($0)
      }
    }
    options.largestOffset = try maxOffset.map {
      seconds(try time($0, of: "--max-offset", "a time such as 60s", isAboveZero: true))
    }
    return options
  }

  /// Returns the second trace on the first one's clock. If the first wall clock is known, the second
  /// trace keeps its own zero and the epoch states it. Otherwise its times count from the first
  /// trace's zero.
  private func aligned(
    _ moved: Trace, _ found: ClockAlignment, _ header: TraceHeader
  ) throws -> Trace {
    var result = moved.mappingTimes { found.time(of: $0, correctsDrift: correctDrift) }
    result.header.isEpochKnown = header.isEpochKnown
    result.header.epoch = header.epoch
    if header.isEpochKnown { return try TraceFile.startingAtZero(result, second).0 }
    try requireData(
      (result.earliestMeasured ?? 0) >= 0,
      "\(second): expected a start after \(first), which has no wall clock, found an earlier one; "
        + "align in the opposite order: shadowbox align \(second) \(first)")
    return result
  }
}

/// The result of `align`, as printed.
private struct AlignmentReport {
  let found: ClockAlignment
  let first: String
  let second: String
  let areClocksKnown: Bool
  let seed: UInt64

  /// The reason why there is no alignment.
  var reason: String {
    let correlation = fixed(found.peak.correlation, 3)
    switch found.verdict {
    case .ambiguous:
      return
        "ambiguous: expected one best offset, found two: \(fixed(found.offset.value, 3)) s "
        + "(correlation \(correlation)) and \(fixed(found.secondOffset ?? .nan, 3)) s "
        + "(correlation \(fixed(found.secondCorrelation ?? .nan, 3))); set --max-offset, or compare "
        + "another --signal"
    case .unrelated:
      return
        "unrelated: expected a significant correlation of at least "
        + "\(ClockAlignment.leastCorrelation), found \(correlation) (p at most "
        + "\(fixed(found.probability, 4))); check that both traces are of one person and one time"
    default:
      return
        "expected most windows (all if fewer than \(ClockAlignment.leastWindows)) to agree, found "
        + "\(found.windowsUsed) of \(found.windows); if a clock jumped, align parts made with shadowbox "
        + "trim"
    }
  }

  func text(_ format: OutputFormat) throws -> String {
    switch format {
    case .json: try jsonDocument(self, .align, inputs: .files([first, second]))
    case .csv: csv
    case .table: table(OutputTerminal.screen)
    }
  }

  private func table(_ screen: Screen) -> String {
    var table = TextTable(
      "Clock of \(second) against \(first), by \(found.signal.rawValue) at "
        + "\(fixed(found.rate, 2)) Hz: \(found.verdict.rawValue)",
      [
        .init("figure", .left), .init("value"), .init("95 % interval"),
        .init("note", .left, isText: true),
      ])
    func add(_ name: String, _ estimate: ClockAlignment.Estimate, _ decimals: Int, _ note: String) {
      let interval = estimate.interval.map {
        "\(fixed($0.lowerBound, decimals)) to \(fixed($0.upperBound, decimals))"
      }
      table.add([name, fixed(estimate.value, decimals), interval ?? "-", note])
    }
    add(
      "offset s", found.offset, 4,
      "add to the times of the second trace, at \(fixed(found.middle, 1)) s")
    if let drift = found.drift { add("drift ppm", drift, 1, "change of the offset over time") }
    let correlation = fixed(found.peak.correlation, 3)
    table.add(["correlation", correlation, "", "at the best offset over the whole trace"])
    if let offset = found.secondOffset, let correlation = found.secondCorrelation {
      table.add(["second best", fixed(correlation, 3), "", "at \(fixed(offset, 3)) s"])
    }
    let (used, length) = (found.windowsUsed, fixed(found.windowLength, 0))
    return table.render(screen)
      + screen.wrapped(
        "The offset is between the \(areClocksKnown ? "wall clocks" : "traces' zeros"). "
          + (found.offset.interval == nil
            ? "There are too few windows for an interval: \(used) of \(length) s.\n"
            : "Intervals: bootstrap over n = \(used) windows of \(length) s (of \(found.windows)), seed "
              + "\(seed).\n"))
  }

  private var csv: String {
    func cells(_ estimate: ClockAlignment.Estimate?) -> [String] {
      [estimate?.value, estimate?.interval?.lowerBound, estimate?.interval?.upperBound]
        .map { csvCell($0) }
    }
    return "first,second,verdict,signal,rate_hz,offset_s,offset_lo,offset_hi,drift_ppm,drift_lo,"
      + "drift_hi,windows_used,windows,correlation,second_offset_s,second_correlation\n"
      + csvRow(
        [first, second, found.verdict.rawValue, found.signal.rawValue, csvCell(found.rate)]
          + cells(found.offset) + cells(found.drift) + ["\(found.windowsUsed)", "\(found.windows)"]
          + [found.peak.correlation, found.secondOffset, found.secondCorrelation]
          .map { csvCell($0) })
  }
}

extension AlignmentReport: Encodable {
  private enum CodingKeys: CodingKey {
    case first, second, verdict, areClocksKnown, signal, rateHz, offsetS, offsetHoldsAtS, driftPpm
    case windows, windowsUsed, windowS, peakCorrelation, probability
    case secondOffsetS, secondCorrelation, seed
  }

  func encode(to encoder: any Encoder) throws {
    let values: [(CodingKeys, any Encodable)] = [
      (.first, first), (.second, second), (.areClocksKnown, areClocksKnown), (.seed, seed),
      (.verdict, found.verdict), (.signal, found.signal.rawValue), (.rateHz, found.rate),
      (.offsetS, found.offset), (.offsetHoldsAtS, found.middle), (.driftPpm, found.drift),
      (.windows, found.windows), (.windowsUsed, found.windowsUsed), (.windowS, found.windowLength),
      (.peakCorrelation, found.peak.correlation), (.probability, found.probability),
      (.secondOffsetS, found.secondOffset), (.secondCorrelation, found.secondCorrelation),
    ]
    var container = encoder.container(keyedBy: CodingKeys.self)
    for (key, value) in values { try container.encode(value, forKey: key) }
  }
}

extension ClockAlignment.Estimate: Encodable {
  private enum CodingKeys: CodingKey { case value, lower, upper }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(value, forKey: .value)
    try container.encode(interval?.lowerBound, forKey: .lower)
    try container.encode(interval?.upperBound, forKey: .upper)
  }
}
