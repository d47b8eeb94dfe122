import Apps
import Diagnostics
import Evaluation
import Replay
import TraceModel
import Yams

/// The entries that play an app.
extension SuiteParser {
  func parseApp(_ node: Node, sets: [String], of suite: Suite) throws -> Suite.AppEntry {
    let fields = try Fields(
      node, parser: self,
      known: [
        "name", "app", "preset", "traces", "tolerance", "gravity_filter", "policy", "delivery",
        "device_rate", "network", "seed", "together",
      ])
    let place = "\(path):\(line(node))"
    let choice = try AppChoice(
      name: try fields.string("app"), preset: try fields.optionalString("preset"), place: place)
    var options = AppOptions()
    options.script = try fields["policy"].map(script)
    options.network = try fields["network"].map(network) ?? options.network
    options.seed = try fields["seed"].map(seed) ?? options.seed
    var entry = Suite.AppEntry(
      name: try name(of: fields) ?? choice.title, choice: choice,
      traces: try traces(of: fields, sets: sets, place: place),
      tolerance: try fields.duration("tolerance"),
      gravityFilter: try fields["gravity_filter"].map(gravityFilter),
      deviceRate: try fields["device_rate"].map(deviceRate),
      delivery: try fields["delivery"].map(delivery), options: options, place: place)
    entry.isTogether = try fields.flag("together") ?? false
    try choice.checkCount(suite.files(of: entry.traces).count, place: place)
    return entry
  }

  /// As on the command line, or as a mapping.
  private func network(_ node: Node) throws -> NetworkConditions {
    let place = "\(path):\(line(node)): network"
    if let text = node.string { return try NamedNetwork.conditions(text, place: place) }
    guard let mapping = node.mapping else {
      throw failure(node, "expected network as \(NamedNetwork.keys.joined(separator: ", "))")
    }
    return try NamedNetwork.conditions(
      mapping.map { key, value in
        guard let name = key.string, let text = value.string else {
          throw failure(key, "expected network as name: value")
        }
        return (name, text)
      }, place: place)
  }

  func seed(_ node: Node) throws -> UInt64 {
    guard let text = node.string, let seed = UInt64(text) else {
      throw failure(node, "expected seed as a whole number")
    }
    return seed
  }

  /// The script of an app's people: a policy, and how they hold the button.
  private func script(_ node: Node) throws -> PersonScript {
    let own = ["arm_after", "hold_for"]
    let fields = try Fields(node, parser: self, known: Self.policyKeys + own)
    var script = PersonScript(try policy(node, known: Self.policyKeys + own))
    script.armAfter = try fields.duration("arm_after").map(seconds) ?? script.armAfter
    script.holdFor = try fields.duration("hold_for").map(seconds) ?? script.holdFor
    return script
  }
}
