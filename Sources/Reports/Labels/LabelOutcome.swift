package import Evaluation
import Scoring
import TraceModel

/// The outcome of one event: a reference and its detection, or one without a partner.
package struct LabelOutcome: Encodable {
  package enum Outcome: String, Encodable {
    case truePositive = "true_positive"
    case falsePositive = "false_positive"
    case duplicate, missed
    case ignoredReference = "ignored_reference"
    case ignoredDetection = "ignored_detection"
  }

  package var file: String
  package var outcome: Outcome
  /// Seconds.
  @Nullable package var referenceOnset: Double?
  /// Seconds.
  @Nullable package var referenceOffset: Double?
  /// Seconds.
  @Nullable package var detectionOnset: Double?
  /// The detection's less the reference's onset in seconds.
  @Nullable package var difference: Double?
  @Nullable package var referenceLabel: String?
  @Nullable package var detectionLabel: String?
  private let time: TraceInstant

  private enum CodingKeys: String, CodingKey {
    case file, outcome, referenceOnset, referenceOffset, detectionOnset, difference
    case referenceLabel, detectionLabel
  }

  private init(
    _ file: String, _ outcome: Outcome, _ reference: ReferenceEvent?, _ detection: DetectionRecord?
  ) {
    self.file = file
    self.outcome = outcome
    referenceOnset = reference?.onset.seconds
    referenceOffset = reference?.offset.seconds
    detectionOnset = detection?.onset.seconds
    let nanoseconds = reference.flatMap { reference in
      detection.map { reference.onset.nanoseconds(to: $0.onset) }
    }
    difference = nanoseconds.map { Double($0) / 1e9 }
    referenceLabel = reference?.originalLabel
    detectionLabel = detection?.originalLabel
    time = reference?.onset ?? detection?.onset ?? .zero
  }

  /// Returns the outcomes of a recording in the order of time; empty if events are not scored.
  package static func all(of run: RunRecord) -> [LabelOutcome] {
    let pairs: [EventPair]
    let (references, detections): ([ReferenceOutcome], [DetectionOutcome])
    var records = run.detections
    switch run.score {
    case .events(let judgement):
      pairs = judgement.pairs
      (references, detections) = (judgement.referenceOutcomes, judgement.detectionOutcomes)
    case .visits(let judgement):
      pairs = judgement.pairs
      (references, detections) = (judgement.referenceOutcomes, judgement.detectionOutcomes)
      records.removeAll { $0.kind != "visit" }
    case .track, .presence, .unscored: return []
    }
    let events = run.references?.events ?? []
    let found = pairs.map {
      LabelOutcome(run.traceID, .truePositive, events[$0.reference], records[$0.detection])
    }
    let missed = zip(events, references).filter { $0.1 != .hit }.map {
      LabelOutcome(run.traceID, $0.1 == .missed ? .missed : .ignoredReference, $0.0, nil)
    }
    let unmatched = zip(records, detections).compactMap { record, outcome in
      alone(outcome).map { LabelOutcome(run.traceID, $0, nil, record) }
    }
    return (found + missed + unmatched).enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
  }

  private static func alone(_ outcome: DetectionOutcome) -> Outcome? {
    switch outcome {
    case .truePositive: nil
    case .falsePositive: .falsePositive
    case .duplicate: .duplicate
    case .ignored: .ignoredDetection
    }
  }
}
