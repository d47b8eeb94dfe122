import ArgumentParser
import TraceFormats
import TraceModel
import TraceTools

/// The repairs of `convert`: exactly those that `validate` lists, and each is told.
struct RepairOptions: ParsableArguments {
  @Flag(help: "Repair what validate lists with a repair; each repair is told with its count.")
  var repair = false

  @Flag(help: "Move different readings of one time apart, towards the next reading's time.")
  var spreadTimes = false

  func validate() throws {
    guard repair || !spreadTimes else {
      throw ValidationError(
        "--spread-times: expected --repair beside it; times are spread after the repairs")
    }
  }

  /// Repairs a trace where an option asks for it; the trace is then whole in memory.
  /// - Returns: what was done, a line each.
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
