/// The figures of all scores. Every output takes names, units and directions from here.
extension FigureDefinition {
  // MARK: Events and visits

  public static let references = FigureDefinition("references", .count)
  public static let truePositives = FigureDefinition("true_positives", .count, better: .higher)
  public static let falsePositives = FigureDefinition("false_positives", .count, better: .lower)
  public static let falseNegatives = FigureDefinition("false_negatives", .count, better: .lower)
  public static let duplicates = FigureDefinition("duplicates", .count, better: .lower)
  public static let merged = FigureDefinition("merged", .count, better: .lower)
  public static let fragmented = FigureDefinition("fragmented", .count, better: .lower)
  public static let ignoredReferences = FigureDefinition("ignored_references", .count)
  public static let ignoredDetections = FigureDefinition("ignored_detections", .count)
  public static let precision = FigureDefinition(
    "precision", .proportion, better: .higher, [truePositives],
    of: [truePositives, falsePositives])
  public static let recall = FigureDefinition(
    "recall", .proportion, better: .higher, [truePositives], of: [truePositives, falseNegatives])
  public static let f1 = FigureDefinition(
    "f1", .proportion, better: .higher, [truePositives, truePositives],
    of: [truePositives, truePositives, falsePositives, falseNegatives])
  public static let falseAlarmsPerHour = FigureDefinition(
    "false_alarms_per_hour", .rate, unit: "h-1", better: .lower, [falsePositives],
    of: [scoredHours])
  public static let latency = seconds("latency")
  public static let deliveryWait = seconds("delivery_wait")
  public static let onsetError = seconds("onset_error", better: .neither)
  public static let withdrawalTime = seconds("withdrawal_time")
  public static let magnitudeError = FigureDefinition("magnitude_error", .value, unit: "m s-2")
  public static let averagePrecision = FigureDefinition(
    "average_precision", .proportion, better: .higher)
  public static let meanRecall = FigureDefinition("mean_recall", .proportion, better: .higher)
  public static let recallAtChance = FigureDefinition("recall_at_chance", .proportion)
  public static let chanceShare = FigureDefinition("chance_share", .proportion, better: .lower)
  public static let chanceShareFlawless = FigureDefinition("chance_share_flawless", .proportion)
  public static let chanceShifts = FigureDefinition("chance_shifts", .count)
  public static let clippedDetections = FigureDefinition("clipped_detections", .count)

  public static let falseVisitsPerHour = FigureDefinition(
    "false_visits_per_hour", .rate, unit: "h-1", better: .lower, [falsePositives],
    of: [scoredHours])
  public static let entryDelay = seconds("entry_delay")
  public static let exitDelay = seconds("exit_delay")
  public static let promptDistance = FigureDefinition(
    "prompt_distance", .value, unit: "m", better: .lower)
  public static let flapsPerVisit = FigureDefinition("flaps_per_visit", .value, better: .lower)
  /// The share of the route that was detected in order; no file has its counts.
  public static let order = FigureDefinition("order", .value, better: .higher)

  // MARK: Hours

  public static let traces = FigureDefinition("traces", .count)
  public static let unscoredTraces = FigureDefinition("unscored_traces", .count)
  public static let hours = total("hours")
  public static let scoredHours = total("scored_hours")
  public static let recordedHours = total("recorded_hours")
  public static let fedHours = total("fed_hours")
  public static let armedHours = total("armed_hours")
  public static let falseAlarmsPerDay = FigureDefinition(
    "false_alarms_per_day", .rate, unit: "d-1", better: .lower)
  public static let knownHoursPerDay = total("known_hours_per_day")
  public static let unknownHoursPerDay = total("unknown_hours_per_day")

  // MARK: Presence

  public static let departures = FigureDefinition("departures", .count)
  public static let departuresFound = FigureDefinition(
    "departures_found", .proportion, better: .higher, of: [departures])
  public static let detectionTime = seconds("detection_time")
  public static let mistakes = FigureDefinition("mistakes", .count, better: .lower)
  public static let mistakesPerHour = FigureDefinition(
    "mistakes_per_hour", .rate, unit: "h-1", better: .lower, [mistakes], of: [scoredHours])
  public static let mistakeDuration = seconds("mistake_duration")
  public static let presentHours = total("present_hours")
  public static let queryAccuracy = FigureDefinition(
    "query_accuracy", .proportion, better: .higher)
  public static let arrivals = FigureDefinition("arrivals", .count)
  public static let arrivalsSeen = FigureDefinition(
    "arrivals_seen", .proportion, better: .higher, of: [arrivals])
  public static let arrivalTime = seconds("arrival_time")
  public static let falseArrivals = FigureDefinition("false_arrivals", .count, better: .lower)

  // MARK: Tracks

  public static let distanceError = FigureDefinition("distance_error", .value, unit: "%")
  public static let distanceErrorTraces = FigureDefinition("distance_error_traces", .count)
  public static let movingTimeError = FigureDefinition("moving_time_error", .value, unit: "%")
  public static let paceError = FigureDefinition("pace_error", .value, unit: "%")
  public static let ascentError = FigureDefinition("ascent_error", .value, unit: "m")
  public static let splitError = seconds("split_error", better: .neither)
  public static let missedSplits = FigureDefinition("missed_splits", .count, better: .lower)
  public static let gainPerStandingHour = FigureDefinition(
    "gain_per_standing_hour", .value, unit: "m h-1", better: .lower)
  public static let standingHours = total("standing_hours")
  public static let horizontalError = FigureDefinition(
    "horizontal_error", .value, unit: "m", better: .lower)
  public static let horizontalErrorFixes = FigureDefinition("horizontal_error_fixes", .count)
  public static let coverage = FigureDefinition("coverage", .value, unit: "%", better: .higher)

  // MARK: Counts

  public static let countTraces = FigureDefinition("count_traces", .count)
  public static let countStated = FigureDefinition("count_stated", .count)
  public static let countDetected = FigureDefinition("count_detected", .count)
  public static let countError = FigureDefinition("count_error", .value)
  public static let countErrorPercent = FigureDefinition("count_error_percent", .value, unit: "%")
  public static let countAbsoluteError = FigureDefinition(
    "count_absolute_error", .value, better: .lower)
  public static let countAbsoluteErrorPercent = FigureDefinition(
    "count_absolute_error_percent", .value, unit: "%", better: .lower)

  // MARK: Drops

  public static let intendedDrops = FigureDefinition("intended_drops", .count)
  public static let dropHitRate = FigureDefinition(
    "drop_hit_rate", .proportion, better: .higher, of: [intendedDrops])
  public static let nearMissRate = FigureDefinition(
    "near_miss_rate", .proportion, better: .lower, [nearMisses], of: [intendedDrops])
  public static let nearMisses = FigureDefinition("near_misses", .count, better: .lower)
  public static let wrongSlots = FigureDefinition("wrong_slots", .count, better: .lower)
  public static let farMisses = FigureDefinition("far_misses", .count, better: .lower)
  public static let unreportedDrops = FigureDefinition("unreported_drops", .count, better: .lower)

  private static func seconds(
    _ name: String, better: FigureDefinition.Direction = .lower
  ) -> FigureDefinition { FigureDefinition(name, .value, unit: "s", better: better) }

  private static func total(_ name: String) -> FigureDefinition {
    FigureDefinition(name, .total, unit: "h")
  }
}

// MARK: Lists

/// Lists of the figures of all scores.
///
/// ```swift
/// FigureCatalogue.ofClasses.map(\.name)  // ["precision", "recall", "f1"]
/// ```
public enum FigureCatalogue {
  /// Signed errors of single recordings; several have their mean and the mean of absolute values.
  public static let signedErrors: [FigureDefinition] = [
    .distanceError, .movingTimeError, .paceError, .ascentError,
  ]

  /// The ratios of sums; of several recordings, the numerators and denominators add up.
  public static let ratios: [FigureDefinition] = [
    .recall, .precision, .f1, .departuresFound, .arrivalsSeen, .falseAlarmsPerHour,
    .falseVisitsPerHour, .mistakesPerHour,
  ]

  /// The figures of single recordings that are averaged over several.
  public static let values: [FigureDefinition] = [
    .latency.p50, .onsetError.p50, .magnitudeError.meanAbsolute, .entryDelay.p50, .exitDelay.p50,
    .promptDistance.p50, .flapsPerVisit, .order, .detectionTime.mean, .queryAccuracy,
    .mistakeDuration.p50, .splitError.p50, .missedSplits, .gainPerStandingHour,
    .horizontalError.p50, .coverage,
  ]

  /// The figures that a comparison and a gate have, in their order.
  public static let compared =
    ratios + values + signedErrors.flatMap { [$0.bias, $0.meanAbsolute] }

  /// The figures that each class has.
  public static let ofClasses: [FigureDefinition] = [.precision, .recall, .f1]
}
