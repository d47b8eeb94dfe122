package import Apps
package import Foundation
package import Evaluation
package import Scoring
package import TraceModel

/// A suite's result as JSON and as CSV.
package struct SuiteExports {
  package let result: SuiteResult

  package init(result: SuiteResult) {
    self.result = result
  }

  /// One row a figure: easy to filter, and new figures add rows, not columns. What came of apps
  /// comes last, as `name of person`.
  package func csv() -> String {
    var output = "entry,origin,traces,hours,figure,value,lower,upper,unit\n"
    for summary in result.summaries {
      for figure in summary.figures {
        let cells = [
          summary.entry, summary.origin.rawValue, "\(summary.runs.count)", "\(summary.hours)",
        ]
        output += (cells + figure.csvCells).map(csvCell).joined(separator: ",") + "\n"
      }
    }
    for app in result.apps {
      let origins = Set(app.people.map(\.origin.rawValue))
      let lead = [app.entry, origins.count == 1 ? origins.first ?? "" : "", "\(app.people.count)"]
      for outcome in app.outcomes {
        let whose = outcome.person.map { " of \(app.name(of: $0))" } ?? ""
        let value = outcome.value.map { $0.isFinite ? "\($0)" : "" } ?? ""
        let cells = lead + ["", outcome.name + whose, value, "", "", outcome.unit]
        output += cells.map(csvCell).joined(separator: ",") + "\n"
      }
    }
    return output
  }

  package func json() throws -> String {
    try jsonText(Document(result))
  }
}

extension Figure {
  /// Name, value, lower, upper, unit; what is undefined is empty.
  package var csvCells: [String] {
    func text(_ value: Double?) -> String { value.map { $0.isFinite ? "\($0)" : "" } ?? "" }
    return [name, text(value), text(interval?.lower), text(interval?.upper), unit]
  }
}

/// A figure in JSON; what is undefined is null.
package struct FigureValue: Encodable {
  @Nullable package var value: Double?
  @Nullable package var lower: Double?
  @Nullable package var upper: Double?
  package var unit: String

  package init(_ figure: Figure) {
    func finite(_ value: Double?) -> Double? { value.flatMap { $0.isFinite ? $0 : nil } }
    _value = Nullable(wrappedValue: finite(figure.value))
    _lower = Nullable(wrappedValue: finite(figure.interval?.lower))
    _upper = Nullable(wrappedValue: finite(figure.interval?.upper))
    unit = figure.unit
  }

  package static func dictionary(_ figures: [Figure]) -> [String: FigureValue] {
    Dictionary(figures.map { ($0.name, FigureValue($0)) }, uniquingKeysWith: { first, _ in first })
  }
}

/// What the intervals of precision, recall and F1 resample.
package struct BootstrapFacts: Encodable {
  package var clusters: Int
  package var clustersArePeople: Bool
  package var resamples = EntrySummary.Bootstrap.resamples
  package var seed = EntrySummary.Bootstrap.seed

  package init(_ bootstrap: EntrySummary.Bootstrap) {
    clusters = bootstrap.clusters
    clustersArePeople = bootstrap.isOfPeople
  }
}

private struct Document: Encodable {
  var schema = "shadowbox-run/1"
  var provenance: SuiteResult.Provenance
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
    var figures: [String: FigureValue]
    /// Where the intervals of precision, recall and F1 come from: bootstrap or wilson.
    var intervalMethods: [String: IntervalMethod]
    /// What the intervals of precision, recall and F1 resample; null = nothing.
    @Nullable var bootstrap: BootstrapFacts?
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
    var parameters: [ParameterRecord]
    /// What an exec: detector was; null = it is part of this program.
    @Nullable var program: ProgramRecord?
    @Nullable var policy: String?
    @Nullable var gravityRemoval: String?
    var delivery: String
    @Nullable var deliverySeed: UInt64?
    var deliveryFigures: [String: FigureValue]
    @Nullable var deviceRateHz: Double?
    var detections: Int
    var measurements: [String: FigureValue]
    var figures: [String: FigureValue]
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
        figures: FigureValue.dictionary($0.figures),
        intervalMethods: Dictionary(uniqueKeysWithValues: $0.intervalMethods.map { ($0, $1) }),
        bootstrap: $0.bootstrap.map(BootstrapFacts.init))
    }
    runs = result.runs.map { run in
      Run(
        entry: run.entry, trace: run.traceID, traceSha256: run.traceSHA256,
        origin: run.origin.rawValue, subject: run.subject, activity: run.activity,
        detector: run.detector, preset: run.preset, parameters: run.parameters,
        program: run.program, policy: run.policy, gravityRemoval: run.gravityRemoval,
        delivery: run.delivery,
        deliverySeed: run.deliverySeed,
        deliveryFigures: FigureValue.dictionary(
          run.deliveryFigures.map { Figure($0.name, $0.value, unit: $0.unit) }),
        deviceRateHz: run.sampling?.rate,
        detections: run.detections.count,
        measurements: FigureValue.dictionary(
          run.measurements.map { Figure($0.name, $0.value, unit: $0.unit) }),
        figures: FigureValue.dictionary(run.score.figures))
    }
  }
}
