import ArgumentParser
import Detectors
import Diagnostics
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

  @Argument(help: "The native trace with the reference clock.") var first: String
  @Argument(help: "The native trace of the other device.") var second: String

  @Option(name: .shortAndLong, help: "Write the second trace on the clock of the first (.h5).")
  var output: String?

  @Flag(help: "With --output: correct the drift too.") var correctDrift = false

  @Option(
    help: .init(
      "The signal to compare; default: the first that both have.",
      "acceleration|rotation|speed"), transform: oneOf)
  var signal: AlignmentSignal?

  @Option(help: "The common rate, e.g. 50Hz; default: the higher of the two, at most 200 Hz.")
  var rate: String?

  @Option(
    help: .init(
      "The largest offset; default: 10 min if both clocks are known, else no limit.", "time"))
  var maxOffset: String?

  @Option(help: "The seed of the bootstrap.") var seed: UInt64 = 1
  @Option(help: "The format of the output.") var format = OutputFormat.table
  @OptionGroup var writing: WritingOptions

  func run() async throws {
    try refuse("--correct-drift", correctDrift, without: "--output", output != nil)
    var options = try self.options()
    let target = try outputFiles.checked(output, .trace, inputs: [first, second])
    let files = try [first, second].map { try TraceFile(reading: $0) }
    let epochs = files.compactMap(\.trace.header.epochNanoseconds)
    let areKnown = epochs.count == 2
    if maxOffset == nil, areKnown { options.largestOffset = 600 }
    let between = areKnown ? epochs[1].subtractingClamped(epochs[0]) : 0
    let moved = files[1].trace.shifted(byNanoseconds: between)
    let found = try ClockAlignment.align(files[0].trace, moved, options: options)
    let report = AlignmentReport(
      found: found, first: first, second: second, areClocksKnown: areKnown, seed: seed)
    try StandardOutput.write(report.text(format, OutputTerminal.screen), as: format)
    try requireData(found.verdict == .aligned, "\(second): \(report.reason)")
    guard let target, let output else { return }
    let result = try found.aligned(
      moved, to: files[0].trace.header, correctsDrift: correctDrift, names: (first, second))
    try TraceFile.write(result, to: target, of: outputFiles)
    terminal.say("\(second) -> \(output): \(result.sizeText), with the time of \(first)")
    terminal.reportLeftOut(files[1].unread)
  }

  private func options() throws -> ClockAlignment.Options {
    var options = ClockAlignment.Options()
    (options.signal, options.seed) = (signal, seed)
    options.rate = try rate.map {
      try quantity($0, .hertz, of: "--rate", "a rate from 0.01 to 10000 Hz, such as 50Hz") {
        (0.01...10_000).contains($0)
      }
    }
    options.largestOffset = try time(maxOffset, of: "--max-offset", isAboveZero: true).map(seconds)
    return options
  }
}
