import TraceModel

/// The technique of a punch, with the names of the data sets.
enum Technique: String, CaseIterable, Sendable {
  case jab, uppercut, thrust

  /// The scored class.
  var label: String {
    switch self {
    case .jab, .thrust: "straight"
    case .uppercut: "uppercut"
    }
  }

  /// Returns the direction of the hand in the body's frame. The stop at its end has the opposite
  /// direction: right jab +x, left jab -x, uppercut -y, thrust +z on a phone held upright with its
  /// screen towards the person.
  func direction(side: Double) -> Vector {
    switch self {
    case .jab: Vector(x: -side, y: 0, z: 0)
    case .uppercut: Vector(x: 0, y: 1, z: 0)
    case .thrust: Vector(x: 0, y: 0, z: -1)
    }
  }
}

enum Force: CaseIterable, Sendable {
  case soft, hard
  /// A punch that is stopped by the muscles alone before it lands.
  case light

  /// Returns the peak speed of the hand in m s-1.
  func speed(of subject: Subject) -> ClosedRange<Double> {
    switch self {
    case .soft: subject.softSpeed
    case .hard: subject.hardSpeed
    case .light: 1.8...2.5
    }
  }

  /// Returns the stopping time of the hand in s.
  func stop(of subject: Subject) -> ClosedRange<Double> {
    switch self {
    case .soft: subject.softStop
    case .hard: subject.hardStop
    case .light: 0.06...0.085
    }
  }
}

/// A generated punch.
struct Strike: Sendable {
  var technique: Technique
  var force: Force
  /// The direction of the hand in the body's frame.
  var direction: Vector
  /// The start of the acceleration in s.
  var start: Double
  /// The time of the stop in s.
  var impact: ClosedRange<Double>
}

extension Choreography {
  /// The guard: the phone upright before the face, tilted back slightly.
  static let guardPose = Attitude(pitch: Math.radians(-25))

  /// Throws one punch that starts at `time`, and sets `time` to the return of the hand. A quick
  /// punch is followed by another: it has a shorter path and a fast retraction.
  mutating func punch(_ technique: Technique, _ force: Force, isQuick: Bool = false) {
    let peakSpeed = random.uniform(force.speed(of: subject))
    let style = isQuick ? 0.75 : force == .hard ? 1 : 1.2
    let way = subject.reach * random.factor(spread: 0.12) * style
    let drive = min(max(2 * way / peakSpeed, 0.1), 0.3)
    let stopping = random.uniform(force.stop(of: subject))
    let direction = random.turned(technique.direction(side: side), upTo: Math.radians(10))
    let velocity = direction * peakSpeed
    let impactStart = time + drive
    let impactEnd = impactStart + stopping
    let rebound = random.uniform(0.03...0.12)

    if !isQuick { tense(against: direction) }
    ramp(velocity, at: time, over: drive)
    stop(velocity * -(1 + rebound), at: impactStart, over: stopping)
    ramp(velocity * rebound, at: impactEnd, over: random.uniform(0.06...0.1))
    tremble(after: impactEnd, peak: peakSpeed * .pi / 2 / stopping, along: direction)
    turnWrist(over: drive)
    add(
      Strike(
        technique: technique, force: force, direction: direction, start: time,
        impact: impactStart...impactEnd))
    retract(direction * (-peakSpeed * drive / 2), at: impactEnd, isQuick: isQuick)
  }

  /// Draws the hand back a few centimetres before it shoots forward.
  private mutating func tense(against direction: Vector) {
    let lead = random.uniform(0.12...0.25)
    reach(direction * -random.uniform(0.01...0.05), at: time - lead, over: lead)
  }

  /// Turns the wrist: it is turned at the guard and straight at the impact, within a few degrees.
  private mutating func turnWrist(over drive: Double) {
    let error = random.normalVector(standardDeviation: Math.radians(2.5))
    turnHand(to: Attitude(smallRotation: error), at: time, over: drive)
  }

  /// Adds the ringing of hand, strap and forearm after the impact, mostly along its direction.
  private mutating func tremble(after time: Double, peak: Double, along direction: Vector) {
    let amplitude = min(peak * random.uniform(0.05...0.12), 60)
    let axis = (direction + random.direction() * 0.7).normalized
    ring(
      axis * amplitude, at: time, frequency: random.uniform(20...42),
      decay: random.uniform(0.012...0.028))
  }

  private mutating func retract(_ way: Vector, at impactEnd: Double, isQuick: Bool) {
    let pause = isQuick ? 0.01 : random.uniform(0.02...0.1)
    let back = isQuick ? random.uniform(0.15...0.24) : random.uniform(0.35...0.7)
    reach(way * (isQuick ? 0.6 : 0.95), at: impactEnd + pause, over: back)
    let wobble = random.normalVector(standardDeviation: Math.radians(6))
    turnHand(
      to: Attitude(smallRotation: wobble) * Choreography.guardPose, at: impactEnd + pause,
      over: isQuick ? 0.1 : back)
    time = impactEnd + pause + back
  }

  // MARK: Bouts

  /// Throws some punches from a guard, at a free pace, singly or in combinations; everything ends
  /// before `limit`.
  mutating func bout(punches: Int, isHoldToArm: Bool, before limit: Double) {
    setTremor(factor: 2)
    turnHand(to: Choreography.guardPose, at: time, over: 0.6)
    time += random.uniform(0.8...1.6)
    var left = punches
    while left > 0, time + 6 < limit {
      idleInGuard(for: isHoldToArm ? 1.4 * random.uniform(1...2) : random.uniform(0.5...2.4))
      let count = isHoldToArm ? 1 : min(left, anyCombination())
      let armed = time - random.uniform(0.3...0.8)
      for index in 0..<count {
        punch(anyTechnique(), random.chance(0.5) ? .hard : .soft, isQuick: index + 1 < count)
      }
      if isHoldToArm, let impact = strikes.last?.impact {
        holds.append(armed...(impact.upperBound + random.uniform(0.3...0.6)))
      }
      left -= count
    }
    time += 0.5
  }

  // MARK: Fights

  /// The duration of a turn in seconds: the sides take turns.
  static let turnDuration = 6.0

  /// Throws single light punches in turns, each during a hold of the button. In the fourth turn the
  /// person immediately swings again, out of turn.
  mutating func fight(until end: Double, movesFirst: Bool) {
    setTremor(factor: 2)
    turnHand(to: Choreography.guardPose, at: time, over: 0.6)
    var turn = Choreography.turnDuration * (movesFirst ? 1 : 2)
    var count = 0
    while turn + Choreography.turnDuration <= end {
      idleInGuard(for: max(turn - time, 0))
      time += random.uniform(0.6...1.2)
      swingInHold()
      count += 1
      if count == 4 {
        time += 0.5
        swingInHold()
      }
      turn += 2 * Choreography.turnDuration
    }
    idleInGuard(for: max(end - 1 - time, 0))
  }

  private mutating func swingInHold() {
    let armed = time - random.uniform(0.3...0.5)
    punch(anyTechnique(), .light)
    guard let impact = strikes.last?.impact else { return }
    holds.append(armed...(impact.upperBound + random.uniform(0.35...0.5)))
    time = max(time, impact.upperBound + 0.9)
  }

  /// Draws the number of punches of a combination, mostly one.
  private mutating func anyCombination() -> Int {
    switch random.unit() {
    case ..<0.75: 1
    case ..<0.93: 2
    default: 3
    }
  }

  private mutating func anyTechnique() -> Technique {
    Technique.allCases[Int(random.unit() * 3)]
  }

  /// Adds small steps and feints: the body never stands still between punches.
  private mutating func idleInGuard(for seconds: Double) {
    let end = time + seconds
    var at = time
    while at + 0.35 < end {
      let beat = random.uniform(0.22...0.34)
      let hop = Vector(
        x: random.normal(standardDeviation: 0.01), y: random.uniform(0.004...0.02),
        z: random.normal(standardDeviation: 0.015))
      reach(hop, at: at, over: beat)
      reach(-hop, at: at + beat * 0.8, over: beat)
      at += beat * 1.9
    }
    if seconds > 1.2, random.chance(0.15) { feint(at: time + 0.2) }
    time = end
  }

  /// Adds a feint: the beginning of a punch that is not thrown.
  private mutating func feint(at start: Double) {
    let way = anyTechnique().direction(side: side) * random.uniform(0.06...0.15)
    let beat = random.uniform(0.2...0.3)
    reach(way, at: start, over: beat)
    reach(-way, at: start + beat, over: beat * 1.4)
  }
}
