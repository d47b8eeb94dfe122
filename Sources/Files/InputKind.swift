/// The kinds of files that commands read. SECURITY.md has a row for each, and what it may cause.
package enum InputKind: String, CaseIterable, Sendable {
  case suite
  /// Of `run`: HDF5, or the JSON that it prints.
  case results = "results file"
  case sweep = "sweep file"
  case tuning = "tune file"
  case comparison
  case parameters = "parameter file"
  case profiles = "file of profiles"
  case day = "profile of a day"
  case scenarios = "file of scenarios"
  case decisions = "file of decisions"
  /// The database, or its export.
  case history
  case module = "module built by Sources/WebAssembly/build --detector"
  case trace = "native trace"
  case recording
  case labels = "label file"
  case recordingTable = "table of recordings"
  case cache
  /// A page, a picture or a table that a command may replace.
  case earlierOutput = "earlier output"

  /// Whether the programs that it names may be started without `--allow-programs`.
  package var mayNamePrograms: Bool { self == .suite }
}
