public import Detectors
public import TraceModel

/// A simulation of an app on traces: people with their phones, and the servers between them, on one
/// virtual clock.
///
/// A simulation converts readings and actions to inputs of its engines, delivers their effects
/// (over a simulated network, to a server's engine, into the log), acts for the people if there is
/// a script, and reports the outcomes. A device is a person's phone. Equal setups and readings give
/// identical logs, bit for bit.
public protocol AppSimulation: ReadingConsumer, Sendable {
  /// The app's name on the command line, in suites and in results, e.g. `fight`.
  static var name: String { get }
  /// A one-line summary for `--help`.
  static var summary: String { get }
  /// The meaning of the outcomes, printed below their table; lines of at most 105 characters.
  static var legend: String { get }
  /// The named presets; the first is the default.
  static var presets: [AppPreset] { get }
  /// The number of traces that it can play together.
  static var peopleCount: ClosedRange<Int> { get }
  /// Returns the number of phones in a run with these people, those of simulated people included, as
  /// far as the traces tell. Default: one a person.
  static func phoneCount(_ people: [AppSetup.Person]) -> Int
  /// The most simulated people whom the messages of a run may come from or go to, besides those of
  /// the traces. Faults can name them too. Default: 0.
  static var mostFurtherPeople: Int { get }
  /// Whether the phones have a server, which faults can name. Default: true.
  static var hasServer: Bool { get }
  /// The channel that its detector reads; each trace must have it.
  static var channel: Channel { get }
  /// Further channels that it uses if a trace has them. It always receives actions.
  static var furtherChannels: [Channel] { get }
  /// The task of the reference that its detections are scored against.
  static var task: ReferenceTask { get }
  /// The name of its detector, whose parameters ``AppSetup/parameters`` changes; nil = they are
  /// fixed. Default: nil.
  static var detector: String? { get }
  /// The parameters of the detector that the app's rules set and nothing changes. Default: none.
  static var fixedParameters: [String] { get }
  /// Returns the rules of a preset; nil = the app has no rules that can be changed. Default: nil.
  static func rules(of preset: String) -> (any AppRules)?
  /// Returns the detector's parameters by the rules on a trace with that header. Default: none.
  static func parameters(by rules: (any AppRules)?, for header: TraceHeader) -> [ResolvedParameter]

  /// - Parameter setup: the setup; the caller has checked that its preset is one of ``presets`` and
  ///   its number of people is in ``peopleCount``.
  /// - Throws: ``TraceError`` if a person's trace cannot be played, e.g. without waypoints.
  init(_ setup: AppSetup) throws(TraceError)

  /// Returns the events since the last call, in order: the readable log.
  mutating func takeEvents() -> [AppEvent]

  /// The detections of the phones so far, of ``task``, on the run's axis.
  var detections: [DetectionRecord] { get }

  /// The arm and disarm actions of a person, on the run's axis; nil = the detector of that phone
  /// listens without them. Default: nil.
  func armingActions(of person: DeviceID) -> ActionColumns?

  /// The outcomes so far; after ``close(at:)``, the final ones.
  var outcomes: [AppOutcome] { get }

  /// The violated invariants of the engines, now and before each restart; empty unless there is a bug.
  var violations: [String] { get }

  /// The messages of the network so far. Default: none.
  var networkCounts: NetworkCounts { get }
  /// What scripts of decisions can let its people do. Default: nothing.
  static var actions: [AppAction] { get }
  /// The decisions of the setup that nothing has led to, in their order. Default: none.
  var unmadeDecisions: [Decision] { get }
  /// The messages so far in the order of sending, if the setup keeps them. Default: none.
  var messages: [MessageRecord] { get }
  /// The faults of the setup that have met a message, a reading or a machine, in their order.
  /// Default: none.
  var metFaults: [ExchangeFault] { get }
  /// The fates that the network's conditions have drawn, as faults; see
  /// ``SimulatedNetwork/drawnFaults``. Default: none.
  var drawnFaults: [ExchangeFault] { get }

  /// The names of the outcomes that count what a rule of the app forbids. They are 0 unless a preset
  /// has the fault, or the app has a bug. Default: none.
  static var faultCounts: [String] { get }
}

/// The rules of an app. Each of their values can be changed alone; see ``AppSetup/rules``.
public protocol AppRules: Codable, Hashable, Sendable {
  static var `default`: Self { get }
}

extension AppSimulation {
  public static func rules(of preset: String) -> (any AppRules)? { nil }
  public static func parameters(
    by rules: (any AppRules)?, for header: TraceHeader
  ) -> [ResolvedParameter] { [] }
  /// Returns the rules of a setup.
  package static func rules<Rules: AppRules>(_ setup: AppSetup) -> Rules {
    (setup.rules ?? rules(of: setup.preset)) as? Rules ?? .default
  }
  public var drawnFaults: [ExchangeFault] { [] }
  public var messages: [MessageRecord] { [] }
  public static var actions: [AppAction] { [] }
  public var unmadeDecisions: [Decision] { [] }
  public static func phoneCount(_ people: [AppSetup.Person]) -> Int { people.count }
  public static var mostFurtherPeople: Int { 0 }
  public static var hasServer: Bool { true }
  public static var faultCounts: [String] { [] }
  public static var detector: String? { nil }
  public static var fixedParameters: [String] { [] }
  public var networkCounts: NetworkCounts { NetworkCounts() }
  public var metFaults: [ExchangeFault] { [] }
  public func armingActions(of person: DeviceID) -> ActionColumns? { nil }

  /// The outcomes with the goals of a preset: what ``faultCounts`` names must be 0 under the first
  /// one, and must not rise under others, which may have the fault.
  public func judgedOutcomes(of preset: String) -> [AppOutcome] {
    let goal: AppOutcome.Goal = preset == Self.presets.first?.name ? .mustBeZero : .mustNotRise
    return outcomes.map { outcome in
      var outcome = outcome
      if Self.faultCounts.contains(outcome.name) { outcome.goal = goal }
      return outcome
    }
  }
}

public struct AppPreset: Hashable, Sendable {
  public let name: String
  /// A one-line summary for `--help`.
  public let summary: String

  public init(_ name: String, summary: String) { (self.name, self.summary) = (name, summary) }
}

public struct AppSetup: Sendable {
  /// A person with a phone and the header of the trace.
  public struct Person: Sendable {
    public var header: TraceHeader
    /// The zero of the trace on the run's axis.
    public var start: TraceInstant
    /// The name in the log, unique within a setup.
    public var name: String

    /// - Parameter name: nil = the subject if the trace states one, otherwise the trace's id.
    public init(header: TraceHeader, start: TraceInstant = .zero, name: String? = nil) {
      self.header = header
      self.start = start
      self.name = name ?? (header.subject.isEmpty ? header.id : header.subject)
    }
  }

  public var preset: String
  /// The rules that replace those of the preset; nil = none.
  public var rules: (any AppRules)?
  /// The people, in the order of their device numbers.
  public var people: [Person]
  /// The script that acts for the people if the traces have no actions; nil = the traces' own
  /// actions.
  public var script: PersonScript?
  /// What people do besides, each when its time comes.
  public var decisions: [Decision] = []
  /// The network between the phones and the server, with the faults and the phones' clocks.
  public var network: NetworkSetup
  /// Values that replace those of the detector's parameters, by name.
  public var parameters: [String: ParameterValue] = [:]
  /// The seed of all random draws except those of the script and the network.
  public var seed: UInt64
  /// The wall-clock time of the run's zero; nil = not known.
  public var epoch: WallTime?

  public init(
    preset: String, people: [Person], script: PersonScript? = nil,
    network: NetworkSetup = NetworkSetup(), seed: UInt64 = 1, epoch: WallTime? = nil
  ) {
    (self.preset, self.people, self.script) = (preset, people, script)
    (self.network, self.seed, self.epoch) = (network, seed, epoch)
  }
}

/// A script of people's actions for recordings without actions: answer prompts, hold the button in
/// their turn. Times are scaled by a factor that is uniform in 1 ± `spread`, from the seed.
public struct PersonScript: Hashable, Sendable, Codable {
  /// The time in seconds from a prompt to its confirmation (or cancellation).
  public var confirmAfter = 3.0
  /// The time in seconds from the confirmation to `continue`.
  public var continueAfter = 5.0
  /// The probability of a cancellation, 0...1.
  public var cancelProbability = 0.0
  /// The time in seconds from the beginning of a turn, or from a hold without a punch, to the next
  /// hold.
  public var armAfter = 1.0
  /// The duration of a hold in seconds; a punch ends it earlier.
  public var holdFor = 4.0
  /// The spread, 0...1.
  public var spread = 0.0
  public var seed: UInt64 = 1

  public init() {}
}

/// A line of the readable log.
public struct AppEvent: Hashable, Sendable, Codable {
  /// The time on the run's axis.
  public var time: TraceInstant
  /// The person on whose phone it happened.
  public var person: DeviceID
  /// The kind of event, stable and in kebab case, e.g. `hit`, `refused`, `prompt`.
  public var kind: String
  /// A sentence for readers who do not know the app, e.g. `hits Bea with a jab: 12.4 % damage, Bea
  /// has 61.0 % left`.
  public var text: String
  /// The magnitude in ``unit``; nil = none.
  public var value: Double?
  public var unit: String
  public var place: Int32?

  public init(
    _ kind: String, _ text: String, person: DeviceID, at time: TraceInstant, value: Double? = nil,
    unit: String = "", place: Int32? = nil
  ) {
    (self.time, self.person, self.kind, self.text) = (time, person, kind, text)
    (self.value, self.unit, self.place) = (value, unit, place)
  }
}

public struct AppOutcome: Hashable, Sendable, Codable {
  /// Which values are better, and what a gate allows if it states no bound.
  public enum Goal: String, CaseIterable, Hashable, Sendable, Codable {
    /// No value is better. A gate allows all.
    case neither
    /// More, or less, is better. A gate allows all.
    case higher, lower
    /// What there is must not become none: a winner, games.
    case mustStay = "must_stay"
    case mustNotFall = "must_not_fall"
    /// A count of what a rule of the app forbids, under a preset that has the fault.
    case mustNotRise = "must_not_rise"
    /// The same under the default preset.
    case mustBeZero = "must_be_0"

    /// Whether the outcome counts what a rule of the app forbids.
    public var isViolation: Bool { [.mustNotRise, .mustBeZero].contains(self) }
  }

  /// The name in snake case, e.g. `hits`, `stamina_left`, `reward`. A name has one meaning, unit
  /// and kind in all runs of an app.
  public var name: String
  public var person: DeviceID?
  /// The value; nil = undefined, e.g. an error without a reference. Yes and no are 1 and 0.
  public var value: Double?
  /// The unit: `m`, `s`, `%`, `count`, `yes`; empty = a plain number.
  public var unit: String
  /// The text to show instead of the value, e.g. the winner's name; nil = the value.
  public var text: String?
  /// For what ``AppSimulation/faultCounts`` names, see ``AppSimulation/judgedOutcomes(of:)``.
  public var goal: Goal

  public init(
    _ name: String, of person: DeviceID? = nil, _ value: Double?, unit: String = "",
    text: String? = nil, _ goal: Goal = .neither
  ) {
    (self.name, self.person, self.value) = (name, person, value)
    (self.unit, self.text, self.goal) = (unit, text, goal)
  }
}
