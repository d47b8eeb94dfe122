package import Detectors
package import TraceModel

/// A violation of the protocol.
package struct ExecFault: Error, Equatable {
  package var expected: String
  package var found: String
  package var remedy = ""
}

extension ExecFault {
  init(expected: String, line: String, remedy: String = "") {
    self.init(expected: expected, found: Self.quoted(line), remedy: remedy)
  }

  package static func quoted(_ text: some StringProtocol) -> String {
    text.isEmpty
      ? "an empty line" : "\"" + text.prefix(80) + "\"" + (text.count > 80 ? " and more" : "")
  }
}

/// - Throws: a fault with the child's line, unless the condition holds.
func require(
  _ condition: Bool, _ expected: @autoclosure () -> String, in line: String, remedy: String = ""
) throws(ExecFault) {
  guard condition else { throw ExecFault(expected: expected(), line: line, remedy: remedy) }
}

func require(
  _ condition: Bool, _ expected: @autoclosure () -> String,
  found: @autoclosure () -> String, remedy: String = ""
) throws(ExecFault) {
  guard condition else { throw ExecFault(expected: expected(), found: found(), remedy: remedy) }
}

/// The description that an external detector sends before the first trace (traces/FORMAT.md).
package struct ExecHello: Equatable, Sendable {
  package static let schema = "shadowbox-detector/1"

  package struct Parameter: Equatable, Sendable {
    package var name: String
    package var defaultValue: Double
    package var range: ClosedRange<Double>
    package var unit: ParameterUnit
    package var summary: String
  }

  package var name = ""
  package var version = ""
  package var channel = Channel.userAcceleration
  /// The channels that it also reads, if a trace has them.
  package var companions: [Channel] = []
  package var task = ReferenceTask.punch
  package var parameters: [Parameter] = []
  /// The parameter that a sweep varies.
  package var threshold: String?

  /// `swing, version 1, threshold: threshold`.
  package var summary: String {
    name + (version.isEmpty ? "" : ", version \(version)")
      + (threshold.map { ", threshold: \($0)" } ?? "")
  }
}

/// Parses a hello, line by line.
package final class ExecHelloReader {
  package private(set) var hello = ExecHello()
  private var seen: Set<String> = []
  private static let once = ["name", "version", "channel", "task", "threshold"]
  private static let mostParameters = 100
  private static let longestName = 100

  package init() {}

  /// Parses a line; returns true for the last one.
  package func take(_ line: String) throws(ExecFault) -> Bool {
    guard seen.contains(ExecHello.schema) else {
      try require(line == ExecHello.schema, "\(ExecHello.schema) as the first line", in: line)
      seen.insert(line)
      return false
    }
    let parts = line.split(separator: " ", maxSplits: 1)
    let word = parts.first.map(String.init) ?? ""
    let rest = parts.count > 1 ? String(parts[1]) : ""
    try require(
      !Self.once.contains(word) || seen.insert(word).inserted, "\(word) once", found: "a duplicate")
    switch word {
    case "name", "version":
      try require(!rest.isEmpty, "\(word) <text>", in: line)
      if word == "name" { hello.name = rest } else { hello.version = rest }
    case "channel", "companion":
      let known = Channel.allCases.filter { $0 != .action }
      let channel = try one(of: known, "channel", \.name, rest, line)
      guard word == "companion" else {
        hello.channel = channel
        break
      }
      try require(!hello.companions.contains(channel), "each companion once", in: line)
      hello.companions.append(channel)
    case "task":
      hello.task = try one(of: ReferenceTask.allCases, "task", \.rawValue, rest, line)
    case "threshold": hello.threshold = rest
    case "parameter": try addParameter(line)
    case "ready":
      try checkWhole()
      return true
    default:
      throw ExecFault(
        expected: "name, version, channel, companion, task, parameter, threshold or ready",
        line: line)
    }
    return false
  }

  private func one<Value>(
    of known: [Value], _ what: String, _ name: (Value) -> String, _ found: String, _ line: String
  ) throws(ExecFault) -> Value {
    if let value = known.first(where: { name($0) == found }) { return value }
    let names = known.map(name).joined(separator: ", ")
    throw ExecFault(expected: "a \(what) (\(names))", line: line)
  }

  private func addParameter(_ line: String) throws(ExecFault) {
    let fields = line.split(separator: " ", maxSplits: 6)
    guard fields.count >= 6, let value = Double(fields[2]), let low = Double(fields[3]),
      let high = Double(fields[4]), low.isFinite, high.isFinite, low <= value, value <= high,
      let unit = fields[5] == "-" ? .one : ParameterUnit(rawValue: String(fields[5])),
      Self.isName(fields[1])
    else {
      throw ExecFault(
        expected: "parameter <name> <default> <lowest> <highest> <unit> <summary> with lowest <= "
          + "default <= highest and a unit of m/s2, s, m, m/s, Hz or -", line: line)
    }
    try require(
      !hello.parameters.contains { $0.name == fields[1] }, "each parameter once",
      found: "a duplicate \(fields[1])")
    try require(
      hello.parameters.count < Self.mostParameters, "at most \(Self.mostParameters) parameters",
      found: "more")
    hello.parameters.append(
      ExecHello.Parameter(
        name: String(fields[1]), defaultValue: value, range: low...high, unit: unit,
        summary: fields.count > 6 ? String(fields[6]) : ""))
  }

  /// Returns whether a name is valid in `--parameters name=value,...` and in paths of a results file.
  package static func isName(_ text: Substring) -> Bool {
    (1...longestName).contains(text.utf8.count)
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
  }

  private func checkWhole() throws(ExecFault) {
    let missing = ["name", "channel", "task"].filter { !seen.contains($0) }
    try require(
      missing.isEmpty, "name, channel and task before ready",
      found: "no \(missing.joined(separator: ", no "))")
    try require(
      !hello.companions.contains(hello.channel), "companions other than the channel",
      found: "companion \(hello.channel.name)")
    guard let threshold = hello.threshold else { return }
    try require(
      hello.parameters.contains { $0.name == threshold }, "a parameter name as threshold",
      in: threshold)
  }
}
