import Detectors
package import Evaluation
package import Scoring
package import Tuning

/// The result of a tuning, as JSON has it and as the tables and the picture show it.
package struct TuneReport: Encodable, Sendable {
  /// A range of thresholds.
  package struct Bounds: Encodable, Sendable {
    package var lower: Double
    package var upper: Double

    package init(_ lower: Double, _ upper: Double) { (self.lower, self.upper) = (lower, upper) }
  }

  /// The figures of one setting on several recordings.
  package struct Setting: Encodable, Sendable {
    package var name: String
    /// The values of the search; what is absent keeps the preset's value.
    package var parameters: ParameterSettings
    /// nil where each group has its own, or nothing was chosen.
    @Nullable package var threshold: Double?
    package var figures: [String: Figure]
    package let counts: EventCounts
    package let hours: Double

    private enum CodingKeys: CodingKey { case name, parameters, threshold, figures }

    /// - Parameter groups: the figures with their bootstrap over groups, if there is one.
    package init(
      _ name: String, _ counts: EventCounts, hours: Double, objective: Double?,
      over groups: OperatingFigures? = nil, threshold: Double?,
      parameters: ParameterSettings = [:], latency: TimePercentiles? = nil
    ) {
      self.name = name
      self.parameters = parameters
      _threshold = Nullable(wrappedValue: threshold)
      self.counts = counts
      self.hours = hours
      var recall = Estimate(counts.recall)
      if let resampled = groups?.recallOverGroups, recall.value != nil {
        recall = Estimate(recall.value, resampled: resampled)
        recall.count = counts.recall.trials
      }
      let rate = PoissonRate(count: counts.falsePositives, hours: hours)
      let all: [Figure] =
        counts.figures.filter { $0.name != "recall" } + [
          Figure("recall", recall), .proportion("recall_wilson", counts.recall),
          Figure("hours", hours, unit: "h"), .rate("false_alarms_per_hour", rate),
          Figure(
            "false_alarms_per_hour_over_groups",
            Estimate(rate.estimate, resampled: groups?.falseAlarmsOverGroups), unit: "h-1"),
          Figure("objective", objective),
        ] + Figure.percentiles("latency", latency)
      figures = all.byName
    }

    /// The figure of this name, without an interval if there is none of that name.
    package subscript(name: String) -> Estimate { figures[name]?.estimate ?? Estimate(nil) }
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
    /// The objective of the null detector.
    package var nullObjective: Double
    package var plateauBeginsAtEdge: Bool
    package var plateauEndsAtEdge: Bool
    /// The range over the folds that have a choice.
    @Nullable package var folds: Bounds?
    /// The median and the range from 2.5 to 97.5 % of the choices on resampled groups.
    @Nullable package var resamples: Estimate?
    package var resamplesWithoutChoice: Int
  }

  /// Resubstitution less cross-validated recall; for false alarms the other way round.
  package struct Difference: Encodable, Sendable {
    package var recall: Estimate
    package var falseAlarmsPerHour: Estimate
  }

  /// The false alarms during one activity.
  package struct Activity: Encodable, Sendable {
    /// The activity; empty if not stated.
    package var activity: String
    package var count: Int
    package var hours: Double
    package var falseAlarmsPerHour: Estimate
    @Nullable package var falseAlarmsPerHourUpperIfNone: Double?
  }

  /// The hits of as many random detections.
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
    /// Whether it is of the test set.
    package var isTestSet: Bool
  }

  package var detector: String
  package var preset: String
  package var title: String
  package var data: String
  package var objective: String
  package var objectiveAxis: String
  /// The false alarms per hour that are allowed; nil without a budget.
  @Nullable package var budget: Double?
  package var tolerances: [ToleranceRecord]
  package var search: [String]
  package var method: String
  package var trials: Int
  package var groupedBy: String
  package var groups: Int
  package var isOptimistic: Bool
  package var seed: UInt64
  package var resamples: Int
  package var isBetterThanNull: Bool
  package var verdict: String
  package var parameters: [ParameterFile.Parameter]
  @Nullable package var threshold: Threshold?
  /// The choice on the data that it was tuned on.
  package var resubstitution: Setting
  /// Each group by what was tuned without it.
  @Nullable package var crossValidated: Setting?
  /// The choice on recordings that had no part in the tuning.
  @Nullable package var testSet: Setting?
  @Nullable package var optimism: Difference?
  @Nullable package var chance: Chance?
  package var presets: [Setting]
  /// From the cross-validated counts, or without folds from resubstitution.
  package var falseAlarmsByActivity: [Activity]
  /// One per group, tuned without it.
  package var folds: [Setting]
  package var pareto: [Setting]
  package var warnings: [String]
  /// The verdict and the warnings that a picture shows.
  package var findings: [String]
  package var recordings: [Recording]
  /// The chosen settings at all thresholds; a parameter file leaves it out.
  package var curve: CurveDocument?
}
