public import Detectors
import Replay
public import Scoring
public import TraceModel

/// The detectors that a page can run; a module may be built with a custom one.
public enum PageDetector: Int, CaseIterable, Sendable {
  case punch, checkIn, track, presence, tileDrag
  #if OWN_DETECTOR
    case own
  #endif

  /// nil = a page cannot run a detector of this name.
  public init?(name: String) {
    guard let found = PageDetector.allCases.first(where: { $0.name == name }) else { return nil }
    self = found
  }

  public var name: String { facts.name }
  public var channel: Channel { facts.channel }

  private var facts: (name: String, channel: Channel) {
    func facts<D: Detector>(_ type: D.Type) -> (name: String, channel: Channel) {
      (D.name, D.channel)
    }
    return switch self {
    case .punch: facts(PunchDetector.self)
    case .checkIn: facts(CheckInDetector.self)
    case .track: facts(TrackDetector.self)
    case .presence: facts(PresenceDetector.self)
    case .tileDrag: facts(TileDragDetector.self)
    #if OWN_DETECTOR
      case .own: facts(OwnDetector.self)
    #endif
    }
  }

  /// Runs the detector in virtual time.
  /// - Parameters:
  ///   - values: one for each of its parameters, in their order: a number, 0 or 1 for a flag, the place
  ///     of a choice among the choices. A profile has none, and its value is not read.
  ///   - exposure: what ``exposure(to:)`` returns, where it is known; in a long trace it takes as long
  ///     as the run.
  /// - Throws: if a value is not accepted, or the trace lacks the detector's channel.
  public func run(
    _ values: [Double], on trace: Trace, exposure: Exposure? = nil
  ) throws(TraceError) -> PageRun {
    switch self {
    case .punch: try PageRun(PunchDetector.self, values, on: trace, exposure)
    case .checkIn: try PageRun(CheckInDetector.self, values, on: trace, exposure)
    case .track: try PageRun(TrackDetector.self, values, on: trace, exposure)
    case .presence: try PageRun(PresenceDetector.self, values, on: trace, exposure)
    case .tileDrag: try PageRun(TileDragDetector.self, values, on: trace, exposure)
    #if OWN_DETECTOR
      case .own: try PageRun(OwnDetector.self, values, on: trace, exposure)
    #endif
    }
  }

  /// Runs the detector on positions, and reports what it makes of each fix.
  /// - Parameter values: as ``run(_:on:exposure:)`` takes them.
  /// - Returns: nil for a detector that does not report it.
  public func fixRun(_ values: [Double], on trace: Trace) throws(TraceError) -> FixRun? {
    switch self {
    case .checkIn:
      try FixRun.run(
        PageRun.parameters(CheckInDetector.self, values, for: trace.header), on: trace)
    case .track:
      try FixRun.run(PageRun.parameters(TrackDetector.self, values, for: trace.header), on: trace)
    case .punch, .presence, .tileDrag: nil
    #if OWN_DETECTOR
      case .own: nil
    #endif
    }
  }

  /// The time in which the sensor recorded, which does not depend on parameters.
  public func exposure(to trace: Trace) -> Exposure { Exposure(of: trace, channel: channel) }
}

/// A run of a detector on a trace that is in memory, to be scored as often as labels change.
public struct PageRun: Sendable {
  public let task: ReferenceTask
  /// All detections, in the order in which they were emitted.
  public let detections: [DetectionRecord]
  public let measurements: [Measurement]
  /// The time in which the detector could report something.
  public let exposure: Exposure
  private let fixes: FixColumns?

  init<D: Detector>(
    _ type: D.Type, _ values: [Double], on trace: Trace, _ exposure: Exposure?
  ) throws(TraceError) {
    let parameters = try Self.parameters(type, values, for: trace.header)
    let result = try VirtualRun<D>.run(parameters, on: MemorySource(trace))
    task = D.task
    detections = result.detections
    measurements = result.measurements[DeviceID(0)] ?? []
    self.exposure = (exposure ?? Exposure(of: trace, channel: D.channel)).armed(
      by: trace.armingActions(where: D.listensWhenArmed(parameters)))
    fixes = trace[.location].flatMap { FixColumns($0) }
  }

  /// What stays of the detections after withdrawals, in the order in which they were emitted.
  public var settled: [DetectionRecord] { RunResult(detections: detections).settled.detections }

  /// Scores detections of the run.
  /// - Parameter tolerance: the stated one; nil = that of the reference or of the metric.
  public func score(
    _ detections: [DetectionRecord], header: TraceHeader, tolerance: EventTolerance?
  ) throws(TraceError) -> TaskScore {
    var measured: [String: Double] = [:]
    for measurement in measurements { measured[measurement.name] = measurement.value }
    return try TaskScore(
      task: task, detections: detections, measured: measured, header: header, exposure: exposure,
      fixes: fixes, tolerance: tolerance, distance: Geodesy.distance)
  }

  static func parameters<D: Detector>(
    _ type: D.Type, _ values: [Double], for header: TraceHeader
  ) throws(TraceError) -> D.Parameters {
    let fields = D.parameterFields
    guard values.count == fields.count, var parameters = D.presets.first?.parameters(for: header)
    else {
      throw TraceError(
        place: "detector \(D.name)", expected: "\(fields.count) values", found: "\(values.count)")
    }
    for (field, number) in zip(fields, values) {
      guard let value = value(number, of: field.kind) else { continue }
      do {
        try field.set(value, in: &parameters)
      } catch {
        throw TraceError(
          place: "detector \(D.name), parameter \(error.name)", expected: error.expected,
          found: error.found)
      }
    }
    return parameters
  }

  private static func value(_ number: Double, of kind: ParameterKind) -> ParameterValue? {
    switch kind {
    case .number: .number(number)
    case .flag: .flag(number != 0)
    case .choice(let choices):
      .choice(
        Int(exactly: number).flatMap { choices.indices.contains($0) ? choices[$0] : nil } ?? "")
    case .profiles: nil
    }
  }
}
