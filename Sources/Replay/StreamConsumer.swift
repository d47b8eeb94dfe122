public import Detectors
public import TraceModel

/// Takes a stream's readings in a detector's place: for a detector that is no type of this program.
///
/// The stream decides what comes when, as for any detector. There are no deadlines: a consumer acts
/// when something arrives, or at the end.
public protocol StreamConsumer: AnyObject {
  /// The channel's next block, of which the coming ranges are.
  func load(_ block: ChannelBlock)
  /// Readings of the block arrive.
  func ingest(_ range: Range<Int>)
  /// The person did something.
  func handle(_ action: Action, at time: TraceInstant)
  /// The trace is over.
  func finish(at end: TraceInstant)
  /// Whether there are detections that nobody has taken.
  var hasDetections: Bool { get }
  /// Appends these, on the device's own axis.
  func take(device: DeviceID, into records: inout [DetectionRecord])
  /// What it has measured so far.
  var measurements: [Measurement] { get }
}

extension DeviceStream {
  /// A stream for what is no detector of this program.
  ///
  /// - Parameters:
  ///   - channel: that the consumer reads.
  ///   - name: of the consumer, for messages.
  /// - Throws: ``TraceError`` where the trace lacks the channel, cannot be read, or its arrival times
  ///   decrease.
  public convenience init(
    _ consumer: any StreamConsumer, channel: Channel, name: String, on source: any TraceSource,
    device: DeviceID = DeviceID(0), start: TraceInstant = .zero, options: RunOptions = RunOptions()
  ) throws(TraceError) {
    try self.init(
      DetectorWorker(consumer), channel: channel, name: name, on: source, device: device,
      start: start, options: options)
  }
}

extension DetectorWorker {
  init(_ consumer: any StreamConsumer) {
    func status() -> DetectorStatus {
      DetectorStatus(deadline: .max, hasDetections: consumer.hasDetections)
    }
    ingest = { range in
      consumer.ingest(range)
      return status()
    }
    call = { call in
      switch call {
      case .ask, .advance: break
      case .handle(let action, let time): consumer.handle(action, at: time)
      case .finish(let time): consumer.finish(at: time)
      }
      return status()
    }
    load = { block in
      consumer.load(block)
      return true
    }
    take = { consumer.take(device: $0, into: &$1) }
    measurements = { consumer.measurements }
  }
}
