import ArgumentParser
import Diagnostics
import Evaluation
import Foundation
import Reports
import Scoring
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

  @OptionGroup var traces: PageTraceOptions

  @OptionGroup var people: IntervalOptions

  @OptionGroup var writing: WritingOptions

  func run() async throws {
    try traces.check()
    let page = try OutputFile.checked(output, .page, inputs: [results] + traces.files)
    let repeated = try await traces.repeated(
      try MeasuredResults(reading: results), for: people.population, terminal)
    try PageWriting.write(repeated, to: page, allData: traces.fullData, terminal)
    terminal.say("page in \(page)")
  }
}

/// Where the traces of a results file are, and how its suite is run again.
struct PageTraceOptions: ParsableArguments {
  @Option(
    help: .init("A trace, or a folder of them, where traces may lie now; may be repeated."))
  var traces: [String] = []

  @Option(help: "Traces worked on at once (default: number of CPUs).")
  var threads: Int?

  @Option(help: detectorTimeoutHelp)
  var detectorTimeout = defaultDetectorTimeout

  @Flag(help: PageWriting.fullDataHelp)
  var fullData = false

  /// The traces that are named, without those in folders.
  var files: [String] { traces.filter { !TracePath.isFolder($0) } }

  func check() throws {
    try requireUse(threads ?? 1 > 0, "--threads: expected 1 or more")
  }

  /// Runs the suite of results again.
  func repeated(
    _ results: MeasuredResults, for population: IntervalMethod.Population, _ terminal: Terminal
  ) async throws -> PageWriting.Content {
    let definition = try RunDefinition(results)
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
      intervals: population)
    result.suite = suite
    let names = Dictionary(
      files.compactMap { file in
        file.location.map { (URL(fileURLWithPath: $0).standardizedFileURL.path, file.path) }
      }, uniquingKeysWith: { first, _ in first })
    return PageWriting.Content(result: result, suite: suite, names: names)
  }
}

/// Writes a page of results.
enum PageWriting {
  static let fullDataHelp: ArgumentHelp =
    "Put all traces into the page, also where they are large."

  /// What a page is of.
  struct Content {
    var result: SuiteResult
    var suite: Suite
    /// How the person named the traces, by where they were found.
    var names: [String: String] = [:]
  }

  /// - Parameters:
  ///   - path: a checked one.
  ///   - comparison: of a base with these results, and the names of both files.
  static func write(
    _ content: Content, to path: String, allData: Bool,
    comparison: (ResultComparison, base: String, head: String)? = nil, _ terminal: Terminal
  ) throws {
    let builder = try PageBuilder(
      content.result, of: content.suite, registry: Harness.registry, loader: NativeTraceLoader(),
      version: Harness.version, limit: allData ? nil : PageBuilder.usualLimit,
      names: content.names, comparison: comparison)
    let title = comparison.map { "\($0.base) and \($0.head)" } ?? content.suite.name
    let file = try OutputFile.prepared(try PageFile.text(builder, title: title), at: path)
    try file.commit()
    if !builder.leftOut.isEmpty {
      terminal.say(
        "too large for it: the readings of \(counted(builder.leftOut.count, "trace")); all with "
          + "--full-data")
    }
  }
}
