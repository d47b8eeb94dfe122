import TraceModel

/// Streams of a timeline in the form for a player of many devices: their cursors are in one array,
/// their detectors in one bank per type, and their next steps in a calendar.
///
/// It owns the memory of a step, because an array of a class checks each access.
final class PackedStreams {
  private let streams: [DeviceStream]
  private let banks: [DetectorBank]
  /// A bank, to use it without counting references.
  private struct Callee {
    let bank: Unmanaged<DetectorBank>
    let lines: (first: UnsafeRawPointer, stride: Int)
  }

  /// Those of `banks`.
  private let callees: UnsafeMutablePointer<Callee>
  /// By slot; those of streams without a bank are not used. Each is one cache line.
  private let cursors: UnsafeMutablePointer<StreamCursor>
  private let calendar: StepCalendar
  /// A sum of what `fetch` has read, so that it has to read it.
  private(set) var fetched = 0
  /// The readings of the banks.
  private var readings = 0

  init(_ streams: [DeviceStream]) {
    self.streams = streams
    let size = MemoryLayout<StreamCursor>.stride
    cursors = UnsafeMutableRawPointer.allocate(
      byteCount: max(streams.count, 1) * size, alignment: 64
    ).bindMemory(to: StreamCursor.self, capacity: streams.count)
    for (slot, stream) in streams.enumerated() { (cursors + slot).initialize(to: stream.cursor) }
    calendar = StepCalendar(streams.compactMap(\.key))
    var banks: [DetectorBank] = []
    for (packing, slots) in Dictionary(grouping: streams.indices, by: { streams[$0].packing })
    where packing != nil && banks.count < Int(StreamCursor.noBank) {
      for (place, slot) in slots.enumerated() {
        cursors[slot].bank = UInt8(banks.count)
        cursors[slot].place = UInt32(place)
      }
      banks.append(DeviceStream.pack(slots.map { streams[$0] }))
    }
    self.banks = banks
    callees = .allocate(capacity: max(banks.count, 1))
    for (index, bank) in banks.enumerated() {
      (callees + index).initialize(to: Callee(bank: .passUnretained(bank), lines: bank.lines))
    }
  }

  deinit {
    callees.deallocate()
    cursors.deallocate()
  }

  var next: TraceInstant? { calendar.first.map { TraceInstant(nanoseconds: $0.time) } }

  /// As ``Timeline/step(into:)``.
  func step(into records: inout [DetectionRecord]) throws(TraceError) -> StreamStep? {
    guard let slot = calendar.first?.slot else { return nil }
    let cursor = cursors + slot
    guard cursor.pointee.bank != StreamCursor.noBank else {
      return try stepOfStream(slot, into: &records)
    }
    guard case .reading(let time) = cursor.pointee.next else {
      let step = try stepWithoutReading(slot, &cursor.pointee, into: &records)
      replaceFirst(by: cursor.pointee.key)
      return step
    }
    let (place, position) = (Int(cursor.pointee.place), cursor.pointee.position)
    // `banks` keeps it.
    let delivery = callees[Int(cursor.pointee.bank)].bank._withUnsafeGuaranteedRef {
      $0.deliver(place, position)
    }
    let count = delivery.position - position
    readings += count
    cursor.pointee.position = delivery.position
    cursor.pointee.reading = delivery.arrival
    cursor.pointee.setDeadline(delivery.status.deadline)
    if delivery.isExhausted { try streams[slot].readBlock(for: &cursor.pointee) }
    if delivery.status.hasDetections { take(cursor.pointee, into: &records) }
    replaceFirst(by: cursor.pointee.key)
    return cursor.pointee.step(.readings(count), at: time)
  }

  private func replaceFirst(by key: StepKey?) {
    if calendar.replaceFirst(by: key) { fetch(calendar.upcoming) }
  }

  /// Reads a line of each cursor and each detector of the next steps. In a large fleet, a step waits
  /// for its cursor and then for its detector; here, the processor waits for those of some steps at
  /// the same time.
  private func fetch(_ keys: UnsafeBufferPointer<StepKey>) {
    var sum = 0
    for key in keys { sum &+= Int(cursors[key.slot].place) }
    for key in keys {
      let cursor = cursors + key.slot
      guard cursor.pointee.bank != StreamCursor.noBank else { continue }
      let lines = callees[Int(cursor.pointee.bank)].lines
      let line = lines.first + Int(cursor.pointee.place) &* lines.stride
      sum &+= Int(line.load(as: UInt8.self))
    }
    fetched = sum
  }

  /// Appends the detections of a stream's detector, on the run's axis.
  private func take(_ cursor: StreamCursor, into records: inout [DetectionRecord]) {
    let first = records.count
    banks[Int(cursor.bank)].take(Int(cursor.place), cursor.device, &records)
    records.move(from: first, by: cursor.start)
  }

  /// An action, a deadline or the trace's end.
  private func stepWithoutReading(
    _ slot: Int, _ cursor: inout StreamCursor, into records: inout [DetectionRecord]
  ) throws(TraceError) -> StreamStep {
    let (bank, place) = (banks[Int(cursor.bank)], Int(cursor.place))
    let step: StreamStep
    let status: DetectorStatus?
    switch cursor.next {
    case .action(let time):
      status = try streams[slot].handleAction(for: &cursor)
      step = cursor.step(.action, at: time)
    case .due(let time):
      status = bank.call(place, .advance(to: TraceInstant(nanoseconds: time)))
      step = cursor.step(.wake, at: time)
    case .finish, .reading, nil:
      cursor.isFinished = true
      status = bank.call(place, .finish(at: TraceInstant(nanoseconds: cursor.end)))
      step = cursor.step(.wake, at: cursor.end)
    }
    if let status {
      cursor.setDeadline(status.deadline)
      if status.hasDetections { take(cursor, into: &records) }
    }
    return step
  }

  private func stepOfStream(
    _ slot: Int, into records: inout [DetectionRecord]
  ) throws(TraceError) -> StreamStep {
    let stream = streams[slot]
    let step = try stream.step()
    stream.takeRecords(into: &records)
    replaceFirst(by: stream.key)
    return step
  }

  var result: RunResult {
    var result = RunResult(readings: readings)
    for (slot, stream) in streams.enumerated() {
      if cursors[slot].bank == StreamCursor.noBank { result.readings += stream.readings }
      result.measurements[stream.device, default: []] += stream.measurements
    }
    return result
  }
}
