import Diagnostics
public import Detectors
public import TraceModel
public import Tuning

/// The detectors and apps that commands find by name.
///
/// Register your own detector by its type, and every command works with it:
/// `await Harness.main(detectors: [MyDetector.self])`.
///
/// ```swift
/// DetectorRegistry.builtIn.names  // ["checkin", "presence", "punch", "tiledrag", "track"]
/// (try? DetectorRegistry.builtIn.detector(named: "punsh")) == nil  // true
/// ```
public struct DetectorRegistry: Sendable {
  private var registrations: [String: AnyDetector] = [:]
  /// Resolves names that are not registered, such as `exec:` with a program.
  public var resolver: (any DetectorResolver)?
  /// The apps; none are built in.
  public var apps = AppCatalog()

  public init() {}

  public static var builtIn: DetectorRegistry {
    var registry = DetectorRegistry()
    registry.register(PunchDetector.self)
    registry.register(CheckInDetector.self)
    registry.register(TrackDetector.self)
    registry.register(PresenceDetector.self)
    registry.register(TileDragDetector.self)
    return registry
  }

  /// Adds a detector whose type is erased; it replaces one of the same name.
  public mutating func register(_ detector: AnyDetector) { registrations[detector.name] = detector }

  public mutating func register<D: Detector>(_ type: D.Type) { register(AnyDetector(type)) }

  public var help: String { names.compactMap { registrations[$0]?.help }.joined(separator: "\n") }

  public var names: [String] { registrations.keys.sorted() }

  public subscript(name: String) -> AnyDetector? { registrations[name] }

  /// Returns the detector with a name.
  /// - Parameters:
  ///   - place: the file and line or the option with the name, for messages.
  ///   - folder: the base of the path of an `exec:` program.
  public func detector(
    named name: String, place: String = "", relativeTo folder: String = "."
  ) throws -> AnyDetector {
    if let resolver, resolver.resolves(name) {
      return try Failure.placing(place) { try resolver.detector(name, relativeTo: folder) }
    }
    guard let found = registrations[name] else {
      throw Failure.unknown("detector", name, known: names, place: place)
    }
    return found
  }
}

/// Resolves the names of detectors that have no registered type.
public protocol DetectorResolver: Sendable {
  /// Returns whether this resolver is responsible for a name.
  func resolves(_ name: String) -> Bool
  /// Returns the detector with a name.
  /// - Parameter folder: the base of a path in the name.
  func detector(_ name: String, relativeTo folder: String) throws -> AnyDetector
}

/// A detector, a preset and changed parameters, by name.
///
/// ```swift
/// DetectorChoice(detector: "punch", preset: "fast").title  // punch/fast
/// ```
public struct DetectorChoice: Hashable, Sendable {
  public var detector: String
  public var preset: String
  /// Values that replace those of the preset.
  public var overrides: ParameterSettings = [:]

  public init(detector: String, preset: String, overrides: ParameterSettings = [:]) {
    (self.detector, self.preset, self.overrides) = (detector, preset, overrides)
  }

  /// `punch/default`; for an `exec:` program, which has only one preset, its command line.
  public var title: String {
    detector.hasPrefix(AnyDetector.externalPrefix) ? detector : "\(detector)/\(preset)"
  }
}

extension [ResolvedParameter] {
  func number(_ name: String) -> Double? { first { $0.name == name }?.value.double }
}

/// A type-erased detector. ``bound(_:for:place:)`` resolves a choice once; runs are generic.
///
/// ```swift
/// let punch = AnyDetector(PunchDetector.self)
/// try punch.value(of: "threshold", "4g", place: "--set")  // 39.2266
/// punch.threshold("threshold", ofPreset: "light")  // 12.0
/// ```
public struct AnyDetector: Sendable {
  public struct PresetInfo: Hashable, Sendable {
    public var name: String
    public var summary: String
  }
  public struct ParameterInfo: Hashable, Sendable {
    public var name: String
    public var summary: String
    public var kind: ParameterKind
    /// The value in the default preset for a trace without special attributes.
    public var defaultValue: ParameterValue
  }

  public let name: String
  public let channel: Channel
  public let task: ReferenceTask
  /// The external program; nil = the detector is part of this program.
  public let program: ProgramRecord?
  /// Reads the processor time of the external program so far.
  package let programTime: (@Sendable () -> Duration?)?
  /// The description that an external program gives of itself.
  public let note: String?
  public let presets: [PresetInfo]
  public let parameters: [ParameterInfo]
  /// The threshold parameter all of whose values one pass evaluates; nil = each needs a run.
  public let exactThreshold: String?
  /// How it learns from examples of a person; nil = it does not.
  package let learning: Learning?
  /// The threshold parameter that an external program states.
  public let statedThreshold: String?
  private let bind: @Sendable (DetectorChoice, TraceHeader, String) throws -> BoundDetector
  /// The type of the detector; nil = it is a program.
  package let type: ObjectIdentifier?
  /// The further channels that any of its presets reads.
  package let companions: Set<Channel>

  public static let externalPrefix = "exec:"

  /// Whether the detector is an external program, which cannot be paced by a clock.
  public var isExternal: Bool { program != nil }

  public init<D: Detector>(_ type: D.Type) {
    let schema = ParameterSchema(
      name: D.name, presets: D.presets, fields: D.parameterFields, usesProfile: D.usesProfile)
    self.init(
      schema, channel: D.channel, task: D.task,
      exactThreshold: (type as? any ScoredDetector.Type)?.thresholdParameter,
      learning: (type as? any EnrollableDetector.Type).flatMap { Learning($0) },
      type: ObjectIdentifier(D.self),
      companions: Set(D.presets.flatMap { D.companions($0.parameters(for: .plain)) }),
      bind: { BoundDetector(D.self, $0) })
  }

  /// - Parameter bind: makes a detector of resolved parameters.
  package init<Parameters>(
    _ schema: ParameterSchema<Parameters>, channel: Channel, task: ReferenceTask,
    exactThreshold: String? = nil, learning: Learning? = nil, program: ProgramRecord? = nil,
    programTime: (@Sendable () -> Duration?)? = nil, note: String? = nil,
    statedThreshold: String? = nil, type: ObjectIdentifier? = nil,
    companions: Set<Channel> = [], bind: @escaping @Sendable (Parameters) -> BoundDetector
  ) {
    name = schema.name
    (self.channel, self.task, self.program) = (channel, task, program)
    self.programTime = programTime
    (self.note, self.statedThreshold) = (note, statedThreshold)
    (self.exactThreshold, self.learning) = (exactThreshold, learning)
    presets = schema.presets.map { PresetInfo(name: $0.name, summary: $0.summary) }
    let plain = schema.presets.first?.parameters(for: .plain)
    parameters = schema.fields.compactMap { field in
      plain.map {
        ParameterInfo(
          name: field.name, summary: field.summary, kind: field.kind,
          defaultValue: field.value(in: $0))
      }
    }
    (self.type, self.companions) = (type, companions)
    self.bind = { bind(try schema.resolve($0, for: $1, place: $2)) }
  }

  public var help: String {
    var lines = ["\(name) (reads \(channel.name), scored on \(task.rawValue))"]
    if let note { lines.append("  \(note)") }
    for preset in presets where !isExternal {
      lines.append("  \(name)/\(preset.name): \(preset.summary)")
    }
    for parameter in parameters {
      lines.append(
        "    \(parameter.name)=\(parameter.defaultValue)\(parameter.kind.help): "
          + parameter.summary)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the detector with the parameters of `choice` on a trace, and so checks the choice.
  /// - Parameter place: the origin of the choice, for messages.
  /// - Throws: wrong use for an unknown preset or parameter, or a value that it does not take.
  public func bound(
    _ choice: DetectorChoice, for header: TraceHeader, place: String = ""
  ) throws -> BoundDetector {
    try bind(choice, header, place)
  }

  /// Returns the parameters of `choice` on a trace, and so checks the choice.
  /// - Parameter header: the trace's; nil = that of a recording without special attributes.
  public func parameters(
    of choice: DetectorChoice, for header: TraceHeader? = nil, place: String = ""
  ) throws -> [ResolvedParameter] {
    try bound(choice, for: header ?? .plain, place: place).parameters
  }

  /// Returns the parameters of a preset for a recording without special attributes.
  public func parameters(ofPreset preset: String) -> [ResolvedParameter] {
    (try? parameters(of: DetectorChoice(detector: name, preset: preset))) ?? []
  }

  /// Returns the threshold of a preset for a recording without special attributes.
  public func threshold(_ parameter: String, ofPreset preset: String) -> Double? {
    parameters(ofPreset: preset).number(parameter)
  }

  /// Returns a parameter by its name.
  /// - Parameter further: names that are known too.
  /// - Throws: wrong use if there is no such parameter.
  func parameter(
    _ parameter: String, further: [String] = [], place: String
  ) throws -> ParameterInfo {
    guard let info = parameters.first(where: { $0.name == parameter }) else {
      throw Failure.unknown(
        "parameter of detector \(name)", parameter, known: parameters.map(\.name) + further,
        place: place)
    }
    return info
  }

  /// Parses a value of a parameter.
  /// - Throws: wrong use if there is no such parameter, or the text is no valid value.
  public func value(of parameter: String, _ text: String, place: String) throws -> ParameterValue {
    let info = try self.parameter(parameter, place: place)
    do {
      return try info.kind.parse(text, name: parameter)
    } catch {
      throw Failure(.wrongUse, place: place, error.description)
    }
  }
}
