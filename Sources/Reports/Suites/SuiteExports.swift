import AppEngines
import Digests
import Detectors
package import Evaluation
import Results
import Scoring
import TraceModel

extension SuiteResult {
  /// The figures as CSV, then the outcomes of apps as `name of person`.
  package func csv() -> String {
    let entries = summaries.map { summary in
      (
        [summary.entry, summary.origin.rawValue, "\(summary.runs.count)", csvCell(summary.hours)],
        summary.figures
      )
    }
    let played = apps.map { app in
      let origins = Set(app.people.map(\.origin.rawValue))
      let figures = app.outcomes.map { outcome in
        let whose = outcome.person.map { " of \(app.name(of: $0))" } ?? ""
        return Figure(outcome.name + whose, outcome.value, unit: outcome.unit)
      }
      let origin = origins.count == 1 ? origins.first ?? "" : ""
      return ([app.entry, origin, "\(app.people.count)", ""], figures)
    }
    return Figure.csv(after: ["entry", "origin", "traces", "hours"], entries + played)
  }

  package func json() throws -> String {
    // A deterministic result has no host and no speed.
    let document: JSONObject = [
      "provenance": provenance, "summaries": summaries.map { self.document($0) },
      "runs": runs.map(\.document), "apps": apps.map(\.document),
    ]
    return try jsonDocument(document.adding("host", host), .run, inputs: inputs)
  }

  private func document(_ summary: EntrySummary) -> JSONObject {
    let document: JSONObject = [
      "entry": summary.entry, "origin": summary.origin, "task": summary.task,
      "traces": summary.runs.count, "hours": summary.hours,
      "speed": speeds.first { $0.entry == summary.entry && $0.origin == summary.origin }?.document,
      "figures": summary.figures.byName,
    ]
    return document.adding("diagnosis", summary.diagnosis?.document)
      .adding("day", summary.day?.document)
  }
}

extension RunRecord {
  fileprivate var document: JSONObject {
    let document: JSONObject = [
      "entry": entry, "trace": traceID, "trace_sha256": traceSHA256, "origin": origin,
      "subject": subject, "activity": activity, "detector": detector, "preset": preset,
      "parameters": parameters, "program": program, "policy": policy,
      "gravity_removal": gravityRemoval, "delivery": delivery, "delivery_seed": deliverySeed,
      "delivery_figures": deliveryFigures.map(\.figure).byName, "device_rate_hz": sampling?.rate,
      "detections": detections.count, "measurements": measurements.map(\.figure).byName,
      "figures": score.figures.byName,
    ]
    // Only for references from the device itself.
    return document.adding(
      "reference_definition", references.flatMap { $0.isOfDevice ? $0.definition : nil })
  }
}

extension SuiteLog {
  package static func sha256(_ output: SuiteRunner.Output) -> String {
    let digest = SHA256Digest()
    for text in texts(output) { digest.update(text) }
    return digest.finish()
  }
}
