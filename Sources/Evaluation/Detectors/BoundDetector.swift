public import Detectors
public import Replay
import Scoring
public import TraceModel
import Tuning

/// A detector with its parameters on a trace. One dynamic call per run; inner loops are generic.
///
/// ```swift
/// let overrides: [String: ParameterValue] = ["threshold": .number(50)]
/// let choice = DetectorChoice(detector: "punch", preset: "default", overrides: overrides)
/// let header = TraceHeader(id: "bag", origin: .recorded)
/// let bound = try AnyDetector(PunchDetector.self).bound(choice, for: header)
/// bound.parameters.first?.value  // 50
/// ```
public struct BoundDetector: Sendable {
  /// The parameters in the detector's own type.
  let values: any Sendable
  /// Whether it may withdraw reported detections.
  let withdraws: Bool
  /// Evaluates all thresholds in one pass; nil = each threshold needs a run.
  let exact: ExactSweep?
  private let listensWhenArmed: Bool
  private let resolved: @Sendable () -> [ResolvedParameter]
  private let runOne: @Sendable (any TraceSource, DeviceID, RunOptions) throws -> RunResult
  private let makeStream: @Sendable (ReplayDevice, RunOptions) throws -> DeviceStream

  init<D: Detector>(_ type: D.Type, _ parameters: D.Parameters) {
    self.init(
      parameters, D.parameterFields, withdraws: D.withdraws(parameters),
      listensWhenArmed: D.listensWhenArmed(parameters),
      exact: (type as? any ScoredDetector.Type).flatMap { ExactSweep($0, parameters) },
      run: { try VirtualRun<D>.run(parameters, on: $0, device: $1, options: $2) },
      stream: { device, options in
        try DeviceStream(
          D.self, parameters, on: device.source, device: device.id, start: device.start,
          options: options)
      })
  }

  package init<Parameters: Sendable>(
    _ parameters: Parameters, _ fields: [ParameterField<Parameters>], withdraws: Bool = false,
    listensWhenArmed: Bool = false, exact: ExactSweep? = nil,
    run: @escaping @Sendable (any TraceSource, DeviceID, RunOptions) throws -> RunResult,
    stream: @escaping @Sendable (ReplayDevice, RunOptions) throws -> DeviceStream
  ) {
    (values, self.withdraws, self.exact) = (parameters, withdraws, exact)
    self.listensWhenArmed = listensWhenArmed
    resolved = { fields.resolved(in: parameters) }
    (runOne, makeStream) = (run, stream)
  }

  public var parameters: [ResolvedParameter] { resolved() }

  /// Returns the actions of a trace without which the detector does not listen; nil = it always does.
  func armingActions(of trace: Trace) -> ActionColumns? {
    trace.armingActions(where: listensWhenArmed)
  }

  /// Returns what the detector makes of a trace, the one for which it is bound.
  public func run(
    on source: any TraceSource, device: DeviceID = DeviceID(0), options: RunOptions = RunOptions()
  ) throws -> RunResult {
    try runOne(source, device, options)
  }

  /// Returns a stream for a timeline, in which each device may have a different detector.
  public func stream(on device: ReplayDevice, options: RunOptions) throws -> DeviceStream {
    try makeStream(device, options)
  }
}

/// The type-erased sweep of a ``ScoredDetector``.
package struct ExactSweep: Sendable {
  /// Returns the curve as ``ThresholdSweep/curve(_:_:on:tolerance:exposure:range:points:)`` does.
  let curve:
    @Sendable (Trace, Exposure, EventTolerance?, ClosedRange<Double>, [Double]?) throws ->
      ThresholdCurve?
  /// Returns what ``DetectionThresholds/scores(_:_:on:of:)`` does.
  let scores: @Sendable (Trace, [DetectionRecord]) throws -> [Double?]

  /// - Returns: nil if the parameters are those of another detector.
  init?<D: ScoredDetector>(_ type: D.Type, _ parameters: any Sendable) {
    guard let parameters = parameters as? D.Parameters else { return nil }
    curve = { trace, exposure, tolerance, range, points in
      try ThresholdSweep.curve(
        D.self, parameters, on: trace, tolerance: tolerance, exposure: exposure, range: range,
        points: points)
    }
    scores = { DetectionThresholds.scores(D.self, parameters, on: $0, of: $1) }
  }
}
