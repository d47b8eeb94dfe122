public import Detectors
import Replay
import Scoring
import TraceModel
import Tuning

/// The detectors that the commands know by name.
///
/// A detector of your own is registered by its type, and every command then works for it:
///
/// ```swift
/// await Harness.main(detectors: [MyDetector.self])
/// ```
public struct DetectorRegistry: Sendable {
  private var registrations: [String: RegisteredDetector] = [:]

  /// An empty registry.
  public init() {}

  /// The detectors that come with Shadowbox.
  public static var builtIn: DetectorRegistry {
    var registry = DetectorRegistry()
    registry.register(PunchDetector.self)
    registry.register(CheckInDetector.self)
    registry.register(TrackDetector.self)
    registry.register(PresenceDetector.self)
    return registry
  }

  /// Adds a detector; one of the same name is replaced.
  public mutating func register<D: Detector>(_ type: D.Type) {
    registrations[D.name] = RegisteredDetector(type)
  }

  /// The detectors, their presets, and their parameters with defaults and ranges.
  var help: String {
    names.compactMap { registrations[$0]?.help }.joined(separator: "\n")
  }

  /// Sorted.
  var names: [String] { registrations.keys.sorted() }

  subscript(name: String) -> RegisteredDetector? { registrations[name] }

  func detector(named name: String, place: String = "") throws -> RegisteredDetector {
    guard let found = registrations[name] else {
      throw CommandError.unknown("detector", name, known: names, place: place)
    }
    return found
  }
}

/// What a detector is run with, by names and texts, before it meets a trace.
struct DetectorChoice: Hashable, Sendable {
  var detector: String
  var preset: String
  /// Parameters that differ from the preset's, as written.
  var overrides: [String: String] = [:]
}

/// A parameter with the value that a run used.
struct ResolvedParameter: Hashable, Sendable {
  var name: String
  var value: ParameterValue
  var unit: String
}

/// A detector with its type erased: `any` once a run, generics inside.
struct RegisteredDetector: Sendable {
  struct PresetInfo: Hashable, Sendable {
    var name: String
    var summary: String
  }
  struct ParameterInfo: Hashable, Sendable {
    var name: String
    var summary: String
    var kind: ParameterKind
    /// In the default preset for a trace that has nothing special.
    var defaultValue: ParameterValue
  }

  let name: String
  let channel: Channel
  let task: ReferenceTask
  let presets: [PresetInfo]
  let parameters: [ParameterInfo]
  /// What is known of all thresholds from one pass; nil = nothing, it is run again for each.
  let exactSweep: ExactSweep?
  private let resolveParameters:
    @Sendable (DetectorChoice, TraceHeader, String) throws -> [ResolvedParameter]
  private let runOne:
    @Sendable (DetectorChoice, any TraceSource, DeviceID, RunOptions) throws -> RunResult
  private let makeStream:
    @Sendable (DetectorChoice, ReplayDevice, RunOptions) throws -> DeviceStream

  init<D: Detector>(_ type: D.Type) {
    name = D.name
    channel = D.channel
    task = D.task
    presets = D.presets.map { PresetInfo(name: $0.name, summary: $0.summary) }
    let plain = D.presets.first?.parameters(for: TraceHeader(id: "", origin: .recorded))
    parameters = D.parameterFields.compactMap { field in
      plain.map {
        ParameterInfo(
          name: field.name, summary: field.summary, kind: field.kind,
          defaultValue: field.value(in: $0))
      }
    }
    exactSweep = (type as? any ScoredDetector.Type).map { ExactSweep($0) }
    resolveParameters = { choice, header, place in
      let resolved = try Self.resolve(D.self, choice, for: header, place: place)
      return D.parameterFields.map { field in
        var unit = ""
        if case .number(let parameterUnit, _) = field.kind { unit = parameterUnit.rawValue }
        return ResolvedParameter(name: field.name, value: field.value(in: resolved), unit: unit)
      }
    }
    runOne = { choice, source, device, options in
      try VirtualRun<D>.run(
        Self.resolve(D.self, choice, for: source.header, place: ""), on: source, device: device,
        options: options)
    }
    makeStream = { choice, device, options in
      try DeviceStream(
        D.self, Self.resolve(D.self, choice, for: device.source.header, place: ""),
        on: device.source,
        device: device.id, start: device.start, options: options)
    }
  }

  fileprivate var help: String {
    var lines = ["\(name) (reads \(channel.name), scored on \(task.rawValue))"]
    for preset in presets { lines.append("  \(name)/\(preset.name): \(preset.summary)") }
    for parameter in parameters {
      let value = "\(parameter.name)=\(parameter.defaultValue)"
      let range =
        switch parameter.kind {
        case .number(let unit, let range):
          "\(unit.rawValue) (\(ParameterValue.number(range.lowerBound)) to "
            + "\(ParameterValue.number(range.upperBound)))"
        case .flag: " (true, false)"
        case .choice(let choices): " (\(choices.joined(separator: ", ")))"
        }
      lines.append("    \(value)\(range): \(parameter.summary)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The parameters of `choice` on a trace; this is also the check that the choice is right.
  /// - Parameter place: where the choice was written, for the message.
  func parameters(
    of choice: DetectorChoice, for header: TraceHeader, place: String = ""
  ) throws -> [ResolvedParameter] {
    try resolveParameters(choice, header, place)
  }

  func run(
    _ choice: DetectorChoice, on source: any TraceSource, device: DeviceID = DeviceID(0),
    options: RunOptions
  ) throws -> RunResult {
    try runOne(choice, source, device, options)
  }

  /// For a timeline in which each device may have another detector.
  func stream(
    _ choice: DetectorChoice, on device: ReplayDevice, options: RunOptions
  ) throws -> DeviceStream {
    try makeStream(choice, device, options)
  }

  fileprivate static func resolve<D: Detector>(
    _ type: D.Type, _ choice: DetectorChoice, for header: TraceHeader, place: String
  ) throws -> D.Parameters {
    guard let preset = D.preset(named: choice.preset) else {
      throw CommandError.unknown(
        "preset of detector \(D.name)", choice.preset, known: D.presets.map(\.name), place: place)
    }
    var parameters = preset.parameters(for: header)
    for (name, text) in choice.overrides.sorted(by: { $0.key < $1.key }) {
      guard let field = D.parameterFields.first(where: { $0.name == name }) else {
        throw CommandError.unknown(
          "parameter of detector \(D.name)", name, known: D.parameterFields.map(\.name),
          place: place)
      }
      do {
        try field.set(field.kind.parse(text, name: name), in: &parameters)
      } catch {
        throw CommandError(.wrongUse, (place.isEmpty ? "" : place + ": ") + error.description)
      }
    }
    return parameters
  }
}

/// The sweep of a ``ScoredDetector`` with its type erased.
struct ExactSweep: Sendable {
  /// The name of its threshold.
  let parameter: String
  private let sweep:
    @Sendable (DetectorChoice, Trace, EventTolerance?, ClosedRange<Double>, [Double]?) throws
      -> ThresholdCurve?

  init<D: ScoredDetector>(_ type: D.Type) {
    parameter = D.thresholdParameter
    sweep = { choice, trace, tolerance, range, points in
      let parameters = try RegisteredDetector.resolve(D.self, choice, for: trace.header, place: "")
      return try ThresholdSweep.curve(
        D.self, parameters, on: trace, tolerance: tolerance, range: range, points: points)
    }
  }

  /// As ``ThresholdSweep/curve(_:_:on:tolerance:range:points:)``.
  func curve(
    _ choice: DetectorChoice, on trace: Trace, tolerance: EventTolerance?,
    range: ClosedRange<Double>, points: [Double]?
  ) throws -> ThresholdCurve? {
    try sweep(choice, trace, tolerance, range, points)
  }
}
