extension EventCounts {
  /// The counts, then precision, recall and F1, for these people only.
  package var figures: [Figure] {
    let counts = Clustered(self)
    return counts.counts { $0 } + counts.quotients { $0 }
  }
}

extension Clustered<EventScore> {
  public var figures: [Figure] {
    counts { $0.counts } + [
      count("duplicates", { $0.duplicates }),
      count("merged", { $0.merged }),
      count("fragmented", { $0.fragmented }),
      count("ignored_references", { $0.ignoredReferences }),
      count("ignored_detections", { $0.ignoredDetections }),
    ] + quotients { $0.counts } + [
      Figure("scored_hours", pooled.falseAlarms.hours, unit: "h")
    ] + pooled.exposure.figures + [
      rate("false_alarms_per_hour", { $0.falseAlarms }),
      Figure(
        "false_alarms_per_hour_upper_if_none", pooled.falseAlarms.oneSidedUpperBoundOfNone,
        unit: "h-1"),
    ]
      + percentiles("latency", { $0.latencies }) + [.seconds("latency_p99", pooled.latency?.p99)]
      + percentiles("delivery_wait", { $0.deliveryWaits })
      + percentiles("onset_error", { $0.onsetErrors }) + [
        mean("magnitude_error_mean", unit: "m s-2", { $0.magnitudeErrors }),
        mean("magnitude_error_mean_absolute", unit: "m s-2", in: 0 ... .infinity) {
          $0.magnitudeErrors.map(abs)
        },
      ]
      + pooled.classes.flatMap { label in
        quotients("_" + label.label) { $0.counts(ofClass: label.label) }
      }
  }

  /// The counts of a class, then precision, recall and F1.
  package func figures(ofClass label: String) -> [Figure] {
    counts { $0.counts(ofClass: label) } + quotients { $0.counts(ofClass: label) }
  }
}

extension Clustered<VisitScore> {
  public var figures: [Figure] {
    counts { $0.counts } + [
      count("duplicates", { $0.duplicates })
    ] + quotients { $0.counts } + [
      Figure("scored_hours", pooled.falseVisits.hours, unit: "h")
    ] + pooled.exposure.figures + [
      rate("false_visits_per_hour", { $0.falseVisits })
    ] + delays("entry_delay", { $0.entry })
      + percentiles("delivery_wait", { $0.deliveryWaits })
      + percentiles("exit_delay", { $0.exitDelays }) + [
        Figure("prompt_distance_p50", pooled.medianPromptDistance, unit: "m"),
        Figure("flaps_per_visit", pooled.flapsPerVisit),
        proportion("order", { $0.order }),
      ]
  }
}

extension Clustered<PresenceQuality> {
  public var figures: [Figure] {
    [
      count("departures", { $0.departures }),
      proportion("departures_found", { $0.found }),
      mean("detection_time_mean", unit: "s", in: 0 ... .infinity) {
        $0.detectionTimes.map { Double($0) / 1e9 }
      },
    ] + delays("detection_time", { $0.detection }) + [
      Figure("detection_time_p99", delays([99], { $0.detection })[0], unit: "s"),
      count("mistakes", { $0.mistakes }),
      Figure("present_hours", Double(pooled.presentNanoseconds) / 3.6e12, unit: "h"),
      Figure("scored_hours", pooled.mistakeRate.hours, unit: "h"),
    ] + pooled.exposure.figures + [
      rate("mistakes_per_hour", { $0.mistakeRate }),
      Figure(
        "mistakes_per_hour_upper_if_none", pooled.mistakeRate.oneSidedUpperBoundOfNone,
        unit: "h-1"),
    ] + percentiles("mistake_duration", { $0.mistakeDurations }) + [
      Figure("query_accuracy", pooled.queryAccuracy),
      count("arrivals", { $0.arrivals }),
      proportion("arrivals_seen", { $0.seen }),
      Figure("arrival_time_p50", delays([50], { $0.arrival })[0], unit: "s"),
      Figure("arrival_time_p99", delays([99], { $0.arrival })[0], unit: "s"),
      count("false_arrivals", { $0.falseArrivals }),
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
    ] + Clustered(self).percentiles("split_error", { $0.splitErrors }) + [
      .count("missed_splits", missedSplits),
      Figure("gain_per_standing_hour", gainPerStandingHour, unit: "m h-1"),
      Figure("horizontal_error_p50", horizontalError?.p50, unit: "m"),
      Figure("horizontal_error_p95", horizontalError?.p95, unit: "m"),
      Figure("coverage", coverage, unit: "%"),
    ]
  }
}

/// The scores of several tracks together: in the errors of totals each person has the same weight,
/// and in those of a person each track; splits, standing time and fixes are pooled.
extension Clustered<[TrackScore]> {
  public var figures: [Figure] {
    let summary = TrackSummary(of: pooled)
    return errors("distance_error", unit: "%", { $0.distanceError }) + [
      .count("distance_error_traces", pooled.count { $0.distanceError != nil })
    ] + errors("moving_time_error", unit: "%", { $0.movingTimeError })
      + errors("pace_error", unit: "%", { $0.paceError })
      + errors("ascent_error", unit: "m", { $0.ascentError })
      + percentiles("split_error") { $0.flatMap { $0.splitErrors } } + [
        .count("missed_splits", summary.missedSplits),
        Figure("gain_per_standing_hour", summary.gainPerStandingHour, unit: "m h-1"),
        Figure("standing_hours", summary.standingHours, unit: "h"),
        Figure("horizontal_error_p50", summary.horizontalErrorP50, unit: "m"),
        Figure("horizontal_error_p95", summary.horizontalErrorP95, unit: "m"),
        .count("horizontal_error_fixes", summary.fixes),
        mean("coverage", unit: "%", in: 0...100) { $0.compactMap { $0.coverage } },
      ]
  }
}

extension Clustered {
  /// The mean of the signed errors of recordings, and that of their sizes: each person has the same
  /// weight, and of a person each recording.
  package func errors<Recording>(
    _ name: String, unit: String, _ error: @escaping (Recording) -> Double?
  ) -> [Figure] where Score == [Recording] {
    let signed = parts.map { $0.compactMap(error) }
    guard !parts.isEmpty else {
      let all = pooled.compactMap(error)
      return [
        .mean(name + "_bias", MeanEstimate(of: all), unit: unit),
        .mean(
          name + "_mean_absolute", MeanEstimate(of: all.map(abs), in: 0 ... .infinity), unit: unit),
      ]
    }
    // Two recordings of one person are no interval for others.
    return [
      Figure(name + "_bias", Estimate(meanOf: signed, of: kind), unit: unit),
      Figure(
        name + "_mean_absolute",
        Estimate(meanOf: signed.map { $0.map(abs) }, in: 0 ... .infinity, of: kind), unit: unit),
    ]
  }
}
