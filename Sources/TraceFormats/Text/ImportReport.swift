public import TraceModel

/// The report on how a file's records became a trace.
public struct ImportReport: Sendable, Equatable {
  /// The records that were left out because of damage.
  public struct Losses: Sendable, Equatable {
    public internal(set) var count = 0
    /// The first 20, with file and line.
    public internal(set) var first: [TraceError] = []

    static let mostKept = 20

    init() {}

    /// Creates losses that were not found in file order.
    /// - Parameter losses: must include the first ones of each kind.
    init(count: Int, first losses: [(line: Int, error: TraceError)]) {
      self.count = count
      first = losses.sorted { $0.line < $1.line }.prefix(Losses.mostKept).map(\.error)
    }

    mutating func add(_ others: Losses) {
      count += others.count
      first = Array((first + others.first).prefix(Losses.mostKept))
    }

    mutating func add(_ error: TraceError) {
      count += 1
      if first.count < Losses.mostKept { first.append(error) }
    }
  }

  /// Records in the file (of this part, where it was split), damaged ones included: data lines of
  /// a CSV, track points of a GPX.
  public internal(set) var recordsRead = 0
  /// Readings in the trace, over all its channels.
  public internal(set) var samples = 0
  public internal(set) var losses = Losses()
  /// Readings that the file marks as missing (NaN or an empty cell), where that is not damage.
  public internal(set) var missing = 0
  /// The number of records at the previous record's time.
  public internal(set) var duplicatedTimes = 0
  /// The number of records before the previous record's time.
  public internal(set) var backwardTimes = 0
  /// The columns or elements of the file that the trace does not have, in file order.
  public internal(set) var unmappedColumns: [String] = []
  /// The findings that only the source shows, such as hidden pauses and checksums.
  public internal(set) var findings: [Finding] = []
  /// The mapping of a plain CSV for which none was given; ``notes`` reports it too.
  public internal(set) var inferredMapping: InferredMapping?
  /// Notes for the user, one sentence each.
  public internal(set) var notes: [String] = []

  public init() {}

  /// Counts a record whose time does not increase.
  mutating func count(_ time: Int64, after last: Int64?) {
    guard let last else { return }
    if time == last { duplicatedTimes += 1 }
    if time < last { backwardTimes += 1 }
  }

  mutating func add(_ inferred: InferredMapping?) {
    guard let inferred else { return }
    inferredMapping = inferred
    notes =
      ["Columns taken: \(inferred.commandLine)."] + inferred.evidence + inferred.leftOut + notes
  }
}
