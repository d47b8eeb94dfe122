import TraceModel

/// A generated motion scenario: the exact motion and its events.
struct MotionScenario {
  let spec: ScenarioSpec
  let subject: Subject
  let duration: Double
  let model: MotionModel
  let strikes: [Strike]
  let holds: [ClosedRange<Double>]
  private let sensorRandom: SeededGenerator

  init(_ spec: ScenarioSpec) {
    self.spec = spec
    subject = Subject(number: spec.subject)
    duration = spec.duration ?? 0
    var random = spec.generator()
    sensorRandom = random.split()
    var play = Choreography(subject: subject, hand: spec.hand, random: random)
    play.rest(1.5)
    switch spec.kind {
    case .walking: play.walk(until: duration)
    case .running: play.run(until: duration)
    case .handling: play.handle(until: duration)
    case .fight: play.fight(until: duration, movesFirst: spec.subject % 2 == 1)
    default: play.train(until: duration, isHoldToArm: spec.isHoldToArm)
    }
    model = play.model(duration: duration)
    strikes = play.strikes
    holds = play.holds
  }

  func trace() -> Trace {
    var header = spec.header()
    header.end = instant(duration)
    header.references = [punchReference()]
    var trace = Trace(header: header)
    var random = sensorRandom
    let output = InertialSensor(phone: subject.phone, rate: spec.sampleRate)
      .measure(model, duration: duration, random: &random)
    let attributes = [
      "saturation": "\(subject.phone.rail)",
      "sign": "specific force: at rest +9.80665 along the axis that points up",
    ]
    trace.set(.vector(output.acceleration), for: .acceleration, attributes: attributes)
    trace.set(
      .vector(output.userAcceleration), for: .userAcceleration,
      attributes: attributes.merging(
        ["gravity_removal": "simulated fusion of the device"]) { own, _ in own })
    if spec.hasHolds { trace.set(.action(actions()), for: .action) }
    return trace
  }

  /// Returns the punches with the instant and the magnitude of their peak acceleration, before any
  /// sensor.
  func punchReference() -> ReferenceSet {
    let events = strikes.map { strike in
      let peak = model.peak(in: strike.impact)
      return ReferenceEvent(
        onset: instant(peak.time), label: strike.technique.label,
        originalLabel: strike.technique.rawValue, hand: spec.hand, value: peak.magnitude)
    }
    return ReferenceSet(
      task: .punch, events: events, valueUnits: "m s-2",
      definition: "peak deceleration of the hand (the impact); value = its true magnitude")
  }

  private func actions() -> ActionColumns {
    var columns = ActionColumns()
    for hold in holds {
      let arm = instant(hold.lowerBound).nanoseconds
      let disarm = instant(hold.upperBound).nanoseconds
      columns.append(.arm, measured: arm, arrived: arm)
      columns.append(.disarm, measured: disarm, arrived: disarm)
    }
    return columns
  }
}

/// Returns the instant nearest to a time in seconds computed by this target.
func instant(_ seconds: Double) -> TraceInstant {
  TraceInstant(nanoseconds: Int64((seconds * 1e9).rounded()))
}

extension Choreography {
  mutating func rest(_ seconds: Double) { time += seconds }

  /// Alternates bouts of punches with other hand movements until `end`.
  mutating func train(until end: Double, isHoldToArm: Bool) {
    var pause = Int(random.unit() * 3)
    while time + 6 < end {
      let count = 7 + Int(random.unit() * 6)
      bout(punches: count, isHoldToArm: isHoldToArm, before: end)
      let stretch = min(time + random.uniform(7...14), end)
      switch pause % 3 {
      case 0: walk(until: stretch)
      case 1: handle(until: stretch)
      default: run(until: stretch)
      }
      pause += 1
      if isHoldToArm, time + 6 < end, random.chance(0.4) { holdInVain() }
    }
  }

  /// Holds the button and releases it without a punch.
  private mutating func holdInVain() {
    time += 0.8
    let start = time
    time += random.uniform(0.6...1.5)
    holds.append(start...time)
    time += 0.3
  }
}
