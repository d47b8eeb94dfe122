/// The number of a user, from 0 in the order of registration.
public typealias UserID = Int

/// The secret of a session: 128 random bits, the proof of a login. The transport draws them from a
/// real source of randomness and passes them in with each request. An engine never makes one, so
/// nothing in its state or in earlier sessions tells a later one.
public struct SessionToken: Hashable, Sendable, Codable {
  public let high: UInt64
  public let low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Whether it is what an uninitialised source returns.
  package var isZero: Bool { high == 0 && low == 0 }
}
