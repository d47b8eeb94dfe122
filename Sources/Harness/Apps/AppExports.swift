import Apps
import Results
import TraceModel

/// An app's run in JSON: in what `replay` prints, and in what `run` does.
struct AppDocument: Encodable {
  struct Person: Encodable {
    var name: String
    var trace: String
    var traceSha256: String
    var origin: String
    var startNs: Int64
  }

  struct Outcome: Encodable {
    var name: String
    /// Null = of the whole run.
    @Nullable var person: Int?
    @Nullable var value: Double?
    var unit: String
    @Nullable var text: String?
  }

  struct Event: Encodable {
    var timeNs: Int64
    var person: Int
    var kind: String
    var text: String
    @Nullable var value: Double?
    var unit: String
    @Nullable var place: Int32?
  }

  var entry: String
  var app: String
  var preset: String
  /// Null = the traces' own actions.
  @Nullable var policy: String?
  var network: String
  var seed: UInt64
  var people: [Person]
  var outcomes: [Outcome]
  var events: [Event]

  init(_ record: AppRecord) {
    entry = record.entry
    app = record.facts.app
    preset = record.facts.preset
    _policy = Nullable(wrappedValue: record.facts.script)
    network = record.facts.network
    seed = record.facts.seed
    people = record.people.map {
      Person(
        name: $0.name, trace: $0.traceID, traceSha256: $0.traceSHA256, origin: $0.origin.rawValue,
        startNs: $0.start.nanoseconds)
    }
    func finite(_ value: Double?) -> Double? { value.flatMap { $0.isFinite ? $0 : nil } }
    outcomes = record.outcomes.map {
      Outcome(
        name: $0.name, person: $0.person?.index, value: finite($0.value), unit: $0.unit,
        text: $0.text)
    }
    events = record.events.map {
      Event(
        timeNs: $0.time.nanoseconds, person: $0.person.index, kind: $0.kind, text: $0.text,
        value: finite($0.value), unit: $0.unit, place: $0.place)
    }
  }
}
