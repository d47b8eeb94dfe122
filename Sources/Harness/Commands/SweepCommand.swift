import ArgumentParser
import Clocks
import Detectors
import Diagnostics
import Evaluation
import Files
import Foundation
import Reports
import Results
import TraceModel
import Tuning

struct SweepCommand: EvaluationCommand {
  static let configuration = CommandConfiguration.withExitCodes(
    commandName: "sweep", abstract: "Scores a detector at every threshold.",
    discussion: """
      Counts hits and false alarms at all values of the detector's threshold. A detector with \
      scores (punch) needs one pass, and the result is exact. Other detectors run once per value of \
      a range: --threshold radius=20m..80m:25. Prints the operating points; the curves go to files.

      The best threshold is chosen on the same data that it is scored on. To choose parameters, use \
      tune.

      EXAMPLES:
        shadowbox sweep recordings/ --detector punch \\
          --grid refractory=0.2s,0.4s,0.8s -o sweep.h5 --picture sweep.png
      """)

  @OptionGroup var data: EvaluationDatasetOptions
  @OptionGroup var threads: ThreadOptions
  @OptionGroup var detector: DetectorOptions
  @OptionGroup(title: "Delivery") var delivery: DeliveryOptions
  @OptionGroup var deviceRate: DeviceRateOptions

  @Option(
    help: .init(
      "The parameter to sweep, its range, and the number of its values.",
      discussion: "Default: the detector's own threshold over its whole range.",
      valueName: "name[=from..to[:points]]"))
  var threshold: String?

  @Option(
    help: .init(
      "Cross with these values of another parameter, or of the tolerance; may be repeated.",
      "name=value,..."))
  var grid: [String] = []

  @Option(
    help: .init(
      "Budgets in false alarms per hour; the best threshold for each is printed.", "rate,..."))
  var budgets = "1,10,100"

  @Option(name: .shortAndLong, help: "Write the curves to this HDF5 file.") var output: String?
  @Option(help: .init("Write the curves to this CSV file.", "file")) var csv: String?

  @Option(
    help: .init("Draw the curves (.png, .svg or .pdf); needs Python with matplotlib.", "file"))
  var picture: String?

  @Option(help: "How the result is printed; csv prints the curves.") var format = OutputFormat.table
  @OptionGroup var people: IntervalOptions
  @OptionGroup var writing: WritingOptions

  func run(_ registry: DetectorRegistry) async throws {
    let budgets = try rates(of: budgets)
    let drawer = try picture.map { _ in try PictureDrawer() }
    let watch = Stopwatch()
    let set = try await readData(registry)
    let span = try ThresholdSpan(threshold, of: set.detector)
    let grid = try SweepGrid(grid, of: set.detector, threshold: span.parameter)
    let inputs = files(of: set)
    let results = try outputFiles.checked(output, .sweep, inputs: inputs)
    let table = try outputFiles.checked(csv, .curveTable, inputs: inputs)
    let image = try outputFiles.checked(picture, .picture, inputs: inputs)
    try OutputFiles.requireDistinct([results, table, image])
    let count = try threads.count()
    let runner = SweepRunner(
      measured: set, span: span, grid: grid, budgets: budgets, threads: count,
      latencies: picture == nil && output == nil ? 0 : 24, observer: terminal,
      intervals: people.population)
    var result = try await runner.run()
    result.dataCommit = Toolchain.commit(near: data.inputs[0])
    let records = result.records
    warnAboutOrigins(of: set)
    warnAboutRange(span, records, set.detector)
    await warnOfUnrepeatable(in: set, registry)
    let prepared = try table.map { try outputFiles.prepared(result.csv(), at: $0) }
    if let results {
      try outputFiles.write("sweep", to: results) { try SweepFile.write(result, to: $0) }
    }
    try prepared?.commit()
    if let image { try drawer?.draw(result.picture(), to: image, of: outputFiles) }
    try format.print(table: result.tables, json: result.json, csv: result.csv)
    let steps = records.reduce(0) { $0 + $1.curve.count }
    terminal.say(
      "\(counted(records.count, "sweep")) with \(grouped(Double(steps))) step\(steps == 1 ? "" : "s") "
        + "over \(fixed(set.hours, 2)) h of traces in \(fixed(seconds(watch.elapsed), 2)) s on "
        + counted(count, "thread"))
    for path in [output, csv, picture].compactMap({ $0 }) { terminal.say("written: \(path)") }
  }

  /// A pooled curve is exact for neither recorded nor synthetic traces; `run` scores them separately.
  private func warnAboutOrigins(of set: EvaluationDataset) {
    let count = set.recordings.count { $0.trace.header.origin == .synthetic }
    guard count > 0, count < set.recordings.count else { return }
    terminal.warn(
      "note: \(count) of \(set.recordings.count) traces are synthetic and pooled with recorded ones; "
        + "name the traces of one kind to sweep it alone")
  }

  /// If each value takes a run, only a few are tried: over the whole range of a parameter, they lie too
  /// far apart.
  private func warnAboutRange(
    _ span: ThresholdSpan, _ records: [SweepRecord], _ detector: AnyDetector
  ) {
    guard span.points == nil, records.contains(where: { !$0.curve.isExact }) else { return }
    terminal.warn(
      "note: for some settings or traces, \(detector.name) runs once per \(span.parameter), so only "
        + "\(ThresholdSpan.defaultPoints) values from \(span.text(of: span.range.lowerBound)) to "
        + "\(span.text(of: span.range.upperBound)) were tried; name a range: --threshold "
        + detector.exampleSpan)
  }

  private func rates(of text: String) throws -> [Double] {
    let rates = try parsed(
      text, of: "--budgets", "rates of zero or more, e.g. 1,10,100"
    ) { text -> [Double]? in
      let rates = text.split(separator: ",", omittingEmptySubsequences: false)
        .map { Double($0.trimmingCharacters(in: .whitespaces)) ?? .nan }
      return rates.allSatisfy { $0.isFinite && $0 >= 0 } ? rates : nil
    }
    try requireUse(Set(rates).count == rates.count, "--budgets \(text): duplicate rate")
    return rates
  }
}
