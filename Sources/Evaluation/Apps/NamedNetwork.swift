import Diagnostics
package import Apps
import Detectors

/// Parses the network between phones and server from a command line or a suite.
package enum NamedNetwork {
  package static let keys = ["delay", "jitter", "loss", "duplication", "seed"]

  /// - Parameter spelling: `delay=200ms,jitter=100ms,loss=0.1,duplication=0.05,seed=1`.
  package static func conditions(
    _ spelling: String, place: String = "--network"
  ) throws -> NetworkConditions {
    try conditions(keyValues(of: spelling, place: "\(place) \(spelling)"), place: place)
  }

  package static func conditions(
    _ fields: [(name: String, value: String)], place: String
  ) throws -> NetworkConditions {
    var conditions = NetworkConditions()
    var seen: Set<String> = []
    for (name, value) in fields {
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
