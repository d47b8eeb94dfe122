package import Scoring

/// Something that ``PictureDrawer`` draws: the figures of a picture, without its looks.
///
/// Undefined figures are nil and are left out of the picture. A threshold may be infinite.
package protocol Picture: Encodable, Sendable {
  /// Which of the script's pictures it is.
  static var kind: String { get }
}

/// What a picture is about: its title, and what the figures rest on.
package struct PictureCaption: Encodable, Sendable {
  /// E.g. `punch/hitThat`.
  package var detector: String
  /// What it ran on, e.g. `recorded` or the name of a suite.
  package var data: String
  package var traces: Int
  /// References that count.
  package var references: Int
  /// Recorded hours less ignore zones: what false alarms are counted over. Nil = not known.
  package var hours: Double?
  /// How far a detection may lie from its reference, as it is to be read, e.g. `150 ms`.
  package var tolerance: String
  /// The parameter whose threshold is swept, e.g. `strike-threshold`.
  package var parameter: String
  /// Its unit; empty = none.
  package var unit: String
}

/// What a detector does at one threshold.
package struct PicturePoint: Encodable, Sendable {
  /// In the parameter's unit.
  package var threshold: Double
  package var truePositives: Int
  package var falsePositives: Int
  /// 0 to 1.
  package var recall: Double?
  package var recallInterval: Interval?
  /// 0 to 1.
  package var precision: Double?
  package var precisionInterval: Interval?
  /// Per hour.
  package var falseAlarms: Double?
  package var falseAlarmsInterval: Interval?
  /// Seconds, signed.
  package var latencyP50: Double?
  /// Seconds, signed.
  package var latencyP90: Double?

  package init(threshold: Double, truePositives: Int = 0, falsePositives: Int = 0) {
    self.threshold = threshold
    self.truePositives = truePositives
    self.falsePositives = falsePositives
  }

  /// - Parameter latency: of the matched pairs, where it is known.
  package init(
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
package struct PictureMark: Encodable, Sendable {
  package enum Role: String, Encodable, Sendable {
    /// What was chosen: by `tune`, or by whoever asked for the picture.
    case chosen
    /// The preset that the parameters come from.
    case preset
    /// The preset `default` of the detector, where it is another.
    case standard = "default"
    /// Any other point to compare with.
    case other
  }

  package var name: String
  package var role: Role
  package var point: PicturePoint
}
