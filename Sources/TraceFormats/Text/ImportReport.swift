public import TraceModel

/// What became of a file's records on the way into a trace.
public struct ImportReport: Sendable, Equatable {
  /// Records that were damaged and therefore left out.
  public struct Losses: Sendable, Equatable {
    public internal(set) var count = 0
    /// The first 20, with file and line.
    public internal(set) var first: [TraceError] = []

    static let mostKept = 20

    init() {}

    /// Losses that were not found in the order of the file.
    /// - Parameter losses: with the first of each kind among them.
    init(count: Int, first losses: [(line: Int, error: TraceError)]) {
      self.count = count
      first = losses.sorted { $0.line < $1.line }.prefix(Losses.mostKept).map(\.error)
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
  /// Readings that the file marks as missing (NaN or an empty cell), where that is no damage.
  public internal(set) var missing = 0
  /// Records at the time of the record before.
  public internal(set) var duplicatedTimes = 0
  /// Records before the time of the record before.
  public internal(set) var backwardTimes = 0
  /// What the file has and the trace has not: names of columns or of elements, in file order.
  public internal(set) var unmappedColumns: [String] = []
  /// What only the source shows and a check of the trace could not find: hidden pauses, checksums.
  public internal(set) var findings: [Finding] = []
  /// What else a person should know, one sentence each.
  public internal(set) var notes: [String] = []

  public init() {}
}
