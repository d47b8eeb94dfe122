import Reports
import Evaluation
import Diagnostics
import ArgumentParser
import Foundation
import TraceFormats
import TraceModel

struct InfoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Shows what recordings hold, or lists detectors, apps and deliveries.",
    discussion: """
      A folder of recordings stands for all recordings in it.

      \(ExitStatus.help)
      """)

  @Argument(
    help: ArgumentHelp(
      "Traces and recordings of any format, and folders of them.", valueName: "trace"))
  var traces: [String] = []

  @Flag(help: "List the detectors, their presets, and their parameters with defaults and ranges.")
  var detectors = false

  @Option(
    help: ArgumentHelp(
      "With --detectors, list only this one; exec: starts a program and asks it.",
      valueName: "name"))
  var detector: String?

  @OptionGroup var external: ExternalDetectorOptions

  @Flag(help: "List the apps that replay and suites can play, and their presets.")
  var apps = false

  @Flag(help: "List the deliveries with their sources, and their parameters with ranges.")
  var deliveries = false

  @Flag(inversion: .prefixedNo, help: "Draw a small plot; default: on a terminal.")
  var plot: Bool?

  @OptionGroup(title: "Reading") var importing: ImportOptions

  @Option(help: "The format of the output.")
  var format = OutputFormat.table

  @OptionGroup var common: CommonOptions

  func run() async throws {
    if !detectors, !deliveries, !apps, traces.isEmpty {
      throw Failure(.wrongUse, "expected a trace, --detectors, --apps or --deliveries")
    }
    guard detector == nil || detectors else {
      throw Failure(.wrongUse, "--detector goes with --detectors")
    }
    if detectors { try StandardOutput.write(detectorHelp()) }
    if apps { try StandardOutput.write(AppCatalog.help) }
    if deliveries { try StandardOutput.write(DeliveryText.help) }
    let plotter = plotter
    let importing = importing
    // A file that cannot be read does not hide the others.
    let recordings = RecordingArguments(traces, importing)
    recordings.reportSkipped(to: common.terminal)
    let results = try await parallelMap(
      recordings.paths, threads: ProcessInfo.processInfo.activeProcessorCount
    ) { path in Result { try Self.infos(path, importing, plotter) } }
    let infos = results.flatMap { (try? $0.get()) ?? [] }
    if !infos.isEmpty { try write(infos) }
    let failures = try results.compactMap { try Self.failure(of: $0) }
    for failure in failures { common.terminal.warn("error: \(failure)") }
    guard failures.isEmpty else {
      throw ExitStatus.gravest(failures.map { ExitStatus($0.kind) }).exitCode
    }
  }

  private func detectorHelp() throws -> String {
    let registry = Harness.registry
    try external.apply(to: registry)
    return try detector.map { try registry.detector(named: $0).help } ?? registry.help
  }

  private static func infos(
    _ path: String, _ importing: ImportOptions, _ plotter: TracePlot?
  ) throws -> [TraceInfo] {
    try Inspection.all(of: importing.read(path), path: path).map {
      try TraceInfo($0, plotter: plotter)
    }
  }

  /// The failure of a file; nil = it was read.
  private static func failure(of result: Result<[TraceInfo], any Error>) throws -> Failure? {
    do {
      _ = try result.get()
      return nil
    } catch {
      guard let failure = Failure(reported: error) else { throw error }
      return failure
    }
  }

  private func write(_ infos: [TraceInfo]) throws {
    switch format {
    case .table:
      try StandardOutput.write(
        infos.map { $0.table(OutputTerminal.screen) }.joined(separator: "\n"))
    case .json:
      try StandardOutput.write(
        jsonDocument(["traces": infos], .info, inputs: .files(infos.map(\.path))))
    case .csv: try StandardOutput.write(TraceInfo.csv(infos))
    }
  }

  private var plotter: TracePlot? {
    guard plot ?? OutputTerminal.isThere else { return nil }
    let environment = ProcessInfo.processInfo.environment
    return TracePlot(
      width: OutputTerminal.width(environment), style: .fitting(environment))
  }
}
