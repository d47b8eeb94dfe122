import Scoring

/// The picture of a tuning, in four panels: what was chosen among all operating points, how broad
/// the plateau is that it lies on, what each group that was held out got, and false alarms by
/// activity.
struct TunePicture: Picture {
  static let kind = "tune"

  /// The figures of a whole tuning, either on the data that it was made with or on groups that were
  /// held out.
  struct Estimate: Encodable, Sendable {
    /// 0 to 1.
    var recall: Double?
    var recallInterval: Interval?
    /// Per hour.
    var falseAlarms: Double?
    var falseAlarmsInterval: Interval?

    init(
      recall: Double?, recallInterval: Interval?, falseAlarms: Double?,
      falseAlarmsInterval: Interval?
    ) {
      self.recall = recall
      self.recallInterval = recallInterval
      self.falseAlarms = falseAlarms
      self.falseAlarmsInterval = falseAlarmsInterval
    }

    init(counts: EventCounts, falseAlarms rate: PoissonRate) {
      self.init(
        recall: counts.recall.estimate, recallInterval: counts.recall.interval,
        falseAlarms: rate.estimate, falseAlarmsInterval: rate.interval)
    }
  }

  /// The objective over the thresholds.
  struct Plateau: Encodable, Sendable {
    struct Point: Encodable, Sendable {
      var threshold: Double
      /// Nil where the threshold breaks the budget, or the objective is undefined.
      var objective: Double?
    }

    /// By ascending threshold; each value holds up to the next.
    var objective: [Point]
    /// The ends of the plateau.
    var lower: Double
    var upper: Double
    /// What was chosen.
    var middle: Double
    /// What each fold chose.
    var foldThresholds: [Double]
  }

  /// One group, scored by what was tuned without it.
  struct Group: Encodable, Sendable {
    var name: String
    /// References that count, and those of them that were found.
    var references: Int
    var truePositives: Int
    var recall: Double?
    var recallInterval: Interval?
    /// Per hour.
    var falseAlarms: Double?

    init(name: String, counts: EventCounts, falseAlarms rate: PoissonRate) {
      self.name = name
      references = counts.recall.trials
      truePositives = counts.truePositives
      recall = counts.recall.estimate
      recallInterval = counts.recall.interval
      falseAlarms = rate.estimate
    }
  }

  /// False alarms during one activity, held out.
  struct Activity: Encodable, Sendable {
    /// Empty = not stated.
    var name: String
    var count: Int
    var hours: Double
    /// Per hour.
    var rate: Double?
    var interval: Interval?
    /// The one-sided 95 % bound where there was none.
    var upperBoundOfNone: Double?

    init(name: String, rate: PoissonRate) {
      self.name = name
      count = rate.count
      hours = rate.hours.isFinite ? rate.hours : 0
      self.rate = rate.estimate
      interval = rate.interval
      upperBoundOfNone = rate.oneSidedUpperBoundOfNone
    }
  }

  var caption: PictureCaption
  /// In words, e.g. `most recall with at most 10 false alarms an hour`.
  var objective: String
  /// The name of the objective's axis, e.g. `recall` or `F1`.
  var objectiveAxis: String
  /// False alarms per hour that are allowed; nil where the objective has no budget.
  var budget: Double?
  /// The chosen parameters over all thresholds; on the data that they were tuned on.
  var curve: CurvePicture.Curve
  /// The presets to compare with, and what was chosen.
  var marks: [PictureMark]
  /// On the data that it was tuned on: too good.
  var naive: Estimate
  /// On groups that were held out: to be expected of new ones.
  var nested: Estimate?
  var plateau: Plateau
  /// Held out, in the order in which they are to stand.
  var groups: [Group]
  /// What a group is, e.g. `subject` or `recording`.
  var groupKind: String
  /// Whether one person may stand on both sides of a fold.
  var isOptimistic: Bool
  var activities: [Activity]
  /// What it comes to, one sentence each, set below the title.
  var findings: [String]

  init(
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
