package import Evaluation
package import Detectors
package import Scoring
package import Tuning

/// Everything that a tuning tells, as JSON has it and as the tables are made of.
package struct TuneReport: Encodable, Sendable {
  package struct Bounds: Encodable, Sendable {
    package var lower: Double
    package var upper: Double

    package init?(_ interval: Interval?) {
      guard let interval else { return nil }
      (lower, upper) = (interval.lower, interval.upper)
    }

    package init(_ lower: Double, _ upper: Double) { (self.lower, self.upper) = (lower, upper) }
  }

  /// A setting's figures on several recordings.
  package struct Figures: Encodable, Sendable {
    package var name: String
    package var references: Int
    package var truePositives: Int
    package var falsePositives: Int
    package var falseNegatives: Int
    package var hours: Double
    @Nullable package var recall: Double?
    /// Wilson's, of independent events.
    @Nullable package var recallInterval: Bounds?
    /// By resampling groups.
    @Nullable package var recallIntervalOverGroups: Bounds?
    @Nullable package var precision: Double?
    @Nullable package var precisionInterval: Bounds?
    @Nullable package var f1: Double?
    @Nullable package var falseAlarmsPerHour: Double?
    /// Garwood's.
    @Nullable package var falseAlarmsPerHourInterval: Bounds?
    @Nullable package var falseAlarmsPerHourIntervalOverGroups: Bounds?
    @Nullable package var objective: Double?
    /// Seconds, of the hits.
    @Nullable package var latencyP50: Double?
    @Nullable package var latencyP90: Double?

    package init(
      _ name: String, _ counts: EventCounts, hours: Double, objective: Double?,
      over groups: OperatingFigures? = nil, latency: TimePercentiles? = nil
    ) {
      self.name = name
      references = counts.recall.trials
      truePositives = counts.truePositives
      falsePositives = counts.falsePositives
      falseNegatives = counts.falseNegatives
      self.hours = hours
      recall = counts.recall.estimate
      recallInterval = Bounds(counts.recall.interval)
      recallIntervalOverGroups = Bounds(groups?.recallOverGroups?.interval)
      precision = counts.precision.estimate
      precisionInterval = Bounds(counts.precision.interval)
      f1 = counts.f1.estimate
      let rate = PoissonRate(count: counts.falsePositives, hours: hours)
      falseAlarmsPerHour = rate.estimate
      falseAlarmsPerHourInterval = Bounds(rate.interval)
      falseAlarmsPerHourIntervalOverGroups = Bounds(groups?.falseAlarmsOverGroups?.interval)
      self.objective = objective
      latencyP50 = latency.map { Double($0.p50) / 1e9 }
      latencyP90 = latency.map { Double($0.p90) / 1e9 }
    }
  }

  package struct Threshold: Encodable, Sendable {
    package var parameter: String
    package var unit: String
    package var value: Double
    /// The thresholds within one standard error of the best.
    package var plateau: Bounds
    package var standardError: Double
    package var best: Double
    package var bestObjective: Double
    package var objective: Double
    package var objectiveOfNothing: Double
    package var plateauBeginsAtEdge: Bool
    package var plateauEndsAtEdge: Bool
    /// Of the folds that have a choice.
    @Nullable package var folds: Bounds?
    /// 2.5 to 97.5 % of the bootstrap's.
    @Nullable package var resamples: Bounds?
    @Nullable package var resamplesMedian: Double?
    package var resamplesWithoutChoice: Int
  }

  package struct Fold: Encodable, Sendable {
    package var group: String
    /// Tuned without it; empty where nothing was worth having.
    package var parameters: [String: ParameterFile.Value]
    @Nullable package var threshold: Double?
    package var figures: Figures
  }

  package struct Difference: Encodable, Sendable {
    @Nullable package var recall: Double?
    @Nullable package var recallInterval: Bounds?
    @Nullable package var falseAlarmsPerHour: Double?
    @Nullable package var falseAlarmsPerHourInterval: Bounds?
  }

  package struct Activity: Encodable, Sendable {
    package var activity: String
    package var count: Int
    package var hours: Double
    @Nullable package var perHour: Double?
    @Nullable package var interval: Bounds?
    @Nullable package var boundIfNone: Double?
  }

  package struct Point: Encodable, Sendable {
    package var parameters: [String: ParameterFile.Value]
    package var threshold: Double
    package var figures: Figures
  }

  package struct Chance: Encodable, Sendable {
    package var hits: Int
    package var detections: Int
    package var expectedHits: Double
    package var pValue: Double
  }

  package struct Recording: Encodable, Sendable {
    package var id: String
    package var sha256: String
    package var group: String
    package var activity: String
    package var references: Int
    package var isHeldOut: Bool
  }

  package var detector: String
  package var preset: String
  package var data: String
  package var objective: String
  package var search: [String]
  package var method: String
  package var trials: Int
  package var groupedBy: String
  package var groups: Int
  package var isOptimistic: Bool
  package var seed: UInt64
  package var resamples: Int
  package var isWorthHaving: Bool
  package var verdict: String
  package var parameters: [ParameterFile.Parameter]
  @Nullable package var threshold: Threshold?
  /// On the data that were tuned on.
  package var naive: Figures
  /// Nested: each group by what was tuned without it.
  @Nullable package var heldOut: Figures?
  /// Recordings that were kept to the end.
  @Nullable package var holdOut: Figures?
  /// Naive less held out, for false alarms the other way round.
  @Nullable package var optimism: Difference?
  @Nullable package var chance: Chance?
  package var presets: [Figures]
  /// Of the held-out counts, or of the naive ones where there are no folds.
  package var falseAlarmsByActivity: [Activity]
  package var folds: [Fold]
  package var pareto: [Point]
  package var warnings: [String]
  package var recordings: [Recording]
}

extension [String: ParameterFile.Value] {
  package init(_ settings: ParameterSettings) {
    self = settings.mapValues(ParameterFile.Value.init)
  }
}
