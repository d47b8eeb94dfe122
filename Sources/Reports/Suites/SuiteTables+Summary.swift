import AppEngines
import Diagnostics
import Evaluation
import Scoring
import TraceModel

extension SuiteTables {
  /// The most rows of a table; further rows are counted.
  static let mostRows = 12

  /// The short result of `run`: a sentence per task, its table, and a line per app. No more blank lines: the
  /// result should fit one screen.
  package func summary() -> String {
    let tables = [
      eventSummary, day ?? "", visitSummary, countSummary, trackSummary, presenceSummary,
    ].joined()
    let answers = answers
    return answers + (answers.isEmpty ? "" : "\n") + tables + intervals + appLines
      + Self.origins.map(unscoredLine).joined()
  }

  /// Whom the intervals are for. A suite of many entries tells it with --full.
  private var intervals: String {
    let estimates = summariesWithoutApps.flatMap {
      [$0[.recall], $0[.falseAlarmsPerHour], $0[.detectionTime.p50]].compactMap { $0?.estimate }
    }.filter { $0.interval != nil }
    let groups = Set(
      estimates.map { estimate in
        estimate.method?.population == .newPeople ? estimate.clusters ?? 0 : 0
      }
    ).sorted()
    guard hasFewRows, let fewest = groups.first, let most = groups.last,
      fewest > 0 || most == 0
    else { return "" }
    let people = fewest == most ? "\(most)" : "\(fewest) to \(most)"
    let whom = most == 0 ? "these people only" : "new people, from \(people) people"
    return screen.wrapped("95 % CI: for \(whom).", indent: 2) + "\n"
  }

  private static let origins = [TraceOrigin.synthetic, .recorded]

  // MARK: Tasks

  private var eventSummary: String {
    table(
      noun.all, \.events,
      [
        .init("recall (95 % CI)", .left) { TableCell.inline($0.summary[.recall]?.estimate, 3) }
      ] + falseAlarmColumns, short: falseAlarmLine) + chance(rows(\.events).map(\.summary))
  }

  /// Of a few entries the sentences have the activity, and the table has room for an interval.
  private var falseAlarmColumns: [TableColumn<Row<EventScore>>] {
    hasFewRows
      ? [
        .init("false/h (95 % CI)", .left) {
          TableCell.inline($0.summary[.falseAlarmsPerHour]?.estimate, 1)
        }
      ]
      : [
        .init("false/h") { TableCell.value($0.score.falseAlarms.estimate, 1) },
        .init("worst activity, /h", .left, rank: 1) { worstActivity($0.summary) },
      ]
  }

  /// Without an event to find, the false alarms are all.
  private func falseAlarmLine(_ rows: [Row<EventScore>]) -> String? {
    guard rows.allSatisfy({ !$0.score.hasReferences }) else { return nil }
    let entries = rows.map { ($0.summary.entry, $0.summary.entry.split(separator: "/")) }
    // The rows above have the whole names.
    let isOfOne = Set(entries.map(\.1[0])).count == 1 && entries.allSatisfy { $0.1.count == 2 }
    let parts = zip(rows, entries).map { row, entry in
      "\(inLine(isOfOne ? String(entry.1[1]) : entry.0)) "
        + TableCell.value(row.score.falseAlarms.estimate, 1)
    }
    return line("\(rows[0].summary.origin.rawValue), no events, false/h: ", parts)
  }

  func line(_ title: String, _ names: [String]) -> String {
    screen.wrapped(title + listed(names, most: Self.mostRows), indent: 2) + "\n"
  }

  /// The activity with the most false alarms per hour, if there are several.
  private func worstActivity(_ summary: EntrySummary) -> String {
    let all = ActivityRate.all(of: summary)
    guard all.count > 1, let worst = all.worst else { return "" }
    return "\(inLine(worst.activity)) \(TableCell.value(worst.rate.estimate, 1))"
  }

  private var visitSummary: String {
    table(
      "Check-ins", \.visits,
      [
        .init("recall (95 % CI)", .left) { TableCell.inline($0.summary[.recall]?.estimate, 3) },
        .init("false/h") { TableCell.value($0.score.falseVisits.estimate, 1) },
        .init("median delay s", rank: 1) {
          TableCell.delay(.entryDelay.p50, of: $0.summary.figures, 1)
        },
      ])
  }

  private var countSummary: String {
    let text = table("Counts", \.counts, Self.countColumns)
    return text.isEmpty
      ? ""
      : text + screen.wrapped("Counts say how many, not which: any detection counts.\n")
        + countChance(rows(\.counts).map(\.summary))
  }

  private var trackSummary: String {
    table(
      "Tracks", scoredTrack,
      [
        .init("distance error %") { TableCell.signed($0.summary[.distanceError.bias]?.value, 2) },
        .init("mean |error| %") {
          TableCell.value($0.summary[.distanceError.meanAbsolute]?.value, 2)
        },
        .init("moving time error %", rank: 1) {
          TableCell.signed($0.summary[.movingTimeError.bias]?.value, 2)
        },
        .init("measured") { row in
          // An error is only of what was measured.
          row.score.measured.successes < row.score.measured.trials
            ? TableCell.fraction(row.score.measured) : ""
        },
      ]) + deviceNote(rows(scoredTrack).map(\.summary))
  }

  private func scoredTrack(_ summary: EntrySummary) -> TrackSummary? {
    summary.track.flatMap { summary.hasDistances || $0.measured.trials > 0 ? $0 : nil }
  }

  private var presenceSummary: String {
    table(
      "Presence", \.presence,
      [
        .init("found", rank: 1) { TableCell.fraction($0.score.found) },
        .init("after s (95 % CI)", .left) {
          let median = $0.summary[.detectionTime.p50]?.estimate
          return median?.value == nil
            ? TableCell.delay(.detectionTime.p50, of: $0.summary.figures, 2)
            : TableCell.inline(median, 2)
        },
        .init("mistakes/h") { TableCell.value($0.score.mistakeRate.estimate, 2) },
        // A detector that trusts nobody makes no mistakes.
        .init("query accuracy") { TableCell.value($0.score.queryAccuracy, 3) },
      ])
  }

  /// A table per origin, without columns of undefined values.
  /// - Parameter short: a line instead of the table, where a suite has many rows; nil = none.
  private func table<Score>(
    _ title: String, _ score: (EntrySummary) -> Score?, _ columns: [TableColumn<Row<Score>>],
    short: ([Row<Score>]) -> String? = { _ in nil }
  ) -> String {
    Self.origins.map { origin in
      let rows = rows(score).filter { $0.summary.origin == origin }
      guard !rows.isEmpty else { return "" }
      if !hasFewRows, let lines = short(rows) { return lines }
      let defined = columns.filter { column in
        rows.contains { !["", TableCell.undefined].contains(column.cell($0)) }
      }
      let table = TextTable(
        "", rows.prefix(Self.mostRows),
        [.init("\(title) (\(origin))", .left) { inLine($0.summary.entry) }] + defined,
        hasRule: false, remedy: "--full shows them")
      let more = rows.count - Self.mostRows
      return table.render(screen)
        + (more > 0 ? "\(more) further entries with --full\n" : "")
    }.joined()
  }

  /// The entries with traces that have no reference.
  private func unscoredLine(_ origin: TraceOrigin) -> String {
    func isScored(_ summary: EntrySummary) -> Bool {
      summary.track == nil ? summary.score != .unscored : scoredTrack(summary) != nil
    }
    let scored = Set(summariesWithoutApps.filter(isScored).map(\.entry))
    let names = summariesWithoutApps.filter {
      $0.origin == origin && !isScored($0) && !scored.contains($0.entry)
    }.map { inLine($0.entry) }
    return names.isEmpty ? "" : line("Not scored, the truth is not known (\(origin)): ", names)
  }

  private var appLines: String {
    result.apps.inGroups { $0.facts.app }.map { runs in
      let name = runs[0].facts.app
      let parts = runs.prefix(Self.mostRows).enumerated().map { index, run in
        // By default an entry is named after its app.
        let isPlain = run.entry.hasPrefix(name + "/")
        let entry = isPlain ? String(run.entry.dropFirst(name.count + 1)) : run.entry
        let rule = AppTables.rule(of: run, result.runs).map { " (\($0))" } ?? ""
        return "\(inLine(entry))\(rule): \(AppTables.headline(of: run, isShort: index > 0))"
      }
      let more = runs.count > Self.mostRows ? "; \(runs.count - Self.mostRows) more" : ""
      return screen.wrapped("App \(name): \(parts.joined(separator: "; "))\(more)", indent: 2)
        + "\n"
    }.joined()
  }
}
