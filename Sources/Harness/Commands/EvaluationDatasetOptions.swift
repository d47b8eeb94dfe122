import TraceFormats
import Evaluation
import Diagnostics
import ArgumentParser
import Detectors
import Foundation
import Replay
import TraceModel

/// The options that name the data: traces and a detector, or an entry of a suite.
struct EvaluationDatasetOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Native traces or folders of them, or one suite (.yml) with --entry.", valueName: "trace"))
  var inputs: [String]

  @Option(
    help: ArgumentHelp(
      "The entry of the suite; its detector, traces and steps are used.", valueName: "name"))
  var entry: String?

  @OptionGroup var detector: DetectorOptions

  @Option(
    help: ArgumentHelp(
      "The maximum distance between a detection and its reference, on either side.",
      discussion: "Default: the tolerance of each reference, else of the score.", valueName: "time")
  )
  var tolerance: String?

  @OptionGroup(title: "Delivery") var delivery: DeliveryOptions
  @OptionGroup var deviceRate: DeviceRateOptions

  @Option(help: "The number of threads; default: number of CPUs.")
  var threads: Int?

  var threadCount: Int { threads ?? ProcessInfo.processInfo.activeProcessorCount }

  /// The files that are read; no output may replace them.
  private(set) var files: [String] = []

  private enum CodingKeys: CodingKey {
    case inputs, entry, detector, tolerance, delivery, deviceRate, threads
  }

  /// Reads all traces.
  mutating func read(
    registry: DetectorRegistry, terminal: Terminal
  ) async throws -> EvaluationDataset {
    guard threads ?? 1 > 0 else {
      throw Failure(.wrongUse, "--threads: expected 1 or more")
    }
    let plan = try isSuite ? suitePlan(registry) : tracePlan(registry)
    files = plan.files + (isSuite ? inputs : [])
    return try await EvaluationDataset.read(
      plan.files, name: plan.name, detector: plan.detector,
      choice: plan.choice, tolerance: plan.tolerance, policy: plan.policy, path: plan.path,
      threads: threadCount, loader: NativeTraceLoader(), observer: terminal)
  }

  private struct Plan {
    var name: String
    var files: [String]
    var detector: AnyDetector
    var choice: DetectorChoice
    var tolerance: Duration?
    var policy: ScriptedPolicy?
    var path: SignalPath
  }

  private var isSuite: Bool {
    inputs.contains { ["yml", "yaml"].contains(URL(fileURLWithPath: $0).pathExtension) }
  }

  private func suitePlan(_ registry: DetectorRegistry) throws -> Plan {
    guard inputs.count == 1 else {
      throw Failure(.wrongUse, "expected traces, or one suite alone")
    }
    try detector.external.apply(to: registry)
    guard detector.detector == nil else {
      throw Failure(
        .wrongUse, "--detector: the entry of the suite names it; choose it with --entry")
    }
    var suite = try SuiteParser.read(inputs[0], registry: registry)
    var found = try chosenEntry(of: suite)
    (suite.entries, suite.apps) = ([found], [])
    try delivery.override(&suite)
    found = suite.entries[0]
    let checked = try registry.detector(
      named: found.choice.detector, place: found.place, relativeTo: Suite.folder(of: inputs[0]))
    found.choice.overrides.merge(try detector.overrides(of: checked)) { $1 }
    _ = try checked.parameters(of: found.choice, for: TraceHeader(id: "", origin: .recorded))
    return Plan(
      name: "\(suite.name), \(found.name)", files: suite.files(of: found.traces), detector: checked,
      choice: found.choice,
      tolerance: try statedTolerance ?? found.tolerance, policy: found.policy,
      path: SignalPath(
        deviceRate: try deviceRate.value() ?? found.deviceRate,
        gravity: try detector.gravityParameters() ?? found.gravityFilter,
        delivery: found.delivery))
  }

  /// The entry that `--entry` names, or the only one.
  private func chosenEntry(of suite: Suite) throws -> Suite.Entry {
    let names = suite.entries.map(\.name)
    guard !names.isEmpty else {
      throw Failure(
        .wrongUse, "\(inputs[0]): expected an entry with a detector, found apps alone")
    }
    if let entry, suite.apps.contains(where: { $0.name == entry }) {
      throw Failure(
        .wrongUse,
        "--entry \(entry): it is an app; expected an entry with a detector: "
          + names.joined(separator: ", "))
    }
    guard let name = entry ?? (names.count == 1 ? names.first : nil) else {
      throw Failure(
        .wrongUse,
        "\(inputs[0]): name one of its entries with --entry: \(names.joined(separator: ", "))")
    }
    guard let found = suite.entries.first(where: { $0.name == name }) else {
      throw Failure.unknown("entry", name, known: names, place: inputs[0])
    }
    return found
  }

  private func tracePlan(_ registry: DetectorRegistry) throws -> Plan {
    guard entry == nil else {
      throw Failure(.wrongUse, "--entry: expected a suite (.yml) to take it from")
    }
    let files = try TraceArguments.files(inputs)
    guard let first = files.first else {
      throw Failure(.wrongUse, "expected traces, found none")
    }
    var seen: Set<String> = []
    for file in files where !seen.insert(file).inserted {
      throw Failure(.wrongUse, "\(file): expected each trace once, found it twice")
    }
    // The detector is named, or the first trace decides it.
    let header =
      detector.detector == nil
      ? try NativeFile.read(first).header : TraceHeader(id: "", origin: .recorded)
    let choice = try detector.choice(for: header, registry: registry)
    return Plan(
      name: title(of: files),
      files: files,
      detector: try registry.detector(named: choice.detector), choice: choice,
      tolerance: try statedTolerance,
      policy: nil,
      path: SignalPath(
        deviceRate: try deviceRate.value(), gravity: try detector.gravityParameters(),
        delivery: try delivery.value()))
  }

  /// A short name for the inputs.
  private func title(of files: [String]) -> String {
    if inputs.count == 1 { return inputs[0] }
    let folders = Set(files.map(Suite.folder(of:)))
    return folders.count == 1
      ? "recordings in \(folders.first ?? "")" : "\(inputs[0]) and \(inputs.count - 1) more"
  }

  private var statedTolerance: Duration? {
    get throws {
      guard let tolerance else { return nil }
      guard let duration = Quantity.duration(of: tolerance) else {
        throw Failure(.wrongUse, "--tolerance \(tolerance): expected a time such as 150ms")
      }
      return duration
    }
  }
}
