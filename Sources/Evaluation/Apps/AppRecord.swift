package import Apps
package import TraceModel

/// The settings of an app's run.
package struct AppFacts: Hashable, Sendable, Codable {
  package var app: String
  package var preset: String
  /// The actions of the simulated people; nil = the traces' own actions.
  package var script: String?
  /// The network between phones and server, with its seed; `ideal` = no delay and no loss.
  package var network: String
  /// The seed of the app, apart from those of the script and the network.
  package var seed: UInt64

  package init(app: String, preset: String, script: String?, network: String, seed: UInt64) {
    self.app = app
    self.preset = preset
    self.script = script
    self.network = network
    self.seed = seed
  }
}

/// An app's run on the traces of one or more people: the inputs and the outcomes.
package struct AppRecord: Sendable {
  package struct Person: Hashable, Sendable, Codable {
    package var name: String
    package var traceID: String
    /// The SHA-256 of the trace's file.
    package var traceSHA256: String
    package var origin: TraceOrigin
    /// The trace's zero on the time axis of the run.
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

  /// The name of the suite entry, unique within its suite.
  package var entry: String
  package var facts: AppFacts
  /// The people in the order of their device ids.
  package var people: [Person]
  package var outcomes: [AppOutcome]
  /// The events in order.
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

  /// Returns the name of a person.
  package func name(of person: DeviceID) -> String {
    people.indices.contains(person.index) ? people[person.index].name : "\(person.index)"
  }
}
