import Scoring
import TraceModel

/// What a ``Diagnosis`` needs of a scored recording. Times are in ns.
struct DiagnosedRecording {
  /// An event without a partner, and its class or place.
  struct Event {
    var time: Int64
    var name: String
  }

  var id: String
  var subject: String
  var activity: String
  var hits: Int
  /// The false alarms in the order of time, with duplicates.
  var alarms: [Event]
  /// How many of the false alarms are further detections of a hit reference.
  var duplicates: Int
  /// The missed references in the order of time.
  var misses: [Event]
  /// The scored events in the order of time, with those in ignore zones.
  var references: [Int64]
  var detections: [Int64]
  /// The number of prompts, which people confirm.
  var prompts: Int
  /// The time that counts; 0 = not known.
  var nanoseconds: Int64
  var tolerance: EventTolerance

  var errors: Int { alarms.count + misses.count }

  /// - Parameter detections: of every kind.
  /// - Returns: nil if the task is not scored by events.
  init?(
    _ header: TraceHeader, task: ReferenceTask, detections: [DetectionRecord], score: TaskScore
  ) {
    guard let outcomes = score.eventOutcomes, let counted = score.eventCounts else { return nil }
    let references = header.reference(task)?.events ?? []
    let own = detections.ofKind(task.rawValue)
    // Label files may name one kind as they like.
    let scored = own.count == outcomes.detections.count ? own : detections
    guard scored.count == outcomes.detections.count,
      references.count == outcomes.references.count
    else { return nil }
    func name(_ label: String, _ place: Int32?) -> String {
      task == .visit ? place.map { "place \($0)" } ?? "" : label
    }
    (id, subject, activity) = (header.id, header.subject, header.activity)
    (hits, duplicates) = (counted.counts.truePositives, counted.duplicates)
    alarms = zip(scored, outcomes.detections).lazy.filter {
      $1 == .falsePositive || $1 == .duplicate
    }.map { Event(time: $0.0.onset.nanoseconds, name: name($0.0.label, $0.0.place)) }
      .sorted { $0.time < $1.time }
    misses = zip(references, outcomes.references).lazy.filter { $1 == .missed }
      .map { Event(time: $0.0.onset.nanoseconds, name: name($0.0.label, $0.0.place)) }
      .sorted { $0.time < $1.time }
    self.references = references.map(\.onset.nanoseconds).sorted()
    self.detections = scored.map(\.onset.nanoseconds).sorted()
    prompts = detections.count { $0.kind == "prompt" }
    nanoseconds = counted.scoredNanoseconds
    tolerance = outcomes.tolerance ?? .standard
  }
}
