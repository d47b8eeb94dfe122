internal import HDF5
internal import TraceModel

/// Writes the readings of one channel as they come.
final class ChannelWriter {
  private let info: ChannelInfo
  private let place: String
  private let table: TableWriter
  private let times: BufferedColumn<Int64>
  private let arrivals: BufferedColumn<Int64>?
  private let values: [any BlockColumn]
  private let end: StatedEnd
  private var count = 0

  init(
    _ info: ChannelInfo, in root: HDF5Group, epoch: String, end: StatedEnd, isPacked: Bool
  ) throws(HDF5Error) {
    let group = try root.createGroup(info.channel.name)
    for (name, text) in info.attributes.sorted(by: { $0.key < $1.key }) {
      try group.setAttribute(name, text)
    }
    let table = TableWriter(group, count: info.count, isPacked: isPacked)
    (self.info, self.end, self.table) = (info, end, table)
    place = "\(root.file.path):\(group.path)"
    times = BufferedColumn(
      try table.makeDimension(NativeSchema.time.asTime(epoch: epoch), of: Int64.self)
    ) { $0.measuredTimes[$0.range] }
    arrivals =
      info.hasArrivalTimes
      ? BufferedColumn(
        try table.makeColumn(NativeSchema.arrived.asTime(epoch: epoch), of: Int64.self)
      ) { ($0.arrivedTimes ?? $0.measuredTimes)[$0.range] } : nil
    values = try Self.makeValues(info.channel, table)
  }

  private static func makeValues(
    _ channel: Channel, _ table: TableWriter
  ) throws(HDF5Error) -> [any BlockColumn] {
    var rest = NativeSchema.columns(of: channel)[...]
    /// The next column, with the field of a value that it holds.
    func next<Value: WholeValue, Element: HDF5Number>(
      _ field: @escaping (Value) -> Element
    ) throws(HDF5Error) -> any BlockColumn {
      let dataset = try table.makeColumn(rest.removeFirst(), of: Element.self)
      return BufferedColumn(dataset) { block in
        Value.columns(of: block)?.values[block.range].map(field)[...]
      }
    }
    func axis(_ axis: @escaping (VectorColumns) -> [Float]) throws(HDF5Error) -> any BlockColumn {
      let dataset = try table.makeColumn(rest.removeFirst(), of: Float.self)
      return BufferedColumn(dataset) { block in
        VectorColumns(block).map { axis($0)[block.range] }
      }
    }
    switch ChannelBlock(emptyFor: channel) {
    case .vector: return try [axis(\.x), axis(\.y), axis(\.z)]
    case .fix: return try fixFields.map { field throws(HDF5Error) in try next(field) }
    case .local: return try [next(\LocalPosition.x), next(\LocalPosition.y)]
    case .scalar: return try [next(\Scalar.value), next(\Scalar.accuracy)]
    case .heartbeat: return try [next(\Heartbeat.peer), next(\Heartbeat.sequence)]
    case .touch:
      return try [
        next(\Touch.x), next(\Touch.y), next(\Touch.phase.rawValue), next(\Touch.pointer),
      ]
    case .action: return try [next(\Action.rawValue)]
    }
  }

  func append(_ block: ChannelBlock) throws(TraceError) {
    count += block.count
    guard count <= info.count else { throw miscounted("more") }
    guard block.arrivedTimes == nil || arrivals != nil else {
      throw TraceError(
        place: place, expected: "no arrival times, as the header states", found: "arrival times")
    }
    let start = block.range.lowerBound
    guard values.allSatisfy({ $0.accepts(block[start..<start]) }) else {
      throw TraceError(
        place: place, expected: "columns of \(info.channel.name)",
        found: "columns of another channel")
    }
    try end.check(block, of: info.channel)
    try writing { () throws(HDF5Error) in
      try times.append(block)
      try arrivals?.append(block)
      for column in values { try column.append(block) }
    }
  }

  func finish() throws(TraceError) {
    guard count == info.count else { throw miscounted("\(count)") }
    try writing { () throws(HDF5Error) in
      try times.flush()
      try arrivals?.flush()
      for column in values { try column.flush() }
      try table.finish()
    }
  }

  private func miscounted(_ found: String) -> TraceError {
    TraceError(place: place, expected: "\(info.count) readings, as the header states", found: found)
  }
}

/// A column that is filled from blocks.
private protocol BlockColumn {
  /// Whether the block has the kind of columns of the channel.
  func accepts(_ block: ChannelBlock) -> Bool
  func append(_ block: ChannelBlock) throws(HDF5Error)
  func flush() throws(HDF5Error)
}

/// A column that is written in whole chunks, so that the file's bytes depend only on the values.
private final class BufferedColumn<Element: HDF5Number>: BlockColumn {
  private let dataset: HDF5Dataset
  private let values: (ChannelBlock) -> ArraySlice<Element>?
  private var buffer: [Element] = []
  private var written = 0

  /// - Parameter values: the column's part of a block; nil = the block has other columns.
  init(_ dataset: HDF5Dataset, _ values: @escaping (ChannelBlock) -> ArraySlice<Element>?) {
    (self.dataset, self.values) = (dataset, values)
  }

  func accepts(_ block: ChannelBlock) -> Bool { values(block) != nil }

  func append(_ block: ChannelBlock) throws(HDF5Error) {
    var rest = values(block) ?? []
    while !rest.isEmpty {
      let part = rest.prefix(NativeSchema.chunkRows - buffer.count)
      buffer.append(contentsOf: part)
      rest = rest[part.endIndex...]
      if buffer.count == NativeSchema.chunkRows { try flush() }
    }
  }

  func flush() throws(HDF5Error) {
    try dataset.write(buffer, at: [written], count: [buffer.count])
    written += buffer.count
    buffer.removeAll(keepingCapacity: true)
  }
}
