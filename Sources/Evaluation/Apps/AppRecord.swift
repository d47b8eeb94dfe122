package import Apps
package import TraceModel

/// How an app was played.
package struct AppFacts: Hashable, Sendable, Codable {
  package var app: String
  package var preset: String
  /// The scripted people; nil = the traces' own actions.
  package var script: String?
  /// Between phones and server, with its seed; `ideal` = it only carries.
  package var network: String
  /// Of everything random that is neither the script's nor the network's.
  package var seed: UInt64

  package init(app: String, preset: String, script: String?, network: String, seed: UInt64) {
    self.app = app
    self.preset = preset
    self.script = script
    self.network = network
    self.seed = seed
  }
}

/// An app's run on the traces of one or more people: what went in, and what came of it.
package struct AppRecord: Sendable {
  package struct Person: Hashable, Sendable, Codable {
    package var name: String
    package var traceID: String
    /// Of the trace's file.
    package var traceSHA256: String
    package var origin: TraceOrigin
    /// The trace's zero on the run's axis.
    package var start: TraceInstant

    package init(
      name: String, traceID: String, traceSHA256: String, origin: TraceOrigin, start: TraceInstant
    ) {
      self.name = name
      self.traceID = traceID
      self.traceSHA256 = traceSHA256
      self.origin = origin
      self.start = start
    }
  }

  /// The suite entry, unique within its suite.
  package var entry: String
  package var facts: AppFacts
  /// By their number.
  package var people: [Person]
  package var outcomes: [AppOutcome]
  /// What happened, in order.
  package var events: [AppEvent]

  package init(
    entry: String, facts: AppFacts, people: [Person], outcomes: [AppOutcome], events: [AppEvent]
  ) {
    self.entry = entry
    self.facts = facts
    self.people = people
    self.outcomes = outcomes
    self.events = events
  }

  /// What a person is called.
  package func name(of person: DeviceID) -> String {
    people.indices.contains(person.index) ? people[person.index].name : "\(person.index)"
  }
}
