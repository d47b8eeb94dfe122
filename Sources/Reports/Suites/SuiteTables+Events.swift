import Diagnostics
import Evaluation
import Scoring
import TraceModel

extension SuiteTables {
  /// The events of the rows, for sentences and for headings.
  var noun: (one: String, all: String) {
    let tasks = Set(rows(\.events).flatMap { $0.summary.runs.map(\.task) })
    return switch tasks.count == 1 && isRun ? tasks.first : nil {
    case .punch: ("a punch", "Punches")
    case .drop: ("a drop", "Drops")
    default: ("an event", "Events")
    }
  }

  // MARK: All events

  var events: String? {
    table(
      "\(noun.all): detections against references (what really happened), of any class; 95 % intervals below",
      \.events,
      eventColumns
    ) {
      screen.wrapped(
        "dup: further detections of \(noun.one) that is already detected; "
          + "they count as false positives. false/h: false alarms per hour.\n"
          + intervalNote($0) + "\n") + chanceNote($0)
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
      ofReferences("precision\nof this mix", rank: 3) {
        TableCell.figure(.precision, of: $0.summary.figures)
      },
      .init("recall") { TableCell.figure(.recall, of: $0.summary.figures) },
      ofReferences("recall at\nchance", rank: 8) { TableCell.value($0.summary.chance?.recall, 3) },
      ofReferences("F1", rank: 4) { TableCell.figure(.f1, of: $0.summary.figures) },
      .init("intervals\nfor", rank: 7) { whom($0.summary) },
      .init("false/h") { TableCell.figure(.falseAlarmsPerHour, of: $0.summary.figures, 1) },
    ]
    let wait = TableColumn<Row<EventScore>>("delivery part\nms p50/p90", rank: 5) {
      TableCell.milliseconds($0.score.deliveryWait)
    }
    let tolerance = ofReferences("tolerance\nms", rank: 7) { toleranceCell($0.score.tolerances) }
    return leadColumns() + TableColumn.counts(\.score.counts) + own
      + timeColumns + (isDelivered ? [wait] : []) + [tolerance]
  }

  /// The people for whom the intervals are.
  private func whom(_ summary: EntrySummary) -> String {
    guard let rate = summary[.falseAlarmsPerHour]?.estimate, let clusters = rate.clusters,
      let kind = rate.clusterKind
    else { return "these\n\(isRun ? "people" : "files")" }
    return "new people\nfrom \(clusters)"
      + (kind == .people ? "" : " \(isRun ? "traces" : "files")")
  }

  private var timeColumns: [TableColumn<Row<EventScore>>] {
    let latency = TableColumn<Row<EventScore>>("latency ms\np50/p90", rank: 5) {
      TableCell.milliseconds($0.score.latency)
    }
    guard case .score(let hasEmitted, _) = form else { return [latency] }
    let onset = TableColumn<Row<EventScore>>("onset error\nms p50/p90", rank: 5) {
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

  func intervalNote(_ summaries: [EntrySummary]) -> String {
    Reports.intervalNote(
      summaries.flatMap(\.figures).map(\.estimate), isRun ? "people" : "people or files")
  }

  var falseAlarms: String? {
    let rows = rows(\.events).filter { summary, _ in
      isRun || summary.runs.contains { !$0.activity.isEmpty }
    }
    let activities = rows.flatMap { summary, _ -> [Row<ActivityRate>] in
      ActivityRate.all(of: summary).map { (summary, $0) }
    }
    return activities.isEmpty
      ? nil
      : TextTable(
        "False alarms by activity", activities,
        keyColumns() + ActivityRate.columns(areHoursKnown: isRun, \.score)
      ).render(screen)
  }

  // MARK: Classes

  private static let mostClasses = 50

  private func more(than shown: Int, of all: Int) -> String {
    all > shown ? screen.wrapped("Classes not shown: \(all - shown); --format json has all.\n") : ""
  }

  var classes: String? {
    let rows = rows(\.events).filter(Self.hasClasses)
    guard !rows.isEmpty else { return nil }
    let classes = rows.flatMap { summary, score -> [Row<ClassScore>] in
      score.classes.prefix(Self.mostClasses).map { (summary, $0) }
    }
    let cell = isRun ? TableCell.estimate : TableCell.inline
    func column(
      _ title: String, _ figure: FigureDefinition, rank: Int
    ) -> TableColumn<Row<ClassScore>> {
      .init(title, rank: rank) { cell($0.summary[figure.ofClass($0.score.label)]?.estimate, 3) }
    }
    let figures = [
      column("precision", .precision, rank: 3), column("recall", .recall, rank: 0),
      column("F1", .f1, rank: 4),
    ]
    let table = TextTable(
      "\(noun.all) by class: matched within the class, 95 % intervals", classes,
      keyColumns() + [.init("class", .left) { inLine($0.score.label) }]
        + TableColumn.counts(\.score.counts) + figures)
    return table.render(screen)
      + more(than: classes.count, of: rows.reduce(0) { $0 + $1.score.classes.count })
  }

  /// Whether both references and detections have classes. With a single label or class, the table by
  /// class would repeat the first table.
  private static func hasClasses(_ summary: EntrySummary, _ score: EventScore) -> Bool {
    let references = Set(score.classes.map(\.label))
    guard !references.isEmpty, score.classes.map(\.counts) != [score.counts] else { return false }
    let detected = Set(summary.runs.flatMap(\.detections).flatMap { [$0.label, $0.originalLabel] })
    let named = detected.subtracting([""])
    return named.isEmpty
      ? summary.runs.allSatisfy(\.detections.isEmpty)
      : named.count > 1 || !named.isDisjoint(with: references)
  }

  /// The detected classes of matched references.
  var confusion: String? {
    guard !isRun else { return nil }
    let tables = rows(\.events).filter(Self.hasClasses)
      .filter { !$0.score.confusion.labels.isEmpty }
      .map { table(of: $0.score.confusion, $0.summary.eventParts) }
    return tables.isEmpty ? nil : tables.joined(separator: "\n")
  }

  private func table(of matrix: ConfusionMatrix, _ events: Clustered<EventScore>?) -> String {
    let names = matrix.labels.prefix(Self.mostClasses).map { $0.isEmpty ? "none" : inLine($0) }
    var table = TextTable(
      "Classes of matched events: one row per reference class, one column per detected class",
      [.init("class", .left)] + names.map { .init($0) })
    for (name, counts) in zip(names, matrix.counts) where counts.contains(where: { $0 > 0 }) {
      table.add([name] + counts.prefix(names.count).map(String.init))
    }
    let accuracy = TableCell.inline(events?.proportion(\.confusion.accuracy), 3)
    return table.render(screen) + more(than: names.count, of: matrix.labels.count)
      + screen.wrapped("Of the same class: \(accuracy).\n")
  }
}

struct ActivityRate {
  var activity: String
  var rate: PoissonRate
  var estimate: Estimate

  /// By activity, sorted; only activities with scored events.
  static func all(of summary: EntrySummary) -> [ActivityRate] {
    let byActivity = Dictionary(grouping: summary.runs, by: \.activity)
    return byActivity.sorted { $0.key < $1.key }.compactMap { activity, runs in
      let group = GroupScore(runs.map { ($0.subject, $0.score) }, about: summary.population)
      return group.eventParts.map {
        ActivityRate(
          activity: activity, rate: $0.pooled.falseAlarms, estimate: $0.rate(\.falseAlarms))
      }
    }
  }

  /// - Parameter areHoursKnown: otherwise zero hours mean that they are not known.
  static func columns<Item>(
    areHoursKnown: Bool = true, _ one: @escaping (Item) -> ActivityRate
  ) -> [TableColumn<Item>] {
    [
      .init("activity", .left) {
        one($0).activity.isEmpty ? "not stated" : inLine(one($0).activity)
      },
      .init("hours", rank: 2) { TableCell.hours(one($0).rate.hours, areKnown: areHoursKnown) },
      .init("false", rank: 1) { "\(one($0).rate.count)" },
      .init("false/h") { TableCell.value(one($0).rate.estimate, 1) },
      .init("95 % interval", rank: 1) { TableCell.range(one($0).estimate.interval, 1) ?? "-" },
      .init("bound if none", rank: 3) {
        one($0).rate.oneSidedUpperBoundOfNone.map { "< \(fixed($0, 1))" } ?? ""
      },
    ]
  }
}

extension [ActivityRate] {
  /// The stated activity with the most false alarms per hour; nil without false alarms.
  var worst: ActivityRate? {
    filter { !$0.activity.isEmpty && $0.rate.count > 0 }
      .max { ($0.rate.estimate ?? 0) < ($1.rate.estimate ?? 0) }
  }
}

/// States the people for whom the intervals of estimates are, and the assumptions.
func intervalNote(_ estimates: [Estimate], _ clusters: String = "people") -> String {
  let estimates = estimates.filter { $0.interval != nil }
  let populations = Set(estimates.compactMap(\.method?.population))
  let independent = "events are taken as independent."
  var sentences: [String] = []
  if populations.contains(.newPeople) {
    sentences.append("Intervals for new people: from the differences between \(clusters).")
  }
  if populations == [.thesePeople] {
    sentences.append("Intervals for these \(clusters) only: \(independent)")
  } else if populations.contains(.thesePeople) {
    sentences.append(
      "Intervals of figures of fewer than \(GroupScore.fewestClusters) \(clusters): for these "
        + "only; \(independent)")
  }
  if estimates.contains(where: { $0.assumedCorrelation != nil }) {
    sentences.append(
      "Where all are alike, a correlation of \(fixed(GroupScore.assumedCorrelation, 2)) within "
        + "them is assumed.")
  }
  return sentences.joined(separator: " ")
}
