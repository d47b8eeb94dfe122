public import TraceModel

/// A state machine that turns readings of one channel into detections.
///
/// A detector is a struct: cheap to copy, so that a sweep can run thousands. It knows nothing of
/// files, clocks or threads; time comes in with the readings.
///
/// The contract that every conforming type keeps, and that the tests hold it to:
/// - The same readings in blocks of any size give the same detections, to the bit.
/// - Shifting all times by a constant shifts the detections by it and changes nothing else.
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
  /// The reference that its detections are scored against.
  static var task: ReferenceTask { get }
  /// Names, units, ranges and defaults of the parameters: what `--parameters` and `--help` need.
  static var parameterFields: [ParameterField<Parameters>] { get }
  /// The rule sets that have a name; the first is the default.
  static var presets: [DetectorPreset<Parameters>] { get }

  /// - Parameter places: the waypoints or fences of the trace; data, not parameters.
  init(_ parameters: Parameters, places: [Place])

  /// Takes one reading and appends what follows from it.
  mutating func ingest(
    _ input: Input, measured: TraceInstant, arrived: TraceInstant,
    into detections: inout [Detection<Event>])

  /// The instant at which the detector will act if nothing arrives until then. Default: nil.
  var deadline: TraceInstant? { get }

  /// Time has come to `now`, which is the deadline. A reading that arrives exactly at a deadline
  /// is ingested before it. The new deadline must be later than `now`, or nil.
  mutating func advance(to now: TraceInstant, into detections: inout [Detection<Event>])

  /// Takes readings of a block, those in `range` (positions in its arrays): equal to `advance`ing
  /// through each deadline that is earlier than a reading's arrival and then ingesting that
  /// reading, one after the other. That is also the default; a detector without deadlines replaces
  /// it by a loop over the columns.
  ///
  /// A range and not a window of the block: players hand over single readings this way, and a
  /// window costs more than a reading.
  mutating func ingest(
    contentsOf block: Columns, in range: Range<Int>, into detections: inout [Detection<Event>])

  /// A person did something. Default: nothing.
  mutating func handle(
    _ action: Action, at time: TraceInstant, into detections: inout [Detection<Event>])

  /// The sensor has stopped: nothing comes any more, and what is still open is reported as far as
  /// it was seen, emitted at `end`. Default: nothing.
  mutating func finish(at end: TraceInstant, into detections: inout [Detection<Event>])

  /// The quantities that the detector has measured so far, e.g. a distance. Default: none.
  var measurements: [Measurement] { get }
}

extension Detector {
  @inlinable
  public var deadline: TraceInstant? { nil }

  @inlinable
  public mutating func advance(to now: TraceInstant, into detections: inout [Detection<Event>]) {}

  /// Takes a whole block.
  @inlinable
  public mutating func ingest(
    contentsOf block: Columns, into detections: inout [Detection<Event>]
  ) {
    ingest(contentsOf: block, in: block.range, into: &detections)
  }

  @inlinable
  public mutating func ingest(
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

  @inlinable
  public mutating func handle(
    _ action: Action, at time: TraceInstant, into detections: inout [Detection<Event>]
  ) {}

  @inlinable
  public mutating func finish(at end: TraceInstant, into detections: inout [Detection<Event>]) {}

  public var measurements: [Measurement] { [] }

  /// The rule set of that name; nil where there is none.
  public static func preset(named name: String) -> DetectorPreset<Parameters>? {
    presets.first { $0.name == name }
  }
}

/// Parameters whose defaults stand in their declaration. A detector that has these needs no
/// `presets`: its only one is called `default`.
public protocol DetectorParameters: Sendable, Equatable, Codable {
  /// The defaults.
  init()
}

extension Detector where Parameters: DetectorParameters {
  public static var presets: [DetectorPreset<Parameters>] {
    [DetectorPreset("default", summary: "its parameters' defaults", Parameters())]
  }
}

/// A quantity that a detector measured over the run, e.g. `distance` in `m`.
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

/// A named rule set.
public struct DetectorPreset<Parameters: Sendable>: Sendable {
  public let name: String
  /// One line for `--help`.
  public let summary: String
  private let resolve: @Sendable (TraceHeader) -> Parameters

  /// A rule set that is the same for every trace.
  public init(_ name: String, summary: String, _ parameters: Parameters) {
    self.init(name, summary: summary) { _ in parameters }
  }

  /// A rule set that depends on what the trace has, e.g. on whether it has arm actions.
  public init(
    _ name: String, summary: String, resolve: @escaping @Sendable (TraceHeader) -> Parameters
  ) {
    self.name = name
    self.summary = summary
    self.resolve = resolve
  }

  public func parameters(for header: TraceHeader) -> Parameters {
    resolve(header)
  }
}
