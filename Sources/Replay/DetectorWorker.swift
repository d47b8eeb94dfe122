import Detectors
import TraceModel

/// A detector at work on one device's channel, with its policy, on the device's own time axis.
///
/// What a player does for every reading is here, without the detector's type; the subclass calls
/// the detector. A generic class would be reached through witnesses at each of those steps, which
/// costs more than most detectors do.
class DetectorWorker {
  /// Of the device's own trace, in ns: what would fire later never does.
  final let end: Int64
  final let hasPolicy: Bool
  final fileprivate(set) var isFinished = false
  /// When the detector or the policy acts next by itself, in ns, as far as that is within the
  /// trace; `Int64.max` = never.
  final fileprivate(set) var due = Int64.max
  /// Whether there are detections that nobody has taken.
  final fileprivate(set) var hasDetections = false

  fileprivate init(end: TraceInstant, hasPolicy: Bool) {
    self.end = end.nanoseconds
    self.hasPolicy = hasPolicy
  }

  var measurements: [Measurement] { [] }
  /// Takes the channel's next block; false = it has other columns.
  func load(_ block: ChannelBlock) -> Bool { false }
  /// Readings of the block. Nothing is due before the first; with a policy, nothing before the
  /// last.
  func ingest(_ range: Range<Int>) {}
  /// Nothing is due before the action.
  func handle(_ action: ScheduledAction) {}
  /// Time has come to `due`. At one instant the deadline comes first, then the answer.
  func fire() {}
  /// The trace is over: the detector reports what is still open.
  func finish() {}
  /// Appends the detections since the last call, on an axis on which the device's zero is `start`.
  func takeRecords(device: DeviceID, start: Int64, into records: inout [DetectionRecord]) {}
}

final class WorkerFor<D: Detector>: DetectorWorker {
  private var detector: D
  private var policy: PolicyState?
  private var block = D.Columns()
  private var detections: [Detection<D.Event>] = []
  private var answered = 0

  init(_ detector: D, end: TraceInstant, policy: ScriptedPolicy?) {
    self.detector = detector
    self.policy = policy.map(PolicyState.init)
    super.init(end: end, hasPolicy: policy != nil)
    update()
  }

  override var measurements: [Measurement] { detector.measurements }

  override func load(_ block: ChannelBlock) -> Bool {
    guard let columns = D.Columns(block) else { return false }
    self.block = columns
    return true
  }

  override func ingest(_ range: Range<Int>) {
    detector.ingest(contentsOf: block, in: range, into: &detections)
    update()
  }

  override func handle(_ action: ScheduledAction) {
    detector.handle(action.action, at: action.time, into: &detections)
    update()
  }

  override func fire() {
    let answer = policy?.next
    if let deadline = detector.deadline, deadline.nanoseconds <= end,
      answer.map({ deadline <= $0 }) ?? true
    {
      detector.advance(to: deadline, into: &detections)
    } else if let answer, answer.nanoseconds <= end, let action = policy?.takeNext() {
      detector.handle(action.action, at: action.time, into: &detections)
    }
    update()
  }

  override func finish() {
    isFinished = true
    detector.finish(at: TraceInstant(nanoseconds: end), into: &detections)
    update()
  }

  override func takeRecords(
    device: DeviceID, start: Int64, into records: inout [DetectionRecord]
  ) {
    for detection in detections {
      var record = DetectionRecord(detection, device: device)
      record.onset = record.onset.advanced(byNanoseconds: start)
      record.emitted = record.emitted.advanced(byNanoseconds: start)
      records.append(record)
    }
    detections.removeAll(keepingCapacity: true)
    answered = 0
    hasDetections = false
  }

  /// After each call of the detector: its detections are answered, and it says when it acts next.
  private func update() {
    var next = detector.deadline?.nanoseconds ?? .max
    hasDetections = !detections.isEmpty
    if hasPolicy {
      while answered < detections.count {
        let detection = detections[answered]
        policy?.react(toKind: detection.event.kind, emitted: detection.emitted)
        answered += 1
      }
      if let answer = policy?.next { next = min(next, answer.nanoseconds) }
    }
    due = next <= end ? next : .max
  }
}
