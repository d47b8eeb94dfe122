import TraceModel

extension CheckInDetector {
  /// Which places may be checked in at.
  public enum Order: String, CaseIterable, Hashable, Sendable, Codable {
    /// The first one by rank that was not visited yet.
    case firstUnvisited = "first-unvisited"
    /// The nearest one that was not visited yet.
    case free
  }

  /// When a fix is taken to be at a place.
  public enum EntryRule: String, CaseIterable, Hashable, Sendable, Codable {
    /// Its distance is less than the radius.
    case distance
    /// The probability of being within the radius is high, given the fix's accuracy.
    case probability
  }

  public struct Parameters: Sendable, Hashable, Codable {
    /// Metres.
    public var radius = 60.0
    /// Whether the radius that a place states wins.
    public var usesPlaceRadius = true
    /// Seconds; a fix must be younger when it arrives.
    public var maximumAge = 15.0
    /// Metres between delivered fixes; 0 = all are delivered.
    public var distanceFilter = 0.0
    /// Whether a fix that is invalid or too inaccurate is refused.
    public var checksAccuracy = true
    /// Metres. MapRun's limit.
    public var maximumAccuracy = 50.0
    /// Standard deviation per axis, in metres, of a fix that states no accuracy.
    public var unknownSigma = 7.0
    public var order = Order.free
    public var entry = EntryRule.probability
    /// One enters at this share of the probability that a fix of its accuracy can reach at all...
    public var confidence = 0.85
    /// ...held for so many seconds, from the first such fix to a later one.
    public var dwell = 2.0
    /// One leaves at this share...
    public var exitConfidence = 0.15
    /// ...held for so many seconds.
    public var exitHold = 10.0
    /// Whether leaving is told.
    public var reportsExit = true
    /// Seconds for which a place does not prompt after a cancel, unless it is left before.
    public var cancelPause = 60.0
    /// Seconds between fixes up to which the closest approach between them counts; 0 = never.
    public var closestApproachGap = 5.0
    /// Whether a person confirms the prompt; if not, the visit is recorded with it.
    public var requiresConfirmation = true
    /// Whether a place can be visited again after it was left.
    public var revisits = false

    public init() {}

    /// As the app had it.
    public static var goHike: Parameters {
      var parameters = Parameters()
      parameters.usesPlaceRadius = false
      parameters.distanceFilter = 40
      parameters.checksAccuracy = false
      parameters.order = .firstUnvisited
      parameters.entry = .distance
      parameters.dwell = 0
      parameters.exitHold = 0
      parameters.reportsExit = false
      parameters.cancelPause = 0
      parameters.closestApproachGap = 0
      return parameters
    }

    /// Its debug build.
    public static var goHikeDebug: Parameters {
      var parameters = goHike
      parameters.radius = 20
      return parameters
    }

    /// Places that are come to again and again, with nobody to confirm.
    public static var fences: Parameters {
      var parameters = Parameters()
      parameters.requiresConfirmation = false
      parameters.revisits = true
      return parameters
    }

    /// The same for stops of two minutes or more, as a diary of places has them.
    public static var stops: Parameters {
      var parameters = fences
      parameters.dwell = 120
      parameters.exitHold = 30
      return parameters
    }
  }

  public static var presets: [DetectorPreset<Parameters>] {
    [
      DetectorPreset(
        "default", summary: "probability of being inside, held; places in any order", Parameters()),
      DetectorPreset(
        "goHike", summary: "Go Take a Hike!: nearer than 60 m, 40 m filter, places by rank", .goHike
      ),
      DetectorPreset("goHikeDebug", summary: "its debug build: nearer than 20 m", .goHikeDebug),
      DetectorPreset(
        "fences", summary: "the default for places come to again, without confirmation", .fences),
      DetectorPreset("stops", summary: "the same for stops of two minutes or more", .stops),
    ]
  }

  public static var parameterFields: [ParameterField<Parameters>] {
    [
      .number(
        "radius", \.radius, unit: .meters, range: 0...100_000, "how near is at the place"),
      .flag("uses-place-radius", \.usesPlaceRadius, "a place's own radius wins"),
      .number(
        "maximum-age", \.maximumAge, unit: .seconds, range: 0...86_400,
        "a fix must be younger when it arrives"),
      .number(
        "distance-filter", \.distanceFilter, unit: .meters, range: 0...10_000,
        "movement after which the next fix is delivered; 0 = every fix"),
      .flag("checks-accuracy", \.checksAccuracy, "refuse invalid and inaccurate fixes"),
      .number(
        "maximum-accuracy", \.maximumAccuracy, unit: .meters, range: 0...1e6,
        "the worst accuracy that is accepted"),
      .number(
        "unknown-sigma", \.unknownSigma, unit: .meters, range: 0...1000,
        "standard deviation per axis of a fix without accuracy"),
      .choice("order", \.order, "which places may be checked in at"),
      .choice("entry", \.entry, "when a fix is at a place"),
      .number(
        "confidence", \.confidence, range: 0...1,
        "share of the reachable probability at which one enters"),
      .number(
        "dwell", \.dwell, unit: .seconds, range: 0...3600, "time for which it is held to enter"),
      .number(
        "exit-confidence", \.exitConfidence, range: 0...1,
        "share of the reachable probability at which one leaves"),
      .number(
        "exit-hold", \.exitHold, unit: .seconds, range: 0...3600,
        "time for which it is held to leave"),
      .flag("reports-exit", \.reportsExit, "tell when a place is left"),
      .number(
        "cancel-pause", \.cancelPause, unit: .seconds, range: 0...86_400,
        "time without a prompt after a cancel, unless the place is left"),
      .number(
        "closest-approach-gap", \.closestApproachGap, unit: .seconds, range: 0...60,
        "time between fixes up to which the approach between them counts"),
      .flag(
        "requires-confirmation", \.requiresConfirmation, "a person confirms before a visit counts"),
      .flag("revisits", \.revisits, "a place can be visited again after it was left"),
    ]
  }
}
