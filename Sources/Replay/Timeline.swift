public import TraceModel

/// Merges streams into one order: (arrived, device, channel, sequence), and what fires at an
/// instant after all that arrives at it. It never sleeps: it says what comes next.
///
/// A heap over the streams' next steps: O(log k) a step for k streams. The memory that it needs
/// does not grow with the traces.
public struct Timeline {
  private let streams: [DeviceStream]
  /// A heap: the first is the earliest.
  private var heap: [StepKey] = []
  /// In the place of streams: a line that merges channels by itself.
  private var line: (any PlayableTimeline)?

  /// What a player, which plays timelines, plays of another line. Streams stay what a timeline is
  /// made for: a player that were generic over its line would be slower with them by half.
  public init(playing line: some PlayableTimeline) {
    if let timeline = line as? Timeline {
      self = timeline
    } else {
      streams = []
      self.line = line
    }
  }

  /// - Precondition: there are at most 2^24 - 1 streams.
  public init(_ streams: [DeviceStream]) {
    precondition(streams.count <= Int(StepKey.largestSlot))
    self.streams = streams
    for (slot, stream) in self.streams.enumerated() {
      stream.slot = slot
      if let key = stream.key { heap.append(key) }
    }
    for index in heap.indices.reversed() { siftDown(from: index) }
  }

  /// When the next step is due; nil = nothing comes any more.
  public var next: TraceInstant? {
    heap.first.map { TraceInstant(nanoseconds: $0.time) } ?? line?.next
  }

  /// Takes the earliest step: all readings that arrive at its instant on its channel, or an action,
  /// or what fires. Appends what was detected.
  public mutating func step(into records: inout [DetectionRecord]) throws(TraceError) -> StreamStep?
  {
    guard let slot = heap.first?.slot else { return try line?.step(into: &records) }
    let stream = streams[slot]
    let step = try stream.step()
    stream.takeRecords(into: &records)
    replaceFirst(by: stream.key)
    return step
  }

  /// Takes all steps, each stream as far as it comes before the others.
  public mutating func run(into records: inout [DetectionRecord]) throws(TraceError) {
    try line?.run(into: &records)
    while let slot = heap.first?.slot {
      let stream = streams[slot]
      try stream.advance(before: second)
      stream.takeRecords(into: &records)
      replaceFirst(by: stream.key)
    }
  }

  /// The streams' readings and measurements so far.
  public var result: RunResult {
    if let line { return line.result }
    var result = RunResult()
    for stream in streams {
      result.readings += stream.readings
      result.measurements[stream.device, default: []] += stream.measurements
    }
    return result
  }

  /// The second earliest is one of the first's children.
  private var second: StepKey? {
    switch heap.count {
    case ...1: nil
    case 2: heap[1]
    default: min(heap[1], heap[2])
    }
  }

  private mutating func replaceFirst(by key: StepKey?) {
    if let key {
      heap[0] = key
    } else {
      heap.swapAt(0, heap.count - 1)
      heap.removeLast()
    }
    siftDown(from: 0)
  }

  private mutating func siftDown(from start: Int) {
    guard start < heap.count else { return }
    let key = heap[start]
    var hole = start
    while true {
      var child = 2 * hole + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
      guard heap[child] < key else { break }
      heap[hole] = heap[child]
      hole = child
    }
    heap[hole] = key
  }
}
