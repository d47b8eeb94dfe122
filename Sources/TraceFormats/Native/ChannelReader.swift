internal import HDF5
internal import TraceModel

/// Reads the readings of one channel.
struct ChannelReader {
  let info: ChannelInfo
  /// The paths in the group that are not read.
  let unread: [String]
  private let table: TableReader
  private let times: HDF5Dataset?
  private let arrivals: HDF5Dataset?
  /// In the order of the schema; nil = the file lacks the column.
  private let columns: [HDF5Dataset?]
  private let flags: FlagTable?
  private let end: StatedEnd
  private var position = 0

  init(
    _ channel: Channel, _ group: HDF5Group, epoch: String, end: StatedEnd
  ) throws(TraceError) {
    self.end = end
    let table = try TableReader(group, epoch: epoch, first: NativeSchema.time)
    times = try table.timeDataset(NativeSchema.time)
    var arrived = NativeSchema.arrived
    arrived.isRequired = false
    arrivals = try table.timeDataset(arrived)
    var columns: [HDF5Dataset?] = []
    for column in NativeSchema.columns(of: channel) {
      columns.append(try table.dataset(column, as: Self.type(of: column, in: channel)))
    }
    self.columns = columns
    flags =
      switch channel {
      case .action: try columns[0].map(table.flags)
      case .touch: try columns[2].map(table.flags)
      default: nil
      }
    self.table = table
    let (attributes, others) = try Self.attributes(of: group)
    unread = try table.unread() + others
    info = ChannelInfo(
      channel: channel, count: table.rows, hasArrivalTimes: arrivals != nil,
      attributes: attributes)
  }

  var count: Int { info.count }

  /// Returns the next readings; nil = there are no more.
  mutating func nextBlock(limit: Int) throws(TraceError) -> ChannelBlock? {
    guard position < count else { return nil }
    let rows = position..<(position + min(limit, count - position))
    let block = try block(rows)
    position = rows.upperBound
    return block
  }

  /// Returns the readings of those rows.
  func block(_ rows: Range<Int>) throws(TraceError) -> ChannelBlock {
    let block = try storedBlock(rows)
    try end.check(block, of: info.channel)
    return block
  }

  private func storedBlock(_ rows: Range<Int>) throws(TraceError) -> ChannelBlock {
    let times = TimeColumns(
      measured: try read(times, rows) ?? [], arrived: try read(arrivals, rows))
    switch ChannelBlock(emptyFor: info.channel) {
    case .vector: return .vector(try vectors(rows, times))
    case .fix: return .fix(try fixes(rows, times))
    case .local: return .local(try positions(rows, times))
    case .scalar: return .scalar(try scalars(rows, times))
    case .heartbeat: return .heartbeat(try heartbeats(rows, times))
    case .touch: return .touch(try touches(rows, times))
    case .action: return .action(try actions(rows, times))
    }
  }

  private func vectors(
    _ rows: Range<Int>, _ times: TimeColumns
  ) throws(TraceError) -> VectorColumns {
    VectorColumns(
      times: times, x: try column(0, rows), y: try column(1, rows), z: try column(2, rows))
  }

  private func fixes(_ rows: Range<Int>, _ times: TimeColumns) throws(TraceError) -> FixColumns {
    var values: [[Double]] = []
    for index in columns.indices { values.append(try column(index, rows)) }
    let fixes = (0..<rows.count).map {
      Fix(
        latitude: values[0][$0], longitude: values[1][$0], altitude: values[2][$0],
        horizontalAccuracy: values[3][$0], speed: values[4][$0], speedAccuracy: values[5][$0],
        course: values[6][$0])
    }
    return FixColumns(times: times, values: fixes)
  }

  private func positions(
    _ rows: Range<Int>, _ times: TimeColumns
  ) throws(TraceError) -> LocalColumns {
    let x: [Double] = try column(0, rows)
    let y: [Double] = try column(1, rows)
    return LocalColumns(times: times, values: zip(x, y).map { LocalPosition(x: $0, y: $1) })
  }

  private func scalars(
    _ rows: Range<Int>, _ times: TimeColumns
  ) throws(TraceError) -> ScalarColumns {
    let values: [Double] = try column(0, rows)
    let accuracies: [Double] = try column(1, rows)
    return ScalarColumns(
      times: times, values: zip(values, accuracies).map { Scalar(value: $0, accuracy: $1) })
  }

  private func heartbeats(
    _ rows: Range<Int>, _ times: TimeColumns
  ) throws(TraceError) -> HeartbeatColumns {
    let peers: [Int32] = try read(columns[0], rows) ?? []
    let sequences: [Int64] =
      try read(columns[1], rows) ?? [Int64](repeating: -1, count: rows.count)
    return HeartbeatColumns(
      times: times, values: zip(peers, sequences).map { Heartbeat(peer: $0, sequence: $1) })
  }

  private func touches(
    _ rows: Range<Int>, _ times: TimeColumns
  ) throws(TraceError) -> TouchColumns {
    let x: [Double] = try column(0, rows)
    let y: [Double] = try column(1, rows)
    let codes: [Int32] = try read(columns[2], rows) ?? []
    let phases = try table.decode(
      codes, flags ?? .phases, NativeSchema.phase, from: rows.lowerBound
    ) { Touch.Phase(name: $0) }
    let pointers: [Int32] =
      try read(columns[3], rows) ?? [Int32](repeating: 0, count: rows.count)
    let touches = (0..<rows.count).map {
      Touch(x: x[$0], y: y[$0], phase: phases[$0], pointer: pointers[$0])
    }
    return TouchColumns(times: times, values: touches)
  }

  private func actions(
    _ rows: Range<Int>, _ times: TimeColumns
  ) throws(TraceError) -> ActionColumns {
    let codes: [Int32] = try read(columns[0], rows) ?? []
    let actions = try table.decode(
      codes, flags ?? .actions, NativeSchema.action, from: rows.lowerBound
    ) { Action(name: $0) }
    return ActionColumns(times: times, values: actions)
  }

  /// A column of floats; NaN where the file lacks it.
  private func column<Element: HDF5Number & BinaryFloatingPoint>(
    _ index: Int, _ rows: Range<Int>
  ) throws(TraceError) -> [Element] {
    try read(columns[index], rows) ?? [Element](repeating: .nan, count: rows.count)
  }

  private func read<Element: HDF5Number>(
    _ dataset: HDF5Dataset?, _ rows: Range<Int>
  ) throws(TraceError) -> [Element]? {
    guard let dataset else { return nil }
    return try reading { () throws(HDF5Error) in try dataset.read(rows) }
  }

  private static func type(of column: NativeColumn, in channel: Channel) -> HDF5NumberType {
    switch ChannelBlock(emptyFor: channel) {
    case .vector: .float32
    case .fix, .local, .scalar: .float64
    case .heartbeat: column.name == NativeSchema.sequence.name ? .int64 : .int32
    case .touch: ["x", "y"].contains(column.name) ? .float64 : .int32
    case .action: .int32
    }
  }

  /// Returns the channel's own attributes: the texts among those of its group.
  private static func attributes(
    of group: HDF5Group
  ) throws(TraceError) -> (texts: [String: String], others: [String]) {
    try reading { () throws(HDF5Error) in
      var texts: [String: String] = [:]
      var others: [String] = []
      for name in try group.attributeNames() {
        do throws(HDF5Error) {
          texts[name] = try group.textAttribute(name)
        } catch {
          others.append("\(group.path)@\(name)")
        }
      }
      return (texts, others)
    }
  }
}
