import ArgumentParser
import Diagnostics
import Evaluation
import Files

/// The options that name the data: traces and a detector, or an entry of a suite.
struct EvaluationDatasetOptions: ParsableArguments {
  @Argument(
    help: .init("Native traces or folders of them, or one suite (.yml) with --entry.", "trace"))
  var inputs: [String]

  @Option(help: .init("The entry of the suite; its detector, traces and steps are used.", "name"))
  var entry: String?

  @Option(
    help: .init(
      "The maximum distance between a detection and its reference, on either side.",
      discussion: "Default: the tolerance of each reference, else of the score.", valueName: "time")
  )
  var tolerance: String?

  fileprivate var suite: String? {
    inputs.first { ["yml", "yaml"].contains(TracePath.ending(of: $0)) }
  }
}

protocol EvaluationCommand: WritingCommand, DetectingCommand {
  var data: EvaluationDatasetOptions { get }
  var threads: ThreadOptions { get }
  var detector: DetectorOptions { get }
  var delivery: DeliveryOptions { get }
  var deviceRate: DeviceRateOptions { get }
}

extension EvaluationCommand {
  private var inputs: [String] { data.inputs }

  /// The files that are read; no output may replace them.
  func files(of dataset: EvaluationDataset) -> [String] {
    dataset.recordings.map(\.path) + (data.suite == nil ? [] : inputs) + detector.files
  }

  func readData(_ registry: DetectorRegistry) async throws -> EvaluationDataset {
    let count = try threads.count()
    var (name, entry, detector, traces) =
      try data.suite == nil ? traceEntry(registry) : suiteEntry(registry)
    entry.path.deviceRate =
      try self.detector.deviceRate(deviceRate.value(), warn: terminal.warn) ?? entry.path.deviceRate
    entry.path.gravity = try self.detector.gravityParameters() ?? entry.path.gravity
    entry.tolerance = try time(data.tolerance, of: "--tolerance") ?? entry.tolerance
    return try await EvaluationDataset.read(
      traces, name: name, entry: entry, detector: detector, threads: count,
      loader: NativeTraceLoader(), observer: terminal)
  }

  /// Warns if the detector is a program that is not deterministic.
  func warnOfUnrepeatable(in set: EvaluationDataset, _ registry: DetectorRegistry) async {
    let all = Suite.TraceSet(name: "all", files: set.recordings.map(\.path))
    let entry = Suite.Entry(
      name: set.choice.title, choice: set.choice, traces: ["all"], path: set.path,
      policy: set.policy, place: "--detector")
    await warnOfUnrepeatable(
      in: Suite(
        name: set.name, path: data.suite == nil ? "command line" : inputs[0], traceSets: [all],
        entries: [entry]), registry)
  }

  private typealias Found = (
    name: String, entry: Suite.Entry, detector: AnyDetector, traces: [String]
  )

  private func suiteEntry(_ registry: DetectorRegistry) throws -> Found {
    try requireUse(inputs.count == 1, "expected traces, or one suite alone")
    try registry.setTimeLimit(detector.detectorTimeout)
    try requireUse(
      detector.detector == nil,
      "--detector: the entry of the suite names it; choose it with --entry")
    var suite = try SuiteParser.read(inputs[0], registry: registry)
    (suite.entries, suite.apps) = ([try chosenEntry(of: suite)], [])
    try delivery.override(&suite)
    var found = suite.entries[0]
    let checked = try registry.detector(
      named: found.choice.detector, place: found.place, relativeTo: Suite.folder(of: inputs[0]))
    if let file = detector.files.first {
      throw wrongUse(
        "--parameters \(file): write it into the suite's entry, as parameters: file.json")
    }
    try detector.override(&found.choice, of: checked)
    _ = try checked.parameters(of: found.choice)
    return ("\(suite.name), \(found.name)", found, checked, suite.files(of: found.traces))
  }

  /// The entry that `--entry` names, or the only one.
  private func chosenEntry(of suite: Suite) throws -> Suite.Entry {
    let names = suite.entries.map(\.name)
    let list = names.joined(separator: ", ")
    try requireUse(
      !names.isEmpty, "\(inputs[0]): expected an entry with a detector, found apps alone")
    if let entry = data.entry, suite.apps.contains(where: { $0.name == entry }) {
      throw wrongUse("--entry \(entry): it is an app; expected an entry with a detector: \(list)")
    }
    guard let name = data.entry ?? (names.count == 1 ? names.first : nil) else {
      throw wrongUse("\(inputs[0]): name one of its entries with --entry: \(list)")
    }
    guard let found = suite.entries.first(where: { $0.name == name }) else {
      throw Failure.unknown("entry", name, known: names, place: inputs[0])
    }
    return found
  }

  private func traceEntry(_ registry: DetectorRegistry) throws -> Found {
    try requireUse(data.entry == nil, "--entry: expected a suite (.yml), found traces")
    let files = try TracePath.nativeTraces(inputs)
    try requireUse(!files.isEmpty, "expected traces, found none")
    try Suite.requireDistinct(files)
    var seen: Set<String> = []
    for file in files {
      try requireUse(
        seen.insert(file).inserted, "\(file): expected each trace once, found it twice")
    }
    let choice = try detector.choice(forTraces: files, registry)
    let registered = try registry.detector(named: choice.detector)
    let entry = Suite.Entry(
      name: choice.title, choice: choice, traces: [],
      path: SignalPath(delivery: try delivery.value()), place: "")
    return (title(of: files), entry, registered, files)
  }

  /// A short name for the inputs.
  private func title(of files: [String]) -> String {
    if inputs.count == 1 { return inputs[0] }
    let folders = Set(files.map(Suite.folder(of:)))
    return folders.count == 1
      ? "recordings in \(folders.first ?? "")" : "\(inputs[0]) and \(inputs.count - 1) more"
  }
}
