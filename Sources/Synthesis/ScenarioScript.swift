public import TraceModel

/// A custom scenario: what a simulated person does, step by step.
public struct ScenarioScript: Hashable, Sendable {
  /// What a person does for a time or a number of times.
  public struct Step: Hashable, Sendable {
    public enum Motion: String, CaseIterable, Sendable {
      case stand, walk, run, stairs, handle, clap, exercise, fall, punch

      /// Whether a step has a number of times instead of a time.
      public var isCounted: Bool { self == .fall || self == .punch }
    }

    public var motion: Motion
    /// The time in seconds, 1 to 3600; unused for counted motions. The last movement is completed.
    public var seconds: Double
    /// The number of times, 1 to 500; only for counted motions.
    public var count: Int
    public var punches: PunchStyle

    public init(
      _ motion: Motion, seconds: Double = 0, count: Int = 0, punches: PunchStyle = PunchStyle()
    ) {
      self.motion = motion
      self.seconds = seconds
      self.count = count
      self.punches = punches
    }
  }

  public let name: String
  /// The number of the simulated person, 1 to 99.
  public let subject: Int
  public let hand: Hand
  public let seed: UInt64
  /// The nominal rate in Hz, 20 to 400.
  public let sampleRate: Double
  /// Whether a button is held for each punch.
  public let isHoldToArm: Bool
  public let steps: [Step]

  /// The longest duration in seconds.
  public static let longest = 3600.0

  /// - Throws: `TraceError` that names the value out of range.
  public init(
    name: String, subject: Int = 1, hand: Hand = .right, seed: UInt64 = 1,
    sampleRate: Double = 100, isHoldToArm: Bool = false, steps: [Step]
  ) throws(TraceError) {
    self.name = name
    self.subject = subject
    self.hand = hand
    self.seed = seed
    self.sampleRate = sampleRate
    self.isHoldToArm = isHoldToArm
    self.steps = steps
    try validate()
  }

  private func validate() throws(TraceError) {
    func check(
      _ holds: Bool, _ what: String, _ expected: String, _ found: String
    ) throws(TraceError) { try require(holds, "scenario \(name), \(what)", expected, found) }
    try check(!name.isEmpty, "name", "a name", "none")
    try check((1...99).contains(subject), "subject", "1 to 99", "\(subject)")
    try check(hand == .left || hand == .right, "hand", "left or right", hand.name)
    try check(
      (20...400).contains(sampleRate), "sample rate", "20 to 400 Hz", "\(sampleRate) Hz")
    try check((1...1000).contains(steps.count), "steps", "1 to 1000 steps", "\(steps.count)")
    for (index, step) in steps.enumerated() {
      let what = "step \(index + 1) (\(step.motion.rawValue))"
      if step.motion.isCounted {
        try check((1...500).contains(step.count), what, "1 to 500 times", "\(step.count)")
      } else {
        try check(
          (1...ScenarioScript.longest).contains(step.seconds), what, "1 to 3600 s",
          "\(step.seconds) s")
      }
    }
    for (index, step) in steps.enumerated() where step.punches.isShown {
      let found = Set(step.punches.techniques.map(\.label)).sorted().joined(separator: ", ")
      try check(
        step.shownAction != nil, "step \(index + 1) (punch)",
        "techniques of one kind, because enroll shows one kind at a time", found)
    }
    let sum = steps.reduce(0) { $0 + $1.seconds }
    try check(
      sum <= ScenarioScript.longest, "steps", "at most 3600 s in all", "\(sum) s")
  }
}

extension Synthesizer {
  /// Returns the trace of a custom scenario. Equal scripts give bit-identical traces on the same
  /// machine. O(samples).
  /// - Throws: `TraceError` if counted steps make it longer than ``ScenarioScript/longest``.
  public static func trace(_ script: ScenarioScript) throws(TraceError) -> Trace {
    let scenario = MotionScenario(script)
    guard scenario.duration <= ScenarioScript.longest else {
      throw TraceError(
        place: "scenario \(script.name), steps", expected: "at most 3600 s in all",
        found: "\((scenario.duration * 10).rounded() / 10) s; reduce the counts")
    }
    return scenario.trace()
  }
}

extension ScenarioScript {
  func generator() -> SeededGenerator {
    var random = SeededGenerator(seed: seed)
    // Separate from the streams of the built-in scenarios, whose kinds count from zero.
    for value in [1000, subject, Int(hand.rawValue)] {
      random = SeededGenerator(seed: random.next() &+ UInt64(value))
    }
    return random
  }

  func header() -> TraceHeader {
    var header = TraceHeader(id: name, origin: .synthetic)
    header.subject = "sim" + twoDigits(subject)
    header.device = "simulated phone"
    header.placement = "hand"
    header.handedness = hand
    header.activity = activity
    header.source =
      "shadowbox synth, scenario \(name), subject \(subject), hand \(hand.name), seed \(seed), "
      + "\(sampleRate) Hz"
    header.license = "Apache-2.0"
    header.seed = seed
    return header
  }

  var hasActions: Bool { isHoldToArm || steps.contains { $0.punches.isShown } }

  /// The activity of a scenario with one kind of motion besides standing.
  private var activity: String {
    let motions = Set(steps.map(\.motion)).subtracting([.stand])
    guard motions.count < 2 else { return "mixed" }
    return switch motions.first {
    case .walk: "walking"
    case .run: "running"
    case .stairs: "stairs"
    case .handle: "handling"
    case .clap: "clapping"
    case .exercise: "exercise"
    case .fall: "falling"
    case .punch: "punching"
    case .stand, nil: "standing"
    }
  }
}

extension ScenarioScript.Step {
  /// The action that comes before the step; nil unless the step shows a single kind.
  fileprivate var shownAction: Action? {
    let classes = Set(punches.techniques.map(\.label))
    guard punches.isShown, classes.count == 1 else { return nil }
    return Action.allCases.first { $0.shownClass == classes.first }
  }
}

extension Choreography {
  mutating func play(_ script: ScenarioScript) {
    rest(1)
    for (index, step) in script.steps.enumerated() {
      let end = time + step.seconds
      switch step.motion {
      case .stand: idle(for: step.seconds)
      case .walk: walk(until: end)
      case .run: run(until: end)
      case .stairs: climb(until: end)
      case .handle: handle(until: end)
      case .clap: applaud(until: end)
      case .exercise: exercise(until: end)
      case .fall:
        for _ in 0..<step.count {
          idle(for: random.uniform(1.5...4))
          fallOnce()
        }
      case .punch:
        if let action = step.shownAction { lessons.append((time, action)) }
        bout(
          punches: step.count, style: step.punches, isHoldToArm: script.isHoldToArm,
          before: .infinity)
        let next = script.steps[(index + 1)...].first { $0.motion == .punch }
        if step.punches.isShown, next?.punches.isShown != true {
          lessons.append((time, .enrollEnd))
        }
      }
    }
    rest(1)
  }
}
