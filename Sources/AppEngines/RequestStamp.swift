/// The identity of a request: a repetition carries the same stamp and is not executed again.
public struct RequestStamp: Hashable, Sendable, Codable {
  /// The sequence of numbers that ``number`` belongs to: one for each installation of an app.
  public var epoch: UInt64
  /// The number within the epoch, from 1, in the order of the requests.
  public var number: Int
  /// A mark that differs between requests with the same number. A phone that is restored from an
  /// older state uses its numbers again, at other times and so with other marks.
  public var mark: UInt64

  /// The largest number, so that a next one always exists.
  @usableFromInline package static let largestNumber = 1 << 53

  public init(epoch: UInt64, number: Int, mark: UInt64 = 0) {
    (self.epoch, self.number, self.mark) = (epoch, number, mark)
  }

  /// Whether the number is in 1...2^53.
  @usableFromInline package var isValid: Bool { (1...RequestStamp.largestNumber).contains(number) }
}

/// The answer of a server to a request.
public struct StampedReply<Answer: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
  public enum Result: Hashable, Sendable, Codable {
    case answer(Answer)
    /// A refusal by the rules, or a refusal of the engine itself, passed on by the transport.
    case refusal(Refusal)
    /// The request was not executed, because its number does not fit: the phone continues from the
    /// position.
    case outOfStep(StampPosition)
  }

  public var stamp: RequestStamp
  public var result: Result

  public init(stamp: RequestStamp, result: Result) { (self.stamp, self.result) = (stamp, result) }
}

/// The next stamp that a receiver accepts, for a phone whose numbers do not fit: its state went
/// back or was lost.
public struct StampPosition: Hashable, Sendable, Codable {
  public var epoch: UInt64
  /// The smallest number that was not used yet.
  public var next: Int

  public init(epoch: UInt64, next: Int) { (self.epoch, self.next) = (epoch, next) }
}
