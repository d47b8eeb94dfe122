import Tuning
import ExternalDetectors
import Evaluation
import Diagnostics
import ArgumentParser
import Detectors
import Replay
import TraceModel

/// Which detector with which parameters, as a command line says it.
struct DetectorOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The detector and its preset, e.g. punch or punch/hitThat.",
      discussion: """
        Without it, the detector that fits the trace's channels. Another program is one too: \
        'exec:./my-detector ARGUMENTS' (see traces/FORMAT.md).
        """,
      valueName: "name[/preset]"))
  var detector: String?

  @OptionGroup var external: ExternalDetectorOptions

  @Option(
    help: ArgumentHelp(
      "Parameters, with or without a unit, e.g. threshold=2g,refractory=300ms; may be repeated.",
      discussion:
        "Or a parameter file (.json), as tune writes it; what is named beside it is added.",
      valueName: "name=value,...|file"))
  var parameters: [String] = []

  @Option(
    help: ArgumentHelp(
      "Remove gravity where a trace has it included.",
      discussion: "lowpass, or lowpass:<time constant>,<freeze band>, e.g. lowpass:0.7s,0.4g.",
      valueName: "method"))
  var gravityFilter: String?

  /// - Parameter header: decides the detector where none is named.
  func choice(for header: TraceHeader, registry: DetectorRegistry) throws -> DetectorChoice {
    try external.apply(to: registry)
    var choice: DetectorChoice
    if let file = parameterFile {
      choice = try fileChoice(file, registry)
    } else if let detector, ExecCommandLine.isOne(detector) {
      choice = DetectorChoice(detector: detector, preset: "default")
    } else if let detector {
      let parts = detector.split(separator: "/", maxSplits: 1).map(String.init)
      choice = DetectorChoice(
        detector: parts.first ?? "", preset: parts.count > 1 ? parts[1] : "default")
    } else {
      choice = DetectorChoice(
        detector: try fittingDetector(for: header, registry: registry), preset: "default")
    }
    let detector = try registry.detector(named: choice.detector)
    choice.overrides.merge(try namedOverrides(of: detector)) { $1 }
    _ = try detector.parameters(of: choice, for: header)
    return choice
  }

  /// The parameters that differ from an entry's.
  func overrides(of detector: AnyDetector) throws -> ParameterSettings {
    if let parameterFile {
      throw Failure(
        .wrongUse,
        "--parameters \(parameterFile): write it into the suite's entry, as parameters: file.json")
    }
    return try namedOverrides(of: detector)
  }

  private static func isFile(_ text: String) -> Bool {
    text.hasSuffix(".json") && !text.contains("=")
  }

  /// What is read, so that nothing is written over it.
  var files: [String] { parameters.filter(Self.isFile) }

  private var parameterFile: String? { parameters.first(where: Self.isFile) }

  /// What a parameter file says; a detector that is named beside it must be the same.
  private func fileChoice(
    _ file: String, _ registry: DetectorRegistry
  ) throws -> DetectorChoice {
    guard parameters.count(where: Self.isFile) == 1 else {
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

  /// Of `name=value`.
  private func namedOverrides(of detector: AnyDetector) throws -> ParameterSettings {
    var overrides: ParameterSettings = [:]
    let texts = parameters.filter { !Self.isFile($0) }
    for text in texts.flatMap({ $0.split(separator: ",").map(String.init) }) {
      guard let equals = text.firstIndex(of: "=") else {
        throw Failure(.wrongUse, "--parameters \(text): expected name=value")
      }
      let name = String(text[..<equals])
      guard overrides[name] == nil else {
        throw Failure(.wrongUse, "--parameters: \(name) is given twice")
      }
      overrides[name] = try detector.value(
        of: name, String(text[text.index(after: equals)...]), place: "--parameters")
    }
    return overrides
  }

  func gravityParameters() throws -> GravityFilter.Parameters? {
    guard let gravityFilter else { return nil }
    let parts = gravityFilter.split(separator: ":", maxSplits: 1).map(String.init)
    let values = parts.count > 1 ? parts[1].split(separator: ",").map(String.init) : []
    var parameters = GravityFilter.Parameters()
    guard parts.first == "lowpass", values.count <= 2 else { throw wrongFilter(gravityFilter) }
    if let text = values.first {
      guard let value = Quantity.value(of: text, unit: .seconds), value > 0 else {
        throw wrongFilter(gravityFilter)
      }
      parameters.timeConstant = value
    }
    if values.count > 1 {
      guard let value = Quantity.value(of: values[1], unit: .metersPerSecondSquared), value >= 0
      else { throw wrongFilter(gravityFilter) }
      parameters.freezeBand = value
    }
    return parameters
  }

  private func wrongFilter(_ text: String) -> Failure {
    Failure(
      .wrongUse,
      "--gravity-filter \(text): expected lowpass or lowpass:<time constant>,<freeze band>, "
        + "e.g. lowpass:0.7s,0.4g")
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

/// How patient a command is with detectors that are other programs.
struct ExternalDetectorOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How long an exec: detector may neither read nor write while it is waited for.",
      valueName: "time"))
  var detectorTimeout = "10s"

  func apply(to registry: DetectorRegistry) throws {
    guard let limit = Quantity.duration(of: detectorTimeout), limit > .zero else {
      throw Failure(
        .wrongUse, "--detector-timeout \(detectorTimeout): expected a time such as 10s or 500ms")
    }
    (registry.resolver as? ExecDetectors)?.setTimeLimit(limit)
  }
}

/// The scripted person, as a command line says it.
struct PolicyOptions: ParsableArguments {
  @Flag(help: "Answer prompts by a scripted person instead of the trace's own actions.")
  var policy = false

  @Option(help: "Time from a prompt to the confirmation.")
  var confirmAfter = "3s"

  @Option(help: "Time from the confirmation to Continue.")
  var continueAfter = "5s"

  @Option(help: "Probability of a cancelled prompt, 0 to 1.")
  var cancel = 0.0

  @Option(help: "Spread of the times, 0 to 1: 0.5 = half to one and a half times.")
  var spread = 0.0

  @Option(help: "Seed of the scripted person.")
  var seed: UInt64 = 1

  func value() throws -> ScriptedPolicy? {
    guard policy else { return nil }
    guard (0...1).contains(cancel), (0...1).contains(spread) else {
      throw Failure(.wrongUse, "--cancel and --spread: expected numbers from 0 to 1")
    }
    guard let confirm = Quantity.duration(of: confirmAfter),
      let proceed = Quantity.duration(of: continueAfter)
    else {
      throw Failure(
        .wrongUse, "--confirm-after and --continue-after: expected times such as 3s or 500ms")
    }
    return ScriptedPolicy(
      confirmAfter: confirm, continueAfter: proceed, cancelProbability: cancel, spread: spread,
      seed: seed)
  }
}
