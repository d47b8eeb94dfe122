import Diagnostics
import Evaluation
import Scoring
import TraceModel

extension SuiteTables {
  /// A sentence per entry, or of many entries about the first one of each task: what it finds, and how often it
  /// is wrong. Then what explains most of the errors.
  var answers: String {
    [
      noBetterThanChance, answer(\.events, eventClause), answer(\.visits, visitClause),
      answer(\.counts, countClause),
      answer({ $0.hasDistances ? $0.track : nil }, trackClause),
      answer({ $0.hasDistances ? nil : $0.track }, pathClause),
      answer(\.presence, presenceClause),
    ].joined() + diagnoses
  }

  private func answer<Score>(
    _ score: (EntrySummary) -> Score?, _ clause: (EntrySummary, Score) -> String
  ) -> String {
    let entries = rows(score).inGroups(by: \.summary.entry)
    // Of a suite with many entries, the other rows are in the tables.
    return (hasFewRows ? entries : Array(entries.prefix(1))).map { sentence($0, clause) }.joined()
  }

  private func sentence<Score>(
    _ rows: [Row<Score>], _ clause: (EntrySummary, Score) -> String
  ) -> String {
    let first = rows[0].summary
    let clauses = rows.compactMap { row -> String? in
      let clause = clause(row.summary, row.score)
      let origin = row.summary.origin == first.origin ? "" : "in \(row.summary.origin) traces it "
      return clause.isEmpty ? nil : origin + clause
    }
    guard !clauses.isEmpty else { return "" }
    let name = isRun ? inLine(first.entry) : "The detector"
    let shown = hasFewRows ? clauses : Array(clauses.prefix(1))
    return screen.wrapped("\(name) \(shown.joined(separator: "; ")).", indent: 2) + "\n"
  }

  var hasFewRows: Bool { summariesWithoutApps.count <= 4 }

  /// People and activities only where there are few entries: they fill the screen of a large suite.
  private var diagnoses: String {
    summariesWithoutApps.compactMap { summary -> (EntrySummary, Diagnosis)? in
      summary.diagnosis.flatMap { $0.isOfData || hasFewRows ? (summary, $0) : nil }
    }.inGroups { $0.1.text }.map { group in
      let names = group.map { summary, _ in
        inLine(summary.entry)
          + (summariesWithoutApps.count { $0.entry == summary.entry } > 1
            ? " (\(summary.origin))" : "")
      }
      let isClear = !isRun || summariesWithoutApps.count == 1
      return group[0].1.line(isClear ? "" : listed(names, most: 3), screen)
    }.joined()
  }

  // MARK: Tasks

  private func eventClause(_ summary: EntrySummary, _ score: EventScore) -> String {
    let found = score.hasReferences ? part("finds", score.recall, nouns(summary)) : ""
    let rate = score.falseAlarms
    var wrong: String
    if rate.count == 0 {
      let hours = rate.hours > 0 ? " in \(TableCell.hours(rate.hours)) h" : ""
      wrong =
        score.counts.truePositives > 0
        ? "has no false alarm\(hours)" : found.isEmpty ? "never fires" : ""
    } else if let perHour = rate.estimate {
      wrong = "has \(rateText(perHour)) false alarms an hour"
      if isRun {
        wrong += summary.diagnosis?.isOfData == true ? "" : worstPart(summary)
      } else {
        let repeats = score.duplicates
        let parts =
          repeats > 0
          ? ": \(grouped(Double(rate.count - repeats))) outside the tolerance, \(counted(repeats, "repeat"))"
          : ""
        wrong += " (\(grouped(Double(rate.count))) in \(TableCell.hours(rate.hours)) h\(parts))"
      }
    } else {
      wrong = "\(rate.count) of its \(score.precision.trials) detections are false"
    }
    return [found, wrong].filter { !$0.isEmpty }.joined(separator: " and ")
  }

  private func nouns(_ summary: EntrySummary) -> String {
    switch isRun ? summary.task : nil {
    case .punch: "punches"
    case .drop: "drops"
    default: "events"
    }
  }

  /// E.g. ` (most of them in clapping)`; empty with one activity.
  private func worstPart(_ summary: EntrySummary) -> String {
    let all = ActivityRate.all(of: summary)
    let count = all.reduce(0) { $0 + $1.rate.count }
    guard all.count > 1,
      let most = all.filter({ !$0.activity.isEmpty }).max(by: { $0.rate.count < $1.rate.count }),
      let worst = all.worst
    else { return "" }
    if 2 * most.rate.count > count {
      let part = most.rate.count == count ? "all" : "most"
      return " (\(part) of them in \(inLine(most.activity)))"
    }
    return
      " (most often in \(inLine(worst.activity)): \(TableCell.value(worst.rate.estimate, 0)) an hour)"
  }

  private func visitClause(_ summary: EntrySummary, _ score: VisitScore) -> String {
    let rate = score.falseVisits
    let wrong =
      rate.count == 0
      ? "checks in nowhere else"
      : rate.estimate.map { "checks in \(rateText($0)) times an hour elsewhere" }
        ?? "\(rate.count) of its \(score.precision.trials) check-ins are false"
    let found = part("finds", score.found, "visits")
    return score.found.successes + rate.count == 0 ? found : "\(found) and \(wrong)"
  }

  private func countClause(_ summary: EntrySummary, _ score: CountSummary) -> String {
    "counts \(score.total.detected) where \(score.total.stated) are stated"
  }

  private func trackClause(_ summary: EntrySummary, _ score: TrackSummary) -> String {
    let error = TableCell.value(summary[.distanceError.meanAbsolute]?.value, 1)
    let measured = score.measured
    return "measures distances \(error) % off on average"
      + (measured.successes < measured.trials
        ? ", and measures only \(measured.successes) of \(measured.trials)" : "")
  }

  /// A path alone: how near it is says nothing without how much of it there is.
  private func pathClause(_ summary: EntrySummary, _ score: TrackSummary) -> String {
    let tracks = summary.runs.compactMap { run -> TrackScore? in
      if case .track(let track) = run.score { track } else { nil }
    }
    let hours = summary.runs.reduce(0) { $0 + $1.hours }
    let covered = zip(summary.runs, tracks).reduce(0) { $0 + $1.0.hours * ($1.1.coverage ?? 0) }
    guard let error = score.horizontalErrorP50, hours > 0 else { return "" }
    return "has a position for \(fixed(covered / hours, 1)) % of the time, half of them within "
      + "\(fixed(error, 1)) m of the true path"
  }

  private func presenceClause(_ summary: EntrySummary, _ score: PresenceQuality) -> String {
    // A peer who is suspected all the time is no departure that somebody noticed.
    let early = score.detectionTimes.count { $0 == 0 }
    let found = part("notices", score.found, "departures")
    let median =
      2 * early > score.found.successes
      ? " (\(early == score.found.successes ? "all" : grouped(Double(early))) given up before they left)"
      : summary[.detectionTime.p50]?.value.map { ", half within \(fixed($0, 1)) s" }
    let wrong = score.mistakeRate.estimate.map {
      "; wrongly calls a peer gone \(rateText($0)) times an hour"
    }
    let right = score.queryAccuracy.map {
      ", and knows of present peers \(fixed(100 * $0, 1)) % of the time"
    }
    return found + (median ?? "") + (wrong ?? "") + (right ?? "")
  }

  // MARK: Numbers

  /// E.g. `finds 878 of 883 punches`.
  private func part(_ verb: String, _ share: Proportion, _ noun: String) -> String {
    let (found, all) = (share.successes, share.trials)
    if all == 0 { return "has no \(noun) to find" }
    if found == all {
      return all == 1
        ? "\(verb) the only one of the \(noun)" : "\(verb) all \(grouped(Double(all))) \(noun)"
    }
    let some = found == 0 && all > 1 ? "none of the" : "\(grouped(Double(found))) of"
    return "\(verb) \(some) \(grouped(Double(all))) \(noun)"
  }

  private func rateText(_ perHour: Double) -> String {
    if perHour > 0, perHour < 0.005 { return "under 0.01" }
    return perHour >= 10 ? grouped(perHour) : fixed(perHour, perHour < 1 ? 2 : 1)
  }
}
