/// The conditions of a network. The default delivers each message immediately, once and in order.
public struct NetworkConditions: Hashable, Sendable, Codable {
  /// The minimum delay of a message in seconds, at least 0.
  public var delay = 0.0
  /// The mean of an additional delay in seconds, exponentially distributed; it reorders messages.
  public var jitter = 0.0
  /// The probability that a message is lost, 0...1.
  public var loss = 0.0
  /// The probability that a message that is not lost is duplicated, 0...1.
  public var duplication = 0.0
  public var seed: UInt64 = 1

  public init() {}

  /// Whether the network neither delays, loses nor duplicates.
  public var isIdeal: Bool { delay <= 0 && jitter <= 0 && loss <= 0 && duplication <= 0 }

  /// The part without random draws: the minimum delay.
  public var calm: NetworkConditions {
    var calm = self
    (calm.jitter, calm.loss, calm.duplication, calm.seed) = (0, 0, 0, 1)
    return calm
  }
}

/// The network of a simulation, with the faults that it is to meet.
public struct NetworkSetup: Hashable, Sendable {
  public var conditions: NetworkConditions
  public var faults: [ExchangeFault]
  /// Whether the run keeps ``AppSimulation/messages``.
  public var keepsMessages = false

  public init(_ conditions: NetworkConditions = NetworkConditions(), faults: [ExchangeFault] = []) {
    (self.conditions, self.faults) = (conditions, faults)
  }

  package func clock(of phone: Int) -> DeviceClock { DeviceClock(faults, of: phone) }
}

public struct NetworkCounts: Hashable, Sendable, Codable {
  public var sent = 0
  /// The messages that did not arrive.
  public var lost = 0
  /// The messages that arrived twice.
  public var duplicated = 0

  public init(sent: Int = 0, lost: Int = 0, duplicated: Int = 0) {
    (self.sent, self.lost, self.duplicated) = (sent, lost, duplicated)
  }

  static func + (left: NetworkCounts, right: NetworkCounts) -> NetworkCounts {
    NetworkCounts(
      sent: left.sent + right.sent, lost: left.lost + right.lost,
      duplicated: left.duplicated + right.duplicated)
  }
}
