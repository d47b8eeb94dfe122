import TraceModel

extension TrackDetector {
  /// Which accuracies a fix may have.
  public enum AccuracyRule: String, CaseIterable, Hashable, Sendable, Codable {
    /// Any, or none.
    case any
    /// Better than the limit (strictly), which a negative one is too, although it says that the
    /// position is invalid.
    case below
    /// Not negative, and not worse than the limit.
    case valid
  }

  /// How distance is made of fixes.
  public enum Estimator: String, CaseIterable, Hashable, Sendable, Codable {
    /// The straight line from the last accepted fix.
    case straightLine = "straight-line"
    /// A filtered position and the device's speed, weighed by what each is worth.
    case fused
  }

  /// What becomes of the last fix when the person pauses.
  public enum PauseRule: String, CaseIterable, Hashable, Sendable, Codable {
    /// It stays, so that what was moved in the pause is counted on resuming.
    case keepsLastFix = "keeps-last-fix"
    /// It is dropped: the track goes on at the first fix after the pause.
    case dropsLastFix = "drops-last-fix"
  }

  /// Where the duration comes from.
  public enum Clock: String, CaseIterable, Hashable, Sendable, Codable {
    /// The whole seconds of a timer that starts with the first reading and with each resume.
    case ticks
    /// The measured times of the fixes.
    case timestamps
  }

  /// At which marks a split is told.
  public enum Splits: String, CaseIterable, Hashable, Sendable, Codable {
    case none, kilometers, miles, both
  }

  public struct Parameters: Sendable, Hashable, Codable {
    /// Metres between delivered fixes; 0 = all are delivered.
    public var distanceFilter = 0.0
    public var accuracyRule = AccuracyRule.valid
    /// Metres.
    public var maximumAccuracy = 50.0
    /// Whether a fix that was not measured after the one before it is refused. The estimator
    /// `fused` refuses it whatever is said here.
    public var refusesBackwardTimes = true
    public var estimator = Estimator.fused
    public var pauseRule = PauseRule.dropsLastFix
    public var clock = Clock.timestamps
    public var splits = Splits.kilometers
    /// How the pace is displayed.
    public var paceRule = Pace.Rule.exact
    /// Seconds between fixes beyond which nothing is known about the time between them.
    public var gapLimit = 10.0
    /// Standard deviation per axis, in metres, of a fix that states no accuracy.
    public var unknownSigma = 5.0
    /// Seconds over which position errors are alike (30-100 s on phones).
    public var correlationTime = 60.0
    /// Spectral density of the acceleration in m²/s³.
    public var accelerationDensity = 0.5
    /// Standard deviation in m/s of a speed that states no accuracy.
    public var speedSigma = 0.3
    /// m/s below which a stated speed is standing.
    public var standingSpeed = 0.3
    /// Where no speed is stated: standing is to stay within so many standard deviations...
    public var leash = 3.0
    /// ...for so many seconds.
    public var standingHold = 20.0
    /// m/s beyond which a jump is an error of the position and not a movement.
    public var maximumSpeed = 70.0

    public init() {}

    /// As the app had it.
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

    /// The sum over every fix that is a position.
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
        "default", summary: "filtered position and device speed; pauses and gaps left out",
        Parameters()),
      DetectorPreset(
        "tri", summary: "Tri: 5 m filter, better than 20 m, straight lines, across pauses too", .tri
      ),
      DetectorPreset("raw", summary: "straight lines between all fixes", .raw),
    ]
  }

  public static var parameterFields: [ParameterField<Parameters>] {
    [
      .number(
        "distance-filter", \.distanceFilter, unit: .meters, range: 0...10_000,
        "movement after which the next fix is delivered; 0 = every fix"),
      .choice("accuracy-rule", \.accuracyRule, "which accuracies a fix may have"),
      .number(
        "maximum-accuracy", \.maximumAccuracy, unit: .meters, range: 0...1e6,
        "the limit of the accuracy rule"),
      .flag(
        "refuses-backward-times", \.refusesBackwardTimes,
        "refuse fixes that were not measured after the one before; fused always does"),
      .choice("estimator", \.estimator, "how distance is made of fixes"),
      .choice("pause-rule", \.pauseRule, "what becomes of the last fix in a pause"),
      .choice("clock", \.clock, "where the duration comes from"),
      .choice("splits", \.splits, "the marks at which a split is told"),
      .choice(
        "pace-rule", \.paceRule,
        "how the pace is displayed: exact, or with tri's shorter mile and rounded minutes"),
      .number(
        "gap-limit", \.gapLimit, unit: .seconds, range: 0...86_400,
        "time between fixes that no longer counts as moving"),
      .number(
        "unknown-sigma", \.unknownSigma, unit: .meters, range: 1...1000,
        "standard deviation per axis of a fix without accuracy"),
      .number(
        "correlation-time", \.correlationTime, unit: .seconds, range: 1...10_000,
        "time over which position errors are alike"),
      .number(
        "acceleration-density", \.accelerationDensity, range: 1e-4...100,
        "spectral density of the acceleration in m2/s3"),
      .number(
        "speed-sigma", \.speedSigma, unit: .metersPerSecond, range: 0.01...10,
        "standard deviation of a speed without accuracy"),
      .number(
        "standing-speed", \.standingSpeed, unit: .metersPerSecond, range: 0...10,
        "speed below which one stands"),
      .number(
        "leash", \.leash, range: 0...100,
        "standing without a speed: stay within so many standard deviations"),
      .number(
        "standing-hold", \.standingHold, unit: .seconds, range: 0...3600,
        "standing without a speed: for so long"),
      .number(
        "maximum-speed", \.maximumSpeed, unit: .metersPerSecond, range: 1...1000,
        "speed beyond which a jump is an error of the position"),
    ]
  }
}
