import Diagnostics
import Evaluation
import Scoring
import TraceModel

struct ExpectationReport {
  let detector: String
  let task: ReferenceTask
  let traces: [Trace]
  let summary: EntrySummary

  /// Returns the reasons why expectations are not met, with the worst traces; nil = all are met.
  func fault(of expectations: [FigureExpectation]) -> String? {
    guard !expectations.isEmpty else {
      return "expected a comparison such as $0.recall >= 0.9, found none"
    }
    if let fault = faultOfReferences { return fault }
    let judgement = Judgement(summary: summary)
    let faults = expectations.compactMap { expectation in
      judgement.fault(of: expectation).map { (expectation, $0) }
    }
    guard !faults.isEmpty else { return nil }
    let worst = WorstTraces(summary: summary, figures: faults.flatMap { $0.0.metric.names }).lines
    let lines =
      faults.map { "\(detector): \($0.1)" } + (worst.isEmpty ? [] : ["worst traces:"])
      + worst.map { "  \($0)" }
    return escapingControls(lines.joined(separator: "\n"))
  }

  /// Traces without a reference would be left out. Tracks need no reference of their own task.
  private var faultOfReferences: String? {
    let known = Set(summary.runs.filter { $0.score != .unscored }.map(\.traceID))
    let others = traces.map(\.header.id).filter { !known.contains($0) }
    guard !others.isEmpty else { return nil }
    let names = others.prefix(5).joined(separator: ", ")
    return
      "\(detector): expected a reference of task \(task.rawValue) in every trace, found none in "
      + "\(names)\(others.count > 5 ? " and \(others.count - 5) more" : ""): nothing was measured "
      + "there; leave these traces out, or add an empty reference where nothing happened"
  }
}
