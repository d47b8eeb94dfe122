package import Evaluation
import Scoring
import Tuning

/// A sweep as CSV and as JSON.
package struct SweepExports {
  package let result: SweepResult

  package init(result: SweepResult) {
    self.result = result
  }

  /// A line for each step of each curve.
  package func csv() -> String {
    let header = [
      "settings", "threshold", "true_positives", "false_positives", "false_negatives",
    ]
    var text = ""
    for record in result.records {
      let columns = CurveColumns(record.curve).all
      if text.isEmpty {
        text = csvRow(header + columns.flatMap { [$0.name, $0.name + "_lo", $0.name + "_hi"] })
      }
      for index in record.curve.thresholds.indices {
        let counts = record.curve.counts(at: index)
        let cells = [
          record.name, csvCell(record.curve.thresholds[index]), "\(counts.truePositives)",
          "\(counts.falsePositives)", "\(counts.falseNegatives)",
        ]
        text += csvRow(
          cells
            + columns.map { $0.estimates[index] }.flatMap {
              [csvCell($0.value), csvCell($0.interval?.lower), csvCell($0.interval?.upper)]
            })
      }
    }
    return text
  }
}
