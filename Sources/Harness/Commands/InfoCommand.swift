import ArgumentParser
import Diagnostics
import Evaluation
import Foundation
import Reports
import TraceModel

struct InfoCommand: TerminalCommand {
  static let configuration = CommandConfiguration.withExitCodes(
    commandName: "info",
    abstract: "Shows what recordings hold, or lists detectors, apps and deliveries.",
    discussion: """
      A folder of recordings stands for all recordings in it.
      """)

  @Argument(
    help: .init("Traces and recordings of any format, and folders of them.", valueName: "trace"))
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
      "expected a trace, --detectors, --apps or --deliveries")
    try requireUse(detector == nil || detectors, "--detector goes with --detectors")
    try requireUse(
      format == .table || !(detectors || deliveries || apps),
      "--format \(format.rawValue): expected recordings alone; --detectors, --apps and --deliveries "
        + "print text")
    let screen = OutputTerminal.screen
    if detectors { try StandardOutput.write(screen.wrapped(detectorHelp(), indent: 4)) }
    if apps { try StandardOutput.write(screen.wrapped(AppCatalog.help, indent: 4)) }
    if deliveries { try StandardOutput.write(screen.wrapped(DeliveryText.help, indent: 4)) }
    let plotter = plotter
    let results = try await importing.inspect(traces) {
      try TraceInfo($0, plotter: plotter)
    }
    let infos = results.flatMap { (try? $0.outcome.get()) ?? [] }
    if !infos.isEmpty { try write(infos) }
    var statuses: [ExitStatus] = []
    for case .failure(let failure) in results.map(\.outcome) {
      terminal.warn("error: \(failure)")
      statuses.append(ExitStatus(failure.kind))
    }
    try ExitStatus.gravest(statuses).end()
  }

  private func detectorHelp() throws -> String {
    try setTimeLimit(ofExternalDetectors: detectorTimeout)
    return try detector.map { try Harness.registry.detector(named: $0).help }
      ?? Harness.registry.help
  }

  private func write(_ infos: [TraceInfo]) throws {
    switch format {
    case .table:
      let screen = OutputTerminal.screen
      try StandardOutput.write(infos.map { $0.table(screen) }.joined(separator: "\n"))
    case .json:
      try StandardOutput.write(
        jsonDocument(["traces": infos], .info, inputs: .files(infos.map(\.path))))
    case .csv: try StandardOutput.write(TraceInfo.csv(infos))
    }
  }

  private var plotter: TracePlot? {
    guard plot ?? OutputTerminal.isThere else { return nil }
    return TracePlot(
      width: OutputTerminal.screen.width, style: .fitting(ProcessInfo.processInfo.environment))
  }
}
