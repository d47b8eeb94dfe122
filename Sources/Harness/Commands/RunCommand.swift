import Reports
import Diagnostics
import ArgumentParser
import Foundation
import HDF5
import Pacing
import Evaluation
import TraceFormats
import TraceModel

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Runs a suite, or a detector on traces, and scores it against references.",
    discussion: """
      Prints a summary and writes all results to an HDF5 file. --full prints all tables. The \
      figures do not depend on --threads or --batch.

      \(ExitStatus.help)
      """)

  @Argument(
    help: ArgumentHelp("A suite (.yml), or traces and folders of them.", valueName: "input"))
  var inputs = ["traces/suite.yml"]

  @Option(name: .shortAndLong, help: "The results file to write.")
  var output = "out/results.h5"

  @Option(help: "How the result is printed.")
  var format = OutputFormat.table

  @Flag(help: "Print all tables instead of the summary.")
  var full = false

  @Option(help: ArgumentHelp("Run only this entry; may be repeated.", valueName: "entry"))
  var only: [String] = []

  @Option(help: "Traces worked on at once (default: number of CPUs).")
  var threads: Int?

  @Option(help: "The most readings passed to a detector at once.")
  var batch = 4096

  @Flag(help: "Leave out what varies between machines: equal input gives equal bytes.")
  var deterministic = false

  @Flag(
    help: ArgumentHelp(
      "Run again with batches of 1, 7 and 4096 on one and two threads; a difference is an error."))
  var checkDeterminism = false

  @Option(help: ArgumentHelp("Write the detection log, one line per detection.", valueName: "file"))
  var log: String?

  @OptionGroup(title: "Delivery") var delivery: DeliveryOptions

  @OptionGroup(title: "Detector for traces") var detector: DetectorOptions

  @OptionGroup var writing: WritingOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    guard batch > 0, threads ?? 1 > 0 else {
      throw Failure(.wrongUse, "--batch and --threads: expected 1 or more")
    }
    let terminal = common.terminal
    var chosen = try readSuite()
    // Also the files of entries that are not run now.
    let inputs = self.inputs + detector.files + chosen.traceSets.flatMap(\.files)
    try select(in: &chosen)
    try delivery.override(&chosen)
    let output = try OutputFile.checked(output, .results, inputs: inputs)
    let log = try log.map { try OutputFile.checked($0, .detectionLog, inputs: inputs) }
    if let log, OutputFile.isSame(log, output) {
      throw Failure(.wrongUse, "--log and --output are both \(log); name two files")
    }
    let count = threads ?? ProcessInfo.processInfo.activeProcessorCount
    let watch = Stopwatch()
    let runner = SuiteRunner(
      suite: chosen, registry: Harness.registry, loader: NativeTraceLoader(), threads: count,
      batchSize: batch, observer: terminal, clock: { watch.elapsed })
    let measured = try await runner.run()
    let wall = seconds(watch.elapsed)
    if checkDeterminism { try await check(runner, against: measured) }
    let result = result(of: chosen, measured, wall: wall, threads: count)
    try write(result, of: measured, to: output, log: log)
    try StandardOutput.write(text(of: result))
    report(result, wall: wall, threads: count)
    terminal.say("results in \(output)" + hint)
  }

  private func result(
    of chosen: Suite, _ measured: SuiteRunner.Output, wall: Double, threads: Int
  ) -> SuiteResult {
    SuiteResult(
      provenance: .init(
        suite: chosen.name, suiteSHA256: chosen.sha256,
        dataCommit: Toolchain.commit(near: chosen.path),
        toolchain: Toolchain.name, detectionLogSHA256: SuiteLog.sha256(measured)),
      inputs: [InputFile(role: "suite", path: chosen.path, sha256: chosen.sha256)]
        + measured.runs.traceInputs,
      host: deterministic
        ? nil
        : .init(
          operatingSystem: ProcessInfo.processInfo.operatingSystemVersionString,
          processors: ProcessInfo.processInfo.activeProcessorCount, threads: threads,
          wallSeconds: wall),
      runs: measured.runs, apps: measured.apps)
  }

  private func write(
    _ result: SuiteResult, of measured: SuiteRunner.Output, to output: String, log: String?
  ) throws {
    try OutputFile.makeParent(of: output)
    // Both files or none: the log waits until the results are written.
    let logFile = try log.map {
      try OutputFile.prepared(SuiteLog.texts(measured).joined(), at: $0)
    }
    do {
      try ResultsFile.write(result, to: output)
    } catch {
      throw Failure(.fileError, "\(output): the results cannot be written: \(error.summary)")
    }
    try logFile?.commit()
  }

  /// Reports how much was run, and the digest of the detection log where it is of use.
  private func report(_ result: SuiteResult, wall: Double, threads: Int) {
    let (terminal, runs) = (common.terminal, result.runs)
    var seen: Set<String> = []
    let hours = runs.filter { seen.insert($0.traceSHA256).inserted }.reduce(0) { $0 + $1.hours }
    terminal.say(
      "\(result.provenance.suite): \(runs.count) runs over \(fixed(hours, 2)) h of traces in \(fixed(wall, 2)) s"
        + " on \(threads) thread\(threads == 1 ? "" : "s")")
    for line in DeliveryText.lines(runs) { terminal.say(line) }
    if full || checkDeterminism || log != nil {
      terminal.say("log SHA-256 \(result.provenance.detectionLogSHA256)")
    }
  }

  /// Keeps only the selected entries.
  private func select(in chosen: inout Suite) throws {
    let names = chosen.entries.map(\.name) + chosen.apps.map(\.name)
    for name in only where !names.contains(name) {
      throw Failure.unknown("entry", name, known: names, place: chosen.path)
    }
    guard !only.isEmpty else { return }
    chosen.entries.removeAll { !only.contains($0.name) }
    chosen.apps.removeAll { !only.contains($0.name) }
  }

  /// The way to the other figures.
  private var hint: String { format == .table && !full ? "; all tables: --full" : "" }

  private func text(of result: SuiteResult) throws -> String {
    let screen = OutputTerminal.screen
    switch format {
    case .table where !full: return SuiteTables(result: result, screen: screen).summary()
    case .table:
      return [
        SuiteTables(result: result, screen: screen).render(),
        AppTables(apps: result.apps, runs: result.runs, screen: screen).render(),
      ]
      .filter { !$0.isEmpty }.joined(separator: "\n")
    case .json: return try result.json()
    case .csv: return result.csv()
    }
  }

  private func check(_ runner: SuiteRunner, against measured: SuiteRunner.Output) async throws {
    if let difference = try await runner.firstDifference(from: measured) {
      throw Failure(.badData, difference)
    }
    common.terminal.say("same detections in \(SuiteRunner.variants.count) further runs")
  }
}
