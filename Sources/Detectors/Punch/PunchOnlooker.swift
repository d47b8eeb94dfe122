import TraceModel

/// What a punch detector looks at beside its rule, on every sample: what kind a punch is, and whether it
/// is a fall.
struct PunchOnlooker: Sendable, Codable {
  private var kinds: KindReader?
  private var turn: GravityTurn?
  private let largestTurn: Double
  /// What waits until it is known whether gravity turned, in the order of report.
  private var held: [Detection<PunchEvent>] = []

  /// - Returns: nil if these parameters need nothing of it.
  init?(_ parameters: PunchParameters) {
    kinds = KindReader(parameters)
    turn = parameters.gravityTurn < 180 ? GravityTurn() : nil
    largestTurn = parameters.gravityTurn
    if kinds == nil, turn == nil { return nil }
  }

  mutating func add(_ sample: Acceleration, at time: TraceInstant) {
    kinds?.add(acceleration: sample, at: time.nanoseconds)
  }

  /// Adds a reading of a companion.
  mutating func add(_ reading: Reading) {
    guard case .vector(let sample) = reading.value else { return }
    switch reading.channel {
    case .acceleration: turn?.add(sample, at: reading.measured.nanoseconds)
    case .rotationRate: kinds?.add(rotation: sample, at: reading.measured.nanoseconds)
    default: break
    }
  }

  /// Names the kind of the punch at a time, if it is sure.
  func name(_ event: inout PunchEvent, at time: Int64) {
    guard let name = kinds?.kind(at: time) else { return }
    event.punch = PunchKind(scoredLabel: PunchLabel.classify(name).label)
    event.name = name
  }

  /// Takes back what was reported since `first`, until it is known whether gravity turned.
  mutating func hold(_ detections: inout [Detection<PunchEvent>], from first: Int) {
    guard turn != nil, first < detections.count else { return }
    held += detections[first...]
    detections.removeSubrange(first...)
  }

  /// Reports what a sample at `measured` decides.
  mutating func release(
    measured: TraceInstant, arrived: TraceInstant, into detections: inout [Detection<PunchEvent>]
  ) {
    while let first = held.first,
      distance(measured.nanoseconds, first.onset.nanoseconds) > GravityTurn.horizon
    {
      report(held.removeFirst(), at: arrived, newest: measured, into: &detections)
    }
  }

  /// Reports all by what is known at the end.
  mutating func release(at end: TraceInstant, into detections: inout [Detection<PunchEvent>]) {
    for detection in held { report(detection, at: end, newest: nil, into: &detections) }
    held = []
  }

  private func report(
    _ detection: Detection<PunchEvent>, at emitted: TraceInstant, newest: TraceInstant?,
    into detections: inout [Detection<PunchEvent>]
  ) {
    if let turn = turn?.turn(around: detection.onset.nanoseconds), turn.degrees > largestTurn,
      turn.unrest <= GravityTurn.rest
    {
      return
    }
    detections.append(
      Detection(
        onset: detection.onset, emitted: emitted, newestMeasured: newest, event: detection.event))
  }
}
