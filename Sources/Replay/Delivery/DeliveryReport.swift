public import TraceModel

/// The effect of a delivery on each channel.
///
/// ```swift
/// let report = DeliveryReport(channels: [ChannelDelivery(channel: .location)])
/// report[.location]?.lost  // 0
/// report[.touch] == nil  // true
/// ```
public struct DeliveryReport: Hashable, Sendable, Codable {
  /// The channels, in channel order, without actions.
  public var channels: [ChannelDelivery]

  public init(channels: [ChannelDelivery] = []) { self.channels = channels }

  public subscript(channel: Channel) -> ChannelDelivery? {
    channels.first { $0.channel == channel }
  }
}

/// The effect of a delivery on the readings of one channel. Every reading is in one of the counts:
/// `delivered + lost + throttled + dropped + undelivered - duplicated = recorded`.
public struct ChannelDelivery: Hashable, Sendable, Codable {
  public var channel: Channel
  /// The readings of the trace.
  public var recorded = 0
  /// The readings that the app received, including duplicates.
  public var delivered = 0
  /// Readings lost in transport.
  public var lost = 0
  /// Readings duplicated in transport, including copies that were not delivered.
  public var duplicated = 0
  /// Fixes omitted by the location service's filters.
  public var throttled = 0
  /// Readings lost because the app slept.
  public var dropped = 0
  /// Readings that would have arrived after the trace's end.
  public var undelivered = 0
  /// Overtaken readings, including those that were not delivered.
  public var late = 0
  /// Readings held until the app woke up, including those that were not delivered.
  public var held = 0
  /// The longest time in nanoseconds from the measured time (before clock errors) to the arrival of
  /// a delivered reading; nil if none was delivered.
  public var longestWait: Int64?
  /// The stretches of the trace's axis in ns, both ends inclusive, in which the app missed
  /// readings: it slept, or readings were lost in a row for longer than three periods. Held
  /// readings still arrive later, and the location service's filters omit only fixes that the app
  /// does not want. For messages, a sleep counts only if a message came during it, whether it was held
  /// or lost.
  public var unfed: [ClosedRange<Int64>] = []

  public init(channel: Channel) { self.channel = channel }
}
