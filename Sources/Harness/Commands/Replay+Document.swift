import Detectors
import Evaluation
import Replay
import Reports
import TraceModel

/// The document of `replay --format json`.
private struct ReplayDocument: Encodable {
  struct Event: Encodable {
    var trace: String
    /// Seconds.
    var onset: Double
    /// Seconds.
    var emitted: Double
    var kind: String
    var label: String
    var originalLabel: String
    @Nullable var value: Double?
    @Nullable var place: Int32?
  }
  struct Figure: Encodable {
    var trace: String
    var name: String
    @Nullable var value: Double?
    var unit: String
  }

  var events: [Event]
  var measurements: [Figure]
  @Nullable var timing: TimingReport?
  var detector: String
  @Nullable var policy: String?
  var delivery: String
  @Nullable var deliverySeed: UInt64?
  @Nullable var deviceRateHz: Double?
  @Nullable var detectionLogSha256: String?
}

extension ReplayCommand {
  func json(
    of outcome: ReplayOutcome, _ replay: ReplayPlan, _ ids: [String]
  ) throws -> String {
    let result = outcome.result
    let named = try delivery.value()
    let document = ReplayDocument(
      events: result.detections.map {
        ReplayDocument.Event(
          trace: ids[$0.device.index], onset: $0.onset.seconds,
          emitted: $0.emitted.seconds, kind: $0.kind, label: $0.label,
          originalLabel: $0.originalLabel, value: $0.value.isFinite ? $0.value : nil,
          place: $0.place)
      },
      measurements: result.measurements.sorted { $0.key < $1.key }.flatMap { device, figures in
        figures.map {
          ReplayDocument.Figure(
            trace: ids[device.index], name: $0.name,
            value: $0.value.isFinite ? $0.value : nil, unit: $0.unit)
        }
      }, timing: outcome.timing,
      detector: replay.choice.title,
      policy: replay.policy?.summary, delivery: named?.summary ?? "ideal",
      deliverySeed: named?.seed,
      deviceRateHz: try device.value(),
      detectionLogSha256: outcome.interruption == nil ? outcome.logSHA256 : nil)
    return try jsonDocument(document, .replay, inputs: .files(traces))
  }
}
