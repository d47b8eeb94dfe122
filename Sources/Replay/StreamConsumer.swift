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
  /// Ingests a reading of a companion of the channel.
  func ingest(companion reading: Reading)
  func handle(_ action: Action, at time: TraceInstant)
  func finish(at end: TraceInstant)
  var hasDetections: Bool { get }
  /// Appends the detections, on the device's own axis.
  func take(device: DeviceID, into records: inout [DetectionRecord])
  var measurements: [Measurement] { get }
}

extension StreamConsumer {
  public func ingest(companion reading: Reading) {}
}

extension DeviceStream {
  /// Creates a stream for a consumer instead of a detector.
  ///
  /// - Parameters:
  ///   - channel: the channel that the consumer reads.
  ///   - companions: the channels that it reads in addition, if the device has them.
  ///   - name: the name of the consumer, for messages.
  /// - Throws: ``TraceError`` if the trace lacks the channel or cannot be read, or if its arrival
  ///   times decrease.
  public convenience init(
    _ consumer: any StreamConsumer, channel: Channel, companions: [Channel] = [], name: String,
    on source: any TraceSource, device: DeviceID = DeviceID(0), start: TraceInstant = .zero,
    options: RunOptions = RunOptions()
  ) throws(TraceError) {
    try self.init(
      DetectorWorker(consumer), channel: channel, companions: companions, name: name, on: source,
      device: device,
      start: start, options: options)
  }
}

/// Emits known detections in a stream, e.g. those of an earlier run over the same readings, each at
/// its time.
public final class PlayedDetections: StreamConsumer {
  private let detections: [(input: Int, record: DetectionRecord)]
  private let results: [Measurement]
  private var inputs = 0
  /// The number of emitted detections.
  private var taken = 0
  private var isFinished = false

  /// - Parameters:
  ///   - detections: each with the number of the reading, action or end that triggers it, ascending.
  ///   - measurements: those at the end.
  public init(
    _ detections: [(input: Int, record: DetectionRecord)], measurements: [Measurement]
  ) {
    self.detections = detections
    results = measurements
  }

  public func load(_ block: ChannelBlock) {}
  public func ingest(_ range: Range<Int>) { inputs += range.count }
  public func ingest(companion reading: Reading) { inputs += 1 }
  public func handle(_ action: Action, at time: TraceInstant) { inputs += 1 }
  public func finish(at end: TraceInstant) {
    inputs += 1
    isFinished = true
  }

  public var hasDetections: Bool { taken < detections.count && detections[taken].input < inputs }

  public func take(device: DeviceID, into records: inout [DetectionRecord]) {
    while hasDetections {
      var record = detections[taken].record
      record.device = device
      records.append(record)
      taken += 1
    }
  }

  public var measurements: [Measurement] { isFinished ? results : [] }
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
      case .ingestCompanion(let reading): consumer.ingest(companion: reading)
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
    box = nil
    makeBank = { _ in preconditionFailure("the detector stays in its stream") }
  }
}
