import TraceModel

extension PresenceDetector {
  /// How the silence that a peer is allowed follows from its past.
  public enum Rule: String, CaseIterable, Hashable, Sendable, Codable {
    /// `expiry`, whatever the peer did before.
    case fixed
    /// φ accrual on the intervals as they were, with an exponential tail.
    case empirical
    /// φ accrual on a normal distribution of the intervals.
    case normal
  }

  public struct Parameters: Sendable, Hashable, Codable {
    public var rule = Rule.empirical
    /// Seconds of silence after which a peer is absent: with `fixed`, and with the other rules
    /// until they know `warmUp` intervals. The app's own figure.
    public var expiry = 10.0
    /// φ: a peer is absent once a silence as long has a probability of 10^-φ. An exponential tail
    /// is thinner than that of a phone which is suspended now and then, so this has to be more than
    /// the rate of mistakes that is wanted would need. Chosen, with the window and the least silence,
    /// on ten synthetic groups so that departures are found earlier on average than by the app's
    /// rule, and with fewer mistakes; sixteen other groups agree.
    public var threshold = 6.0
    /// Intervals that are remembered of each peer: a quarter of an hour, in which the rare ones occur
    /// too.
    public var window = 500.0
    /// Intervals that must be known before the accrual rules say anything: half a minute.
    public var warmUp = 20.0
    /// The share of the longest intervals that the exponential tail is fitted to.
    public var tailShare = 0.1
    /// Seconds; the least silence that makes absent, whatever the past says: four of the app's
    /// heartbeats.
    public var minimumSilence = 6.0
    /// Seconds; the longest silence that may be allowed, the app's own: nobody waits longer than
    /// with the app. Longer intervals are not learned: they were absences.
    public var maximumSilence = 10.0
    /// Seconds; the least standard deviation of the rule `normal` (Akka's default).
    public var minimumDeviation = 0.1
    /// Whether a duplicate and a heartbeat that others have overtaken are no sign of life.
    public var checksOrder = true
    /// How many peers must be overdue, and none on time, for the observer itself to be doubted;
    /// 0 = it never is.
    public var stallPeers = 2.0
    /// Seconds of silence of all peers after which the observer is no longer given the benefit of
    /// the doubt.
    public var stallLimit = 30.0

    public init() {}

    /// As the app had it: any heartbeat renews a record, which expires after 10 s.
    public static var ticChatToe: Parameters {
      var parameters = Parameters()
      parameters.rule = .fixed
      parameters.checksOrder = false
      parameters.stallPeers = 0
      return parameters
    }

    /// Hayashibara et al., "The φ accrual failure detector", SRDS 2004, whose window it has; the
    /// threshold and the least deviation are those of Akka. Nothing but φ decides.
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
        "default", summary: "accrual on each peer's own intervals; doubts a stalled observer first",
        Parameters()),
      DetectorPreset(
        "ticChatToe", summary: "Tic Chat Toe: absent 10 s after the newest heartbeat", .ticChatToe),
      DetectorPreset("phi", summary: "phi accrual with normal intervals", .phi),
    ]
  }

  public static var parameterFields: [ParameterField<Parameters>] {
    [
      .choice("rule", \.rule, "how the allowed silence follows from a peer's past"),
      .number(
        "expiry", \.expiry, unit: .seconds, range: 0.001...86_400,
        "allowed silence of the rule fixed, and of a peer that is not known well yet"),
      .number(
        "threshold", \.threshold, range: 1...16,
        "phi: absent once so long a silence has a probability of 10^-phi"),
      .number("window", \.window, range: 2...10_000, "intervals remembered of each peer"),
      .number(
        "warm-up", \.warmUp, range: 2...10_000, "intervals before the accrual rules say anything"),
      .number(
        "tail-share", \.tailShare, range: 0.01...0.5,
        "share of the longest intervals that the exponential tail is fitted to"),
      .number(
        "minimum-silence", \.minimumSilence, unit: .seconds, range: 0...86_400,
        "least silence that makes absent by the accrual rules"),
      .number(
        "maximum-silence", \.maximumSilence, unit: .seconds, range: 0.001...86_400,
        "longest silence that the accrual rules allow, and the longest interval that is learned"),
      .number(
        "minimum-deviation", \.minimumDeviation, unit: .seconds, range: 0.001...3600,
        "least standard deviation of the rule normal"),
      .flag("checks-order", \.checksOrder, "duplicates and late heartbeats are no sign of life"),
      .number(
        "stall-peers", \.stallPeers, range: 0...10_000,
        "peers overdue, with none on time, that put the observer in doubt; 0 = never"),
      .number(
        "stall-limit", \.stallLimit, unit: .seconds, range: 0...86_400,
        "silence of all peers after which the observer is not doubted any more"),
    ]
  }
}
