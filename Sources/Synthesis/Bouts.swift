import TraceModel

extension Choreography {
  /// Throws some punches from a guard, at a free pace, singly or in combinations; everything ends
  /// before `limit`.
  mutating func bout(
    punches: Int, style: PunchStyle, isHoldToArm: Bool, before limit: Double
  ) {
    setTremor(factor: 3.52)
    turnHand(to: Choreography.guardPose, at: time, over: 0.6)
    time += random.uniform(0.8...1.6)
    var left = punches
    while left > 0, time + 6 < limit {
      idleInGuard(for: isHoldToArm ? 1.4 * random.uniform(1...2) : random.uniform(0.5...2.4))
      let count = style.isSeries ? left : isHoldToArm ? 1 : min(left, anyCombination())
      for index in 0..<count {
        let force = style.force ?? (random.chance(0.5) ? .hard : .soft)
        punch(
          anyTechnique(of: style.techniques), force, at: style.target ?? subject.target,
          isQuick: index + 1 < count, isInSeries: style.isSeries, isCombined: count > 1)
      }
      if isHoldToArm, let strike = strikes.last {
        let armed = strikes[strikes.count - count].start - random.uniform(0.3...0.8)
        holds.append(armed...(strike.impact.upperBound + random.uniform(0.3...0.6)))
      }
      left -= count
    }
    time += 0.5
  }

  /// The duration of a turn in seconds: the sides take turns.
  static let turnDuration = 6.0

  /// Throws single playful punches into the air in turns, each during a hold of the button. In the
  /// fourth turn the person immediately swings again, out of turn.
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
    punch(anyTechnique(of: [.jab, .uppercut, .thrust]), .playful, at: .air)
    guard let strike = strikes.last else { return }
    let armed = strike.start - random.uniform(0.3...0.5)
    holds.append(armed...(strike.impact.upperBound + random.uniform(0.35...0.5)))
    time = max(time, strike.impact.upperBound + 0.9)
  }

  /// Draws the number of punches of a combination, mostly one.
  private mutating func anyCombination() -> Int {
    switch random.unit() {
    case ..<0.75: 1
    case ..<0.93: 2
    default: 3
    }
  }

  private mutating func anyTechnique(
    of techniques: [Technique] = Technique.allCases
  ) -> Technique { techniques[Int(random.unit() * Double(techniques.count))] }

  /// Adds small steps and feints: the body never stands still between punches.
  private mutating func idleInGuard(for seconds: Double) {
    let end = time + seconds
    var at = time
    while at + 0.35 < end {
      let beat = random.uniform(0.22...0.34)
      let hop = Vector(
        x: random.normal(standardDeviation: 0.0037), y: random.uniform(0.0015...0.0075),
        z: random.normal(standardDeviation: 0.0056))
      reach(hop, at: at, over: beat)
      reach(hop * -1, at: at + beat * 0.8, over: beat)
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
    reach(way * -1, at: start + beat, over: beat * 1.4)
  }
}
