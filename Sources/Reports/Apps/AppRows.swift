package import Diagnostics
package import Apps
package import Evaluation
package import Scoring
import TraceFormats
package import TraceModel

/// An app's log as lines that a person reads, which are printed one by one while it happens, or all
/// at the end.
package struct AppRows: RecordRows {
  /// By device.
  private let names: [String]

  package init(_ names: [String]) {
    self.names = names
  }

  private var width: Int { max(names.map { terminalWidth(inLine($0)) }.max() ?? 0, 3) }

  package func heading(_ format: OutputFormat) -> String {
    format == .csv
      ? "person,time,kind,text,value,unit,place\n"
      : "    time s  " + padded("who") + "  what happened\n"
  }

  package func row(_ record: DetectionRecord, _ format: OutputFormat) -> String {
    let event = AppEvent(record)
    if format == .csv {
      return csvRow([
        names[event.person.index], decimalSeconds(event.time.nanoseconds), event.kind, event.text,
        csvCell(event.value), event.unit, event.place.map(String.init) ?? "",
      ])
    }
    let time = fixed(event.time.seconds, 3)
    return String(repeating: " ", count: max(0, 10 - time.count)) + time + "  "
      + padded(inLine(names[event.person.index])) + "  " + inLine(event.text) + "\n"
  }

  package func table(_ records: [DetectionRecord]) -> String {
    heading(.table) + records.map { row($0, .table) }.joined()
  }

  private func padded(_ name: String) -> String {
    name + String(repeating: " ", count: max(0, width - terminalWidth(name)))
  }
}

/// What came of apps' runs: a table an app, a column a person.
package struct AppTables {
  package let apps: [AppRecord]
  /// What the phones' detectors detected, for rows of their own; those of other entries are left
  /// alone.
  package var runs: [RunRecord] = []

  package init(apps: [AppRecord], runs: [RunRecord] = []) {
    self.apps = apps
    self.runs = runs
  }

  package func render() -> String {
    var order: [String] = []
    for app in apps where !order.contains(app.facts.app) { order.append(app.facts.app) }
    return order.map { name in table(apps.filter { $0.facts.app == name }) }
      .joined(separator: "\n")
  }

  /// The runs of one app side by side, so that its rule sets are compared at a glance.
  private func table(_ runs: [AppRecord]) -> String {
    let name = runs.first?.facts.app ?? ""
    let app = AppCatalog.all.first { $0.name == name }
    var keys: [(name: String, unit: String)] = []
    for outcome in runs.flatMap(\.outcomes)
    where !keys.contains(where: { $0.name == outcome.name }) {
      keys.append((outcome.name, outcome.unit))
    }
    let title = "App \(name): \(app?.summary ?? name)"
    let pages = Self.pages(runs.flatMap(columns)).enumerated().map { index, columns in
      page(index == 0 ? title : title + " (continued)", columns, keys)
    }
    let legend = app.map { $0.legend + "\n" } ?? ""
    return pages.joined(separator: "\n") + legend + notes(runs)
  }

  /// Columns that stand side by side take so much of a terminal, at most.
  private static let widest = 130

  private static func pages(_ columns: [Column]) -> [[Column]] {
    var pages: [[Column]] = [[]]
    var width = 0
    for column in columns {
      let own =
        2 + (column.title.split(separator: "\n").map { terminalWidth(String($0)) }.max() ?? 0)
      if width > 0, width + own > widest {
        pages.append([])
        width = 0
      }
      pages[pages.count - 1].append(column)
      width += own
    }
    return pages
  }

  private func page(
    _ title: String, _ columns: [Column], _ keys: [(name: String, unit: String)]
  ) -> String {
    var table = TextTable(
      title,
      [.init("outcome", .left), .init("unit", .left)] + columns.map { .init($0.title) })
    for key in keys {
      table.add(
        [
          key.name.replacing("_", with: " "),
          key.unit == "yes" || key.unit == "count" ? "" : key.unit,
        ]
          + columns.map { $0.cell(key.name) })
    }
    for figure in Self.detectionFigures {
      let cells = columns.map { $0.cell(figure, self.runs) }
      if cells.contains(where: { !$0.isEmpty }) { table.add([figure.title, figure.unit] + cells) }
    }
    return table.render()
  }

  /// Of the detections against the traces' references, each with its interval below.
  private struct DetectionFigure {
    var name: String
    var title: String
    var unit: String
    var decimals: Int
  }

  private static let detectionFigures = [
    DetectionFigure(name: "precision", title: "detector precision", unit: "", decimals: 3),
    DetectionFigure(name: "recall", title: "detector recall", unit: "", decimals: 3),
    DetectionFigure(
      name: "false_alarms_per_hour", title: "detector false alarms", unit: "/h", decimals: 1),
    DetectionFigure(
      name: "false_visits_per_hour", title: "detector false visits", unit: "/h", decimals: 1),
    DetectionFigure(
      name: "moving_time_error", title: "detector moving time error", unit: "%", decimals: 1),
  ]

  private struct Column {
    var run: AppRecord
    var person: DeviceID?
    var title: String

    func cell(_ name: String) -> String {
      let found = run.outcomes.first { $0.name == name && $0.person == person }
      return found.map(AppTables.text) ?? ""
    }

    /// What this person's detector did; empty where nothing is known of it.
    func cell(_ figure: DetectionFigure, _ runs: [RunRecord]) -> String {
      guard let person, run.people.indices.contains(person.index) else { return "" }
      let trace = run.people[person.index].traceID
      let detected = runs.first { $0.entry == run.entry && $0.traceID == trace }
      guard let found = detected?.score.figures.first(where: { $0.name == figure.name }),
        let value = found.value
      else { return "" }
      let bounds = found.interval.map {
        "\n\(fixed($0.lower, figure.decimals))-\(fixed($0.upper, figure.decimals))"
      }
      return fixed(value, figure.decimals) + (bounds ?? "")
    }
  }

  private func columns(_ run: AppRecord) -> [Column] {
    let people = run.people.indices.map { index in
      Column(
        run: run, person: DeviceID(index),
        title: "\(run.entry)\n\(inLine(run.name(of: DeviceID(index))))")
    }
    let isShared = run.outcomes.contains { $0.person == nil }
    return people + (isShared ? [Column(run: run, person: nil, title: "\(run.entry)\nall")] : [])
  }

  /// Who played, by what, over which network; what is the same for several runs is said once.
  private func notes(_ runs: [AppRecord]) -> String {
    var order: [String] = []
    var entries: [String: [String]] = [:]
    for run in runs {
      let note = note(run)
      if entries[note] == nil { order.append(note) }
      entries[note, default: []].append(run.entry)
    }
    return order.map { "\(entries[$0, default: []].joined(separator: ", ")):\n\($0)" }.joined()
  }

  private func note(_ run: AppRecord) -> String {
    let people = run.people.indices.map {
      inLine(
        "\(run.name(of: DeviceID($0))) = \(run.people[$0].origin.rawValue) \(run.people[$0].traceID)"
      )
    }
    // Of many people, each has a line.
    let separator = people.count > 4 ? ",\n          " : ", "
    return "  traces: \(people.joined(separator: separator))\n"
      + "  people: \(run.facts.script ?? "the traces' own actions")\n"
      + "  network: \(run.facts.network)\n"
  }

  /// An outcome's value with as many digits as its unit makes sense of.
  package static func text(_ outcome: AppOutcome) -> String {
    if let text = outcome.text { return inLine(text) }
    guard let value = outcome.value, value.isFinite else { return "-" }
    switch outcome.unit {
    case "yes": return value == 0 ? "no" : "yes"
    case "count": return fixed(value, 0)
    case "m", "%", "s": return fixed(value, 1)
    case "s/mi", "s/km": return fixed(value, 0)
    default: return fixed(value, 3)
    }
  }
}
