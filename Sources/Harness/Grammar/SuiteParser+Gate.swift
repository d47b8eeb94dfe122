import Diagnostics
import Evaluation
import Yams

extension SuiteParser {
  /// Parses bounds on these recordings such as `recall: -0.01`, and the keys `these_recordings`,
  /// `new_people` and `entries`, each with bounds, `time`, `instructions` and `missed_periods`.
  /// - Parameter names: the names that `entries` may have; nil = any.
  func parseGate(_ node: Node, entries names: Set<String>?) throws -> GateRules {
    var rules = GateRules(bounds: [])
    rules.bounds = try bounds(node) { key, value in
      switch key.string {
      case "entries": rules.entries = try gateEntries(value, names)
      case "time": rules.time = try allowedRise(value, "time")
      case "program_time": rules.programTime = try allowedRise(value, "program_time")
      case "program_wall": rules.programWall = try allowedRise(value, "program_wall")
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

  /// - Parameter takes: handles a key that is not a bound, and returns false for all others.
  private func bounds(
    _ node: Node, takes: (Node, Node) throws -> Bool = { _, _ in false }
  ) throws -> [GateBound] {
    try value(node, Self.expectation, by: \.mapping).flatMap { key, value -> [GateBound] in
      if try takes(key, value) { return [] }
      if let population = key.string.flatMap(GateBound.Population.init) {
        return try self.value(value, Self.expectation, by: \.mapping).map {
          try bound($0, $1, population)
        }
      }
      return [try bound(key, value, .theseRecordings)]
    }
  }

  private static let expectation = "bounds as figure: limit, e.g. recall: -0.01"

  private func bound(
    _ key: Node, _ value: Node, _ population: GateBound.Population
  ) throws -> GateBound {
    guard let name = key.string, let text = value.string else {
      throw failure(key, "expected \(Self.expectation)")
    }
    return try GateBound(name, text, population: population, place: "\(place(key)): gate")
  }

  private func gateEntries(_ node: Node, _ names: Set<String>?) throws -> [String: [GateBound]] {
    let expected = "entries with their bounds, e.g. punch/default: {recall: 0}"
    var entries: [String: [GateBound]] = [:]
    for (key, value) in try value(node, expected, by: \.mapping) {
      let name = key.string ?? ""
      if let names, !names.contains(name) {
        throw Failure.unknown("entry", name, known: names.sorted(), place: place(key))
      }
      entries[name] = try bounds(value)
    }
    return entries
  }

  /// Parses a share such as `+5 %`.
  private func allowedRise(_ node: Node, _ name: String) throws -> Double {
    try value(node, "\(name) as a share above zero, e.g. +5 %") {
      guard case .share(let share)? = $0.string.flatMap(GateBound.Limit.init(text:)), share > 0
      else { return nil }
      return share
    }
  }
}
