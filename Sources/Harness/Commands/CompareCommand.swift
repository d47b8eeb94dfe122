import ArgumentParser
import Evaluation
import Files
import Reports
import Results
import Scoring
import TraceFormats

struct CompareCommand: WritingCommand, DetectingCommand {
  static let configuration = CommandConfiguration.withExitCodes(
    commandName: "compare",
    abstract: "Lists what differs between two results files of run: detections and figures.",
    discussion: """
      A detection is lost, gained or moved. Its margin is its score less the threshold. Figures \
      have paired differences over people. Runs on other traces, or with other tolerances, cannot \
      be compared: that is an error unless --allow-different leaves them out.

      --report writes a page that opens from disk and shows on the signals what has changed. It \
      needs the traces, and runs the head again.
      """)

  @Argument(help: .init("The results before the change.", "base")) var base: String
  @Argument(help: .init("The results after the change.", "head")) var head: String

  @Flag(help: "Leave out runs that cannot be compared, instead of failing.")
  var allowDifferent = false

  @Flag(help: "Exit with 2 if a detection, a measurement or an outcome differs.")
  var failOnDifference = false
  @Option(help: "How the result is printed.") var format = OutputFormat.table
  @Option(help: .init("Write all detections that differ (.csv).", "file")) var flips: String?
  @Option(name: .shortAndLong, help: "Write the comparison as HDF5 (.h5).") var output: String?
  @Option(help: .init("Write a page with the signals (.html).", "file")) var report: String?
  @OptionGroup(title: "Page") var traces: PageTraceOptions
  @OptionGroup(title: "Page") var threads: ThreadOptions
  @OptionGroup(title: "Page") var module: PageModuleOption

  @Option(help: "Seed of the random exchanges behind p, where more than 13 people differ.")
  var seed: UInt64 = 1

  @OptionGroup(title: "CI services") var services: CIOutputOptions
  @OptionGroup var writing: WritingOptions

  func run(_ registry: DetectorRegistry) async throws {
    let outputs = try ComparisonOutputs(
      output: output, flips: flips, inputs: [base, head], of: outputFiles)
    let page = try outputFiles.checked(
      report, .page, inputs: [base, head] + traces.files + module.files)
    for (option, isGiven) in [
      ("--traces", !traces.traces.isEmpty), ("--full-data", traces.fullData),
      ("--threads", threads.threads != nil), ("--allow-programs", traces.allowPrograms),
    ] {
      try refuse(option, isGiven, without: "--report", report != nil)
    }
    let writer = PageWriter(
      registry: registry, module: try module.read(for: report), hasAllData: traces.fullData,
      threads: try threads.count(), terminal: terminal)
    try services.check(inputs: [base, head], others: [output, flips, page], of: outputFiles)
    let comparison = ResultComparison(
      from: try MeasuredResults(reading: base), to: try MeasuredResults(reading: head), seed: seed)
    try outputs.write(comparison)
    if let page { try await write(comparison, to: page, writer) }
    try services.write(comparison, of: outputFiles)
    try format.print(
      table: { ComparisonTables(comparison, screen: $0).render() },
      json: { try comparison.json(.files([base, head], role: "results")) }, csv: comparison.csv)
    try requireComparable(comparison)
    if failOnDifference, comparison.differs { try ExitStatus.regression.end() }
  }

  private func write(
    _ comparison: ResultComparison, to page: String, _ writer: PageWriter
  ) async throws {
    let content = try await traces.repeated(
      try RunDefinition(comparison.head), for: .newPeople, writer)
    try await writer.write(
      content, to: page, comparison: (comparison, base: base, head: head), outputFiles)
    let unlike = comparison.countOfUnlike(content.result.runs)
    if unlike > 0 {
      terminal.warn(
        "\(head): this program's detections differ from the file in \(counted(unlike, "run")); "
          + "the page shows the file's results there and recomputes nothing")
      await warnOfUnrepeatable(in: content.suite, writer.registry)
    }
    terminal.say("page in \(page)")
  }

  private func requireComparable(_ comparison: ResultComparison) throws {
    guard let first = comparison.obstacles.first else { return }
    let more = comparison.obstacles.count - 1
    try requireData(
      allowDifferent,
      "\(first.place.isEmpty ? "" : first.place + ": ")expected equal inputs, found: \(first.reason)"
        + (more > 0 ? ", and \(more) more" : "") + "; --allow-different compares the rest")
    try requireData(
      !comparison.entries.isEmpty,
      "expected runs of the same entries on the same traces, found none to compare")
  }
}

/// The files that `compare` and `gate` write.
struct ComparisonOutputs {
  private let output: String?
  private let flips: String?
  private let outputFiles: OutputFiles

  init(output: String?, flips: String?, inputs: [String], of outputFiles: OutputFiles) throws {
    self.outputFiles = outputFiles
    self.output = try outputFiles.checked(output, .comparison, inputs: inputs)
    self.flips = try outputFiles.checked(flips, .flipTable, inputs: inputs)
    try OutputFiles.requireDistinct([output, flips])
  }

  func write(_ comparison: ResultComparison, gate: GateReport? = nil) throws {
    let list = try flips.map { try outputFiles.prepared(comparison.flipsCSV(), at: $0) }
    if let output {
      try outputFiles.write("comparison", to: output) { try comparison.write(to: $0, gate: gate) }
    }
    try list?.commit()
  }
}
