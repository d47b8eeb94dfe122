import Diagnostics
import Evaluation
import Files
import Scoring
import Synthesis
import TraceModel
import Yams

enum ScenarioChoice {
  case standard(ScenarioSpec)
  case script(ScenarioScript)

  func trace() throws(TraceError) -> Trace {
    switch self {
    case .standard(let spec): Synthesizer.trace(spec)
    case .script(let script): try Synthesizer.trace(script)
    }
  }
}

/// Reads files of scenarios, as strictly as suites.
extension SuiteParser {
  static let scenarioSchema = "shadowbox-scenarios/1"

  /// - Throws: ``Failure`` as `people.yml:12: what is wrong`.
  static func readScenarios(_ path: String) throws -> [ScenarioChoice] {
    let bytes = try smallFile(path, .scenarios, mebibytes: largestSuite)
    return try SuiteParser(path: path, registry: .builtIn)
      .reading(bytes) { try $0.parseScenarios($1) }
  }

  private func parseScenarios(_ text: String) throws -> [ScenarioChoice] {
    let fields = try fields(text, ["schema", "scenarios"], schema: Self.scenarioSchema)
    let node = try fields.required("scenarios")
    var names: Set<String> = []
    var choices: [ScenarioChoice] = []
    for item in try list(node, "a list of scenarios") {
      for choice in try parseScenario(item) {
        let name =
          switch choice {
          case .standard(let spec): spec.id
          case .script(let script): script.name
          }
        try require(
          names.insert(name).inserted, item, "duplicate scenario \(name); names must be unique")
        choices.append(choice)
      }
      try require(choices.count <= 10_000, item, "expected at most 10000 traces in all")
    }
    return choices
  }

  private static let shared = ["subject", "subjects", "hand", "seed", "sample_rate", "hold_to_arm"]

  /// One scenario for each of its people.
  private func parseScenario(_ node: Node) throws -> [ScenarioChoice] {
    let (script, standard) = (["name", "steps"], ["scenario", "duration", "surroundings"])
    let all = try Fields(node, parser: self, known: script + standard + Self.shared)
    let isScript = all["steps"] != nil
    let fields = try Fields(node, parser: self, known: (isScript ? script : standard) + Self.shared)
    let people = try subjects(of: fields)
    return try people.map { subject in
      try placingTraceErrors(node) {
        isScript
          ? .script(try self.script(of: fields, subject: subject, isAlone: people.count == 1))
          : .standard(try self.standard(of: fields, subject: subject))
      }
    }
  }

  private func placingTraceErrors<Value>(_ node: Node, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as TraceError {
      throw failure(node, error.description)
    }
  }

  private func subjects(of fields: Fields) throws -> [Int] {
    func person(_ text: String) -> Int? { Int(text).flatMap { (1...99).contains($0) ? $0 : nil } }
    if let node = fields["subject"] {
      if let both = fields["subjects"] {
        throw failure(both, "expected subject or subjects, found both")
      }
      return [try value(node, "subject as a number from 1 to 99") { $0.string.flatMap(person) }]
    }
    guard let node = fields["subjects"] else { return [1] }
    let expected = "subjects as 1..12 or as a list of numbers from 1 to 99"
    if node.sequence != nil {
      return try list(node, expected).map { try value($0, expected) { $0.string.flatMap(person) } }
    }
    return try value(node, expected) { node in
      let ends = (node.string ?? "").split(separator: ".", omittingEmptySubsequences: false)
      guard ends.count == 3, ends[1].isEmpty, let first = person(String(ends[0])),
        let last = person(String(ends[2])), first <= last
      else { return nil }
      return Array(first...last)
    }
  }

  private func hand(of fields: Fields) throws -> Hand {
    guard let node = fields["hand"] else { return .right }
    let hand = try value(node, "hand as left or right") { $0.string.flatMap(HandArgument.init) }
    return hand == .left ? .left : .right
  }

  private func sampleRate(of fields: Fields) throws -> Double? {
    try fields["sample_rate"].map {
      try value($0, "sample_rate as a rate above zero, such as 50 Hz") {
        $0.string.flatMap(DeviceRateOptions.rate)
      }
    }
  }

  private func standard(of fields: Fields, subject: Int) throws -> ScenarioSpec {
    let name = try fields.requiredText("scenario")
    guard let kind = ScenarioKind(rawValue: name) else {
      throw Failure.unknown(
        "scenario", name, known: ScenarioKind.allCases.map(\.rawValue), place: place(fields.node))
    }
    return try ScenarioSpec(
      kind: kind, subject: subject, hand: hand(of: fields), seed: fields.seed() ?? 1,
      duration: fields.duration("duration").map(seconds), sampleRate: sampleRate(of: fields),
      isHoldToArm: fields.flag("hold_to_arm") ?? false,
      surroundings: choice(of: fields, "surroundings") ?? .open)
  }

  private func script(of fields: Fields, subject: Int, isAlone: Bool) throws -> ScenarioScript {
    let name = try fields.requiredText("name")
    try require(
      Self.isFileName(name), fields.required("name"),
      "expected a valid file name of up to 200 bytes, without / and control characters, not beginning "
        + "with a dot")
    let steps = try list(fields.required("steps"), "a list of steps, such as walk: 20 s")
    let person = subject < 10 ? "0\(subject)" : "\(subject)"
    return try ScenarioScript(
      name: isAlone ? name : "\(name)-s\(person)", subject: subject, hand: hand(of: fields),
      seed: fields.seed() ?? 1, sampleRate: sampleRate(of: fields) ?? 100,
      isHoldToArm: fields.flag("hold_to_arm") ?? false, steps: steps.map(step))
  }

  /// Control characters would reach the terminal.
  private static func isFileName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 200 && name.utf8.first != UInt8(ascii: ".")
      && !name.utf8.contains(UInt8(ascii: "/"))
      && !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  private static let punchKeys = ["techniques", "force", "target", "series", "enroll"]

  private func step(_ node: Node) throws -> ScenarioScript.Step {
    let motions = ScenarioScript.Step.Motion.allCases
    let fields = try Fields(node, parser: self, known: motions.map(\.rawValue) + Self.punchKeys)
    let named = motions.filter { fields[$0.rawValue] != nil }
    guard named.count == 1, let motion = named.first else {
      throw failure(
        node, "expected one of \(motions.map(\.rawValue).joined(separator: ", ")) in a step")
    }
    if motion != .punch {
      for key in Self.punchKeys {
        if let node = fields[key] { throw failure(node, "expected \(key) with punch alone") }
      }
    }
    guard motion.isCounted else {
      let time = try fields.duration(motion.rawValue)
      return ScenarioScript.Step(motion, seconds: time.map(seconds) ?? 0)
    }
    let count = try value(fields.required(motion.rawValue), "a number of times from 1 to 500") {
      $0.string.flatMap { Int($0) }.flatMap { (1...500).contains($0) ? $0 : nil }
    }
    let techniques = try fields["techniques"].map { node in
      try strings(node, "techniques").map { name in
        guard let technique = Technique(rawValue: name) else {
          throw Failure.unknown(
            "technique", name, known: Technique.allCases.map(\.rawValue), place: place(node))
        }
        return technique
      }
    }
    return try ScenarioScript.Step(
      motion, count: count,
      punches: PunchStyle(
        target: choice(of: fields, "target"), techniques: techniques ?? Technique.allCases,
        force: choice(of: fields, "force"), isSeries: fields.flag("series") ?? false,
        isShown: fields.flag("enroll") ?? false))
  }

  /// A key with one of a few words.
  private func choice<Value: RawRepresentable & CaseIterable>(
    of fields: Fields, _ key: String
  ) throws -> Value? where Value.RawValue == String {
    try fields[key].map { node in
      let words = Value.allCases.map(\.rawValue).joined(separator: ", ")
      return try value(node, "\(key) as one of \(words)") { $0.string.flatMap(Value.init) }
    }
  }
}

/// Reads profiles of a day, as strictly as suites.
extension SuiteParser {
  /// - Throws: ``Failure`` as `day.yml:12: what is wrong`.
  static func readDay(_ path: String) throws -> DayProfile {
    let bytes = try smallFile(path, .day, mebibytes: largestSuite)
    return try SuiteParser(path: path, registry: .builtIn).reading(bytes) { try $0.parseDay($1) }
  }

  private func parseDay(_ text: String) throws -> DayProfile {
    let fields = try fields(text, ["schema", "name", "activities"], schema: DayProfile.schema)
    let node = try fields.required("activities")
    guard let mapping = node.mapping, !mapping.isEmpty else {
      throw failure(node, "expected activities with their hours of a day, such as walking: 1.5")
    }
    let parts = try pairs(mapping, "activities").map { key, name, value, text in
      guard !name.isEmpty, !name.contains("\0") else {
        throw failure(key, "expected the name of an activity, found none")
      }
      guard let hours = Double(text), (0...DayProfile.day).contains(hours) else {
        throw failure(value, "expected 0 to 24 hours of \(name), found \(text)")
      }
      return DayProfile.Part(activity: name, hours: hours)
    }
    let profile = DayProfile(name: try fields.text("name") ?? stem, parts: parts)
    // Sums of decimal fractions round.
    guard profile.hours <= DayProfile.day + 1e-9 else {
      throw failure(
        node, "expected at most 24 hours in all, found \(fixed(profile.hours, 2)); reduce some")
    }
    return profile
  }
}
