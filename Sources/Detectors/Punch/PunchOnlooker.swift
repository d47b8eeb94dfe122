import TraceModel

/// The checks of a punch detector in addition to its rule, on every sample: the kind of a punch,
/// whether it is a fall, and whether a punch that was reported at once still looks like one in the
/// end.
struct PunchOnlooker: Sendable, Codable {
  var kinds: KindReader?
  private var turn: GravityTurn?
  private let largestTurn: Double
  /// The detections that wait until it is known whether gravity turned, in the order of report.
  private var held: [Detection<PunchEvent>] = []
  /// The equivalent peak up to which a punch is withdrawn; 0 = never.
  private let withdrawBelow: Double
  /// With withdrawals, the recent signal; nil = the rule has already examined it.
  private var swings: SwingHistory?
  /// The punches that were reported and may be withdrawn, in the order of report.
  private var doubted: [Doubted] = []
  /// The highest sample of the newest punch that looks like one; nil = none yet.
  private var newestPeak: Int64?

  private struct Doubted: Sendable, Codable {
    let detection: Detection<PunchEvent>
    /// The highest sample from the report to 0.32 s after it: the rule may not have waited for it.
    var peak: Acceleration
    var peakTime: Int64
    /// Whether it looks like a punch, so that only the check for a fall remains.
    var isSwing: Bool

    mutating func rise(to sample: Acceleration, at time: Int64) {
      guard sample.squaredMagnitude > peak.squaredMagnitude,
        distance(time, detection.onset.nanoseconds) <= SwingHistory.horizon
      else { return }
      (peak, peakTime) = (sample, time)
    }
  }

  /// - Returns: nil if these parameters need none of the checks.
  init?(_ parameters: PunchParameters) {
    kinds = KindReader(parameters)
    turn = parameters.gravityTurn < 180 ? GravityTurn() : nil
    largestTurn = parameters.gravityTurn
    withdrawBelow = parameters.withdrawBelow
    swings = withdrawBelow > 0 && parameters.rule != .swing ? SwingHistory() : nil
    if kinds == nil, turn == nil, swings == nil { return nil }
  }

  mutating func add(_ sample: Acceleration, at time: TraceInstant) {
    kinds?.history.add(acceleration: sample, at: time.nanoseconds)
    swings?.add(sample, sample.squaredMagnitude, at: time.nanoseconds)
    for index in doubted.indices where !doubted[index].isSwing {
      doubted[index].rise(to: sample, at: time.nanoseconds)
    }
  }

  mutating func add(_ reading: Reading) {
    guard case .vector(let sample) = reading.value else { return }
    switch reading.channel {
    case .acceleration: turn?.add(sample, at: reading.measured.nanoseconds)
    case .rotationRate: kinds?.history.add(rotation: sample, at: reading.measured.nanoseconds)
    default: break
    }
  }

  /// Names the kind of the punch at a time, if it is certain.
  mutating func name(_ event: inout PunchEvent, at time: Int64) {
    guard let name = kinds?.kind(at: time) else { return }
    event.punch = PunchKind(scoredLabel: PunchLabel.classify(name).label)
    event.name = name
  }

  /// Holds back the detections since `first` until it is known whether gravity turned.
  mutating func hold(_ detections: inout [Detection<PunchEvent>], from first: Int) {
    guard turn != nil, withdrawBelow == 0, first < detections.count else { return }
    held += detections[first...]
    detections.removeSubrange(first...)
  }

  /// Reports the held detections that a sample at `measured` decides.
  mutating func release(
    measured: TraceInstant, arrived: TraceInstant, into detections: inout [Detection<PunchEvent>]
  ) {
    while let first = held.first,
      distance(measured.nanoseconds, first.onset.nanoseconds) > GravityTurn.horizon
    {
      report(held.removeFirst(), at: arrived, newest: measured, into: &detections)
    }
  }

  /// Reports all held detections, by what is known at the end.
  mutating func release(at end: TraceInstant, into detections: inout [Detection<PunchEvent>]) {
    for detection in held { report(detection, at: end, newest: nil, into: &detections) }
    held = []
  }

  private func report(
    _ detection: Detection<PunchEvent>, at emitted: TraceInstant, newest: TraceInstant?,
    into detections: inout [Detection<PunchEvent>]
  ) {
    if isFall(detection) { return }
    detections.append(
      Detection(
        onset: detection.onset, emitted: emitted, newestMeasured: newest, event: detection.event))
  }

  private func isFall(_ detection: Detection<PunchEvent>) -> Bool {
    guard let turn = turn?.turn(around: detection.onset.nanoseconds) else { return false }
    return turn.degrees > largestTurn && turn.unrest <= GravityTurn.rest
  }

  /// Remembers a punch that was reported at once.
  mutating func doubt(_ detection: Detection<PunchEvent>, peak: Acceleration) {
    guard withdrawBelow > 0 else { return }
    doubted.append(
      Doubted(
        detection: detection, peak: peak, peakTime: detection.onset.nanoseconds,
        isSwing: swings == nil))
  }

  /// Withdraws the punches that a sample at `measured` contradicts.
  mutating func withdraw(
    measured: TraceInstant, arrived: TraceInstant, into detections: inout [Detection<PunchEvent>]
  ) {
    guard !doubted.isEmpty else { return }
    var open: [Doubted] = []
    for var punch in doubted {
      let age = distance(measured.nanoseconds, punch.detection.onset.nanoseconds)
      if !punch.isSwing, distance(measured.nanoseconds, punch.peakTime) > SwingHistory.horizon {
        guard settle(&punch) else {
          withdraw(punch, at: arrived, newest: measured, into: &detections)
          continue
        }
      }
      if punch.isSwing, turn == nil { continue }
      if punch.isSwing, age > GravityTurn.horizon {
        if isFall(punch.detection) {
          withdraw(punch, at: arrived, newest: measured, into: &detections)
        }
        continue
      }
      open.append(punch)
    }
    doubted = open
  }

  /// Withdraws punches by what is known at the end.
  mutating func withdraw(at end: TraceInstant, into detections: inout [Detection<PunchEvent>]) {
    for var punch in doubted where !(punch.isSwing || settle(&punch)) || isFall(punch.detection) {
      withdraw(punch, at: end, newest: nil, into: &detections)
    }
    doubted = []
  }

  /// Returns whether it looks like a punch and is not the previous punch again.
  private mutating func settle(_ punch: inout Doubted) -> Bool {
    // The acceleration and the stop of a fist may both exceed the threshold: they are one punch.
    let isNew = newestPeak.map { distance($0, punch.peakTime) > SwingHistory.horizon } ?? true
    guard isNew, looksLikePunch(punch) else { return false }
    punch.isSwing = true
    newestPeak = punch.peakTime
    return true
  }

  private func looksLikePunch(_ punch: Doubted) -> Bool {
    // If the samples are no longer known, because a clock was set, they contradict nothing.
    guard
      let equivalent = swings?.equivalentPeak(of: punch.peak, at: punch.peakTime)
    else { return true }
    return equivalent > withdrawBelow
  }

  private func withdraw(
    _ punch: Doubted, at emitted: TraceInstant, newest: TraceInstant?,
    into detections: inout [Detection<PunchEvent>]
  ) {
    var event = punch.detection.event
    event.isWithdrawal = true
    detections.append(
      Detection(
        onset: punch.detection.onset, emitted: emitted, newestMeasured: newest, event: event))
  }
}
