public import Detectors
public import TraceModel

/// Consumes a stream's readings in place of a detector, e.g. for a detector in another process.
///
/// The stream determines the order, as for any detector. There are no deadlines: a consumer acts on
/// arrivals or at the end.
public protocol StreamConsumer: AnyObject {
  /// Loads the channel's next block, to which the following ranges refer.
  func load(_ block: ChannelBlock)
  /// Ingests readings of the block.
  func ingest(_ range: Range<Int>)
  /// Processes an action of the person.
  func handle(_ action: Action, at time: TraceInstant)
  /// Ends the trace.
  func finish(at end: TraceInstant)
  /// Whether there are detections to take.
  var hasDetections: Bool { get }
  /// Appends the detections, on the device's own axis.
  func take(device: DeviceID, into records: inout [DetectionRecord])
  /// The measurements so far.
  var measurements: [Measurement] { get }
}

extension DeviceStream {
  /// Creates a stream for a consumer instead of a detector.
  ///
  /// - Parameters:
  ///   - channel: the channel that the consumer reads.
  ///   - name: the name of the consumer, for messages.
  /// - Throws: ``TraceError`` if the trace lacks the channel or cannot be read, or if its arrival
  ///   times decrease.
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
