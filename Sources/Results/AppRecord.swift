public import Apps
public import TraceModel

/// How an app was played.
public struct AppFacts: Hashable, Sendable, Codable {
  public var app: String
  public var preset: String
  /// The scripted people; nil = the traces' own actions.
  public var script: String?
  /// Between phones and server, with its seed; `ideal` = it only carries.
  public var network: String
  /// Of everything random that is neither the script's nor the network's.
  public var seed: UInt64

  public init(app: String, preset: String, script: String?, network: String, seed: UInt64) {
    self.app = app
    self.preset = preset
    self.script = script
    self.network = network
    self.seed = seed
  }
}

/// An app's run on the traces of one or more people: what went in, and what came of it.
public struct AppRecord: Sendable {
  public struct Person: Hashable, Sendable, Codable {
    public var name: String
    public var traceID: String
    /// Of the trace's file.
    public var traceSHA256: String
    public var origin: TraceOrigin
    /// The trace's zero on the run's axis.
    public var start: TraceInstant

    public init(
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
  public var entry: String
  public var facts: AppFacts
  /// By their number.
  public var people: [Person]
  public var outcomes: [AppOutcome]
  /// What happened, in order.
  public var events: [AppEvent]

  public init(
    entry: String, facts: AppFacts, people: [Person], outcomes: [AppOutcome], events: [AppEvent]
  ) {
    self.entry = entry
    self.facts = facts
    self.people = people
    self.outcomes = outcomes
    self.events = events
  }

  /// What a person is called.
  public func name(of person: DeviceID) -> String {
    people.indices.contains(person.index) ? people[person.index].name : "\(person.index)"
  }
}
