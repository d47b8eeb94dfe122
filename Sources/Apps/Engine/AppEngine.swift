public import TraceModel

/// The logic of an app as a state machine: input and time in, effects out.
///
/// An engine knows nothing of screens, files, networks or clocks. What has to be done in the world
/// (send, save, notify, show) comes out as an effect; what the world answers comes back as an input.
/// All of its state is `Codable`, the detectors that it holds included, so that it can be saved
/// after any input and go on from there.
///
/// The contract that every engine keeps, and that the tests hold it to:
/// - The same inputs at the same times give the same effects, to the bit.
/// - Saved after any input, restored and gone on with, it does what it would have done.
/// - A refused input changes nothing, and has no effects.
/// - ``violations`` is empty after every input, legal or not.
public protocol AppEngine: Sendable, Codable {
  associatedtype Input: Sendable, Hashable, Codable
  associatedtype Effect: Sendable, Hashable, Codable

  /// The name in saved states and on the command line, e.g. `fight`.
  static var name: String { get }
  /// Of the state's layout. It rises with each change after which an older state means something
  /// else or cannot be read.
  static var stateVersion: Int { get }

  /// Takes one input and appends what follows from it.
  ///
  /// - Parameter now: on the run's axis; never earlier than the last one. Where it is, it counts as
  ///   the last one: time does not go back in an engine.
  /// - Throws: ``Refusal`` where the input is not legal now. Nothing has changed then.
  mutating func handle(
    _ input: Input, at now: TraceInstant, into effects: inout [Effect]) throws(Refusal)

  /// The instant at which the engine will act if nothing comes until then (a reminder, an expiry).
  /// Default: nil. It is later than the last time that the engine was told of.
  var deadline: TraceInstant? { get }

  /// Time has come to `now`, which is the deadline. An input at exactly a deadline comes before it.
  /// The new deadline is later than `now`, or nil.
  mutating func advance(to now: TraceInstant, into effects: inout [Effect])

  /// The invariants that do not hold, each in words; empty at all times unless there is a bug.
  var violations: [String] { get }
}

extension AppEngine {
  public var deadline: TraceInstant? { nil }

  public mutating func advance(to now: TraceInstant, into effects: inout [Effect]) {}
}

/// Why an input was not taken.
public struct Refusal: Error, Hashable, Sendable, Codable, CustomStringConvertible {
  /// Which rule it broke, stable and in kebab case, e.g. `not-your-turn`.
  public var code: String
  /// What stands against it and what to do, as a sentence for the person who did it.
  public var reason: String

  public init(_ code: String, _ reason: String) {
    self.code = code
    self.reason = reason
  }

  public var description: String { "\(code): \(reason)" }
}

/// A time of the world: nanoseconds since 1970-01-01T00:00:00Z without leap seconds (Unix time).
/// The range ends in 2262.
public struct WallTime: Hashable, Comparable, Sendable, Codable {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Whole seconds, clamped to the range.
  public init(seconds: Int64) {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    nanoseconds = overflow ? (seconds < 0 ? .min : .max) : product
  }

  public static func < (left: WallTime, right: WallTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The time so much after this one, clamped to the range.
  public func advanced(byNanoseconds count: Int64) -> WallTime {
    WallTime(nanoseconds: nanoseconds.addingClamped(count))
  }
}
