public import TraceModel

/// The logic of an app as a state machine: input and time in, effects out.
///
/// An engine uses no screens, files, networks or clocks. Work for the outside world (send, save,
/// notify, show) is returned as an effect; the response comes back as an input. The whole state is
/// `Codable`, including the detectors, so that it can be saved and restored after any input.
///
/// Every engine keeps this contract, which the tests verify:
/// - The same inputs at the same times give identical effects, bit for bit.
/// - An engine that is saved and restored after any input behaves as if it had not been.
/// - A refused input changes nothing and has no effects.
/// - ``violations`` is empty after every input, legal or not.
public protocol AppEngine: Sendable, Codable {
  associatedtype Input: Sendable, Hashable, Codable
  associatedtype Effect: Sendable, Hashable, Codable

  /// The name in saved states and on the command line, e.g. `fight`.
  static var name: String { get }
  /// The version of the state's layout. It increases with each change that alters the meaning of an
  /// older state or makes it unreadable.
  static var stateVersion: Int { get }

  /// Processes one input and appends the resulting effects.
  ///
  /// - Parameter now: the time on the run's axis. A time before the last one counts as the last
  ///   one: time does not go back in an engine.
  /// - Throws: ``Refusal`` if the input is not legal now. Then nothing has changed.
  mutating func handle(
    _ input: Input, at now: TraceInstant, into effects: inout [Effect]) throws(Refusal)

  /// The instant at which the engine acts if nothing arrives before (a reminder, an expiry).
  /// Default: nil. It is later than the last time passed to the engine.
  var deadline: TraceInstant? { get }

  /// Advances time to the deadline `now`. An input at exactly a deadline comes before it. The new
  /// deadline is later than `now`, or nil.
  mutating func advance(to now: TraceInstant, into effects: inout [Effect])

  /// The violated invariants, each as text; empty unless there is a bug.
  var violations: [String] { get }
}

extension AppEngine {
  public var deadline: TraceInstant? { nil }

  public mutating func advance(to now: TraceInstant, into effects: inout [Effect]) {}
}

/// The reason for refusing an input.
public struct Refusal: Error, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The violated rule, stable and in kebab case, e.g. `not-your-turn`.
  public var code: String
  /// The reason and the next step, as a sentence for the person.
  public var reason: String

  public init(_ code: String, _ reason: String) { (self.code, self.reason) = (code, reason) }

  public var description: String { "\(code): \(reason)" }
}

/// A wall-clock time: nanoseconds since 1970-01-01T00:00:00Z without leap seconds (Unix time). The
/// range ends in 2262.
public struct WallTime: Hashable, Comparable, Sendable, Codable {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Creates a time from whole seconds, clamped to the range.
  public init(seconds: Int64) {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    nanoseconds = overflow ? (seconds < 0 ? .min : .max) : product
  }

  public static func < (left: WallTime, right: WallTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// Returns the time `count` nanoseconds later, clamped to the range.
  public func advanced(byNanoseconds count: Int64) -> WallTime {
    WallTime(nanoseconds: nanoseconds.addingClamped(count))
  }
}
