internal import TraceModel

struct FixtureRows {
  /// The time of the next row if its interval is the usual one.
  private var expected: Int64
  private let step: Int64
  private let hasArrivals: Bool
  private var measured: [Int64] = []
  private var arrived: [Int64] = []

  init(start: Int64, step: Int64, hasArrivals: Bool) {
    expected = start
    self.step = step
    self.hasArrivals = hasArrivals
  }

  private var times: TimeColumns {
    TimeColumns(measured: measured, arrived: hasArrivals ? arrived : nil)
  }

  mutating func block(
    of channel: Channel, _ scanner: inout FixtureScanner
  ) throws(TraceError) -> ChannelBlock {
    switch ChannelBlock(emptyFor: channel) {
    case .vector: .vector(try vectors(&scanner))
    case .fix: .fix(try values(&scanner))
    case .local: .local(try values(&scanner))
    case .scalar: .scalar(try values(&scanner))
    case .heartbeat: .heartbeat(try values(&scanner))
    case .touch: .touch(try values(&scanner))
    case .action: .action(try values(&scanner))
    }
  }

  private mutating func readTimes(_ scanner: inout FixtureScanner) throws(TraceError) {
    // Sums wrap around as the differences do.
    let time =
      expected &+ (try scanner.integer("an integer: ns beyond the usual interval", as: Int64.self))
    measured.append(time)
    expected = time &+ step
    guard hasArrivals else { return }
    arrived.append(
      time &+ (try scanner.integer("an integer: ns until the arrival", as: Int64.self)))
  }

  private mutating func vectors(
    _ scanner: inout FixtureScanner
  ) throws(TraceError) -> VectorColumns {
    var (x, y, z): ([Float], [Float], [Float]) = ([], [], [])
    while scanner.isAtRow {
      try readTimes(&scanner)
      x.append(try scanner.number("x"))
      y.append(try scanner.number("y"))
      z.append(try scanner.number("z"))
      try scanner.endLine()
    }
    return VectorColumns(times: times, x: x, y: y, z: z)
  }

  private mutating func values<Value: FixtureValue>(
    _ scanner: inout FixtureScanner
  ) throws(TraceError) -> ValueColumns<Value> {
    var values: [Value] = []
    while scanner.isAtRow {
      try readTimes(&scanner)
      values.append(try Value(&scanner))
      try scanner.endLine()
    }
    return ValueColumns(times: times, values: values)
  }
}
