package import Evaluation
import Results
import Scoring
import Tuning

/// A tuning as JSON, as CSV and as a parameter file.
package struct TuneExports {
  package let outcome: TuneOutcome
  /// The commit of the folder of the first input; empty if not known.
  package let dataCommit: String
  /// The words of the command line that affect figures.
  package let commandLine: [String]

  package init(outcome: TuneOutcome, dataCommit: String = "", commandLine: [String] = []) {
    (self.outcome, self.dataCommit, self.commandLine) = (outcome, dataCommit, commandLine)
  }

  /// Equal tunings give equal bytes.
  package func parameterFile() throws -> String {
    let choice = outcome.measured.choice
    let provenance: JSONObject = [
      "tool": toolRecord, "data_commit": dataCommit, "command_line": commandLine,
      "tuning": outcome.document,
    ]
    let document: JSONObject = [
      "schema": ParameterFile.schema, "detector": choice.detector, "preset": choice.preset,
      "parameters": outcome.parameters, "provenance": provenance,
    ]
    return try jsonText(
      document.adding(
        ParameterFile.CodingKeys.deviceRate.rawValue, outcome.measured.path.deviceRate))
  }

  package func json() throws -> String {
    let inputs = outcome.measured.inputs() + (outcome.testSet?.inputs ?? [])
    let document = outcome.document.adding("curve", outcome.curveDocument)
    return try jsonDocument(document, .tune, inputs: inputs)
  }

  /// One row per trial.
  package func csv() -> String {
    let names = outcome.plan.space.dimensions.map(\.name)
    var text = csvRow(
      ["trial", "origin"] + names + [
        outcome.span.parameter, "plateau_lower", "plateau_upper", "objective",
      ] + EventCounts.csvColumns + ["hours"])
    for (index, trial) in outcome.result.trials.enumerated() {
      let choice = trial.outcome.choice
      let figures = [
        choice?.threshold, choice?.plateau.lower, choice?.plateau.upper, choice?.value,
      ]
      text += csvRow(
        ["\(index)", trial.origin.rawValue]
          + names.map { trial.settings[$0].map { "\($0)" } ?? "" } + figures.map { csvCell($0) }
          + (choice?.counts.csvCells ?? ["", "", ""])
          + [csvCell(outcome.result.resubstitution.hours)])
    }
    return text
  }
}
