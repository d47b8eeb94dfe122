import TraceModel

extension PresenceDetector {
  /// The rule that determines the allowed silence of a peer from its past.
  public enum Rule: String, CaseIterable, Hashable, Sendable, Codable {
    /// `expiry`, independent of the past.
    case fixed
    /// φ accrual on the observed intervals, with an exponential tail.
    case empirical
    /// φ accrual on a normal distribution of the intervals.
    case normal
  }

  public struct Parameters: Sendable, Hashable, Codable {
    public var rule = Rule.empirical
    /// The silence in seconds after which a peer is absent: with `fixed`, and with the other rules
    /// until they have `warmUp` intervals. The value of the app.
    public var expiry = 10.0
    /// φ: a peer is absent once a silence this long has a probability of 10^-φ. The tail of a phone
    /// that is suspended now and then is heavier than exponential, so the value is higher than the
    /// desired rate of mistakes requires. Chosen together with the window and the minimum silence
    /// on ten synthetic groups, so that departures are detected earlier on average than by the
    /// app's rule and with fewer mistakes; sixteen other groups confirm it.
    public var threshold = 6.0
    /// The number of intervals kept per peer: about a quarter of an hour, long enough to contain
    /// the rare long ones.
    public var window = 500.0
    /// The number of intervals before the accrual rules apply: about half a minute.
    public var warmUp = 20.0
    /// The share of the longest intervals to which the exponential tail is fitted.
    public var tailShare = 0.1
    /// The minimum silence in seconds before a peer is absent, for any past: four heartbeats of the
    /// app.
    public var minimumSilence = 6.0
    /// The maximum allowed silence in seconds: the value of the app, so that no detection takes
    /// longer than in the app. Longer intervals are absences and are not learned.
    public var maximumSilence = 10.0
    /// The minimum standard deviation of the rule `normal` in seconds (Akka's default).
    public var minimumDeviation = 0.1
    /// Whether to ignore duplicates and overtaken heartbeats.
    public var checksOrder = true
    /// The number of overdue peers, with none on time, at which the observer counts as possibly
    /// stalled; 0 = never.
    public var stallPeers = 2.0
    /// The silence of all peers in seconds after which the observer no longer counts as stalled.
    public var stallLimit = 30.0

    public init() {}

    /// The rules of the original app: any heartbeat renews a record, which expires after 10 s.
    public static var ticChatToe: Parameters {
      var parameters = Parameters()
      parameters.rule = .fixed
      parameters.checksOrder = false
      parameters.stallPeers = 0
      return parameters
    }

    /// Hayashibara et al., "The φ accrual failure detector", SRDS 2004, with its window; the
    /// threshold and the minimum deviation are those of Akka. Only φ decides.
    public static var phi: Parameters {
      var parameters = Parameters()
      parameters.rule = .normal
      parameters.threshold = 8
      parameters.window = 1000
      parameters.minimumSilence = 0
      parameters.stallPeers = 0
      return parameters
    }
  }

  public static var presets: [DetectorPreset<Parameters>] {
    [
      DetectorPreset(
        "default", summary: "phi accrual on each peer's intervals; checks for a stalled observer",
        Parameters()),
      DetectorPreset(
        "ticChatToe", summary: "Tic Chat Toe: absent 10 s after the newest heartbeat", .ticChatToe),
      DetectorPreset("phi", summary: "phi accrual with normal intervals", .phi),
    ]
  }

  public static var parameterFields: [ParameterField<Parameters>] {
    [
      .choice("rule", at: { $1(&$0.rule) }, "rule for the allowed silence of a peer"),
      .number(
        "expiry", at: { $1(&$0.expiry) }, unit: .seconds, range: 0.001...86_400,
        "allowed silence with the rule fixed, and during the warm-up of a peer"),
      .number(
        "threshold", at: { $1(&$0.threshold) }, range: 1...16,
        "phi: absent once a silence this long has a probability of 10^-phi"),
      .number("window", at: { $1(&$0.window) }, range: 2...10_000, "intervals kept per peer"),
      .number(
        "warm-up", at: { $1(&$0.warmUp) }, range: 2...10_000,
        "intervals before the accrual rules apply"),
      .number(
        "tail-share", at: { $1(&$0.tailShare) }, range: 0.01...0.5,
        "share of the longest intervals to which the exponential tail is fitted"),
      .number(
        "minimum-silence", at: { $1(&$0.minimumSilence) }, unit: .seconds, range: 0...86_400,
        "minimum silence before a peer is absent, with the accrual rules"),
      .number(
        "maximum-silence", at: { $1(&$0.maximumSilence) }, unit: .seconds, range: 0.001...86_400,
        "maximum allowed silence with the accrual rules; longer intervals are not learned"),
      .number(
        "minimum-deviation", at: { $1(&$0.minimumDeviation) }, unit: .seconds, range: 0.001...3600,
        "minimum standard deviation of the rule normal"),
      .flag(
        "checks-order", at: { $1(&$0.checksOrder) }, "ignore duplicates and overtaken heartbeats"),
      .number(
        "stall-peers", at: { $1(&$0.stallPeers) }, range: 0...10_000,
        "overdue peers, with none on time, that indicate a stalled observer; 0 = never"),
      .number(
        "stall-limit", at: { $1(&$0.stallLimit) }, unit: .seconds, range: 0...86_400,
        "silence of all peers after which the observer no longer counts as stalled"),
    ]
  }
}
