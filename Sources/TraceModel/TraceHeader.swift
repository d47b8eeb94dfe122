/// The origin of a trace's readings. Tables never pool the two.
public enum TraceOrigin: String, CaseIterable, Hashable, Sendable, Codable {
  case recorded
  case synthetic
}

/// A channel of a trace, without its readings.
///
/// ```swift
/// let fix = Fix(latitude: 47.4, longitude: 8.5)
/// let late = TimeColumns(measured: [0], arrived: [9])
/// var trace = Trace(header: TraceHeader(id: "walk", origin: .recorded))
/// trace.set(.fix(FixColumns(times: late, values: [fix])), for: .location)
/// trace.header.info(.location)?.hasArrivalTimes  // true
/// ```
public struct ChannelInfo: Hashable, Sendable, Codable {
  public var channel: Channel
  public var count: Int
  /// Whether arrival times are stored in addition to measured times.
  public var hasArrivalTimes: Bool
  /// Further facts, e.g. `gravity_removal` = the method's name.
  public var attributes: [String: String]

  public init(
    channel: Channel, count: Int, hasArrivalTimes: Bool = false, attributes: [String: String] = [:]
  ) {
    self.channel = channel
    self.count = count
    self.hasArrivalTimes = hasArrivalTimes
    self.attributes = attributes
  }
}

/// Everything that a trace states apart from its readings.
///
/// ```swift
/// var header = TraceHeader(id: "punch-1", origin: .recorded)
/// header.end = TraceInstant(nanoseconds: 2_000_000_000)
/// header.duration  // 2.0 seconds
/// header.reference(.punch) == nil  // true
/// ```
public struct TraceHeader: Hashable, Sendable, Codable {
  /// The name, unique within a suite.
  public var id: String
  public var origin: TraceOrigin
  /// The person; empty = not known.
  public var subject = ""
  public var device = ""
  /// The place on the body where the device was worn.
  public var placement = ""
  public var handedness = Hand.unknown
  /// The size of the screen; nil = not known.
  public var screen: ScreenSize?
  /// The activity of the person; false alarms are pooled by it. Empty = not stated.
  public var activity = ""
  /// The instant of time zero (ISO 8601, UTC); 1970-01-01T00:00:00Z if unknown.
  public var epoch = TraceHeader.unknownEpoch
  public var isEpochKnown = false
  /// The origin of the recording and how it was made.
  public var source = ""
  /// The licence, as an SPDX identifier if there is one.
  public var license = ""
  public var seed: UInt64?
  /// The trace's end, which may lie after the last sample: a departure is an absence.
  public var end = TraceInstant.zero
  /// The channels, in channel order.
  public var channels: [ChannelInfo] = []
  public var places: [Place] = []
  public var references: [ReferenceSet] = []
  /// The numbers of events where the events themselves are not known, by task. No task has both.
  public var counts: [ReferenceCount] = []
  public var track: ReferenceTrack?
  public var ignoreZones: [IgnoreZone] = []

  public init(id: String, origin: TraceOrigin) {
    self.id = id
    self.origin = origin
  }

  public static let unknownEpoch = "1970-01-01T00:00:00Z"

  public func reference(_ task: ReferenceTask) -> ReferenceSet? {
    references.first { $0.task == task }
  }

  public func count(_ task: ReferenceTask) -> ReferenceCount? { counts.first { $0.task == task } }

  public func info(_ channel: Channel) -> ChannelInfo? { channels.first { $0.channel == channel } }

  /// The recorded time, from zero to the end.
  public var duration: Duration { .nanoseconds(end.nanoseconds) }
}
