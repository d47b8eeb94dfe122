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
public struct NetworkSetup: Hashable, Sendable, Codable {
  /// A link with conditions of its own.
  public struct Link: Hashable, Sendable, Codable {
    public var link: NetworkLink
    public var conditions: NetworkConditions

    public init(_ link: NetworkLink, _ conditions: NetworkConditions) {
      self.link = link
      self.conditions = conditions
    }
  }

  /// The conditions of all links without their own.
  public var conditions: NetworkConditions
  /// The links with conditions of their own; of two entries for a link the first counts.
  public var links: [Link]
  public var faults: [ExchangeFault]
  /// The clocks of the phones by index; a missing one is exact. Clock faults come on top.
  public var clocks: [DeviceClock]

  public init(
    _ conditions: NetworkConditions = NetworkConditions(), links: [Link] = [],
    faults: [ExchangeFault] = [], clocks: [DeviceClock] = []
  ) {
    self.conditions = conditions
    self.links = links
    self.faults = faults
    self.clocks = clocks
  }

  package func conditions(of link: NetworkLink) -> NetworkConditions {
    links.first { $0.link == link }?.conditions ?? conditions
  }

  /// Returns the clock of a phone with its faults.
  package func clock(of phone: Int) -> DeviceClock {
    var clock = clocks.indices.contains(phone) ? clocks[phone] : DeviceClock()
    clock.apply(faults, of: phone)
    return clock
  }
}

/// The numbers of messages of a network.
public struct NetworkCounts: Hashable, Sendable, Codable {
  public var sent = 0
  /// The messages of which nothing arrived.
  public var lost = 0
  /// The messages that arrived twice.
  public var duplicated = 0

  public init(sent: Int = 0, lost: Int = 0, duplicated: Int = 0) {
    self.sent = sent
    self.lost = lost
    self.duplicated = duplicated
  }

  static func + (left: NetworkCounts, right: NetworkCounts) -> NetworkCounts {
    NetworkCounts(
      sent: left.sent + right.sent, lost: left.lost + right.lost,
      duplicated: left.duplicated + right.duplicated)
  }
}
