internal import HDF5
internal import TraceModel

/// Writes the readings of one channel as they come.
final class ChannelWriter {
  private let info: ChannelInfo
  private let place: String
  private let table: TableWriter
  private let times: BufferedColumn<Int64>
  private let arrivals: BufferedColumn<Int64>?
  private let values: Values
  private let end: StatedEnd
  private var count = 0

  private enum Values {
    case vectors([BufferedColumn<Float>])
    case fixes([BufferedColumn<Double>])
    case positions([BufferedColumn<Double>])
    case scalars([BufferedColumn<Double>])
    case heartbeats(peers: BufferedColumn<Int32>, sequences: BufferedColumn<Int64>)
    case touches(
      x: BufferedColumn<Double>, y: BufferedColumn<Double>, phases: BufferedColumn<Int8>,
      pointers: BufferedColumn<Int32>)
    case actions(BufferedColumn<Int8>)
  }

  init(
    _ info: ChannelInfo, in root: HDF5Group, epoch: String, end: StatedEnd
  ) throws(HDF5Error) {
    let group = try root.createGroup(info.channel.name)
    for (name, text) in info.attributes.sorted(by: { $0.key < $1.key }) {
      try group.setAttribute(name, text)
    }
    let table = TableWriter(group, count: info.count)
    self.info = info
    self.end = end
    self.table = table
    place = "\(root.file.path):\(group.path)"
    times = BufferedColumn(
      try table.makeDimension(NativeSchema.time.asTime(epoch: epoch), of: Int64.self))
    arrivals =
      info.hasArrivalTimes
      ? BufferedColumn(
        try table.makeColumn(NativeSchema.arrived.asTime(epoch: epoch), of: Int64.self)) : nil
    values = try Self.makeValues(info.channel, table)
  }

  private static func makeValues(
    _ channel: Channel, _ table: TableWriter
  ) throws(HDF5Error) -> Values {
    let columns = NativeSchema.columns(of: channel)
    switch ChannelBlock(emptyFor: channel) {
    case .vector: return .vectors(try makeColumns(columns, table))
    case .fix: return .fixes(try makeColumns(columns, table))
    case .local: return .positions(try makeColumns(columns, table))
    case .scalar: return .scalars(try makeColumns(columns, table))
    case .heartbeat:
      return .heartbeats(
        peers: BufferedColumn(try table.makeColumn(NativeSchema.peer, of: Int32.self)),
        sequences: BufferedColumn(try table.makeColumn(NativeSchema.sequence, of: Int64.self)))
    case .touch:
      let coordinates: [BufferedColumn<Double>] = try makeColumns(Array(columns[..<2]), table)
      let phases = try table.makeColumn(NativeSchema.phase, of: Int8.self)
      try phases.setFlags(.phases, as: Int8.self)
      return .touches(
        x: coordinates[0], y: coordinates[1], phases: BufferedColumn(phases),
        pointers: BufferedColumn(try table.makeColumn(NativeSchema.pointer, of: Int32.self)))
    case .action:
      let dataset = try table.makeColumn(NativeSchema.action, of: Int8.self)
      try dataset.setFlags(.actions, as: Int8.self)
      return .actions(BufferedColumn(dataset))
    }
  }

  private static func makeColumns<Element: HDF5Number>(
    _ columns: [NativeColumn], _ table: TableWriter
  ) throws(HDF5Error) -> [BufferedColumn<Element>] {
    var made: [BufferedColumn<Element>] = []
    for column in columns {
      made.append(BufferedColumn(try table.makeColumn(column, of: Element.self)))
    }
    return made
  }

  func append(_ block: ChannelBlock) throws(TraceError) {
    count += block.count
    guard count <= info.count else { throw miscounted("more") }
    try requireKind(block)
    try end.check(block, of: info.channel)
    try writing { () throws(HDF5Error) in
      try times.append(block.measuredTimes[block.range])
      try arrivals?.append((block.arrivedTimes ?? block.measuredTimes)[block.range])
      try appendValues(block)
    }
  }

  func finish() throws(TraceError) {
    guard count == info.count else { throw miscounted("\(count)") }
    try writing { () throws(HDF5Error) in
      try times.flush()
      try arrivals?.flush()
      switch values {
      case .vectors(let columns): for column in columns { try column.flush() }
      case .fixes(let columns), .positions(let columns), .scalars(let columns):
        for column in columns { try column.flush() }
      case .heartbeats(let peers, let sequences):
        try peers.flush()
        try sequences.flush()
      case .touches(let x, let y, let phases, let pointers):
        try x.flush()
        try y.flush()
        try phases.flush()
        try pointers.flush()
      case .actions(let column): try column.flush()
      }
      try table.finish()
    }
  }

  private func appendValues(_ block: ChannelBlock) throws(HDF5Error) {
    let range = block.range
    switch (block, values) {
    case (.vector(let vectors), .vectors(let columns)):
      for (column, axis) in zip(columns, [vectors.x, vectors.y, vectors.z]) {
        try column.append(axis[range])
      }
    case (.fix(let block), .fixes(let columns)):
      for (column, field) in zip(columns, fixFields) {
        try column.append(block.values[range].lazy.map(field))
      }
    case (.local(let block), .positions(let columns)):
      try columns[0].append(block.values[range].lazy.map(\.x))
      try columns[1].append(block.values[range].lazy.map(\.y))
    case (.scalar(let block), .scalars(let columns)):
      try columns[0].append(block.values[range].lazy.map(\.value))
      try columns[1].append(block.values[range].lazy.map(\.accuracy))
    case (.heartbeat(let block), .heartbeats(let peers, let sequences)):
      try peers.append(block.values[range].lazy.map(\.peer))
      try sequences.append(block.values[range].lazy.map(\.sequence))
    case (.touch(let block), .touches(let x, let y, let phases, let pointers)):
      try x.append(block.values[range].lazy.map(\.x))
      try y.append(block.values[range].lazy.map(\.y))
      try phases.append(block.values[range].lazy.map(\.phase.rawValue))
      try pointers.append(block.values[range].lazy.map(\.pointer))
    case (.action(let block), .actions(let column)):
      try column.append(block.values[range].lazy.map(\.rawValue))
    default: preconditionFailure("requireKind excludes this")
    }
  }

  private func requireKind(_ block: ChannelBlock) throws(TraceError) {
    switch (block, values) {
    case (.vector, .vectors), (.fix, .fixes), (.local, .positions), (.scalar, .scalars),
      (.heartbeat, .heartbeats), (.touch, .touches), (.action, .actions):
      break
    default:
      throw TraceError(
        place: place, expected: "columns of \(info.channel.name)",
        found: "columns of another channel")
    }
    guard block.arrivedTimes == nil || arrivals != nil else {
      throw TraceError(
        place: place, expected: "no arrival times, as the header states", found: "arrival times")
    }
  }

  private func miscounted(_ found: String) -> TraceError {
    TraceError(
      place: place, expected: "\(info.count) readings, as the header states", found: found)
  }
}

/// A column that is written in whole chunks, so that the file's bytes depend only on the values.
private final class BufferedColumn<Element: HDF5Number> {
  private let dataset: HDF5Dataset
  private var buffer: [Element] = []
  private var written = 0

  init(_ dataset: HDF5Dataset) {
    self.dataset = dataset
  }

  func append(_ values: some Collection<Element>) throws(HDF5Error) {
    var rest = values[...]
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
