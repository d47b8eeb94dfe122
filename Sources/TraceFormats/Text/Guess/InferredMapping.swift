import TraceModel

/// The mapping of a plain CSV, taken from the names, units and values of its columns.
public struct InferredMapping: Sendable, Hashable {
  public var mapping: CSVMapping
  /// Whether `x`, `y` and `z` include gravity; nil = the mapping has none.
  public var gravity: GravityStatement?
  /// Whether numeric times count from 1970-01-01T00:00:00Z.
  public var countsFromUnixEpoch: Bool
  /// The evidence that decided if the names alone did not, one sentence each.
  public var evidence: [String]
  /// Columns with several interpretations, with the entries that would map them, one sentence each.
  public var leftOut: [String]

  /// The options that state the same on the command line: `--map 'time=t,x=ax[g]' --gravity
  /// included`.
  public var commandLine: String {
    Self.commandLine(
      mapping.entries, gravity: gravity?.rawValue, countsFromUnixEpoch: countsFromUnixEpoch)
  }

  /// - Parameter gravity: the value of `--gravity`; nil = the option is not needed.
  static func commandLine(
    _ entries: [CSVMapping.Entry], gravity: String?, countsFromUnixEpoch: Bool
  ) -> String {
    "--map '\(CSVMapping(entries: entries))'"
      + (countsFromUnixEpoch ? " --epoch unix" : "") + (gravity.map { " --gravity \($0)" } ?? "")
  }
}

extension TraceError {
  /// The requirement for inferring a mapping.
  private static let oneMeaning = "columns with one possible meaning"

  /// Whether the only fault is the missing statement of a mapping.
  package var asksForMapping: Bool { expected == Self.oneMeaning }

  static func unclearColumns(place: String, found: String, remedy: String) -> TraceError {
    TraceError(place: place, expected: oneMeaning, found: found, remedy: remedy)
  }
}

extension CSVOptions {
  /// Fills in what the user did not state.
  mutating func adopt(_ inferred: InferredMapping) {
    mapping = inferred.mapping
    if channel == nil, gravity == nil { gravity = inferred.gravity }
    epochUnix = epochUnix || inferred.countsFromUnixEpoch
  }
}
