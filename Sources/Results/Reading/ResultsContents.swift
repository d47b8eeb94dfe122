package import Scoring
package import TraceFormats
package import TraceModel

/// The contents of a file of `run`, `sweep` or `tune`, in any version of its schema: the facts of its
/// root, the figures of each entry, and the sizes of its groups.
package struct ResultsContents: Codable, Sendable {
  package enum Part: String, CaseIterable, Sendable {
    /// The schema alone, of any HDF5 file.
    case schema
    /// The facts of its root.
    case facts
    /// Also the figures of entries, and the sizes of groups.
    case summary
    /// Also the figures of each run.
    case runs
    /// Also each run with its events.
    case events
  }

  /// The figures of an entry, a run, or an operating point of a sweep.
  package struct Row: Codable, Sendable {
    package var name: String
    /// `recorded` or `synthetic`; empty for an operating point.
    package var origin: String
    package var subject = ""
    @StoredList package var figures: [Figure]
  }

  /// A group of the root.
  package struct Group: Codable, Sendable {
    package var name: String
    /// The number of groups in it, and of groups in these.
    package var groups: Int
    package var inner: Int
    /// The rows of its table; 0 without a table, or with columns of several dimensions.
    package var rows: Int
  }

  package struct Run: Codable, Sendable {
    package var entry: String
    package var trace: String
    /// The attributes by name, with those of the tolerance; numbers as they are printed.
    package var facts: [String: String]
    @StoredList package var figures: [Figure] = []
    package var detections = Events()
    package var references = Events()
    @StoredList package var measurements: [Figure] = []
  }

  /// The columns of detections or references, with one value per event. A column that a version of the
  /// schema lacks is absent.
  package struct Events: Codable, Sendable {
    package var count = 0
    package var integers: [String: [Int64]] = [:]
    package var numbers: [String: [Double]] = [:]
    package var texts: [String: [String]] = [:]
  }

  /// An app's run with its outcomes, a column each.
  package struct App: Codable, Sendable {
    package var entry: String
    /// The attributes of the group and of its people.
    package var facts: [String: String]
    package var people: [String: String]
    /// The origin of each person's trace.
    package var origins: [String]
    package var names: [String]
    /// -1 = the whole run.
    package var persons: [Int64]
    package var values: [Double?]
    package var units: [String]
    /// Empty in files of versions without goals.
    package var goals: [String]
  }

  /// E.g. `shadowbox-results/5`.
  package var schema: String
  /// How long the run took; nil = its file does not say.
  package var wallSeconds: Double?
  /// The attributes of the root, by name; numbers as they are printed.
  package var facts: [[String]] = []
  package var rows: [Row] = []
  package var runs: [Row] = []
  package var events: [Run] = []
  package var apps: [App] = []
  package var groups: [Group] = []
}

extension ResultsContents {
  /// The readers that the child process runs, see ``NativeFile/isolate(adding:)``.
  package static var readers: [NativeReaderService.Reader] {
    Part.allCases.map { reader($0).child }
  }

  private static func reader(_ part: Part) -> IsolatedReader<ResultsContents> {
    IsolatedReader("results " + part.rawValue) { path throws(TraceError) in
      try ResultsReader(path).contents(part)
    }
  }

  /// Reads a file in the child process, as ``NativeFile`` reads traces, but with less memory: an event takes
  /// 0.5 kB.
  package static func reading(
    _ path: String, _ part: Part = .summary
  ) throws(TraceError) -> ResultsContents {
    try reader(part).read(path, memory: NativeFile.memory / 4)
  }

  /// The schema that an HDF5 file states; nil where it states none or cannot be read.
  package static func schema(of path: String) -> String? { try? reading(path, .schema).schema }
}

/// Figures as the child process sends them: with infinite bounds, which JSON documents write as null.
@propertyWrapper package struct StoredList: Codable, Sendable {
  private struct Item: Codable {
    var name: String
    var unit: String
    var value: Double?
    var interval: Interval?
    var method: IntervalMethod?
    var count: Int?
    var clusters: Int?
    var cluster: ClusterKind?
    var assumedCorrelation: Double?
  }

  package var wrappedValue: [Figure]

  package init(wrappedValue: [Figure]) { self.wrappedValue = wrappedValue }

  package init(from decoder: any Decoder) throws {
    wrappedValue = try [Item](from: decoder).map { item in
      var estimate = Estimate(
        item.value, item.interval, by: item.method, count: item.count, clusters: item.clusters)
      estimate.clusterKind = item.cluster
      estimate.assumedCorrelation = item.assumedCorrelation
      return Figure(item.name, estimate, unit: item.unit)
    }
  }

  package func encode(to encoder: any Encoder) throws {
    try wrappedValue.map { figure in
      let estimate = figure.estimate
      return Item(
        name: figure.name, unit: figure.unit, value: estimate.value, interval: estimate.interval,
        method: estimate.method, count: estimate.count, clusters: estimate.clusters,
        cluster: estimate.clusterKind, assumedCorrelation: estimate.assumedCorrelation)
    }.encode(to: encoder)
  }
}
