import Detectors
import Diagnostics
import Evaluation
import Foundation
import Replay
import TraceModel
import Yams

/// The entries that run a detector, and the steps that apps have too.
extension SuiteParser {
  func parseEntry(_ node: Node, sets: [String]) throws -> Suite.Entry {
    let fields = try Fields(
      node, parser: self,
      known: [
        "name", "detector", "preset", "parameters", "traces", "tolerance", "gravity_filter",
        "policy", "delivery", "device_rate",
      ])
    let place = "\(path):\(line(node))"
    let name = try name(of: fields)
    let named = try namedChoice(of: fields, place: place)
    var choice = named.choice
    let detector = try registry.detector(
      named: choice.detector, place: place, relativeTo: Suite.folder(of: path))
    if let parameters = fields["parameters"] {
      try take(parameters, of: detector, into: &choice, hasPreset: named.hasPreset)
    }
    _ = try detector.parameters(
      of: choice, for: TraceHeader(id: "", origin: .recorded), place: place)
    if detector.isExternal, let node = fields["policy"] {
      throw failure(
        node, "expected no policy with an exec: detector, whose detections come at the end")
    }
    return Suite.Entry(
      name: name ?? choice.title,
      choice: choice, traces: try traces(of: fields, sets: sets, place: place),
      tolerance: try fields.duration("tolerance"),
      gravityFilter: try fields["gravity_filter"].map(gravityFilter),
      deviceRate: try fields["device_rate"].map(deviceRate),
      delivery: try fields["delivery"].map(delivery),
      policy: try fields["policy"].map(policy), place: place)
  }

  /// `detector: track/tri` as on the command line, or the preset as a key of its own.
  private func namedChoice(
    of fields: Fields, place: String
  ) throws -> (choice: DetectorChoice, hasPreset: Bool) {
    let text = DetectorText(try fields.string("detector"))
    let preset = try fields.optionalString("preset")
    do {
      return (try text.choice(statedPreset: preset), (text.preset ?? preset) != nil)
    } catch let error as Failure {
      throw Failure(error.kind, "\(place): \(error.description)")
    }
  }

  /// Parameters as `name: value`, as text like on the command line, or as the name of a parameter
  /// file, relative to the suite.
  private func take(
    _ node: Node, of detector: AnyDetector, into choice: inout DetectorChoice, hasPreset: Bool
  ) throws {
    if let text = node.string, node.mapping == nil {
      if text.contains("=") {
        try ParameterText.add(
          text, of: detector, to: &choice.overrides, place: "\(path):\(line(node)): parameters")
      } else {
        try takeFile(text, node, into: &choice, hasPreset: hasPreset)
      }
      return
    }
    guard let mapping = node.mapping else {
      throw failure(node, "expected parameters as name: value, or the name of a parameter file")
    }
    for (key, value) in mapping {
      guard let name = key.string, let text = value.string else {
        throw failure(key, "expected parameters as name: value")
      }
      choice.overrides[name] = try detector.value(
        of: name, text, place: "\(path):\(line(key))")
    }
  }

  private func takeFile(
    _ file: String, _ node: Node, into choice: inout DetectorChoice, hasPreset: Bool
  ) throws {
    let folder = Suite.folder(of: path)
    let full = file.hasPrefix("/") || folder == "." ? file : folder + "/" + file
    let found: DetectorChoice
    do {
      found = try ParameterFile.read(full).choice(full, registry: registry, relativeTo: folder)
    } catch let error as Failure {
      // With the place in the suite: the name may be the mistake.
      throw Failure(error.kind, "\(path):\(line(node)): \(error.description)")
    }
    guard found.detector == choice.detector, !hasPreset || found.preset == choice.preset else {
      throw failure(
        node,
        "\(file) is for detector \(found.detector)/\(found.preset), not for "
          + "\(choice.detector)/\(choice.preset)")
    }
    choice = found
  }

  func gravityFilter(_ node: Node) throws -> GravityFilter.Parameters {
    guard node.mapping != nil else {
      guard let parameters = node.string.flatMap(GravityText.parameters) else {
        throw failure(
          node,
          "expected gravity_filter as \(GravityText.expectation), or with the keys time_constant "
            + "and freeze_band")
      }
      return parameters
    }
    let fields = try Fields(node, parser: self, known: ["time_constant", "freeze_band"])
    var parameters = GravityFilter.Parameters()
    if let constant = try fields.duration("time_constant") {
      guard constant > .zero else {
        throw failure(node, "expected a time_constant above zero")
      }
      parameters.timeConstant = Double(constant.nanoseconds) / 1e9
    }
    if let band = try fields.quantity("freeze_band", unit: .metersPerSecondSquared) {
      guard band >= 0 else { throw failure(node, "expected a freeze_band of zero or more") }
      parameters.freezeBand = band
    }
    return parameters
  }

  func deviceRate(_ node: Node) throws -> Double {
    guard let text = node.string, let rate = DeviceRateOptions.rate(of: text) else {
      throw failure(node, "expected device_rate as a rate above zero, such as 50 Hz")
    }
    return rate
  }

  /// As on the command line, or as a mapping of preset, seed and further parameters.
  func delivery(_ node: Node) throws -> NamedDelivery {
    let place = "\(path):\(line(node)): delivery"
    if let text = node.string { return try NamedDelivery(spelling: text, place: place) }
    guard let mapping = node.mapping else {
      throw failure(node, "expected delivery as a name, or as preset, seed and parameters")
    }
    var preset = RunRecord.idealDelivery
    var seed: UInt64 = 1
    var changes: [(name: String, value: String)] = []
    for (key, value) in mapping {
      guard let name = key.string, let text = value.string else {
        throw failure(key, "expected parameters of the delivery as name: value")
      }
      switch name {
      case "preset": preset = text
      case "seed":
        guard let number = UInt64(text) else {
          throw failure(value, "expected seed as a whole number")
        }
        seed = number
      default: changes.append((name, text))
      }
    }
    return try NamedDelivery(preset: preset, changes: changes, seed: seed, place: place)
  }

  static let policyKeys = ["confirm_after", "continue_after", "cancel", "spread", "seed"]

  func policy(_ node: Node) throws -> ScriptedPolicy {
    try policy(node, known: Self.policyKeys)
  }

  func policy(_ node: Node, known: [String]) throws -> ScriptedPolicy {
    let fields = try Fields(node, parser: self, known: known)
    var policy = ScriptedPolicy()
    if let delay = try fields.duration("confirm_after") { policy.confirmAfter = delay }
    if let delay = try fields.duration("continue_after") { policy.continueAfter = delay }
    policy.cancelProbability = try fields.fraction("cancel") ?? 0
    policy.spread = try fields.fraction("spread") ?? 0
    if let node = fields["seed"] { policy.seed = try seed(node) }
    return policy
  }
}
