import Detectors
import Scoring
import Tuning

/// Everything that a tuning tells, as JSON has it and as the tables are made of.
struct TuneReport: Encodable, Sendable {
  struct Bounds: Encodable, Sendable {
    var lower: Double
    var upper: Double

    init?(_ interval: Interval?) {
      guard let interval else { return nil }
      (lower, upper) = (interval.lower, interval.upper)
    }

    init(_ lower: Double, _ upper: Double) { (self.lower, self.upper) = (lower, upper) }
  }

  /// A setting's figures on several recordings.
  struct Figures: Encodable, Sendable {
    var name: String
    var references: Int
    var truePositives: Int
    var falsePositives: Int
    var falseNegatives: Int
    var hours: Double
    @Nullable var recall: Double?
    /// Wilson's, of independent events.
    @Nullable var recallInterval: Bounds?
    /// By resampling groups.
    @Nullable var recallIntervalOverGroups: Bounds?
    @Nullable var precision: Double?
    @Nullable var precisionInterval: Bounds?
    @Nullable var f1: Double?
    @Nullable var falseAlarmsPerHour: Double?
    /// Garwood's.
    @Nullable var falseAlarmsPerHourInterval: Bounds?
    @Nullable var falseAlarmsPerHourIntervalOverGroups: Bounds?
    @Nullable var objective: Double?
    /// Seconds, of the hits.
    @Nullable var latencyP50: Double?
    @Nullable var latencyP90: Double?

    init(
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

  struct Threshold: Encodable, Sendable {
    var parameter: String
    var unit: String
    var value: Double
    /// The thresholds within one standard error of the best.
    var plateau: Bounds
    var standardError: Double
    var best: Double
    var bestObjective: Double
    var objective: Double
    var objectiveOfNothing: Double
    var plateauBeginsAtEdge: Bool
    var plateauEndsAtEdge: Bool
    /// Of the folds that have a choice.
    @Nullable var folds: Bounds?
    /// 2.5 to 97.5 % of the bootstrap's.
    @Nullable var resamples: Bounds?
    @Nullable var resamplesMedian: Double?
    var resamplesWithoutChoice: Int
  }

  struct Fold: Encodable, Sendable {
    var group: String
    /// Tuned without it; empty where nothing was worth having.
    var parameters: [String: ParameterFile.Value]
    @Nullable var threshold: Double?
    var figures: Figures
  }

  struct Difference: Encodable, Sendable {
    @Nullable var recall: Double?
    @Nullable var recallInterval: Bounds?
    @Nullable var falseAlarmsPerHour: Double?
    @Nullable var falseAlarmsPerHourInterval: Bounds?
  }

  struct Activity: Encodable, Sendable {
    var activity: String
    var count: Int
    var hours: Double
    @Nullable var perHour: Double?
    @Nullable var interval: Bounds?
    @Nullable var boundIfNone: Double?
  }

  struct Point: Encodable, Sendable {
    var parameters: [String: ParameterFile.Value]
    var threshold: Double
    var figures: Figures
  }

  struct Chance: Encodable, Sendable {
    var hits: Int
    var detections: Int
    var expectedHits: Double
    var pValue: Double
  }

  struct Recording: Encodable, Sendable {
    var id: String
    var sha256: String
    var group: String
    var activity: String
    var references: Int
    var isHeldOut: Bool
  }

  var detector: String
  var preset: String
  var data: String
  var objective: String
  var search: [String]
  var method: String
  var trials: Int
  var groupedBy: String
  var groups: Int
  var isOptimistic: Bool
  var seed: UInt64
  var resamples: Int
  var isWorthHaving: Bool
  var verdict: String
  var parameters: [ParameterFile.Parameter]
  @Nullable var threshold: Threshold?
  /// On the data that were tuned on.
  var naive: Figures
  /// Nested: each group by what was tuned without it.
  @Nullable var heldOut: Figures?
  /// Recordings that were kept to the end.
  @Nullable var holdOut: Figures?
  /// Naive less held out, for false alarms the other way round.
  @Nullable var optimism: Difference?
  @Nullable var chance: Chance?
  var presets: [Figures]
  /// Of the held-out counts, or of the naive ones where there are no folds.
  var falseAlarmsByActivity: [Activity]
  var folds: [Fold]
  var pareto: [Point]
  var warnings: [String]
  var recordings: [Recording]
}

extension [String: ParameterFile.Value] {
  init(_ settings: ParameterSettings) {
    self = settings.mapValues(ParameterFile.Value.init)
  }
}
