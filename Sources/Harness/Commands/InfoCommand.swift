import ArgumentParser
import Diagnostics
import Evaluation
import Foundation
import Reports
import Results
import TraceFormats
import TraceModel

struct InfoCommand: TerminalCommand {
  static let configuration = CommandConfiguration.withExitCodes(
    commandName: "info",
    abstract: "Shows what recordings and results hold, or lists detectors, apps and deliveries.",
    discussion: """
      A folder of recordings stands for all recordings in it. Files of run, sweep and tune (.h5) are read in
      every version of their schema.
      """)

  @Argument(
    help: .init(
      "Traces and recordings of any format, folders of them, and files of results.",
      valueName: "file"))
  var traces: [String] = []

  @Flag(help: "List the detectors, their presets, and their parameters with defaults and ranges.")
  var detectors = false

  @Option(
    help: .init(
      "With --detectors, list only this one; exec: starts a program and asks it.",
      valueName: "name"))
  var detector: String?

  @Option(help: detectorTimeoutHelp)
  var detectorTimeout = defaultDetectorTimeout

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
    try requireUse(
      detectors || deliveries || apps || !traces.isEmpty,
      "expected a trace, a file of results, --detectors, --apps or --deliveries")
    try requireUse(detector == nil || detectors, "--detector has no effect without --detectors")
    try requireUse(
      format == .table || !(detectors || deliveries || apps),
      "--format \(format.rawValue): expected recordings alone; --detectors, --apps and --deliveries "
        + "print text")
    let screen = OutputTerminal.screen
    if detectors { try StandardOutput.write(screen.wrapped(detectorHelp(), indent: 4)) }
    if apps {
      try StandardOutput.write(
        screen.wrapped(Harness.registry.apps.help + "\n" + NamedNetwork.help, indent: 4))
    }
    if deliveries { try StandardOutput.write(screen.wrapped(DeliveryText.help, indent: 4)) }
    let plotter = plotter
    var recordings = importing.recordings(traces)
    let ofResults = recordings.paths.filter(ResultsInfo.matches)
    recordings.paths.removeAll(where: ofResults.contains)
    try requireUse(
      format != .csv || ofResults.isEmpty || recordings.paths.isEmpty,
      "--format csv: expected recordings alone or results alone: their columns differ")
    let outcomes = try await importing.inspect(recordings, terminal) {
      try TraceInfo($0, plotter: plotter)
    }
    let infos = outcomes.flatMap { (try? $0.outcome.get()) ?? [] }
    var failures = outcomes.compactMap { outcome -> Failure? in
      if case .failure(let failure) = outcome.outcome { failure } else { nil }
    }
    let results = try ofResults.compactMap { path -> ResultsInfo? in
      do {
        return try ResultsInfo(path)
      } catch {
        guard let failure = Failure(reported: error) else { throw error }
        failures.append(failure)
        return nil
      }
    }
    try write(infos, results)
    for failure in failures { terminal.warn("error: \(failure)") }
    try ExitStatus.mostSevere(failures.map { ExitStatus($0.kind) }).end()
  }

  private func detectorHelp() throws -> String {
    try setTimeLimit(ofExternalDetectors: detectorTimeout)
    return try detector.map { try Harness.registry.detector(named: $0).help }
      ?? Harness.registry.help
  }

  private func write(_ infos: [TraceInfo], _ results: [ResultsInfo]) throws {
    guard !infos.isEmpty || !results.isEmpty else { return }
    switch format {
    case .table:
      let screen = OutputTerminal.screen
      let texts = infos.map { $0.table(screen) } + results.map { $0.table(screen) }
      try StandardOutput.write(texts.joined(separator: "\n"))
    case .json:
      let document: JSONObject = ["traces": infos, "results": results]
      let inputs: [InputFile] =
        try .files(infos.map(\.path)) + .files(results.map(\.path), role: "results")
      try StandardOutput.write(jsonDocument(document, .info, inputs: inputs))
    case .csv:
      try StandardOutput.write(results.isEmpty ? TraceInfo.csv(infos) : ResultsInfo.csv(results))
    }
  }

  private var plotter: TracePlot? {
    guard plot ?? OutputTerminal.isThere else { return nil }
    return TracePlot(
      width: OutputTerminal.screen.width, style: .fitting(ProcessInfo.processInfo.environment))
  }
}
