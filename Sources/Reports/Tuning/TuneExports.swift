package import Evaluation
package import Detectors
package import Scoring
package import Tuning

/// A tuning as files hold it.
package struct TuneExports {
  package let outcome: TuneOutcome
  package let report: TuneReport

  package init(outcome: TuneOutcome, report: TuneReport) {
    self.outcome = outcome
    self.report = report
  }

  /// What made a parameter file.
  package struct Tool: Encodable, Sendable {
    package var version: String
    package var dataCommit: String
    package var commandLine: [String]

    package init(version: String, dataCommit: String, commandLine: [String]) {
      self.version = version
      self.dataCommit = dataCommit
      self.commandLine = commandLine
    }
  }

  private struct Document: Encodable {
    var schema = ParameterFile.schema
    var detector: String
    var preset: String
    var parameters: [ParameterFile.Parameter]
    var provenance: Provenance
  }

  private struct Provenance: Encodable {
    var tool: Tool
    var tuning: TuneReport
  }

  /// Equal tunings give equal bytes.
  package func parameterFile(_ tool: Tool) throws -> String {
    try jsonText(
      Document(
        detector: report.detector, preset: report.preset, parameters: report.parameters,
        provenance: Provenance(tool: tool, tuning: report)))
  }

  package func json() throws -> String { try jsonText(report) }

  /// The trials, one a row.
  package func csv() -> String {
    let names = outcome.plan.space.dimensions.map(\.name)
    let heading =
      ["trial", "origin"] + names + [
        outcome.span.parameter, "plateau_lower", "plateau_upper", "objective", "true_positives",
        "false_positives", "false_negatives", "hours",
      ]
    var lines = [heading.map(csvCell).joined(separator: ",")]
    for (index, trial) in outcome.result.trials.enumerated() {
      let choice = trial.outcome.choice
      var cells = ["\(index)", trial.origin.rawValue]
      cells += names.map { trial.settings[$0].map { "\($0)" } ?? "" }
      cells +=
        choice.map {
          [
            "\($0.threshold)", "\($0.plateau.lower)", "\($0.plateau.upper)", "\($0.value)",
            "\($0.counts.truePositives)", "\($0.counts.falsePositives)",
            "\($0.counts.falseNegatives)",
          ]
        } ?? [String](repeating: "", count: 7)
      cells.append("\(outcome.result.resubstitution.hours)")
      lines.append(cells.map(csvCell).joined(separator: ","))
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
