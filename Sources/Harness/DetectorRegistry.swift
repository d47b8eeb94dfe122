public import Detectors
import Replay
import Results
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
  /// What `exec:` names; copies share it.
  let externals = ExecDetectors()

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

  /// - Parameters:
  ///   - place: where it was named, for the message.
  ///   - folder: what the path of an `exec:` program is relative to.
  func detector(
    named name: String, place: String = "", relativeTo folder: String = "."
  ) throws -> RegisteredDetector {
    if ExecCommandLine.isOne(name) {
      do {
        return try externals.detector(name, relativeTo: folder)
      } catch let error as CommandError where !place.isEmpty {
        throw CommandError(error.status, "\(place): \(error.description)")
      }
    }
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

  /// `punch/default`; of a program, which has but one preset, what starts it.
  var title: String { ExecCommandLine.isOne(detector) ? detector : "\(detector)/\(preset)" }
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
  /// The other program that it is; nil = it is part of this one.
  let program: ProgramRecord?
  /// What a program says of itself besides.
  let note: String?
  let presets: [PresetInfo]
  let parameters: [ParameterInfo]
  /// What is known of all thresholds from one pass; nil = nothing, it is run again for each.
  let exactSweep: ExactSweep?
  /// The parameter that a program says is its threshold.
  let statedThreshold: String?
  private let resolveParameters:
    @Sendable (DetectorChoice, TraceHeader, String) throws -> [ResolvedParameter]
  private let runOne:
    @Sendable (DetectorChoice, any TraceSource, DeviceID, RunOptions) throws -> RunResult
  private let makeStream:
    @Sendable (DetectorChoice, ReplayDevice, RunOptions) throws -> DeviceStream

  /// Another program runs, but not at a clock's pace.
  var isExternal: Bool { program != nil }

  init<D: Detector>(_ type: D.Type) {
    let rules = DetectorRules(name: D.name, presets: D.presets, fields: D.parameterFields)
    self.init(
      rules, channel: D.channel, task: D.task,
      exactSweep: (type as? any ScoredDetector.Type).map { ExactSweep($0) },
      run: { choice, source, device, options in
        try VirtualRun<D>.run(
          rules.resolve(choice, for: source.header), on: source, device: device, options: options)
      },
      stream: { choice, device, options in
        try DeviceStream(
          D.self, rules.resolve(choice, for: device.source.header), on: device.source,
          device: device.id, start: device.start, options: options)
      })
  }

  init<Parameters>(
    _ rules: DetectorRules<Parameters>, channel: Channel, task: ReferenceTask,
    exactSweep: ExactSweep? = nil, program: ProgramRecord? = nil, note: String? = nil,
    statedThreshold: String? = nil,
    run:
      @escaping @Sendable (DetectorChoice, any TraceSource, DeviceID, RunOptions) throws ->
      RunResult,
    stream: @escaping @Sendable (DetectorChoice, ReplayDevice, RunOptions) throws -> DeviceStream
  ) {
    name = rules.name
    self.channel = channel
    self.task = task
    self.program = program
    self.note = note
    self.statedThreshold = statedThreshold
    self.exactSweep = exactSweep
    presets = rules.presetInfos
    parameters = rules.parameterInfos
    resolveParameters = { try rules.resolved($0, for: $1, place: $2) }
    runOne = run
    makeStream = stream
  }

  var help: String {
    var lines = ["\(name) (reads \(channel.name), scored on \(task.rawValue))"]
    if let note { lines.append("  \(note)") }
    for preset in presets where !isExternal {
      lines.append("  \(name)/\(preset.name): \(preset.summary)")
    }
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
    let rules = DetectorRules(name: D.name, presets: D.presets, fields: D.parameterFields)
    sweep = { choice, trace, tolerance, range, points in
      let parameters = try rules.resolve(choice, for: trace.header)
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
