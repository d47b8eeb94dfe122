import Diagnostics
import Evaluation
import Yams

/// The bounds of a gate.
extension SuiteParser {
  /// Bounds on these recordings as `recall: -0.01`, further keys `these_recordings`, `new_people` and
  /// `entries`, each with bounds, `time` and `instructions`.
  /// - Parameter names: those that `entries` may have; nil = any.
  func parseGate(_ node: Node, entries names: Set<String>?) throws -> GateRules {
    var rules = GateRules(bounds: [])
    rules.bounds = try bounds(node) { key, value in
      switch key.string {
      case "entries": rules.entries = try gateEntries(value, names)
      case "time": rules.time = try allowedRise(value, "time")
      case "instructions": rules.instructions = try allowedRise(value, "instructions")
      case "missed_periods":
        let expected = "missed_periods as a rise of 0 to 1, e.g. +0.01"
        rules.missedPeriods = try self.value(value, expected) {
          $0.string.flatMap(GateRules.missedPeriods)
        }
      default: return false
      }
      return true
    }
    return rules
  }

  /// - Parameter takes: takes a key that is not a bound.
  private func bounds(
    _ node: Node, takes: (Node, Node) throws -> Bool = { _, _ in false }
  ) throws -> [GateBound] {
    guard let mapping = node.mapping else {
      throw failure(node, "expected bounds as figure: limit, e.g. recall: -0.01")
    }
    return try mapping.flatMap { key, value -> [GateBound] in
      if try takes(key, value) { return [] }
      if let population = key.string.flatMap(GateBound.Population.init) {
        return try own(value, population)
      }
      return [try bound(key, value, .theseRecordings)]
    }
  }

  private func own(_ node: Node, _ population: GateBound.Population) throws -> [GateBound] {
    guard let mapping = node.mapping else {
      throw failure(node, "expected bounds as figure: limit, e.g. recall: -0.01")
    }
    return try mapping.map { try bound($0, $1, population) }
  }

  private func bound(
    _ key: Node, _ value: Node, _ population: GateBound.Population
  ) throws -> GateBound {
    guard let name = key.string, let text = value.string else {
      throw failure(key, "expected bounds as figure: limit, e.g. recall: -0.01")
    }
    return try GateBound(name, text, population: population, place: "\(place(key)): gate")
  }

  private func gateEntries(
    _ node: Node, _ names: Set<String>?
  ) throws -> [String: [GateBound]] {
    guard let mapping = node.mapping else {
      throw failure(node, "expected entries with their bounds, e.g. punch/default: {recall: 0}")
    }
    var entries: [String: [GateBound]] = [:]
    for (key, value) in mapping {
      let name = key.string ?? ""
      if let names, !names.contains(name) {
        throw Failure.unknown("entry", name, known: names.sorted(), place: place(key))
      }
      entries[name] = try bounds(value)
    }
    return entries
  }

  /// `+5 %`.
  private func allowedRise(_ node: Node, _ name: String) throws -> Double {
    try value(node, "\(name) as a share above zero, e.g. +5 %") {
      guard case .share(let share)? = $0.string.flatMap(GateBound.Limit.init(text:)), share > 0
      else { return nil }
      return share
    }
  }
}
