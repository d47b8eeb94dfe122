import Detectors
import TraceModel

/// The punch rules said plainly, one sample after the other and with no shortcut: what
/// ``PunchDetector`` must agree with bit for bit, despite its optimisations.
struct PlainPunchRule {
  private let parameters: PunchParameters
  private let threshold: Float
  private let squaredThreshold: Float
  private let peakWindow: Int64
  private let refractory: Int64

  private var isArmed: Bool
  /// Whether a sample within the threshold was seen since the last detection.
  private var isBelow = true
  private var candidate: Candidate?
  private var lastPeak: Int64?

  /// A swing whose peak is still being looked for.
  private struct Candidate: Sendable {
    let opened: Int64
    var peakTime: Int64
    var peak: Acceleration
    var squaredPeak: Float
  }

  init(_ parameters: PunchParameters) {
    self.parameters = parameters
    threshold = Float(parameters.threshold)
    squaredThreshold = threshold * threshold
    peakWindow = Int64(nanosecondsFromSeconds: parameters.peakWindow) ?? .max
    refractory = Int64(nanosecondsFromSeconds: parameters.refractory) ?? .max
    isArmed = parameters.arming == .always
  }

  mutating func ingest(
    _ sample: Acceleration, measured: TraceInstant, arrived: TraceInstant,
    into detections: inout [Detection<PunchEvent>]
  ) {
    let time = measured.nanoseconds
    if let open = candidate {
      if distance(time, open.opened) <= peakWindow {
        raisePeak(to: sample, at: time)
        return
      }
      report(open, at: arrived, newest: measured, into: &detections)
    }
    guard isArmed, !sample.squaredMagnitude.isNaN else { return }
    guard isOver(sample) else {
      if isWithin(sample) { isBelow = true }
      return
    }
    guard isBelow || parameters.retrigger == .everySample else { return }
    if let lastPeak, refractory > 0, distance(time, lastPeak) < refractory { return }
    isBelow = false
    if parameters.retrigger == .oncePerArming { isArmed = false }
    let new = Candidate(
      opened: time, peakTime: time, peak: sample, squaredPeak: sample.squaredMagnitude)
    if peakWindow > 0 {
      candidate = new
    } else {
      report(new, at: arrived, newest: measured, into: &detections)
    }
  }

  mutating func handle(
    _ action: Action, at time: TraceInstant, into detections: inout [Detection<PunchEvent>]
  ) {
    guard parameters.arming == .actions else { return }
    switch action {
    case .arm:
      isArmed = true
      isBelow = true
    case .disarm:
      // The swing was made while the finger was down: it counts, as far as it was seen.
      if let open = candidate { report(open, at: time, into: &detections) }
      isArmed = false
    default: break
    }
  }

  mutating func finish(
    at end: TraceInstant, into detections: inout [Detection<PunchEvent>]
  ) {
    if let open = candidate { report(open, at: end, into: &detections) }
  }

  private mutating func raisePeak(to sample: Acceleration, at time: Int64) {
    let squared = sample.squaredMagnitude
    guard let open = candidate, squared > open.squaredPeak else { return }
    candidate?.squaredPeak = squared
    candidate?.peak = sample
    candidate?.peakTime = time
  }

  private mutating func report(
    _ found: Candidate, at emitted: TraceInstant, newest: TraceInstant? = nil,
    into detections: inout [Detection<PunchEvent>]
  ) {
    candidate = nil
    lastPeak = found.peakTime
    let direction =
      parameters.rule == .axes ? firstAxisOver(found.peak) : dominantAxis(found.peak)
    detections.append(
      Detection(
        onset: TraceInstant(nanoseconds: found.peakTime), emitted: emitted, newestMeasured: newest,
        event: PunchEvent(
          punch: direction.punch, target: direction.target,
          magnitude: Double(found.squaredPeak).squareRoot())))
  }

  // MARK: Rules

  private func isOver(_ sample: Acceleration) -> Bool {
    switch parameters.rule {
    case .magnitude, .swing: sample.squaredMagnitude > squaredThreshold
    case .axes: firstAxisOver(sample).punch != .unknown
    }
  }

  /// Whether all axes are back within the threshold: a sample that fires nothing (z beyond it,
  /// downwards) is not within it for that.
  private func isWithin(_ sample: Acceleration) -> Bool {
    switch parameters.rule {
    case .magnitude, .swing: sample.squaredMagnitude <= squaredThreshold
    case .axes:
      abs(sample.x) <= threshold && abs(sample.y) <= threshold && abs(sample.z) <= threshold
    }
  }

  private typealias Direction = (punch: PunchKind, target: PunchTarget)

  /// HitThat's directions, each with how far the sample reaches in it, in the order of the app.
  private func reaches(_ sample: Acceleration) -> [(far: Float, direction: Direction)] {
    [
      (sample.y, (.jab, .low)), (-sample.y, (.uppercut, .high)), (sample.x, (.jab, .middle)),
      (-sample.x, (.jab, .middle)), (sample.z, (.thrust, .low)), (-sample.z, (.unknown, .unknown)),
    ]
  }

  /// The first direction beyond the threshold; the last, which has no name, never counts.
  private func firstAxisOver(_ sample: Acceleration) -> Direction {
    reaches(sample).dropLast().first { $0.far > threshold }?.direction ?? (.unknown, .unknown)
  }

  /// The direction in which the peak reaches farthest, of equals the first; on the line between
  /// two opposite ones (0) the negative one.
  private func dominantAxis(_ peak: Acceleration) -> Direction {
    let order = [1, 0, 3, 2, 5, 4].map { reaches(peak)[$0] }
    return order.reduce(order[0]) { $1.far > $0.far ? $1 : $0 }.direction
  }
}

/// How far apart two times are, in either direction, clamped.
private func distance(_ left: Int64, _ right: Int64) -> Int64 {
  let apart = UInt64(bitPattern: max(left, right)) &- UInt64(bitPattern: min(left, right))
  return Int64(clamping: apart)
}
