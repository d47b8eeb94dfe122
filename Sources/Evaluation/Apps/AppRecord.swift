public import AppEngines
public import TraceModel

public struct AppFacts: Hashable, Sendable, Codable {
  public var app: String
  public var preset: String
  /// The actions of the simulated people; nil = the traces' own actions.
  public var script: String?
  /// The network between phones and server, with its seed; `ideal` = no delay and no loss.
  public var network: String
  /// The faults that the run was to meet, as texts.
  public var faults: [String] = []
  /// The changed rules, as texts.
  public var rules: [String] = []
  /// The seed of the app, apart from those of the script and the network.
  public var seed: UInt64
}

/// An app's run on the traces of one or more people: the inputs and the outcomes.
public struct AppRecord: Sendable {
  public struct Person: Hashable, Sendable, Codable {
    public var name: String
    public var traceID: String
    public var traceSHA256: String
    public var origin: TraceOrigin
    /// The trace's zero on the time axis of the run.
    public var start: TraceInstant
  }

  /// The name of the suite entry, unique within its suite.
  public var entry: String
  public var facts: AppFacts
  /// The people in the order of their device ids.
  public var people: [Person]
  public var outcomes: [AppOutcome]
  public var events: [AppEvent]
  public var messages = NetworkCounts()
  /// The script of the people, and what of it nothing has led to.
  public var decisions: [String] = []
  public var unmadeDecisions: [String] = []
  /// The faults that met nothing: no such message, or nothing happened then.
  public var unmetFaults: [String] = []
  /// The app; nil = not known.
  public var app: (any AppSimulation.Type)?

  public func name(of person: DeviceID) -> String {
    people.indices.contains(person.index) ? people[person.index].name : "\(person.index)"
  }
}
