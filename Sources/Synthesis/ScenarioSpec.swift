public import TraceModel

public enum ScenarioKind: String, CaseIterable, Hashable, Sendable, Codable {
  /// Bouts of punches with walking, running and handling in between.
  case punches
  /// No punches: a walk with the phone in a swinging hand.
  case walking
  /// No punches: a run with the phone in the hand.
  case running
  /// No punches: all other handling of a phone, including clapping and shaking.
  case handling
  /// A walk along waypoints 52 m apart whose circles of 60 m overlap.
  case route
  /// Ten laps of a 400 m track.
  case trackRun = "track-run"
  /// Ten kilometres on roads, with stops and one pause.
  case roadRun = "road-run"
  /// Heartbeats of a group of people who come and go, as one phone receives them.
  case presence
  /// One side of a fight: single punches, each during a hold of a button, in turns with an
  /// opponent. Odd subjects move first; the trace of an odd subject matches that of an even one.
  case fight
  /// Letter tiles of a picture-guess game that are dragged to slots.
  case drags
  /// Twenty kilometres on a bicycle on roads, with stops.
  case ride
  /// Bouts of slow punches into the air, each a swing of the forearm, with other motion in between.
  case lightPunches = "light-punches"
  /// No punches: applause with the phone in one hand.
  case clapping
  /// No punches: flights of stairs, up and down.
  case stairs
  /// No punches: falls to the ground with the phone in the hand, and getting up again.
  case falls
  /// No punches: slow series of arm exercises.
  case exercise

  /// Whether the scenario has motion sensors.
  public var isMotion: Bool { !isCourse && self != .presence && self != .drags }

  /// Whether the scenario has punches, which a held button may arm.
  var hasPunches: Bool { self == .punches || self == .lightPunches }

  /// Whether the scenario has positions on a course, which determines the duration.
  public var isCourse: Bool {
    switch self {
    case .route, .trackRun, .roadRun, .ride: true
    default: false
    }
  }

  fileprivate var standardDuration: Double? {
    switch self {
    case .punches, .lightPunches: 240
    case .walking, .running, .handling, .drags: 300
    case .clapping, .stairs, .falls, .exercise: 200
    case .route, .trackRun, .roadRun, .ride: nil
    case .presence: 3600
    case .fight: 120
    }
  }

  /// The standard rate in Hz.
  fileprivate var standardRate: Double {
    switch self {
    case .presence: 1 / 1.5
    case .drags: 60
    default: isMotion ? 100 : 1
    }
  }

  /// The allowed rates in Hz.
  fileprivate var rates: ClosedRange<Double> {
    switch self {
    case .presence: 0.02...5
    case .drags: 20...240
    default: isMotion ? 20...400 : 0.2...10
    }
  }
}

public enum Surroundings: String, CaseIterable, Hashable, Sendable, Codable {
  case open
  case forest
}

/// The complete specification of a scenario. Equal specifications give bit-identical traces on
/// every machine.
public struct ScenarioSpec: Hashable, Sendable {
  public let kind: ScenarioKind
  /// The number of the simulated person, 1 to 99, which determines speed, style, grip, gait and
  /// phone. For a presence scenario, the number of the group.
  public let subject: Int
  /// The hand that holds the phone: left or right.
  public let hand: Hand
  public let seed: UInt64
  /// The duration in seconds, 10 to 3600; not for courses.
  public let duration: Double?
  /// The nominal rate in Hz: 20 to 400 for motion, 0.2 to 10 for positions, 0.02 to 5 for the
  /// heartbeats of a person, 20 to 240 for touches.
  public let sampleRate: Double
  /// Whether a button is held for each punch (actions `arm` and `disarm`).
  public let isHoldToArm: Bool
  /// The surroundings of the receiver in a position scenario.
  public let surroundings: Surroundings

  var hasHolds: Bool { isHoldToArm || kind == .fight }

  /// - Parameters:
  ///   - duration: nil = 240 s of punches, 300 s of walking, running and handling, 200 s of other
  ///     motion, 120 s of a fight, 300 s of drags, 3600 s of presence, or the whole course.
  ///   - sampleRate: nil = 100 Hz for motion, 1 Hz for positions, a heartbeat every 1.5 s, 60 Hz
  ///     for touches.
  /// - Throws: `TraceError` that names the value out of range.
  public init(
    kind: ScenarioKind, subject: Int = 1, hand: Hand = .right, seed: UInt64 = 1,
    duration: Double? = nil, sampleRate: Double? = nil, isHoldToArm: Bool = false,
    surroundings: Surroundings = .open
  ) throws(TraceError) {
    self.init(
      unchecked: kind, subject: subject, hand: hand, seed: seed, duration: duration,
      sampleRate: sampleRate, isHoldToArm: isHoldToArm, surroundings: surroundings)
    try validate()
  }

  init(
    unchecked kind: ScenarioKind, subject: Int, hand: Hand = .right, seed: UInt64 = 1,
    duration: Double? = nil, sampleRate: Double? = nil, isHoldToArm: Bool = false,
    surroundings: Surroundings = .open
  ) {
    self.kind = kind
    self.subject = subject
    self.hand = hand
    self.seed = seed
    self.duration = duration ?? kind.standardDuration
    self.sampleRate = sampleRate ?? kind.standardRate
    self.isHoldToArm = isHoldToArm
    self.surroundings = surroundings
  }

  /// A name that is unique among specifications, e.g. `punch-s01-right` or `track-run-s01`; it
  /// includes every non-default value.
  public var id: String {
    let standard = ScenarioSpec(unchecked: kind, subject: subject)
    var parts = [kind == .punches ? "punch" : kind.rawValue, "s" + twoDigits(subject)]
    if kind.hasPunches || hand != standard.hand { parts.append(hand.name) }
    if isHoldToArm { parts.append("hold") }
    if surroundings != standard.surroundings { parts.append(surroundings.rawValue) }
    if duration != standard.duration, let duration { parts.append("\(duration)s") }
    if sampleRate != standard.sampleRate { parts.append("\(sampleRate)Hz") }
    if seed != standard.seed { parts.append("seed\(seed)") }
    return parts.joined(separator: "-")
  }

  private func validate() throws(TraceError) {
    func check(
      _ holds: Bool, _ name: String, _ expected: String, _ found: String
    ) throws(TraceError) {
      try require(holds, "scenario \(kind.rawValue), \(name)", expected, found)
    }
    try check((1...99).contains(subject), "subject", "1 to 99", "\(subject)")
    try check(hand == .left || hand == .right, "hand", "left or right", hand.name)
    try check(
      kind.rates.contains(sampleRate), "sample rate",
      "\(kind.rates.lowerBound) to \(kind.rates.upperBound) Hz", "\(sampleRate) Hz")
    if !kind.isCourse {
      let seconds = duration ?? 0
      try check((10...3600).contains(seconds), "duration", "10 to 3600 s", "\(seconds) s")
      try check(
        surroundings == .open, "surroundings", "none, because this scenario has no receiver",
        surroundings.rawValue)
    } else {
      try check(
        duration == nil, "duration", "none, because the course determines it",
        "\(duration ?? 0) s")
    }
    try check(
      !isHoldToArm || kind.hasPunches, "hold to arm",
      kind == .fight
        ? "false, because a fight always has holds" : "false, because this scenario has no punches",
      "true")
  }
}

func require(
  _ holds: Bool, _ place: String, _ expected: String, _ found: String
) throws(TraceError) {
  if !holds { throw TraceError(place: place, expected: expected, found: found) }
}

func twoDigits(_ number: Int) -> String { (0...9).contains(number) ? "0\(number)" : "\(number)" }
