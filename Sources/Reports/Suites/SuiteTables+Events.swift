import Diagnostics
import Evaluation
import Scoring
import TraceModel

extension SuiteTables {
  private var noun: String { isRun ? "Punches" : "Events" }

  // MARK: All events

  var events: String? {
    table(
      "\(noun): detections against references of any class, 95 % intervals below", \.events,
      eventColumns
    ) { _ in
      screen.wrapped(
        "dup: further detections of \(isRun ? "a punch" : "an event") that is detected already; "
          + "they are counted as false positives.\n" + intervalNote)
    }
  }

  private func eventColumns(_ isDelivered: Bool) -> [TableColumn<Row<EventScore>>] {
    /// Without references these are undefined; false alarms per hour are not.
    func ofReferences(
      _ title: String, rank: Int, _ cell: @escaping (Row<EventScore>) -> String
    ) -> TableColumn<Row<EventScore>> {
      .init(title, rank: rank) { $0.score.hasReferences ? cell($0) : TableCell.undefined }
    }
    let own: [TableColumn<Row<EventScore>>] = [
      .init("dup", rank: 8) { "\($0.score.duplicates)" },
      ofReferences("precision", rank: 1) { TableCell.figure("precision", of: $0.summary.figures) },
      .init("recall") { TableCell.figure("recall", of: $0.summary.figures) },
      ofReferences("F1", rank: 3) { TableCell.figure("f1", of: $0.summary.figures) },
      ofReferences("intervals\nover", rank: 7) { independent($0.summary) },
      .init("false/h") { TableCell.rate($0.score.falseAlarms) },
    ]
    let wait = TableColumn<Row<EventScore>>("delivery part\nms p50/p90", rank: 3) {
      TableCell.milliseconds($0.score.deliveryWait)
    }
    let tolerance = ofReferences("tolerance\nms", rank: 7) { toleranceCell($0.score.tolerances) }
    return leadColumns() + TableColumn.counts(rank: 2, others: 4, \.score.counts) + own
      + timeColumns + (isDelivered ? [wait] : []) + [tolerance] + speedColumns()
  }

  /// What the intervals of precision, recall and F1 take as independent.
  private func independent(_ summary: EntrySummary) -> String {
    guard let bootstrap = summary.bootstrap else { return "events\nWilson" }
    let methods = Set(summary.intervalMethods.map(\.method))
    return "\(bootstrap.clusters) " + (bootstrap.isOfPeople ? "people" : "recordings") + "\n"
      + (methods == [.bootstrap] ? "bootstrap" : methods == [.wilson] ? "Wilson" : "bootstrap*")
  }

  private var timeColumns: [TableColumn<Row<EventScore>>] {
    let latency = TableColumn<Row<EventScore>>("latency ms\np50/p90", rank: 3) {
      TableCell.milliseconds($0.score.latency)
    }
    guard case .score(let hasEmitted, _) = form else { return [latency] }
    let onset = TableColumn<Row<EventScore>>("onset error\nms p50/p90", rank: 3) {
      TableCell.milliseconds($0.score.onsetError)
    }
    return [onset] + (hasEmitted ? [latency] : [])
  }

  private func toleranceCell(_ tolerances: [EventTolerance]) -> String {
    tolerances.map {
      let (early, late) = (milliseconds($0.early), milliseconds($0.late))
      return early == late ? fixed(early, 0) : "-\(fixed(early, 0))+\(fixed(late, 0))"
    }.uniqued().joined(separator: " or ")
  }

  private var intervalNote: String {
    let (clusters, one) = isRun ? ("people", "person") : ("people or files", "person or file")
    return "Intervals of precision, recall and F1 over \(clusters): bootstrap "
      + "(\(EventBootstrap.resamples) resamples, seed \(EventBootstrap.seed)), or "
      + "Wilson's where all have the same figure (* in some columns). Over events, with fewer than "
      + "\(ClusterInterval.fewestClusters) \(clusters): Wilson's, which takes the events of one "
      + "\(one) as independent. false/h (false alarms per hour): Garwood's.\n"
  }

  // MARK: Activities

  var falseAlarms: String? {
    let rows = rows(\.events).filter { summary, _ in
      isRun || summary.runs.contains { !$0.activity.isEmpty }
    }
    let activities = rows.flatMap { summary, _ -> [Row<ActivityRate>] in
      ActivityRate.all(of: summary.runs).map { (summary, $0) }
    }
    return activities.isEmpty
      ? nil
      : TextTable(
        "False alarms by activity", activities,
        keyColumns() + ActivityRate.columns(areHoursKnown: isRun, \.score)
      ).render(screen)
  }

  // MARK: Classes

  /// Classes that a table shows; nobody reads more.
  private static let mostClasses = 50

  private func more(than shown: Int, of all: Int) -> String {
    all > shown
      ? screen.wrapped("Classes that are not shown: \(all - shown); --format json has all.\n") : ""
  }

  var classes: String? {
    let rows = rows(\.events).filter(Self.hasClasses)
    guard !rows.isEmpty else { return nil }
    let classes = rows.flatMap { summary, score -> [Row<ClassScore>] in
      score.classes.prefix(Self.mostClasses).map { (summary, $0) }
    }
    let cell = isRun ? TableCell.estimate : TableCell.inline
    let figures: [TableColumn<Row<ClassScore>>] = [
      .init("precision", rank: 1) { cell(Estimate($0.score.counts.precision), 3) },
      .init("recall") { cell(Estimate($0.score.counts.recall), 3) },
      .init("F1", rank: 4) { cell(Estimate($0.score.counts.f1), 3) },
    ]
    let table = TextTable(
      "\(noun) by class: matched within the class, 95 % intervals", classes,
      keyColumns() + [.init("class", .left) { $0.score.label }]
        + TableColumn.counts(rank: 3, others: 3, \.score.counts) + figures)
    return table.render(screen)
      + more(than: classes.count, of: rows.reduce(0) { $0 + $1.score.classes.count })
      + screen.wrapped("Intervals over events: Wilson's.\n")
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
    let matrices = rows(\.events).filter(Self.hasClasses).map(\.score.confusion)
      .filter { !$0.labels.isEmpty }
    return matrices.isEmpty ? nil : matrices.map(table).joined(separator: "\n")
  }

  private func table(of matrix: ConfusionMatrix) -> String {
    let names = matrix.labels.prefix(Self.mostClasses).map { $0.isEmpty ? "none" : $0 }
    var table = TextTable(
      "Classes of matched events: one row per reference class, one column per detected class",
      [.init("class", .left)] + names.map { .init($0) })
    for (name, counts) in zip(names, matrix.counts) where counts.contains(where: { $0 > 0 }) {
      table.add([name] + counts.prefix(names.count).map(String.init))
    }
    let accuracy = TableCell.inline(Estimate(matrix.accuracy), 3)
    return table.render(screen) + more(than: names.count, of: matrix.labels.count)
      + screen.wrapped("Of the same class: \(accuracy), Wilson's interval.\n")
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

  /// - Parameter areHoursKnown: whether zero hours are zero.
  static func columns<Item>(
    areHoursKnown: Bool = true, _ one: @escaping (Item) -> ActivityRate
  ) -> [TableColumn<Item>] {
    [
      .init("activity", .left) { one($0).activity.isEmpty ? "not stated" : one($0).activity },
      .init("hours", rank: 2) { TableCell.hours(one($0).rate.hours, areKnown: areHoursKnown) },
      .init("false", rank: 1) { "\(one($0).rate.count)" },
      .init("false/h") { TableCell.value(one($0).rate.estimate, 1) },
      .init("95 % interval", rank: 1) { TableCell.range(one($0).rate.interval, 1) ?? "-" },
      .init("bound if none", rank: 3) {
        one($0).rate.oneSidedUpperBoundOfNone.map { "< \(fixed($0, 1))" } ?? ""
      },
    ]
  }
}

extension [ActivityRate] {
  /// The stated activity with the most false alarms per hour, if there are any.
  var worst: ActivityRate? {
    filter { !$0.activity.isEmpty && $0.rate.count > 0 }
      .max { ($0.rate.estimate ?? 0) < ($1.rate.estimate ?? 0) }
  }
}
