public import Detectors

extension Delivery {
  /// The parameters by name, with units and ranges: what the command line and suites need.
  public static var fields: [ParameterField<Delivery>] {
    locationFields + transportFields + queueFields + suspensionFields + clockFields
  }

  private static let hour = 3600.0
  private static let day = 86_400.0

  private static var locationFields: [ParameterField<Delivery>] {
    [
      .number(
        "min-interval", \.minInterval, unit: .seconds, range: 0...day,
        "location: time between fixes, at least"),
      .number(
        "min-distance", \.minDistance, unit: .meters, range: 0...1_000_000,
        "location: distance from the last delivered fix, at least"),
    ]
  }

  private static var transportFields: [ParameterField<Delivery>] {
    [
      .number("lost", \.lost, range: 0...1, "probability that a loss starts with a reading"),
      .number("lost-burst", \.lostBurst, range: 1...1_000_000, "readings that a loss takes"),
      .number("duplicated", \.duplicated, range: 0...1, "probability that a reading comes twice"),
      .number("delay", \.delay, unit: .seconds, range: 0...hour, "time that each is on its way"),
      .number(
        "jitter", \.jitter, unit: .seconds, range: 0...hour,
        "mean of a random delay beyond that; nothing overtakes"),
      .number("late", \.late, range: 0...1, "probability that a reading is overtaken"),
      .number(
        "late-delay", \.lateDelay, unit: .seconds, range: 0...hour,
        "time by which an overtaken reading is later"),
      .choice("transport", \.transport, "whose readings are lost, doubled and delayed"),
    ]
  }

  private static var queueFields: [ParameterField<Delivery>] {
    [
      .number(
        "batch-count", \.batchCount, range: 0...1_000_000_000,
        "readings that fill the queue, which then delivers them together"),
      .number(
        "batch-latency", \.batchLatency, unit: .seconds, range: 0...day,
        "time after which the queue delivers what it has"),
      .number(
        "tick", \.tick, unit: .seconds, range: 0...hour,
        "period of the timer at which the app fetches what has arrived"),
      .choice("queue", \.queue, "whose readings are queued and fetched"),
    ]
  }

  private static var suspensionFields: [ParameterField<Delivery>] {
    [
      .number(
        "awake", \.awake, unit: .seconds, range: 0...(365 * day),
        "time that the app is awake before it sleeps"),
      .number(
        "asleep", \.asleep, unit: .seconds, range: 0...(365 * day), "time that it sleeps then"),
      .number(
        "sleep-spread", \.sleepSpread, range: 0...1,
        "share of the time awake by which sleep may come earlier"),
      .choice("sensors-asleep", \.sensorsAsleep, "sensor readings during sleep"),
      .choice("location-asleep", \.locationAsleep, "fixes during sleep"),
      .choice("network-asleep", \.networkAsleep, "what comes by network during sleep"),
      .number(
        "hold-limit", \.holdLimit, range: 0...1_000_000_000,
        "readings of a channel that are held, the newest; 0 = all"),
    ]
  }

  private static var clockFields: [ParameterField<Delivery>] {
    [
      .number(
        "clock-step", \.clockStep, unit: .seconds, range: (-365 * day)...(365 * day),
        "jump of the sensor's clock"),
      .number(
        "clock-step-at", \.clockStepAt, unit: .seconds, range: 0...(365 * day),
        "when it jumps"),
      .number(
        "clock-drift", \.clockDrift, range: -1_000_000...1_000_000,
        "millionths by which the clock is fast"),
    ]
  }
}
