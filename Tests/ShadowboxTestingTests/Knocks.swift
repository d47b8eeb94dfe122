import Detectors
import TraceModel

/// Detects samples above a threshold.
struct KnockDetector: Detector {
  struct Parameters: DetectorParameters {
    var threshold = 10.0
  }
  static let name = "knock"
  static let channel = Channel.userAcceleration
  static let task = ReferenceTask.punch
  static let parameterFields: [ParameterField<Parameters>] = [
    .number("threshold", \.threshold, unit: .metersPerSecondSquared, range: 0...100, "magnitude")
  ]
  let parameters: Parameters

  init(_ parameters: Parameters, places: [Place]) { self.parameters = parameters }

  mutating func ingest(
    _ sample: Acceleration, measured: TraceInstant, arrived: TraceInstant,
    into detections: inout [Detection<PlainEvent>]
  ) {
    guard Double(sample.magnitude) > parameters.threshold else { return }
    detections.append(
      Detection(
        onset: measured, emitted: arrived, newestMeasured: measured, event: PlainEvent("punch")))
  }
}

/// Traces of knocks at whole seconds, of 100 s.
enum Knocks {
  /// - Parameters:
  ///   - references: the seconds of the true events; nil = not known.
  ///   - peaks: the seconds at which the detector finds one.
  static func trace(
    _ id: String, person: String, references: [Int]?, peaks: [Int]
  ) -> Trace {
    var header = TraceHeader(id: id, origin: .synthetic)
    header.subject = person
    header.end = TraceInstant(nanoseconds: 100_000_000_000)
    if let references {
      header.references = [
        ReferenceSet(
          task: .punch,
          events: references.map {
            ReferenceEvent(onset: TraceInstant(nanoseconds: Int64($0) * 1_000_000_000))
          })
      ]
    }
    var trace = Trace(header: header)
    let times = (0..<1000).map { Int64($0) * 100_000_000 }
    let x = (0..<1000).map { $0 % 10 == 0 && peaks.contains($0 / 10) ? 20 : 0 as Float }
    let zeros = [Float](repeating: 0, count: 1000)
    trace.set(
      .vector(VectorColumns(times: TimeColumns(measured: times), x: x, y: zeros, z: zeros)),
      for: .userAcceleration)
    return trace
  }

  /// Ten events of a person; the first ones are not found.
  static func person(_ number: Int, missing: Int = 0, falseAlarms: [Int] = []) -> Trace {
    let events = (1...10).map { $0 * 9 }
    return trace(
      "t\(number)", person: "p\(number)", references: events,
      peaks: Array(events.dropFirst(missing)) + falseAlarms)
  }
}
