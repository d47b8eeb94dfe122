import ArgumentParser
import Detectors
import Diagnostics
import Evaluation
import ExternalDetectors
import TraceModel
import Tuning

/// The options that name a detector and its parameters.
struct DetectorOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The detector and its preset, e.g. punch or punch/hitThat.",
      discussion: """
        Default: the detector for the trace's channels. For another program: \
        'exec:./my-detector ARGUMENTS' (see traces/FORMAT.md).
        """,
      valueName: "name[/preset]"))
  var detector: String?

  @OptionGroup var external: ExternalDetectorOptions

  @Option(
    help: ArgumentHelp(
      "Parameters, with or without a unit, e.g. threshold=2g,refractory=300ms; may be repeated.",
      discussion: "Or a parameter file (.json) of tune; further parameters are added to it.",
      valueName: "name=value,...|file"))
  var parameters: [String] = []

  @Option(
    help: ArgumentHelp(
      "Remove gravity from traces that include it.",
      discussion: "lowpass, or lowpass:<time constant>,<freeze band>, e.g. lowpass:0.7s,0.4g.",
      valueName: "method"))
  var gravityFilter: String?

  /// Whether an option names the detector, or parameters that need one.
  var isNamed: Bool { detector != nil || !parameters.isEmpty }

  /// - Parameter header: decides the detector if none is named.
  func choice(for header: TraceHeader, registry: DetectorRegistry) throws -> DetectorChoice {
    try external.apply(to: registry)
    var choice =
      if let file = parameterFile {
        try fileChoice(file, registry)
      } else if let detector {
        try DetectorText(detector).choice()
      } else {
        DetectorChoice(
          detector: try fittingDetector(for: header, registry: registry), preset: "default")
      }
    let detector = try registry.detector(named: choice.detector)
    choice.overrides.merge(try namedOverrides(of: detector)) { $1 }
    _ = try detector.parameters(of: choice, for: header)
    return choice
  }

  /// The parameters that differ from those of a suite's entry.
  func overrides(of detector: AnyDetector) throws -> ParameterSettings {
    if let parameterFile {
      throw Failure(
        .wrongUse,
        "--parameters \(parameterFile): write it into the suite's entry, as parameters: file.json")
    }
    return try namedOverrides(of: detector)
  }

  /// The files that are read; no output may replace them.
  var files: [String] { parameters.filter(ParameterText.isFile) }

  private var parameterFile: String? { files.first }

  /// The choice of a parameter file. A detector that is also named must be the same.
  private func fileChoice(
    _ file: String, _ registry: DetectorRegistry
  ) throws -> DetectorChoice {
    guard files.count == 1 else {
      throw Failure(.wrongUse, "--parameters: expected one parameter file, found several")
    }
    let choice = try ParameterFile.read(file).choice(file, registry: registry)
    if let detector, detector != choice.detector,
      detector != "\(choice.detector)/\(choice.preset)"
    {
      throw Failure(
        .wrongUse,
        "--parameters \(file): it is for detector \(choice.detector)/\(choice.preset), not for "
          + "\(detector)")
    }
    return choice
  }

  private func namedOverrides(of detector: AnyDetector) throws -> ParameterSettings {
    var overrides: ParameterSettings = [:]
    for text in parameters where !ParameterText.isFile(text) {
      try ParameterText.add(text, of: detector, to: &overrides, place: "--parameters")
    }
    return overrides
  }

  func gravityParameters() throws -> GravityFilter.Parameters? {
    guard let gravityFilter else { return nil }
    guard let parameters = GravityText.parameters(gravityFilter) else {
      throw Failure(
        .wrongUse, "--gravity-filter \(gravityFilter): expected \(GravityText.expectation)")
    }
    return parameters
  }

  private func fittingDetector(
    for header: TraceHeader, registry: DetectorRegistry
  ) throws -> String {
    let motion = header.info(.userAcceleration) != nil || header.info(.acceleration) != nil
    if motion { return PunchDetector.name }
    if header.info(.location) != nil {
      return header.places.isEmpty ? TrackDetector.name : CheckInDetector.name
    }
    if header.info(.heartbeat) != nil { return PresenceDetector.name }
    throw Failure(
      .wrongUse,
      "\(header.id): no built-in detector reads its channels ("
        + header.channels.map(\.channel.name).joined(separator: ", ")
        + "); name one with --detector: \(registry.names.joined(separator: ", "))")
  }
}
