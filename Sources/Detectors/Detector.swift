public import TraceModel

/// A state machine that turns readings of one channel into detections.
///
/// A detector is a struct: cheap to copy, so that a sweep can run thousands. It uses no files,
/// clocks or threads; time arrives with the readings.
///
/// Every conforming type keeps this contract, which the tests verify:
/// - The same readings in blocks of any size give identical detections, bit for bit.
/// - A shift of all times by a constant shifts the detections by it and changes nothing else.
/// - No readings, no detections.
public protocol Detector<Input, Event>: Sendable {
  associatedtype Input: ReadingValue
  associatedtype Event: DetectionEvent
  associatedtype Parameters: Sendable, Equatable, Codable
  /// The block form of `Input`.
  typealias Columns = Input.Columns

  /// The name in suites and on the command line.
  static var name: String { get }
  /// The channel that the detector reads.
  static var channel: Channel { get }
  /// The task of the reference that its detections are scored against.
  static var task: ReferenceTask { get }
  /// The names, units, ranges and defaults of the parameters, for `--parameters` and `--help`.
  static var parameterFields: [ParameterField<Parameters>] { get }
  /// The named presets; the first is the default.
  static var presets: [DetectorPreset<Parameters>] { get }

  /// - Parameter places: the waypoints or geofences of the trace; they are data, not parameters.
  init(_ parameters: Parameters, places: [Place])

  /// The channels that the detector reads in addition to its own, if the device has them, e.g. the
  /// rotation rate. Each has its own clock. Default: none.
  static func companions(_ parameters: Parameters) -> [Channel]

  /// Whether a person's profile has an effect with these parameters. Default: true.
  static func usesProfile(_ parameters: Parameters) -> Bool

  /// Whether the detector may withdraw a detection when later readings contradict it, with an event
  /// of the kind ``DetectionRecord/withdrawal`` and the onset of the withdrawn event. Runs are then
  /// scored twice, as reported and in the end. Default: false.
  static func withdraws(_ parameters: Parameters) -> Bool

  /// Whether the detector reports nothing unless the last arm or disarm action was an arm action.
  /// Only the time in which it is armed counts for its rates. Default: false; for a
  /// ``ScoredDetector``, as its lockout states.
  static func listensWhenArmed(_ parameters: Parameters) -> Bool

  /// Processes one reading and appends the resulting detections.
  mutating func ingest(
    _ input: Input, measured: TraceInstant, arrived: TraceInstant,
    into detections: inout [Detection<Event>])

  /// The instant at which the detector acts if nothing arrives before. Default: nil.
  var deadline: TraceInstant? { get }

  /// Advances time to the deadline `now`. A reading that arrives exactly at a deadline is ingested
  /// before it. The new deadline must be later than `now`, or nil.
  mutating func advance(to now: TraceInstant, into detections: inout [Detection<Event>])

  /// Processes the readings of a block at the positions in `range`. Equivalent to this for each
  /// reading in order: `advance` through each deadline earlier than its arrival, then `ingest` it.
  /// That is also the default implementation; a detector without deadlines replaces it with a loop
  /// over the columns.
  ///
  /// The parameter is a range instead of a window of the block because players pass single readings
  /// this way, and a window costs more than a reading.
  mutating func ingest(
    contentsOf block: Columns, in range: Range<Int>, into detections: inout [Detection<Event>])

  /// Processes a reading of one of the ``companions(_:)``. Default: does nothing.
  ///
  /// At one instant of arrival the readings of companions come first, in the order of channels, then
  /// the detector's own, then actions: what arrives in one batch is known before the own reading.
  mutating func ingest(companion reading: Reading, into detections: inout [Detection<Event>])

  /// Processes an action of the person. Default: does nothing.
  mutating func handle(
    _ action: Action, at time: TraceInstant, into detections: inout [Detection<Event>])

  /// Ends the run after the last reading. Reports events that are still open, emitted at `end`.
  /// Default: does nothing.
  mutating func finish(at end: TraceInstant, into detections: inout [Detection<Event>])

  /// The quantities measured so far, e.g. a distance. Default: none.
  var measurements: [Measurement] { get }
}

extension Detector {
  public static func companions(_ parameters: Parameters) -> [Channel] { [] }
  public static func usesProfile(_ parameters: Parameters) -> Bool { true }
  public static func withdraws(_ parameters: Parameters) -> Bool { false }
  public static func listensWhenArmed(_ parameters: Parameters) -> Bool { false }

  @inlinable public var deadline: TraceInstant? { nil }

  @inlinable
  public mutating func advance(to now: TraceInstant, into detections: inout [Detection<Event>]) {}

  /// Processes a whole block.
  @inlinable public mutating func ingest(
    contentsOf block: Columns, into detections: inout [Detection<Event>]
  ) { ingest(contentsOf: block, in: block.range, into: &detections) }

  @inlinable public mutating func ingest(
    contentsOf block: Columns, in range: Range<Int>, into detections: inout [Detection<Event>]
  ) {
    for position in range {
      let arrived = block.arrived(at: position)
      while let deadline, deadline < arrived { advance(to: deadline, into: &detections) }
      ingest(
        block[position], measured: block.measured(at: position), arrived: arrived,
        into: &detections)
    }
  }

  @inlinable public mutating func ingest(
    companion reading: Reading, into detections: inout [Detection<Event>]
  ) {}

  @inlinable public mutating func handle(
    _ action: Action, at time: TraceInstant, into detections: inout [Detection<Event>]
  ) {}

  @inlinable
  public mutating func finish(at end: TraceInstant, into detections: inout [Detection<Event>]) {}

  public var measurements: [Measurement] { [] }

  /// Returns the preset with that name; nil if there is none.
  public static func preset(named name: String) -> DetectorPreset<Parameters>? {
    presets.first { $0.name == name }
  }
}

/// Parameters with defaults in their declaration. A detector with such parameters needs no
/// `presets`: its only preset is named `default`.
public protocol DetectorParameters: Sendable, Equatable, Codable {
  init()
}

extension Detector where Parameters: DetectorParameters {
  public static var presets: [DetectorPreset<Parameters>] {
    [DetectorPreset("default", summary: "default parameters", Parameters())]
  }
}

/// A quantity that a detector measured over a run, e.g. `distance` in `m`.
///
/// ```swift
/// TrackDetector(.init()).measurements.first?.unit  // m
/// ```
public struct Measurement: Hashable, Sendable, Codable {
  public var name: String
  public var value: Double
  public var unit: String

  public init(_ name: String, _ value: Double, unit: String) {
    self.name = name
    self.value = value
    self.unit = unit
  }
}

/// A named set of parameters.
///
/// ```swift
/// PresenceDetector.presets.map(\.name)  // ["default", "ticChatToe", "phi"]
/// PresenceDetector.preset(named: "fast") == nil  // true
/// ```
public struct DetectorPreset<Parameters: Sendable>: Sendable {
  public let name: String
  /// A one-line summary for `--help`.
  public let summary: String
  private let resolve: @Sendable (TraceHeader) -> Parameters

  /// Creates a preset that is the same for every trace.
  public init(_ name: String, summary: String, _ parameters: Parameters) {
    self.init(name, summary: summary) { _ in parameters }
  }

  /// Creates a preset that depends on the trace, e.g. on whether it has arm actions.
  public init(
    _ name: String, summary: String, resolve: @escaping @Sendable (TraceHeader) -> Parameters
  ) {
    self.name = name
    self.summary = summary
    self.resolve = resolve
  }

  public func parameters(for header: TraceHeader) -> Parameters { resolve(header) }
}
