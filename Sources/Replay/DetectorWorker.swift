public import Detectors
public import TraceModel

/// The status of a detector after each call.
@usableFromInline
struct DetectorStatus: Sendable {
  /// The detector's deadline in ns; `Int64.max` = none.
  @usableFromInline let deadline: Int64
  @usableFromInline let hasDetections: Bool

  @inlinable init(deadline: Int64, hasDetections: Bool) {
    self.deadline = deadline
    self.hasDetections = hasDetections
  }
}

/// Calls that are less frequent than readings.
@usableFromInline
enum DetectorCall: Sendable {
  /// Returns only the status.
  case ask
  case handle(Action, at: TraceInstant)
  /// Indirect, so that it does not enlarge the other cases.
  indirect case ingestCompanion(Reading)
  case advance(to: TraceInstant)
  /// Ends the trace: the detector reports events that are still open.
  case finish(at: TraceInstant)
}

/// A running detector with its type erased.
///
/// It uses closures instead of a generic class. Closures are created where the detector's type is
/// known and are specialised for it. Methods of a generic class would be called through witness
/// tables, which costs more than most detectors.
@usableFromInline
struct DetectorWorker {
  /// Ingests readings of the last loaded block.
  @usableFromInline let ingest: (Range<Int>) -> DetectorStatus
  @usableFromInline let call: (DetectorCall) -> DetectorStatus
  /// Loads the channel's next block; false = it has other columns.
  @usableFromInline let load: (ChannelBlock) -> Bool
  /// Appends the detections since the last call, on the device's own axis.
  @usableFromInline let take: (DeviceID, inout [DetectionRecord]) -> Void
  @usableFromInline let measurements: () -> [Measurement]
  /// The detector's state; nil = it cannot move into a bank.
  @usableFromInline let box: AnyObject?
  /// Makes a bank from the boxes of workers whose detectors have the same type.
  @usableFromInline let makeBank: ([AnyObject]) -> DetectorBank

  @inlinable init<D: Detector>(_ detector: D) {
    let box = DetectorBox(DetectorState(detector))
    self.box = box
    makeBank = { DetectorBank.of(D.self, boxes: $0) }
    ingest = { box.state.ingest($0) }
    call = { box.state.perform($0) }
    load = { box.state.load($0) }
    take = { box.state.take(device: $0, into: &$1) }
    measurements = { box.state.detector.measurements }
  }
}

@usableFromInline
final class DetectorBox<D: Detector> {
  @usableFromInline var state: DetectorState<D>

  @inlinable init(_ state: DetectorState<D>) { self.state = state }
}

@usableFromInline
struct DetectorState<D: Detector> {
  @usableFromInline var detector: D
  @usableFromInline var block = D.Columns()
  @usableFromInline var detections: [Detection<D.Event>] = []

  @inlinable init(_ detector: D) { self.detector = detector }

  @inlinable var status: DetectorStatus {
    DetectorStatus(
      deadline: detector.deadline?.nanoseconds ?? .max, hasDetections: !detections.isEmpty)
  }

  @inlinable mutating func ingest(_ range: Range<Int>) -> DetectorStatus {
    detector.ingest(contentsOf: block, in: range, into: &detections)
    return status
  }

  @inlinable mutating func perform(_ call: DetectorCall) -> DetectorStatus {
    switch call {
    case .ask: break
    case .handle(let action, let time): detector.handle(action, at: time, into: &detections)
    case .ingestCompanion(let reading): detector.ingest(companion: reading, into: &detections)
    case .advance(let time): detector.advance(to: time, into: &detections)
    case .finish(let time): detector.finish(at: time, into: &detections)
    }
    return status
  }

  @inlinable mutating func load(_ block: ChannelBlock) -> Bool {
    guard let columns = D.Columns(block) else { return false }
    self.block = columns
    return true
  }

  /// Keeps no capacity: thousands of streams without detections share the empty array.
  @inlinable mutating func take(device: DeviceID, into records: inout [DetectionRecord]) {
    for detection in detections { records.append(DetectionRecord(detection, device: device)) }
    detections = []
  }
}
