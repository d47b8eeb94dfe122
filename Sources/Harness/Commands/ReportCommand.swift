import ArgumentParser
import Diagnostics
import Evaluation
import Foundation
import Reports
import TraceFormats

struct ReportCommand: WritingCommand {
  static let configuration = CommandConfiguration.withExitCodes(
    commandName: "report",
    abstract: "Makes a page that shows every miss and false alarm, and runs the detectors itself.",
    discussion: """
      One HTML file that opens from disk: the traces and the built-in detectors are in it, so that a \
      threshold can be moved in the browser. The file of results names the suite and the traces; a \
      trace that has moved is found in --traces.

      EXAMPLES:
        shadowbox report out/results.h5 -o report.html
        shadowbox run traces/*.h5 --detector punch --report report.html
      """)

  @Argument(help: .init("The results of run -o.", valueName: "file"))
  var results = "out/results.h5"

  @Option(name: .shortAndLong, help: "The page to write (.html).")
  var output = "out/report.html"

  @Option(
    help: .init("A trace, or a folder of them, where traces may lie now; may be repeated."))
  var traces: [String] = []

  @Option(help: "Traces worked on at once (default: number of CPUs).")
  var threads: Int?

  @Option(help: detectorTimeoutHelp)
  var detectorTimeout = defaultDetectorTimeout

  @Flag(help: PageWriting.fullDataHelp)
  var fullData = false

  @OptionGroup var people: IntervalOptions

  @OptionGroup var writing: WritingOptions

  func run() async throws {
    try requireUse(threads ?? 1 > 0, "--threads: expected 1 or more")
    let page = try OutputFile.checked(
      output, .page, inputs: [results] + traces.filter { !TracePath.isFolder($0) })
    let definition = try RunDefinition(try MeasuredResults(reading: results))
    let files = try definition.located(in: TracePath.nativeTraces(traces))
    try RerunCommand.requireTraces(files)
    try setTimeLimit(ofExternalDetectors: detectorTimeout)
    let suite = try definition.suite(files)
    let output = try await SuiteRunner(
      suite: suite, registry: Harness.registry, loader: NativeTraceLoader(),
      threads: threads ?? ProcessInfo.processInfo.activeProcessorCount, observer: terminal
    ).run()
    var result = SuiteResult(
      provenance: .init(suite: suite.name), runs: output.runs, apps: output.apps,
      intervals: people.population)
    result.suite = suite
    let names = Dictionary(
      files.compactMap { file in
        file.location.map { (URL(fileURLWithPath: $0).standardizedFileURL.path, file.path) }
      }, uniquingKeysWith: { first, _ in first })
    try PageWriting.write(
      result, of: suite, to: page, allData: fullData, names: names, terminal)
    terminal.say("page in \(page)")
  }
}

/// Writes a page of results.
enum PageWriting {
  static let fullDataHelp: ArgumentHelp =
    "Put all traces into the page, also where they are large."

  /// - Parameter path: a checked one.
  static func write(
    _ result: SuiteResult, of suite: Suite, to path: String, allData: Bool,
    names: [String: String] = [:], _ terminal: Terminal
  ) throws {
    let builder = try PageBuilder(
      result, of: suite, registry: Harness.registry, loader: NativeTraceLoader(),
      version: Harness.version, limit: allData ? nil : PageBuilder.usualLimit, names: names)
    let file = try OutputFile.prepared(try PageFile.text(builder, title: suite.name), at: path)
    try file.commit()
    if !builder.leftOut.isEmpty {
      terminal.say(
        "too large for it: the readings of \(counted(builder.leftOut.count, "trace")); all with "
          + "--full-data")
    }
  }
}
