public import TraceModel

/// What a delivery did to each channel.
public struct DeliveryReport: Hashable, Sendable, Codable {
  /// In channel order; what a person does is not among them.
  public var channels: [ChannelDelivery]

  public init(channels: [ChannelDelivery] = []) {
    self.channels = channels
  }

  public subscript(channel: Channel) -> ChannelDelivery? {
    channels.first { $0.channel == channel }
  }
}

/// What a delivery did to the readings of one channel. Every reading is in one of the counts:
/// `delivered + lost + throttled + dropped + undelivered - duplicated = recorded`.
public struct ChannelDelivery: Hashable, Sendable, Codable {
  public var channel: Channel
  /// Readings of the trace.
  public var recorded = 0
  /// Readings that the app got, duplicates among them.
  public var delivered = 0
  /// Lost on the way.
  public var lost = 0
  /// Came a second time, whatever became of either.
  public var duplicated = 0
  /// Left out by the location service as it was asked to.
  public var throttled = 0
  /// Lost because the app slept.
  public var dropped = 0
  /// Would have arrived after the trace's end.
  public var undelivered = 0
  /// Overtaken, whatever became of them then.
  public var late = 0
  /// Had to wait until the app woke up, whatever became of them then.
  public var held = 0
  /// Nanoseconds from the measured time (before the clock went wrong) to the arrival, the longest
  /// of what was delivered; nil where nothing was.
  public var longestWait: Int64?

  public init(channel: Channel) {
    self.channel = channel
  }
}
