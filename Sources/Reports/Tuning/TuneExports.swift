import Diagnostics
import Detectors
package import Evaluation
import Scoring
import Tuning

/// A tuning as JSON, as CSV and as a parameter file.
package struct TuneExports {
  package let outcome: TuneOutcome
  package let report: TuneReport
  /// The commit of the folder of the first input; empty if not known.
  package var dataCommit = ""
  /// The words of the command line that changed a figure.
  package var commandLine: [String] = []

  package init(
    outcome: TuneOutcome, report: TuneReport, dataCommit: String = "", commandLine: [String] = []
  ) {
    self.outcome = outcome
    self.report = report
    self.dataCommit = dataCommit
    self.commandLine = commandLine
  }

  private struct Document: Encodable {
    struct Provenance: Encodable {
      var tool = ToolRecord()
      var dataCommit: String
      var commandLine: [String]
      var tuning: TuneReport
    }

    var schema = ParameterFile.schema
    var detector: String
    var preset: String
    var parameters: [ParameterFile.Parameter]
    var provenance: Provenance
  }

  /// Equal tunings give equal bytes.
  package func parameterFile() throws -> String {
    var tuning = report
    tuning.curve = nil
    return try jsonText(
      Document(
        detector: report.detector, preset: report.preset, parameters: report.parameters,
        provenance: .init(dataCommit: dataCommit, commandLine: commandLine, tuning: tuning)))
  }

  package func json() throws -> String {
    let inputs = outcome.measured.inputs() + (outcome.testSet?.inputs ?? [])
    return try jsonDocument(report, .tune, inputs: inputs)
  }

  /// One row per trial.
  package func csv() -> String {
    let names = outcome.plan.space.dimensions.map(\.name)
    var text = csvRow(
      ["trial", "origin"] + names + [
        outcome.span.parameter, "plateau_lower", "plateau_upper", "objective", "true_positives",
        "false_positives", "false_negatives", "hours",
      ])
    for (index, trial) in outcome.result.trials.enumerated() {
      let choice = trial.outcome.choice
      let counts = [
        choice?.counts.truePositives, choice?.counts.falsePositives, choice?.counts.falseNegatives,
      ]
      text += csvRow(
        ["\(index)", trial.origin.rawValue]
          + names.map { trial.settings[$0].map { "\($0)" } ?? "" }
          + [
            csvCell(choice?.threshold), csvCell(choice?.plateau.lower),
            csvCell(choice?.plateau.upper), csvCell(choice?.value),
          ] + counts.map { $0.map(String.init) ?? "" }
          + [csvCell(outcome.result.resubstitution.hours)])
    }
    return text
  }
}
