public import Detectors
public import TraceModel

/// A punch as a jump: the acceleration changes by more than a threshold from one reading to the next.
public struct JumpDetector: Detector {
  public struct Parameters: DetectorParameters {
    public var change = 25.0
    public var rest = 0.4

    public init() {}
  }
  public static let name = "jump"
  public static let channel = Channel.userAcceleration
  public static let task = ReferenceTask.punch
  public static let parameterFields: [ParameterField<Parameters>] = [
    .number(
      "change", get: { $0.change }, set: { $0.change = $1 },
      unit: .metersPerSecondSquared, range: 0...2000, "change from the reading before"),
    .number(
      "rest", get: { $0.rest }, set: { $0.rest = $1 }, unit: .seconds, range: 0...60,
      "time without further detections"),
  ]

  private let parameters: Parameters
  private var last: Acceleration?
  private var quietUntil: TraceInstant?

  public init(_ parameters: Parameters, places: [Place]) { self.parameters = parameters }

  public mutating func ingest(
    _ sample: Acceleration, measured: TraceInstant, arrived: TraceInstant,
    into detections: inout [Detection<PlainEvent>]
  ) {
    defer { last = sample }
    guard let last, measured >= quietUntil ?? measured else { return }
    let (x, y, z) = (sample.x - last.x, sample.y - last.y, sample.z - last.z)
    let change = Double((x * x + y * y + z * z).squareRoot())
    // NaN is not above a threshold either.
    guard change > parameters.change else { return }
    quietUntil = measured.advanced(bySeconds: parameters.rest)
    let event = PlainEvent("punch", value: change)
    detections.append(
      Detection(onset: measured, emitted: arrived, newestMeasured: measured, event: event))
  }
}
