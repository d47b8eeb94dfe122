import Detectors
import Diagnostics
import Evaluation
import Scoring
import TraceModel

extension SuiteTables {
  // MARK: Visits

  var visits: String? {
    table(
      "Check-ins: detections against true visits of the same place, 95 % intervals below", \.visits,
      visitColumns
    ) {
      screen.wrapped(intervalNote($0) + " false/h: false visits per hour.\n")
        + (isRun ? people($0) : "")
    }
  }

  private func visitColumns(_ isDelivered: Bool) -> [TableColumn<Row<VisitScore>>] {
    let own: [TableColumn<Row<VisitScore>>] = [
      .init("dup", rank: 8) { "\($0.score.duplicates)" },
      .init("precision\nof this mix", rank: 3) {
        TableCell.figure(.precision, of: $0.summary.figures)
      },
      .init("recall") { TableCell.figure(.recall, of: $0.summary.figures) },
      .init("F1", rank: 4) { TableCell.figure(.f1, of: $0.summary.figures) },
      .init("false/h") { TableCell.figure(.falseVisitsPerHour, of: $0.summary.figures, 1) },
      .init("entry delay s\np50/p90", rank: 4) {
        TableCell.delays(.entryDelay, of: $0.summary.figures)
      },
    ]
    let wait = TableColumn<Row<VisitScore>>("delivery delay\ns p50/p90", rank: 3) {
      TableCell.seconds($0.score.deliveryWait)
    }
    let last: [TableColumn<Row<VisitScore>>] = [
      .init("prompt\nat m", rank: 5) { TableCell.value($0.score.medianPromptDistance, 1) },
      .init("in\norder", rank: 3) { TableCell.fraction($0.score.order) },
      .init("tolerance s\nearly/late", rank: 7) { visitToleranceCell($0.summary) },
    ]
    return leadColumns() + TableColumn.counts(\.score.counts, "visits") + own
      + (isDelivered ? [wait] : []) + last
  }

  /// The simulated people who answer the prompts.
  private func people(_ summaries: [EntrySummary]) -> String {
    let policies = summaries.map {
      "Prompts of \($0.entry) answered: \($0.runs.first?.policy ?? "as recorded")\n"
    }
    return policies.uniqued().map { screen.wrapped($0, indent: 2) }.joined()
  }

  private func visitToleranceCell(_ summary: EntrySummary) -> String {
    let texts = summary.runs.compactMap { $0.score.eventOutcomes?.tolerance }
      .map { "\(fixed(seconds($0.early), 0))/\(fixed(seconds($0.late), 0))" }
    return texts.uniqued().joined(separator: ",")
  }

  // MARK: Tracks

  var tracks: String? {
    let rows = rows(\.track)
    guard !rows.isEmpty else { return nil }
    let lines = rows.flatMap { summary, score -> [Row<[String]>] in
      let runs = summary.runs.compactMap { run -> [String]? in
        guard case .track(let score) = run.score else { return nil }
        return trackCells(run, score)
      }
      let count = summary[.distanceError.bias]?.estimate.count ?? 0
      return (runs + (count > 1 ? [meanTrackCells(summary, score, count)] : []))
        .map { (summary, $0) }
    }
    let table = TextTable(
      "Tracks: errors of distance and moving time in % of the true ones", lines,
      keyColumns() + columns(trackHeadings))
    let note = "km measured: over the whole recording, with straight lines across its breaks.\n"
    return table.render(screen) + screen.wrapped(isRun ? note : "")
      + deviceNote(rows.map(\.summary)) + deliveryNote(rows.map(\.summary))
  }

  /// Columns of rows whose cells are texts.
  private func columns(_ headings: [TextTable.Column]) -> [TableColumn<Row<[String]>>] {
    headings.enumerated().map { position, heading in
      TableColumn(heading: heading) { $0.score[position] }
    }
  }

  /// The traces whose reference is the distance of the device.
  func deviceNote(_ summaries: [EntrySummary]) -> String {
    let runs = summaries.flatMap(\.runs).filter { $0.references?.isOfDevice == true }
    let names = runs.map { inLine($0.traceID) }.uniqued()
    return names.isEmpty
      ? ""
      : screen.wrapped(
        "The true distance is \(ReferenceSet.odometerDefinition): \(listed(names, most: 5)).\n")
  }

  /// The horizontal error is only for `score`.
  private var trackHeadings: [TextTable.Column] {
    [
      .init(isRun ? "trace" : "file", .left), .init("hours", rank: 5),
      .init("km\nmeasured", rank: 4), .init("km\ntrue", rank: 4), .init("distance\nerror %"),
      .init("moving time\nerror %", rank: 1), .init("split error s\np50/p90", rank: 5),
    ] + (isRun ? [] : [.init("horizontal m\np50/p95", rank: 3), .init("coverage\n%", rank: 3)])
  }

  private func trackCells(_ run: RunRecord, _ score: TrackScore) -> [String] {
    let measured = run.measurements.first { $0.name == "distance" }?.value
    let error = score.horizontalError.map { "\(fixed($0.p50, 1))/\(fixed($0.p95, 1))" }
    return [
      inLine(run.traceID), TableCell.hours(run.hours, areKnown: isRun),
      TableCell.value(measured.map { $0 / 1000 }, 3),
      TableCell.value(score.trueDistance.map { $0 / 1000 }, 3),
      TableCell.signed(score.distanceError, 2), TableCell.signed(score.movingTimeError, 2),
      splitCell(score.splitError, missed: score.missedSplits),
    ] + (isRun ? [] : [error ?? TableCell.undefined, TableCell.value(score.coverage, 1)])
  }

  private func splitCell(_ errors: TimePercentiles?, missed: Int) -> String {
    TableCell.seconds(errors) + (missed > 0 ? "\n\(missed) missed" : "")
  }

  private func meanTrackCells(
    _ summary: EntrySummary, _ score: TrackSummary, _ count: Int
  ) -> [String] {
    [
      "mean of \(people(summary, count)):\nbias\n95 % interval\nmean of |error|",
      TableCell.hours(summary.hours, areKnown: isRun), "", "",
      "\n" + TableCell.error(.distanceError, of: summary.figures),
      "\n" + TableCell.error(.movingTimeError, of: summary.figures),
      splitCell(score.splits, missed: score.missedSplits),
    ] + (isRun ? [] : [TableCell.undefined, TableCell.undefined])
  }

  /// The number of people or tracks of a mean.
  private func people(_ summary: EntrySummary, _ tracks: Int) -> String {
    let estimate = summary[.distanceError.bias]?.estimate
    guard let clusters = estimate?.clusters, estimate?.clusterKind == .people, clusters > 1 else {
      return counted(tracks, isRun ? "trace" : "file")
    }
    return "\(clusters) people"
  }

  var presence: String? {
    table(
      "Presence: reported against true presence, 95 % intervals below", \.presence, presenceColumns
    ) {
      screen.wrapped(
        "Detection: from a departure to the suspicion that lasts, of a person who was trusted "
          + "before. Mistakes: a present person is suspected to be absent, per hour of presence; "
          + "query accuracy: the share of presence without suspicion. Compare mistakes at equal "
          + "detection times.\n" + intervalNote($0) + "\n")
    }
  }

  private func presenceColumns(_ isDelivered: Bool) -> [TableColumn<Row<PresenceQuality>>] {
    func times(
      _ times: TimePercentiles?, _ tail: (TimePercentiles) -> Int64?
    ) -> String { TableCell.percentiles(times, tail, perUnit: 1e9, decimals: 2) }
    let own: [TableColumn<Row<PresenceQuality>>] = [
      .init("departures\nfound", rank: 1) { TableCell.fraction($0.score.found) },
      .init("detection s\nmedian") {
        TableCell.figure(.detectionTime.p50, of: $0.summary.figures, 2)
      },
      .init("detection s\np50/p99", rank: 4) {
        TableCell.delays(.detectionTime, \.p99, of: $0.summary.figures, 2)
      },
      .init("hours\npresent", rank: 6) { fixed(Double($0.score.presentNanoseconds) / 3.6e12, 2) },
      .init("mistakes", rank: 3) { "\($0.score.mistakes)" },
      .init("mistakes\nper hour") { TableCell.figure(.mistakesPerHour, of: $0.summary.figures, 2) },
      .init("mistake s\np50/p90", rank: 5) { times($0.score.mistakeDuration, \.p90) },
      .init("query\naccuracy") { TableCell.value($0.score.queryAccuracy, 5) },
      .init("arrivals\ndetected", rank: 4) { TableCell.fraction($0.score.seen) },
      .init("arrival s\np50/p99", rank: 5) {
        TableCell.delays(.arrivalTime, \.p99, of: $0.summary.figures, 2)
      },
    ]
    return leadColumns() + own
  }

  // MARK: Counts

  /// The recordings for which only the number of events is known: a row for each, and a row for all.
  var counts: String? {
    let rows = rows(\.counts)
    guard !rows.isEmpty else { return nil }
    let lines = rows.flatMap { summary, total -> [Row<[String]>] in
      let runs = summary.counted.compactMap { run -> [String]? in
        guard case .count(let score) = run.score else { return nil }
        return [inLine(run.traceID)] + Self.cells(score)
      }
      return (runs + (total.recordings > 1 ? totalCells(summary, total) : [])).map { (summary, $0) }
    }
    let headings: [TextTable.Column] = [
      .init("trace", .left), .init("stated"), .init("detected"), .init("error"), .init("error %"),
    ]
    let figures = rows.flatMap { $0.summary.figures.filter { $0.name.hasPrefix("count_") } }
    let note =
      "Only the number of events is known: within a recording, misses and false alarms cancel out. "
      + Reports.intervalNote(figures.map(\.estimate)) + "\n"
    return TextTable(
      "Counts: numbers of detections against the stated numbers", lines,
      keyColumns() + columns(headings)
    ).render(screen) + screen.wrapped(note) + countChance(rows.map(\.summary))
      + deliveryNote(rows.map(\.summary))
  }

  private static func cells(_ score: CountScore) -> [String] {
    [
      "\(score.stated)", "\(score.detected)", signed(score.error),
      TableCell.signed(score.percentError, 1),
    ]
  }

  static func signed(_ number: Int) -> String { number > 0 ? "+\(number)" : "\(number)" }

  /// The totals, then the errors per recording.
  private func totalCells(_ summary: EntrySummary, _ total: CountSummary) -> [[String]] {
    let bias = summary[.countError.bias]?.estimate
    let people = bias?.clusterKind == .people ? bias?.clusters : nil
    let whose = people.map { " of \(counted($0, "person", "people"))" } ?? ""
    return [
      [
        "all \(total.recordings) traces\(whose)\nsum of |error|", "\(total.total.stated)",
        "\(total.total.detected)", "\(Self.signed(total.total.error))\n\(total.absoluteError)",
        "\(TableCell.signed(total.total.percentError, 1))\n\(TableCell.value(total.percentAbsoluteError, 1))",
      ],
      [
        "mean per trace: bias\n95 % interval\nmean of |error|", "", "",
        TableCell.error(.countError, of: summary.figures),
        TableCell.error(.countErrorPercent, of: summary.figures),
      ],
    ]
  }

  static var countColumns: [TableColumn<Row<CountSummary>>] {
    [
      .init("traces", rank: 1) { "\($0.score.recordings)" },
      .init("stated") { "\($0.score.total.stated)" },
      .init("detected") { "\($0.score.total.detected)" },
      .init("error %") { TableCell.signed($0.score.total.percentError, 1) },
      .init("sum of |error| %") { TableCell.value($0.score.percentAbsoluteError, 1) },
    ]
  }
}
