import Diagnostics
import Evaluation
import Scoring
import TraceModel

extension SuiteTables {
  var eventSummaries: [(EntrySummary, EventScore)] {
    summaries.compactMap { summary in
      guard case .events(let score) = summary.score else { return nil }
      return (summary, score)
    }
  }

  private var noun: String { isRun ? "Punches" : "Events" }

  // MARK: All events

  var events: String? {
    let rows = eventSummaries
    guard !rows.isEmpty else { return nil }
    let isDelivered = rows.contains { !$0.0.isDeliveryIdeal }
    var table = TextTable(
      "\(noun): detections against references of any class, 95 % intervals below",
      eventColumns(isDelivered))
    for (summary, score) in rows { table.add(eventCells(summary, score, isDelivered)) }
    return table.render(screen)
      + notes(
        "dup: further detections of \(isRun ? "a punch" : "an event") that is detected already; "
          + "they are counted as false positives.\n" + intervalNote)
      + deliveryNote(rows.map(\.0))
  }

  private func eventColumns(_ isDelivered: Bool) -> [TextTable.Column] {
    let own: [TextTable.Column] = [
      .init("refs", rank: 2), .init("TP", rank: 4), .init("FP", rank: 4), .init("FN", rank: 4),
      .init("dup", rank: 8), .init("precision", rank: 1), .init("recall"), .init("F1", rank: 3),
      .init("intervals\nover", rank: 7), .init("false/h"),
    ]
    let wait = TextTable.Column("delivery part\nms p50/p90", rank: 3)
    return leadColumns + own + timeColumns + (isDelivered ? [wait] : [])
      + [.init("tolerance\nms", rank: 7)] + speedColumns
  }

  private func eventCells(
    _ summary: EntrySummary, _ score: EventScore, _ isDelivered: Bool
  ) -> [String] {
    let counts = score.counts
    // Without references these are undefined; false alarms per hour are not.
    func ifReferences(_ cell: String) -> String { score.hasReferences ? cell : TableCell.undefined }
    let own = [
      "\(counts.truePositives + counts.falseNegatives)", "\(counts.truePositives)",
      "\(counts.falsePositives)", "\(counts.falseNegatives)", "\(score.duplicates)",
      ifReferences(figureCell(summary, "precision")), figureCell(summary, "recall"),
      ifReferences(figureCell(summary, "f1")), ifReferences(independent(summary)),
      TableCell.rate(score.falseAlarms),
    ]
    return lead(summary) + own + timeCells(score)
      + (isDelivered ? [TableCell.milliseconds(score.deliveryWait)] : [])
      + [ifReferences(toleranceCell(score.tolerances))] + speed(summary)
  }

  private func figureCell(_ summary: EntrySummary, _ name: String) -> String {
    let figure = summary.figures.first { $0.name == name }
    return TableCell.estimate(figure?.value, figure?.interval, 3)
  }

  /// What the intervals of precision, recall and F1 take as independent.
  private func independent(_ summary: EntrySummary) -> String {
    guard let bootstrap = summary.bootstrap else { return "events\nWilson" }
    let methods = Set(summary.intervalMethods.map(\.method))
    return "\(bootstrap.clusters) " + (bootstrap.isOfPeople ? "people" : "recordings") + "\n"
      + (methods == [.bootstrap] ? "bootstrap" : methods == [.wilson] ? "Wilson" : "bootstrap*")
  }

  private var timeColumns: [TextTable.Column] {
    let latency = TextTable.Column("latency ms\np50/p90", rank: 3)
    guard case .score(let hasEmitted, _) = form else { return [latency] }
    return [.init("onset error\nms p50/p90", rank: 3)] + (hasEmitted ? [latency] : [])
  }

  private func timeCells(_ score: EventScore) -> [String] {
    let latency = TableCell.milliseconds(score.latency)
    guard case .score(let hasEmitted, _) = form else { return [latency] }
    return [TableCell.milliseconds(score.onsetError)] + (hasEmitted ? [latency] : [])
  }

  private func toleranceCell(_ tolerances: [EventTolerance]) -> String {
    tolerances.map {
      let (early, late) = (Double($0.early.nanoseconds) / 1e6, Double($0.late.nanoseconds) / 1e6)
      return early == late ? fixed(early, 0) : "-\(fixed(early, 0))+\(fixed(late, 0))"
    }.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }.joined(separator: " or ")
  }

  private var intervalNote: String {
    let (clusters, one) = isRun ? ("people", "person") : ("people or files", "person or file")
    return "Intervals of precision, recall and F1 over \(clusters): bootstrap "
      + "(\(EntrySummary.Bootstrap.resamples) resamples, seed \(EntrySummary.Bootstrap.seed)), or "
      + "Wilson's where all have the same figure (* in some columns). Over events, with fewer than "
      + "\(ClusterInterval.fewestClusters) \(clusters): Wilson's, which takes the events of one "
      + "\(one) as independent. false/h (false alarms per hour): Garwood's.\n"
  }

  // MARK: Activities

  var falseAlarms: String? {
    let rows = eventSummaries.filter { row in
      isRun || row.0.runs.contains { !$0.activity.isEmpty }
    }
    guard !rows.isEmpty else { return nil }
    var table = TextTable(
      "False alarms by activity",
      keyColumns + [
        .init("activity", .left), .init("hours", rank: 2), .init("false", rank: 1),
        .init("false/h"), .init("95 % interval", rank: 1), .init("bound if none", rank: 3),
      ])
    for (summary, _) in rows {
      for one in ActivityRate.all(of: summary.runs) {
        let rate = one.rate
        table.add(
          key(summary) + [
            one.activity.isEmpty ? "not stated" : one.activity,
            isRun || rate.hours > 0 ? fixed(rate.hours, 3) : TableCell.undefined, "\(rate.count)",
            TableCell.value(rate.estimate, 1), TableCell.range(rate.interval, 1) ?? "-",
            rate.oneSidedUpperBoundOfNone.map { "< \(fixed($0, 1))" } ?? "",
          ])
      }
    }
    return table.render(screen)
  }

  // MARK: Classes

  var classes: String? {
    let rows = eventSummaries.filter(Self.hasClasses)
    guard !rows.isEmpty else { return nil }
    var table = TextTable(
      "\(noun) by class: matched within the class, 95 % intervals",
      keyColumns + [
        .init("class", .left), .init("refs", rank: 3), .init("TP", rank: 3),
        .init("FP", rank: 3), .init("FN", rank: 3), .init("precision", rank: 1),
        .init("recall"), .init("F1", rank: 4),
      ])
    let cell = isRun ? TableCell.estimate : TableCell.inline
    for (summary, score) in rows {
      for one in score.classes {
        let counts = one.counts
        table.add(
          key(summary) + [
            one.label,
            "\(counts.truePositives + counts.falseNegatives)", "\(counts.truePositives)",
            "\(counts.falsePositives)", "\(counts.falseNegatives)",
            cell(counts.precision.estimate, counts.precision.interval, 3),
            cell(counts.recall.estimate, counts.recall.interval, 3),
            cell(counts.f1.estimate, counts.f1.interval, 3),
          ])
      }
    }
    return table.render(screen) + notes("Intervals over events: Wilson's.\n")
  }

  /// Whether both the references and the detections have classes. A detector that reports one label
  /// for everything, and references of a single class, say nothing that the first table does not.
  private static func hasClasses(_ summary: EntrySummary, _ score: EventScore) -> Bool {
    let references = Set(score.classes.map(\.label))
    guard !references.isEmpty, score.classes.map(\.counts) != [score.counts] else { return false }
    let detected = Set(
      summary.runs.flatMap(\.detections).flatMap { [$0.label, $0.originalLabel] })
    let named = detected.subtracting([""])
    return named.isEmpty
      ? summary.runs.allSatisfy(\.detections.isEmpty)
      : named.count > 1 || !named.isDisjoint(with: references)
  }

  /// The detected classes of matched references.
  var confusion: String? {
    guard !isRun else { return nil }
    let tables = eventSummaries.filter(Self.hasClasses).compactMap { _, score in
      confusion(of: score.confusion)
    }
    return tables.isEmpty ? nil : tables.joined(separator: "\n")
  }

  private func confusion(of matrix: ConfusionMatrix) -> String? {
    guard !matrix.labels.isEmpty else { return nil }
    func name(_ label: String) -> String { label.isEmpty ? "none" : label }
    var table = TextTable(
      "Classes of matched events: one row per reference class, one column per detected class",
      [.init("class", .left)] + matrix.labels.map { .init(name($0)) })
    for (label, counts) in zip(matrix.labels, matrix.counts)
    where counts.contains(where: { $0 > 0 }) {
      table.add([name(label)] + counts.map(String.init))
    }
    let accuracy = TableCell.inline(matrix.accuracy.estimate, matrix.accuracy.interval, 3)
    return table.render(screen) + notes("Of the same class: \(accuracy), Wilson's interval.\n")
  }
}

/// The false alarms during one activity.
struct ActivityRate {
  var activity: String
  var rate: PoissonRate

  /// By activity, sorted; without activities that no events are scored in.
  static func all(of runs: [RunRecord]) -> [ActivityRate] {
    let byActivity = Dictionary(grouping: runs, by: \.activity)
    return byActivity.sorted { $0.key < $1.key }.compactMap { activity, runs in
      let scores = runs.compactMap { run -> EventScore? in
        guard case .events(let judgement) = run.score else { return nil }
        return judgement.score
      }
      return scores.isEmpty
        ? nil : ActivityRate(activity: activity, rate: EventScore.pooled(scores).falseAlarms)
    }
  }
}
