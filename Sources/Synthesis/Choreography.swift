import TraceModel

/// Builds a motion from beginning to end: a scenario sets pulses, turns and levels of tremor in
/// order and advances `time`.
///
/// Directions are the body's: x right, y up, z backwards.
struct Choreography {
  let subject: Subject
  let hand: Hand
  var random: SeededGenerator
  /// The start of the next movement in seconds.
  var time = 0.0
  private(set) var pulses: [Pulse] = []
  private(set) var strikes: [Strike] = []
  /// The times in seconds during which the button was held.
  var holds: [ClosedRange<Double>] = []
  /// The times in seconds at which the person begins to show a kind of punch, and at which all
  /// kinds are shown.
  var lessons: [(time: Double, action: Action)] = []
  private var turns: [MotionModel.Turn] = []
  private var levels: [(start: Double, level: Tremor.Level)] = []
  /// The attitude at the end of the last turn.
  private(set) var attitude: Attitude

  init(subject: Subject, hand: Hand, random: SeededGenerator) {
    self.subject = subject
    self.hand = hand
    self.random = random
    attitude = subject.grip
    setTremor(factor: 1)
  }

  /// The mirroring factor: +1 for the right hand, -1 for the left.
  var side: Double { hand == .left ? -1 : 1 }

  mutating func ramp(_ change: Vector, at start: Double, over duration: Double) {
    add(.ramp, change, at: start, over: duration)
  }

  mutating func stop(_ change: Vector, at start: Double, over duration: Double) {
    add(.stop, change, at: start, over: duration)
  }

  mutating func reach(_ way: Vector, at start: Double, over duration: Double) {
    add(.reach, way, at: start, over: duration)
  }

  mutating func ring(
    _ amplitude: Vector, at start: Double, frequency: Double, decay: Double
  ) {
    // After seven decay times less than a thousandth remains.
    add(.ring(frequency: frequency, decay: decay), amplitude, at: start, over: 7 * decay)
  }

  mutating func arc(
    _ start: Vector, centre: Vector, angle: Double, skew: Double = 0, at time: Double,
    over duration: Double
  ) { add(.arc(centre: centre, angle: angle, skew: skew), start, at: time, over: duration) }

  private mutating func add(
    _ shape: Pulse.Shape, _ amount: Vector, at start: Double, over duration: Double
  ) { pulses.append(Pulse(shape: shape, start: start, duration: duration, amount: amount)) }

  mutating func add(_ strike: Strike) { strikes.append(strike) }

  /// Turns the phone together with the grip of the hand.
  mutating func turnHand(to pose: Attitude, at start: Double, over duration: Double) {
    turn(to: pose * subject.grip, at: start, over: duration)
  }

  /// Turns the phone. A turn starts no earlier than the end of the last one.
  mutating func turn(to next: Attitude, at start: Double, over duration: Double) {
    var start = start
    if let last = turns.last { start = max(start, last.start + last.duration) }
    turns.append(
      MotionModel.Turn(start: start, duration: max(duration, 0.05), from: attitude, to: next))
    attitude = next
  }

  /// Sets the tremor from now on, as a multiple of the subject's own; 0 = lies on a table.
  mutating func setTremor(factor: Double) {
    let own = subject.tremor
    levels.append(
      (time, Tremor.Level(acceleration: own.acceleration * factor, angle: own.angle * factor)))
  }

  mutating func model(duration: Double) -> MotionModel {
    let tremor = Tremor(duration: duration, levels: levels, random: &random)
    return MotionModel(duration: duration, pulses: pulses, turns: turns, tremor: tremor)
  }
}
