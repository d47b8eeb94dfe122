import Scoring

/// The result of a gate: its checks, what decided them, and how far to trust it.
public struct GateReport: Sendable {
  public struct Side: Sendable, Encodable {
    /// What it is, e.g. a build, a parameter file or a results file.
    public var title: String
    public var commit: String
    public var toolVersion: String

    public init(title: String, commit: String, toolVersion: String) {
      (self.title, self.commit, self.toolVersion) = (title, commit, toolVersion)
    }
  }

  /// How often the gate failed on equal sides, on this machine.
  public struct Alarms: Sendable, Encodable {
    public var alarms: Int
    public var runs: Int

    public init(alarms: Int, runs: Int) { (self.alarms, self.runs) = (alarms, runs) }

    /// The one-sided 95 % bound of its rate of false alarms (Clopper and Pearson); nil without runs.
    public var upperBound: Double? {
      guard runs > 0 else { return nil }
      guard alarms < runs else { return 1 }
      return Distributions.betaQuantile(0.95, Double(alarms) + 1, Double(runs - alarms))
    }
  }

  public var suite: String
  public var base: Side
  public var head: Side
  public var comparison: ResultComparison
  /// Those of accuracy, then those of timing.
  public var checks: [GateCheck]
  /// What was not checked, and why.
  public var notes: [String]
  /// The alarms of the timing checks between equal sides; nil = never measured here.
  public var timingAlarms: Alarms?
  /// The time that measuring took.
  public var seconds: Double

  public init(
    suite: String, base: Side, head: Side, comparison: ResultComparison, checks: [GateCheck],
    notes: [String] = [], timingAlarms: Alarms? = nil, seconds: Double
  ) {
    (self.suite, self.base, self.head) = (suite, base, head)
    (self.comparison, self.checks, self.notes) = (comparison, checks, notes)
    (self.timingAlarms, self.seconds) = (timingAlarms, seconds)
  }

  /// The most severe verdict of the checks; an error if there are no checks.
  public var verdict: GateVerdict { GateVerdict.mostSevere(checks.map(\.verdict)) ?? .error }

  /// The checks with the verdict of the gate, which decided it.
  public var deciding: [GateCheck] { checks.filter { $0.verdict == verdict } }
}
