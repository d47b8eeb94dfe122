import Diagnostics
package import AppEngines
import Detectors

/// Parses the network between phones and server from a command line or a suite.
package enum NamedNetwork {
  package static let keys = ["delay", "jitter", "loss", "duplication", "seed"]
  /// The key of a mapping that names a preset.
  package static let presetKey = "preset"

  package struct Preset: Sendable {
    package let name: String
    /// A line for `--help`, with the source of the values.
    package let summary: String
    package let conditions: NetworkConditions

    init(
      _ name: String, _ summary: String, delay: Double = 0, jitter: Double = 0, loss: Double = 0,
      duplication: Double = 0
    ) {
      (self.name, self.summary) = (name, summary)
      var conditions = NetworkConditions()
      (conditions.delay, conditions.jitter) = (delay, jitter)
      (conditions.loss, conditions.duplication) = (loss, duplication)
      self.conditions = conditions
    }
  }

  /// Good and poor have the values of the deliveries `network-good` and `network-poor`.
  package static let presets = [
    Preset("ideal", "no delay and no loss"),
    Preset(
      "good", "4G as a test service emulates it (wiki.loadero.com, Network conditions)",
      delay: 0.045, jitter: 0.015, loss: 0.002),
    Preset(
      "poor",
      "EDGE (the same source), with the loss and duplication of an unstable network "
        + "(help.perfecto.io, Network virtualization)", delay: 0.65, jitter: 0.1, loss: 0.03,
      duplication: 0.02),
    Preset(
      "harsh", "a stress test; all values are assumed", delay: 1, jitter: 3, loss: 0.3,
      duplication: 0.1),
  ]

  /// The presets, a line each.
  package static var help: String {
    "Networks of apps, as in --network poor or --network poor,loss=0.1:\n"
      + presets.map { "  \($0.name): \($0.summary)\n    \(values($0.conditions))\n" }.joined()
  }

  private static func values(_ conditions: NetworkConditions) -> String {
    "delay=\(number(conditions.delay))s, jitter=\(number(conditions.jitter))s, "
      + "loss=\(number(conditions.loss)), duplication=\(number(conditions.duplication))"
  }

  private static func preset(_ name: String, _ place: String) throws -> NetworkConditions {
    guard let preset = presets.first(where: { $0.name == name }) else {
      throw Failure.unknown("network", name, known: presets.map(\.name), place: place)
    }
    return preset.conditions
  }

  /// - Parameter spelling: `poor`, `poor,seed=3`, or
  ///   `delay=200ms,jitter=100ms,loss=0.1,duplication=0.05,seed=1`.
  package static func conditions(
    _ spelling: String, place: String = "--network"
  ) throws -> NetworkConditions {
    let parts = spelling.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.first, !name.isEmpty, !name.contains("=") else {
      return try conditions(keyValues(of: spelling, place: "\(place) \(spelling)"), place: place)
    }
    let start = try preset(String(name), place)
    guard parts.count > 1 else { return start }
    return try conditions(
      keyValues(of: String(parts[1]), place: "\(place) \(spelling)"), changing: start, place: place)
  }

  package static func conditions(
    _ fields: [(name: String, value: String)],
    changing start: NetworkConditions = NetworkConditions(), place: String
  ) throws -> NetworkConditions {
    var conditions = start
    var seen: Set<String> = []
    if let named = fields.first(where: { $0.name == presetKey }) {
      conditions = try preset(named.value, place)
    }
    for (name, value) in fields where name != presetKey || !seen.insert(name).inserted {
      guard keys.contains(name) else {
        throw Failure.unknown("key of a network", name, known: keys, place: place)
      }
      guard seen.insert(name).inserted else {
        throw Failure(.wrongUse, "\(place): \(name) is given twice")
      }
      switch name {
      case "delay": conditions.delay = try time(value, name, place)
      case "jitter": conditions.jitter = try time(value, name, place)
      case "loss": conditions.loss = try share(value, name, place)
      case "duplication": conditions.duplication = try share(value, name, place)
      default:
        guard let seed = UInt64(value) else {
          throw Failure(.wrongUse, "\(place): seed=\(value): expected a whole number")
        }
        conditions.seed = seed
      }
    }
    return conditions
  }

  /// Parses a time and returns seconds.
  private static func time(_ text: String, _ name: String, _ place: String) throws -> Double {
    guard let duration = Quantity.duration(of: text), duration >= .zero else {
      throw Failure(.wrongUse, "\(place): \(name)=\(text): expected a time such as 200ms")
    }
    return seconds(duration)
  }

  private static func share(_ text: String, _ name: String, _ place: String) throws -> Double {
    guard let number = Double(text), (0...1).contains(number) else {
      throw Failure(
        .wrongUse, "\(place): \(name)=\(text): expected a probability from 0 to 1")
    }
    return number
  }

  /// Returns the text that ``conditions(_:place:)`` parses, with every value.
  package static func summary(_ conditions: NetworkConditions) -> String {
    guard !conditions.isIdeal else { return "ideal" }
    return "delay=\(number(conditions.delay))s,jitter=\(number(conditions.jitter))s,"
      + "loss=\(number(conditions.loss)),duplication=\(number(conditions.duplication)),"
      + "seed=\(conditions.seed)"
  }
}
