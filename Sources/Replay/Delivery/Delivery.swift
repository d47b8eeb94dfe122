import TraceModel

/// How samples reach an app: what the operating system leaves out, collects, delays and loses.
///
/// A delivery turns a trace into the one that the app would have seen, with arrivals beside the
/// measured times. Its parts are applied in this order, each to what the one before it left:
///
/// 1. The location service leaves out fixes: ``minInterval``, ``minDistance``.
/// 2. Readings are lost or come twice: ``lost``, ``duplicated``.
/// 3. They are on the way for some time: ``delay``, ``jitter``, ``late``.
/// 4. They wait in a sensor's queue: ``batchCount``, ``batchLatency``.
/// 5. The app fetches them at the ticks of a timer: ``tick``.
/// 6. They wait for, or are lost to, an app that sleeps: ``awake``, ``asleep``.
/// 7. The sensor's clock is wrong: ``clockStep``, ``clockDrift``. This alone changes measured
///    times, and no arrival.
///
/// What arrives after the trace's end is lost at the end. What a person does (`action`) is not
/// delivered but done: it has its time, however late the samples come; with a late delivery a hold
/// may be over before its samples are there, as on a phone.
///
/// A delivery without any of its parts is ideal: every reading arrives as the trace says. All
/// times and counts are numbers in the units of ``fields``; 0 turns a part off.
public struct Delivery: Hashable, Sendable, Codable {
  // MARK: Location service

  /// Seconds between the arrivals of two fixes, at least.
  public var minInterval = 0.0
  /// Metres from the last fix that was delivered, at least. A fix that is no position is left out.
  public var minDistance = 0.0

  // MARK: Transport

  /// The probability that a loss starts with a reading.
  public var lost = 0.0
  /// Readings that a loss takes, rounded down. With the probability p of a start and n readings a
  /// loss, n p / (1 - p + n p) of all are lost.
  public var lostBurst = 1.0
  /// The probability that a reading comes twice, each time with a delay of its own.
  public var duplicated = 0.0
  /// Seconds that each reading is on its way.
  public var delay = 0.0
  /// Seconds, the mean of a random delay beyond ``delay``: a Lomax distribution of shape 4, which
  /// like the queues of networks has a long tail (median 0.57, p99 6.5, standard deviation 1.4
  /// times the mean), and which square roots alone can compute, so that every machine draws the
  /// same. Nothing overtakes: a reading arrives no earlier than the one before it.
  public var jitter = 0.0
  /// The probability that a reading is late, and overtaken.
  public var late = 0.0
  /// Seconds that a late reading comes later than it would have.
  public var lateDelay = 0.0
  /// Whose readings are lost, doubled and delayed.
  public var transport = DeliveryScope.all

  // MARK: Queue

  /// Readings that fill the queue, which delivers them together at the arrival of the last one;
  /// rounded down.
  public var batchCount = 0.0
  /// Seconds from the first reading in the queue after which it is delivered, full or not. A
  /// reading that arrives just then is still in it.
  public var batchLatency = 0.0
  /// Seconds between the ticks, counted from the trace's start, at which the app fetches what has
  /// arrived.
  public var tick = 0.0
  /// Whose readings are queued and fetched.
  public var queue = DeliveryScope.all

  // MARK: Suspension

  /// Seconds that the app is awake in each cycle, which starts with them at the trace's start.
  public var awake = 0.0
  /// Seconds that it then sleeps.
  public var asleep = 0.0
  /// 0...1: how much earlier the sleep of each cycle begins, as a share of ``awake``, uniform.
  public var sleepSpread = 0.0
  /// What becomes of motion and other sensors' readings while the app sleeps.
  public var sensorsAsleep = SleepRule.hold
  /// What becomes of fixes.
  public var locationAsleep = SleepRule.hold
  /// What becomes of what comes by network.
  public var networkAsleep = SleepRule.hold
  /// How many readings of a channel are held for the end of a sleep, the newest ones; rounded
  /// down; 0 = all.
  public var holdLimit = 0.0

  // MARK: Clock

  /// Seconds that the clock jumps.
  public var clockStep = 0.0
  /// Seconds on the trace's axis; what is measured then or later has the step.
  public var clockStepAt = 0.0
  /// Millionths by which the clock is fast, from the trace's start.
  public var clockDrift = 0.0

  /// The ideal delivery.
  public init() {}

  /// Whether it changes nothing.
  public var isIdeal: Bool {
    !DeliveryGroup.allCases.contains { affects($0) }
  }
}

/// What a channel is to the operating system.
enum DeliveryGroup: CaseIterable {
  case sensors, location, network

  /// nil = what a person does.
  init?(_ channel: Channel) {
    switch channel {
    case .action: return nil
    case .location, .local: self = .location
    case .heartbeat: self = .network
    case .acceleration, .userAcceleration, .rotationRate, .heading, .pressure, .odometer:
      self = .sensors
    }
  }
}

/// Whose readings a part of a delivery concerns.
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

/// What becomes of readings while the app sleeps.
public enum SleepRule: String, CaseIterable, Hashable, Sendable, Codable {
  /// They wake the app.
  case deliver
  /// They are delivered together when it wakes up.
  case hold
  /// They are lost.
  case drop
}
