import Apps
import Detectors
package import Evaluation
import Scoring
import TraceModel

/// The result of a suite as JSON and as CSV.
package struct SuiteExports {
  package let result: SuiteResult

  package init(result: SuiteResult) {
    self.result = result
  }

  /// One row per figure: easy to filter, and new figures add rows, not columns. The outcomes of apps
  /// come last, as `name of person`.
  package func csv() -> String {
    var output = csvRow(["entry", "origin", "traces", "hours"] + Figure.csvColumns)
    for summary in result.summaries {
      let lead = [
        summary.entry, summary.origin.rawValue, "\(summary.runs.count)", csvCell(summary.hours),
      ]
      for figure in summary.figures { output += csvRow(lead + figure.csvCells) }
    }
    for app in result.apps {
      let origins = Set(app.people.map(\.origin.rawValue))
      let lead = [
        app.entry, origins.count == 1 ? origins.first ?? "" : "", "\(app.people.count)", "",
      ]
      for outcome in app.outcomes {
        let whose = outcome.person.map { " of \(app.name(of: $0))" } ?? ""
        let figure = Figure(outcome.name + whose, outcome.value, unit: outcome.unit)
        output += csvRow(lead + figure.csvCells)
      }
    }
    return output
  }

  package func json() throws -> String {
    try jsonDocument(Document(result), .run, inputs: result.inputs)
  }
}

/// The bootstrap of the intervals of precision, recall and F1.
package struct BootstrapRecord: Encodable {
  package var clusters: Int
  /// Whether clusters are people; otherwise they are recordings.
  package var areClustersPeople: Bool
  package var resamples = EntrySummary.Bootstrap.resamples
  package var seed = EntrySummary.Bootstrap.seed

  package init(_ bootstrap: EntrySummary.Bootstrap) {
    clusters = bootstrap.clusters
    areClustersPeople = bootstrap.isOfPeople
  }
}

private struct Document: Encodable {
  var provenance: SuiteResult.Provenance
  /// Absent from a deterministic result.
  var host: SuiteResult.Host?
  var summaries: [Summary]
  var runs: [Run]
  var apps: [AppDocument]

  struct Summary: Encodable {
    var entry: String
    var origin: String
    var task: String
    var traces: Int
    var hours: Double
    @Nullable var realTimeFactor: Double?
    var figures: [String: Figure]
    /// null = no interval is by bootstrap.
    @Nullable var bootstrap: BootstrapRecord?
  }

  struct Run: Encodable {
    var entry: String
    var trace: String
    var traceSha256: String
    var origin: String
    var subject: String
    var activity: String
    var detector: String
    var preset: String
    var parameters: [ResolvedParameter]
    /// The program of an `exec:` detector; null = the detector is part of Shadowbox.
    @Nullable var program: ProgramRecord?
    @Nullable var policy: String?
    @Nullable var gravityRemoval: String?
    var delivery: String
    @Nullable var deliverySeed: UInt64?
    var deliveryFigures: [String: Figure]
    @Nullable var deviceRateHz: Double?
    var detections: Int
    var measurements: [String: Figure]
    var figures: [String: Figure]
  }

  init(_ result: SuiteResult) {
    provenance = result.provenance
    host = result.host
    apps = result.apps.map(AppDocument.init)
    summaries = result.summaries.map {
      Summary(
        entry: $0.entry, origin: $0.origin.rawValue, task: $0.task.rawValue,
        traces: $0.runs.count, hours: $0.hours,
        realTimeFactor: result.host == nil ? nil : $0.realTimeFactor,
        figures: $0.figures.byName, bootstrap: $0.bootstrap.map(BootstrapRecord.init))
    }
    runs = result.runs.map { run in
      Run(
        entry: run.entry, trace: run.traceID, traceSha256: run.traceSHA256,
        origin: run.origin.rawValue, subject: run.subject, activity: run.activity,
        detector: run.detector, preset: run.preset, parameters: run.parameters,
        program: run.program, policy: run.policy, gravityRemoval: run.gravityRemoval,
        delivery: run.delivery, deliverySeed: run.deliverySeed,
        deliveryFigures: run.deliveryFigures.map(\.figure).byName,
        deviceRateHz: run.sampling?.rate, detections: run.detections.count,
        measurements: run.measurements.map(\.figure).byName, figures: run.score.figures.byName)
    }
  }
}
