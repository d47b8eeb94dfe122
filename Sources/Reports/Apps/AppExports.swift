import Apps
package import Evaluation
import TraceModel

/// An app's run in the JSON of `replay` and `run`.
package struct AppDocument: Encodable {
  package struct Person: Encodable {
    package var name: String
    package var trace: String
    package var traceSha256: String
    package var origin: String
    /// Seconds from the start of the app's clock to the start of the trace.
    package var start: Double
  }

  package struct Outcome: Encodable {
    package var name: String
    /// null = the whole run.
    @Nullable package var person: Int?
    @Nullable package var value: Double?
    package var unit: String
    @Nullable package var text: String?
  }

  package struct Event: Encodable {
    /// Seconds.
    package var time: Double
    package var person: Int
    package var kind: String
    package var text: String
    @Nullable package var value: Double?
    package var unit: String
    @Nullable package var place: Int32?
  }

  package var entry: String
  package var app: String
  package var preset: String
  /// null = the traces' own actions.
  @Nullable package var policy: String?
  package var network: String
  package var seed: UInt64
  package var people: [Person]
  package var outcomes: [Outcome]
  package var events: [Event]

  package init(_ record: AppRecord) {
    entry = record.entry
    app = record.facts.app
    preset = record.facts.preset
    _policy = Nullable(wrappedValue: record.facts.script)
    network = record.facts.network
    seed = record.facts.seed
    people = record.people.map {
      Person(
        name: $0.name, trace: $0.traceID, traceSha256: $0.traceSHA256, origin: $0.origin.rawValue,
        start: $0.start.seconds)
    }
    func finite(_ value: Double?) -> Double? { value.flatMap { $0.isFinite ? $0 : nil } }
    outcomes = record.outcomes.map {
      Outcome(
        name: $0.name, person: $0.person?.index, value: finite($0.value), unit: $0.unit,
        text: $0.text)
    }
    events = record.events.map {
      Event(
        time: $0.time.seconds, person: $0.person.index, kind: $0.kind, text: $0.text,
        value: finite($0.value), unit: $0.unit, place: $0.place)
    }
  }
}
