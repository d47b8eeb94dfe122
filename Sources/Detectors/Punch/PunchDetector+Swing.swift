public import TraceModel

/// The rule ``PunchRule/swing``.
extension PunchDetector {
  /// The distance in nanoseconds from which on two peaks are apart: five eighths of the window, 0.2 s
  /// by default. At most two peaks are open at once, because two such distances exceed the window.
  private var apart: Int64 { peakWindow / 8 * 5 }

  /// The same as ``contend(_:measured:arrived:into:)``, but every sample is added to the history.
  @usableFromInline
  @inline(never)
  mutating func contendBySwing(
    _ sample: Acceleration, measured: TraceInstant, arrived: TraceInstant,
    into detections: inout [Detection<PunchEvent>]
  ) {
    let squared = sample.squaredMagnitude
    if candidate == nil, squared <= squaredThreshold {
      history?.add(sample, squared, at: measured.nanoseconds)
    } else {
      contendLoudBySwing(sample, measured: measured, arrived: arrived, into: &detections)
    }
  }

  /// A sample is a peak if no sample within the window is higher, except open peaks that are apart
  /// from it, are not much higher and point the same way.
  @inline(never)
  private mutating func contendLoudBySwing(
    _ sample: Acceleration, measured: TraceInstant, arrived: TraceInstant,
    into detections: inout [Detection<PunchEvent>]
  ) {
    let time = measured.nanoseconds
    let squared = sample.squaredMagnitude
    if earlier != nil { history?.weigh(&earlier, before: time) }
    history?.weigh(&candidate, before: time)
    reportSwings(openedBefore: time, at: arrived, newest: measured, into: &detections)
    history?.add(sample, squared, at: time)
    guard isArmed, !squared.isNaN, isOver(sample),
      rivals.admit(
        squared, at: time, within: peakWindow, apart: apart, beside: candidate?.peakTime,
        earlier?.peakTime)
    else { return }
    let least = Rivals.share * Rivals.share * squared
    if let open = earlier, open.squaredPeak < least { earlier = nil }
    if let open = candidate, distance(time, open.opened) > apart, open.squaredPeak >= least {
      if isAlike(open.peak, sample) {
        earlier = open
      } else if open.squaredPeak >= squared {
        return
      }
    }
    candidate = Candidate(
      opened: time, peakTime: time, peak: sample, squaredPeak: squared, mark: history?.mark)
  }

  /// Whether two peaks may be the stops of two punches: the acceleration of a fist and its stop
  /// point in opposite directions.
  private func isAlike(_ left: Acceleration, _ right: Acceleration) -> Bool {
    left.x * right.x + left.y * right.y + left.z * right.z > 0
  }

  /// Reports the open peaks that no sample at `time` or later changes.
  private mutating func reportSwings(
    openedBefore time: Int64, at arrived: TraceInstant, newest: TraceInstant,
    into detections: inout [Detection<PunchEvent>]
  ) {
    if let open = earlier, distance(time, open.opened) > peakWindow {
      earlier = nil
      reportSwing(open, at: arrived, newest: newest, into: &detections)
    }
    if let open = candidate, distance(time, open.opened) > peakWindow {
      // A clock that is set back may end the later one first.
      if let first = earlier { reportSwing(first, at: arrived, newest: newest, into: &detections) }
      (earlier, candidate) = (nil, nil)
      reportSwing(open, at: arrived, newest: newest, into: &detections)
    }
  }

  /// Reports the open peaks at the end, or when the detector is disarmed.
  mutating func closeSwings(
    at end: TraceInstant, isDisarmed: Bool, into detections: inout [Detection<PunchEvent>]
  ) {
    for open in [earlier, candidate] {
      guard let open, isDisarmed || isArmedByActions || history?.knowsAfter(open) == true else {
        continue
      }
      reportSwing(open, at: end, newest: nil, into: &detections)
    }
    (earlier, candidate) = (nil, nil)
  }

  private var isArmedByActions: Bool { parameters.arming == .actions }

  /// Reports a peak that, by its surroundings, is as certain as a typical punch over the threshold.
  ///
  /// A recording is started and stopped by hand. So where it cuts off a peak's surroundings, in its
  /// first 0.44 s and its last 0.28 s, the peak is not reported, unless the person has armed the
  /// detector.
  private mutating func reportSwing(
    _ found: Candidate, at emitted: TraceInstant, newest: TraceInstant?,
    into detections: inout [Detection<PunchEvent>]
  ) {
    guard let history, isArmedByActions || history.knowsBefore(found) else { return }
    let equivalent = history.equivalentPeak(of: found)
    guard equivalent > parameters.threshold else { return }
    report(found, at: emitted, newest: newest, equivalentPeak: equivalent, into: &detections)
  }
}
