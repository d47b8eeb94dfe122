/// How an interval is computed.
public enum IntervalMethod: String, Hashable, Sendable, Codable {
  /// Resamples clusters: people or recordings, see ``ClusterInterval``.
  case bootstrap
  /// Wilson's score interval of a proportion, see ``Proportion/interval``.
  case wilson
  /// Garwood's exact interval of a rate, see ``PoissonRate/interval``.
  case garwood
  /// Student's interval of a mean, see ``MeanEstimate/interval``.
  case student
  /// Two order statistics of a percentile, see ``PercentileInterval``.
  case orderStatistics = "order_statistics"
}

/// A value with its 95 % interval, and what the interval rests on.
///
/// In JSON it has the keys `value`, and with a method also `lower`, `upper`, `method`, `count` and
/// `clusters`. What is undefined is null.
public struct Estimate: Hashable, Sendable, Encodable {
  /// The value; nil if undefined (0/0).
  public var value: Double?
  /// The 95 % interval; nil if undefined, or without a method.
  public var interval: Interval?
  /// The method of the interval; nil for a value that has none, such as a count.
  public var method: IntervalMethod?
  /// The number of events, times or means that the value rests on; nil = not stated.
  public var count: Int?
  /// The number of clusters that a bootstrap resamples.
  public var clusters: Int?

  public init(
    _ value: Double?, _ interval: Interval? = nil, by method: IntervalMethod? = nil,
    count: Int? = nil, clusters: Int? = nil
  ) {
    self.value = value
    self.interval = interval
    self.method = method
    self.count = count
    self.clusters = clusters
  }

  public init(_ proportion: Proportion) {
    self.init(
      proportion.estimate, proportion.interval, by: .wilson, count: proportion.trials)
  }

  public init(_ score: F1Score) {
    self.init(score.estimate, score.interval, by: .wilson, count: score.jaccard.trials)
  }

  public init(_ rate: PoissonRate) {
    self.init(rate.estimate, rate.interval, by: .garwood, count: rate.count)
  }

  /// nil = the mean of nothing.
  public init(_ mean: MeanEstimate?) {
    self.init(mean?.mean, mean?.interval, by: .student, count: mean?.count ?? 0)
  }

  /// A value with an interval that resamples clusters; nil = it has none.
  public init(_ value: Double?, resampled: ClusterInterval?) {
    self.init(
      value, resampled?.interval, by: resampled.map { _ in .bootstrap },
      clusters: resampled?.clusters)
  }

  private enum CodingKeys: CodingKey { case value, lower, upper, method, count, clusters }

  public func encode(to encoder: any Encoder) throws {
    func finite(_ value: Double?) -> Double? { value.flatMap { $0.isFinite ? $0 : nil } }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(finite(value), forKey: .value)
    guard let method else { return }
    try container.encode(finite(interval?.lower), forKey: .lower)
    try container.encode(finite(interval?.upper), forKey: .upper)
    try container.encode(method, forKey: .method)
    try container.encodeIfPresent(count, forKey: .count)
    try container.encodeIfPresent(clusters, forKey: .clusters)
  }
}

/// A figure of a score, in the form that every output writes: a name, an estimate and a unit.
public struct Figure: Hashable, Sendable, Encodable {
  /// As in files: lower case, words joined by underscores.
  public var name: String
  public var estimate: Estimate
  /// The unit in UDUNITS; `1` for counts and proportions.
  public var unit: String

  public init(_ name: String, _ estimate: Estimate, unit: String = "1") {
    self.name = name
    self.estimate = estimate
    self.unit = unit
  }

  /// A figure without an interval.
  public init(_ name: String, _ value: Double?, unit: String = "1") {
    self.init(name, Estimate(value), unit: unit)
  }

  /// The value; nil if undefined (0/0): NaN in HDF5, null in JSON, empty in CSV.
  public var value: Double? { estimate.value }
  /// The 95 % interval; nil if the figure has none, or it is undefined.
  public var interval: Interval? { estimate.interval }
  /// Whether files have columns for the interval.
  public var hasInterval: Bool { estimate.method != nil }

  private enum CodingKeys: CodingKey { case unit }

  /// Writes the estimate and the unit; the name is the key of the figure.
  public func encode(to encoder: any Encoder) throws {
    try estimate.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(unit, forKey: .unit)
  }

  package static func count(_ name: String, _ value: Int) -> Figure {
    Figure(name, Double(value))
  }

  package static func proportion(_ name: String, _ value: Proportion) -> Figure {
    Figure(name, Estimate(value))
  }

  package static func rate(_ name: String, _ value: PoissonRate) -> Figure {
    Figure(name, Estimate(value), unit: "h-1")
  }

  package static func seconds(_ name: String, _ nanoseconds: Int64?) -> Figure {
    Figure(name, nanoseconds.map { Double($0) / 1e9 }, unit: "s")
  }

  /// The median and the 90th percentile with their intervals, and the number of times.
  package static func percentiles(_ name: String, _ times: TimePercentiles?) -> [Figure] {
    let count = times?.count ?? 0
    func figure(_ suffix: String, _ value: Int64?, _ bounds: PercentileInterval?) -> Figure {
      let estimate = Estimate(
        value.map { Double($0) / 1e9 }, bounds?.seconds, by: .orderStatistics, count: count)
      return Figure(name + suffix, estimate, unit: "s")
    }
    return [
      figure("_p50", times?.p50, times?.p50Interval),
      figure("_p90", times?.p90, times?.p90Interval), .count(name + "_count", count),
    ]
  }

  package static func mean(_ name: String, _ value: MeanEstimate?, unit: String) -> Figure {
    Figure(name, Estimate(value), unit: unit)
  }
}

extension EventCounts {
  /// The counts, then precision, recall and F1.
  package var figures: [Figure] {
    [
      .count("references", recall.trials), .count("true_positives", truePositives),
      .count("false_positives", falsePositives), .count("false_negatives", falseNegatives),
    ] + quotients()
  }

  /// Precision, recall and F1.
  /// - Parameter suffix: the end of their names.
  package func quotients(_ suffix: String = "") -> [Figure] {
    [
      .proportion("precision" + suffix, precision), .proportion("recall" + suffix, recall),
      Figure("f1" + suffix, Estimate(f1)),
    ]
  }
}

extension EventScore {
  public var figures: [Figure] {
    [
      .count("references", counts.truePositives + counts.falseNegatives),
      .count("true_positives", counts.truePositives),
      .count("false_positives", counts.falsePositives),
      .count("false_negatives", counts.falseNegatives),
      .count("duplicates", duplicates),
      .count("merged", merged),
      .count("fragmented", fragmented),
      .count("ignored_references", ignoredReferences),
      .count("ignored_detections", ignoredDetections),
      .proportion("precision", precision),
      .proportion("recall", recall),
      Figure("f1", Estimate(f1)),
      Figure("scored_hours", falseAlarms.hours, unit: "h"),
      .rate("false_alarms_per_hour", falseAlarms),
      Figure(
        "false_alarms_per_hour_upper_if_none", falseAlarms.oneSidedUpperBoundOfNone, unit: "h-1"),
    ]
      + Figure.percentiles("latency", latency) + [.seconds("latency_p99", latency?.p99)]
      + Figure.percentiles("delivery_wait", deliveryWait)
      + Figure.percentiles("onset_error", onsetError) + [
        .mean("magnitude_error_mean", magnitudeError, unit: "m s-2"),
        .mean("magnitude_error_mean_absolute", absoluteMagnitudeError, unit: "m s-2"),
      ]
      + classes.flatMap { $0.counts.quotients("_" + $0.label) }
  }
}

extension VisitScore {
  public var figures: [Figure] {
    [
      .count("references", counts.truePositives + counts.falseNegatives),
      .count("true_positives", counts.truePositives),
      .count("false_positives", counts.falsePositives),
      .count("false_negatives", counts.falseNegatives),
      .count("duplicates", duplicates),
      .proportion("precision", precision),
      .proportion("recall", found),
      Figure("f1", Estimate(f1)),
      Figure("scored_hours", falseVisits.hours, unit: "h"),
      .rate("false_visits_per_hour", falseVisits),
    ] + Figure.percentiles("entry_delay", entryDelay)
      + Figure.percentiles("delivery_wait", deliveryWait)
      + Figure.percentiles("exit_delay", exitDelay) + [
        Figure("prompt_distance_p50", medianPromptDistance, unit: "m"),
        Figure("flaps_per_visit", flapsPerVisit),
        .proportion("order", order),
      ]
  }
}

extension PresenceQuality {
  public var figures: [Figure] {
    [
      .count("departures", departures),
      .proportion("departures_found", found),
      .mean("detection_time_mean", meanDetectionTime, unit: "s"),
    ] + Figure.percentiles("detection_time", detectionTime) + [
      .seconds("detection_time_p99", detectionTime?.p99),
      .count("mistakes", mistakes),
      Figure("present_hours", mistakeRate.hours, unit: "h"),
      .rate("mistakes_per_hour", mistakeRate),
      Figure(
        "mistakes_per_hour_upper_if_none", mistakeRate.oneSidedUpperBoundOfNone, unit: "h-1"),
    ] + Figure.percentiles("mistake_duration", mistakeDuration) + [
      Figure("query_accuracy", queryAccuracy),
      .count("arrivals", arrivals),
      .proportion("arrivals_seen", seen),
      .seconds("arrival_time_p50", arrivalTime?.p50),
      .seconds("arrival_time_p99", arrivalTime?.p99),
      .count("false_arrivals", falseArrivals),
    ]
  }
}

extension TrackScore {
  public var figures: [Figure] {
    [
      Figure("distance_error", distanceError, unit: "%"),
      Figure("moving_time_error", movingTimeError, unit: "%"),
      Figure("pace_error", paceError, unit: "%"),
      Figure("ascent_error", ascentError, unit: "m"),
    ] + Figure.percentiles("split_error", splitError) + [
      .count("missed_splits", missedSplits),
      Figure("gain_per_standing_hour", gainPerStandingHour, unit: "m h-1"),
      Figure("horizontal_error_p50", horizontalError?.p50, unit: "m"),
      Figure("horizontal_error_p95", horizontalError?.p95, unit: "m"),
      Figure("coverage", coverage, unit: "%"),
    ]
  }
}

extension TrackSummary {
  public var figures: [Figure] {
    [
      .mean("distance_error_bias", distance?.bias, unit: "%"),
      .mean("distance_error_mean_absolute", distance?.absolute, unit: "%"),
      .count("distance_error_traces", distance?.bias.count ?? 0),
      .mean("moving_time_error_bias", movingTime?.bias, unit: "%"),
      .mean("moving_time_error_mean_absolute", movingTime?.absolute, unit: "%"),
      .mean("pace_error_bias", pace?.bias, unit: "%"),
      .mean("pace_error_mean_absolute", pace?.absolute, unit: "%"),
      .mean("ascent_error_bias", ascent?.bias, unit: "m"),
      .mean("ascent_error_mean_absolute", ascent?.absolute, unit: "m"),
    ] + Figure.percentiles("split_error", splits) + [
      .count("missed_splits", missedSplits),
      Figure("gain_per_standing_hour", gainPerStandingHour, unit: "m h-1"),
      Figure("standing_hours", standingHours, unit: "h"),
      Figure("horizontal_error_p50", horizontalErrorP50, unit: "m"),
      Figure("horizontal_error_p95", horizontalErrorP95, unit: "m"),
      .count("horizontal_error_fixes", fixes),
      .mean("coverage", coverage, unit: "%"),
    ]
  }
}
