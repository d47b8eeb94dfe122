import ArgumentParser
import Diagnostics
import Evaluation
import Files
import Foundation
import Reports
import Results
import Scoring

struct ReportCommand: WritingCommand {
  static let configuration = CommandConfiguration.withExitCodes(
    commandName: "report",
    abstract: "Makes a page that shows every miss and false alarm, and runs the detectors itself.",
    discussion: """
      One HTML file that opens from disk: the traces and the built-in detectors are in it, so that a \
      threshold can be moved in the browser. The file of results names the suite and the traces; a \
      trace that has moved is found in --traces.

      --module takes a module that was built with a detector of your own, so that the page runs it, \
      too: see docs/own-detectors.md.

      With --serve the page is at an address of this machine instead, which nobody else can reach or \
      guess, and "Save labels" writes run.labels.csv beside run.h5.

      EXAMPLES:
        shadowbox report out/results.h5 -o report.html
        shadowbox report out/results.h5 --serve
        shadowbox run traces/*.h5 --detector punch --report report.html
      """)

  @Argument(help: .init("The results of run -o.", valueName: "file"))
  var results = "out/results.h5"

  @Option(name: .shortAndLong, help: "The page to write (.html); default: out/report.html.")
  var output: String?

  @Flag(help: "Serve the page on this machine, and write the labels it saves beside their traces.")
  var serve = false

  @Option(help: .init("The port of --serve; default: any that is free.", valueName: "number"))
  var port: UInt16?

  @OptionGroup var traces: PageTraceOptions

  @OptionGroup var module: PageModuleOption

  @OptionGroup var people: IntervalOptions

  @OptionGroup var writing: WritingOptions

  func run() async throws {
    try traces.check()
    try requireUse(
      !serve || output == nil,
      "--output: with --serve no file is written; leave one of them out")
    try requireUse(serve || port == nil, "--port: it has no effect without --serve")
    let module = try module.read()
    // Before the long work: the port may be taken.
    let server = try serve ? PageServer(port: port ?? 0) : nil
    let page =
      try server == nil
      ? outputFiles.checked(
        output ?? "out/report.html", .page, inputs: [results] + traces.files + self.module.files)
      : nil
    let repeated = try await traces.repeated(
      try RunDefinition(reading: results), for: people.population, terminal)
    if let page {
      try await PageWriting.write(
        repeated, to: page, allData: traces.fullData, module: module, threads: traces.threadCount,
        terminal, outputFiles)
      terminal.say("page in \(page)")
    } else if let server {
      try await serve(repeated, module, on: server)
    }
  }

  private func serve(
    _ content: PageWriting.Content, _ module: PageModule?, on server: PageServer
  ) async throws {
    let builder = try await PageWriting.builder(
      of: content, allData: traces.fullData, module: module, threads: traces.threadCount, terminal)
    let text = try PageFile.text(builder, title: content.suite.name, isServed: true)
    let desk = try LabelDesk(
      page: text, traces: builder.traceFiles, port: server.port, outputFiles: outputFiles,
      say: { [terminal] in terminal.say($0) })
    try StandardOutput.write(desk.address + "\n")
    terminal.say("open that address on this machine; Ctrl-C ends it")
    try server.serve { desk.answer($0) }
  }
}

/// A module that a page runs instead of this program's own.
struct PageModuleOption: ParsableArguments {
  @Option(
    help: .init("A module with a detector of your own, for the page.", valueName: "file"))
  var module: String?

  var files: [String] { module.map { [$0] } ?? [] }

  func read() throws -> PageModule? { try module.map { try PageModule(reading: $0) } }

  /// Reads it for a command that writes a page if it is told to.
  /// - Parameter page: where to; nil = nowhere.
  func read(for page: String?) throws -> PageModule? {
    try requireUse(
      page != nil || module == nil,
      "--module: it has no effect without --report; leave it out or add --report page.html")
    return try read()
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

  var threadCount: Int { threads ?? ProcessInfo.processInfo.activeProcessorCount }

  /// The traces that are named, without those in folders.
  var files: [String] { traces.filter { !TracePath.isFolder($0) } }

  func check() throws {
    try requireUse(threads ?? 1 > 0, "--threads: expected 1 or more")
  }

  /// Runs the suite of results again.
  func repeated(
    _ definition: RunDefinition, for population: IntervalMethod.Population, _ terminal: Terminal
  ) async throws -> PageWriting.Content {
    let files = try definition.located(in: TracePath.nativeTraces(traces))
    try RerunCommand.requireTraces(files)
    try setTimeLimit(ofExternalDetectors: detectorTimeout)
    let suite = try definition.suite(files)
    let output = try await SuiteRunner(
      suite: suite, registry: Harness.registry, loader: NativeTraceLoader(),
      threads: threadCount, observer: terminal
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
    _ content: Content, to path: String, allData: Bool, module: PageModule?, threads: Int,
    comparison: (ResultComparison, base: String, head: String)? = nil, _ terminal: Terminal,
    _ outputFiles: OutputFiles
  ) async throws {
    let builder = try await builder(
      of: content, allData: allData, module: module, threads: threads, comparison: comparison,
      terminal)
    let title = comparison.map { "\($0.base) and \($0.head)" } ?? content.suite.name
    let file = try outputFiles.prepared(try PageFile.text(builder, title: title), at: path)
    try file.commit()
  }

  /// Packs the traces.
  static func builder(
    of content: Content, allData: Bool, module: PageModule?, threads: Int,
    comparison: (ResultComparison, base: String, head: String)? = nil, _ terminal: Terminal
  ) async throws -> PageBuilder {
    var builder = try PageBuilder(
      content.result, of: content.suite, registry: Harness.registry, loader: NativeTraceLoader(),
      version: Harness.version, limit: allData ? nil : PageBuilder.usualLimit,
      names: content.names, comparison: comparison, module: module)
    try await builder.addCurves(threads: threads, observer: terminal)
    if !builder.decimated.isEmpty {
      terminal.say(
        "drawn from a part of the readings: \(counted(builder.decimated.count, "large trace")); all "
          + "with --full-data")
    }
    if !builder.leftOut.isEmpty {
      terminal.say(
        "too large for it: the readings of \(counted(builder.leftOut.count, "trace")); all with "
          + "--full-data")
    }
    return builder
  }
}
