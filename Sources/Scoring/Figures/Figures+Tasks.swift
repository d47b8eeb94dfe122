extension Clustered<EventScore> {
  public var figures: [Figure] {
    counts { $0.counts } + [
      count(.duplicates, { $0.duplicates }),
      count(.merged, { $0.merged }),
      count(.fragmented, { $0.fragmented }),
      count(.ignoredReferences, { $0.ignoredReferences }),
      count(.ignoredDetections, { $0.ignoredDetections }),
    ] + quotients { $0.counts } + [
      Figure(.scoredHours, pooled.falseAlarms.hours)
    ] + pooled.exposure.figures + [
      Figure(.falseAlarmsPerHour, rate { $0.falseAlarms }),
      Figure(
        .falseAlarmsPerHour.upperIfNone, pooled.falseAlarms.oneSidedUpperBoundOfNone),
    ]
      + percentiles(.latency, { $0.latencies }) + [.seconds(.latency.p99, pooled.latency?.p99)]
      + percentiles(.deliveryWait, { $0.deliveryWaits })
      + percentiles(.onsetError, { $0.onsetErrors }) + [
        Figure(.magnitudeError.mean, mean { $0.magnitudeErrors }),
        Figure(
          .magnitudeError.meanAbsolute,
          mean(in: 0 ... .infinity) { $0.magnitudeErrors.map(abs) }),
      ]
      + pooled.classes.flatMap { label in
        quotients(ofClass: label.label) { $0.counts(ofClass: label.label) }
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
      count(.duplicates, { $0.duplicates })
    ] + quotients { $0.counts } + [
      Figure(.scoredHours, pooled.falseVisits.hours)
    ] + pooled.exposure.figures + [
      Figure(.falseVisitsPerHour, rate { $0.falseVisits })
    ] + delays(.entryDelay, { $0.entry })
      + percentiles(.deliveryWait, { $0.deliveryWaits })
      + percentiles(.exitDelay, { $0.exitDelays }) + [
        Figure(.promptDistance.p50, pooled.medianPromptDistance),
        Figure(.flapsPerVisit, pooled.flapsPerVisit),
        Figure(.order, proportion { $0.order }),
      ]
  }
}

extension Clustered<PresenceQuality> {
  public var figures: [Figure] {
    [
      count(.departures, { $0.departures }),
      Figure(.departuresFound, proportion { $0.found }),
      Figure(
        .detectionTime.mean,
        mean(in: 0 ... .infinity) { $0.detectionTimes.map { Double($0) / 1e9 } }),
    ] + delays(.detectionTime, { $0.detection }) + [
      Figure(.detectionTime.p99, delays([99], { $0.detection })[0]),
      count(.mistakes, { $0.mistakes }),
      Figure(.presentHours, Double(pooled.presentNanoseconds) / 3.6e12),
      Figure(.scoredHours, pooled.mistakeRate.hours),
    ] + pooled.exposure.figures + [
      Figure(.mistakesPerHour, rate { $0.mistakeRate }),
      Figure(
        .mistakesPerHour.upperIfNone, pooled.mistakeRate.oneSidedUpperBoundOfNone),
    ] + percentiles(.mistakeDuration, { $0.mistakeDurations }) + [
      Figure(.queryAccuracy, pooled.queryAccuracy),
      count(.arrivals, { $0.arrivals }),
      Figure(.arrivalsSeen, proportion { $0.seen }),
      Figure(.arrivalTime.p50, delays([50], { $0.arrival })[0]),
      Figure(.arrivalTime.p99, delays([99], { $0.arrival })[0]),
      count(.falseArrivals, { $0.falseArrivals }),
    ]
  }
}

extension TrackScore {
  public var figures: [Figure] {
    [
      Figure(.distanceError, distanceError),
      Figure(.movingTimeError, movingTimeError),
      Figure(.paceError, paceError),
      Figure(.ascentError, ascentError),
    ] + Clustered(self).percentiles(.splitError, { $0.splitErrors }) + [
      .count(.missedSplits, missedSplits),
      Figure(.gainPerStandingHour, gainPerStandingHour),
      Figure(.horizontalError.p50, horizontalError?.p50),
      Figure(.horizontalError.p95, horizontalError?.p95),
      Figure(.coverage, coverage),
    ]
  }
}

/// The scores of several tracks together: in the errors of totals each person has the same weight,
/// and in those of a person each track; splits, standing time and fixes are pooled.
extension Clustered<[TrackScore]> {
  public var figures: [Figure] {
    let summary = TrackSummary(of: pooled)
    return errors(.distanceError, { $0.distanceError }) + [
      .count(.distanceErrorTraces, pooled.count { $0.distanceError != nil })
    ] + errors(.movingTimeError, { $0.movingTimeError })
      + errors(.paceError, { $0.paceError })
      + errors(.ascentError, { $0.ascentError })
      + percentiles(.splitError) { $0.flatMap { $0.splitErrors } } + [
        .count(.missedSplits, summary.missedSplits),
        Figure(.gainPerStandingHour, summary.gainPerStandingHour),
        Figure(.standingHours, summary.standingHours),
        Figure(.horizontalError.p50, summary.horizontalErrorP50),
        Figure(.horizontalError.p95, summary.horizontalErrorP95),
        .count(.horizontalErrorFixes, summary.fixes),
        Figure(.coverage, mean(in: 0...100) { $0.compactMap { $0.coverage } }),
      ]
  }
}

extension Clustered {
  /// The means of signed and of absolute errors, over people and over the recordings of each.
  package func errors<Recording>(
    _ figure: FigureDefinition, _ error: @escaping (Recording) -> Double?
  ) -> [Figure] where Score == [Recording] {
    func mean(
      in range: ClosedRange<Double>, _ values: ([Recording]) -> [Double]
    ) -> Estimate {
      // Two recordings of one person are no interval for others.
      parts.isEmpty
        ? Estimate(MeanEstimate(of: values(pooled), in: range))
        : Estimate(meanOf: parts.map(values), in: range, of: kind)
    }
    return [
      Figure(figure.bias, mean(in: -.infinity ... .infinity) { $0.compactMap(error) }),
      Figure(figure.meanAbsolute, mean(in: 0 ... .infinity) { $0.compactMap(error).map(abs) }),
    ]
  }
}
