public import TraceModel

/// Merges streams into one order: (arrived, device, channel, sequence), with deadlines after all
/// arrivals at the same instant. It never sleeps: it returns the next step.
///
/// A heap over the streams' next steps: O(log k) per step for k streams. Memory does not grow with
/// the traces.
///
/// ```swift
/// let beat = HeartbeatColumns(times: TimeColumns(measured: [5]), values: [Heartbeat(peer: 3)])
/// var trace = Trace(header: TraceHeader(id: "phone", origin: .recorded))
/// trace.set(.heartbeat(beat), for: .heartbeat)
/// let stream = try DeviceStream(PresenceDetector.self, .init(), on: MemorySource(trace))
/// var (timeline, records) = (Timeline([stream]), [DetectionRecord]())
/// try timeline.step(into: &records)?.kind  // readings(1)
/// records.map(\.kind)  // ["present"]
/// ```
public struct Timeline: PlayableTimeline {
  private let streams: [DeviceStream]
  private var heap: StepHeap
  /// The streams in the form for a player; nil = they are in `streams`.
  @usableFromInline var packed: PackedStreams?
  /// Another timeline in place of streams.
  private var line: (any PlayableTimeline)?

  /// Wraps another timeline for a player. `Timeline` itself stays specialised for streams: a
  /// generic player would take half as long again for them.
  public init(playing line: some PlayableTimeline) {
    if let timeline = line as? Timeline {
      self = timeline
    } else {
      self.init([])
      self.line = line
    }
  }

  /// - Precondition: there are at most 2^24 - 1 streams.
  public init(_ streams: [DeviceStream]) {
    Timeline.setSlots(of: streams)
    self.streams = streams
    heap = StepHeap(streams.compactMap(\.key))
  }

  /// Creates a timeline for a player of many devices. It makes the same steps as that of
  /// ``init(_:)``.
  ///
  /// A player makes single steps, and with thousands of streams each step waits for memory. So the
  /// detectors of one type move out of their streams into one array, the cursors of all streams are
  /// in another, and a calendar replaces the heap. A run as fast as possible, which makes many steps
  /// of a stream at once, gains nothing from it.
  ///
  /// Streams with a policy or a ``StreamConsumer`` stay as they are.
  ///
  /// - Precondition: there are at most 2^24 - 1 streams.
  public init(packing streams: [DeviceStream]) {
    self.init([])
    Timeline.setSlots(of: streams)
    packed = PackedStreams(streams)
  }

  private static func setSlots(of streams: [DeviceStream]) {
    precondition(streams.count <= Int(StepKey.largestSlot))
    for (slot, stream) in streams.enumerated() { stream.slot = slot }
  }

  /// The time of the next step; nil = the end.
  public var next: TraceInstant? {
    if let first = heap.first { return TraceInstant(nanoseconds: first.time) }
    return packed?.next ?? line?.next
  }

  /// Makes the earliest step: all readings at its instant on its channel, or an action, or a
  /// deadline. Appends the detections.
  public mutating func step(into records: inout [DetectionRecord]) throws(TraceError) -> StreamStep?
  {
    guard let slot = heap.first?.slot else {
      if packed != nil { return try packed?.step(into: &records) }
      return try line?.step(into: &records)
    }
    let stream = streams[slot]
    let step = try stream.step()
    stream.takeRecords(into: &records)
    heap.replaceFirst(by: stream.key)
    return step
  }

  /// Makes all steps, each stream as far as it comes before the others.
  public mutating func run(into records: inout [DetectionRecord]) throws(TraceError) {
    try line?.run(into: &records)
    try packed?.run(into: &records)
    while let slot = heap.first?.slot {
      let stream = streams[slot]
      try stream.advance(before: heap.second)
      stream.takeRecords(into: &records)
      heap.replaceFirst(by: stream.key)
    }
  }

  /// The streams' readings and measurements so far.
  public var result: RunResult {
    if let line { return line.result }
    if let packed { return packed.result }
    var result = RunResult()
    for stream in streams {
      result.readings += stream.readings
      result.measurements[stream.device, default: []] += stream.measurements
    }
    return result
  }
}
