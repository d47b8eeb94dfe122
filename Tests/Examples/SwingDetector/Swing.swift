import Detectors
import TraceModel

/// A swing: acceleration above a threshold, followed by a time without detections.
struct SwingDetector: Detector {
  struct Parameters: DetectorParameters {
    var threshold = 30.0
    var rest = 0.4
  }
  static let name = "swing"
  static let channel = Channel.userAcceleration
  static let task = ReferenceTask.punch
  static let parameterFields: [ParameterField<Parameters>] = [
    .number(
      "threshold", get: { $0.threshold }, set: { $0.threshold = $1 },
      unit: .metersPerSecondSquared, range: 0...2000, "magnitude"),
    .number(
      "rest", get: { $0.rest }, set: { $0.rest = $1 }, unit: .seconds, range: 0...60,
      "time without further detections"),
  ]

  let parameters: Parameters
  var quietUntil: TraceInstant?

  init(_ parameters: Parameters, places: [Place]) { self.parameters = parameters }

  mutating func ingest(
    _ sample: Acceleration, measured: TraceInstant, arrived: TraceInstant,
    into detections: inout [Detection<PlainEvent>]
  ) {
    let (x, y, z) = (Double(sample.x), Double(sample.y), Double(sample.z))
    let magnitude = (x * x + y * y + z * z).squareRoot()
    guard magnitude > parameters.threshold, measured >= quietUntil ?? measured else { return }
    quietUntil = measured.advanced(bySeconds: parameters.rest)
    let event = PlainEvent("punch", value: magnitude)
    detections.append(
      Detection(onset: measured, emitted: arrived, newestMeasured: measured, event: event))
  }
}
