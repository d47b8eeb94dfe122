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
        "min-interval", \.minInterval, unit: .seconds, range: 0...day,
        "location: minimum time between fixes"),
      .number(
        "min-distance", \.minDistance, unit: .meters, range: 0...1_000_000,
        "location: minimum distance from the last delivered fix"),
    ]
  }

  private static var transportFields: [ParameterField<Delivery>] {
    [
      .number("lost", \.lost, range: 0...1, "probability that a loss starts with a reading"),
      .number("lost-burst", \.lostBurst, range: 1...1_000_000, "readings per loss"),
      .number("duplicated", \.duplicated, range: 0...1, "probability that a reading is duplicated"),
      .number("delay", \.delay, unit: .seconds, range: 0...hour, "delay of each reading"),
      .number(
        "jitter", \.jitter, unit: .seconds, range: 0...hour,
        "mean of an additional random delay; keeps the order"),
      .number("late", \.late, range: 0...1, "probability that a reading is overtaken"),
      .number(
        "late-delay", \.lateDelay, unit: .seconds, range: 0...hour,
        "additional delay of an overtaken reading"),
      .choice("transport", \.transport, "channels with losses, duplicates and delays"),
    ]
  }

  private static var queueFields: [ParameterField<Delivery>] {
    [
      .number(
        "batch-count", \.batchCount, range: 0...1_000_000_000,
        "queue length; a full queue delivers all its readings together"),
      .number(
        "batch-latency", \.batchLatency, unit: .seconds, range: 0...day,
        "maximum time of a reading in the queue"),
      .number(
        "tick", \.tick, unit: .seconds, range: 0...hour,
        "period of the timer with which the app fetches readings"),
      .choice("queue", \.queue, "channels with a queue and a timer"),
    ]
  }

  private static var suspensionFields: [ParameterField<Delivery>] {
    [
      .number(
        "awake", \.awake, unit: .seconds, range: 0...(365 * day),
        "time that the app is awake before each sleep"),
      .number(
        "asleep", \.asleep, unit: .seconds, range: 0...(365 * day), "time that the app sleeps"),
      .number(
        "sleep-spread", \.sleepSpread, range: 0...1,
        "share of the awake time by which a sleep can begin earlier"),
      .choice("sensors-asleep", \.sensorsAsleep, "sensor readings during sleep"),
      .choice("location-asleep", \.locationAsleep, "fixes during sleep"),
      .choice("network-asleep", \.networkAsleep, "network messages during sleep"),
      .number(
        "hold-limit", \.holdLimit, range: 0...1_000_000_000,
        "newest readings of a channel kept during sleep; 0 = all"),
    ]
  }

  private static var clockFields: [ParameterField<Delivery>] {
    [
      .number(
        "clock-step", \.clockStep, unit: .seconds, range: (-365 * day)...(365 * day),
        "step of the sensor's clock"),
      .number(
        "clock-step-at", \.clockStepAt, unit: .seconds, range: 0...(365 * day),
        "time of the step"),
      .number(
        "clock-drift", \.clockDrift, range: -1_000_000...1_000_000,
        "drift of the clock in parts per million, positive = fast"),
    ]
  }
}
