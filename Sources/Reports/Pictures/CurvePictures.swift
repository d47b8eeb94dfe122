import Detectors
import Diagnostics
package import Evaluation
import Results
import Scoring
import TraceModel
import Tuning

/// The points of a curve in a picture, with their figures.
enum CurvePoints {
  /// More than the pixels of a panel.
  static let most = 4000

  /// By step.
  typealias Latencies = [Int: [Figure]]

  /// At most so many evenly spaced positions, including both ends.
  static func evenly(_ count: Int, most: Int = Self.most) -> [Int] {
    guard count > most else { return Array(0..<count) }
    return (0..<most).map { $0 * (count - 1) / (most - 1) }
  }

  /// Leaves out steps of less than a pixel: the threshold by a hundredth, the counts by a two-hundredth.
  static func visible(_ curve: ThresholdCurve, keeping kept: Set<Int> = []) -> [Int] {
    var visible: [Int] = []
    for step in curve.thresholds.indices {
      func isMoved(_ counts: [Int], _ last: Int) -> Bool {
        200 * abs(counts[step] - counts[last]) > max(counts[step], counts[last])
      }
      if let last = visible.last, step + 1 < curve.count, !kept.contains(step),
        !isMoved(curve.truePositives, last), !isMoved(curve.falsePositives, last),
        curve.thresholds[step] <= 1.01 * curve.thresholds[last]
      {
        continue
      }
      visible.append(step)
    }
    return evenly(visible.count).map { visible[$0] }
  }

  static func points(
    _ curve: Clustered<ThresholdCurve>, _ steps: [Int], _ latencies: Latencies = [:]
  ) -> [JSONObject] {
    let columns = CurveColumns(curve).all
    return steps.map { step in
      let figures =
        columns.map { Figure($0.name, $0.estimates[step]) }
        + [Figure("true_positives", Double(curve.pooled.truePositives[step]))]
      return point(at: curve.pooled.thresholds[step], figures + (latencies[step] ?? []))
    }
  }

  static func point(at threshold: Double?, _ figures: [Figure]) -> JSONObject {
    let known = figures.byName
    func value(_ name: String) -> Double? { known[name]?.value }
    return [
      "threshold": threshold, "recall": value("recall"), "precision": value("precision"),
      "recall_interval": known["recall"]?.interval,
      "recall_population": known["recall"]?.estimate.method?.population.rawValue,
      "precision_interval": known["precision"]?.interval,
      "false_alarms": value("false_alarms_per_hour"), "latency_p50": value("latency_p50"),
      "latency_p90": value("latency_p90"), "true_positives": value("true_positives"),
    ]
  }
}

extension ThresholdCurve {
  fileprivate func caption(_ tolerances: [EventTolerance]) -> JSONObject {
    let none = PoissonRate(count: 0, hours: scoredHours).oneSidedUpperBoundOfNone
    return [
      "references": references, "hours": scoredHours, "upper_if_none": none,
      "tolerance": tolerances.summary,
    ]
  }
}

extension [EventTolerance] {
  /// The different tolerances, the narrowest first: `100 ms or 150 ms`.
  var summary: String {
    func time(_ duration: Duration) -> String {
      let time = milliseconds(duration)
      return time < 10_000 ? "\(number(time)) ms" : "\(number(time / 1000)) s"
    }
    return Set(map { EventTolerance(early: $0.early, late: $0.late) })
      .sorted { ($0.early, $0.late) < ($1.early, $1.late) }
      .map { tolerance in
        let (early, late) = (time(tolerance.early), time(tolerance.late))
        return tolerance.early == tolerance.late ? early : "\(early) before to \(late) after"
      }.joined(separator: " or ")
  }
}

extension SweepResult {
  package func picture() -> Picture {
    let caption: JSONObject = [
      "detector": title, "data": data, "traces": recordings.count, "parameter": threshold,
      "unit": unit,
    ]
    let marks = records[0].points.map { point -> JSONObject in
      [
        "name": point.name, "role": point.name == "preset" ? "preset" : "other",
        "point": CurvePoints.point(at: point.threshold, point.figures),
      ]
    }
    return Picture(
      .recall,
      [
        "caption": caption + records[0].curve.caption(records.flatMap(\.tolerances)),
        "curves": records.map { $0.picture(named: records.count > 1) }, "marks": marks,
      ])
  }
}

extension SweepRecord {
  fileprivate func picture(named isNamed: Bool) -> JSONObject {
    let steps = latencies.compactMap { run in
      curve.index(of: run.threshold).map { ($0, run.figures) }
    }
    let known = CurvePoints.Latencies(steps, uniquingKeysWith: { first, _ in first })
    // The recall is that of the curve.
    let latencies = known.mapValues { $0.filter { $0.name.hasPrefix("latency_") } }
    return [
      "name": isNamed ? name : "", "area": curve.averagePrecision, "is_exact": curve.isExact,
      "points": CurvePoints.points(
        parts, CurvePoints.visible(curve, keeping: Set(known.keys)), latencies),
    ]
  }
}

extension TuneOutcome {
  /// nil if nothing was chosen.
  package func picture() -> Picture? {
    guard let choice = result.choice else { return nil }
    let curve = result.curve.pooled
    let steps = CurvePoints.evenly(curve.count)
    let caption: JSONObject = [
      "detector": measured.choice.title, "data": measured.name,
      "traces": result.recordings.count, "parameter": span.parameter, "unit": span.unit.rawValue,
    ]
    let objective = objectiveOfSteps
    let plateau: JSONObject = [
      "objective": steps.map { [curve.thresholds[$0], objective[$0]] },
      "lower": choice.plateau.lower, "upper": choice.plateau.upper, "middle": choice.threshold,
      "fold_thresholds": foldSettings.compactMap(\.threshold),
    ]
    let shown: JSONObject = [
      "objective": plan.objective.summary, "objective_axis": plan.objective.axis,
      "budget": plan.objective.budget,
      "curve": ["points": CurvePoints.points(result.curve, steps), "is_exact": curve.isExact]
        as JSONObject,
      "marks": [mark(resubstitutionSetting, "chosen", "chosen")] + presetSettings.map(mark),
      "naive": resubstitutionSetting.estimates, "nested": crossValidatedSetting?.estimates,
      "plateau": plateau, "group_kind": grouping.kind.rawValue,
      "groups": shownFolds.map { $0.fold.estimates }, "is_optimistic": grouping.isOptimistic,
      "findings": findings.map { $0.prefix(1).uppercased() + $0.dropFirst() },
      "activities": activities.map { activity -> JSONObject in
        [
          "name": activity.activity, "count": activity.rate.count, "hours": activity.rate.hours,
          "rate": activity.estimate.value, "interval": activity.estimate.interval,
        ]
      },
    ]
    let tolerances = resubstitution?.pooled.tolerances ?? []
    return Picture(.tuning, ["caption": caption + curve.caption(tolerances)] + shown)
  }

  private func mark(of preset: TuneSetting) -> JSONObject {
    let name = preset.name.hasPrefix("preset ") ? String(preset.name.dropFirst(7)) : preset.name
    let role = name == measured.choice.preset ? "preset" : name == "default" ? "default" : "other"
    return mark(preset, preset.name, role)
  }

  private func mark(_ setting: TuneSetting, _ name: String, _ role: String) -> JSONObject {
    let point = CurvePoints.point(at: setting.threshold, setting.figures(plan.objective))
    return ["name": name, "role": role, "point": point]
  }
}

extension TuneSetting {
  fileprivate var estimates: JSONObject {
    [
      "name": name, "references": counts.recall.trials, "true_positives": counts.truePositives,
      "recall": recall.value, "recall_interval": recall.interval,
      "false_alarms": falseAlarms.value, "false_alarms_interval": falseAlarms.interval,
    ]
  }
}
