import ArgumentParser
import TraceFormats
import TraceModel
import TraceTools

/// The repairs of `convert`: those that `validate` lists. Each is reported.
struct RepairOptions: ParsableArguments {
  @Flag(help: "Make the repairs that validate lists; each is reported with its count.")
  var repair = false

  @Flag(help: "Move different readings of the same time apart, towards the next reading's time.")
  var spreadTimes = false

  func validate() throws {
    guard repair || !spreadTimes else {
      throw ValidationError(
        "--spread-times: expected --repair too; times are spread after the repairs")
    }
  }

  /// Repairs a trace if an option asks for it. The whole trace is then in memory.
  /// - Returns: the repairs, a line each.
  func apply(to imported: inout ImportedTrace) throws -> [String] {
    guard repair else { return [] }
    var trace = try imported.trace
    let findings = trace.repair(spreadingTimes: spreadTimes)
    guard !findings.isEmpty else { return ["nothing to repair"] }
    imported.replaceReadings(by: trace)
    return findings.map { finding in
      "repaired: \(finding.place): \(finding.repair ?? "") (\(finding.count) \(finding.code)): "
        + finding.message
    }
  }
}
