package import TraceModel

extension CheckInDetector {
  /// The places that allow a check-in.
  public enum Order: String, CaseIterable, Hashable, Sendable, Codable {
    /// The first unvisited place by rank.
    case firstUnvisited = "first-unvisited"
    /// The nearest unvisited place.
    case free
  }

  /// The condition for a fix to count as inside a place.
  public enum EntryRule: String, CaseIterable, Hashable, Sendable, Codable {
    /// The distance is less than the radius.
    case distance
    /// The probability of being within the radius is high, given the accuracy of the fix.
    case probability
  }

  public struct Parameters: Sendable, Hashable, Codable {
    /// The radius in metres.
    public var radius = 60.0
    /// Whether the radius of a place overrides `radius`.
    public var usesPlaceRadius = true
    /// The maximum age of a fix at its arrival, in seconds, 0...86,400: one of this age is too old.
    public var maximumAge = 15.0
    /// The maximum lead of a fix, in seconds, 0...86,400: one that is this long after its arrival is
    /// too early. The default, a day, is for clocks that are ahead.
    public var maximumLead = 86_400.0
    /// The distance filter in metres between delivered fixes; 0 = every fix.
    public var distanceFilter = 0.0
    /// Whether to reject fixes that are invalid or too inaccurate.
    public var checksAccuracy = true
    /// The worst accepted accuracy in metres: the limit of MapRun.
    public var maximumAccuracy = 50.0
    /// The standard deviation per axis, in metres, of a fix without accuracy.
    public var unknownSigma = 7.0
    public var order = Order.free
    public var entry = EntryRule.probability
    /// The entry threshold, as a share of the highest probability that a fix of this accuracy can
    /// reach. At a half, a person is as likely inside as not. On 72 synthetic routes of 24 people,
    /// half of them in a forest, 14 of 500 prompts are wrong and half come within 1.9 s; with the
    /// first fix nearer than the radius it is 15, and 3.2 s.
    public var confidence = 0.5
    /// The time in seconds for which the probability must stay above the entry threshold, from the
    /// first such fix to a later one; at least two with the entry rule `probability` where a fix is
    /// doubtful.
    public var dwell = 0.0
    /// The exit threshold, as a share of the highest probability that a fix of this accuracy can
    /// reach.
    public var exitConfidence = 0.15
    /// The time in seconds for which the probability must stay below the exit threshold.
    public var exitHold = 10.0
    public var reportsExit = true
    /// The time in seconds without a prompt after a cancel, unless the place is left before,
    /// 0...86,400; 0 = the next fix prompts again. A pause can last longer than the stay at a
    /// place, and then the visit is missed.
    public var cancelPause = 0.0
    /// The longest time between two fixes, in seconds, for which their closest approach counts; 0 =
    /// never.
    public var closestApproachGap = 5.0
    /// Whether a person confirms the prompt; otherwise the prompt records the visit.
    public var requiresConfirmation = true
    /// Whether a place can be visited again after an exit.
    public var revisits = false

    public init() {}

    /// Whether a fix is neither too old nor too early at its arrival.
    package func isTimely(_ measured: TraceInstant, at arrived: TraceInstant) -> Bool {
      let age = measured.nanoseconds(to: arrived)
      return age < nanoseconds(maximumAge) && age > -nanoseconds(maximumLead)
    }

    /// The rules of the original app (codeforeurope/gohike-ios @09de566): its location filter is
    /// commented out, and it compares the absolute age of a fix.
    public static var goHike: Parameters {
      var parameters = Parameters()
      parameters.maximumLead = parameters.maximumAge
      parameters.usesPlaceRadius = false
      parameters.checksAccuracy = false
      parameters.order = .firstUnvisited
      parameters.entry = .distance
      parameters.dwell = 0
      parameters.exitHold = 0
      parameters.reportsExit = false
      parameters.closestApproachGap = 0
      return parameters
    }

    /// The rules with the location filter of 40 m of release 2.0 (@f7954bc, 2013-09-21), from commit
    /// @4aa34d5 on.
    public static var goHikeSeptember2013: Parameters {
      var parameters = goHike
      parameters.distanceFilter = 40
      return parameters
    }

    /// No wrong prompt on the 72 routes, but half of them come later than 7.3 s.
    public static var careful: Parameters {
      var parameters = Parameters()
      parameters.confidence = 0.85
      parameters.dwell = 2
      return parameters
    }

    /// Geofences that are visited repeatedly, without confirmation.
    public static var fences: Parameters {
      var parameters = careful
      parameters.requiresConfirmation = false
      parameters.revisits = true
      return parameters
    }

    /// The same for stops of two minutes or more, as in a diary of places. It is a plain fence: where
    /// a fix's deviation is 7 m, the shares are those of 50 m in and 75 m out for a radius of 60 m. On
    /// 32 stops of three people no other setting is shown to be better (`visits.py`).
    public static var stops: Parameters {
      var parameters = fences
      parameters.confidence = 0.91
      parameters.exitConfidence = 0.015
      parameters.dwell = 120
      parameters.exitHold = 30
      return parameters
    }
  }

  public static var presets: [DetectorPreset<Parameters>] {
    [
      DetectorPreset(
        "default", summary: "more likely inside than outside; places in any order", Parameters()),
      DetectorPreset(
        "careful", summary: "surely inside for two seconds: later, with fewer wrong prompts",
        .careful),
      DetectorPreset(
        "goHike", summary: "Go Take a Hike!: nearer than 60 m, places by rank", .goHike),
      DetectorPreset(
        "goHike2013-09", summary: "Go Take a Hike! of September 2013: with a filter of 40 m",
        .goHikeSeptember2013),
      DetectorPreset(
        "fences", summary: "geofences: repeated visits, without confirmation", .fences),
      DetectorPreset("stops", summary: "geofences with stops of two minutes or more", .stops),
    ]
  }

  public static var parameterFields: [ParameterField<Parameters>] { fixFields + visitFields }

  /// The parameters of a place and of the fixes that count.
  private static var fixFields: [ParameterField<Parameters>] {
    [
      .number(
        "radius", at: { $1(&$0.radius) }, unit: .meters, range: 0...100_000, "radius of a place"),
      .flag(
        "uses-place-radius", at: { $1(&$0.usesPlaceRadius) },
        "use a place's own radius if it has one"),
      .number(
        "maximum-age", at: { $1(&$0.maximumAge) }, unit: .seconds, range: 0...86_400,
        "maximum age of a fix at arrival"),
      .number(
        "maximum-lead", at: { $1(&$0.maximumLead) }, unit: .seconds, range: 0...86_400,
        "maximum lead of a fix, which is from the future at arrival"),
      .number(
        "distance-filter", at: { $1(&$0.distanceFilter) }, unit: .meters, range: 0...10_000,
        "distance filter between delivered fixes; 0 = every fix"),
      .flag(
        "checks-accuracy", at: { $1(&$0.checksAccuracy) }, "reject invalid and inaccurate fixes"),
      .number(
        "maximum-accuracy", at: { $1(&$0.maximumAccuracy) }, unit: .meters, range: 0...1e6,
        "worst accepted accuracy"),
      .number(
        "unknown-sigma", at: { $1(&$0.unknownSigma) }, unit: .meters, range: 0...1000,
        "standard deviation per axis of a fix without accuracy"),
    ]
  }

  /// The parameters of entry, prompt and exit.
  private static var visitFields: [ParameterField<Parameters>] {
    [
      .choice("order", at: { $1(&$0.order) }, "places that allow a check-in"),
      .choice("entry", at: { $1(&$0.entry) }, "condition for a fix to count as inside a place"),
      .number(
        "confidence", at: { $1(&$0.confidence) }, range: 0...1,
        "entry threshold, as a share of the reachable probability"),
      .number(
        "dwell", at: { $1(&$0.dwell) }, unit: .seconds, range: 0...3600,
        "time above the entry threshold before a prompt"),
      .number(
        "exit-confidence", at: { $1(&$0.exitConfidence) }, range: 0...1,
        "exit threshold, as a share of the reachable probability"),
      .number(
        "exit-hold", at: { $1(&$0.exitHold) }, unit: .seconds, range: 0...3600,
        "time below the exit threshold before an exit"),
      .flag("reports-exit", at: { $1(&$0.reportsExit) }, "report exits"),
      .number(
        "cancel-pause", at: { $1(&$0.cancelPause) }, unit: .seconds, range: 0...86_400,
        "time without a prompt after a cancel, unless the place is left; 0 = none"),
      .number(
        "closest-approach-gap", at: { $1(&$0.closestApproachGap) }, unit: .seconds, range: 0...60,
        "longest time between fixes whose closest approach counts"),
      .flag(
        "requires-confirmation", at: { $1(&$0.requiresConfirmation) },
        "require a confirmation before a visit counts"),
      .flag("revisits", at: { $1(&$0.revisits) }, "allow further visits after an exit"),
    ]
  }
}
