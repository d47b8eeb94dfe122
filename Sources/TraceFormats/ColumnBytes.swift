import TraceModel

/// The columns of a block as their bytes in memory: for temporary files and for pipes between two
/// processes of one program, never for permanent files.
///
/// Sink and source return the error or nil, because closures of arrays do not support typed errors.
enum ColumnBytes {
  typealias Sink = (UnsafeRawBufferPointer) -> TraceError?
  typealias Source = (UnsafeMutableRawBufferPointer) -> TraceError?

  /// Writes the window of `block`: measured times, arrival times where it has them, then its values.
  static func write(_ block: ChannelBlock, to sink: Sink) throws(TraceError) {
    let range = block.range
    try put(block.measuredTimes, range, sink)
    if let arrived = block.arrivedTimes { try put(arrived, range, sink) }
    switch block {
    case .vector(let columns):
      try put(columns.x, range, sink)
      try put(columns.y, range, sink)
      try put(columns.z, range, sink)
    case .fix(let columns): try put(columns.values, range, sink)
    case .local(let columns): try put(columns.values, range, sink)
    case .scalar(let columns): try put(columns.values, range, sink)
    case .heartbeat(let columns): try put(columns.values, range, sink)
    case .touch(let columns):
      try put(columns.values.map(\.x), range, sink)
      try put(columns.values.map(\.y), range, sink)
      try put(columns.values.map(\.phase.rawValue), range, sink)
      try put(columns.values.map(\.pointer), range, sink)
    case .action(let columns):
      try put(columns.values.map(\.rawValue), range, sink)
    }
  }

  /// Reads what ``write(_:to:)`` wrote of a block of `count` readings.
  static func read(
    _ channel: Channel, count: Int, hasArrivalTimes: Bool, from source: Source
  ) throws(TraceError) -> ChannelBlock {
    let measured = try take(count, 0 as Int64, source)
    let arrived = hasArrivalTimes ? try take(count, 0 as Int64, source) : nil
    let times = TimeColumns(measured: measured, arrived: arrived)
    switch ChannelBlock(emptyFor: channel) {
    case .vector:
      let x = try take(count, 0 as Float, source)
      let y = try take(count, 0 as Float, source)
      let z = try take(count, 0 as Float, source)
      return .vector(VectorColumns(times: times, x: x, y: y, z: z))
    case .fix: return .fix(try take(times, Fix(latitude: .nan, longitude: .nan), source))
    case .local: return .local(try take(times, LocalPosition(x: .nan, y: .nan), source))
    case .scalar: return .scalar(try take(times, Scalar(value: .nan), source))
    case .heartbeat: return .heartbeat(try take(times, Heartbeat(peer: 0, sequence: 0), source))
    case .touch: return .touch(try takeTouches(count, times, source))
    case .action:
      let codes = try take(count, 0 as Int8, source)
      let values = codes.compactMap { Action(rawValue: $0) }
      guard values.count == count else {
        throw TraceError(place: channel.name, expected: "codes of actions", found: "another code")
      }
      return .action(ActionColumns(times: times, values: values))
    }
  }

  private static func takeTouches(
    _ count: Int, _ times: TimeColumns, _ source: Source
  ) throws(TraceError) -> TouchColumns {
    let x = try take(count, 0 as Double, source)
    let y = try take(count, 0 as Double, source)
    let phases = try take(count, 0 as Int8, source).compactMap { Touch.Phase(rawValue: $0) }
    let pointers = try take(count, 0 as Int32, source)
    guard phases.count == count else {
      throw TraceError(
        place: Channel.touch.name, expected: "codes of phases", found: "another code")
    }
    let touches = (0..<count).map {
      Touch(x: x[$0], y: y[$0], phase: phases[$0], pointer: pointers[$0])
    }
    return TouchColumns(times: times, values: touches)
  }

  static func write(_ track: ReferenceTrack, to sink: Sink) throws(TraceError) {
    let range = track.times.indices
    try put(track.times, range, sink)
    try put(track.latitudes, range, sink)
    try put(track.longitudes, range, sink)
  }

  static func readTrack(count: Int, from source: Source) throws(TraceError) -> ReferenceTrack {
    let times = try take(count, 0 as Int64, source)
    let latitudes = try take(count, 0 as Double, source)
    let longitudes = try take(count, 0 as Double, source)
    return ReferenceTrack(times: times, latitudes: latitudes, longitudes: longitudes)
  }

  private static func put<Element: BitwiseCopyable>(
    _ column: [Element], _ range: Range<Int>, _ sink: Sink
  ) throws(TraceError) {
    let error = column[range].withUnsafeBytes { sink($0) }
    if let error { throw error }
  }

  private static func take<Value: WholeValue & BitwiseCopyable>(
    _ times: TimeColumns, _ placeholder: Value, _ source: Source
  ) throws(TraceError) -> ValueColumns<Value> {
    ValueColumns(times: times, values: try take(times.measured.count, placeholder, source))
  }

  private static func take<Element: BitwiseCopyable>(
    _ count: Int, _ placeholder: Element, _ source: Source
  ) throws(TraceError) -> [Element] {
    var column = [Element](repeating: placeholder, count: count)
    let error = column.withUnsafeMutableBytes { source($0) }
    if let error { throw error }
    return column
  }
}
