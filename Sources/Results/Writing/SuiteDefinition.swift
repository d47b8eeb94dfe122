import AppEngines
import Detectors
import Diagnostics
package import Evaluation
import Replay
import TraceFormats
import TraceModel

extension Suite {
  /// The suite as a suite file in JSON, with every stated parameter and without unused trace sets.
  /// - Parameter files: returns the pattern of a file.
  package func definition(_ files: (String) -> String = { $0 }) -> String {
    let used = Set(entries.flatMap(\.traces) + apps.flatMap(\.traces))
    let sets = traceSets.filter { used.contains($0.name) }.map { ($0.name, $0.files.map(files)) }
    let document: JSONObject = [
      "schema": Suite.schema, "name": name,
      "traces": Dictionary(sets, uniquingKeysWith: { first, _ in first }),
    ]
    return jsonLine(
      document.adding("entries", entries.isEmpty ? nil : entries.map(\.definition))
        .adding("apps", apps.isEmpty ? nil : apps.map(\.definition)))
  }
}

extension Suite.Entry {
  fileprivate var definition: JSONObject {
    let own: JSONObject = [
      "name": name, "detector": choice.detector, "preset": choice.preset, "traces": traces,
    ]
    let parameters = choice.overrides.isEmpty ? nil : choice.overrides.mapValues(\.description)
    return own.adding("parameters", parameters)
      .adding("tolerance", tolerance.map(text)).adding(path)
      .adding("policy", policy?.definition)
  }
}

extension Suite.AppEntry {
  fileprivate var definition: JSONObject {
    let own: JSONObject = [
      "name": name, "app": choice.app.name, "preset": choice.preset, "traces": traces,
      "seed": "\(options.seed)", "together": isTogether,
    ]
    return own.adding("tolerance", tolerance.map(text)).adding(path)
      .adding("policy", options.script?.definition)
      .adding("network", options.network.isIdeal ? nil : NamedNetwork.summary(options.network))
      .adding(
        "decisions", options.decisions.isEmpty ? nil : options.decisions.map(\.definition)
      )
      .adding("faults", options.faults.isEmpty ? nil : options.faults.map(\.description))
      .adding("rules", options.ruleTexts.isEmpty ? nil : options.ruleTexts.joined(separator: ","))
  }
}

extension Decision {
  fileprivate var definition: JSONObject {
    func time(_ nanoseconds: Int64) -> String { "\(decimalSeconds(nanoseconds)) s" }
    var own: JSONObject = ["person": person + 1, "do": action]
    switch trigger {
    case .at(let instant): own = own.adding("at", time(instant.nanoseconds))
    case .after(let event, let number, let wait):
      own = own.adding("after", event).adding("number", number).adding("wait", time(wait))
    }
    return arguments.sorted { $0.key < $1.key }.reduce(own) { $0.adding($1.key, $1.value) }
  }
}

extension JSONObject {
  fileprivate func adding(_ path: SignalPath) -> JSONObject {
    adding("device_rate", path.deviceRate.map { "\($0) Hz" })
      .adding("gravity_filter", path.gravity?.definition)
      .adding("delivery", path.delivery?.definition)
  }
}

extension GravityFilter.Parameters {
  fileprivate var definition: JSONObject {
    ["time_constant": "\(timeConstant) s", "freeze_band": "\(freezeBand) m/s2"]
  }
}

extension NamedDelivery {
  /// The changes are as `NamedDelivery(spelling:)` reads them.
  fileprivate var definition: JSONObject {
    let changes = summary.split(separator: ":", maxSplits: 1).dropFirst().first ?? ""
    return changes.split(separator: ",").reduce(["preset": preset, "seed": "\(seed)"]) {
      let parts = $1.split(separator: "=", maxSplits: 1).map(String.init)
      return $0.adding(parts[0], parts.count > 1 ? parts[1] : "")
    }
  }
}

extension ScriptedPolicy {
  fileprivate var definition: JSONObject {
    [
      "confirm_after": text(confirmAfter), "continue_after": text(continueAfter),
      "cancel": "\(cancelProbability)", "spread": "\(spread)", "seed": "\(seed)",
    ]
  }
}

extension PersonScript {
  fileprivate var definition: JSONObject {
    [
      "confirm_after": "\(confirmAfter) s", "continue_after": "\(continueAfter) s",
      "cancel": "\(cancelProbability)", "spread": "\(spread)", "seed": "\(seed)",
      "arm_after": "\(armAfter) s", "hold_for": "\(holdFor) s",
    ]
  }
}

private func text(_ duration: Duration) -> String { "\(seconds(duration)) s" }
