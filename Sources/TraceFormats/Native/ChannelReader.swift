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

  init(_ channel: Channel, _ group: HDF5Group, epoch: String, end: StatedEnd) throws(TraceError) {
    self.end = end
    let table = try TableReader(group, epoch: epoch, first: NativeSchema.time)
    times = try table.timeDataset(NativeSchema.time)
    arrivals = try table.timeDataset(NativeSchema.arrived.optional)
    let schema = NativeSchema.columns(of: channel)
    let columns = try schema.map { column throws(TraceError) in
      try table.dataset(column, as: Self.type(of: column, in: channel))
    }
    self.columns = columns
    flags = try schema.firstIndex { $0.flags != nil }
      .flatMap { index throws(TraceError) in try columns[index].map(table.flags) }
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

  func block(_ rows: Range<Int>) throws(TraceError) -> ChannelBlock {
    let block = try storedBlock(rows)
    try end.check(block, of: info.channel)
    return block
  }

  private func storedBlock(_ rows: Range<Int>) throws(TraceError) -> ChannelBlock {
    let times = TimeColumns(
      measured: try read(times, rows) ?? [], arrived: try read(arrivals, rows))
    func whole<Value: WholeValue>(_ value: (Int) -> Value) -> ValueColumns<Value> {
      ValueColumns(times: times, values: (0..<rows.count).map(value))
    }
    switch ChannelBlock(emptyFor: info.channel) {
    case .vector:
      return .vector(
        VectorColumns(
          times: times, x: try column(0, rows), y: try column(1, rows), z: try column(2, rows)))
    case .fix:
      let fields = try doubles(rows)
      return .fix(
        whole {
          Fix(
            latitude: fields[0][$0], longitude: fields[1][$0], altitude: fields[2][$0],
            horizontalAccuracy: fields[3][$0], speed: fields[4][$0], speedAccuracy: fields[5][$0],
            course: fields[6][$0])
        })
    case .local:
      let fields = try doubles(rows)
      return .local(whole { LocalPosition(x: fields[0][$0], y: fields[1][$0]) })
    case .scalar:
      let fields = try doubles(rows)
      return .scalar(whole { Scalar(value: fields[0][$0], accuracy: fields[1][$0]) })
    case .heartbeat:
      let peers: [Int32] = try read(columns[0], rows) ?? []
      let sequences: [Int64]? = try read(columns[1], rows)
      return .heartbeat(whole { Heartbeat(peer: peers[$0], sequence: sequences?[$0] ?? -1) })
    case .touch:
      let (x, y): ([Double], [Double]) = (try column(0, rows), try column(1, rows))
      let phases = try decoded(2, rows) { Touch.Phase(name: $0) }
      let pointers: [Int32]? = try read(columns[3], rows)
      return .touch(
        whole { Touch(x: x[$0], y: y[$0], phase: phases[$0], pointer: pointers?[$0] ?? 0) })
    case .action:
      let actions = try decoded(0, rows) { Action(name: $0) }
      return .action(whole { actions[$0] })
    }
  }

  /// A column of codes by their names.
  private func decoded<Element>(
    _ index: Int, _ rows: Range<Int>, _ element: (String) -> Element?
  ) throws(TraceError) -> [Element] {
    let codes: [Int32] = try read(columns[index], rows) ?? []
    return try table.decode(
      codes, flags ?? FlagTable([:]), NativeSchema.columns(of: info.channel)[index],
      from: rows.lowerBound, element)
  }

  private func doubles(_ rows: Range<Int>) throws(TraceError) -> [[Double]] {
    try columns.indices.map { index throws(TraceError) in try column(index, rows) }
  }

  /// Returns a column of floats; NaN if the file lacks it.
  private func column<Element: HDF5Number & BinaryFloatingPoint>(
    _ index: Int, _ rows: Range<Int>
  ) throws(TraceError) -> [Element] {
    try read(columns[index], rows) ?? [Element](repeating: .nan, count: rows.count)
  }

  private func read<Element: HDF5Number>(
    _ dataset: HDF5Dataset?, _ rows: Range<Int>
  ) throws(TraceError) -> [Element]? {
    try dataset.map { dataset throws(TraceError) in try stored(dataset.read(rows)) }
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
