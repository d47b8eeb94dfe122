public import TraceModel

/// A trace as bytes, for a report: it carries the channels that its detectors read, in columns that
/// compress well.
///
/// All numbers are little-endian. A column of n numbers of w bytes has the first byte of each, then
/// the second of each, and so on; times are the differences from the one before.
///
///     "SBX1", the end in ns (Int64)
///     places        UInt32 n; ids, ranks (Int32), latitudes, longitudes, radii (Float64)
///     ignore zones  UInt32 n; onsets, offsets (times)
///     references    UInt8 sets; each: UInt8 task, Int64 tolerance (-1 = none), UInt32 n; onsets,
///                   offsets (times), places (Int32; the least = none), values (Float64), labels
///     channels      UInt8 n; each: UInt8 channel, UInt8 arrivals, UInt32 n; times, arrivals less
///                   times if there are any, then the components of the value
///
/// A text is its number of bytes (UInt16) and UTF-8; labels that are longer are cut off.
public enum PackedTrace {
  static let mark: [UInt8] = [0x53, 0x42, 0x58, 0x31]

  /// Returns a trace's bytes.
  /// - Parameter channels: those to pack; the others, and what only scores of tracks need, are left
  ///   out.
  public static func bytes(of trace: Trace, channels: [Channel]) -> [UInt8] {
    var writer = ByteWriter()
    writer.bytes += mark
    writer.put(trace.header.end.nanoseconds)
    put(trace.header.places, into: &writer)
    writer.put(UInt32(trace.header.ignoreZones.count))
    writer.put(times: trace.header.ignoreZones.map { $0.onset.nanoseconds })
    writer.put(times: trace.header.ignoreZones.map { $0.offset.nanoseconds })
    writer.put(UInt8(trace.header.references.count))
    for reference in trace.header.references { put(reference, into: &writer) }
    let packed = channels.compactMap { channel in trace[channel].map { (channel, $0) } }
    writer.put(UInt8(packed.count))
    for (channel, block) in packed { put(channel, block, into: &writer) }
    return writer.bytes
  }

  /// - Throws: for bytes that are not those of a trace.
  public static func trace(from bytes: [UInt8]) throws(TraceError) -> Trace {
    var reader = ByteReader(bytes)
    guard try (0..<4).map({ _ throws(TraceError) in try reader.byte() }) == mark else {
      throw TraceError(
        place: "packed trace", expected: "SBX1 at its start", found: "other bytes",
        remedy: "make the report again with this version")
    }
    var header = TraceHeader(id: "packed", origin: .recorded)
    header.end = TraceInstant(nanoseconds: try reader.integer(Int64.self))
    header.places = try places(&reader)
    let zones = try reader.count(bytesEach: 16)
    let onsets = try reader.times(zones)
    let offsets = try reader.times(zones)
    header.ignoreZones = zip(onsets, offsets).map {
      IgnoreZone(
        onset: TraceInstant(nanoseconds: $0), offset: TraceInstant(nanoseconds: $1))
    }
    for _ in 0..<Int(try reader.byte()) { header.references.append(try reference(&reader)) }
    var trace = Trace(header: header)
    for _ in 0..<Int(try reader.byte()) { try readChannel(&reader, into: &trace) }
    guard reader.isAtEnd else {
      throw ByteReader.fault("the end", found: "\(reader.rest) more bytes")
    }
    return trace
  }

  public static func bytes(of events: [ReferenceEvent]) -> [UInt8] {
    var writer = ByteWriter()
    put(events, into: &writer)
    return writer.bytes
  }

  /// Reads references alone, as a page writes them whose labels have been changed.
  public static func events(from bytes: [UInt8]) throws(TraceError) -> [ReferenceEvent] {
    var reader = ByteReader(bytes)
    return try events(&reader)
  }

  private static func put(_ places: [Place], into writer: inout ByteWriter) {
    writer.put(UInt32(places.count))
    writer.put(column: places.map { UInt32(bitPattern: $0.id) })
    writer.put(column: places.map { UInt32(bitPattern: $0.rank) })
    writer.put(numbers: places.map { $0.latitude })
    writer.put(numbers: places.map { $0.longitude })
    writer.put(numbers: places.map { $0.radius })
  }

  private static func places(_ reader: inout ByteReader) throws(TraceError) -> [Place] {
    let count = try reader.count(bytesEach: 32)
    let ids: [UInt32] = try reader.column(count)
    let ranks: [UInt32] = try reader.column(count)
    let latitudes = try reader.numbers(count)
    let longitudes = try reader.numbers(count)
    let radii = try reader.numbers(count)
    return (0..<count).map {
      Place(
        id: Int32(bitPattern: ids[$0]), latitude: latitudes[$0], longitude: longitudes[$0],
        radius: radii[$0], rank: Int32(bitPattern: ranks[$0]))
    }
  }

  private static func put(_ reference: ReferenceSet, into writer: inout ByteWriter) {
    writer.put(UInt8(ReferenceTask.allCases.firstIndex(of: reference.task) ?? 0))
    writer.put(reference.tolerance?.nanoseconds ?? -1)
    put(reference.events, into: &writer)
  }

  private static func reference(_ reader: inout ByteReader) throws(TraceError) -> ReferenceSet {
    let task = Int(try reader.byte())
    guard ReferenceTask.allCases.indices.contains(task) else {
      throw ByteReader.fault("a task", found: "\(task)")
    }
    let tolerance = try reader.integer(Int64.self)
    return ReferenceSet(
      task: ReferenceTask.allCases[task], events: try events(&reader),
      tolerance: tolerance < 0 ? nil : .nanoseconds(tolerance))
  }

  private static func put(_ events: [ReferenceEvent], into writer: inout ByteWriter) {
    writer.put(UInt32(events.count))
    writer.put(times: events.map { $0.onset.nanoseconds })
    writer.put(times: events.map { $0.offset.nanoseconds })
    writer.put(column: events.map { UInt32(bitPattern: $0.place ?? .min) })
    writer.put(numbers: events.map { $0.value })
    for event in events { writer.put(event.label) }
  }

  private static func events(_ reader: inout ByteReader) throws(TraceError) -> [ReferenceEvent] {
    let count = try reader.count(bytesEach: 30)
    let onsets = try reader.times(count)
    let offsets = try reader.times(count)
    let places: [UInt32] = try reader.column(count)
    let values = try reader.numbers(count)
    var events: [ReferenceEvent] = []
    for index in 0..<count {
      let place = Int32(bitPattern: places[index])
      events.append(
        ReferenceEvent(
          onset: TraceInstant(nanoseconds: onsets[index]),
          offset: TraceInstant(nanoseconds: offsets[index]), label: try reader.text(),
          place: place == .min ? nil : place, value: values[index]))
    }
    return events
  }

  private static func put(
    _ channel: Channel, _ block: ChannelBlock, into writer: inout ByteWriter
  ) {
    let range = block.range
    writer.put(UInt8(channel.rawValue))
    writer.put(UInt8(block.arrivedTimes == nil ? 0 : 1))
    writer.put(UInt32(range.count))
    let measured = Array(block.measuredTimes[range])
    writer.put(times: measured)
    if let arrived = block.arrivedTimes?[range] {
      writer.put(times: zip(arrived, measured).map { $0 &- $1 })
    }
    switch block {
    case .vector(let columns):
      writer.put(column: columns.x[range].map { $0.bitPattern })
      writer.put(column: columns.y[range].map { $0.bitPattern })
      writer.put(column: columns.z[range].map { $0.bitPattern })
    case .fix(let columns):
      let fixes = columns.values[range]
      writer.put(numbers: fixes.map { $0.latitude })
      writer.put(numbers: fixes.map { $0.longitude })
      writer.put(numbers: fixes.map { $0.altitude })
      writer.put(numbers: fixes.map { $0.horizontalAccuracy })
      writer.put(numbers: fixes.map { $0.speed })
      writer.put(numbers: fixes.map { $0.speedAccuracy })
      writer.put(numbers: fixes.map { $0.course })
    case .local(let columns):
      writer.put(numbers: columns.values[range].map { $0.x })
      writer.put(numbers: columns.values[range].map { $0.y })
    case .scalar(let columns):
      writer.put(numbers: columns.values[range].map { $0.value })
      writer.put(numbers: columns.values[range].map { $0.accuracy })
    case .heartbeat(let columns):
      writer.put(column: columns.values[range].map { UInt32(bitPattern: $0.peer) })
      writer.put(column: columns.values[range].map { UInt64(bitPattern: $0.sequence) })
    case .touch(let columns):
      let touches = columns.values[range]
      writer.put(numbers: touches.map { $0.x })
      writer.put(numbers: touches.map { $0.y })
      writer.bytes += touches.map { UInt8(bitPattern: $0.phase.rawValue) }
      writer.put(column: touches.map { UInt32(bitPattern: $0.pointer) })
    case .action(let columns):
      writer.bytes += columns.values[range].map { UInt8(bitPattern: $0.rawValue) }
    }
  }

  private static func readChannel(
    _ reader: inout ByteReader, into trace: inout Trace
  ) throws(TraceError) {
    let code = Int(try reader.byte())
    guard let channel = Channel(rawValue: code) else {
      throw ByteReader.fault("a channel", found: "\(code)")
    }
    let hasArrivals = try reader.byte() != 0
    let count = try reader.count(bytesEach: 9)
    let measured = try reader.times(count)
    let arrived = hasArrivals ? zip(try reader.times(count), measured).map { $0 &+ $1 } : nil
    let times = TimeColumns(measured: measured, arrived: arrived)
    trace.set(try block(of: channel, times, count, &reader), for: channel)
  }

  private static func block(
    of channel: Channel, _ times: TimeColumns, _ count: Int, _ reader: inout ByteReader
  ) throws(TraceError) -> ChannelBlock {
    switch channel {
    case .acceleration, .userAcceleration, .rotationRate:
      return .vector(
        VectorColumns(
          times: times, x: try reader.floats(count), y: try reader.floats(count),
          z: try reader.floats(count)))
    case .location:
      let columns = try numbers(7, count, &reader)
      return .fix(
        FixColumns(
          times: times,
          values: (0..<count).map {
            Fix(
              latitude: columns[0][$0], longitude: columns[1][$0], altitude: columns[2][$0],
              horizontalAccuracy: columns[3][$0], speed: columns[4][$0],
              speedAccuracy: columns[5][$0], course: columns[6][$0])
          }))
    case .local:
      let columns = try numbers(2, count, &reader)
      return .local(
        LocalColumns(
          times: times,
          values: (0..<count).map { LocalPosition(x: columns[0][$0], y: columns[1][$0]) }))
    case .heading, .pressure, .odometer:
      let columns = try numbers(2, count, &reader)
      return .scalar(
        ScalarColumns(
          times: times,
          values: (0..<count).map { Scalar(value: columns[0][$0], accuracy: columns[1][$0]) }))
    case .heartbeat:
      let peers: [UInt32] = try reader.column(count)
      let sequences: [UInt64] = try reader.column(count)
      return .heartbeat(
        HeartbeatColumns(
          times: times,
          values: (0..<count).map {
            Heartbeat(
              peer: Int32(bitPattern: peers[$0]), sequence: Int64(bitPattern: sequences[$0]))
          }))
    case .touch: return .touch(TouchColumns(times: times, values: try touches(count, &reader)))
    case .action:
      let actions = try codes(count, "an action", &reader) { Action(rawValue: $0) }
      return .action(ActionColumns(times: times, values: actions))
    }
  }

  private static func numbers(
    _ columns: Int, _ count: Int, _ reader: inout ByteReader
  ) throws(TraceError) -> [[Double]] {
    var read: [[Double]] = []
    for _ in 0..<columns { read.append(try reader.numbers(count)) }
    return read
  }

  private static func codes<Value>(
    _ count: Int, _ what: String, _ reader: inout ByteReader, _ value: (Int8) -> Value?
  ) throws(TraceError) -> [Value] {
    var values: [Value] = []
    for _ in 0..<count {
      let code = Int8(bitPattern: try reader.byte())
      guard let value = value(code) else { throw ByteReader.fault(what, found: "\(code)") }
      values.append(value)
    }
    return values
  }

  private static func touches(
    _ count: Int, _ reader: inout ByteReader
  ) throws(TraceError) -> [Touch] {
    let columns = try numbers(2, count, &reader)
    let phases = try codes(count, "a phase of a touch", &reader) { Touch.Phase(rawValue: $0) }
    let pointers: [UInt32] = try reader.column(count)
    return (0..<count).map {
      Touch(
        x: columns[0][$0], y: columns[1][$0], phase: phases[$0],
        pointer: Int32(bitPattern: pointers[$0]))
    }
  }
}
