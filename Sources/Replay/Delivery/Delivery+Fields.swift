public import Detectors

extension Delivery {
  /// The parameters by name, with units and ranges, for the command line and suites.
  public static var fields: [ParameterField<Delivery>] {
    locationFields + transportFields + queueFields + suspensionFields + clockFields
  }

  private static let hour = 3600.0
  private static let day = 86_400.0

  private static var locationFields: [ParameterField<Delivery>] {
    [
      .number(
        "min-interval", at: { $1(&$0.minInterval) }, unit: .seconds, range: 0...day,
        "location: minimum time between fixes"),
      .number(
        "min-distance", at: { $1(&$0.minDistance) }, unit: .meters, range: 0...1_000_000,
        "location: minimum distance from the last delivered fix"),
    ]
  }

  private static var transportFields: [ParameterField<Delivery>] {
    [
      .number(
        "lost", at: { $1(&$0.lost) }, range: 0...1, "probability that a loss starts with a reading"),
      .number("lost-burst", at: { $1(&$0.lostBurst) }, range: 1...1_000_000, "readings per loss"),
      .number(
        "duplicated", at: { $1(&$0.duplicated) }, range: 0...1,
        "probability that a reading is duplicated"),
      .number(
        "delay", at: { $1(&$0.delay) }, unit: .seconds, range: 0...hour, "delay of each reading"),
      .number(
        "jitter", at: { $1(&$0.jitter) }, unit: .seconds, range: 0...hour,
        "mean of an additional random delay; keeps the order"),
      .number(
        "late", at: { $1(&$0.late) }, range: 0...1, "probability that a reading is overtaken"),
      .number(
        "late-delay", at: { $1(&$0.lateDelay) }, unit: .seconds, range: 0...hour,
        "additional delay of an overtaken reading"),
      .choice(
        "transport", at: { $1(&$0.transport) }, "channels with losses, duplicates and delays"),
    ]
  }

  private static var queueFields: [ParameterField<Delivery>] {
    [
      .number(
        "batch-count", at: { $1(&$0.batchCount) }, range: 0...1_000_000_000,
        "queue length; a full queue delivers all its readings together"),
      .number(
        "batch-latency", at: { $1(&$0.batchLatency) }, unit: .seconds, range: 0...day,
        "maximum time of a reading in the queue"),
      .number(
        "tick", at: { $1(&$0.tick) }, unit: .seconds, range: 0...hour,
        "period of the timer with which the app fetches readings"),
      .choice("queue", at: { $1(&$0.queue) }, "channels with a queue and a timer"),
    ]
  }

  private static var suspensionFields: [ParameterField<Delivery>] {
    [
      .number(
        "awake", at: { $1(&$0.awake) }, unit: .seconds, range: 0...(365 * day),
        "time that the app is awake before each sleep"),
      .number(
        "asleep", at: { $1(&$0.asleep) }, unit: .seconds, range: 0...(365 * day),
        "time that the app sleeps"),
      .number(
        "sleep-spread", at: { $1(&$0.sleepSpread) }, range: 0...1,
        "share of the awake time by which a sleep can begin earlier"),
      .choice("sensors-asleep", at: { $1(&$0.sensorsAsleep) }, "sensor readings during sleep"),
      .choice("location-asleep", at: { $1(&$0.locationAsleep) }, "fixes during sleep"),
      .choice("network-asleep", at: { $1(&$0.networkAsleep) }, "network messages during sleep"),
      .number(
        "hold-limit", at: { $1(&$0.holdLimit) }, range: 0...1_000_000_000,
        "newest readings of a channel kept during sleep; 0 = all"),
    ]
  }

  private static var clockFields: [ParameterField<Delivery>] {
    [
      .number(
        "clock-step", at: { $1(&$0.clockStep) }, unit: .seconds, range: (-365 * day)...(365 * day),
        "step of the sensor's clock"),
      .number(
        "clock-step-at", at: { $1(&$0.clockStepAt) }, unit: .seconds, range: 0...(365 * day),
        "time of the step"),
      .number(
        "clock-drift", at: { $1(&$0.clockDrift) }, range: -1_000_000...1_000_000,
        "drift of the clock in parts per million, positive = fast"),
    ]
  }
}
