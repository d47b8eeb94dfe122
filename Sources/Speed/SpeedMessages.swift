package import Evaluation
import Foundation

/// The lines between a comparison of speed and the programs that it measures.
///
/// A program is started with ``argument``, the maximum number of samples in a pass, and the arguments
/// of `run`. It loads the traces and prints ``SpeedReady``. It then answers each line of its standard
/// input with one line, until the input ends.
package enum SpeedMessages {
  package static let argument = "__measure-speed"
  package static let schema = "shadowbox-speed/1"
  /// The symbol of `Harness.speedMark()`, which is called before and after the passes whose instructions
  /// are counted.
  package static let mark = "$s7Harness9speedMarkyyF"

  package static func line(_ message: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(message), as: UTF8.self) + "\n"
  }

  /// Returns nil if the line is not such a message.
  package static func message<Message: Decodable>(
    _ type: Message.Type, of line: some Collection<UInt8>
  ) -> Message? {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try? decoder.decode(type, from: Data(line))
  }
}

/// The entries that a program will measure.
package struct SpeedReady: Codable, Equatable, Sendable {
  package struct Entry: Codable, Equatable, Sendable {
    package var entry: String
    package var samples: Int
    package var traces: Int
    /// The digest of the traces' ids, digests and parts.
    package var inputsSha256: String
    /// Whether it is an `exec:` program; nil = it is not, or the build is an older one.
    package var isProgram: Bool?

    package init(
      entry: String, samples: Int, traces: Int, inputsSha256: String, isProgram: Bool? = nil
    ) {
      (self.entry, self.samples, self.traces) = (entry, samples, traces)
      (self.inputsSha256, self.isProgram) = (inputsSha256, isProgram)
    }
  }

  package var schema: String
  package var toolVersion: String
  package var entries: [Entry]
  package var leftOut: [SpeedWork.LeftOut]

  package init(toolVersion: String, entries: [Entry], leftOut: [SpeedWork.LeftOut]) {
    schema = SpeedMessages.schema
    (self.toolVersion, self.entries, self.leftOut) = (toolVersion, entries, leftOut)
  }
}

package enum SpeedRequest: Equatable, Sendable {
  /// Replay an entry, by its position, a number of times.
  case block(entry: Int, passes: Int)
  /// Replay each entry once, then a number of times between two marks.
  case count(passes: Int)
  /// Run a fleet in real time.
  case fleet(devices: Int, milliseconds: Int)

  package var line: String {
    switch self {
    case .block(let entry, let passes): "block \(entry) \(passes)\n"
    case .count(let passes): "count \(passes)\n"
    case .fleet(let devices, let milliseconds): "fleet \(devices) \(milliseconds)\n"
    }
  }

  /// Returns nil if the line is not a request, or one of its numbers is out of range.
  package init?(_ line: some StringProtocol) {
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    let numbers = words.dropFirst().compactMap { Int($0) }
    guard numbers.count == words.count - 1, numbers.allSatisfy({ $0 >= 0 && $0 <= 1_000_000 })
    else { return nil }
    switch (words.first.map { String($0) }, numbers.count) {
    case ("block", 2) where numbers[1] > 0: self = .block(entry: numbers[0], passes: numbers[1])
    case ("count", 1) where numbers[0] > 0: self = .count(passes: numbers[0])
    case ("fleet", 2) where numbers.allSatisfy { $0 > 0 }:
      self = .fleet(devices: numbers[0], milliseconds: numbers[1])
    default: return nil
    }
  }
}

/// The time of a block in nanoseconds.
package struct SpeedBlock: Codable, Equatable, Sendable {
  package var wall: Int64
  /// Processor time of the thread that replays.
  package var processor: Int64

  package init(wall: Int64, processor: Int64) { (self.wall, self.processor) = (wall, processor) }
}

/// The answer to ``SpeedRequest/count(passes:)``.
package struct SpeedCounted: Codable, Equatable, Sendable {
  package var counted: Int

  package init(counted: Int) { self.counted = counted }
}

/// The punctuality of a fleet of one program.
package struct SpeedFleet: Codable, Equatable, Sendable {
  package var deliveries: Int
  package var missed: Int
  /// The 99th percentile of the lateness; nil with too few deliveries.
  package var lateness99: Int64?

  package init(deliveries: Int, missed: Int, lateness99: Int64?) {
    (self.deliveries, self.missed, self.lateness99) = (deliveries, missed, lateness99)
  }

  /// nil without deliveries.
  package var missedShare: Double? { deliveries > 0 ? Double(missed) / Double(deliveries) : nil }
}
