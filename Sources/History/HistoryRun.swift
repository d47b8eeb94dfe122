/// A run in the history: what ran, where and when.
package struct HistoryRun: Codable, Hashable, Sendable {
  package enum Source: String, Codable, CaseIterable, Sendable {
    /// A results file of `run`.
    case results
    /// The head of a gate.
    case gate
  }

  /// Unique: a run that is added again is stored once.
  package var id: String
  package var time: HistoryTime
  /// Empty if not known. It ends in `-dirty` where tracked files differ from the commit.
  package var commit: String
  package var branch: String?
  package var machine: String
  package var toolVersion: String
  package var toolchain: String
  package var suite: String
  /// The SHA-256 of the suite's file.
  package var suiteDigest: String
  package var source: Source
  /// Only of a gate.
  package var verdict: String?

  package init(
    id: String, time: HistoryTime, commit: String, branch: String? = nil, machine: String,
    toolVersion: String, toolchain: String, suite: String, suiteDigest: String, source: Source,
    verdict: String? = nil
  ) {
    (self.id, self.time, self.commit, self.branch) = (id, time, commit, branch)
    (self.machine, self.toolVersion, self.toolchain) = (machine, toolVersion, toolchain)
    (self.suite, self.suiteDigest) = (suite, suiteDigest)
    (self.source, self.verdict) = (source, verdict)
  }

  private enum CodingKeys: String, CodingKey {
    case id, time, commit, branch, machine, toolchain, suite, source, verdict
    case toolVersion = "tool_version"
    case suiteDigest = "suite_sha256"
  }
}

package struct HistoryFigure: Codable, Hashable, Sendable {
  /// How a figure varies when nothing changes.
  package enum Kind: String, Codable, CaseIterable, Sendable {
    /// Not at all: equal inputs give equal figures.
    case accuracy
    /// With the machine and from run to run.
    case timing

    /// The kind of a figure in a results file.
    package static func of(_ metric: String) -> Kind {
      let marks = ["real_time_factor", "per_sample", "wall_seconds"]
      return marks.contains(where: metric.contains) ? .timing : .accuracy
    }
  }

  package var entry: String
  /// `recorded` or `synthetic`; empty if there is none.
  package var origin: String
  package var metric: String
  package var kind: Kind
  /// nil = undefined.
  package var value: Double?
  /// nil = undefined, or unbounded.
  package var lower: Double?
  package var upper: Double?
  package var unit: String
  /// The number of events, times or means behind it; nil = not stated.
  package var count: Int?
  /// The method of the interval; nil without an interval.
  package var method: String?

  /// Infinities and NaN become nil.
  package init(
    entry: String, origin: String, metric: String, kind: Kind, value: Double?, lower: Double? = nil,
    upper: Double? = nil, unit: String, count: Int? = nil, method: String? = nil
  ) {
    func finite(_ number: Double?) -> Double? { number.flatMap { $0.isFinite ? $0 : nil } }
    (self.entry, self.origin, self.metric, self.kind) = (entry, origin, metric, kind)
    (self.value, self.lower, self.upper) = (finite(value), finite(lower), finite(upper))
    (self.unit, self.count, self.method) = (unit, count, method)
  }

  /// Identifies a figure across runs.
  package struct Name: Hashable, Sendable {
    package var entry: String
    package var origin: String
    package var metric: String
  }

  package var name: Name { Name(entry: entry, origin: origin, metric: metric) }
}

/// Comparisons of a gate between two equal builds, and how many of them raised an alarm.
package struct HistoryTrial: Codable, Hashable, Sendable {
  package var id: String
  package var time: HistoryTime
  package var machine: String
  package var suite: String
  package var kind: HistoryFigure.Kind
  package var runs: Int
  package var alarms: Int

  /// - Parameter alarms: 0 to `runs`.
  package init(
    id: String, time: HistoryTime, machine: String, suite: String, kind: HistoryFigure.Kind,
    runs: Int, alarms: Int
  ) {
    (self.id, self.time, self.machine, self.suite) = (id, time, machine, suite)
    (self.kind, self.runs, self.alarms) = (kind, runs, alarms)
  }

  /// More runs are damage. The limit also keeps sums from overflowing.
  private static let mostRuns = 1_000_000_000

  var isValid: Bool {
    !id.isEmpty && (1...Self.mostRuns).contains(runs) && (0...runs).contains(alarms)
  }
}

package struct HistoryPoint: Hashable, Sendable {
  package var run: HistoryRun
  package var figure: HistoryFigure
}

extension Row {
  func time(_ column: String) throws -> HistoryTime {
    guard let time = HistoryTime(try value(column)) else { throw DamagedRow(column: column) }
    return time
  }

  func choice<Choice: RawRepresentable>(_ column: String) throws -> Choice
  where Choice.RawValue == String {
    guard let choice = Choice(rawValue: try value(column)) else { throw DamagedRow(column: column) }
    return choice
  }
}

extension HistoryRun {
  init(_ row: Row) throws {
    self.init(
      id: try row.value("id"), time: try row.time("time"), commit: try row.value("commit"),
      branch: try row.optional("branch"), machine: try row.value("machine"),
      toolVersion: try row.value("tool_version"), toolchain: try row.value("toolchain"),
      suite: try row.value("suite"), suiteDigest: try row.value("suite_sha256"),
      source: try row.choice("source"), verdict: try row.optional("verdict"))
  }
}

extension HistoryFigure {
  init(_ row: Row) throws {
    self.init(
      entry: try row.value("entry"), origin: try row.value("origin"),
      metric: try row.value("metric"), kind: try row.choice("kind"),
      value: try row.optional("value"), lower: try row.optional("lower"),
      upper: try row.optional("upper"), unit: try row.value("unit"),
      count: try row.optional("count"), method: try row.optional("method"))
  }
}

extension HistoryTrial {
  init(_ row: Row) throws {
    self.init(
      id: try row.value("id"), time: try row.time("time"), machine: try row.value("machine"),
      suite: try row.value("suite"), kind: try row.choice("kind"), runs: try row.value("runs"),
      alarms: try row.value("alarms"))
    guard isValid else { throw DamagedRow(column: "runs") }
  }
}
