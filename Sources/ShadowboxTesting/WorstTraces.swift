import Diagnostics
import Evaluation
import Scoring
import TraceModel

/// The traces that contribute most to a failure, with their times.
struct WorstTraces {
  private static let most = 5

  let summary: EntrySummary
  /// The names of the figures whose bounds are not kept.
  let figures: [String]

  /// One line for each of the worst traces; none where no trace differs from what is expected.
  var lines: [String] {
    let all = areEventsWrong ? byEvents : byFigure
    let more = all.count > Self.most ? ["… and \(all.count - Self.most) more traces"] : []
    return all.prefix(Self.most) + more
  }

  /// Whether missed events and false alarms explain the figures.
  private var areEventsWrong: Bool {
    figures.contains { figure in
      (FigureCatalogue.ofClasses.map(\.name) + ["true_", "false_", "missed"])
        .contains(where: figure.hasPrefix)
    }
  }

  private var byEvents: [String] {
    summary.runs.enumerated().compactMap { index, run -> (count: Int, index: Int, line: String)? in
      let records = run.detections.ofKind(run.task.rawValue)
      guard
        let events = run.score.eventOutcomes?.events(
          references: run.references?.events ?? [], detections: records)
      else { return nil }
      let missed = Array(
        events.filter { $0.outcome == ReferenceOutcome.missed.rawValue }
          .compactMap(\.reference?.onset))
      let wrong = Array(
        events.filter {
          [DetectionOutcome.falsePositive.rawValue, DetectionOutcome.duplicate.rawValue]
            .contains($0.outcome)
        }.compactMap(\.detection?.onset))
      guard !missed.isEmpty || !wrong.isEmpty else { return nil }
      let parts = [
        times(missed, "missed", "missed"), times(wrong, "false alarm", "false alarms"),
      ].compactMap(\.self)
      return (
        missed.count + wrong.count, index, "\(title(run)): \(parts.joined(separator: "; "))"
      )
    }
    .sorted { ($1.count, $0.index) < ($0.count, $1.index) }.map(\.line)
  }

  /// `2 missed at 1.2, 3.4 s`; nil = none.
  private func times(_ instants: [TraceInstant], _ one: String, _ several: String) -> String? {
    guard !instants.isEmpty else { return nil }
    let shown = instants.prefix(Self.most).map { fixed($0.seconds, 2) }.joined(separator: ", ")
    let more = instants.count > Self.most ? " and \(instants.count - Self.most) more times" : ""
    return "\(instants.count) \(instants.count == 1 ? one : several) at \(shown) s\(more)"
  }

  private func title(_ run: RunRecord) -> String {
    run.traceID + (run.subject.isEmpty ? "" : " (person \(run.subject))")
  }

  /// The traces by the size of the first figure that a single trace has.
  private var byFigure: [String] {
    let names = figures.flatMap { [$0, Self.withoutMean($0)] }
    return summary.runs.enumerated().compactMap {
      index, run -> (value: Double, index: Int, line: String)? in
      let own = run.score.figures
      for name in names {
        guard let figure = own.first(where: { $0.name == name }), let value = figure.value else {
          continue
        }
        let unit = figure.unit == "1" ? "" : " \(figure.unit)"
        return (
          value.magnitude, index, "\(title(run)): \(name) \(number(rounded(value)))\(unit)"
        )
      }
      return nil
    }
    .sorted { ($1.value, $0.index) < ($0.value, $1.index) }.map(\.line)
  }

  /// The name of the figure of a single trace that `name` is a mean of.
  private static func withoutMean(_ name: String) -> String {
    for suffix in ["_mean_absolute", "_bias"] where name.hasSuffix(suffix) {
      return String(name.dropLast(suffix.count))
    }
    return name
  }
}
