public import TraceModel

/// Merges streams into one order: (arrived, device, channel, sequence), with deadlines after all
/// arrivals at the same instant. It never sleeps: it returns the next step.
///
/// A heap over the streams' next steps: O(log k) per step for k streams. Memory does not grow with
/// the traces.
public struct Timeline {
  private let streams: [DeviceStream]
  /// The heap: the first is the earliest.
  private var heap: [StepKey] = []
  /// Another timeline in place of streams.
  private var line: (any PlayableTimeline)?

  /// Wraps another timeline for a player. `Timeline` itself stays specialised for streams: a
  /// generic player would be slower with them by half.
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

  /// The time of the next step; nil = the end.
  public var next: TraceInstant? {
    heap.first.map { TraceInstant(nanoseconds: $0.time) } ?? line?.next
  }

  /// Makes the earliest step: all readings at its instant on its channel, or an action, or a
  /// deadline. Appends the detections.
  public mutating func step(into records: inout [DetectionRecord]) throws(TraceError) -> StreamStep?
  {
    guard let slot = heap.first?.slot else { return try line?.step(into: &records) }
    let stream = streams[slot]
    let step = try stream.step()
    stream.takeRecords(into: &records)
    replaceFirst(by: stream.key)
    return step
  }

  /// Makes all steps, each stream as far as it comes before the others.
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

  /// The second earliest step is one of the children of the first.
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
