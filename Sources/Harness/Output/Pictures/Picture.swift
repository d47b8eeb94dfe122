import Scoring

/// Something that ``PictureDrawer`` draws: the figures of a picture, without its looks.
///
/// Undefined figures are nil and are left out of the picture. A threshold may be infinite.
protocol Picture: Encodable, Sendable {
  /// Which of the script's pictures it is.
  static var kind: String { get }
}

/// What a picture is about: its title, and what the figures rest on.
struct PictureCaption: Encodable, Sendable {
  /// E.g. `punch/hitThat`.
  var detector: String
  /// What it ran on, e.g. `recorded` or the name of a suite.
  var data: String
  var traces: Int
  /// References that count.
  var references: Int
  /// Recorded hours less ignore zones: what false alarms are counted over. Nil = not known.
  var hours: Double?
  /// How far a detection may lie from its reference, as it is to be read, e.g. `150 ms`.
  var tolerance: String
  /// The parameter whose threshold is swept, e.g. `strike-threshold`.
  var parameter: String
  /// Its unit; empty = none.
  var unit: String
}

/// What a detector does at one threshold.
struct PicturePoint: Encodable, Sendable {
  /// In the parameter's unit.
  var threshold: Double
  var truePositives: Int
  var falsePositives: Int
  /// 0 to 1.
  var recall: Double?
  var recallInterval: Interval?
  /// 0 to 1.
  var precision: Double?
  var precisionInterval: Interval?
  /// Per hour.
  var falseAlarms: Double?
  var falseAlarmsInterval: Interval?
  /// Seconds, signed.
  var latencyP50: Double?
  /// Seconds, signed.
  var latencyP90: Double?

  init(threshold: Double, truePositives: Int = 0, falsePositives: Int = 0) {
    self.threshold = threshold
    self.truePositives = truePositives
    self.falsePositives = falsePositives
  }

  /// - Parameter latency: of the matched pairs, where it is known.
  init(
    threshold: Double, counts: EventCounts, falseAlarms rate: PoissonRate,
    latency: TimePercentiles? = nil
  ) {
    self.init(
      threshold: threshold, truePositives: counts.truePositives,
      falsePositives: counts.falsePositives)
    (recall, recallInterval) = (counts.recall.estimate, counts.recall.interval)
    (precision, precisionInterval) = (counts.precision.estimate, counts.precision.interval)
    (falseAlarms, falseAlarmsInterval) = (rate.estimate, rate.interval)
    latencyP50 = latency.map { Double($0.p50) / 1e9 }
    latencyP90 = latency.map { Double($0.p90) / 1e9 }
  }
}

/// A point that a picture marks and names.
struct PictureMark: Encodable, Sendable {
  enum Role: String, Encodable, Sendable {
    /// What was chosen: by `tune`, or by whoever asked for the picture.
    case chosen
    /// The preset that the parameters come from.
    case preset
    /// The preset `default` of the detector, where it is another.
    case standard = "default"
    /// Any other point to compare with.
    case other
  }

  var name: String
  var role: Role
  var point: PicturePoint
}
