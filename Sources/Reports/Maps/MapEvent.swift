import Detectors
import Diagnostics
import TraceModel

/// A detection or a reference event with its time and position.
struct MapEvent: Sendable {
  /// `prompt`, `visit`, `split`, …
  var kind: String
  var isReference: Bool
  /// For people: `km 3`, `prompt at place 2`.
  var name: String
  var time: TraceInstant
  /// nil = an instant.
  var end: TraceInstant?
  /// When the detector reported it; nil = a reference event.
  var emitted: TraceInstant?
  /// Empty = none.
  var label: String
  /// NaN = none.
  var value: Double
  var place: Int32?
  var position: MapPosition

  /// The references with times and positions.
  private static let tasks: [ReferenceTask] = [.visit, .split]

  /// Returns the events in the order of time, those of the detector first.
  /// - Parameter truth: the true path; empty = not known.
  static func events(
    of header: TraceHeader, _ detections: [DetectionRecord], places: [Place], along path: MapPath,
    truth: MapPath
  ) -> [MapEvent] {
    let detected = detections.map { record in
      MapEvent(
        kind: record.kind, isReference: false,
        name: name(record.kind, record.label, record.value, record.place), time: record.onset,
        emitted: record.emitted, label: record.label, value: record.value, place: record.place,
        position: path.position(at: record.onset))
    }
    let known = tasks.compactMap { header.reference($0) }.flatMap { reference in
      reference.events.map { event in
        let place = places.first { $0.id == event.place }
        return MapEvent(
          kind: reference.task.rawValue, isReference: true,
          name: "true " + name(reference.task.rawValue, event.label, event.value, event.place),
          time: event.onset, end: event.offset > event.onset ? event.offset : nil,
          label: event.label, value: event.value, place: event.place,
          position: place?.position ?? (truth.isEmpty ? path : truth).position(at: event.onset))
      }
    }
    let all = detected + known
    return all.indices.sorted { (all[$0].time, $0) < (all[$1].time, $1) }.map { all[$0] }
  }

  private static func name(
    _ kind: String, _ label: String, _ value: Double, _ place: Int32?
  ) -> String {
    switch (kind, label) {
    case ("split", "km"): return "km " + number((value / 1000).rounded())
    case ("split", "mile"): return "mile " + number((value / 1609.344).rounded())
    case ("split", "") where value.isFinite: return "split \(number(value)) m"
    default:
      return [kind, label, place.map { "at place \($0)" } ?? ""].filter { !$0.isEmpty }
        .joined(separator: " ")
    }
  }

  /// For people: the times in the trace, and the value.
  var note: String {
    var parts = ["at \(fixed(time.seconds, 3)) s"]
    if let end { parts.append("until \(fixed(end.seconds, 3)) s") }
    if let emitted { parts.append("reported at \(fixed(emitted.seconds, 3)) s") }
    if value.isFinite { parts.append("value \(fixed(value, 2))") }
    return parts.joined(separator: ", ")
  }
}
