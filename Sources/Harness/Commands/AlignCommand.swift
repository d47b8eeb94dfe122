import Reports
import Evaluation
import Diagnostics
import ArgumentParser
import Detectors
import Foundation
import TraceFormats
import TraceModel
import TraceTools

struct AlignCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "align",
    abstract: "Finds the offset between the clocks of two devices on one body.",
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
        shadowbox align garmin.h5 polar.h5 --signal speed --max-offset 60s --format json
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
    help: ArgumentHelp(
      "The signal to compare; default: the first that both have.",
      valueName: "acceleration|rotation|speed"), transform: oneOf)
  var signal: AlignmentSignal?

  @Option(
    help: "The common rate, e.g. 50Hz; default: the higher of the two, at most 200 Hz.")
  var rate: String?

  @Option(
    help: ArgumentHelp(
      "The largest offset; default: 10 min if both clocks are known, else no limit.",
      valueName: "time"))
  var maxOffset: String?

  @Option(help: "The seed of the bootstrap.")
  var seed: UInt64 = 1

  @Option(help: "The format of the output.")
  var format = OutputFormat.table

  @OptionGroup var writing: WritingOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    let terminal = common.terminal
    guard output != nil || !correctDrift else {
      throw Failure(.wrongUse, "--correct-drift has no effect without --output")
    }
    var options = try self.options()
    let target = try output.map { try TraceFile.checkedOutput($0, inputs: [first, second]) }
    let files = try [first, second].map { try TraceFile(reading: $0) }
    let epochs = files.compactMap(\.trace.header.epochNanoseconds)
    let areKnown = epochs.count == 2
    if maxOffset == nil, areKnown { options.largestOffset = 600 }
    let between = areKnown ? epochs[1].subtractingClamped(epochs[0]) : 0
    let moved = files[1].trace.shifted(byNanoseconds: between)
    let found = try ClockAlignment.align(files[0].trace, moved, options: options)
    let report = AlignmentReport(found, first, second, areClocksKnown: areKnown, seed: seed)
    try StandardOutput.write(try report.text(format))
    guard found.verdict == .aligned else {
      throw Failure(.badData, "\(second): \(report.reason)")
    }
    guard let target, let output else { return }
    let result = try aligned(moved, found, files[0].trace.header)
    try TraceFile.write(result, to: target)
    terminal.say("\(second) -> \(output): \(result.sizeText), with the time of \(first)")
    terminal.reportUnread([files[1]])
  }

  private func options() throws -> ClockAlignment.Options {
    var options = ClockAlignment.Options()
    options.signal = signal
    options.seed = seed
    if let rate {
      guard let hertz = Quantity.value(of: rate, unit: .hertz), (0.01...10_000).contains(hertz)
      else {
        throw Failure(
          .wrongUse, "--rate \(rate): expected a rate from 0.01 to 10000 Hz, such as 50Hz")
      }
      options.rate = hertz
    }
    if let maxOffset {
      guard let time = Quantity.duration(of: maxOffset), time > .zero else {
        throw Failure(.wrongUse, "--max-offset \(maxOffset): expected a time such as 60s")
      }
      options.largestOffset = Double(time.nanoseconds) / 1e9
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
    guard header.isEpochKnown else {
      guard (result.earliestMeasured ?? 0) >= 0 else {
        throw Failure(
          .badData,
          "\(second): expected a start after \(first), which has no wall clock, found an earlier "
            + "one; align in the opposite order: shadowbox align \(second) \(first)")
      }
      return result
    }
    let zero: Int64
    (result, zero) = result.startingAtZero()
    try TraceFile.moveEpoch(of: &result, byNanoseconds: zero, second)
    return result
  }
}

/// The result of `align`, as printed.
private struct AlignmentReport: Encodable {
  struct Interval: Encodable {
    var value: Double
    @Nullable var low: Double?
    @Nullable var high: Double?

    init(_ estimate: ClockAlignment.Estimate) {
      value = estimate.value
      _low = Nullable(wrappedValue: estimate.interval?.lowerBound)
      _high = Nullable(wrappedValue: estimate.interval?.upperBound)
    }
  }

  var first: String
  var second: String
  var verdict: String
  var areClocksKnown: Bool
  var signal: String
  var rateHz: Double
  var offsetS: Interval
  var offsetHoldsAtS: Double
  @Nullable var driftPpm: Interval?
  var windows: Int
  var windowsUsed: Int
  var windowS: Double
  var peakCorrelation: Double
  var probability: Double
  @Nullable var secondOffsetS: Double?
  @Nullable var secondCorrelation: Double?
  var seed: UInt64

  init(
    _ found: ClockAlignment, _ first: String, _ second: String, areClocksKnown: Bool, seed: UInt64
  ) {
    self.first = first
    self.second = second
    self.areClocksKnown = areClocksKnown
    self.seed = seed
    verdict = found.verdict.rawValue
    signal = found.signal.rawValue
    rateHz = found.rate
    offsetS = Interval(found.offset)
    offsetHoldsAtS = found.middle
    _driftPpm = Nullable(wrappedValue: found.drift.map(Interval.init))
    windows = found.windows
    windowsUsed = found.windowsUsed
    windowS = found.windowLength
    peakCorrelation = found.peak.correlation
    probability = found.probability
    _secondOffsetS = Nullable(wrappedValue: found.secondOffset)
    _secondCorrelation = Nullable(wrappedValue: found.secondCorrelation)
  }

  /// The reason why there is no alignment.
  var reason: String {
    let correlation = fixed(peakCorrelation, 3)
    switch ClockAlignment.Verdict(rawValue: verdict) {
    case .ambiguous:
      return
        "ambiguous: expected one best offset, found two: \(fixed(offsetS.value, 3)) s "
        + "(correlation \(correlation)) and \(fixed(secondOffsetS ?? .nan, 3)) s "
        + "(correlation \(fixed(secondCorrelation ?? .nan, 3))); set --max-offset, or compare "
        + "another --signal"
    case .unrelated:
      return
        "unrelated: expected a significant correlation of at least "
        + "\(ClockAlignment.leastCorrelation), found \(correlation) (p at most "
        + "\(fixed(probability, 4))); check that both traces are of one person and one time"
    default:
      return
        "expected most windows (all if fewer than \(ClockAlignment.leastWindows)) to agree, found "
        + "\(windowsUsed) of \(windows); if a clock jumped, align parts made with shadowbox trim"
    }
  }

  func text(_ format: OutputFormat) throws -> String {
    switch format {
    case .json: try jsonDocument(self, .align, inputs: .files([first, second]))
    case .csv: csv
    case .table: table
    }
  }

  private func interval(_ estimate: Interval, _ decimals: Int) -> String {
    guard let low = estimate.low, let high = estimate.high else { return "-" }
    return "\(fixed(low, decimals)) to \(fixed(high, decimals))"
  }

  private var table: String {
    var table = TextTable(
      "Clock of \(second) against \(first), by \(signal) at \(fixed(rateHz, 2)) Hz: \(verdict)",
      [
        .init("figure", .left), .init("value"), .init("95 % interval"),
        .init("note", .left, isText: true),
      ])
    table.add([
      "offset s", fixed(offsetS.value, 4), interval(offsetS, 4),
      "add to the times of the second trace, at \(fixed(offsetHoldsAtS, 1)) s",
    ])
    if let driftPpm {
      table.add([
        "drift ppm", fixed(driftPpm.value, 1), interval(driftPpm, 1),
        "change of the offset over time",
      ])
    }
    table.add([
      "correlation", fixed(peakCorrelation, 3), "", "at the best offset over the whole trace",
    ])
    if let secondOffsetS, let secondCorrelation {
      table.add([
        "second best", fixed(secondCorrelation, 3), "", "at \(fixed(secondOffsetS, 3)) s",
      ])
    }
    let clocks =
      areClocksKnown
      ? "The offset is between the wall clocks." : "The offset is between the traces' zeros."
    let how =
      offsetS.low == nil
      ? "There are too few windows for an interval: \(windowsUsed) of \(fixed(windowS, 0)) s."
      : "Intervals: bootstrap over n = \(windowsUsed) windows of \(fixed(windowS, 0)) s (of "
        + "\(windows)), seed \(seed)."
    return table.render() + clocks + " " + how + "\n"
  }

  private var csv: String {
    func cell(_ value: Double?) -> String { value.map { "\($0)" } ?? "" }
    let cells = [
      csvCell(first), csvCell(second), verdict, signal, cell(rateHz), cell(offsetS.value),
      cell(offsetS.low), cell(offsetS.high), cell(driftPpm?.value), cell(driftPpm?.low),
      cell(driftPpm?.high), "\(windowsUsed)", "\(windows)", cell(peakCorrelation),
      cell(secondOffsetS), cell(secondCorrelation),
    ]
    return "first,second,verdict,signal,rate_hz,offset_s,offset_lo,offset_hi,drift_ppm,drift_lo,"
      + "drift_hi,windows_used,windows,correlation,second_offset_s,second_correlation\n"
      + cells.joined(separator: ",") + "\n"
  }
}
