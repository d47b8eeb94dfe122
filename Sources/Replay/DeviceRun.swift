import Detectors
import TraceModel

/// A detector at work on one device, with its policy, on the device's own time axis.
struct DeviceRun<D: Detector> {
  private(set) var detector: D
  let device: DeviceID
  /// Of the device's own trace: what would fire later never does.
  let end: TraceInstant
  let hasPolicy: Bool
  private(set) var isFinished = false
  private var policy: PolicyState?
  private var detections: [Detection<D.Event>] = []
  private var answered = 0

  init(_ detector: D, device: DeviceID, end: TraceInstant, policy: ScriptedPolicy?) {
    self.detector = detector
    self.device = device
    self.end = end
    hasPolicy = policy != nil
    self.policy = policy.map(PolicyState.init)
  }

  var hasDetections: Bool { !detections.isEmpty }

  /// The detections since the last call, on an axis on which the device's zero is `start`.
  mutating func takeRecords(start: Int64, into records: inout [DetectionRecord]) {
    for detection in detections {
      var record = DetectionRecord(detection, device: device)
      record.onset = record.onset.advanced(byNanoseconds: start)
      record.emitted = record.emitted.advanced(byNanoseconds: start)
      records.append(record)
    }
    detections.removeAll(keepingCapacity: true)
    answered = 0
  }

  /// When the detector or the policy acts next by itself, as far as that is within the trace.
  var due: TraceInstant? {
    guard let deadline = detector.deadline else { return policy?.next.flatMap(withinTrace) }
    return withinTrace(policy?.next.map { min($0, deadline) } ?? deadline)
  }

  private func withinTrace(_ time: TraceInstant) -> TraceInstant? { time <= end ? time : nil }

  /// Time has come to `due`. At one instant the deadline comes first, then the answer.
  mutating func fire() {
    let answer = policy?.next
    if let deadline = detector.deadline, deadline <= end, answer.map({ deadline <= $0 }) ?? true {
      detector.advance(to: deadline, into: &detections)
    } else if let answer, answer <= end, let action = policy?.takeNext() {
      detector.handle(action.action, at: action.time, into: &detections)
    }
    answerDetections()
  }

  /// The trace is over: the detector reports what is still open.
  mutating func finish() {
    isFinished = true
    detector.finish(at: end, into: &detections)
    answerDetections()
  }

  /// Nothing is due before the block's first reading; with a policy, nothing before its last.
  mutating func ingest(_ block: D.Columns) {
    detector.ingest(contentsOf: block, into: &detections)
    answerDetections()
  }

  /// Nothing is due before the action.
  mutating func handle(_ action: ScheduledAction) {
    detector.handle(action.action, at: action.time, into: &detections)
    answerDetections()
  }

  private mutating func answerDetections() {
    guard hasPolicy else { return }
    while answered < detections.count {
      let detection = detections[answered]
      policy?.react(toKind: detection.event.kind, emitted: detection.emitted)
      answered += 1
    }
  }
}
