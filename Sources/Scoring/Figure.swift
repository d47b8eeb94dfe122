import TraceModel

/// One figure of a score, in the form that every output writes: a name, a value and its bounds.
public struct Figure: Hashable, Sendable {
  /// As in files: lower case, words joined by underscores.
  public var name: String
  /// nil = undefined (0/0), which is NaN in HDF5 and null in JSON.
  public var value: Double?
  /// Of the 95 % interval; nil where the figure has none.
  public var interval: Interval?
  public var hasInterval: Bool
  /// UDUNITS; `1` for counts and proportions.
  public var unit: String

  public init(_ name: String, _ value: Double?, unit: String = "1") {
    self.name = name
    self.value = value
    interval = nil
    hasInterval = false
    self.unit = unit
  }

  public init(_ name: String, _ value: Double?, _ interval: Interval?, unit: String = "1") {
    self.name = name
    self.value = value
    self.interval = interval
    hasInterval = true
    self.unit = unit
  }

  package static func count(_ name: String, _ value: Int) -> Figure {
    Figure(name, Double(value))
  }

  package static func proportion(_ name: String, _ value: Proportion) -> Figure {
    Figure(name, value.estimate, value.interval)
  }

  package static func seconds(_ name: String, _ nanoseconds: Int64?) -> Figure {
    Figure(name, nanoseconds.map { Double($0) / 1e9 }, unit: "s")
  }

  /// The median and the 90th percentile with their intervals, and how many times they rest on.
  package static func percentiles(_ name: String, _ times: TimePercentiles?) -> [Figure] {
    func figure(_ suffix: String, _ value: Int64?, _ bounds: PercentileInterval?) -> Figure {
      Figure(name + suffix, value.map { Double($0) / 1e9 }, bounds?.seconds, unit: "s")
    }
    return [
      figure("_p50", times?.p50, times?.p50Interval),
      figure("_p90", times?.p90, times?.p90Interval), .count(name + "_count", times?.count ?? 0),
    ]
  }

  package static func mean(_ name: String, _ value: MeanEstimate?, unit: String) -> Figure {
    Figure(name, value?.mean, value?.interval, unit: unit)
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
      Figure("f1", f1.estimate, f1.interval),
      Figure("scored_hours", falseAlarms.hours, unit: "h"),
      Figure(
        "false_alarms_per_hour", falseAlarms.estimate, falseAlarms.interval, unit: "h-1"),
      Figure(
        "false_alarms_per_hour_upper_if_none", falseAlarms.oneSidedUpperBoundOfNone, unit: "h-1"),
    ]
      + Figure.percentiles("latency", latency) + [.seconds("latency_p99", latency?.p99)]
      + Figure.percentiles("delivery_wait", deliveryWait)
      + Figure.percentiles("onset_error", onsetError) + [
        .mean("magnitude_error_mean", magnitudeError, unit: "m s-2"),
        .mean("magnitude_error_mean_absolute", absoluteMagnitudeError, unit: "m s-2"),
      ]
      + classes.flatMap { score in
        [
          Figure.proportion("precision_\(score.label)", score.counts.precision),
          .proportion("recall_\(score.label)", score.counts.recall),
          Figure("f1_\(score.label)", score.counts.f1.estimate, score.counts.f1.interval),
        ]
      }
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
      Figure("f1", f1.estimate, f1.interval),
      Figure("scored_hours", falseVisits.hours, unit: "h"),
      Figure("false_visits_per_hour", falseVisits.estimate, falseVisits.interval, unit: "h-1"),
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
      Figure("mistakes_per_hour", mistakeRate.estimate, mistakeRate.interval, unit: "h-1"),
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
