public import TraceModel

/// Generates traces with exact references from seeded scenarios.
public enum Synthesizer {
  /// Returns the trace of a scenario. Equal specifications give bit-identical traces on the same
  /// machine. O(samples).
  public static func trace(_ spec: ScenarioSpec) -> Trace {
    switch spec.kind {
    case .route, .trackRun, .roadRun, .ride: PositionScenario(spec).trace()
    case .presence: PresenceScenario(spec).trace()
    case .drags: DragScenario(spec).trace()
    default: MotionScenario(spec).trace()
    }
  }

  /// The standard corpus: punches of twelve subjects, of two of them with both hands, two of the
  /// traces armed by a held button; slow punches; traces without punches; courses; two groups of
  /// people who come and go; both sides of a fight; and two people who drag tiles.
  public static var corpus: [ScenarioSpec] {
    let punches: [(subject: Int, hand: Hand, isHoldToArm: Bool)] = [
      (1, .right, false), (1, .left, false), (2, .left, false), (2, .right, false),
      (3, .right, true), (4, .left, true), (5, .right, false), (6, .left, false),
      (7, .right, false), (8, .left, false), (9, .right, false), (10, .left, false),
      (11, .right, false), (12, .left, false),
    ]
    let motion = punches.map {
      ScenarioSpec(
        unchecked: .punches, subject: $0.subject, hand: $0.hand, isHoldToArm: $0.isHoldToArm)
    }
    let light = [7, 8].map { ScenarioSpec(unchecked: .lightPunches, subject: $0) }
    let negatives = [
      ScenarioKind.walking, .running, .handling, .clapping, .stairs, .falls, .exercise,
    ].enumerated().flatMap { index, kind in
      // The newer kinds have other people, because intervals are computed per person.
      (index < 3 ? [1, 2] : [2 * index - 3, 2 * index - 2]).map {
        ScenarioSpec(unchecked: kind, subject: $0)
      }
    }
    let routes = (1...4).map {
      ScenarioSpec(unchecked: .route, subject: $0, surroundings: $0 == 2 ? .forest : .open)
    }
    let runs = [ScenarioKind.trackRun, .roadRun].map { ScenarioSpec(unchecked: $0, subject: 1) }
    let others = [ScenarioKind.presence, .fight, .drags].flatMap { kind in
      [1, 2].map { ScenarioSpec(unchecked: kind, subject: $0) }
    }
    return motion + light + negatives + routes + runs + others
  }
}

extension ScenarioSpec {
  /// Returns a generator with an independent stream for every scenario, subject, hand and seed.
  func generator() -> SeededGenerator {
    var random = SeededGenerator(seed: seed)
    let index = ScenarioKind.allCases.firstIndex(of: kind) ?? 0
    for value in [index, subject, Int(hand.rawValue)] {
      random = SeededGenerator(seed: random.next() &+ UInt64(value))
    }
    return random
  }

  /// Returns the header without times, channels, places and references.
  func header() -> TraceHeader {
    var header = TraceHeader(id: id, origin: .synthetic)
    header.subject = "sim" + twoDigits(subject)
    header.device = "simulated phone"
    header.placement = kind.isMotion ? "hand" : kind.isCourse ? "body" : ""
    header.handedness = hand
    header.activity = activity
    header.source = source
    header.license = "Apache-2.0"
    header.seed = seed
    if kind == .fight {
      // Both sides share one clock.
      header.epoch = "2025-01-01T12:00:00Z"
      header.isEpochKnown = true
    }
    return header
  }

  private var activity: String {
    switch kind {
    case .punches, .lightPunches: "punching"
    case .walking, .route: "walking"
    case .running, .trackRun, .roadRun: "running"
    case .ride: "cycling"
    case .handling, .clapping, .stairs, .exercise: kind.rawValue
    case .falls: "falling"
    case .presence: "chatting"
    case .fight: "fighting"
    case .drags: "spelling"
    }
  }

  private var source: String {
    var parts = [
      "shadowbox synth \(kind.rawValue)", "subject \(subject)", "hand \(hand.name)",
      "seed \(seed)", "\(sampleRate) Hz",
    ]
    if let duration { parts.append("\(duration) s") }
    if isHoldToArm { parts.append("hold to arm") }
    if kind.isCourse { parts.append("surroundings \(surroundings.rawValue)") }
    return parts.joined(separator: ", ")
  }
}
