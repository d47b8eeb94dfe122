import ArgumentParser
import Diagnostics
import Evaluation
import Foundation
import Reports
import Results
import TraceFormats
import TraceModel

struct InfoCommand: DetectingCommand {
  static let configuration = CommandConfiguration.withExitCodes(
    commandName: "info",
    abstract: "Shows what recordings and results hold, or lists detectors, apps and deliveries.",
    discussion: """
      A folder stands for all recordings in it. Results of run, sweep and tune (.h5) are read in every \
      version of their schema.
      """)

  @Argument(
    help: .init(
      "Traces and recordings of any format, folders of them, and files of results.", "file"))
  var traces: [String] = []

  @Flag(help: "List the detectors, their presets, and their parameters with defaults and ranges.")
  var detectors = false

  @Option(
    help: .init(
      "With --detectors, list only this one; exec: starts a program and asks it.", "name"))
  var detector: String?

  @Option(help: detectorTimeoutHelp) var detectorTimeout = defaultDetectorTimeout
  @Flag(help: "List the apps that replay and suites can play, and their presets.") var apps = false

  @Flag(help: "With --apps: list each rule with its values, for --rules.") var full = false

  @Flag(help: "List the deliveries with their sources, and their parameters with ranges.")
  var deliveries = false

  @Flag(inversion: .prefixedNo, help: "Draw a small plot; default: on a terminal.")
  var plot: Bool?

  @OptionGroup(title: "Reading") var importing: ImportOptions
  @Option(help: "The format of the output.") var format = OutputFormat.table
  @OptionGroup var common: CommonOptions

  func run(_ registry: DetectorRegistry) async throws {
    let isList = detectors || deliveries || apps
    try requireUse(
      isList || !traces.isEmpty,
      "expected a trace, a file of results, --detectors, --apps or --deliveries, found none of them; try "
        + "shadowbox info --detectors, or name a file")
    try refuse("--detector", detector != nil, without: "--detectors", detectors)
    try requireUse(
      format == .table || !isList,
      "--format has no effect on --detectors, --apps and --deliveries, which print text")
    try refuse("--full", full, without: "--apps", apps)
    try registry.setTimeLimit(detectorTimeout)
    let screen = OutputTerminal.screen
    if detectors {
      registry.trust(detector)
      let help = try detector.map { try registry.detector(named: $0).help } ?? registry.help
      try StandardOutput.write(screen.wrapped(help, indent: 4))
    }
    if apps {
      let rules = try registry.apps.help { full ? try AppRuleTable($0).help : "" }
      let help = rules + "\n" + NamedNetwork.help
      try StandardOutput.write(screen.wrapped(help, indent: 4))
    }
    if deliveries { try StandardOutput.write(screen.wrapped(DeliveryText.help, indent: 4)) }
    let plotter = plotter
    var recordings = try importing.recordings(traces)
    let ofResults = recordings.paths.filter(ResultsInfo.matches)
    recordings.paths.removeAll(where: ofResults.contains)
    try requireUse(
      format != .csv || ofResults.isEmpty || recordings.paths.isEmpty,
      "--format csv: expected recordings alone or results alone: their columns differ")
    let outcomes = try await importing.inspect(recordings, terminal) {
      try TraceInfo($0, plotter: plotter)
    }
    let results = try ofResults.map { path in try Failure.catching { try ResultsInfo(path) } }
    try write(
      outcomes.flatMap { (try? $0.outcome.get()) ?? [] }, results.compactMap { try? $0.get() })
    let failures = outcomes.compactMap(\.outcome.failure) + results.compactMap(\.failure)
    for failure in failures { terminal.warn("error: \(failure)") }
    try ExitStatus.mostSevere(failures.map { ExitStatus($0.kind) }).end()
  }

  private func write(_ infos: [TraceInfo], _ results: [ResultsInfo]) throws {
    guard !infos.isEmpty || !results.isEmpty else { return }
    try format.print { screen in
      (infos.map { $0.table(screen) } + results.map { $0.table(screen) }).joined(separator: "\n")
    } json: {
      let document: JSONObject = ["traces": infos, "results": results]
      return try jsonDocument(
        document, .info,
        inputs: .files(infos.map(\.path)) + .files(results.map(\.path), role: "results"))
    } csv: {
      results.isEmpty ? TraceInfo.csv(infos) : ResultsInfo.csv(results)
    }
  }

  private var plotter: TracePlot? {
    guard plot ?? OutputTerminal.isThere else { return nil }
    return TracePlot(
      width: OutputTerminal.screen.width, style: .fitting(ProcessInfo.processInfo.environment))
  }
}
