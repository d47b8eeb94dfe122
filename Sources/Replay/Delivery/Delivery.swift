import TraceModel

/// The delivery of samples to an app: what the operating system omits, batches, delays and loses.
///
/// A delivery converts a trace to the one that the app would have received, with arrival times in
/// addition to measured times. Its parts are applied in this order, each to the result of the
/// previous one:
///
/// 1. The location service omits fixes: ``minInterval``, ``minDistance``.
/// 2. Readings are lost or duplicated: ``lost``, ``duplicated``.
/// 3. They are delayed: ``delay``, ``jitter``, ``late``.
/// 4. They wait in a sensor's queue: ``batchCount``, ``batchLatency``.
/// 5. The app fetches them with a timer: ``tick``.
/// 6. They wait for a sleeping app or are lost: ``awake``, ``asleep``.
/// 7. The sensor's clock is wrong: ``clockStep``, ``clockDrift``. Only this part changes measured
///    times; it changes no arrival.
///
/// Readings that arrive after the trace's end are lost. Actions of the person (`action`) are not
/// delivered: they keep their time, however late the samples are. With a late delivery a hold may
/// be over before its samples arrive, as on a phone.
///
/// A delivery without any of its parts is ideal: every reading arrives as the trace says. All
/// times and counts are numbers in the units of ``fields``; 0 turns a part off.
///
/// ```swift
/// let beat = HeartbeatColumns(times: TimeColumns(measured: [5]), values: [Heartbeat(peer: 3)])
/// var trace = Trace(header: TraceHeader(id: "phone", origin: .recorded))
/// trace.set(.heartbeat(beat), for: .heartbeat)
/// trace.header.end = TraceInstant(nanoseconds: 1_000_000_000)
/// var delivery = Delivery()
/// delivery.delay = 0.5
/// delivery.apply(to: trace).trace[.heartbeat]?.arrivedTimes  // [500000005]
/// ```
public struct Delivery: Hashable, Sendable, Codable {
  /// The minimum time in seconds between the arrivals of two fixes.
  public var minInterval = 0.0
  /// The minimum distance in metres from the last delivered fix. Invalid positions are omitted.
  public var minDistance = 0.0

  /// The probability that a loss starts with a reading.
  public var lost = 0.0
  /// The number of readings per loss, rounded down. With the probability p of a start and n
  /// readings per loss, a share of n p / (1 - p + n p) is lost.
  public var lostBurst = 1.0
  /// The probability that a reading is duplicated; each copy has its own delay.
  public var duplicated = 0.0
  /// The delay of each reading in seconds.
  public var delay = 0.0
  /// The mean in seconds of a random delay on top of ``delay``. It has a Lomax distribution of
  /// shape 4, with a long tail like network queues (median 0.57, p99 6.5, standard deviation 1.4
  /// times the mean). It needs only square roots, so every machine draws the same. The order is
  /// kept: a reading arrives no earlier than the previous one.
  public var jitter = 0.0
  /// The probability that a reading is late, so that later readings overtake it.
  public var late = 0.0
  /// The additional delay of a late reading in seconds.
  public var lateDelay = 0.0
  /// The channels with losses, duplicates and delays.
  public var transport = DeliveryScope.all

  /// The number of readings that fill the queue, rounded down. A full queue delivers them together
  /// at the arrival of the last one.
  public var batchCount = 0.0
  /// The maximum time in seconds from the first reading in the queue to its delivery. A reading
  /// that arrives exactly then is included.
  public var batchLatency = 0.0
  /// The period in seconds, from the trace's start, with which the app fetches arrived readings.
  public var tick = 0.0
  /// The channels with a queue and a timer.
  public var queue = DeliveryScope.all

  /// The time in seconds that the app is awake at the start of each cycle. The first cycle starts
  /// with the trace.
  public var awake = 0.0
  /// The time in seconds that the app then sleeps.
  public var asleep = 0.0
  /// How much earlier the sleep of each cycle can begin, as a share of ``awake``, 0...1, uniformly
  /// distributed.
  public var sleepSpread = 0.0
  /// The treatment of readings of motion and other sensors during sleep.
  public var sensorsAsleep = SleepRule.hold
  /// The treatment of fixes during sleep.
  public var locationAsleep = SleepRule.hold
  /// The treatment of network messages during sleep.
  public var networkAsleep = SleepRule.hold
  /// The number of newest readings of a channel kept until the end of a sleep, rounded down; 0 =
  /// all.
  public var holdLimit = 0.0

  /// The step of the clock in seconds.
  public var clockStep = 0.0
  /// The time of the step in seconds on the trace's axis; it applies to measurements from then on.
  public var clockStepAt = 0.0
  /// The drift of the clock in parts per million from the trace's start, positive = fast.
  public var clockDrift = 0.0

  /// Creates the ideal delivery.
  public init() {}

  /// Whether the delivery changes nothing.
  public var isIdeal: Bool { !DeliveryGroup.allCases.contains { affects($0) } }
}

/// The group of a channel in the operating system.
enum DeliveryGroup: CaseIterable {
  case sensors, location, network

  /// Returns nil for touches and actions of the person, which reach the app in the foreground at once.
  init?(_ channel: Channel) {
    switch channel {
    case .touch, .action: return nil
    case .location, .local: self = .location
    case .heartbeat: self = .network
    case .acceleration, .userAcceleration, .rotationRate, .heading, .pressure, .odometer:
      self = .sensors
    }
  }
}

/// The channels to which a part of a delivery applies.
public enum DeliveryScope: String, CaseIterable, Hashable, Sendable, Codable {
  case all, sensors, location, network

  func contains(_ group: DeliveryGroup) -> Bool {
    switch self {
    case .all: true
    case .sensors: group == .sensors
    case .location: group == .location
    case .network: group == .network
    }
  }
}

/// The treatment of readings during sleep.
public enum SleepRule: String, CaseIterable, Hashable, Sendable, Codable {
  /// They wake the app.
  case deliver
  /// They are delivered together when the app wakes up.
  case hold
  /// They are lost.
  case drop
}
