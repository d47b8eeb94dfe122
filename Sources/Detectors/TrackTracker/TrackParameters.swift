import TraceModel

extension TrackDetector {
  /// The accuracies that a fix may have.
  public enum AccuracyRule: String, CaseIterable, Hashable, Sendable, Codable {
    /// Any, or none.
    case any
    /// Strictly below the limit. This includes negative values, although they mark the position as
    /// invalid.
    case below
    /// Not negative, and not worse than the limit.
    case valid
  }

  /// The computation of distance from fixes.
  public enum Estimator: String, CaseIterable, Hashable, Sendable, Codable {
    /// The straight line from the last accepted fix.
    case straightLine = "straight-line"
    /// A filtered position and the device's speed, weighted by their variances.
    case fused
  }

  /// The treatment of the last fix in a pause.
  public enum PauseRule: String, CaseIterable, Hashable, Sendable, Codable {
    /// It is kept, so that the movement during the pause is counted on resuming.
    case keepsLastFix = "keeps-last-fix"
    /// It is dropped: the track goes on at the first fix after the pause.
    case dropsLastFix = "drops-last-fix"
  }

  /// The source of the duration.
  public enum Clock: String, CaseIterable, Hashable, Sendable, Codable {
    /// The whole seconds of a timer that starts with the first reading and with each resume.
    case ticks
    /// The measured times of the fixes.
    case timestamps
  }

  /// The marks at which a split is reported.
  public enum Splits: String, CaseIterable, Hashable, Sendable, Codable {
    case none, kilometers, miles, both
  }

  public struct Parameters: Sendable, Hashable, Codable {
    /// The distance filter in metres between delivered fixes; 0 = every fix.
    public var distanceFilter = 0.0
    public var accuracyRule = AccuracyRule.valid
    /// The limit of the accuracy in metres.
    public var maximumAccuracy = 50.0
    /// Whether to reject a fix that was not measured after the previous one. The estimator `fused`
    /// always rejects it.
    public var refusesBackwardTimes = true
    public var estimator = Estimator.fused
    public var pauseRule = PauseRule.dropsLastFix
    public var clock = Clock.timestamps
    public var splits = Splits.kilometers
    public var paceRule = Pace.Rule.exact
    /// The time in seconds between fixes beyond which the interval is a gap.
    public var gapLimit = 10.0
    /// The standard deviation per axis, in metres, of a fix without accuracy.
    public var unknownSigma = 5.0
    /// The correlation time of position errors in seconds (30-100 s on phones).
    public var correlationTime = 60.0
    /// The spectral density of the acceleration in m²/s³.
    public var accelerationDensity = 0.5
    /// The standard deviation in m/s of a speed without accuracy.
    public var speedSigma = 0.3
    /// The speed in m/s below which the person stands.
    public var standingSpeed = 0.3
    /// Without a stated speed, a person stands who stays within this many standard deviations.
    public var leash = 3.0
    /// The time in seconds for which the person has to stay there.
    public var standingHold = 20.0
    /// The speed in m/s beyond which a jump is a position error instead of a movement.
    public var maximumSpeed = 70.0

    public init() {}

    /// The rules of the original app.
    public static var tri: Parameters {
      var parameters = raw
      parameters.distanceFilter = 5
      parameters.accuracyRule = .below
      parameters.maximumAccuracy = 20
      parameters.pauseRule = .keepsLastFix
      parameters.clock = .ticks
      parameters.paceRule = .tri
      return parameters
    }

    /// The sum over all valid positions.
    public static var raw: Parameters {
      var parameters = Parameters()
      parameters.accuracyRule = .any
      parameters.refusesBackwardTimes = false
      parameters.estimator = .straightLine
      return parameters
    }
  }

  public static var presets: [DetectorPreset<Parameters>] {
    [
      DetectorPreset(
        "default", summary: "filtered position and device speed; excludes pauses and gaps",
        Parameters()),
      DetectorPreset(
        "tri", summary: "Tri: 5 m filter, accuracy below 20 m, straight lines, also across pauses",
        .tri
      ),
      DetectorPreset("raw", summary: "straight lines between all fixes", .raw),
    ]
  }

  public static var parameterFields: [ParameterField<Parameters>] { ruleFields + modelFields }

  /// The parameters of the fixes that count, and of pauses, splits and pace.
  private static var ruleFields: [ParameterField<Parameters>] {
    [
      .number(
        "distance-filter", at: { $1(&$0.distanceFilter) }, unit: .meters, range: 0...10_000,
        "distance filter between delivered fixes; 0 = every fix"),
      .choice("accuracy-rule", at: { $1(&$0.accuracyRule) }, "accuracies that a fix may have"),
      .number(
        "maximum-accuracy", at: { $1(&$0.maximumAccuracy) }, unit: .meters, range: 0...1e6,
        "limit of the accuracy rule"),
      .flag(
        "refuses-backward-times", at: { $1(&$0.refusesBackwardTimes) },
        "reject fixes not measured after the previous one; fused always does"),
      .choice("estimator", at: { $1(&$0.estimator) }, "how distance is computed from fixes"),
      .choice("pause-rule", at: { $1(&$0.pauseRule) }, "treatment of the last fix in a pause"),
      .choice("clock", at: { $1(&$0.clock) }, "source of the duration"),
      .choice("splits", at: { $1(&$0.splits) }, "marks at which a split is reported"),
      .choice(
        "pace-rule", at: { $1(&$0.paceRule) },
        "display rule of the pace: exact, or Tri's shorter mile and rounded minutes"),
    ]
  }

  private static var modelFields: [ParameterField<Parameters>] {
    [
      .number(
        "gap-limit", at: { $1(&$0.gapLimit) }, unit: .seconds, range: 0...86_400,
        "time between fixes beyond which it does not count as moving"),
      .number(
        "unknown-sigma", at: { $1(&$0.unknownSigma) }, unit: .meters, range: 1...1000,
        "standard deviation per axis of a fix without accuracy"),
      .number(
        "correlation-time", at: { $1(&$0.correlationTime) }, unit: .seconds, range: 1...10_000,
        "correlation time of position errors"),
      .number(
        "acceleration-density", at: { $1(&$0.accelerationDensity) }, range: 1e-4...100,
        "spectral density of the acceleration in m2/s3"),
      .number(
        "speed-sigma", at: { $1(&$0.speedSigma) }, unit: .metersPerSecond, range: 0.01...10,
        "standard deviation of a speed without accuracy"),
      .number(
        "standing-speed", at: { $1(&$0.standingSpeed) }, unit: .metersPerSecond, range: 0...10,
        "speed below which the person stands"),
      .number(
        "leash", at: { $1(&$0.leash) }, range: 0...100,
        "standing without a speed: stay within this many standard deviations"),
      .number(
        "standing-hold", at: { $1(&$0.standingHold) }, unit: .seconds, range: 0...3600,
        "standing without a speed: for this long"),
      .number(
        "maximum-speed", at: { $1(&$0.maximumSpeed) }, unit: .metersPerSecond, range: 1...1000,
        "speed beyond which a jump is a position error"),
    ]
  }
}
