import AppEngines
import ArgumentParser
import Detectors
import Diagnostics
import Evaluation
import ExternalDetectors
import TraceFormats
import TraceModel
import Tuning

struct DetectorOptions: ParsableArguments {
  @Option(
    help: .init(
      "The detector and its preset, e.g. punch or punch/hitThat.",
      discussion: """
        Default: the detector for the trace's channels. For another program: \
        'exec:./my-detector ARGUMENTS' (see traces/FORMAT.md).
        """,
      valueName: "name[/preset]"))
  var detector: String?

  @Option(help: detectorTimeoutHelp) var detectorTimeout = defaultDetectorTimeout

  @Option(
    help: .init(
      "Parameters, with or without a unit, e.g. threshold=2g,refractory=300ms; may be repeated.",
      discussion: "Or a parameter file (.json) of tune; further parameters are added to it.",
      valueName: "name=value,...|file"))
  var parameters: [String] = []

  @Option(
    help: .init(
      "Remove gravity from traces that include it.",
      discussion: "lowpass, or lowpass:<time constant>,<freeze band>, e.g. lowpass:0.7s,0.4g.",
      valueName: "method"))
  var gravityFilter: String?

  /// Whether an option names the detector, or parameters that need one.
  var isNamed: Bool { detector != nil || !parameters.isEmpty }

  /// - Parameter header: decides the detector if none is named.
  func choice(for header: TraceHeader, _ registry: DetectorRegistry) throws -> DetectorChoice {
    try registry.setTimeLimit(detectorTimeout)
    registry.trust(detector)
    var choice =
      if let file = files.first {
        try fileChoice(file, registry)
      } else if let detector {
        try detectorChoice(detector).choice
      } else {
        DetectorChoice(detector: try fitting(header, registry), preset: "default")
      }
    let detector = try registry.detector(named: choice.detector)
    try override(&choice, of: detector)
    _ = try detector.parameters(of: choice, for: header)
    return choice
  }

  /// The choice for traces. If no detector is named, the first trace decides.
  func choice(forTraces files: [String], _ registry: DetectorRegistry) throws -> DetectorChoice {
    try choice(for: detector == nil ? NativeFile.read(files[0]).header : .plain, registry)
  }

  /// The files that are read; no output may replace them.
  var files: [String] { parameters.filter(ParameterText.isFile) }

  /// The rate of the option, else that of the parameter file, in Hz; nil = as recorded.
  /// - Parameter warn: receives a note if both are stated and differ.
  func deviceRate(_ stated: Double? = nil, warn: (String) -> Void = { _ in }) throws -> Double? {
    guard let file = files.first, let tuned = try ParameterFile.read(file).deviceRate else {
      return stated
    }
    if let stated, stated != tuned {
      warn(
        "note: \(file) was tuned at a device rate of \(number(tuned)) Hz, not \(number(stated)) Hz")
    }
    return stated ?? tuned
  }

  /// The name of an entry with a choice, e.g. `punch/default + tuned.json`.
  func title(of choice: DetectorChoice) -> String {
    files.first.map { ParameterFile.title(of: choice, $0) } ?? choice.title
  }

  /// Whether a trace has the channel of a detector, or the one that it can be made from.
  static func reads(_ channel: Channel, _ header: TraceHeader) -> Bool {
    header.info(channel) != nil
      || channel == .userAcceleration && header.info(.acceleration) != nil
  }

  /// The choice of a parameter file. A detector that is also named must be the same.
  private func fileChoice(_ file: String, _ registry: DetectorRegistry) throws -> DetectorChoice {
    try requireUse(files.count == 1, "--parameters: expected one parameter file, found several")
    return try Failure.placing("--parameters") {
      try ParameterFile.read(file).choice(file, stated: detector, registry: registry)
    }
  }

  /// Replaces the parameters of a choice that the options name.
  func override(_ choice: inout DetectorChoice, of detector: AnyDetector) throws {
    choice.overrides.merge(try Self.settings(parameters, of: detector)) { $1 }
  }

  /// Reads the texts that are not file names.
  private static func settings(
    _ texts: [String], of detector: AnyDetector
  ) throws -> ParameterSettings {
    var settings: ParameterSettings = [:]
    for text in texts where !ParameterText.isFile(text) {
      try ParameterText.add(text, of: detector, to: &settings, place: "--parameters")
    }
    return settings
  }

  /// The parameters that texts of `--parameters` change in the detector of an app.
  static func settings(
    _ parameters: [String], of choice: AppChoice, _ registry: DetectorRegistry
  ) throws -> ParameterSettings {
    guard !parameters.isEmpty else { return [:] }
    guard let name = choice.app.detector else {
      throw wrongUse("--parameters: app \(choice.app.name) has no parameters")
    }
    if let file = parameters.first(where: ParameterText.isFile) {
      throw wrongUse("--parameters: expected name=value with --app, found \(file)")
    }
    let detector = try registry.detector(named: name)
    let settings = try settings(parameters, of: detector)
    _ = try detector.parameters(
      of: DetectorChoice(detector: name, preset: "default", overrides: settings), for: .plain)
    for fixed in choice.app.fixedParameters {
      try requireUse(
        settings[fixed] == nil,
        "--parameters: \(fixed) follows from the rules of app \(choice.app.name); choose a preset")
    }
    return settings
  }

  func gravityParameters() throws -> GravityFilter.Parameters? {
    try gravityFilter.map {
      try parsed(
        $0, of: "--gravity-filter", GravityFilter.Parameters.spelling,
        by: GravityFilter.Parameters.init(text:))
    }
  }

  /// The built-in detector for the channels of a trace; nil = none reads them.
  static func usual(for header: TraceHeader) -> String? {
    let usual: [(Channel, String)] = [
      (.userAcceleration, PunchDetector.name), (.acceleration, PunchDetector.name),
      (.location, header.places.isEmpty ? TrackDetector.name : CheckInDetector.name),
      (.heartbeat, PresenceDetector.name), (.touch, TileDragDetector.name),
    ]
    return usual.first { header.info($0.0) != nil }?.1
  }

  private func fitting(_ header: TraceHeader, _ registry: DetectorRegistry) throws -> String {
    if let name = Self.usual(for: header) { return name }
    throw wrongUse(
      "\(header.id): no built-in detector reads its channels (\(channelNames(of: header))); name one "
        + "with --detector: \(registry.names.joined(separator: ", "))")
  }
}

let defaultDetectorTimeout = "10s"
let detectorTimeoutHelp = ArgumentHelp(
  "How long an exec: detector may neither read nor write before it counts as stuck.", "time")

extension DetectorRegistry {
  /// Sets the time limit of `exec:` detectors.
  /// - Parameter text: the value of `--detector-timeout`.
  func setTimeLimit(_ text: String) throws {
    let limit = try time(text, of: "--detector-timeout", isAboveZero: true)
    (resolver as? ExecDetectors)?.setTimeLimit(limit)
  }

  /// Lets the program of an `exec:` detector start. Only for names on the command line and in suites.
  func trust(_ name: String?, relativeTo folder: String = ".") {
    if let name { (resolver as? ExecDetectors)?.trust(name, relativeTo: folder) }
  }

  /// - Throws: bad data with all programs among the names that nobody trusts.
  func requireTrust(
    _ names: [String], relativeTo folder: String, place: String, unless condition: String
  ) throws {
    try (resolver as? ExecDetectors)?.requireTrust(
      names, relativeTo: folder, place: place, unless: condition)
  }
}
