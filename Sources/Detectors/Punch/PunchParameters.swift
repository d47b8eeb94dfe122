import TraceModel

/// The quantity that is compared with the threshold.
public enum PunchRule: String, CaseIterable, Hashable, Sendable, Codable {
  /// One axis beyond the threshold, the first match of y+, y-, x+, x-, z+; z- never.
  case axes
  /// The vector's magnitude beyond the threshold; the direction of the peak determines the kind.
  case magnitude
  /// The magnitude, raised or lowered by what the movement around a peak looks like: the peak of a
  /// typical punch that is equally certain. It needs 0.32 s after the peak, and always finds the
  /// highest sample (``PunchSuppression/nonMaximum``).
  case swing
}

/// The condition for a detector to fire again.
public enum PunchRetrigger: String, CaseIterable, Hashable, Sendable, Codable {
  /// After the next arming.
  case oncePerArming = "once-per-arming"
  /// After a sample within the threshold.
  case onceBelowAgain = "once-below-again"
  /// Immediately: every sample over the threshold fires.
  case everySample = "every-sample"
}

/// The time during which the detector listens.
public enum PunchArming: String, CaseIterable, Hashable, Sendable, Codable {
  case always
  /// From an arm action to the next disarm action.
  case actions
}

/// The grouping of samples over the threshold into punches.
public enum PunchSuppression: String, CaseIterable, Hashable, Sendable, Codable {
  /// The first sample fires, the highest of the peak window is the event, and nothing else fires in
  /// the refractory period. Early, but a small bump before a punch can suppress it.
  case lockout
  /// A sample over the threshold is an event if no other one within the refractory period on either
  /// side (both ends inclusive) has a larger magnitude, and no earlier one has the same. An event
  /// at one threshold is an event at every lower one (for the rule magnitude, while times do not
  /// decrease). The price is a later report: with the first sample after the period, with the
  /// disarm action or at the end. Each hold is separate.
  case nonMaximum = "non-maximum"
}

/// The source of the kind of a punch.
public enum PunchTypes: String, CaseIterable, Hashable, Sendable, Codable {
  /// The axis of the peak, HitThat's rule. It is right for a device that is held as in that game;
  /// for other people and mountings it is no better than chance.
  case direction
  /// The examples that the person has shown: see ``PunchParameters/profile``. Without a profile of
  /// the trace's subject the kind is unknown.
  case enrolled
}

/// Where a person shows the kinds of punches.
public enum PunchEnrolment: String, CaseIterable, Hashable, Sendable, Codable {
  /// In other recordings, from which a profile is made.
  case file
  /// In the recording itself: an action begins each kind (``Action/shownClass``), and
  /// ``Action/enrollEnd`` ends the enrolment. Punches in between are examples and are reported
  /// without a kind. Punches after the end get kinds from what was shown. A kind with fewer than
  /// three examples is left out; with fewer than two kinds nothing is learnt, and an older profile
  /// stays. The first ten examples of each kind count.
  case actions
}

/// The parameters of ``PunchDetector``.
///
/// ```swift
/// let header = TraceHeader(id: "bag", origin: .recorded)
/// let fast = PunchDetector.preset(named: "fast")?.parameters(for: header)
/// fast?.refractory  // 0.4
/// fast?.arming  // always
/// ```
public struct PunchParameters: Hashable, Sendable, Codable {
  /// The threshold in m s-2; a sample fires strictly above it, after rounding to the single
  /// precision of samples.
  public var threshold: Double
  public var rule: PunchRule
  public var retrigger: PunchRetrigger
  public var arming: PunchArming
  /// The suppression. With ``PunchSuppression/nonMaximum``, `retrigger` and `peakWindow` have no
  /// effect.
  public var suppression: PunchSuppression
  /// The time in seconds after the first sample over the threshold in which the peak is searched; 0
  /// = that sample fires and is reported.
  public var peakWindow: Double
  /// The time in seconds after a reported peak in which nothing fires, or on either side of a
  /// sample in which no other may be higher. With ``PunchRule/swing`` it is at least 0.32 s, and
  /// another peak that is nearly as high and points the same way may be five eighths of it away,
  /// 0.2 s of 0.32 s.
  public var refractory: Double

  /// The angle in degrees by which gravity turns around a peak that is a fall, not a punch, if the
  /// device is at rest afterwards. 180 = falls are not checked. The check needs the acceleration
  /// with gravity, and delays all reports to 1.6 s after the peak.
  public var gravityTurn: Double
  /// The equivalent peak in m s-2 up to which a punch that was reported at once is withdrawn 0.32 s
  /// after its peak; 0 = never. With it, a fall is reported and then withdrawn.
  public var withdrawBelow: Double
  public var types: PunchTypes
  /// The profile of the trace's subject, for ``PunchTypes/enrolled``; nil = there is none.
  ///
  /// It needs 0.28 s after a peak, and so a rule that reports later than that: ``PunchRule/swing``
  /// or ``PunchSuppression/nonMaximum``; otherwise the kind is unknown.
  public var profile: ProfileSet?
  /// Where the kinds are shown, for ``PunchTypes/enrolled``. What the recording shows counts from its
  /// last ``Action/enrollEnd`` on, instead of the profile.
  public var enrolment: PunchEnrolment

  public init(
    threshold: Double, rule: PunchRule, retrigger: PunchRetrigger, arming: PunchArming,
    suppression: PunchSuppression = .lockout, peakWindow: Double, refractory: Double,
    gravityTurn: Double = 180, withdrawBelow: Double = 0, types: PunchTypes = .direction,
    profile: ProfileSet? = nil, enrolment: PunchEnrolment = .file
  ) {
    self.threshold = threshold
    self.rule = rule
    self.retrigger = retrigger
    self.arming = arming
    self.suppression = suppression
    self.peakWindow = peakWindow
    self.refractory = refractory
    self.gravityTurn = gravityTurn
    self.withdrawBelow = withdrawBelow
    self.types = types
    self.profile = profile
    self.enrolment = enrolment
  }
}

extension PunchDetector {
  public static var parameterFields: [ParameterField<PunchParameters>] {
    [
      .number(
        "threshold", at: { $1(&$0.threshold) }, unit: .metersPerSecondSquared, range: 0...2000,
        "acceleration above which a sample fires"),
      .choice("rule", at: { $1(&$0.rule) }, "quantity that is compared with the threshold"),
      .choice("retrigger", at: { $1(&$0.retrigger) }, "condition to fire again after a lockout"),
      .choice("arming", at: { $1(&$0.arming) }, "when the detector listens"),
      .choice(
        "suppression", at: { $1(&$0.suppression) },
        "how samples over the threshold become one punch: the first locks the others out, or the "
          + "highest is found afterwards"),
      .number(
        "peak-window", at: { $1(&$0.peakWindow) }, unit: .seconds, range: 0...10,
        "time after the first sample over the threshold in which the peak is searched, with lockout"
      ),
      .number(
        "refractory", at: { $1(&$0.refractory) }, unit: .seconds, range: 0...60,
        "time after a peak in which nothing fires, or around it in which nothing is higher"),
      .number(
        "gravity-turn", at: { $1(&$0.gravityTurn) }, range: 0...180,
        "degrees by which gravity turns in a fall, measured over 1.6 s; 180 = no check"),
      .number(
        "withdraw-below", at: { $1(&$0.withdrawBelow) }, unit: .metersPerSecondSquared,
        range: 0...2000,
        "equivalent peak up to which a punch is withdrawn 0.32 s after its peak; 0 = never"),
      .choice("types", at: { $1(&$0.types) }, "source of the kind of a punch"),
      .profiles(
        "profile", at: { $1(&$0.profile) }, "file from enroll with the examples of the person"),
      .choice("enrolment", at: { $1(&$0.enrolment) }, "where the person shows the kinds"),
    ]
  }

  public static var presets: [DetectorPreset<PunchParameters>] {
    [
      DetectorPreset("default", summary: "peaks that look like punches, reported 0.32 s later") {
        // Finds 99.6 % of one person's 916 punches, with 14 false alarms per hour on 21 others.
        peaks(over: 40, by: .swing, apart: 0.32, in: $0)
      },
      DetectorPreset("accuracy", summary: "as default, without falls, reported 1.6 s later") {
        // Removes 90 % of the alarms in 354 staged falls of 5 people, and 1 % of 169 punches.
        var parameters = peaks(over: 43, by: .swing, apart: 0.32, in: $0)
        parameters.gravityTurn = 60
        return parameters
      },
      DetectorPreset("fast", summary: "in 0.08 s; withdraws what later samples disprove") {
        // Keeps 99.6 % of one person's 916 punches, with 13 false alarms per hour on 21 others, and
        // one fall in twenty.
        PunchParameters(
          threshold: 30, rule: .magnitude, retrigger: .onceBelowAgain,
          arming: $0.hasArming ? .actions : .always,
          // Long enough for the onset to be at the stop and not where the fist is accelerated.
          peakWindow: 0.08, refractory: 0.4,
          gravityTurn: 60, withdrawBelow: 40, types: .enrolled, enrolment: $0.enrolment)
      },
      DetectorPreset("magnitude", summary: "peak of the magnitude, one detection per swing") {
        PunchParameters(
          // From 22 to 35 m/s2 the F1 on full-force punches stays within 0.001, while the false
          // alarms of vigorous arm exercises fall by 80 %. The value lies near the upper end of
          // that plateau, with a margin to the edge.
          threshold: 30, rule: .magnitude, retrigger: .onceBelowAgain,
          arming: $0.hasArming ? .actions : .always,
          // The acceleration and the stop of a swing are 100-300 ms apart.
          peakWindow: 0.25, refractory: 0.4)
      },
      DetectorPreset("peaks", summary: "local maxima of the magnitude, reported afterwards") {
        peaks(over: 30, by: .magnitude, apart: 0.4, in: $0)
      },
      DetectorPreset("light", summary: "light punches in the air; other movements count too") {
        // A light punch moves out and back, so that a whole movement of more than a second is one
        // peak. Finds 97 % of one person's 148; F1 is 0.94 to 0.96 from 11.75 to 14 m/s2.
        peaks(over: 12, by: .magnitude, apart: 1, in: $0)
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

  /// Returns the parameters of a preset that reports each highest sample over a threshold in m s-2.
  /// - Parameter seconds: the time on either side of a peak in which no sample is higher.
  private static func peaks(
    over threshold: Double, by rule: PunchRule, apart seconds: Double, in header: TraceHeader
  ) -> PunchParameters {
    PunchParameters(
      threshold: threshold, rule: rule, retrigger: .onceBelowAgain,
      arming: header.hasArming ? .actions : .always, suppression: .nonMaximum, peakWindow: 0,
      refractory: seconds, types: .enrolled, enrolment: header.enrolment)
  }
}

extension TraceHeader {
  /// Whether the person of the trace armed the detector.
  var hasArming: Bool { actionKinds.contains(.arm) }

  var enrolment: PunchEnrolment {
    actionKinds.contains(where: { $0.isEnrolment }) ? .actions : .file
  }

  private var actionKinds: [Action] {
    (info(.action)?.attributes["kinds"] ?? "").split(separator: " ").compactMap { Action(name: $0) }
  }
}
