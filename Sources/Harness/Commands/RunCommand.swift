import ArgumentParser
import Clocks
import Diagnostics
import Digests
import Evaluation
import Files
import Foundation
import Reports
import Results
import Scoring
import TraceModel

struct RunCommand: WritingCommand {
  static let configuration = CommandConfiguration.withExitCodes(
    commandName: "run",
    abstract: "Runs a suite, or a detector on traces, and scores it against references.",
    discussion: """
      Prints a summary and writes all results to an HDF5 file. --full prints all tables. The \
      figures do not depend on --threads or --batch.
      """)

  @Argument(help: .init("A suite (.yml), or traces and folders of them.", valueName: "input"))
  var inputs = ["traces/suite.yml"]

  @Option(name: .shortAndLong, help: "The results file to write.")
  var output = "out/results.h5"

  @Option(help: "How the result is printed.")
  var format = OutputFormat.table

  @Flag(help: "Print all tables instead of the summary.")
  var full = false

  @Option(help: .init("Run only this entry; may be repeated.", valueName: "entry"))
  var only: [String] = []

  @Option(help: "The number of traces processed at once (default: number of CPUs).")
  var threads: Int?

  @Option(help: "The maximum number of readings passed to a detector at once.")
  var batch = 4096

  @Flag(help: "Leave out what varies between machines: equal input gives equal bytes.")
  var deterministic = false

  @Flag(
    help: .init(
      "Run again with batches of 1, 7 and 4096 on one and two threads; a difference is an error."))
  var checkDeterminism = false

  @Option(help: .init("Write the detection log, one line per detection.", valueName: "file"))
  var log: String?

  @Option(help: .init("Write every miss and false alarm (.csv).", valueName: "file"))
  var errors: String?

  @Option(
    help: .init(
      "Write a page that shows every miss and runs the detectors (.html).", valueName: "file"))
  var report: String?

  @Flag(help: PageWriting.fullDataHelp)
  var fullData = false

  @OptionGroup var module: PageModuleOption

  @OptionGroup var people: IntervalOptions

  @OptionGroup var day: DayOptions

  @OptionGroup(title: "Delivery") var delivery: DeliveryOptions

  @OptionGroup(title: "Detector for traces") var detector: DetectorOptions

  @OptionGroup var writing: WritingOptions

  func run() async throws {
    try requireUse(batch > 0 && threads ?? 1 > 0, "--batch and --threads: expected 1 or more")
    let profile = try day.read()
    var chosen = try readSuite()
    // Also the files of entries that are not run now.
    let inputs =
      self.inputs + detector.files + day.files + module.files + chosen.traceSets.flatMap(\.files)
    try select(in: &chosen)
    try delivery.override(&chosen)
    let output = try outputFiles.checked(output, .results, inputs: inputs)
    let log = try log.map { try outputFiles.checked($0, .detectionLog, inputs: inputs) }
    let page = try report.map { try outputFiles.checked($0, .page, inputs: inputs) }
    let errors = try errors.map { try outputFiles.checked($0, .errorTable, inputs: inputs) }
    try OutputFiles.requireDistinct([output, log, page, errors])
    let module = try module.read(for: report)
    let count = threads ?? ProcessInfo.processInfo.activeProcessorCount
    let watch = Stopwatch()
    let runner = SuiteRunner(
      suite: chosen, registry: Harness.registry, loader: NativeTraceLoader(), threads: count,
      batchSize: batch, observer: terminal, clock: { watch.elapsed })
    let measured = try await runner.run()
    let wall = seconds(watch.elapsed)
    if checkDeterminism { try await check(runner, against: measured) }
    var result = try result(of: chosen, measured, profile, wall: wall, threads: count)
    if !deterministic { result.speeds = speeds(of: chosen, measured) }
    try write(result, of: measured, to: output, log: log)
    if let errors { try outputFiles.prepared(ErrorRows.csv(result), at: errors).commit() }
    try StandardOutput.write(text(of: result))
    report(result, wall: wall, threads: count)
    if let page {
      try await PageWriting.write(
        PageWriting.Content(result: result, suite: chosen), to: page, allData: fullData,
        module: module, threads: count, terminal, outputFiles)
    }
    terminal.say(
      "results in \(output)" + (page.map { ", page in \($0)" } ?? "")
        + (format == .table && !full ? "; all tables: --full" : ""))
  }

  private func result(
    of chosen: Suite, _ measured: SuiteRunner.Output, _ profile: DayProfile?, wall: Double,
    threads: Int
  ) throws -> SuiteResult {
    var result = SuiteResult(
      provenance: .init(
        suite: chosen.name, suiteSHA256: chosen.sha256,
        dataCommit: Toolchain.commit(near: chosen.path),
        toolchain: Toolchain.name, detectionLogSHA256: SuiteLog.sha256(measured)),
      inputs: [InputFile(role: "suite", path: chosen.path, sha256: chosen.sha256)]
        + measured.runs.traceInputs + (try .files(day.files, role: "profile")),
      host: deterministic
        ? nil
        : .init(
          operatingSystem: ProcessInfo.processInfo.operatingSystemVersionString,
          processors: ProcessInfo.processInfo.activeProcessorCount, threads: threads,
          wallSeconds: wall),
      runs: measured.runs, apps: measured.apps, intervals: people.population,
      profile: profile)
    result.suite = chosen
    return result
  }

  private func write(
    _ result: SuiteResult, of measured: SuiteRunner.Output, to output: String, log: String?
  ) throws {
    // Both files or none: the log waits until the results are written.
    let logFile = try log.map {
      try outputFiles.prepared(SuiteLog.texts(measured).joined(), at: $0)
    }
    try outputFiles.write("results", to: output) { try ResultsFile.write(result, to: $0) }
    try logFile?.commit()
  }

  /// Reports how much was run, and the digest of the detection log where it is of use.
  private func report(_ result: SuiteResult, wall: Double, threads: Int) {
    let runs = result.runs
    var seen: Set<String> = []
    let hours = runs.filter { seen.insert($0.traceSHA256).inserted }.reduce(0) { $0 + $1.hours }
    terminal.say(
      "\(result.provenance.suite): \(counted(runs.count, "run")) over \(fixed(hours, 2)) h of traces in "
        + "\(fixed(wall, 2)) s on \(counted(threads, "thread"))")
    for line in DeliveryText.lines(runs) { terminal.say(line) }
    if full || checkDeterminism || log != nil {
      terminal.say("log SHA-256 \(result.provenance.detectionLogSHA256)")
    }
  }

  /// Measures the detectors again, one after another on one thread.
  private func speeds(of chosen: Suite, _ measured: SuiteRunner.Output) -> [SpeedFigure] {
    SpeedMeter(
      suite: chosen, registry: Harness.registry, loader: NativeTraceLoader(),
      clock: { ProcessorTime.now.thread.nanoseconds }
    ).figures(of: measured.runs)
  }

  /// Keeps only the selected entries.
  func select(in chosen: inout Suite) throws {
    let names = chosen.entries.map(\.name) + chosen.apps.map(\.name)
    for name in only where !names.contains(name) {
      throw Failure.unknown("entry", name, known: names, place: chosen.path)
    }
    guard !only.isEmpty else { return }
    chosen.entries.removeAll { !only.contains($0.name) }
    chosen.apps.removeAll { !only.contains($0.name) }
  }

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
    terminal.say("same detections in \(SuiteRunner.variants.count) further runs")
  }
}

/// What `run` runs: a suite, or traces with one detector.
extension RunCommand {
  /// Reads the suite, or makes one of the traces that the command line names.
  func readSuite() throws -> Suite {
    // A suite may have any name.
    if inputs.contains(where: { TracePath.isFolder($0) || TracePath.isNative($0) }) {
      return try suite(of: TracePath.nativeTraces(inputs))
    }
    try requireUse(
      inputs.count == 1,
      "expected one suite, or traces and folders of them, found \(inputs.count) files that are not "
        + "traces")
    try requireUse(
      !detector.isNamed && detector.gravityFilter == nil,
      "--detector, --parameters and --gravity-filter: expected traces, found suite \(inputs[0]), "
        + "whose entries name them")
    try setTimeLimit(ofExternalDetectors: detector.detectorTimeout)
    return try SuiteParser.read(inputs[0], registry: Harness.registry)
  }

  private func suite(of files: [String]) throws -> Suite {
    let choice = try detector.choice(forTraces: files)
    let entry = Suite.Entry(
      name: choice.title, choice: choice, traces: ["traces"],
      path: SignalPath(gravity: try detector.gravityParameters()), place: "--detector")
    let settings = [choice.title] + detector.parameters + [detector.gravityFilter ?? ""] + files
    return Suite(
      name: "command line", path: "command line",
      sha256: SHA256Digest.hex(of: Array(settings.joined(separator: "\n").utf8)),
      traceSets: [Suite.TraceSet(name: "traces", files: files)], entries: [entry])
  }
}
