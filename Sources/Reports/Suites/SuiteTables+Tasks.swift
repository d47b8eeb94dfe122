import Detectors
import Diagnostics
import Evaluation
import Scoring
import TraceModel

extension SuiteTables {
  // MARK: Visits

  var visits: String? {
    let rows = summaries.compactMap { summary -> (EntrySummary, VisitScore)? in
      guard case .visits(let score) = summary.score else { return nil }
      return (summary, score)
    }
    guard !rows.isEmpty else { return nil }
    let isDelivered = rows.contains { !$0.0.isDeliveryIdeal }
    var table = TextTable(
      "Check-ins: detections against visits of the same place, 95 % intervals below",
      visitColumns(isDelivered))
    for (summary, score) in rows { table.add(visitCells(summary, score, isDelivered)) }
    return table.render(screen)
      + notes("Intervals over events: Wilson's; false/h (false visits per hour): Garwood's.\n")
      + (isRun ? people(rows.map(\.0)) : "") + deliveryNote(rows.map(\.0))
  }

  private func visitColumns(_ isDelivered: Bool) -> [TextTable.Column] {
    let own: [TextTable.Column] = [
      .init("visits", rank: 2), .init("TP", rank: 4), .init("FP", rank: 4), .init("FN", rank: 4),
      .init("dup", rank: 8), .init("precision", rank: 1), .init("recall"), .init("F1", rank: 4),
      .init("false/h"), .init("entry delay s\np50/p90", rank: 4),
    ]
    let wait = TextTable.Column("delivery delay\ns p50/p90", rank: 3)
    return leadColumns + own + (isDelivered ? [wait] : []) + [
      .init("prompt\nat m", rank: 5), .init("in\norder", rank: 3),
      .init("tolerance s\nearly/late", rank: 7),
    ] + speedColumns
  }

  private func visitCells(
    _ summary: EntrySummary, _ score: VisitScore, _ isDelivered: Bool
  ) -> [String] {
    let counts = score.counts
    let own = [
      "\(counts.truePositives + counts.falseNegatives)", "\(counts.truePositives)",
      "\(counts.falsePositives)", "\(counts.falseNegatives)", "\(score.duplicates)",
      TableCell.proportion(score.precision), TableCell.proportion(score.found),
      TableCell.estimate(score.f1.estimate, score.f1.interval, 3),
      TableCell.rate(score.falseVisits), TableCell.seconds(score.entryDelay),
    ]
    return lead(summary) + own + (isDelivered ? [TableCell.seconds(score.deliveryWait)] : []) + [
      TableCell.value(score.medianPromptDistance, 1), TableCell.fraction(score.order),
      visitToleranceCell(summary),
    ] + speed(summary)
  }

  /// The simulated people who answer the prompts, by entry.
  private func people(_ summaries: [EntrySummary]) -> String {
    let policies = summaries.map {
      "Person of \($0.entry): \($0.runs.first?.policy ?? "the trace's own actions")\n"
    }
    var seen: Set<String> = []
    return policies.filter { seen.insert($0).inserted }
      .map { screen.wrapped($0, indent: 2) }.joined()
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

  // MARK: Tracks

  var tracks: String? {
    let summaries = summaries.filter {
      if case .track = $0.score { true } else { false }
    }
    guard !summaries.isEmpty else { return nil }
    var table = TextTable(
      "Tracks: errors of distance and moving time in % of the true ones", trackColumns)
    for summary in summaries {
      for run in summary.runs {
        guard case .track(let score) = run.score else { continue }
        table.add(trackCells(summary, run, score))
      }
      if let cells = meanTrackCells(summary) { table.add(cells) }
    }
    return table.render(screen)
      + (isRun
        ? notes("km measured: the sum over the whole recording, straight across its breaks.\n")
        : "")
      + deliveryNote(summaries)
  }

  private var trackColumns: [TextTable.Column] {
    keyColumns + [
      .init(isRun ? "trace" : "file", .left), .init("hours", rank: 5),
      .init("km\nmeasured", rank: 4), .init("km\ntrue", rank: 4), .init("distance\nerror %"),
      .init("moving time\nerror %", rank: 1), .init("split error s\np50/p90", rank: 5),
    ] + pathColumns + speedColumns
  }

  private func trackCells(
    _ summary: EntrySummary, _ run: RunRecord, _ score: TrackScore
  ) -> [String] {
    let measured = run.measurements.first { $0.name == "distance" }?.value
    let wall = Double(run.detectorTime.nanoseconds)
    let factor =
      wall > 0 && result.host != nil ? grouped(run.hours * 3.6e12 / wall) : TableCell.undefined
    return key(summary) + [
      run.traceID, isRun || run.hours > 0 ? fixed(run.hours, 3) : TableCell.undefined,
      TableCell.value(measured.map { $0 / 1000 }, 3),
      TableCell.value(score.trueDistance.map { $0 / 1000 }, 3),
      TableCell.signed(score.distanceError, 2), TableCell.signed(score.movingTimeError, 2),
      TableCell.seconds(score.splitError),
    ] + pathCells(score.horizontalError, coverage: score.coverage) + (isRun ? [factor] : [])
  }

  /// The errors of several traces together; nil where there is one at most.
  private func meanTrackCells(_ summary: EntrySummary) -> [String]? {
    guard case .track(let score) = summary.score, let error = score.distance,
      error.bias.count > 1
    else { return nil }
    return key(summary) + [
      "mean of \(error.bias.count): bias\n95 % interval\nmean of |error|",
      hoursCell(summary), "", "", TableCell.error(score.distance),
      TableCell.error(score.movingTime), TableCell.seconds(score.splits),
    ] + pathCells(nil, coverage: nil) + speed(summary)
  }

  /// The distance of one path from another, where recordings of positions are scored.
  private var pathColumns: [TextTable.Column] {
    isRun ? [] : [.init("horizontal m\np50/p95", rank: 3), .init("coverage\n%", rank: 3)]
  }

  private func pathCells(_ error: (p50: Double, p95: Double)?, coverage: Double?) -> [String] {
    guard !isRun else { return [] }
    return [
      error.map { "\(fixed($0.p50, 1))/\(fixed($0.p95, 1))" } ?? TableCell.undefined,
      TableCell.value(coverage, 1),
    ]
  }

  // MARK: Presence

  var presence: String? {
    let rows = summaries.compactMap { summary -> (EntrySummary, PresenceQuality)? in
      guard case .presence(let quality) = summary.score else { return nil }
      return (summary, quality)
    }
    guard !rows.isEmpty else { return nil }
    var table = TextTable(
      "Presence: reported against true presence, 95 % intervals below", presenceColumns)
    for (summary, quality) in rows { table.add(presenceCells(summary, quality)) }
    return table.render(screen)
      + notes(
        "Detection: from a departure to the suspicion that lasts; mean with Student's interval. "
          + "Mistakes: somebody present is suspected to be absent, per hour of presence (Garwood's "
          + "interval). Compare mistakes at equal detection times.\n")
      + deliveryNote(rows.map(\.0))
  }

  private var presenceColumns: [TextTable.Column] {
    leadColumns + [
      .init("departures\ndetected", rank: 2), .init("detection s\nmean"),
      .init("detection s\np50/p99", rank: 4), .init("hours\npresent", rank: 6),
      .init("mistakes", rank: 3), .init("mistakes\nper hour"), .init("mistake s\np50/p90", rank: 5),
      .init("query\naccuracy", rank: 1), .init("arrivals\ndetected", rank: 4),
      .init("arrival s\np50/p99", rank: 5),
    ] + speedColumns
  }

  private func presenceCells(_ summary: EntrySummary, _ quality: PresenceQuality) -> [String] {
    func times(
      _ times: TimePercentiles?, _ tail: KeyPath<TimePercentiles, Int64>
    ) -> String { TableCell.percentiles(times, tail, perUnit: 1e9, decimals: 2) }
    return lead(summary) + [
      TableCell.fraction(quality.found),
      TableCell.estimate(quality.meanDetectionTime?.mean, quality.meanDetectionTime?.interval, 2),
      times(quality.detectionTime, \.p99), fixed(quality.mistakeRate.hours, 2),
      "\(quality.mistakes)", TableCell.rate(quality.mistakeRate, decimals: 2),
      times(quality.mistakeDuration, \.p90), TableCell.value(quality.queryAccuracy, 5),
      TableCell.fraction(quality.seen), times(quality.arrivalTime, \.p99),
    ] + speed(summary)
  }
}
