import Evaluation
import Files
import Foundation
import Reports

extension GateCommand {
  /// The bounds of the options, else those of the suite, else the standard ones.
  func rules(_ registry: DetectorRegistry) throws -> GateRules {
    if inputs.isEmpty && sides.runInputs {
      _ = try SuiteParser.read(SuiteParser.usual, registry: registry, isNamed: false)
    }
    var rules = try suiteRules(headSuite, registry) ?? .standard
    let others = try bound.filter { try !Self.readTiming($0, into: &rules) }.map(parsedBound)
    try requireUse(
      others.count == bound.count || timingIsOff == nil,
      "--bound: expected no bound of timing: \(timingIsOff ?? "")")
    if !others.isEmpty { (rules.bounds, rules.entries) = (others, [:]) }
    rules.countsNet = flips.contains("net")
    return newPeople && bound.isEmpty ? rules.aboutNewPeople : rules
  }

  private var headSuite: String? {
    sides.headSuite ?? (suiteInputs.count == 1 ? suiteInputs[0] : nil)
  }

  private func suiteRules(_ suite: String?, _ registry: DetectorRegistry) throws -> GateRules? {
    guard let suite, ["yml", "yaml"].contains(TracePath.ending(of: suite)) else { return nil }
    return try SuiteParser.read(suite, registry: registry).gate
  }

  /// The bounds that differ between the suites of base and head: a change that loosens its own bounds
  /// is reported. Bounds of options are those of both.
  func changedBounds(_ registry: DetectorRegistry) throws -> [String] {
    guard bound.isEmpty, let suite = sides.baseSuite, sides.baseResults == nil else { return [] }
    let before = try suiteRules(suite, registry)?.texts ?? [:]
    let after = try suiteRules(headSuite, registry)?.texts ?? [:]
    return Set(before.keys).union(after.keys).sorted().compactMap { name in
      let (old, new) = (before[name] ?? "none", after[name] ?? "none")
      return old == new ? nil : "Changed: bound \(name) \(old) -> \(new)"
    }
  }

  /// Reads `time=+5 %`, `instructions=+2 %` or `missed_periods=+0.01`.
  /// - Returns: whether it is one of them.
  private static func readTiming(_ text: String, into rules: inout GateRules) throws -> Bool {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    let (name, limit) = (parts.first ?? "", parts.count == 2 ? parts[1] : "")
    switch name {
    case "time", "instructions", "program_time", "program_wall":
      guard case .share(let share)? = GateBound.Limit(text: limit), share > 0 else {
        throw wrongUse("--bound \(text): expected \(name) as a share, e.g. \(name)=+5 %")
      }
      switch name {
      case "time": rules.time = share
      case "instructions": rules.instructions = share
      case "program_time": rules.programTime = share
      default: rules.programWall = share
      }
    case "missed_periods":
      guard let rise = GateRules.missedPeriods(limit) else {
        throw wrongUse("--bound \(text): expected a rise of 0 to 1, e.g. \(name)=+0.01")
      }
      rules.missedPeriods = rise
    default: return false
    }
    return true
  }

  private func parsedBound(_ text: String) throws -> GateBound {
    guard let equals = text.firstIndex(of: "=") else {
      throw wrongUse("--bound \(text): expected figure=limit, e.g. recall=-0.01")
    }
    let name = text[..<equals].trimmingCharacters(in: .whitespaces)
    let isOfFigure = if case .figure = GateBound.Subject(name: name) { true } else { false }
    return try GateBound(
      name, String(text[text.index(after: equals)...]),
      population: newPeople && isOfFigure ? .newPeople : .theseRecordings, place: "--bound")
  }
}

extension GateRules {
  /// The rules with bounds on figures for new people. Bounds on counts and worst persons stay on these
  /// recordings. Bounds for new people are unchanged.
  fileprivate var aboutNewPeople: GateRules {
    func turned(_ bounds: [GateBound]) -> [GateBound] {
      let stated = Set(bounds.filter { $0.population == .newPeople }.map(\.subject))
      return bounds.compactMap { bound in
        guard case .figure = bound.subject, bound.population == .theseRecordings else {
          return bound
        }
        guard !stated.contains(bound.subject) else { return nil }
        var bound = bound
        bound.population = .newPeople
        return bound
      }
    }
    var rules = self
    (rules.bounds, rules.entries) = (turned(bounds), entries.mapValues(turned))
    return rules
  }

  /// The bounds of timing that the user or a suite has stated, e.g. `time` and `+5 %`.
  var statedTiming: [(name: String, text: String)] {
    [
      ("time", time.map(GateBound.Limit.share)),
      ("program_time", programTime.map(GateBound.Limit.share)),
      ("program_wall", programWall.map(GateBound.Limit.share)),
      ("instructions", instructions.map(GateBound.Limit.share)),
      ("missed_periods", missedPeriods.map(GateBound.Limit.change)),
    ].compactMap { name, limit in limit.map { (name, $0.text) } }
  }

  /// The texts of the bounds by the place where each is stated.
  fileprivate var texts: [String: String] {
    func name(_ bound: GateBound, _ place: String) -> String {
      place + (bound.population == .newPeople ? "new_people: " : "") + bound.subject.name
    }
    let all =
      bounds.map { (name($0, ""), $0.limit.text) }
      + entries.flatMap { entry, own in own.map { (name($0, entry + ": "), $0.limit.text) } }
      + statedTiming.map { ($0.name, $0.text) }
    return Dictionary(all, uniquingKeysWith: { $0 + ", " + $1 })
  }
}
