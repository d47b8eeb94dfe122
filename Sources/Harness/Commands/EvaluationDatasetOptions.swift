import TraceFormats
import Evaluation
import Diagnostics
import ArgumentParser
import Detectors
import Foundation
import Replay
import TraceModel

/// What is measured on, as a command line says it: traces and a detector, or an entry of a suite.
struct EvaluationDatasetOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Native traces or folders of them, or one suite (.yml) with --entry.", valueName: "trace"))
  var inputs: [String]

  @Option(
    help: ArgumentHelp(
      "The entry of the suite whose detector, traces and steps are taken.", valueName: "name"))
  var entry: String?

  @OptionGroup var detector: DetectorOptions

  @Option(
    help: ArgumentHelp(
      "How far a detection may lie from its reference, either side.",
      discussion: "Without it each reference's own, else the metric's.", valueName: "time"))
  var tolerance: String?

  @OptionGroup(title: "Delivery") var delivery: DeliveryOptions
  @OptionGroup var deviceRate: DeviceRateOptions

  @Option(help: "Traces worked on at once; by default one a processor.")
  var threads: Int?

  var threadCount: Int { threads ?? ProcessInfo.processInfo.activeProcessorCount }

  /// What is read, so that nothing is written over it.
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
    guard var found = suite.entries.first(where: { $0.name == name }) else {
      throw Failure.unknown("entry", name, known: names, place: inputs[0])
    }
    (suite.entries, suite.apps) = ([found], [])
    try delivery.override(&suite)
    found = suite.entries[0]
    let checked = try registry.detector(
      named: found.choice.detector, place: found.place, relativeTo: Suite.folder(of: inputs[0]))
    found.choice.overrides.merge(try detector.overrides(of: checked)) { $1 }
    _ = try checked.parameters(of: found.choice, for: TraceHeader(id: "", origin: .recorded))
    return Plan(
      name: "\(suite.name), \(found.name)", files: suite.files(of: found), detector: checked,
      choice: found.choice,
      tolerance: try statedTolerance ?? found.tolerance, policy: found.policy,
      path: SignalPath(
        deviceRate: try deviceRate.value() ?? found.deviceRate,
        gravity: try detector.gravityParameters() ?? found.gravityFilter,
        delivery: found.delivery))
  }

  private func tracePlan(_ registry: DetectorRegistry) throws -> Plan {
    guard entry == nil else {
      throw Failure(.wrongUse, "--entry: expected a suite (.yml) to take it from")
    }
    let files = try inputs.flatMap(Self.traces(at:))
    guard let first = files.first else {
      throw Failure(.wrongUse, "expected traces, found none")
    }
    var seen: Set<String> = []
    for file in files where !seen.insert(file).inserted {
      throw Failure(.wrongUse, "\(file): expected each trace once, found it twice")
    }
    // The detector is named, or follows from the first trace.
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

  /// What was named, as short as it can be told.
  private func title(of files: [String]) -> String {
    if inputs.count == 1 { return inputs[0] }
    let folders = Set(files.map(Suite.folder(of:)))
    return folders.count == 1
      ? "recordings in \(folders.first ?? "")" : "\(inputs[0]) and \(inputs.count - 1) more"
  }

  /// A folder stands for the native traces in it.
  private static func traces(at path: String) throws -> [String] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue
    else { return [path] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let traces = names.filter { ["h5", "hdf5"].contains(URL(fileURLWithPath: $0).pathExtension) }
    guard !traces.isEmpty else {
      throw Failure(
        .badData, "\(path): expected native traces (.h5) in the folder, found none")
    }
    return traces.sorted().map { URL(fileURLWithPath: path).appending(path: $0).relativePath }
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
