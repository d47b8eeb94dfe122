import TraceModel

/// What counts as "over the threshold".
public enum PunchRule: String, CaseIterable, Hashable, Sendable, Codable {
  /// One axis beyond the threshold, the first match of y+, y-, x+, x-, z+; z- never.
  case axes
  /// The vector's magnitude beyond the threshold; the direction of the peak tells the kind.
  case magnitude
}

/// When a detector that has fired may fire again.
public enum PunchRetrigger: String, CaseIterable, Hashable, Sendable, Codable {
  /// After the next arming.
  case oncePerArming = "once-per-arming"
  /// When a sample was back within the threshold.
  case onceBelowAgain = "once-below-again"
  /// At once: every sample over the threshold fires.
  case everySample = "every-sample"
}

/// When the detector listens.
public enum PunchArming: String, CaseIterable, Hashable, Sendable, Codable {
  case always
  /// From an arm action to the disarm action after it.
  case actions
}

/// Which of several samples over the threshold are one punch.
public enum PunchSuppression: String, CaseIterable, Hashable, Sendable, Codable {
  /// The first one fires, the highest of the peak window is the event, and nothing else fires in
  /// the refractory period. Early, but a small bump before a punch can hide it.
  case lockout
  /// A sample over the threshold is an event if no other over it has a larger magnitude within the
  /// refractory period on either side, both ends inclusive, and none before it there the same. What
  /// is found at a threshold is found at every lower one (by the magnitude, and while times do not
  /// fall). The price is that it is told only by the first sample after the period, by the disarm
  /// action or at the end; each hold is by itself.
  case nonMaximum = "non-maximum"
}

/// The parameters of ``PunchDetector``.
public struct PunchParameters: Hashable, Sendable, Codable {
  /// m s-2; a sample fires strictly beyond it, after rounding to the sample's single precision.
  public var threshold: Double
  public var rule: PunchRule
  public var retrigger: PunchRetrigger
  public var arming: PunchArming
  /// With ``PunchSuppression/nonMaximum``, `retrigger` and `peakWindow` have no part in it.
  public var suppression: PunchSuppression
  /// Seconds from the first sample over the threshold in which the peak is looked for; 0 = fire on
  /// that sample and report it.
  public var peakWindow: Double
  /// Seconds from a reported peak in which nothing fires, or on either side of a sample in which
  /// none may be higher.
  public var refractory: Double

  public init(
    threshold: Double, rule: PunchRule, retrigger: PunchRetrigger, arming: PunchArming,
    suppression: PunchSuppression = .lockout, peakWindow: Double, refractory: Double
  ) {
    self.threshold = threshold
    self.rule = rule
    self.retrigger = retrigger
    self.arming = arming
    self.suppression = suppression
    self.peakWindow = peakWindow
    self.refractory = refractory
  }
}

extension PunchDetector {
  public static var parameterFields: [ParameterField<PunchParameters>] {
    [
      .number(
        "threshold", \.threshold, unit: .metersPerSecondSquared, range: 0...2000,
        "acceleration beyond which a sample fires"),
      .choice("rule", \.rule, "what is compared with the threshold"),
      .choice("retrigger", \.retrigger, "when it may fire again after a lockout"),
      .choice("arming", \.arming, "when it listens"),
      .choice(
        "suppression", \.suppression,
        "what makes samples over the threshold one punch: the first locks the others out, or the "
          + "highest is found afterwards"),
      .number(
        "peak-window", \.peakWindow, unit: .seconds, range: 0...10,
        "time after the first sample over the threshold in which the peak is taken, with lockout"),
      .number(
        "refractory", \.refractory, unit: .seconds, range: 0...60,
        "time after a peak in which nothing fires, or beside it in which nothing is higher"),
    ]
  }

  public static var presets: [DetectorPreset<PunchParameters>] {
    [
      DetectorPreset("default", summary: "peak of the magnitude, one detection a swing") {
        PunchParameters(
          // From 22 to 35 m/s2 the F1 on punches in force stays within 0.001, while the false
          // alarms of vigorous arm exercises fall by four fifths: towards the upper end of that
          // plateau, with a margin to the edge.
          threshold: 30, rule: .magnitude, retrigger: .onceBelowAgain,
          arming: $0.hasArming ? .actions : .always,
          // A swing's acceleration and its stop lie within 100-300 ms of each other.
          peakWindow: 0.25, refractory: 0.4)
      },
      DetectorPreset("peaks", summary: "samples that none beside them exceeds, told afterwards") {
        PunchParameters(
          threshold: 30, rule: .magnitude, retrigger: .onceBelowAgain,
          arming: $0.hasArming ? .actions : .always, suppression: .nonMaximum, peakWindow: 0,
          refractory: 0.4)
      },
      DetectorPreset("hitThat", summary: "HitThat's fight: 2 g on an axis, once per hold") {
        PunchParameters(
          threshold: 2 * standardGravity, rule: .axes,
          retrigger: $0.hasArming ? .oncePerArming : .onceBelowAgain,
          arming: $0.hasArming ? .actions : .always, peakWindow: 0, refractory: 0)
      },
      DetectorPreset(
        "hitThatCards", summary: "HitThat's registration cards: every sample over 2 g fires",
        PunchParameters(
          threshold: 2 * standardGravity, rule: .axes, retrigger: .everySample, arming: .always,
          peakWindow: 0, refractory: 0)),
    ]
  }
}

extension TraceHeader {
  /// Whether the person of the trace armed the detector.
  var hasArming: Bool {
    info(.action)?.attributes["kinds"]?.split(separator: " ").contains { $0 == "arm" } ?? false
  }
}
