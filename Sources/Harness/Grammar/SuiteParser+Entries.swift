import AppEngines
import Detectors
import Diagnostics
import Evaluation
import Replay
import TraceModel
import Yams

extension SuiteParser {
  /// - Throws: bad data with all programs that may not be started.
  func trustPrograms(of entries: Node.Sequence) throws {
    let (names, folder) = (entries.compactMap { $0["detector"]?.string }, Suite.folder(of: path))
    if isTrusted { for name in names { registry.trust(name, relativeTo: folder) } }
    try registry.requireTrust(
      names, relativeTo: folder, place: results ?? path,
      unless: results == nil
        ? "the command line names this suite" : "--allow-programs is given")
  }

  func parseEntry(_ node: Node, sets: [String]) throws -> Suite.Entry {
    let fields = try Fields(
      node, parser: self,
      known: [
        "name", "detector", "preset", "parameters", "traces", "tolerance", "gravity_filter",
        "policy", "delivery", "device_rate",
      ])
    let place = place(node)
    let name = try name(of: fields)
    let text = try fields.requiredText("detector")
    let preset = try fields.text("preset")
    let named = try Failure.placing(place) { try detectorChoice(text, statedPreset: preset) }
    var choice = named.choice
    let detector = try registry.detector(
      named: choice.detector, place: place, relativeTo: Suite.folder(of: path))
    let file = try fields["parameters"].flatMap {
      try take($0, of: detector, into: &choice, hasPreset: named.hasPreset)
    }
    _ = try detector.parameters(of: choice, place: place)
    let policy = try fields["policy"].map { node in
      try require(
        !detector.isExternal, node,
        "expected no policy with an exec: detector, whose detections come at the end")
      return try self.policy(Fields(node, parser: self, known: Self.policyKeys))
    }
    var path = try signalPath(of: fields)
    path.deviceRate = path.deviceRate ?? file?.deviceRate
    return Suite.Entry(
      name: name ?? file?.title ?? choice.title, choice: choice,
      traces: try traces(of: fields, sets: sets, place: place),
      tolerance: try fields.duration("tolerance"), path: path, policy: policy, place: place)
  }

  /// Takes parameters as `name: value`, as text like on the command line, or as the name of a parameter
  /// file, relative to the suite.
  /// - Returns: what the file says of the entry; nil = there is none.
  private func take(
    _ node: Node, of detector: AnyDetector, into choice: inout DetectorChoice, hasPreset: Bool
  ) throws -> FileFacts? {
    if let text = node.string, node.mapping == nil {
      // An empty name would be that of the suite's folder.
      guard !text.isEmpty else {
        throw failure(
          node, "expected parameters as name: value, or the name of a parameter file, found none")
      }
      guard text.contains("=") else {
        return try takeFile(text, node, into: &choice, hasPreset: hasPreset)
      }
      try ParameterText.add(
        text, of: detector, to: &choice.overrides, relativeTo: Suite.folder(of: path),
        place: "\(place(node)): parameters")
      return nil
    }
    guard let mapping = node.mapping else {
      throw failure(node, "expected parameters as name: value, or the name of a parameter file")
    }
    for (key, name, _, text) in try pairs(mapping, "parameters") {
      choice.overrides[name] = try detector.setting(
        name, text, relativeTo: Suite.folder(of: path), place: place(key))
    }
    return nil
  }

  private typealias FileFacts = (title: String, deviceRate: Double?)

  private func takeFile(
    _ file: String, _ node: Node, into choice: inout DetectorChoice, hasPreset: Bool
  ) throws -> FileFacts {
    let folder = Suite.folder(of: path)
    let full = file.hasPrefix("/") || folder == "." ? file : folder + "/" + file
    // With the place in the suite: the name may be the mistake.
    let read = try Failure.placing(place(node)) { [choice] in
      let read = try ParameterFile.read(full)
      return (
        try read.choice(
          full, stated: hasPreset ? choice.title : choice.detector, registry: registry,
          relativeTo: folder), read.deviceRate
      )
    }
    choice = read.0
    return (ParameterFile.title(of: choice, file), read.1)
  }

  private func signalPath(of fields: Fields) throws -> SignalPath {
    SignalPath(
      deviceRate: try fields.deviceRate(), gravity: try fields["gravity_filter"].map(gravityFilter),
      delivery: try fields["delivery"].map(delivery))
  }

  private func gravityFilter(_ node: Node) throws -> GravityFilter.Parameters {
    guard node.mapping != nil else {
      let expected =
        "gravity_filter as \(GravityFilter.Parameters.spelling), or with the keys time_constant and "
        + "freeze_band"
      return try value(node, expected) { $0.string.flatMap(GravityFilter.Parameters.init(text:)) }
    }
    let fields = try Fields(node, parser: self, known: ["time_constant", "freeze_band"])
    var parameters = GravityFilter.Parameters()
    if let constant = try fields.duration("time_constant") {
      try require(constant > .zero, node, "expected a time_constant above zero")
      parameters.timeConstant = seconds(constant)
    }
    if let band = try fields.quantity("freeze_band", unit: .metersPerSecondSquared) {
      try require(band >= 0, node, "expected a freeze_band of zero or more")
      parameters.freezeBand = band
    }
    return parameters
  }

  /// Parses a text as on the command line, or a mapping of preset, seed and further parameters.
  private func delivery(_ node: Node) throws -> NamedDelivery {
    let place = "\(place(node)): delivery"
    if let text = node.string { return try NamedDelivery(spelling: text, place: place) }
    guard let mapping = node.mapping else {
      throw failure(node, "expected delivery as a name, or as preset, seed and parameters")
    }
    var preset = RunRecord.idealDelivery
    var seed: UInt64 = 1
    var changes: [(name: String, value: String)] = []
    for (_, name, value, text) in try pairs(mapping, "parameters of the delivery") {
      switch name {
      case "preset": preset = text
      case "seed":
        seed = try self.value(value, "seed as a whole number") { $0.string.flatMap { UInt64($0) } }
      default: changes.append((name, text))
      }
    }
    return try NamedDelivery(preset: preset, changes: changes, seed: seed, place: place)
  }

  private static let policyKeys = ["confirm_after", "continue_after", "cancel", "spread", "seed"]

  private func policy(_ fields: Fields) throws -> ScriptedPolicy {
    var policy = ScriptedPolicy()
    policy.confirmAfter = try fields.duration("confirm_after") ?? policy.confirmAfter
    policy.continueAfter = try fields.duration("continue_after") ?? policy.continueAfter
    policy.cancelProbability = try fields.fraction("cancel") ?? 0
    policy.spread = try fields.fraction("spread") ?? 0
    policy.seed = try fields.seed() ?? policy.seed
    return policy
  }

  func parseApp(_ node: Node, sets: [String], of suite: Suite) throws -> Suite.AppEntry {
    let fields = try Fields(
      node, parser: self,
      known: [
        "name", "app", "preset", "traces", "tolerance", "gravity_filter", "policy", "delivery",
        "device_rate", "network", "faults", "decisions", "rules", "seed", "together",
      ])
    let place = place(node)
    let choice = try AppChoice(
      name: try fields.requiredText("app"), preset: try fields.text("preset"), of: registry.apps,
      place: place)
    var options = AppOptions()
    options.script = try fields["policy"].map(script)
    options.network = try fields["network"].map(network) ?? options.network
    options.faults = try fields["faults"].map(faults) ?? []
    options.decisions = try fields["decisions"].map { try decisions($0, of: choice.app) } ?? []
    options.seed = try fields.seed() ?? options.seed
    try options.changeRules(
      try fields["rules"].map(rules) ?? [], of: choice, place: "\(place): rules")
    let entry = Suite.AppEntry(
      name: try name(of: fields) ?? choice.title, choice: choice,
      traces: try traces(of: fields, sets: sets, place: place),
      tolerance: try fields.duration("tolerance"),
      path: try signalPath(of: fields), options: options,
      isTogether: try fields.flag("together") ?? false, place: place)
    let people = suite.files(of: entry.traces).count
    try choice.checkCount(people, place: place)
    try options.checkFaults(choice.app, people: people, place: place)
    try options.checkDecisions(people: people, place: place)
    return entry
  }

  /// Parses a text as on the command line, or a mapping.
  private func rules(_ node: Node) throws -> [String] {
    if let text = node.string, node.mapping == nil { return [text] }
    guard let mapping = node.mapping else { throw failure(node, "expected rules as name: value") }
    return try pairs(mapping, "rules").map { "\($0.name)=\($0.text)" }
  }

  /// Parses the texts of a list, or one text.
  private func faults(_ node: Node) throws -> [ExchangeFault] {
    let nodes = node.sequence.map(Array.init) ?? [node]
    return try nodes.flatMap { node in
      guard let text = node.string else {
        throw failure(node, "expected faults as a list of texts such as \(ExchangeFault.forms[0])")
      }
      return try Failure.placing(place(node)) { try AppOptions.faults([text]) }
    }
  }

  /// Parses a text as on the command line, or a mapping.
  private func network(_ node: Node) throws -> NetworkConditions {
    let place = "\(place(node)): network"
    if let text = node.string { return try NamedNetwork.conditions(text, place: place) }
    guard let mapping = node.mapping else {
      throw failure(node, "expected network as \(NamedNetwork.keys.joined(separator: ", "))")
    }
    return try NamedNetwork.conditions(
      pairs(mapping, "network").map { ($0.name, $0.text) }, place: place)
  }

  /// The script of an app's people: a policy, and how they hold the button.
  private func script(_ node: Node) throws -> PersonScript {
    let fields = try Fields(node, parser: self, known: Self.policyKeys + ["arm_after", "hold_for"])
    var script = PersonScript(try policy(fields))
    script.armAfter = try fields.duration("arm_after").map(seconds) ?? script.armAfter
    script.holdFor = try fields.duration("hold_for").map(seconds) ?? script.holdFor
    return script
  }
}
