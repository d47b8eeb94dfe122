import Detectors
import TraceModel

/// A detector whose cost per sample is a parameter, to plant a slowdown of a known size. It detects
/// nothing.
struct AdjustableDetector: Detector {
  struct Parameters: DetectorParameters {
    /// Steps of a chain for each sample, each of which needs the one before.
    var work = 1000.0
  }
  static let name = "adjustable"
  static let channel = Channel.userAcceleration
  static let task = ReferenceTask.punch
  static let parameterFields: [ParameterField<Parameters>] = [
    .number("work", \.work, unit: .one, range: 0...1_000_000, "steps per sample")
  ]

  private let steps: Int
  private var state: UInt64 = 1

  init(_ parameters: Parameters, places: [Place]) { steps = Int(parameters.work) }

  mutating func ingest(
    _ sample: Acceleration, measured: TraceInstant, arrived: TraceInstant,
    into detections: inout [Detection<PlainEvent>]
  ) {
    var next = state &+ UInt64(sample.x.bitPattern)
    // No closed form, which a compiler would take for several steps at once.
    for _ in 0..<steps { next = (next ^ (next >> 29)) &* 0xBF58_476D_1CE4_E5B9 &+ 1 }
    state = next
  }

  /// Without a use of it, the chain could be left out.
  var measurements: [Measurement] { [Measurement("state", Double(state >> 11), unit: "1")] }
}
