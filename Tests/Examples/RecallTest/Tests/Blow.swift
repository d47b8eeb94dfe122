import Detectors
import TraceModel

/// A detector of the app's own: acceleration above a threshold.
struct Blow: Detector {
  struct Parameters: DetectorParameters {
    var threshold = 30.0
  }
  static let name = "blow"
  static let channel = Channel.userAcceleration
  static let task = ReferenceTask.punch
  static let parameterFields: [ParameterField<Parameters>] = [
    .number("threshold", \.threshold, unit: .metersPerSecondSquared, range: 0...2000, "magnitude")
  ]
  let parameters: Parameters
  var isAbove = false

  init(_ parameters: Parameters, places: [Place]) { self.parameters = parameters }

  mutating func ingest(
    _ sample: Acceleration, measured: TraceInstant, arrived: TraceInstant,
    into detections: inout [Detection<PlainEvent>]
  ) {
    let wasAbove = isAbove
    isAbove = Double(sample.magnitude) > parameters.threshold
    guard isAbove, !wasAbove else { return }
    detections.append(
      Detection(
        onset: measured, emitted: arrived, newestMeasured: measured, event: PlainEvent("punch")))
  }
}
