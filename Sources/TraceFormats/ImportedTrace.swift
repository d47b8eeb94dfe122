public import TraceModel

/// A trace that was read from a file of another format.
///
/// Its readings are read block by block, because they may exceed the memory.
public struct ImportedTrace: Sendable {
  /// The header. Its channels are always those of the readings.
  public var header: TraceHeader
  public internal(set) var report: ImportReport
  /// The file's own clock at the trace's zero in nanoseconds: the value subtracted from every time.
  public internal(set) var origin: Int64
  /// Whether labels count on the file's clock although the epoch is known.
  var labelsFollowFileClock = false
  private var readings: Readings

  private enum Readings: Sendable {
    case assembled(AssembledReadings)
    case whole(Trace)
  }

  init(header: TraceHeader, readings: AssembledReadings, report: ImportReport, origin: Int64) {
    (self.header, self.readings) = (header, .assembled(readings))
    (self.report, self.origin) = (report, origin)
  }

  /// Creates an imported trace from one in memory.
  init(_ trace: Trace, report: ImportReport = ImportReport()) {
    (header, readings, self.report, origin) = (trace.header, .whole(trace), report, 0)
  }

  /// Creates an imported trace from one that its format stores whole.
  init(whole trace: Trace, unread: [String] = [], _ options: RecordingOptions) {
    var trace = trace
    if options.sort { trace.sortByArrival() }
    if let id = options.id { trace.header.id = id }
    var report = ImportReport()
    report.samples = trace.header.channels.reduce(0) { $0 + $1.count }
    report.recordsRead = report.samples
    report.unmappedColumns = unread
    self.init(trace, report: report)
  }

  /// The origin to pass to ``LabelReader/read(_:for:origin:)`` for labels made on this file.
  ///
  /// Labels count from the zero of a relative clock, even if another file states its wall time
  /// (phyphox). With an absolute clock (ISO times, Unix times) they count from the recording's
  /// start, which already is the trace's zero.
  public var labelOrigin: Int64 { header.isEpochKnown && !labelsFollowFileClock ? 0 : origin }

  /// The whole trace in memory.
  /// - Throws: kind `.inputOutput` if readings in a temporary file cannot be read.
  public var trace: Trace {
    get throws(TraceError) {
      switch readings {
      case .assembled(let readings):
        return try Trace(reading: AssemblySource(header, readings))
      case .whole(var trace):
        trace.header = header(of: trace.header.channels)
        return trace
      }
    }
  }

  /// The readings block by block; each call starts from the beginning.
  public var source: any TraceSource {
    switch readings {
    case .assembled(let readings): return AssemblySource(header, readings)
    case .whole(var trace):
      trace.header = header(of: trace.header.channels)
      return MemorySource(trace)
    }
  }

  /// Replaces readings and header by those of a trace derived from this one.
  package mutating func replaceReadings(by trace: Trace) {
    header = trace.header
    readings = .whole(trace)
  }

  /// Sorts the readings of every channel by arrival (stable), in memory.
  mutating func sortByArrival() throws(TraceError) {
    var trace = try trace
    trace.sortByArrival()
    readings = .whole(trace)
  }

  private func header(of channels: [ChannelInfo]) -> TraceHeader {
    var header = header
    header.channels = channels
    return header
  }

  /// Reads the chunks of an assembly one after the other.
  private final class AssemblySource: TraceSource {
    let header: TraceHeader
    private let readings: AssembledReadings
    private var next: [Channel: Int] = [:]
    private var rest: [Channel: ChannelBlock] = [:]

    init(_ header: TraceHeader, _ readings: AssembledReadings) {
      (self.header, self.readings) = (header, readings)
    }

    func nextBlock(of channel: Channel, limit: Int) throws(TraceError) -> ChannelBlock? {
      let block: ChannelBlock
      if let left = rest[channel], !left.isEmpty {
        block = left
      } else {
        let index = next[channel, default: 0]
        let hasArrivalTimes = header.info(channel)?.hasArrivalTimes ?? false
        guard
          let chunk = try readings.block(index, of: channel, hasArrivalTimes: hasArrivalTimes)
        else { return nil }
        next[channel] = index + 1
        block = chunk
      }
      let end = block.range.lowerBound + min(max(limit, 1), block.count)
      rest[channel] = block[end..<block.range.upperBound]
      return block[block.range.lowerBound..<end]
    }
  }
}
