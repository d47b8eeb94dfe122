/// The number of a user, from 0 in the order of registration.
public typealias UserID = Int

/// The secret of a session: 128 random bits, the proof of a login. The transport draws them from a
/// real source of randomness and passes them in with each request. An engine never makes one, so its
/// state and earlier sessions do not predict a later one.
public struct SessionToken: Hashable, Sendable, Codable {
  public let high: UInt64
  public let low: UInt64

  public init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  /// Creates the token that the transport of a simulation draws for a request.
  package init(drawnFrom hash: StableHash, for stamp: RequestStamp) {
    let hash = hash.with(stamp.epoch).with(stamp.number).with(stamp.mark)
    self.init(high: hash.bits(0), low: hash.bits(1))
  }

  /// Whether it is what an uninitialised source returns.
  package var isZero: Bool { high == 0 && low == 0 }
}
