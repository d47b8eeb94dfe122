import TraceModel

extension Choreography {
  mutating func applaud(until end: Double) {
    setTremor(factor: 1)
    while time + 1 < end {
      clap()
      time += random.uniform(0.5...2)
    }
    time = max(time, end)
  }

  /// Stands or walks, falls to the ground, lies there and gets up, until `end`.
  mutating func fall(until end: Double) {
    setTremor(factor: 1.2)
    while time + 22 < end {
      if random.chance(0.5) {
        walk(until: time + random.uniform(3...6))
      } else {
        idle(for: random.uniform(2...5))
      }
      fallOnce()
    }
    idle(for: max(end - time, 0))
  }

  mutating func idle(for seconds: Double) {
    let end = time + seconds
    while time + 0.6 < end {
      reach(random.direction() * random.uniform(0.005...0.03), at: time, over: 0.5)
      time += random.uniform(0.5...1.2)
    }
    time = max(time, end)
  }

  /// The body tips over for half a second and gains speed, the hand hits the ground, and the phone
  /// lies with the arm.
  mutating func fallOnce() {
    let tipping = random.uniform(0.3...0.6)
    let forward = Vector(x: random.normal(standardDeviation: 0.6), y: 0, z: -1).normalized
    let down = (Vector(x: 0, y: -1, z: 0) + forward * random.uniform(0.2...0.6)).normalized
    let speed = random.uniform(2.3...5.5) * random.factor(spread: 0.07)
    let contact = random.uniform(0.022...0.19) * random.factor(spread: 0.23)
    // The forearm ends up across the former vertical.
    let tip = Attitude(
      axis: Vector(x: forward.z, y: 0, z: -forward.x), angle: random.uniform(0.9...1.8))
    let pose = tip * attitude
    // The arms fly up first, to keep the balance.
    reach(
      Vector(x: side * 0.1, y: 0.12, z: -0.12) * random.uniform((-0.74)...2.54), at: time,
      over: 0.34)
    time += 0.3
    turn(to: pose, at: time, over: tipping)
    ramp(down * speed, at: time, over: tipping)
    time += tipping
    // The arm jerks away from the ground just before.
    stop(
      random.turned(down, upTo: 0.8) * random.uniform(0.05...0.95),
      at: time - random.uniform(0.09...0.22), over: 0.1)
    stop(down * -(speed * 1.15), at: time, over: contact)
    ring(
      (down + random.direction() * 0.8).normalized * (speed * random.uniform(2.17...5.3)),
      at: time + contact, frequency: random.uniform(8.39...18.1),
      decay: random.uniform(0.026...0.088))
    ramp(down * (speed * 0.15), at: time + contact, over: random.uniform(0.1...0.2))
    // Trunk and legs follow.
    time += contact + random.uniform(0.08...0.25)
    let second = random.uniform(0.3...0.9)
    let sway = random.turned(Vector(x: 0, y: 1, z: 0), upTo: 0.9)
    ramp(sway * -second, at: time - 0.06, over: 0.06)
    stop(sway * second, at: time, over: random.uniform(0.03...0.06))
    setTremor(factor: 0.3)
    time += random.uniform(3...7)
    getUp()
  }

  private mutating func getUp() {
    setTremor(factor: 1.5)
    let beat = random.uniform(0.9...1.4)
    reach(Vector(x: 0, y: random.uniform(0.3...0.5), z: 0.1), at: time, over: beat)
    turnHand(to: Attitude(pitch: Math.radians(-60), yaw: side * 0.4), at: time, over: beat)
    time += beat * 0.8
    reach(Vector(x: 0, y: random.uniform(0.4...0.6), z: 0), at: time, over: beat)
    time += beat
    setTremor(factor: 1.2)
  }

  /// Series of slow arm exercises with pauses until `end`: raises, circles and pulls.
  mutating func exercise(until end: Double) {
    setTremor(factor: 1)
    while time + 3 < end {
      let count = 8 + Int(random.unit() * 8)
      // Quick exercises are as frequent as slow ones, on a logarithmic scale.
      let beat = 0.35 * Math.exp(0.8 * random.unit())
      switch random.unit() {
      case ..<0.4: raise(count, beat: 1.35 * beat)
      case ..<0.7: pull(count, beat: beat)
      default: circle(count, beat: beat)
      }
      idle(for: random.uniform(1...3))
    }
    idle(for: max(end - time, 0))
  }

  /// Raises the straight arm to the side or to the front, and lowers it.
  private mutating func raise(_ count: Int, beat: Double) {
    let hanging = Attitude(pitch: Math.radians(-80))
    turnHand(to: hanging, at: time, over: 0.6)
    time += 0.8
    let angle = random.uniform(1.2...1.6)
    let outward = random.turned(Vector(x: side, y: 0, z: 0), upTo: 0.3)
    let arm = random.uniform(0.5...0.62)
    let axis = Vector(x: 0, y: -1, z: 0).cross(outward).normalized
    let raised = Attitude(axis: axis, angle: angle)
    for _ in 0..<count {
      let up = beat * random.factor(spread: 0.08)
      let start = outward
      arc(
        start * arm, centre: Vector(x: 0, y: arm, z: 0), angle: angle, at: time, over: up)
      turnHand(to: raised * hanging, at: time, over: up)
      time += up + random.uniform(0.05...0.3)
      let down = beat * random.factor(spread: 0.08)
      let top = raised.toBody(start)
      arc(
        top * -arm, centre: axis.cross(top) * arm, angle: angle, at: time, over: down)
      turnHand(to: hanging, at: time, over: down)
      time += down + random.uniform(0.05...0.4)
    }
  }

  /// Pulls a band towards the body and lets it back.
  private mutating func pull(_ count: Int, beat: Double) {
    turnHand(to: Attitude(pitch: Math.radians(-70), yaw: side * 0.3), at: time, over: 0.6)
    time += 0.8
    let way = random.turned(Vector(x: 0, y: 0.2, z: 1).normalized, upTo: 0.4)
    let length = random.uniform(0.25...0.4)
    for _ in 0..<count {
      let near = beat * random.factor(spread: 0.08)
      reach(way * (length * random.factor(spread: 0.05)), at: time, over: near)
      time += near + random.uniform(0.05...0.3)
      let back = beat * random.factor(spread: 0.08)
      reach(way * -length, at: time, over: back)
      time += back + random.uniform(0.05...0.3)
    }
  }

  /// Turns the forearm outwards and inwards, the elbow at the body.
  private mutating func circle(_ count: Int, beat: Double) {
    let inner = Attitude(pitch: Math.radians(-85), yaw: side * 0.6)
    let outer = Attitude(pitch: Math.radians(-85), yaw: side * -0.7)
    turnHand(to: inner, at: time, over: 0.6)
    time += 0.8
    let width = random.uniform(0.25...0.4)
    for index in 0..<(2 * count) {
      let sign = index % 2 == 0 ? 1.0 : -1.0
      let length = beat * random.factor(spread: 0.08)
      reach(
        Vector(x: side * sign * width, y: 0, z: 0.3 * sign * width), at: time, over: length)
      turnHand(to: index % 2 == 0 ? outer : inner, at: time, over: length)
      time += length + random.uniform(0.03...0.2)
    }
  }
}
