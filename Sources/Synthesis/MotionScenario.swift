import TraceModel

/// A generated motion scenario: the exact motion and its events.
struct MotionScenario {
  let subject: Subject
  private let hand: Hand
  private let sampleRate: Double
  private let hasActions: Bool
  private let header: TraceHeader
  let duration: Double
  let model: MotionModel
  let strikes: [Strike]
  let holds: [ClosedRange<Double>]
  private let lessons: [(time: Double, action: Action)]
  private let sensorRandom: SeededGenerator

  init(_ spec: ScenarioSpec) {
    self.init(
      Subject(number: spec.subject), hand: spec.hand, sampleRate: spec.sampleRate,
      hasActions: spec.hasHolds, header: spec.header(), random: spec.generator(),
      duration: spec.duration
    ) { $0.play(spec) }
  }

  init(_ script: ScenarioScript) {
    self.init(
      Subject(number: script.subject), hand: script.hand, sampleRate: script.sampleRate,
      hasActions: script.hasActions, header: script.header(), random: script.generator(),
      duration: nil
    ) { $0.play(script) }
  }

  /// - Parameter duration: nil = as long as it takes, to the next tenth of a second.
  private init(
    _ subject: Subject, hand: Hand, sampleRate: Double, hasActions: Bool, header: TraceHeader,
    random: SeededGenerator, duration: Double?, playing play: (inout Choreography) -> Void
  ) {
    var random = random
    self.subject = subject
    self.hand = hand
    self.sampleRate = sampleRate
    self.hasActions = hasActions
    self.header = header
    sensorRandom = random.split()
    var choreography = Choreography(subject: subject, hand: hand, random: random)
    play(&choreography)
    self.duration = duration ?? (choreography.time * 10).rounded(.up) / 10
    model = choreography.model(duration: self.duration)
    strikes = choreography.strikes
    holds = choreography.holds
    lessons = choreography.lessons
  }

  func trace() -> Trace {
    var header = header
    header.end = instant(duration)
    header.references = [punchReference()]
    var trace = Trace(header: header)
    var random = sensorRandom
    let output = InertialSensor(phone: subject.phone, rate: sampleRate)
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
    trace.set(
      .vector(output.rotationRate), for: .rotationRate,
      attributes: ["saturation": "\(Phone.rotationRail)"])
    if hasActions { trace.set(.action(actions()), for: .action) }
    return trace
  }

  /// Returns the punches with the magnitude of their peak acceleration, before any sensor. One that
  /// is stopped happens at the instant of its peak. A swing has no impact and a broad peak: it is
  /// the interval above half of that.
  func punchReference() -> ReferenceSet {
    let events = strikes.map { strike in
      let peak = model.peak(in: strike.impact)
      let time =
        strike.isSwing
        ? model.half(of: peak, in: strike.impact) : peak.time...peak.time
      return ReferenceEvent(
        onset: instant(time.lowerBound), offset: instant(time.upperBound),
        label: strike.technique.label,
        originalLabel: strike.technique.rawValue, hand: hand, value: peak.magnitude)
    }
    return ReferenceSet(
      task: .punch, events: events, valueUnits: "m s-2",
      definition:
        "peak deceleration of the hand (the impact); of a swing without impact the time above half "
        + "of its peak; value = the true magnitude of the peak")
  }

  private func actions() -> ActionColumns {
    let all =
      holds.flatMap { [($0.lowerBound, Action.arm), ($0.upperBound, .disarm)] }
      + lessons
    var columns = ActionColumns()
    for (time, action) in all.sorted(by: { $0.0 < $1.0 }) {
      let time = instant(time).nanoseconds
      columns.append(action, measured: time, arrived: time)
    }
    return columns
  }
}

/// Returns the instant nearest to a time in seconds computed by this target.
func instant(_ seconds: Double) -> TraceInstant {
  TraceInstant(nanoseconds: Int64((seconds * 1e9).rounded()))
}

extension Choreography {
  mutating func play(_ spec: ScenarioSpec) {
    let duration = spec.duration ?? 0
    rest(1.5)
    switch spec.kind {
    case .walking: walk(until: duration)
    case .running: run(until: duration)
    case .handling: handle(until: duration)
    case .clapping: applaud(until: duration)
    case .stairs: climb(until: duration)
    case .falls: fall(until: duration)
    case .exercise: exercise(until: duration)
    case .fight: fight(until: duration, movesFirst: spec.subject % 2 == 1)
    default:
      let style = spec.kind == .lightPunches ? PunchStyle(target: .air, force: .light) : .init()
      train(until: duration, style: style, isHoldToArm: spec.isHoldToArm)
    }
  }

  mutating func rest(_ seconds: Double) { time += seconds }

  /// Alternates bouts of punches with other hand movements until `end`.
  mutating func train(until end: Double, style: PunchStyle, isHoldToArm: Bool) {
    var pause = Int(random.unit() * 3)
    while time + 6 < end {
      let count = 7 + Int(random.unit() * 6)
      bout(punches: count, style: style, isHoldToArm: isHoldToArm, before: end)
      let stretch = min(time + random.uniform(7...14), end)
      switch pause % 3 {
      case 0: walk(until: stretch)
      case 1: handle(until: stretch)
      default: run(until: stretch)
      }
      pause += 1
      if isHoldToArm, time + 6 < end, pause.isMultiple(of: 2) { holdInVain() }
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
