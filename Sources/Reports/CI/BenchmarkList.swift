import AppEngines
import Diagnostics
package import Evaluation
import Results
package import Scoring

/// A figure in the JSON of the action github-action-benchmark, tools `customSmallerIsBetter` and
/// `customBiggerIsBetter`. A file has a single direction.
private struct Benchmark: Encodable {
  var name: String
  var unit: String
  var value: Double
  /// Nil = no interval for new people.
  var range: String?
  var extra: String
}

extension MeasuredResults {
  package func benchmarks(_ better: FigureDefinition.Direction) throws -> String {
    let figures = entryFigures.flatMap { entry in
      entry.figures.filter { $0.better == better }.compactMap { figure -> Benchmark? in
        guard let value = finite(figure.head) else { return nil }
        let runs =
          counted(entry.runs, "run") + (figure.isMeanOverPeople ? ", mean over people" : "")
        return Benchmark(
          name: "\(CIText.place(entry.name, entry.origin)): \(figure.name)",
          unit: figure.unit == "h-1" ? "per hour" : figure.unit, value: value,
          range: Self.range(figure.headEstimate.newPeopleInterval), extra: "\(runs)\n\(facts)")
      }
    }
    let outcomes = apps.flatMap { app in
      app.outcomes.filter { $0.better == better }.compactMap { outcome -> Benchmark? in
        guard let value = finite(outcome.judged) else { return nil }
        let title = outcome.title(of: app.person(of: outcome))
        return Benchmark(
          name: "\(CIText.place(app.entry, app.origin)): \(title)", unit: outcome.judgedUnit,
          value: value, range: nil, extra: facts)
      }
    }
    let times = (better == .lower ? speeds : []).compactMap { speed -> Benchmark? in
      guard let value = finite(speed.nanosecondsPerSample.value) else { return nil }
      return Benchmark(
        name: "\(CIText.place(speed.entry, speed.origin)): time per sample", unit: "ns",
        value: value, range: Self.range(speed.nanosecondsPerSample.interval), extra: facts)
    }
    return try jsonText(figures + outcomes + times)
  }

  private var facts: String { "shadowbox \(toolVersion), suite \(suite)" }

  private static func range(_ interval: Interval?) -> String? {
    guard let interval, interval.lower.isFinite, interval.upper.isFinite else { return nil }
    return "\(number(rounded(interval.lower))) to \(number(rounded(interval.upper)))"
  }
}
