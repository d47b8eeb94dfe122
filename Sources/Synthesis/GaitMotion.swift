import TraceModel

extension Choreography {
  /// Walks with a swinging arm until `end`.
  mutating func walk(until end: Double) {
    setTremor(factor: 1.9)
    lowerArm()
    walkOn(until: end)
  }

  private mutating func walkOn(until end: Double) {
    stepOn(
      until: end,
      Gait(
        step: subject.walkingStep, unevenness: 0.025, swing: random.uniform(0.22...0.38),
        swingAngle: Math.radians(random.uniform(12...25)), rise: random.uniform(0.025...0.04),
        landing: 0.16 * subject.tread, landingSpread: 0.4, landingTime: 0.030...0.060, ringing: 1.5,
        sidedness: 0.2, joltShare: 0.015))
  }

  /// Runs with bent arms until `end`.
  mutating func run(until end: Double) {
    setTremor(factor: 2.5)
    turnHand(to: Attitude(pitch: Math.radians(-50), yaw: side * 0.4), at: time, over: 0.6)
    time += 0.6
    stepOn(
      until: end,
      Gait(
        step: subject.runningStep, unevenness: 0.03, swing: random.uniform(0.35...0.5),
        swingAngle: Math.radians(random.uniform(12...22)), rise: random.uniform(0.05...0.08),
        landing: 1.5 * subject.tread, landingSpread: 0.17, landingTime: 0.080...0.115, sway: 60,
        sidedness: 0.12, joltShare: 0.008))
  }

  /// Climbs and descends flights of stairs until `end`.
  mutating func climb(until end: Double) {
    setTremor(factor: 2.4)
    lowerArm()
    var isUp = random.chance(0.5)
    while time < end {
      let flight = min(time + random.uniform(6...11), end)
      stepOn(
        until: flight,
        Gait(
          step: subject.walkingStep * (isUp ? 1.12 : 1), unevenness: 0.05,
          swing: random.uniform(0.12...0.25), swingAngle: Math.radians(random.uniform(8...18)),
          rise: random.uniform(0.05...0.09), landing: (isUp ? 0.2 : 0.32) * subject.tread,
          landingSpread: 0.35, landingTime: 0.030...0.055, sidedness: 0.1, joltShare: 0.02))
      // The landing between two flights.
      let landing = min(time + random.uniform(1.5...3), end)
      if landing > time + 1 { walkOn(until: landing) }
      isUp.toggle()
    }
  }

  private mutating func lowerArm() {
    let pose = Attitude(
      pitch: Math.radians(random.uniform(-75 ... -50)), yaw: side * random.uniform(0.2...0.7))
    turnHand(to: pose, at: time, over: 0.7)
    time += 0.7
  }

  private struct Gait {
    /// The step time in seconds.
    var step: Double
    /// The variation of the step time, as a share.
    var unevenness: Double
    /// The swing of the hand in m, and its turn in radians.
    var swing: Double
    var swingAngle: Double
    /// The rise of the body in each step in m.
    var rise: Double
    /// The speed lost at the hand on landing in m s-1, with the spread of its logarithm.
    var landing: Double
    var landingSpread: Double
    var landingTime: ClosedRange<Double>
    /// A factor for the ringing of hand and phone after it.
    var ringing = 1.0
    /// The largest angle of the jolt at the hand from upward, in degrees.
    var sway = 25.0
    /// How much harder every other step is at the hand, as a share.
    var sidedness: Double
    /// The share of irregular steps: a kerb, a stone, a swerve.
    var joltShare: Double
  }

  private mutating func stepOn(until end: Double, _ gait: Gait) {
    let neutral = attitude
    var tempo = 0.0
    var isForward = true
    while time < end {
      // The tempo drifts: each step keeps most of the previous deviation.
      tempo = 0.8 * tempo + random.normal(standardDeviation: gait.unevenness * 0.6)
      let step = gait.step * (1 + tempo + random.normal(standardDeviation: gait.unevenness / 2))
      swingArm(gait, forward: isForward, neutral: neutral, step: step)
      land(gait, step: step, factor: 1 + (isForward ? gait.sidedness : -gait.sidedness))
      time += step
      isForward.toggle()
    }
  }

  /// Swings the arm once per step, alternately forward and back. Each swing begins before the last
  /// one ends, because an arm does not rest at the turning points.
  private mutating func swingArm(
    _ gait: Gait, forward: Bool, neutral: Attitude, step: Double
  ) {
    let sign = forward ? -1.0 : 1.0
    let size = random.factor(spread: 0.08)
    let way = random.turned(
      Vector(x: -side * 0.3 * sign, y: 0.25, z: sign).normalized, upTo: Math.radians(8))
    reach(way * (gait.swing * size), at: time - 0.12 * step, over: 1.24 * step)
    let pitch = Attitude(pitch: -sign * gait.swingAngle * size)
    turn(to: pitch * neutral, at: time, over: step * 0.94)
  }

  private mutating func land(_ gait: Gait, step: Double, factor: Double) {
    let rise = Vector(x: 0, y: gait.rise * random.factor(spread: 0.1), z: 0)
    reach(rise, at: time + 0.1 * step, over: 0.58 * step)
    reach(-rise, at: time + 0.55 * step, over: 0.58 * step)
    let jolt = random.chance(gait.joltShare) ? random.uniform(1.4...2.2) : 1
    let speed = gait.landing * factor * random.factor(spread: gait.landingSpread) * jolt
    let length = random.uniform(gait.landingTime)
    // At a bent arm the jolt goes anywhere between up and along the forearm.
    let up = random.turned(
      Vector(x: 0, y: 1, z: 0.25).normalized, upTo: Math.radians(gait.sway))
    stop(up * speed, at: time, over: length)
    // The muscles give the speed back evenly, over the next two steps.
    ramp(up * -speed, at: time + length, over: 2 * step)
    ring(
      random.direction() * (speed * gait.ringing * random.uniform(6...13)), at: time + length,
      frequency: random.uniform(6.5...11), decay: random.uniform(0.03...0.06))
  }
}
