import Reports
import Diagnostics
import ArgumentParser
import Detectors
import Foundation
import HDF5
import Pacing
import Evaluation
import TraceFormats
import TraceModel
import Tuning

struct SweepCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep",
    abstract: "Scores a detector at every threshold.",
    discussion: """
      Counts hits and false alarms at all values of the detector's threshold. A detector with \
      scores (punch) needs one pass, and the result is exact. Other detectors run once per value of \
      a range: --threshold radius=20m..80m:25. Prints the operating points; the curves go to files.

      shadowbox sweep recordings/ --detector punch --grid refractory=0.2s,0.4s,0.8s -o sweep.h5 \
      --picture sweep.png

      The best threshold here is chosen on the data that it is scored on. To choose parameters, use
      tune.

      \(ExitStatus.help)
      """)

  @OptionGroup var measured: EvaluationDatasetOptions

  @Option(
    help: ArgumentHelp(
      "The parameter to sweep, its range, and the number of its values.",
      discussion: "Default: the detector's own threshold over its whole range.",
      valueName: "name[=from..to[:points]]"))
  var threshold: String?

  @Option(
    help: ArgumentHelp(
      "Cross with these values of another parameter, or of the tolerance; may be repeated.",
      valueName: "name=value,..."))
  var grid: [String] = []

  @Option(
    help: ArgumentHelp(
      "Budgets in false alarms per hour; the best threshold for each is printed.",
      valueName: "rate,..."))
  var budgets = "1,10,100"

  @Option(name: .shortAndLong, help: "Write the curves to this HDF5 file.")
  var output: String?

  @Option(help: ArgumentHelp("Write the curves to this CSV file.", valueName: "file"))
  var csv: String?

  @Option(
    help: ArgumentHelp(
      "Draw the curves (.png, .svg or .pdf); needs Python with matplotlib.", valueName: "file"))
  var picture: String?

  @Option(help: "How the result is printed; csv prints the curves.")
  var format = OutputFormat.table

  @OptionGroup var writing: WritingOptions
  @OptionGroup var common: CommonOptions

  mutating func run() async throws {
    let terminal = common.terminal
    let budgets = try rates(of: budgets)
    let drawer = try picture.map { _ in try PictureDrawer() }
    let watch = Stopwatch()
    let set = try await measured.read(registry: Harness.registry, terminal: terminal)
    let span = try ThresholdSpan(threshold, of: set.detector)
    let grid = try SweepGrid(grid, of: set.detector, threshold: span.parameter)
    let outputs = try checkedOutputs()
    let runner = SweepRunner(
      measured: set, span: span, grid: grid, budgets: budgets, threads: measured.threadCount,
      latencies: picture == nil && output == nil ? 0 : 24, observer: terminal)
    var result = try await runner.run()
    result.dataCommit = Toolchain.commit(near: measured.inputs[0])
    let records = result.records
    tellOrigins(of: set, terminal)
    tellUnnamedRange(span, records, set.detector, terminal)
    try write(result, outputs, drawer)
    switch format {
    case .table:
      try StandardOutput.write(result.tables(OutputTerminal.screen))
    case .csv: try StandardOutput.write(result.csv())
    case .json: try StandardOutput.write(try result.json())
    }
    let steps = records.reduce(0) { $0 + $1.curve.count }
    let seconds = Double(watch.elapsed.nanoseconds) / 1e9
    terminal.say(
      "\(records.count) sweep\(records.count == 1 ? "" : "s") with \(grouped(Double(steps))) "
        + (steps == 1 ? "step " : "steps ")
        + "over \(fixed(set.hours, 2)) h of traces in \(fixed(seconds, 2)) s on "
        + "\(measured.threadCount) thread\(measured.threadCount == 1 ? "" : "s")")
    for path in [output, csv, picture].compactMap({ $0 }) { terminal.say("written: \(path)") }
  }

  /// A pooled curve is exact for neither of them; `run` scores them separately.
  private func tellOrigins(of set: EvaluationDataset, _ terminal: Terminal) {
    let count = set.recordings.count { $0.trace.header.origin == .synthetic }
    guard count > 0, count < set.recordings.count else { return }
    terminal.warn(
      "note: \(count) of \(set.recordings.count) traces are synthetic, and are pooled with recorded "
        + "ones; name the traces of one kind to sweep it alone")
  }

  /// The whole range of a parameter reaches far beyond what anybody sets: a few values of it, where
  /// each takes a run, lie too far apart.
  private func tellUnnamedRange(
    _ span: ThresholdSpan, _ records: [SweepRecord], _ detector: AnyDetector,
    _ terminal: Terminal
  ) {
    guard span.points == nil, records.contains(where: { !$0.curve.isExact }) else { return }
    terminal.warn(
      "note: with some of these settings, or on some of these traces, \(detector.name) has to be run "
        + "again for each \(span.parameter): \(ThresholdSpan.defaultPoints) from "
        + "\(span.text(of: span.range.lowerBound)) to \(span.text(of: span.range.upperBound)) were; "
        + "name a range: --threshold \(detector.exampleSpan)")
  }

  private func rates(of text: String) throws -> [Double] {
    let rates = try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      guard let rate = Double(part.trimmingCharacters(in: .whitespaces)), rate.isFinite, rate >= 0
      else {
        throw Failure(
          .wrongUse, "--budgets \(text): expected rates of zero or more, e.g. 1,10,100")
      }
      return rate
    }
    guard Set(rates).count == rates.count else {
      throw Failure(.wrongUse, "--budgets \(text): duplicate rate")
    }
    return rates
  }

  private struct Outputs {
    var results: String?
    var csv: String?
    var picture: String?
  }

  private func checkedOutputs() throws -> Outputs {
    let outputs = Outputs(
      results: try output.map { try OutputFile.checked($0, .sweep, inputs: measured.files) },
      csv: try csv.map { try OutputFile.checked($0, .curveTable, inputs: measured.files) },
      picture: try picture.map { try PictureDrawer.checkedOutput($0, inputs: measured.files) })
    let all = [outputs.results, outputs.csv, outputs.picture].compactMap { $0 }
    for (index, path) in all.enumerated() {
      for other in all[..<index] where OutputFile.isSame(path, other) {
        throw Failure(.wrongUse, "\(path): expected a file of its own for each output")
      }
    }
    return outputs
  }

  private func write(
    _ result: SweepResult, _ outputs: Outputs, _ drawer: PictureDrawer?
  ) throws {
    let table = try outputs.csv.map { try OutputFile.prepared(result.csv(), at: $0) }
    if let path = outputs.results {
      try OutputFile.makeParent(of: path)
      do {
        try SweepFile.write(result, to: path)
      } catch {
        throw Failure(.fileError, "\(path): the sweep cannot be written: \(error.summary)")
      }
    }
    try table?.commit()
    if let path = outputs.picture { try drawer?.draw(result.json(), to: path) }
  }
}
