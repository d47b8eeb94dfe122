import ArgumentParser
import Diagnostics
import Evaluation
import Files
import Foundation
import Reports
import Results
import Scoring
import TraceFormats

struct CompareCommand: WritingCommand {
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

  @Argument(help: .init("The results before the change.", valueName: "base"))
  var base: String

  @Argument(help: .init("The results after the change.", valueName: "head"))
  var head: String

  @Flag(help: "Leave out runs that cannot be compared, instead of failing.")
  var allowDifferent = false

  @Flag(help: "Exit with 2 if a detection or a measurement differs.")
  var failOnDifference = false

  @Option(help: "How the result is printed.")
  var format = OutputFormat.table

  @Option(help: .init("Write all detections that differ (.csv).", valueName: "file"))
  var flips: String?

  @Option(name: .shortAndLong, help: "Write the comparison as HDF5 (.h5).")
  var output: String?

  @Option(help: .init("Write a page with the signals (.html).", valueName: "file"))
  var report: String?

  @OptionGroup(title: "Page") var traces: PageTraceOptions

  @OptionGroup(title: "Page") var module: PageModuleOption

  @Option(help: "Seed of the random exchanges behind p, where more than 13 people differ.")
  var seed: UInt64 = 1

  @OptionGroup(title: "CI services") var services: CIOutputOptions

  @OptionGroup var writing: WritingOptions

  func run() async throws {
    let outputs = try ComparisonOutputs(
      output: output, flips: flips, inputs: [base, head], of: outputFiles)
    let page = try report.map {
      try outputFiles.checked($0, .page, inputs: [base, head] + traces.files + self.module.files)
    }
    let module = try module.read(for: report)
    try OutputFiles.requireDistinct([output, flips, page])
    try services.check(inputs: [base, head], others: [output, flips, page], of: outputFiles)
    try traces.check()
    try requireUse(
      report != nil || (traces.traces.isEmpty && !traces.fullData && traces.threads == nil),
      "--\(traces.fullData ? "full-data" : traces.threads != nil ? "threads" : "traces"): it has no effect without --report; leave it "
        + "out or add --report page.html")
    let comparison = ResultComparison(
      from: try MeasuredResults(reading: base), to: try MeasuredResults(reading: head), seed: seed)
    try outputs.write(comparison)
    if let page { try await write(comparison, to: page, module) }
    try services.write(comparison, of: outputFiles)
    try StandardOutput.write(try text(of: comparison))
    try Self.requireComparable(comparison, allowsDifferent: allowDifferent)
    if failOnDifference, !comparison.traces.isEmpty { try ExitStatus.regression.end() }
  }

  private func write(
    _ comparison: ResultComparison, to page: String, _ module: PageModule?
  ) async throws {
    let content = try await traces.repeated(
      try RunDefinition(comparison.head), for: .newPeople, terminal)
    try await PageWriting.write(
      content, to: page, allData: traces.fullData, module: module, threads: traces.threadCount,
      comparison: (comparison, base: base, head: head), terminal, outputFiles)
    let unlike = comparison.countOfUnlike(content.result.runs)
    if unlike > 0 {
      terminal.warn(
        "\(head): this program's detections differ from the file on \(counted(unlike, "run")); "
          + "the page shows the results of the file there and recomputes nothing")
    }
    terminal.say("page in \(page)")
  }

  private func text(of comparison: ResultComparison) throws -> String {
    switch format {
    case .table: ComparisonTables(comparison, screen: OutputTerminal.screen).render()
    case .json: try comparison.json(.files([base, head], role: "results"))
    case .csv: comparison.csv()
    }
  }

  private static func requireComparable(
    _ comparison: ResultComparison, allowsDifferent: Bool
  ) throws {
    guard let first = comparison.obstacles.first else { return }
    let more = comparison.obstacles.count - 1
    try requireData(
      allowsDifferent,
      "\(first.place.isEmpty ? "" : first.place + ": ")expected equal inputs, found: \(first.reason)"
        + (more > 0 ? ", and \(more) more" : "")
        + "; --allow-different compares the rest")
    try requireData(
      !comparison.entries.isEmpty,
      "nothing is left to compare: expected runs of the same entries "
        + "on the same traces")
  }
}

/// The files that `compare` and `gate` write.
struct ComparisonOutputs {
  private let output: String?
  private let flips: String?
  private let outputFiles: OutputFiles

  /// Checks the paths before the work.
  init(output: String?, flips: String?, inputs: [String], of outputFiles: OutputFiles) throws {
    self.outputFiles = outputFiles
    self.output = try output.map { try outputFiles.checked($0, .comparison, inputs: inputs) }
    self.flips = try flips.map { try outputFiles.checked($0, .flipTable, inputs: inputs) }
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
