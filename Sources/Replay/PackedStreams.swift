public import TraceModel

/// Streams of a timeline in the form for a player of many devices: their cursors are in one array,
/// their detectors in one bank per type, and their next steps in a calendar.
///
/// It owns the memory of a step, because an array of a class checks each access.
@usableFromInline
final class PackedStreams: PlayableTimeline {
  private let streams: [DeviceStream]
  private let banks: [DetectorBank]
  /// The elements of `banks`, for use without reference counting.
  private let callees: UnsafeMutablePointer<Unmanaged<DetectorBank>>
  /// By slot, the last cache line of the detector's state; without a bank, that of the cursor.
  private let lines: UnsafeMutablePointer<UnsafeRawPointer>
  /// By slot; unused for streams without a bank. Each is one cache line.
  private let cursors: UnsafeMutablePointer<StreamCursor>
  private let calendar: StepCalendar
  /// A sum of what `fetch` has read, so that the compiler cannot remove the reads.
  private(set) var fetched = 0
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
      (callees + index).initialize(to: .passUnretained(bank))
    }
    lines = .allocate(capacity: max(streams.count, 1))
    for slot in streams.indices {
      let cursor = cursors + slot
      guard cursor.pointee.bank != StreamCursor.noBank else {
        (lines + slot).initialize(to: UnsafeRawPointer(cursor))
        continue
      }
      let states = banks[Int(cursor.pointee.bank)].lines
      (lines + slot).initialize(to: states.first + Int(cursor.pointee.place) * states.stride)
    }
  }

  deinit {
    callees.deallocate()
    lines.deallocate()
    cursors.deallocate()
  }

  @usableFromInline var next: TraceInstant? {
    let first = calendar.earliest
    return first == .none ? nil : TraceInstant(nanoseconds: first.time)
  }

  /// The same as ``Timeline/step(into:)``.
  @usableFromInline
  func step(into records: inout [DetectionRecord]) throws(TraceError) -> StreamStep? {
    let first = calendar.earliest
    guard first != .none else { return nil }
    let slot = first.slot
    let cursor = cursors + slot
    let bank = cursor.pointee.bank
    guard cursor.pointee.isAtReading, bank != StreamCursor.noBank else {
      return try rareStep(slot, into: &records)
    }
    let position = cursor.pointee.position
    let time = cursor.pointee.reading
    // `banks` keeps the object alive.
    let delivery = callees[Int(bank)]._withUnsafeGuaranteedRef {
      $0.deliver(Int(cursor.pointee.place), position, time)
    }
    let count = delivery.position &- position
    readings &+= count
    cursor.pointee.position = delivery.position
    cursor.pointee.reading = delivery.arrival
    cursor.pointee.setDeadline(delivery.deadline)
    if delivery.isExhausted { try streams[slot].readBlock(for: &cursor.pointee) }
    if delivery.hasDetections { take(cursor.pointee, into: &records) }
    if cursor.pointee.isAtReading {
      replaceFirst(by: cursor.pointee.keyOfReading)
    } else {
      replaceFirst(ofRare: slot)
    }
    // Not `StreamCursor.step`, which would load what was just stored, with all other fields.
    return StreamStep(
      kind: .readings(count), device: cursor.pointee.device, channel: cursor.pointee.channel,
      time: TraceInstant(nanoseconds: first.time),
      following: cursor.pointee.hasReading
        ? cursor.pointee.onRunAxis(cursor.pointee.reading) : nil)
  }

  /// A step of a stream without a bank, or without a reading.
  @inline(never)
  private func rareStep(
    _ slot: Int, into records: inout [DetectionRecord]
  ) throws(TraceError) -> StreamStep {
    let cursor = cursors + slot
    guard cursor.pointee.bank != StreamCursor.noBank else {
      return try stepOfStream(slot, into: &records)
    }
    let step = try stepWithoutReading(slot, &cursor.pointee, into: &records)
    replaceFirst(by: cursor.pointee.key)
    return step
  }

  /// Replaces the first key by one that does not stand for a reading. A separate function, so that
  /// the frequent case does not copy the cursor.
  @inline(never)
  private func replaceFirst(ofRare slot: Int) { replaceFirst(by: cursors[slot].key) }

  private func replaceFirst(by key: StepKey?) {
    if calendar.replaceFirst(by: key) { fetch(calendar.upcoming) }
  }

  /// Reads a line of each cursor and each detector of the next steps. In a large fleet, a step waits
  /// for its cursor and then for its detector; here, the processor waits for those of some steps at
  /// the same time.
  private func fetch(_ keys: UnsafeBufferPointer<StepKey>) {
    var sum = 0
    for key in keys {
      let slot = key.slot
      sum &+= Int(cursors[slot].bank) &+ Int(lines[slot].load(as: UInt8.self))
    }
    fetched = sum
  }

  /// Appends the detections of a stream's detector, on the run's axis.
  private func take(_ cursor: StreamCursor, into records: inout [DetectionRecord]) {
    let first = records.count
    banks[Int(cursor.bank)].take(Int(cursor.place), cursor.device, &records)
    records.move(from: first, by: cursor.start)
  }

  /// An action, a companion's reading, a deadline or the trace's end.
  private func stepWithoutReading(
    _ slot: Int, _ cursor: inout StreamCursor, into records: inout [DetectionRecord]
  ) throws(TraceError) -> StreamStep {
    let (bank, place) = (banks[Int(cursor.bank)], Int(cursor.place))
    let step: StreamStep
    let status: DetectorStatus?
    switch cursor.next {
    case .side(let time):
      let taken = try streams[slot].takeSide(for: &cursor)
      status = taken?.status
      step = cursor.step(of: taken?.input, at: time)
    case .due(let time):
      status = bank.call(place, .advance(to: TraceInstant(nanoseconds: time)))
      step = cursor.step(.wake, at: time)
    case .finish, .reading, nil:
      cursor.isFinished = true
      status = bank.call(place, .finish(at: TraceInstant(nanoseconds: cursor.end)))
      step = cursor.step(.end, at: cursor.end)
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

  @usableFromInline func run(into records: inout [DetectionRecord]) throws(TraceError) {
    while try step(into: &records) != nil {}
  }

  @usableFromInline var result: RunResult {
    var result = RunResult(readings: readings)
    for (slot, stream) in streams.enumerated() {
      if cursors[slot].bank == StreamCursor.noBank { result.readings += stream.readings }
      result.measurements[stream.device, default: []] += stream.measurements
    }
    return result
  }
}

extension DeviceStream {
  /// The type of the detector's box; nil = the detector stays in the stream.
  fileprivate var packing: ObjectIdentifier? {
    guard !hasPolicy, !hasDetections, let box = worker.box else { return nil }
    return ObjectIdentifier(type(of: box))
  }

  /// Moves the detectors of streams with the same `packing` into a bank, in their order. From then
  /// on, the streams only read blocks, companions and actions.
  /// - Parameter streams: at least one.
  fileprivate static func pack(_ streams: [DeviceStream]) -> DetectorBank {
    let bank = streams[0].worker.makeBank(streams.compactMap { $0.worker.box })
    for (place, stream) in streams.enumerated() {
      stream.worker = DetectorWorker(PlayedDetections([], measurements: []))
      stream.seat = (bank, place)
    }
    return bank
  }

  /// Reads the next block for the detector in the bank.
  fileprivate func readBlock(for cursor: inout StreamCursor) throws(TraceError) {
    readings = loaded
    guard let seat else { return }
    _ = try readBlock(for: &cursor) { seat.bank.load(seat.place, $0) }
  }

  /// Passes the next action or the next reading of a companion to the detector in the bank.
  fileprivate func takeSide(
    for cursor: inout StreamCursor
  ) throws(TraceError) -> (input: SideQueue.Input, status: DetectorStatus)? {
    guard let seat, let input = try side.pop() else { return nil }
    let status = seat.bank.call(seat.place, input.call)
    cursor.setSide(side.next)
    return (input, status)
  }
}
