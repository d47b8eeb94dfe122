package import Diagnostics
package import Foundation
package import Evaluation
package import Scoring
package import TraceModel

/// The tables that `run` and `score` print: one a kind of task, recorded and synthetic traces in
/// rows of their own.
package struct SuiteTables {
  /// Whose result it is.
  package enum Form {
    case run
    /// Of label files: there is no detector and nothing ran. `emitted` = whether the detections
    /// state when they were told; `origin` = whether it is known where the traces come from.
    case score(emitted: Bool, origin: Bool)
  }

  /// Its apps have tables of their own.
  package let result: SuiteResult
  package var form = Form.run

  package init(result: SuiteResult, form: Form = .run) {
    self.result = result
    self.form = form
  }

  private var summaries: [EntrySummary] {
    let apps = Set(result.apps.map(\.entry))
    return result.summaries.filter { !apps.contains($0.entry) }
  }

  package func render() -> String {
    [events, falseAlarms, classes, confusion, visits, tracks, presence, unscored]
      .compactMap { $0 }.joined(separator: "\n")
  }

  private var isRun: Bool {
    if case .run = form { true } else { false }
  }

  /// What tells the rows of a table apart.
  private var keyColumns: [TextTable.Column] {
    let data = TextTable.Column("data", .left)
    switch form {
    case .run: return [.init("detector/preset", .left), data]
    case .score(_, let origin): return origin ? [data] : []
    }
  }

  private func key(_ summary: EntrySummary) -> [String] {
    switch form {
    case .run: [summary.entry, summary.origin.rawValue]
    case .score(_, let origin): origin ? [summary.origin.rawValue] : []
    }
  }

  private var leadColumns: [TextTable.Column] {
    keyColumns + [.init(isRun ? "traces" : "files"), .init("hours")]
  }

  private func lead(_ summary: EntrySummary) -> [String] {
    key(summary) + ["\(summary.runs.count)", hoursCell(summary)]
  }

  private func hoursCell(_ summary: EntrySummary) -> String {
    // Label files need not say how long was recorded.
    isRun || summary.hours > 0 ? fixed(summary.hours, 3) : "-"
  }

  private var speedColumns: [TextTable.Column] { isRun ? [.init("x real\ntime")] : [] }

  private func speed(_ summary: EntrySummary) -> [String] {
    guard isRun else { return [] }
    // A deterministic result says nothing of the machine's speed.
    return [result.host == nil ? "-" : summary.realTimeFactor.map { grouped($0) } ?? "-"]
  }

  // MARK: Events

  private var eventSummaries: [(EntrySummary, EventScore)] {
    summaries.compactMap { summary in
      guard case .events(let score) = summary.score else { return nil }
      return (summary, score)
    }
  }

  private var events: String? {
    let rows = eventSummaries
    guard !rows.isEmpty else { return nil }
    let isDelivered = rows.contains { !$0.0.isDeliveryIdeal }
    var table = TextTable(
      "\(isRun ? "Punches" : "Events"): detections against references of any class, 95 % intervals "
        + "below",
      leadColumns + [
        .init("refs"), .init("TP"), .init("FP"), .init("FN"), .init("dup"), .init("precision"),
        .init("recall"), .init("F1"), .init("intervals\nover"), .init("false/h"),
      ] + timeColumns + (isDelivered ? [.init("of it delivery\nms p50/p90")] : [])
        + [.init("tolerance\nms")] + speedColumns)
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
        ] + timeCells(score)
          + (isDelivered ? [latencyCell(score.deliveryWait, perUnit: 1e6)] : []) + [
            score.hasReferences ? toleranceCell(score.tolerances) : "-"
          ] + speed(summary))
    }
    return table.render()
      + "dup: false alarms beside \(isRun ? "a punch" : "an event") that another detection has; "
      + "they are counted in FP.\n" + intervalNote + deliveryNote(rows.map(\.0))
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
    guard let bootstrap = summary.bootstrap else { return "events\nWilson" }
    let methods = Set(summary.intervalMethods.map(\.method))
    return "\(bootstrap.clusters) " + (bootstrap.isOfPeople ? "people" : "recordings") + "\n"
      + (methods == [.bootstrap] ? "bootstrap" : methods == [.wilson] ? "Wilson" : "bootstrap*")
  }

  private var timeColumns: [TextTable.Column] {
    let latency = TextTable.Column("latency ms\np50/p90")
    guard case .score(let hasEmitted, _) = form else { return [latency] }
    return [.init("onset error\nms p50/p90")] + (hasEmitted ? [latency] : [])
  }

  private func timeCells(_ score: EventScore) -> [String] {
    let latency = latencyCell(score.latency, perUnit: 1e6)
    guard case .score(let hasEmitted, _) = form else { return [latency] }
    return [latencyCell(score.onsetError, perUnit: 1e6)] + (hasEmitted ? [latency] : [])
  }

  private var intervalNote: String {
    let (clusters, one) = isRun ? ("people", "person") : ("people or files", "person or file")
    return "Intervals of precision, recall and F1 over \(clusters): bootstrap "
      + "(\(EntrySummary.Bootstrap.resamples) resamples, seed \(EntrySummary.Bootstrap.seed)), or\n"
      + "Wilson's where all are alike (* in some columns). Over events, with fewer than "
      + "\(ClusterInterval.fewestClusters) \(clusters):\nWilson's, which ignores that events of one "
      + "\(one) go together. false/h: Garwood's.\n"
  }

  private var falseAlarms: String? {
    let rows = eventSummaries.filter { row in
      isRun || row.0.runs.contains { !$0.activity.isEmpty }
    }
    guard !rows.isEmpty else { return nil }
    var table = TextTable(
      "False alarms by activity",
      keyColumns + [
        .init("activity", .left), .init("hours"), .init("false"), .init("false/h"),
        .init("95 % interval"),
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
        table.add(
          key(summary) + [
            activity.isEmpty ? "not stated" : activity,
            isRun || rate.hours > 0 ? fixed(rate.hours, 3) : "-", "\(rate.count)",
            rate.estimate.map { fixed($0, 1) } ?? "-",
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
      "\(isRun ? "Punches" : "Events") by class: matched within the class",
      keyColumns + [
        .init("class", .left), .init("refs"), .init("TP"), .init("FP"), .init("FN"),
        .init("precision"), .init("recall"),
        .init("F1"),
      ])
    for (summary, score) in rows {
      for one in score.classes {
        let counts = one.counts
        table.add(
          key(summary) + [
            one.label,
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

  /// How often each class was taken for each, over matched events.
  private var confusion: String? {
    guard !isRun else { return nil }
    let tables = eventSummaries.compactMap { summary, score -> String? in
      let matrix = score.confusion
      guard !matrix.labels.isEmpty, !score.classes.isEmpty else { return nil }
      func name(_ label: String) -> String { label.isEmpty ? "none" : label }
      var table = TextTable(
        "Classes of matched events: a row for each reference, a column for each detected one",
        [.init("class", .left)] + matrix.labels.map { .init(name($0)) })
      for (label, counts) in zip(matrix.labels, matrix.counts)
      where counts.contains(where: { $0 > 0 }) {
        table.add([name(label)] + counts.map(String.init))
      }
      let accuracy = inlineCell(matrix.accuracy.estimate, matrix.accuracy.interval, 3)
      return table.render() + "Of its own class: \(accuracy), Wilson's interval.\n"
    }
    return tables.isEmpty ? nil : tables.joined(separator: "\n")
  }

  // MARK: Visits

  private var visits: String? {
    let rows = summaries.compactMap { summary -> (EntrySummary, VisitScore)? in
      guard case .visits(let score) = summary.score else { return nil }
      return (summary, score)
    }
    guard !rows.isEmpty else { return nil }
    let isDelivered = rows.contains { !$0.0.isDeliveryIdeal }
    var table = TextTable(
      "Check-ins: detections against visits of the same place, 95 % intervals below",
      leadColumns + [
        .init("visits"), .init("TP"), .init("FP"), .init("FN"), .init("dup"), .init("precision"),
        .init("recall"), .init("F1"), .init("false/h"), .init("entry delay s\np50/p90"),
      ] + (isDelivered ? [.init("delivery wait\ns p50/p90")] : []) + [
        .init("prompt\nat m"), .init("in\norder"), .init("tolerance s\nearly/late"),
      ] + speedColumns)
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
        ] + speed(summary))
    }
    let policies = rows.map { "\($0.0.entry): \($0.0.runs.first?.policy ?? "the trace's own")" }
    var seen: Set<String> = []
    let person =
      "Person: " + policies.filter { seen.insert($0).inserted }.joined(separator: "\n        ")
      + "\n"
    return table.render() + "Intervals over events: Wilson's; false/h: Garwood's.\n"
      + (isRun ? person : "") + deliveryNote(rows.map(\.0))
  }

  // MARK: Tracks

  private var tracks: String? {
    let summaries = summaries.filter {
      if case .track = $0.score { true } else { false }
    }
    guard !summaries.isEmpty else { return nil }
    var table = TextTable(
      "Tracks: distance error in % of the true distance",
      keyColumns + [
        .init(isRun ? "trace" : "file", .left), .init("hours"), .init("km measured"),
        .init("km true"), .init("distance\nerror %"),
        .init("moving time\nerror %"), .init("split error s\np50/p90"),
      ] + pathColumns + speedColumns)
    for summary in summaries {
      for run in summary.runs {
        guard case .track(let score) = run.score else { continue }
        let measured = run.measurements.first { $0.name == "distance" }?.value
        let truth = score.trueDistance
        let wall = Double(run.detectorTime.nanoseconds)
        table.add(
          key(summary) + [
            run.traceID, isRun || run.hours > 0 ? fixed(run.hours, 3) : "-",
            measured.map { fixed($0 / 1000, 3) } ?? "-", truth.map { fixed($0 / 1000, 3) } ?? "-",
            signed(score.distanceError, 2), signed(score.movingTimeError, 2),
            latencyCell(score.splitError, perUnit: 1e9),
          ] + pathCells(score.horizontalError, coverage: score.coverage)
            + (isRun
              ? [wall > 0 && result.host != nil ? grouped(run.hours * 3.6e12 / wall) : "-"] : []))
      }
      guard case .track(let score) = summary.score, let error = score.distance,
        error.bias.count > 1
      else { continue }
      table.add(
        key(summary) + [
          "mean of \(error.bias.count): bias\n95 % interval\nmean of |error|",
          hoursCell(summary), "", "", errorCell(score.distance), errorCell(score.movingTime),
          latencyCell(score.splits, perUnit: 1e9),
        ] + pathCells(nil, coverage: nil) + speed(summary))
    }
    return table.render()
      + (isRun
        ? "km measured is the sum over the whole recording, straight across its breaks.\n" : "")
      + deliveryNote(summaries)
  }

  /// How far one path lies from another, where recordings of positions are scored.
  private var pathColumns: [TextTable.Column] {
    isRun ? [] : [.init("horizontal m\np50/p95"), .init("coverage\n%")]
  }

  private func pathCells(_ error: (p50: Double, p95: Double)?, coverage: Double?) -> [String] {
    guard !isRun else { return [] }
    return [
      error.map { "\(fixed($0.p50, 1))/\(fixed($0.p95, 1))" } ?? "-",
      coverage.map { fixed($0, 1) } ?? "-",
    ]
  }

  // MARK: Presence

  private var presence: String? {
    let rows = summaries.compactMap { summary -> (EntrySummary, PresenceQuality)? in
      guard case .presence(let quality) = summary.score else { return nil }
      return (summary, quality)
    }
    guard !rows.isEmpty else { return nil }
    var table = TextTable(
      "Presence: what is told of who is there, 95 % intervals below",
      leadColumns + [
        .init("departures\nfound"), .init("detection s\nmean"), .init("p50/p99"),
        .init("hours\nthere"),
        .init("mistakes"), .init("mistakes/h"), .init("mistake s\np50/p90"),
        .init("query\naccuracy"), .init("arrivals\nseen"), .init("to see s\np50/p99"),
      ] + speedColumns)
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
          percentileCell(quality.arrivalTime, \.p99),
        ] + speed(summary))
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
    let rows = summaries.filter { $0.score == .unscored || $0.unscoredRuns > 0 }
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
