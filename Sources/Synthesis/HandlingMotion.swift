import TraceModel

extension Choreography {
  /// Handles the phone in different ways until `end`.
  mutating func handle(until end: Double) {
    setTremor(factor: 1)
    raiseToRead()
    while time < end { handleOnce() }
  }

  private mutating func handleOnce() {
    switch random.unit() {
    case ..<0.18: type()
    case ..<0.30: turnOver()
    case ..<0.44: layOnTable()
    case ..<0.56: pocket()
    case ..<0.68: wave()
    case ..<0.80: clap()
    case ..<0.90: shake()
    case ..<0.95: snatch()
    default: call()
    }
    time += random.uniform(0.4...1.8)
  }

  static let readingPose = Attitude(pitch: Math.radians(-40))

  private mutating func raiseToRead() {
    let wobble = random.normalVector(standardDeviation: Math.radians(6))
    turnHand(
      to: Attitude(smallRotation: wobble) * Choreography.readingPose, at: time, over: 0.7)
    time += 0.8
  }

  /// Types: short and small taps of a thumb.
  private mutating func type() {
    let end = time + random.uniform(2...6)
    while time < end {
      let tap = random.turned(Vector(x: 0, y: -0.5, z: -1).normalized, upTo: 0.5)
      let speed = random.uniform(0.005...0.03)
      stop(tap * speed, at: time, over: random.uniform(0.006...0.012))
      ramp(tap * -speed, at: time + 0.02, over: 0.05)
      time += random.uniform(0.12...0.4)
    }
  }

  private mutating func turnOver() {
    let beat = random.uniform(0.3...0.6)
    let start = time
    for quarter in [1.0, 2, 3, 4] {
      if quarter == 3 { time += random.uniform(0.5...1.5) }
      let pose = Attitude(pitch: Math.radians(-40), yaw: quarter * .pi / 2)
      turnHand(to: pose, at: time, over: beat)
      reach(random.direction() * random.uniform(0.02...0.08), at: time, over: beat)
      time += beat
    }
    time = max(time, start + 4 * beat)
  }

  /// Puts the phone on a table with a knock, lets it lie, and picks it up again.
  private mutating func layOnTable() {
    let down = random.uniform(0.5...0.9)
    let flat = Attitude(pitch: -.pi / 2, roll: random.uniform(-0.6...0.6))
    turn(to: flat, at: time, over: down)
    reach(Vector(x: 0, y: -random.uniform(0.2...0.4), z: 0), at: time, over: down)
    time += down
    let speed = random.uniform(0.1...0.45)
    let length = random.uniform(0.003...0.008)
    ramp(Vector(x: 0, y: -speed, z: 0), at: time - 0.1, over: 0.1)
    stop(Vector(x: 0, y: speed, z: 0), at: time, over: length)
    ring(
      Vector(x: 0, y: speed * 15, z: 0), at: time + length, frequency: random.uniform(60...110),
      decay: random.uniform(0.006...0.015))
    setTremor(factor: 0)
    time += random.uniform(1.5...4)
    setTremor(factor: 1)
    reach(Vector(x: 0, y: random.uniform(0.2...0.4), z: 0), at: time, over: 0.8)
    raiseToRead()
  }

  private mutating func pocket() {
    let pose = Attitude(pitch: Math.radians(70), yaw: side * 1.2)
    turnHand(to: pose, at: time, over: random.uniform(0.6...1))
    let way = Vector(x: side * 0.15, y: -0.4, z: 0.1)
    reach(way, at: time, over: 0.8)
    time += 0.8
    for _ in 0..<4 {
      reach(random.direction() * random.uniform(0.01...0.04), at: time, over: 0.12)
      time += random.uniform(0.1...0.25)
    }
    time += random.uniform(0.5...2.5)
    reach(way * -1, at: time, over: random.uniform(0.5...0.8))
    raiseToRead()
  }

  /// Waves with the whole forearm.
  private mutating func wave() {
    let beat = random.uniform(0.28...0.45)
    let width = random.uniform(0.15...0.3)
    for index in 0..<(4 + Int(random.unit() * 6)) {
      let sign = index % 2 == 0 ? 1.0 : -1.0
      let length = beat * random.factor(spread: 0.06)
      reach(
        Vector(x: sign * width * random.factor(spread: 0.1), y: 0, z: 0), at: time,
        over: length * 1.2)
      turnHand(
        to: Attitude(pitch: Math.radians(-10), roll: -sign * 0.4), at: time, over: length * 0.9)
      time += length
    }
    raiseToRead()
  }

  /// Claps with the phone in one hand: short contacts with hardly any swing.
  mutating func clap() {
    let beat = subject.clapBeat * random.factor(spread: 0.04)
    let pose = Attitude(pitch: Math.radians(-30), yaw: side * 0.9)
    turnHand(to: pose, at: time, over: 0.4)
    time += 0.5
    for _ in 0..<(5 + Int(random.unit() * 9)) {
      let swing = beat * random.uniform(0.63...0.82)
      let speed = random.uniform(0.29...1.51) * random.factor(spread: 0.092)
      let contact = random.uniform(0.027...0.043)
      let inward = random.turned(Vector(x: -side, y: 0, z: 0), upTo: Math.radians(20))
      ramp(inward * speed, at: time, over: swing)
      stop(inward * -speed, at: time + swing, over: contact)
      // The hand is not hit in the middle: it is pushed aside.
      let aside = inward.cross(random.direction()).normalized * (speed * random.uniform(1.05...1.7))
      stop(aside, at: time + swing, over: contact)
      ramp(aside * -1, at: time + swing + contact, over: 1.72 * beat)
      ring(
        random.direction() * (speed * 8), at: time + swing + contact,
        frequency: random.uniform(33.1...38.9), decay: random.uniform(0.0087...0.019))
      // The next clap begins while the hand still returns.
      reach(inward * (-speed * swing / 2), at: time + swing + contact, over: 0.9 * beat)
      time += beat * random.factor(spread: 0.016)
    }
  }

  /// Shakes the phone, to undo or to shuffle.
  private mutating func shake() {
    let axis = random.direction()
    let beat = random.uniform(0.13...0.2)
    let width = random.uniform(0.07...0.16)
    for index in 0..<(6 + 2 * Int(random.unit() * 4)) {
      let sign = index % 2 == 0 ? 1.0 : -1.0
      let length = beat * random.factor(spread: 0.05)
      reach(axis * (sign * width * random.factor(spread: 0.12)), at: time, over: length * 1.15)
      time += length
    }
  }

  /// Snatches: a quick grab that stops in the air, the motion most similar to a soft punch.
  private mutating func snatch() {
    let way = random.turned(Vector(x: 0, y: 0, z: -1), upTo: 1.2)
    let beat = random.uniform(0.3...0.45)
    reach(way * random.uniform(0.3...0.5), at: time, over: beat)
    time += beat + random.uniform(0.2...0.6)
    reach(way * -0.4, at: time, over: random.uniform(0.6...0.9))
    time += 0.8
  }

  /// Moves the phone to the ear and back.
  private mutating func call() {
    let way = Vector(x: side * 0.15, y: 0.35, z: 0.2)
    reach(way, at: time, over: random.uniform(0.5...0.8))
    turnHand(to: Attitude(pitch: 0.3, yaw: side * 1.3), at: time, over: 0.6)
    time += random.uniform(2...5)
    reach(way * -1, at: time, over: random.uniform(0.6...0.9))
    raiseToRead()
  }
}
