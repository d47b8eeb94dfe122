import TraceModel

extension Choreography {
  /// Walks with a swinging arm until `end`.
  mutating func walk(until end: Double) {
    setTremor(factor: 1.77)
    lowerArm()
    walkOn(until: end)
  }

  private mutating func walkOn(until end: Double) {
    stepOn(
      until: end,
      Gait(
        step: subject.walkingStep, unevenness: 0.011, swing: random.uniform(0.24...0.39),
        swingAngle: Math.radians(random.uniform(12...25)), swingSpread: 0.12,
        rise: random.uniform(0.027...0.037),
        landing: 0.16 * subject.tread, landingSpread: 0.38, landingTime: 0.033...0.057,
        ringing: Ringing(
          size: 11.2...23.3, frequency: 6.19...11.3, decay: 0.031...0.064),
        secondShare: 0.0, sidedness: 0.19, joltShare: 0.011,
        drift: Drift(step: 0.075, sidedness: 0.095, unevenness: 0.094, rise: 0.015, slowShare: 0.23)
      ))
  }

  mutating func run(until end: Double) {
    setTremor(factor: 0.49)
    turnHand(to: Attitude(pitch: Math.radians(-50), yaw: side * 0.4), at: time, over: 0.6)
    time += 0.6
    stepOn(
      until: end,
      Gait(
        step: 0.92 * subject.runningStep, unevenness: 0.042, swing: random.uniform(0.33...0.53),
        swingAngle: Math.radians(random.uniform(12...22)), swingSpread: 0.066,
        rise: random.uniform(0.031...0.071),
        landing: 1.44 * subject.tread, landingSpread: 0.17, landingTime: 0.086...0.11,
        ringing: Ringing(size: 8.53...10.8, frequency: 6.04...10.5, decay: 0.04...0.075),
        sway: 60.0,
        secondShare: 0.05, sidedness: 0.13, joltShare: 0.008,
        drift: Drift(swing: 0.27, unevenness: 0.057, landing: 0.028, ringing: 0.028, slowShare: 0.3)
      ))
  }

  /// Climbs and descends flights of stairs until `end`.
  mutating func climb(until end: Double) {
    setTremor(factor: 2.38)
    lowerArm()
    var isUp = random.chance(0.5)
    while time < end {
      let flight = min(time + random.uniform(6...11), end)
      stepOn(until: flight, stairs(isUp: isUp))
      // The landing between two flights.
      let landing = min(time + random.uniform(1.5...3), end)
      if landing > time + 1 { walkOn(until: landing) }
      isUp.toggle()
    }
  }

  private mutating func stairs(isUp: Bool) -> Gait {
    Gait(
      step: subject.walkingStep * (isUp ? 1.12 : 1) * 1.0, unevenness: 0.05,
      swing: random.uniform(0.12...0.25), swingAngle: Math.radians(random.uniform(8...18)),
      swingSpread: 0.08, rise: random.uniform(0.05...0.09),
      landing: 1.0 * (isUp ? 0.2 : 0.32) * subject.tread, landingSpread: 0.35,
      landingTime: 0.030...0.055,
      ringing: Ringing(
        size: 6.0...13.0, frequency: 6.5...11.0, decay: 0.03...0.06),
      secondShare: 0.1, sidedness: 0.1, joltShare: 0.02,
      drift: Drift(
        step: 0.08, swing: 0.1, sidedness: 0.1,
        unevenness: 0.1, landing: 0.3, rise: 0.1,
        ringing: 0.2, slowShare: 0.1))
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
    /// The swing of the hand in m, and its turn in radians; both vary with this spread of the logarithm.
    var swing: Double
    var swingAngle: Double
    var swingSpread: Double
    /// The rise of the body in each step in m.
    var rise: Double
    /// The speed lost at the hand on landing in m s-1, with the spread of its logarithm.
    var landing: Double
    var landingSpread: Double
    var landingTime: ClosedRange<Double>
    /// The ringing of hand and phone after it.
    var ringing: Ringing
    /// The largest angle of the jolt at the hand from upward, in degrees.
    var sway = 25.0
    /// The share of steps with a second jolt: the toes after the heel, or the phone in a loose hand.
    var secondShare = 0.0
    /// How much harder every other step is at the hand, as a share.
    var sidedness: Double
    /// The share of irregular steps: a kerb, a stone, a swerve.
    var joltShare: Double
    var drift: Drift
  }

  private struct Ringing {
    /// The amplitude in m s-2 for each m s-1 that the landing takes.
    var size: ClosedRange<Double>
    /// The frequency in Hz.
    var frequency: ClosedRange<Double>
    var decay: ClosedRange<Double>
  }

  /// The changes in a person's gait from one stretch of some seconds to the next: spreads of
  /// logarithms, and for the sidedness a standard deviation.
  private struct Drift {
    var step = 0.0
    var swing = 0.0
    var sidedness = 0.0
    var unevenness = 0.0
    var landing = 0.0
    var rise = 0.0
    var ringing = 0.0
    /// The share of stretches in which the person dawdles.
    var slowShare: Double
  }

  private mutating func stepOn(until end: Double, _ usual: Gait) {
    let neutral = attitude
    var tempo = 0.0
    var isForward = true
    var gait = usual
    var change = time
    while time < end {
      if time >= change {
        gait = drifted(usual)
        change = time + random.uniform(5...12.5)
      }
      // The tempo drifts: each step keeps most of the previous deviation.
      tempo = 0.8 * tempo + random.normal(standardDeviation: gait.unevenness * 0.6)
      let step = gait.step * (1 + tempo + random.normal(standardDeviation: gait.unevenness / 2))
      swingArm(gait, forward: isForward, neutral: neutral, step: step)
      land(gait, step: step, factor: 1 + (isForward ? gait.sidedness : -gait.sidedness))
      time += step
      isForward.toggle()
    }
  }

  private mutating func drifted(_ usual: Gait) -> Gait {
    var gait = usual
    let drift = usual.drift
    gait.step *= random.factor(spread: drift.step)
    gait.swing *= random.factor(spread: drift.swing)
    gait.unevenness *= random.factor(spread: drift.unevenness)
    gait.landing *= random.factor(spread: drift.landing)
    gait.rise *= random.factor(spread: drift.rise)
    let sidedness = gait.sidedness + random.normal(standardDeviation: drift.sidedness)
    gait.sidedness = min(abs(sidedness), 0.9)
    let ringing = random.factor(spread: drift.ringing)
    gait.ringing.size =
      gait.ringing.size.lowerBound * ringing...gait.ringing.size.upperBound * ringing
    if random.chance(drift.slowShare) {
      gait.step *= random.uniform(1.3...1.5)
      gait.landing *= random.uniform(0.1...0.3)
      gait.rise *= 0.6
      gait.swing *= 0.6
      gait.sidedness = min(2 * gait.sidedness, 0.9)
    }
    return gait
  }

  /// Swings the arm once per step, alternately forward and back. Each swing begins before the last
  /// one ends, because an arm does not rest at the turning points.
  private mutating func swingArm(
    _ gait: Gait, forward: Bool, neutral: Attitude, step: Double
  ) {
    let sign = forward ? -1.0 : 1.0
    let size = random.factor(spread: gait.swingSpread)
    let way = random.turned(
      Vector(x: -side * 0.3 * sign, y: 0.25, z: sign).normalized, upTo: Math.radians(8))
    reach(way * (gait.swing * size), at: time - 0.12 * step, over: 1.24 * step)
    let pitch = Attitude(pitch: -sign * gait.swingAngle * size)
    turn(to: pitch * neutral, at: time, over: step * 0.94)
  }

  private mutating func land(_ gait: Gait, step: Double, factor: Double) {
    let rise = Vector(x: 0, y: gait.rise * random.factor(spread: 0.1), z: 0)
    reach(rise, at: time + 0.1 * step, over: 0.58 * step)
    reach(rise * -1, at: time + 0.55 * step, over: 0.58 * step)
    let jolt = random.chance(gait.joltShare) ? random.uniform(1.4...2.2) : 1
    let speed = gait.landing * factor * random.factor(spread: gait.landingSpread) * jolt
    let length = random.uniform(gait.landingTime)
    // At a bent arm the jolt goes anywhere between up and along the forearm.
    let up = random.turned(
      Vector(x: 0, y: 1, z: 0.25).normalized, upTo: Math.radians(gait.sway))
    stop(up * speed, at: time, over: length)
    // The muscles give the speed back evenly, over the next two steps.
    ramp(up * -speed, at: time + length, over: 2.1 * step)
    if random.chance(gait.secondShare) {
      let again = time + step * random.uniform(0.3...0.6)
      stop(up * (0.6 * speed), at: again, over: length)
      ramp(up * (-0.6 * speed), at: again + length, over: step)
    }
    ring(
      random.direction() * (speed * random.uniform(gait.ringing.size)), at: time + length,
      frequency: random.uniform(gait.ringing.frequency), decay: random.uniform(gait.ringing.decay))
  }
}
