public import Detectors
public import TraceModel

/// A detector of the app's own: acceleration above a threshold, then a time without detections.
public struct Blow: Detector {
  public struct Parameters: DetectorParameters {
    public var threshold = 50.0
    public var rest = 0.4
    public init() {}
  }
  public static let name = "blow"
  public static let channel = Channel.acceleration
  public static let task = ReferenceTask.punch
  public static let parameterFields: [ParameterField<Parameters>] = [
    .number("threshold", \.threshold, unit: .metersPerSecondSquared, range: 0...2000, "magnitude"),
    .number("rest", \.rest, unit: .seconds, range: 0...60, "time without further detections"),
  ]
  let parameters: Parameters
  var quietUntil: TraceInstant?

  public init(_ parameters: Parameters, places: [Place]) { self.parameters = parameters }

  public mutating func ingest(
    _ sample: Acceleration, measured: TraceInstant, arrived: TraceInstant,
    into detections: inout [Detection<PlainEvent>]
  ) {
    guard Double(sample.magnitude) > parameters.threshold, measured >= quietUntil ?? measured
    else { return }
    quietUntil = measured.advanced(bySeconds: parameters.rest)
    detections.append(
      Detection(
        onset: measured, emitted: arrived, newestMeasured: measured, event: PlainEvent("punch")))
  }
}
