import TraceModel

extension Choreography {
  /// The guard: the phone upright before the face, tilted back slightly.
  static let guardPose = Attitude(pitch: Math.radians(-25))

  /// Throws one punch that starts at `time`, and sets `time` to the return of the hand. A quick
  /// punch is followed by another: it has a shorter path and a fast retraction.
  mutating func punch(
    _ technique: Technique, _ force: Force, at target: PunchStyle.Target,
    isQuick: Bool = false, isInSeries: Bool = false, isCombined: Bool = false
  ) {
    let swings = force == .light || technique.isRound && target == .air && force != .playful
    if swings, !isInSeries {
      swing(technique, force, isQuick: isQuick)
    } else {
      drive(
        technique, force, at: target, isQuick: isQuick, isInSeries: isInSeries,
        isCombined: isCombined)
    }
  }

  private mutating func drive(
    _ technique: Technique, _ force: Force, at target: PunchStyle.Target, isQuick: Bool,
    isInSeries: Bool, isCombined: Bool
  ) {
    let blow = subject.blow(force, at: target)
    let peakSpeed = random.uniform(blow.speed)
    let style = isQuick ? 0.75 : force == .hard ? 1 : 1.2
    let approach = force == .playful ? .playful : Approach.to(target)
    // Punches of a combination are short.
    let length = isCombined ? 1 : approach.way
    let way = length * subject.reach * random.factor(spread: approach.spread) * style
    // At a pad the trunk goes with the hand.
    let whole = min(max(2 * way * (target == .pad ? 2 : 1.1) / peakSpeed, 0.1), 0.45)
    let drive = isInSeries ? random.uniform(0.13...0.2) : whole
    let stopping = random.uniform(blow.stop)
    let direction = random.turned(technique.direction(side: side), upTo: Math.radians(10))
    let velocity = direction * peakSpeed
    let impactStart = time + drive
    let impactEnd = impactStart + stopping
    let rebound = random.uniform(0.03...0.12)

    if !isQuick { tense(against: direction, by: approach.tension) }
    fidget(approach.unrest, until: time + 0.5 * drive)
    ramp(velocity, at: time, over: drive)
    stop(velocity * -(1 + rebound), at: impactStart, over: stopping)
    ramp(velocity * rebound, at: impactEnd, over: random.uniform(0.06...0.1))
    tremble(
      after: impactEnd, peak: peakSpeed * .pi / 2 / stopping, along: direction,
      by: approach)
    // A round punch turns the forearm in its plane, a straight one about its way.
    let end = technique.direction(side: side)
    let axis = technique.isRound ? Vector(x: 0, y: 0, z: -1).cross(end) : end
    let angle = technique.isRound ? 1.3 : side * subject.fistTurn
    turnWrist(about: axis, by: angle, drive: drive, impact: impactStart)
    add(
      Strike(
        technique: technique, force: force, direction: direction, start: time,
        impact: impactStart...impactEnd, isSwing: false))
    retract(
      direction * (-peakSpeed * drive / 2), at: impactEnd, isQuick: isQuick,
      after: isInSeries ? .shortStop : .stop, slowly: approach.back)
  }

  /// Draws the hand back a few centimetres before it shoots forward.
  private mutating func tense(against direction: Vector, by factor: Double) {
    let lead = random.uniform(0.12...0.25)
    reach(direction * (factor * -random.uniform(0.01...0.05)), at: time - lead, over: lead)
  }

  /// Adds the movement of a hand before a punch: small pushes in all directions.
  private mutating func fidget(_ unrest: Unrest?, until end: Double) {
    guard let unrest else { return }
    var at = end - unrest.span
    while at < end {
      ring(
        random.direction() * (unrest.size * random.factor(spread: unrest.spread)), at: at,
        frequency: random.uniform(unrest.frequency), decay: 0.08)
      at += random.uniform(0.08...0.2)
    }
  }

  /// Turns the fist, mostly around the impact, to within a few degrees.
  private mutating func turnWrist(
    about axis: Vector, by angle: Double, drive: Double, impact: Double
  ) {
    let error = Attitude(
      smallRotation: random.normalVector(standardDeviation: Math.radians(2.5)))
    let angle = angle * random.factor(spread: 0.1)
    let late = min(0.07, drive - 0.03)
    turnHand(
      to: Attitude(axis: axis, angle: -angle) * error, at: time, over: drive - late)
    turnHand(to: Attitude(axis: axis, angle: 0.15 * angle) * error, at: impact - late, over: 0.16)
  }

  /// Adds the ringing of hand, strap and forearm after the impact, mostly along its direction.
  private mutating func tremble(
    after time: Double, peak: Double, along direction: Vector, by approach: Approach
  ) {
    let amplitude = min(peak * random.uniform(approach.tremble), 60)
    let axis = (direction + random.direction() * 0.7).normalized
    if let pad = approach.pad {
      // The pad and the arm swing on.
      ring(
        direction * (peak * random.uniform(pad.size)), at: time,
        frequency: random.uniform(pad.frequency), decay: random.uniform(pad.decay))
    }
    ring(
      axis * amplitude, at: time, frequency: random.uniform(20...42),
      decay: random.uniform(0.012...0.028))
  }

  /// Swings the forearm about the elbow, from rest to rest; the phone turns with it. Recorded hooks
  /// and uppercuts in the air are such swings: 0.24 s above half of their peak.
  private mutating func swing(_ technique: Technique, _ force: Force, isQuick: Bool) {
    let shape = subject.swing(force)
    let manner = SwingManner.of(technique, force)
    // The whole arm takes part in a hook: it is wider and slower.
    let width = technique == .hook ? 1.15 : 1
    let size = random.factor(spread: 0.06)
    let length =
      random.uniform(shape.duration) * width * size * random.factor(spread: manner.lengthSpread)
    let angle = shape.angle * size
    let radius =
      manner.radius * subject.forearm * shape.lever * width * width
      * random.factor(spread: manner.radiusSpread)
    let skew = random.uniform(manner.skew)
    let end = random.turned(technique.direction(side: side), upTo: Math.radians(10))
    // The forearm turns from forward (or outward) to the way of the technique and beyond.
    let sideways = technique == .thrust ? Vector(x: side, y: 0, z: 0) : Vector(x: 0, y: 0, z: -1)
    let axis = sideways.cross(end).normalized
    let before = Attitude(axis: axis, angle: -0.4 * angle)
    let after = Attitude(axis: axis, angle: 0.6 * angle)
    let start = before.toBody(end)
    let windUp = random.uniform(manner.windUp)
    turnHand(to: before, at: time, over: windUp)
    time += windUp
    let back = random.uniform(manner.back)
    let away = start * -random.uniform(manner.away) + axis.cross(start) * -back
    reach(away, at: time - windUp, over: windUp + manner.overlap * length)
    arc(
      start * radius, centre: axis.cross(start) * radius, angle: angle, skew: skew, at: time,
      over: length)
    turnHand(to: after, at: time, over: length)
    heave(during: length, manner.heave)
    fidget(manner.unrest, until: time + 0.5 * length)
    if force == .light {
      // A slow swing is not smooth.
      ring(
        random.direction() * random.uniform(7.34...20.7),
        at: time + length * random.uniform(0.3...0.9),
        frequency: random.uniform(6.49...10.5), decay: random.uniform(0.062...0.094))
    }
    add(
      Strike(
        technique: technique, force: force, direction: end, start: time,
        impact: time...(time + length), isSwing: true))
    let chord = start * Math.sin(angle) + axis.cross(start) * (1 - Math.cos(angle))
    retract(
      chord * -radius, at: time + length, isQuick: isQuick, after: .swing, slowly: manner.slowReturn
    )
  }

  /// Adds the movement of the shoulder meanwhile: two short changes of speed anywhere in the swing.
  private mutating func heave(during length: Double, _ heave: SwingManner.Heave) {
    for _ in 0..<2 {
      let push = random.direction() * (random.uniform(heave.size))
      let at = time + length * random.uniform(heave.start)
      ramp(push, at: at, over: heave.duration)
      ramp(push * -1, at: at + heave.duration, over: 0.3)
    }
  }

  /// The state before a hand is drawn back quickly: the time of the return in s, its share of the
  /// way, and the time of the phone's turn in s.
  private struct Ending {
    var quickReturn: ClosedRange<Double>
    var quickShare: Double
    var quickTurn = 0.1

    static let stop = Ending(quickReturn: 0.2...0.3, quickShare: 0.45)
    static let shortStop = Ending(quickReturn: 0.14...0.24, quickShare: 0.6)
    static let swing = Ending(quickReturn: 0.25...0.34, quickShare: 0.4, quickTurn: 0.25)
  }

  private mutating func retract(
    _ way: Vector, at impactEnd: Double, isQuick: Bool, after end: Ending,
    slowly slowReturn: ClosedRange<Double>
  ) {
    let pause = isQuick ? 0.01 : random.uniform(0.02...0.1)
    let back = random.uniform(isQuick ? end.quickReturn : slowReturn)
    reach(way * (isQuick ? end.quickShare : 0.95), at: impactEnd + pause, over: back)
    let wobble = random.normalVector(standardDeviation: Math.radians(6))
    turnHand(
      to: Attitude(smallRotation: wobble) * Choreography.guardPose, at: impactEnd + pause,
      over: isQuick ? end.quickTurn : back)
    time = impactEnd + pause + back
  }
}
