package import Diagnostics
package import Detectors
package import Replay
package import Scoring
package import TraceModel
package import Tuning

/// The detectors that the commands know by name.
///
/// A detector of your own is registered by its type, and every command then works for it:
///
/// ```swift
/// await Harness.main(detectors: [MyDetector.self])
/// ```
package struct DetectorRegistry: Sendable {
  private var registrations: [String: AnyDetector] = [:]
  /// Finds detectors by names that are not registered, such as `exec:` and a program.
  package var resolver: (any DetectorResolver)?

  /// An empty registry.
  package init() {}

  /// The detectors that come with Shadowbox.
  package static var builtIn: DetectorRegistry {
    var registry = DetectorRegistry()
    registry.register(PunchDetector.self)
    registry.register(CheckInDetector.self)
    registry.register(TrackDetector.self)
    registry.register(PresenceDetector.self)
    return registry
  }

  /// Adds a detector; one of the same name is replaced.
  package mutating func register<D: Detector>(_ type: D.Type) {
    registrations[D.name] = AnyDetector(type)
  }

  /// The detectors, their presets, and their parameters with defaults and ranges.
  package var help: String {
    names.compactMap { registrations[$0]?.help }.joined(separator: "\n")
  }

  /// Sorted.
  package var names: [String] { registrations.keys.sorted() }

  package subscript(name: String) -> AnyDetector? { registrations[name] }

  /// - Parameters:
  ///   - place: where it was named, for the message.
  ///   - folder: what the path of an `exec:` program is relative to.
  package func detector(
    named name: String, place: String = "", relativeTo folder: String = "."
  ) throws -> AnyDetector {
    if let resolver, resolver.resolves(name) {
      do {
        return try resolver.detector(name, relativeTo: folder)
      } catch let error as Failure where !place.isEmpty {
        throw Failure(error.kind, "\(place): \(error.description)")
      }
    }
    guard let found = registrations[name] else {
      throw Failure.unknown("detector", name, known: names, place: place)
    }
    return found
  }
}

/// Finds detectors that are not registered by a type.
package protocol DetectorResolver: Sendable {
  /// Whether a name is of the sort that it finds.
  func resolves(_ name: String) -> Bool
  /// - Parameter folder: what a path in the name is relative to.
  func detector(_ name: String, relativeTo folder: String) throws -> AnyDetector
}

/// What a detector is run with, by names and texts, before it meets a trace.
package struct DetectorChoice: Hashable, Sendable {
  package var detector: String
  package var preset: String
  /// Parameters that differ from the preset's.
  package var overrides: ParameterSettings = [:]

  package init(detector: String, preset: String, overrides: ParameterSettings = [:]) {
    self.detector = detector
    self.preset = preset
    self.overrides = overrides
  }

  /// `punch/default`; of a program, which has but one preset, what starts it.
  package var title: String { detector.hasPrefix(AnyDetector.externalPrefix) ? detector : "\(detector)/\(preset)" }
}

/// A parameter with the value that a run used.
package struct ResolvedParameter: Hashable, Sendable {
  package var name: String
  package var value: ParameterValue
  package var unit: String
}

/// A detector with its type erased: `any` once a run, generics inside.
package struct AnyDetector: Sendable {
  package struct PresetInfo: Hashable, Sendable {
    package var name: String
    package var summary: String
  }
  package struct ParameterInfo: Hashable, Sendable {
    package var name: String
    package var summary: String
    package var kind: ParameterKind
    /// In the default preset for a trace that has nothing special.
    package var defaultValue: ParameterValue
  }

  package let name: String
  package let channel: Channel
  package let task: ReferenceTask
  /// The other program that it is; nil = it is part of this one.
  package let program: ProgramRecord?
  /// What a program says of itself besides.
  package let note: String?
  package let presets: [PresetInfo]
  package let parameters: [ParameterInfo]
  /// What is known of all thresholds from one pass; nil = nothing, it is run again for each.
  package let exactSweep: ExactSweep?
  /// The parameter that a program says is its threshold.
  package let statedThreshold: String?
  private let resolveParameters:
    @Sendable (DetectorChoice, TraceHeader, String) throws -> [ResolvedParameter]
  private let runOne:
    @Sendable (DetectorChoice, any TraceSource, DeviceID, RunOptions) throws -> RunResult
  private let makeStream:
    @Sendable (DetectorChoice, ReplayDevice, RunOptions) throws -> DeviceStream

  /// The names of detectors that are other programs begin so.
  package static let externalPrefix = "exec:"

  /// Another program runs, but not at a clock's pace.
  package var isExternal: Bool { program != nil }

  package init<D: Detector>(_ type: D.Type) {
    let rules = ParameterSchema(name: D.name, presets: D.presets, fields: D.parameterFields)
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

  package init<Parameters>(
    _ rules: ParameterSchema<Parameters>, channel: Channel, task: ReferenceTask,
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

  package var help: String {
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
  package func parameters(
    of choice: DetectorChoice, for header: TraceHeader, place: String = ""
  ) throws -> [ResolvedParameter] {
    try resolveParameters(choice, header, place)
  }

  /// The value that `text` stands for.
  /// - Throws: wrong use where there is no such parameter, or the text is no value of it.
  package func value(of parameter: String, _ text: String, place: String) throws -> ParameterValue {
    guard let info = parameters.first(where: { $0.name == parameter }) else {
      throw Failure.unknown(
        "parameter of detector \(name)", parameter, known: parameters.map(\.name), place: place)
    }
    do {
      return try info.kind.parse(text, name: parameter)
    } catch {
      throw Failure(.wrongUse, (place.isEmpty ? "" : place + ": ") + error.description)
    }
  }

  package func run(
    _ choice: DetectorChoice, on source: any TraceSource, device: DeviceID = DeviceID(0),
    options: RunOptions
  ) throws -> RunResult {
    try runOne(choice, source, device, options)
  }

  /// For a timeline in which each device may have another detector.
  package func stream(
    _ choice: DetectorChoice, on device: ReplayDevice, options: RunOptions
  ) throws -> DeviceStream {
    try makeStream(choice, device, options)
  }
}

/// The sweep of a ``ScoredDetector`` with its type erased.
package struct ExactSweep: Sendable {
  /// The name of its threshold.
  package let parameter: String
  private let sweep:
    @Sendable (DetectorChoice, Trace, EventTolerance?, ClosedRange<Double>, [Double]?) throws
      -> ThresholdCurve?

  package init<D: ScoredDetector>(_ type: D.Type) {
    parameter = D.thresholdParameter
    let rules = ParameterSchema(name: D.name, presets: D.presets, fields: D.parameterFields)
    sweep = { choice, trace, tolerance, range, points in
      let parameters = try rules.resolve(choice, for: trace.header)
      return try ThresholdSweep.curve(
        D.self, parameters, on: trace, tolerance: tolerance, range: range, points: points)
    }
  }

  /// As ``ThresholdSweep/curve(_:_:on:tolerance:range:points:)``.
  package func curve(
    _ choice: DetectorChoice, on trace: Trace, tolerance: EventTolerance?,
    range: ClosedRange<Double>, points: [Double]?
  ) throws -> ThresholdCurve? {
    try sweep(choice, trace, tolerance, range, points)
  }
}
