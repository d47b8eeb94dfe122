public import TraceModel

/// Actions, the end, and the checks in addition to the rule.
extension PunchDetector {
  public static func companions(_ parameters: PunchParameters) -> [Channel] {
    (parameters.gravityTurn < 180 ? [.acceleration] : [])
      + (KindReader.isNeeded(parameters) ? [.rotationRate] : [])
  }

  public static func usesProfile(_ parameters: PunchParameters) -> Bool {
    KindReader.fits(parameters)
  }

  public static func withdraws(_ parameters: PunchParameters) -> Bool {
    // With the rule swing, only a fall can lead to a withdrawal.
    parameters.withdrawBelow > 0 && (parameters.rule != .swing || parameters.gravityTurn < 180)
  }

  public mutating func ingest(
    companion reading: Reading, into detections: inout [Detection<PunchEvent>]
  ) { onlooker?.add(reading) }

  public mutating func handle(
    _ action: Action, at time: TraceInstant, into detections: inout [Detection<PunchEvent>]
  ) {
    if action.isEnrolment {
      onlooker?.kinds?.lesson?.advance(to: action.shownClass, at: time.nanoseconds)
    }
    guard parameters.arming == .actions else { return }
    switch action {
    case .arm:
      isArmed = true
      isBelow = true
    case .disarm:
      // The swing began while the button was held, so it counts as far as it was observed.
      let first = detections.count
      close(at: time, isDisarmed: true, into: &detections)
      onlooker?.hold(&detections, from: first)
      rivals.removeAll()
      isArmed = false
    default: break
    }
    resetQuiet()
  }

  /// With ``PunchEnrolment/actions``, the number of examples of each kind in the newest lesson, and
  /// the number of kinds learnt from the newest lesson that ended.
  public var measurements: [Measurement] {
    guard let lesson = onlooker?.kinds?.lesson else { return [] }
    let learnt = lesson.closed().profile?.examples.count ?? 0
    return PunchLabel.classes.map {
      Measurement("enrolled_\($0)", Double(lesson.count(of: $0)), unit: "")
    } + [Measurement("kinds_learnt", Double(learnt), unit: "")]
  }

  public mutating func finish(
    at end: TraceInstant, into detections: inout [Detection<PunchEvent>]
  ) {
    let first = detections.count
    close(at: end, isDisarmed: false, into: &detections)
    onlooker?.hold(&detections, from: first)
    onlooker?.release(at: end, into: &detections)
    onlooker?.withdraw(at: end, into: &detections)
    resetQuiet()
  }

  /// Passes a sample to the checks in addition to the rule.
  @usableFromInline
  @inline(never)
  mutating func watch(
    _ sample: Acceleration, measured: TraceInstant, arrived: TraceInstant,
    into detections: inout [Detection<PunchEvent>]
  ) {
    onlooker?.release(measured: measured, arrived: arrived, into: &detections)
    onlooker?.withdraw(measured: measured, arrived: arrived, into: &detections)
    let first = detections.count
    if looksAround {
      contendBySwing(sample, measured: measured, arrived: arrived, into: &detections)
    } else {
      weigh(sample, measured: measured, arrived: arrived, into: &detections)
    }
    // After the report of a peak: after a gap, a sample overwrites what was around the peak.
    onlooker?.add(sample, at: measured)
    onlooker?.hold(&detections, from: first)
  }

  /// The same for the samples of a block.
  @usableFromInline
  @inline(never)
  mutating func watch(
    _ block: VectorColumns, in range: Range<Int>, into detections: inout [Detection<PunchEvent>]
  ) {
    for position in range {
      watch(
        block[position], measured: block.measured(at: position),
        arrived: block.arrived(at: position), into: &detections)
    }
  }

  /// Reports the open peaks that can no longer change.
  private mutating func close(
    at end: TraceInstant, isDisarmed: Bool, into detections: inout [Detection<PunchEvent>]
  ) {
    if looksAround {
      closeSwings(at: end, isDisarmed: isDisarmed, into: &detections)
    } else if let open = candidate {
      candidate = nil
      report(open, at: end, into: &detections)
    }
  }
}
