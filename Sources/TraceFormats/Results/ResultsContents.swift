/// What a file of `run`, `sweep` or `tune` holds, in every version of its schema: the facts of its root,
/// the figures of each entry, and the sizes of its groups.
package struct ResultsContents: Codable, Hashable, Sendable {
  /// A value with its interval, and what that rests on.
  package struct Value: Codable, Hashable, Sendable {
    package var name: String
    /// Nil if it is undefined, or a percentile was not reached.
    package var value: Double?
    package var lower: Double?
    package var upper: Double?
    package var unit: String
    package var method: String?
    package var count: Int?
    package var clusters: Int?
    package var cluster: String?
    package var assumedCorrelation: Double?
  }

  /// The figures of an entry of a run, or of an operating point of a sweep.
  package struct Row: Codable, Hashable, Sendable {
    package var name: String
    /// `recorded` or `synthetic`; empty for an operating point.
    package var origin: String
    /// The person of a run.
    package var subject = ""
    package var values: [Value]
  }

  /// A group of the root.
  package struct Group: Codable, Hashable, Sendable {
    package var name: String
    /// The number of groups in it, and in all of them.
    package var groups: Int
    package var inner: Int
    /// The rows of its table; 0 if it has none, or columns of several dimensions.
    package var rows: Int
  }

  /// E.g. `shadowbox-results/5`.
  package var schema: String
  /// The attributes of the root, by name; numbers as they are printed.
  package var facts: [[String]] = []
  package var rows: [Row] = []
  /// Each run of a file of `run`; empty unless they are asked for.
  package var runs: [Row] = []
  /// Each run with its events; empty unless they are asked for.
  package var events: [Run] = []
  package var groups: [Group] = []
}
