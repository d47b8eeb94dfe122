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
import TraceFormats
import TraceModel

struct RunCommand: WritingCommand, DetectingCommand {
  static let configuration = CommandConfiguration.withExitCodes(
    commandName: "run",
    abstract: "Runs a suite, or a detector on traces, and scores it against references.",
    discussion: """
      Prints a summary and writes all results to an HDF5 file. --full prints all tables. The \
      figures do not depend on --threads or --batch. Each trace of a folder goes to the detectors \
      that read its channels.
      """)

  @Argument(
    help: .init(
      "A suite (.yml), or traces and folders of them; default: \(SuiteParser.usual).", "input"))
  var named: [String] = []

  @Option(name: .shortAndLong, help: "The results file to write.") var output = OutputFiles
    .defaultResults
  @Option(help: "How the result is printed.") var format = OutputFormat.table
  @Flag(help: "Print all tables instead of the summary.") var full = false
  @Option(help: .init("Run only this entry; may be repeated.", "entry")) var only: [String] = []
  @OptionGroup var threads: ThreadOptions
  @Option(help: "The maximum number of readings passed to a detector at once.") var batch = 4096

  @Flag(help: "Leave out what varies between machines: equal input gives equal bytes.")
  var deterministic = false

  @Flag(
    help: .init(
      "Run again with batches of 1, 7 and 4096 on one and two threads; a difference is an error."))
  var checkDeterminism = false

  @Option(help: .init("Write the detection log, one line per detection.", "file")) var log: String?
  @Option(help: .init("Write every miss and false alarm (.csv).", "file")) var errors: String?

  @Option(help: .init("Write a page that shows every miss and runs the detectors (.html).", "file"))
  var report: String?

  @OptionGroup var failOn: FailOnOption
  @Flag(help: PageWriter.fullDataHelp) var fullData = false
  @OptionGroup var module: PageModuleOption
  @OptionGroup var people: IntervalOptions
  @OptionGroup var day: DayOptions
  @OptionGroup(title: "Delivery") var delivery: DeliveryOptions
  @OptionGroup(title: "Detector for traces") var detector: DetectorOptions
  @OptionGroup var writing: WritingOptions

  func run(_ registry: DetectorRegistry) async throws {
    try requirePositive(batch, "--batch")
    let count = try threads.count()
    let profile = try day.read()
    var chosen = try readSuite(registry)
    // Also the files of entries that are not run now.
    let inputs =
      self.inputs + detector.files + day.files + module.files + chosen.traceSets.flatMap(\.files)
    try select(in: &chosen)
    try delivery.override(&chosen)
    try requireUse(
      failOn.kinds.isEmpty || !chosen.apps.isEmpty,
      "--fail-on has no effect without an app; run a suite that has apps")
    let output = try outputFiles.checked(output, .results, inputs: inputs)
    let log = try outputFiles.checked(log, .detectionLog, inputs: inputs)
    let page = try outputFiles.checked(report, .page, inputs: inputs)
    let errors = try outputFiles.checked(errors, .errorTable, inputs: inputs)
    try OutputFiles.requireDistinct([output, log, page, errors])
    let writer = PageWriter(
      registry: registry, module: try module.read(for: report), hasAllData: fullData,
      threads: count, terminal: terminal)
    let watch = Stopwatch()
    let runner = SuiteRunner(
      suite: chosen, registry: registry, loader: NativeTraceLoader(), threads: count,
      batchSize: batch, observer: terminal, clock: { watch.elapsed })
    let measured = try await runner.run()
    let wall = seconds(watch.elapsed)
    if checkDeterminism { try await check(runner, against: measured) }
    var result = try result(of: chosen, measured, profile, wall: wall, threads: count)
    if !deterministic {
      // Once more, one detector after another on one thread.
      result.speeds = SpeedMeter(
        suite: chosen, registry: registry, loader: NativeTraceLoader(),
        clock: { ProcessorTime.now.thread.nanoseconds }
      ).figures(of: measured.runs)
    }
    try write(result, of: measured, to: output, log: log)
    // gate and bisect, which run this quietly, look themselves.
    if !writing.quiet, !checkDeterminism { await warnOfUnrepeatable(in: chosen, registry) }
    if let errors {
      let file = try outputFiles.created(at: errors)
      try ErrorRows.writeCSV(of: result, to: file.write)
      try file.commit()
    }
    if !writing.quiet || full || format != .table {
      try format.print(table: { table(of: result, $0) }, json: result.json, csv: result.csv)
    }
    report(result, wall: wall, threads: count)
    if let page {
      try await writer.write(.init(result: result, suite: chosen), to: page, outputFiles)
    }
    let next = page.map { "open \($0)" } ?? "--report page.html to see each error"
    terminal.say(
      "results in \(output)" + (format == .table && !full ? "; next: \(next), or --full" : ""))
    if failOn.report(result.apps, terminal) { try ExitStatus.regression.end() }
  }

  private func result(
    of chosen: Suite, _ measured: SuiteRunner.Output, _ profile: DayProfile?, wall: Double,
    threads: Int
  ) throws -> SuiteResult {
    let machine = ProcessInfo.processInfo
    var result = SuiteResult(
      provenance: .init(
        suite: chosen.name, suiteSHA256: chosen.sha256,
        // Traces that the command line names have no suite whose folder counts.
        dataCommit: Toolchain.commit(
          near: namesSuite ? chosen.path : chosen.traceSets.first?.files.first ?? chosen.path),
        toolchain: Toolchain.name, detectionLogSHA256: SuiteLog.sha256(measured)),
      inputs: [InputFile(role: "suite", path: chosen.path, sha256: chosen.sha256)]
        + measured.runs.traceInputs + (try .files(day.files, role: "profile")),
      host: deterministic
        ? nil
        : .init(
          operatingSystem: machine.operatingSystemVersionString,
          processors: machine.activeProcessorCount, threads: threads, wallSeconds: wall),
      runs: measured.runs, apps: measured.apps, intervals: people.population, profile: profile)
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

  /// Reports how much was run, and in some cases the digest of the detection log.
  private func report(_ result: SuiteResult, wall: Double, threads: Int) {
    let runs = result.runs
    var seen: Set<String> = []
    let hours = runs.filter { seen.insert($0.traceSHA256).inserted }.reduce(0) { $0 + $1.hours }
    if full || format != .table {
      terminal.say(
        "\(result.provenance.suite): \(counted(runs.count, "run")) over \(fixed(hours, 2)) h of "
          + "traces in \(fixed(wall, 2)) s on \(counted(threads, "thread"))")
    }
    for line in DeliveryText.lines(runs) { terminal.say(line) }
    if full || checkDeterminism || log != nil {
      terminal.say("log SHA-256 \(result.provenance.detectionLogSHA256)")
    }
  }

  func select(in chosen: inout Suite) throws {
    let names = chosen.entries.map(\.name) + chosen.apps.map(\.name)
    for name in only where !names.contains(name) {
      throw Failure.unknown("entry", name, known: names, place: chosen.path)
    }
    guard !only.isEmpty else { return }
    chosen.entries.removeAll { !only.contains($0.name) }
    chosen.apps.removeAll { !only.contains($0.name) }
  }

  private func table(of result: SuiteResult, _ screen: Screen) -> String {
    let tables = SuiteTables(result: result, screen: screen)
    guard full else { return tables.summary() }
    let apps = AppTables(apps: result.apps, runs: result.runs, screen: screen).render()
    return [tables.render(), apps].filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func check(_ runner: SuiteRunner, against measured: SuiteRunner.Output) async throws {
    if let difference = try await runner.firstDifference(from: measured) {
      throw badData(difference)
    }
    terminal.say("same detections in \(SuiteRunner.variants.count) further runs")
  }
}

/// A suite, or traces for one detector, from the arguments of a command.
enum SuiteArgument {
  case suite(String), traces([String])

  /// - Parameter hasDetector: whether options name a detector, which only traces take.
  init(_ inputs: [String], hasDetector: Bool) throws {
    // A suite may have any name.
    if inputs.contains(where: { TracePath.isFolder($0) || TracePath.isNative($0) }) {
      self = .traces(try TracePath.nativeTraces(inputs))
      return
    }
    try requireUse(
      inputs.count == 1,
      "expected one suite, or traces and folders of them, found \(inputs.count) other files")
    try requireUse(
      !hasDetector,
      "--detector, --parameters and --gravity-filter cannot be used with a suite, whose entries name them"
    )
    self = .suite(inputs[0])
  }
}

extension RunCommand {
  private var inputs: [String] { named.isEmpty ? [SuiteParser.usual] : named }

  /// Reads the suite, or makes one of the traces that the command line names.
  func readSuite(_ registry: DetectorRegistry) throws -> Suite {
    let hasDetector = detector.isNamed || detector.gravityFilter != nil
    switch try SuiteArgument(inputs, hasDetector: hasDetector) {
    case .traces(let files): return try suite(of: files, registry)
    case .suite(let path):
      try registry.setTimeLimit(detector.detectorTimeout)
      return try SuiteParser.read(path, registry: registry, isNamed: !named.isEmpty)
    }
  }

  private var namesSuite: Bool {
    !inputs.contains { TracePath.isFolder($0) || TracePath.isNative($0) }
  }

  private func suite(of files: [String], _ registry: DetectorRegistry) throws -> Suite {
    let plans = try self.plans(of: files, registry)
    let path = SignalPath(
      deviceRate: try detector.deviceRate(), gravity: try detector.gravityParameters())
    let names = plans.count == 1 ? ["traces"] : plans.map(\.choice.title)
    let entries = zip(names, plans).map { name, plan in
      Suite.Entry(
        name: detector.title(of: plan.choice), choice: plan.choice, traces: [name], path: path,
        place: "--detector")
    }
    let settings =
      plans.map(\.choice.title) + detector.parameters + [detector.gravityFilter ?? ""]
      + plans.flatMap(\.files)
    return Suite(
      name: "command line", path: "command line",
      sha256: SHA256Digest.hex(of: Array(settings.joined(separator: "\n").utf8)),
      traceSets: zip(names, plans).map { Suite.TraceSet(name: $0, files: $1.files) },
      entries: entries)
  }

  private typealias Plan = (choice: DetectorChoice, files: [String])

  /// The detectors with the traces that they read: the one that is named, or the usual ones of the traces.
  /// A trace goes to one detector of each channel.
  private func plans(of files: [String], _ registry: DetectorRegistry) throws -> [Plan] {
    guard files.count > 1 else {
      return [(try detector.choice(forTraces: files, registry), files)]
    }
    let traces = try files.map { file in
      let header = try NativeFile.read(file).header
      return (file: file, header: header, usual: DetectorOptions.usual(for: header))
    }
    let isNamed = detector.detector != nil || !detector.files.isEmpty
    let headers: [TraceHeader] =
      isNamed
      ? [.plain]
      : traces.filter { $0.usual != nil }.inGroups { $0.usual ?? "" }.map { $0[0].header }
    let plans: [Plan] = try headers.map { header in
      let choice = try detector.choice(for: header, registry)
      let channel = try registry.detector(named: choice.detector).channel
      let own = traces.filter {
        DetectorOptions.reads(channel, $0.header)
          && (isNamed || $0.usual == choice.detector
            || $0.usual.flatMap { registry[$0]?.channel } != channel)
      }
      return (choice, own.map(\.file))
    }.filter { !$0.files.isEmpty }
    // What fits nothing is an error of the first trace.
    guard !plans.isEmpty else { return [(try detector.choice(forTraces: files, registry), files)] }
    note(files.filter { file in !plans.contains { $0.files.contains(file) } }, of: files.count)
    return plans
  }

  private func note(_ others: [String], of count: Int) {
    guard !others.isEmpty else { return }
    terminal.warn(
      "note: \(others.count) of \(counted(count, "trace")) have no channel that the detector reads, "
        + "and are left out: \(LabelPairing.listed(others))")
  }
}
