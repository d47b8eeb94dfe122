package import Scoring

/// The picture of a tuning, in four panels: what was chosen among all operating points, how broad
/// the plateau is that it lies on, what each group that was held out got, and false alarms by
/// activity.
package struct TunePicture: Picture {
  package static let kind = "tune"

  /// The figures of a whole tuning, either on the data that it was made with or on groups that were
  /// held out.
  package struct Estimate: Encodable, Sendable {
    /// 0 to 1.
    package var recall: Double?
    package var recallInterval: Interval?
    /// Per hour.
    package var falseAlarms: Double?
    package var falseAlarmsInterval: Interval?

    package init(
      recall: Double?, recallInterval: Interval?, falseAlarms: Double?,
      falseAlarmsInterval: Interval?
    ) {
      self.recall = recall
      self.recallInterval = recallInterval
      self.falseAlarms = falseAlarms
      self.falseAlarmsInterval = falseAlarmsInterval
    }

    package init(counts: EventCounts, falseAlarms rate: PoissonRate) {
      self.init(
        recall: counts.recall.estimate, recallInterval: counts.recall.interval,
        falseAlarms: rate.estimate, falseAlarmsInterval: rate.interval)
    }
  }

  /// The objective over the thresholds.
  package struct Plateau: Encodable, Sendable {
    package struct Point: Encodable, Sendable {
      package var threshold: Double
      /// Nil where the threshold breaks the budget, or the objective is undefined.
      package var objective: Double?
    }

    /// By ascending threshold; each value holds up to the next.
    package var objective: [Point]
    /// The ends of the plateau.
    package var lower: Double
    package var upper: Double
    /// What was chosen.
    package var middle: Double
    /// What each fold chose.
    package var foldThresholds: [Double]
  }

  /// One group, scored by what was tuned without it.
  package struct Group: Encodable, Sendable {
    package var name: String
    /// References that count, and those of them that were found.
    package var references: Int
    package var truePositives: Int
    package var recall: Double?
    package var recallInterval: Interval?
    /// Per hour.
    package var falseAlarms: Double?

    package init(name: String, counts: EventCounts, falseAlarms rate: PoissonRate) {
      self.name = name
      references = counts.recall.trials
      truePositives = counts.truePositives
      recall = counts.recall.estimate
      recallInterval = counts.recall.interval
      falseAlarms = rate.estimate
    }
  }

  /// False alarms during one activity, held out.
  package struct Activity: Encodable, Sendable {
    /// Empty = not stated.
    package var name: String
    package var count: Int
    package var hours: Double
    /// Per hour.
    package var rate: Double?
    package var interval: Interval?
    /// The one-sided 95 % bound where there was none.
    package var upperBoundOfNone: Double?

    package init(name: String, rate: PoissonRate) {
      self.name = name
      count = rate.count
      hours = rate.hours.isFinite ? rate.hours : 0
      self.rate = rate.estimate
      interval = rate.interval
      upperBoundOfNone = rate.oneSidedUpperBoundOfNone
    }
  }

  package var caption: PictureCaption
  /// In words, e.g. `most recall with at most 10 false alarms an hour`.
  package var objective: String
  /// The name of the objective's axis, e.g. `recall` or `F1`.
  package var objectiveAxis: String
  /// False alarms per hour that are allowed; nil where the objective has no budget.
  package var budget: Double?
  /// The chosen parameters over all thresholds; on the data that they were tuned on.
  package var curve: CurvePicture.Curve
  /// The presets to compare with, and what was chosen.
  package var marks: [PictureMark]
  /// On the data that it was tuned on: too good.
  package var naive: Estimate
  /// On groups that were held out: to be expected of new ones.
  package var nested: Estimate?
  package var plateau: Plateau
  /// Held out, in the order in which they are to stand.
  package var groups: [Group]
  /// What a group is, e.g. `subject` or `recording`.
  package var groupKind: String
  /// Whether one person may stand on both sides of a fold.
  package var isOptimistic: Bool
  package var activities: [Activity]
  /// What it comes to, one sentence each, set below the title.
  package var findings: [String]

  package init(
    caption: PictureCaption, objective: String, objectiveAxis: String, budget: Double?,
    curve: CurvePicture.Curve, marks: [PictureMark], naive: Estimate, nested: Estimate?,
    plateau: Plateau, groups: [Group], groupKind: String, isOptimistic: Bool,
    activities: [Activity], findings: [String] = []
  ) {
    self.caption = caption
    self.objective = objective
    self.objectiveAxis = objectiveAxis
    self.budget = budget
    self.curve = curve
    self.marks = marks
    self.naive = naive
    self.nested = nested
    self.plateau = plateau
    self.groups = groups
    self.groupKind = groupKind
    self.isOptimistic = isOptimistic
    self.activities = activities
    self.findings = findings
  }
}
