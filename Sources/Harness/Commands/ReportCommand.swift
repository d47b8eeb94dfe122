import ArgumentParser
import Evaluation
import Files
import Foundation
import Reports
import Results
import Scoring

struct ReportCommand: WritingCommand, DetectingCommand {
  static let configuration = CommandConfiguration.withExitCodes(
    commandName: "report",
    abstract: "Makes a page that shows every miss and false alarm, and runs the detectors itself.",
    discussion: """
      One HTML file that opens from disk: the traces and the built-in detectors are in it, so that a \
      threshold can be moved in the browser. The file of results names the suite and the traces; a \
      trace that has moved is found in --traces.

      --module takes a module that was built with a detector of your own, so that the page runs it, \
      too: see docs/own-detectors.md.

      --serve serves the page at a secret address of this machine instead, which no other machine \
      can reach. Its button "Save labels" writes run.labels.csv next to run.h5.

      EXAMPLES:
        shadowbox report out/results.h5 -o report.html
        shadowbox report out/results.h5 --serve
        shadowbox run traces/*.h5 --detector punch --report report.html
      """)

  @Argument(help: .init("The results of run -o.", "file")) var results = OutputFiles.defaultResults

  @Option(name: .shortAndLong, help: "The page to write (.html); default: out/report.html.")
  var output: String?

  @Flag(help: "Serve the page on this machine, and write the labels it saves next to their traces.")
  var serve = false

  @Option(help: .init("The port of --serve; default: any free port.", "number")) var port: UInt16?
  @OptionGroup var traces: PageTraceOptions
  @OptionGroup var threads: ThreadOptions
  @OptionGroup var module: PageModuleOption
  @OptionGroup var people: IntervalOptions
  @OptionGroup var writing: WritingOptions

  func run(_ registry: DetectorRegistry) async throws {
    try requireUse(
      !serve || output == nil,
      "--output has no effect with --serve, which writes no file; leave one of them out")
    try refuse("--port", port != nil, without: "--serve", serve)
    let writer = PageWriter(
      registry: registry, module: try module.read(), hasAllData: traces.fullData,
      threads: try threads.count(), terminal: terminal)
    // Before the long work: the port may be taken.
    let server = try serve ? PageServer(port: port ?? 0) : nil
    let page = try outputFiles.checked(
      serve ? nil : output ?? OutputFiles.defaultPage, .page,
      inputs: [results] + traces.files + module.files)
    let content = try await traces.repeated(
      try RunDefinition(reading: results), for: people.population, writer)
    if let page {
      try await writer.write(content, to: page, outputFiles)
      terminal.say("page in \(page)")
    } else if let server {
      try await serve(content, writer, on: server)
    }
  }

  private func serve(
    _ content: PageWriter.Content, _ writer: PageWriter, on server: PageServer
  ) async throws {
    let builder = try await writer.builder(of: content)
    let text = try PageFile.text(builder, title: content.suite.name, isServed: true)
    let desk = try LabelDesk(
      page: text, traces: builder.traceFiles, port: server.port, outputFiles: outputFiles,
      say: { [terminal] in terminal.say($0) })
    try StandardOutput.write(desk.address + "\n")
    terminal.say("open that address on this machine; Ctrl-C ends it")
    try server.serve(refusing: { desk.refusal(of: $0) }, answer: { desk.answer($0) })
  }
}

/// A module that a page runs instead of this program's own.
struct PageModuleOption: ParsableArguments {
  @Option(help: .init("A module with a detector of your own, for the page.", "file"))
  var module: String?

  var files: [String] { module.map { [$0] } ?? [] }

  func read() throws -> PageModule? { try module.map { try PageModule(reading: $0) } }

  /// Reads the module for a command whose page is optional.
  /// - Parameter page: nil = no page is written.
  func read(for page: String?) throws -> PageModule? {
    try refuse("--module", module != nil, without: "--report", page != nil)
    return try read()
  }
}

/// The places of the traces of a results file, and the options to run its suite again.
struct PageTraceOptions: ParsableArguments {
  @Option(help: tracesHelp) var traces: [String] = []
  @Option(help: detectorTimeoutHelp) var detectorTimeout = defaultDetectorTimeout
  @Flag(help: allowProgramsHelp) var allowPrograms = false
  @Flag(help: PageWriter.fullDataHelp) var fullData = false

  /// The traces that are named, without those in folders.
  var files: [String] { traces.filter { !TracePath.isFolder($0) } }

  func repeated(
    _ definition: RunDefinition, for population: IntervalMethod.Population, _ writer: PageWriter
  ) async throws -> PageWriter.Content {
    let files = try definition.located(in: TracePath.nativeTraces(traces))
    try RerunCommand.requireTraces(files)
    try writer.registry.setTimeLimit(detectorTimeout)
    let names = files.compactMap { file in
      file.location.map { (TracePath.absolute($0), file.path) }
    }
    return try await writer.content(
      of: definition.suite(files, writer.registry, allowsPrograms: allowPrograms),
      for: population,
      names: Dictionary(names, uniquingKeysWith: { first, _ in first }))
  }
}

/// Makes pages of results.
struct PageWriter {
  static let fullDataHelp: ArgumentHelp = "Put all readings of large traces into the page, too."

  let registry: DetectorRegistry
  /// nil = that of this program.
  let module: PageModule?
  let hasAllData: Bool
  let threads: Int
  let terminal: Terminal

  /// The results that a page shows.
  struct Content {
    var result: SuiteResult
    var suite: Suite
    /// The names of the traces as the person gave them, by their paths.
    var names: [String: String] = [:]
  }

  func content(
    of suite: Suite, for population: IntervalMethod.Population, names: [String: String] = [:]
  ) async throws -> Content {
    let output = try await suite.run(registry, threads: threads, terminal)
    var result = SuiteResult(
      provenance: .init(suite: suite.name), runs: output.runs, apps: output.apps,
      intervals: population)
    result.suite = suite
    return Content(result: result, suite: suite, names: names)
  }

  /// - Parameters:
  ///   - path: a checked path.
  ///   - comparison: of a base with these results, and the names of both files.
  func write(
    _ content: Content, to path: String,
    comparison: (ResultComparison, base: String, head: String)? = nil, _ outputFiles: OutputFiles
  ) async throws {
    let builder = try await builder(of: content, comparison: comparison)
    let title = comparison.map { "\($0.base) and \($0.head)" } ?? content.suite.name
    try outputFiles.prepared(PageFile.text(builder, title: title), at: path).commit()
  }

  func builder(
    of content: Content, comparison: (ResultComparison, base: String, head: String)? = nil
  ) async throws -> PageBuilder {
    var builder = try PageBuilder(
      content.result, of: content.suite, registry: registry, loader: NativeTraceLoader(),
      version: Harness.version, limit: hasAllData ? nil : PageBuilder.usualLimit,
      names: content.names, comparison: comparison, module: module)
    try await builder.addCurves(threads: threads, observer: terminal)
    for (traces, what) in [
      (builder.decimated, "only a part of the readings is drawn"),
      (builder.leftOut, "too large for the page, without readings"),
    ] where !traces.isEmpty {
      terminal.say("\(what): \(counted(traces.count, "large trace")); --full-data keeps all")
    }
    return builder
  }
}

extension Suite {
  func run(
    _ registry: DetectorRegistry, threads: Int, _ terminal: Terminal
  ) async throws -> SuiteRunner.Output {
    try await SuiteRunner(
      suite: self, registry: registry, loader: NativeTraceLoader(), threads: threads,
      observer: terminal
    ).run()
  }
}
