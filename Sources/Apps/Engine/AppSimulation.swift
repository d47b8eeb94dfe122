public import TraceModel

/// People with their phones, and whatever servers stand between them, on one virtual clock: an
/// app's engines at work on traces.
///
/// A scenario turns readings and actions into inputs of its engines, carries their effects where
/// they belong (over a simulated network, to a server's engine, into the log), plays the people's
/// part where a script is given, and says in the end what came of it. Equal setups and readings
/// give equal logs, to the bit.
public protocol AppSimulation: Sendable {
  /// The app's name on the command line, in suites and in results, e.g. `fight`.
  static var name: String { get }
  /// One line for `--help`: what is played.
  static var summary: String { get }
  /// What the outcomes mean, for below their table; lines of at most 105 characters.
  static var legend: String { get }
  /// The rule sets that have a name; the first is the default.
  static var presets: [AppPreset] { get }
  /// How many traces it plays at once.
  static var peopleCount: ClosedRange<Int> { get }
  /// The channel that its detector reads; each trace must have it.
  static var channel: Channel { get }
  /// Further channels that it uses where a trace has them. Actions are always among what it gets.
  static var furtherChannels: [Channel] { get }
  /// The reference that its detections are scored against.
  static var task: ReferenceTask { get }
  /// The detector's parameters under a preset, on a trace with that header.
  static func parameters(of preset: String, for header: TraceHeader) -> [AppParameter]

  /// - Parameter setup: its preset is one of ``presets`` and its people are as many as
  ///   ``peopleCount`` allows; the caller has checked both.
  /// - Throws: ``TraceError`` where a person's trace cannot be played, e.g. without waypoints.
  init(_ setup: AppSetup) throws(TraceError)

  /// Something arrived at a phone: a reading or an action (channel `action`), both its times on the
  /// run's axis. In the order of the run, never earlier than what came before.
  mutating func take(_ reading: Reading)

  /// When something happens by itself: a message arrives, a script acts, an engine's deadline.
  var deadline: TraceInstant? { get }

  /// Time has come to `now`, which is the deadline; the new one is later, or nil.
  mutating func advance(to now: TraceInstant)

  /// A person's trace is over: nothing more comes from that phone's sensors.
  mutating func finish(person: DeviceID, at end: TraceInstant)

  /// All traces are over, and no deadline within the run is left.
  mutating func close(at end: TraceInstant)

  /// What has happened since the last call, in order: the log that a person reads.
  mutating func takeEvents() -> [AppEvent]

  /// What the detectors of the phones detected so far, as detections of ``task``, on the run's axis.
  var detections: [DetectionRecord] { get }

  /// What has come of it so far; after ``close(at:)``, the result.
  var outcomes: [AppOutcome] { get }

  /// The invariants of the engines that do not hold; empty unless there is a bug.
  var violations: [String] { get }
}

/// A named rule set of an app.
public struct AppPreset: Hashable, Sendable {
  public let name: String
  /// One line for `--help`.
  public let summary: String

  public init(_ name: String, summary: String) {
    self.name = name
    self.summary = summary
  }
}

/// What is played.
public struct AppSetup: Sendable {
  /// One phone with its owner, and what its trace states.
  public struct Person: Sendable {
    public var header: TraceHeader
    /// The trace's zero on the run's axis.
    public var start: TraceInstant
    /// For the log; no two people of a setup share one.
    public var name: String

    /// - Parameter name: nil = the subject where the trace names one, else the trace's id.
    public init(header: TraceHeader, start: TraceInstant = .zero, name: String? = nil) {
      self.header = header
      self.start = start
      self.name = name ?? (header.subject.isEmpty ? header.id : header.subject)
    }
  }

  public var preset: String
  /// In the order of their device numbers.
  public var people: [Person]
  /// Stands in for the people where the traces have no actions; nil = the traces' own actions.
  public var script: PersonScript?
  /// Between the phones and the server.
  public var network: NetworkConditions
  /// Of everything random that is neither the script's nor the network's.
  public var seed: UInt64
  /// The run's zero in the world; nil = not known.
  public var epoch: WallTime?

  public init(
    preset: String, people: [Person], script: PersonScript? = nil,
    network: NetworkConditions = NetworkConditions(), seed: UInt64 = 1, epoch: WallTime? = nil
  ) {
    self.preset = preset
    self.people = people
    self.script = script
    self.network = network
    self.seed = seed
    self.epoch = epoch
  }
}

/// What people do where a recording has no actions: answer prompts, hold the button when it is
/// their turn. Times are scaled by a factor that is uniform in 1 ± `spread`, from the seed.
public struct PersonScript: Hashable, Sendable, Codable {
  /// Seconds from a prompt to its confirmation (or cancellation).
  public var confirmAfter = 3.0
  /// Seconds from the confirmation to going on.
  public var continueAfter = 5.0
  /// 0...1.
  public var cancelProbability = 0.0
  /// Seconds from the beginning of a turn, or from a hold in vain, to holding the button.
  public var armAfter = 1.0
  /// Seconds that the button is held; a punch ends it earlier.
  public var holdFor = 4.0
  /// 0...1.
  public var spread = 0.0
  public var seed: UInt64 = 1

  public init() {}
}

/// A line of the log that a person reads.
public struct AppEvent: Hashable, Sendable, Codable {
  /// On the run's axis.
  public var time: TraceInstant
  /// Whose phone it happened on.
  public var person: DeviceID
  /// What sort of thing happened, stable and in kebab case, e.g. `hit`, `refused`, `prompt`.
  public var kind: String
  /// A sentence that says it to somebody who never saw the app, e.g. `hits Bea with a jab:
  /// 12.4 % damage, Bea has 61.0 % left`.
  public var text: String
  /// The magnitude in ``unit``; nil = none.
  public var value: Double?
  public var unit: String
  public var place: Int32?

  public init(
    _ kind: String, _ text: String, person: DeviceID, at time: TraceInstant, value: Double? = nil,
    unit: String = "", place: Int32? = nil
  ) {
    self.time = time
    self.person = person
    self.kind = kind
    self.text = text
    self.value = value
    self.unit = unit
    self.place = place
  }
}

/// A figure that says what came of it.
public struct AppOutcome: Hashable, Sendable, Codable {
  /// In snake case, e.g. `hits`, `stamina_left`, `reward`. One name has one meaning, unit and kind
  /// in all runs of an app.
  public var name: String
  /// Whose; nil = of the whole run.
  public var person: DeviceID?
  /// nil = undefined, e.g. an error where there is no reference. Yes and no are 1 and 0.
  public var value: Double?
  /// `m`, `s`, `%`, `count`, `yes`; empty = a plain number.
  public var unit: String
  /// What to show in place of the value, e.g. the winner's name; nil = the value.
  public var text: String?

  public init(
    _ name: String, of person: DeviceID? = nil, _ value: Double?, unit: String = "",
    text: String? = nil
  ) {
    self.name = name
    self.person = person
    self.value = value
    self.unit = unit
    self.text = text
  }
}
