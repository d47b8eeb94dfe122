import Foundation
import Results
import Scoring
import TraceModel

/// The tables that `run` prints: one a kind of task, recorded and synthetic traces in rows of
/// their own.
struct SuiteTables {
  let result: SuiteResult

  func render() -> String {
    [punches, falseAlarms, classes, visits, tracks, presence, unscored].compactMap { $0 }
      .joined(separator: "\n")
  }

  private static let common: [TextTable.Column] = [
    .init("detector/preset", .left), .init("data", .left), .init("traces"), .init("hours"),
  ]

  private func lead(_ summary: EntrySummary) -> [String] {
    [
      summary.entry, summary.origin.rawValue, "\(summary.runs.count)", fixed(summary.hours, 3),
    ]
  }

  private func speed(_ summary: EntrySummary) -> String {
    // A deterministic result says nothing of the machine's speed.
    result.host == nil ? "-" : summary.realTimeFactor.map { grouped($0) } ?? "-"
  }

  // MARK: Events

  private var eventSummaries: [(EntrySummary, EventScore)] {
    result.summaries.compactMap { summary in
      guard case .events(let score) = summary.score else { return nil }
      return (summary, score)
    }
  }

  private var punches: String? {
    let rows = eventSummaries
    guard !rows.isEmpty else { return nil }
    let isDelivered = rows.contains { !$0.0.isDeliveryIdeal }
    var table = TextTable(
      "Punches: detections against references of any class, 95 % intervals below",
      Self.common + [
        .init("refs"), .init("TP"), .init("FP"), .init("FN"), .init("dup"), .init("precision"),
        .init("recall"), .init("F1"), .init("intervals\nover"), .init("false/h"),
        .init("latency ms\np50/p90"),
      ] + (isDelivered ? [.init("of it delivery\nms p50/p90")] : []) + [
        .init("tolerance\nms"), .init("x real\ntime"),
      ])
    for (summary, score) in rows {
      let counts = score.counts
      table.add(
        lead(summary) + [
          "\(counts.truePositives + counts.falseNegatives)", "\(counts.truePositives)",
          "\(counts.falsePositives)", "\(counts.falseNegatives)", "\(score.duplicates)",
          // Where there was nothing to find, these say nothing: false alarms per hour do.
          score.hasReferences ? figureCell(summary, "precision") : "-",
          figureCell(summary, "recall"), score.hasReferences ? figureCell(summary, "f1") : "-",
          score.hasReferences ? independent(summary) : "-", rateCell(score.falseAlarms),
          latencyCell(score.latency, perUnit: 1e6),
        ] + (isDelivered ? [latencyCell(score.deliveryWait, perUnit: 1e6)] : []) + [
          score.hasReferences ? toleranceCell(score.tolerances) : "-", speed(summary),
        ])
    }
    return table.render()
      + "dup: false alarms beside a punch that another detection has; they are counted in FP.\n"
      + Self.intervalNote + deliveryNote(rows.map(\.0))
  }

  /// Which delivery each entry had, where one was not ideal.
  private func deliveryNote(_ summaries: [EntrySummary]) -> String {
    let deliveries = summaries.compactMap { summary -> String? in
      guard let run = summary.runs.first, !run.isDeliveryIdeal else { return nil }
      return "\(summary.entry): \(DeliveryText.name(run))\n"
    }
    var seen: Set<String> = []
    return deliveries.filter { seen.insert($0).inserted }.joined()
  }

  /// What the intervals of precision, recall and F1 take as independent.
  private func independent(_ summary: EntrySummary) -> String {
    guard let bootstrap = summary.bootstrap else { return "events" }
    return "\(bootstrap.clusters)\n" + (bootstrap.isOfPeople ? "people" : "recordings")
  }

  private static let intervalNote =
    "Intervals of precision, recall and F1 over people: bootstrap (\(EntrySummary.Bootstrap.resamples)"
    + " resamples, seed \(EntrySummary.Bootstrap.seed)), or\nWilson's where all are alike. Over events, "
    + "with fewer than \(ClusterInterval.fewestClusters) people: Wilson's, which ignores that events "
    + "of one\nperson go together. false/h: Garwood's.\n"

  private var falseAlarms: String? {
    let rows = eventSummaries
    guard !rows.isEmpty else { return nil }
    var table = TextTable(
      "False alarms by activity",
      [
        .init("detector/preset", .left), .init("data", .left), .init("activity", .left),
        .init("hours"), .init("false"), .init("false/h"), .init("95 % interval"),
        .init("bound if none"),
      ])
    for (summary, _) in rows {
      let byActivity = Dictionary(grouping: summary.runs, by: \.activity)
      for (activity, runs) in byActivity.sorted(by: { $0.key < $1.key }) {
        let scores = runs.compactMap { run -> EventScore? in
          guard case .events(let judgement) = run.score else { return nil }
          return judgement.score
        }
        guard !scores.isEmpty else { continue }
        let rate = EventScore.pooled(scores).falseAlarms
        table.add([
          summary.entry, summary.origin.rawValue, activity.isEmpty ? "not stated" : activity,
          fixed(rate.hours, 3), "\(rate.count)", rate.estimate.map { fixed($0, 1) } ?? "-",
          rate.interval.map { "\(fixed($0.lower, 1))-\(fixed($0.upper, 1))" } ?? "-",
          rate.oneSidedUpperBoundOfNone.map { "< \(fixed($0, 1))" } ?? "",
        ])
      }
    }
    return table.render()
  }

  private var classes: String? {
    let rows = eventSummaries.filter { !$0.1.classes.isEmpty }
    guard !rows.isEmpty else { return nil }
    var table = TextTable(
      "Punches by class: matched within the class",
      [
        .init("detector/preset", .left), .init("data", .left), .init("class", .left),
        .init("refs"), .init("TP"), .init("FP"), .init("FN"), .init("precision"), .init("recall"),
        .init("F1"),
      ])
    for (summary, score) in rows {
      for one in score.classes {
        let counts = one.counts
        table.add([
          summary.entry, summary.origin.rawValue, one.label,
          "\(counts.truePositives + counts.falseNegatives)", "\(counts.truePositives)",
          "\(counts.falsePositives)", "\(counts.falseNegatives)",
          inlineCell(counts.precision.estimate, counts.precision.interval, 3),
          inlineCell(counts.recall.estimate, counts.recall.interval, 3),
          inlineCell(counts.f1.estimate, counts.f1.interval, 3),
        ])
      }
    }
    return table.render() + "Intervals over events: Wilson's.\n"
  }

  // MARK: Visits

  private var visits: String? {
    let rows = result.summaries.compactMap { summary -> (EntrySummary, VisitScore)? in
      guard case .visits(let score) = summary.score else { return nil }
      return (summary, score)
    }
    guard !rows.isEmpty else { return nil }
    let isDelivered = rows.contains { !$0.0.isDeliveryIdeal }
    var table = TextTable(
      "Check-ins: detections against visits of the same place, 95 % intervals below",
      Self.common + [
        .init("visits"), .init("TP"), .init("FP"), .init("FN"), .init("dup"), .init("precision"),
        .init("recall"), .init("F1"), .init("false/h"), .init("entry delay s\np50/p90"),
      ] + (isDelivered ? [.init("delivery wait\ns p50/p90")] : []) + [
        .init("prompt\nat m"), .init("in\norder"), .init("tolerance s\nearly/late"),
        .init("x real\ntime"),
      ])
    for (summary, score) in rows {
      let counts = score.counts
      table.add(
        lead(summary) + [
          "\(counts.truePositives + counts.falseNegatives)", "\(counts.truePositives)",
          "\(counts.falsePositives)", "\(counts.falseNegatives)", "\(score.duplicates)",
          cell(score.precision.estimate, score.precision.interval, 3),
          cell(score.found.estimate, score.found.interval, 3),
          cell(score.f1.estimate, score.f1.interval, 3), rateCell(score.falseVisits),
          latencyCell(score.entryDelay, perUnit: 1e9),
        ] + (isDelivered ? [latencyCell(score.deliveryWait, perUnit: 1e9)] : []) + [
          score.medianPromptDistance.map { fixed($0, 1) } ?? "-",
          "\(score.order.successes)/\(score.order.trials)", visitToleranceCell(summary),
          speed(summary),
        ])
    }
    let policies = rows.map { "\($0.0.entry): \($0.0.runs.first?.policy ?? "the trace's own")" }
    var seen: Set<String> = []
    return table.render() + "Intervals over events: Wilson's; false/h: Garwood's.\nPerson: "
      + policies.filter { seen.insert($0).inserted }.joined(separator: "\n        ") + "\n"
      + deliveryNote(rows.map(\.0))
  }

  // MARK: Tracks

  private var tracks: String? {
    let summaries = result.summaries.filter {
      if case .track = $0.score { true } else { false }
    }
    guard !summaries.isEmpty else { return nil }
    var table = TextTable(
      "Tracks: distance error in % of the true distance",
      [
        .init("detector/preset", .left), .init("data", .left), .init("trace", .left),
        .init("hours"), .init("km measured"), .init("km true"), .init("distance\nerror %"),
        .init("moving time\nerror %"), .init("split error s\np50/p90"), .init("x real\ntime"),
      ])
    for summary in summaries {
      for run in summary.runs {
        guard case .track(let score) = run.score else { continue }
        let measured = run.measurements.first { $0.name == "distance" }?.value
        let truth = score.trueDistance
        let wall = Double(run.detectorTime.nanoseconds)
        table.add([
          run.entry, run.origin.rawValue, run.traceID, fixed(run.hours, 3),
          measured.map { fixed($0 / 1000, 3) } ?? "-", truth.map { fixed($0 / 1000, 3) } ?? "-",
          signed(score.distanceError, 2), signed(score.movingTimeError, 2),
          latencyCell(score.splitError, perUnit: 1e9),
          wall > 0 && result.host != nil ? grouped(run.hours * 3.6e12 / wall) : "-",
        ])
      }
      guard case .track(let score) = summary.score, let error = score.distance,
        error.bias.count > 1
      else { continue }
      table.add([
        summary.entry, summary.origin.rawValue,
        "mean of \(error.bias.count): bias\n95 % interval\nmean of |error|",
        fixed(summary.hours, 3), "", "", errorCell(score.distance), errorCell(score.movingTime),
        latencyCell(score.splits, perUnit: 1e9), speed(summary),
      ])
    }
    return table.render()
      + "km measured is the sum over the whole recording, straight across its breaks.\n"
      + deliveryNote(summaries)
  }

  // MARK: Presence

  private var presence: String? {
    let rows = result.summaries.compactMap { summary -> (EntrySummary, PresenceQuality)? in
      guard case .presence(let quality) = summary.score else { return nil }
      return (summary, quality)
    }
    guard !rows.isEmpty else { return nil }
    var table = TextTable(
      "Presence: what is told of who is there, 95 % intervals below",
      Self.common + [
        .init("departures\nfound"), .init("detection s\nmean"), .init("p50/p99"),
        .init("hours\nthere"),
        .init("mistakes"), .init("mistakes/h"), .init("mistake s\np50/p90"),
        .init("query\naccuracy"), .init("arrivals\nseen"), .init("to see s\np50/p99"),
        .init("x real\ntime"),
      ])
    for (summary, quality) in rows {
      table.add(
        lead(summary) + [
          "\(quality.found.successes)/\(quality.found.trials)",
          cell(quality.meanDetectionTime?.mean, quality.meanDetectionTime?.interval, 2),
          percentileCell(quality.detectionTime, \.p99), fixed(quality.mistakeRate.hours, 2),
          "\(quality.mistakes)", rateCell(quality.mistakeRate, decimals: 2),
          percentileCell(quality.mistakeDuration, \.p90),
          quality.queryAccuracy.map { fixed($0, 5) } ?? "-",
          "\(quality.seen.successes)/\(quality.seen.trials)",
          percentileCell(quality.arrivalTime, \.p99), speed(summary),
        ])
    }
    return table.render()
      + "Detection: from a departure to the suspicion that lasts. Mistakes: somebody suspected who was "
      + "there, per\nhour in which somebody was (Garwood's interval). Compare mistakes at equal detection "
      + "times. Mean: Student's interval.\n"
      + deliveryNote(rows.map(\.0))
  }

  /// Seconds: the median, and a percentile in the tail.
  private func percentileCell(
    _ times: TimePercentiles?, _ tail: KeyPath<TimePercentiles, Int64>
  ) -> String {
    guard let times else { return "-" }
    return "\(fixed(Double(times.p50) / 1e9, 2))/\(fixed(Double(times[keyPath: tail]) / 1e9, 2))"
  }

  private var unscored: String? {
    let rows = result.summaries.filter { $0.score == .unscored || $0.unscoredRuns > 0 }
    guard !rows.isEmpty else { return nil }
    var table = TextTable(
      "Not scored: these traces have no reference for the detector's task",
      [
        .init("detector/preset", .left), .init("data", .left), .init("traces"),
        .init("detections"),
      ])
    for summary in rows {
      let runs = result.runs.filter {
        $0.entry == summary.entry && $0.origin == summary.origin && $0.score == .unscored
      }
      let detections = runs.reduce(0) { $0 + $1.detections.count }
      table.add([
        summary.entry, summary.origin.rawValue, "\(runs.count)", "\(detections)",
      ])
    }
    return table.render()
  }

  // MARK: Cells

  private func figureCell(_ summary: EntrySummary, _ name: String) -> String {
    let figure = summary.figures.first { $0.name == name }
    return cell(figure?.value, figure?.interval, 3)
  }

  private func cell(_ value: Double?, _ interval: Interval?, _ decimals: Int) -> String {
    guard let value else { return "-" }
    let bounds = interval.map { "\n\(fixed($0.lower, decimals))-\(fixed($0.upper, decimals))" }
    return fixed(value, decimals) + (bounds ?? "")
  }

  private func inlineCell(_ value: Double?, _ interval: Interval?, _ decimals: Int) -> String {
    guard let value else { return "-" }
    let bounds = interval.map { " (\(fixed($0.lower, decimals))-\(fixed($0.upper, decimals)))" }
    return fixed(value, decimals) + (bounds ?? "")
  }

  private func rateCell(_ rate: PoissonRate, decimals: Int = 1) -> String {
    cell(rate.estimate, rate.interval, decimals)
  }

  private func latencyCell(_ latency: TimePercentiles?, perUnit nanoseconds: Double) -> String {
    guard let latency else { return "-" }
    let decimals = nanoseconds < 1e9 ? 0 : 1
    return "\(fixed(Double(latency.p50) / nanoseconds, decimals))/"
      + fixed(Double(latency.p90) / nanoseconds, decimals)
  }

  private func visitToleranceCell(_ summary: EntrySummary) -> String {
    var seen: [String] = []
    for run in summary.runs {
      guard case .visits(let judgement) = run.score else { continue }
      let tolerance = judgement.tolerance
      let text =
        "\(fixed(Double(tolerance.early.nanoseconds) / 1e9, 0))/"
        + fixed(Double(tolerance.late.nanoseconds) / 1e9, 0)
      if !seen.contains(text) { seen.append(text) }
    }
    return seen.joined(separator: ",")
  }

  private func toleranceCell(_ tolerances: [EventTolerance]) -> String {
    tolerances.map {
      let (early, late) = (Double($0.early.nanoseconds) / 1e6, Double($0.late.nanoseconds) / 1e6)
      return early == late ? fixed(early, 0) : "-\(fixed(early, 0))+\(fixed(late, 0))"
    }.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }.joined(separator: " or ")
  }

  /// Bias, its interval, and the mean magnitude below each other.
  private func errorCell(_ error: ErrorSummary?) -> String {
    guard let error else { return "-" }
    let interval = error.bias.interval
    return signed(error.bias.mean, 2) + "\n"
      + (interval.map { "\(signed($0.lower, 2)) to \(signed($0.upper, 2))" } ?? "-") + "\n"
      + fixed(error.absolute.mean, 2)
  }

  private func signed(_ value: Double?, _ decimals: Int) -> String {
    guard let value else { return "-" }
    let text = fixed(value, decimals)
    return text.hasPrefix("-") ? text : "+" + text
  }
}
