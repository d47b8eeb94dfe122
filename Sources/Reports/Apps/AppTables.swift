package import Evaluation
package import Apps
import Diagnostics
import Scoring
import TraceModel

/// The outcomes of apps: one table per app, one column per person.
package struct AppTables {
  package let apps: [AppRecord]
  /// The detections of the phones' detectors, for separate rows; runs of other entries are ignored.
  package var runs: [RunRecord] = []
  package var screen = Screen()

  package init(apps: [AppRecord], runs: [RunRecord] = [], screen: Screen = Screen()) {
    self.apps = apps
    self.runs = runs
    self.screen = screen
  }

  package func render() -> String {
    var order: [String] = []
    for app in apps where !order.contains(app.facts.app) { order.append(app.facts.app) }
    return order.map { name in table(apps.filter { $0.facts.app == name }) }
      .joined(separator: "\n")
  }

  /// The runs of one app side by side, to compare its presets.
  private func table(_ runs: [AppRecord]) -> String {
    let name = runs.first?.facts.app ?? ""
    let app = AppCatalog.all.first { $0.name == name }
    let lines = lines(of: runs)
    let title = "App \(name): \(app?.summary ?? name)"
    let pages = pages(runs.flatMap(columns), lines).enumerated().map { index, columns in
      page(index == 0 ? title : title + " (continued)", columns, lines)
    }
    let legend = app.map { $0.legend.replacing("\n", with: " ") + "\n" } ?? ""
    return pages.joined(separator: "\n") + screen.wrapped(legend) + notes(runs)
  }

  /// A row of the table: an outcome, or a figure of the detections.
  private struct Line {
    var title: String
    var unit: String
    var cell: (Column) -> String
  }

  private func lines(of runs: [AppRecord]) -> [Line] {
    var outcomes: [Line] = []
    var names: Set<String> = []
    for outcome in runs.flatMap(\.outcomes) where names.insert(outcome.name).inserted {
      outcomes.append(
        Line(
          title: outcome.name.replacing("_", with: " "),
          unit: outcome.unit == "yes" || outcome.unit == "count" ? "" : outcome.unit,
          cell: { $0.cell(outcome.name) }))
    }
    let figures = Self.detectionFigures.map { figure in
      Line(title: figure.title, unit: figure.unit) { $0.cell(figure, self.runs) }
    }
    let all = runs.flatMap(columns)
    return outcomes + figures.filter { line in all.contains { !line.cell($0).isEmpty } }
  }

  /// As many columns next to each other as the screen is wide, one at least.
  private func pages(_ columns: [Column], _ lines: [Line]) -> [[Column]] {
    func width(_ texts: [String]) -> Int {
      texts.flatMap { $0.split(separator: "\n") }.map { terminalWidth(String($0)) }.max() ?? 0
    }
    let lead = width(["outcome"] + lines.map(\.title)) + 2 + width(["unit"] + lines.map(\.unit))
    var pages: [[Column]] = [[]]
    var used = lead
    for column in columns {
      let own = 2 + width([column.title] + lines.map { $0.cell(column) })
      if used > lead, used + own > screen.width {
        pages.append([])
        used = lead
      }
      pages[pages.count - 1].append(column)
      used += own
    }
    return pages
  }

  private func page(_ title: String, _ columns: [Column], _ lines: [Line]) -> String {
    var table = TextTable(
      title,
      [.init("outcome", .left), .init("unit", .left)] + columns.map { .init($0.title) })
    for line in lines { table.add([line.title, line.unit] + columns.map(line.cell)) }
    return table.render(screen)
  }

  /// A figure of the detections against the traces' references, with its interval below.
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

    /// The figure of this person's detector; empty where it is not known.
    func cell(_ figure: DetectionFigure, _ runs: [RunRecord]) -> String {
      guard let person, run.people.indices.contains(person.index) else { return "" }
      let trace = run.people[person.index].traceID
      let detected = runs.first { $0.entry == run.entry && $0.traceID == trace }
      guard let found = detected?.score.figures.first(where: { $0.name == figure.name }),
        let value = found.value
      else { return "" }
      return TableCell.estimate(value, found.interval, figure.decimals)
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

  /// The people, their actions and the network; facts that several runs share are printed once.
  private func notes(_ runs: [AppRecord]) -> String {
    var order: [String] = []
    var entries: [String: [String]] = [:]
    for run in runs {
      let note = note(run)
      if entries[note] == nil { order.append(note) }
      entries[note, default: []].append(run.entry)
    }
    return order.map {
      screen.wrapped("\(entries[$0, default: []].joined(separator: ", ")):\n\($0)", indent: 2)
    }.joined()
  }

  private func note(_ run: AppRecord) -> String {
    let people = run.people.indices.map {
      inLine(
        "\(run.name(of: DeviceID($0))) = \(run.people[$0].origin.rawValue) \(run.people[$0].traceID)"
      )
    }
    // Many people have a line each.
    let separator = people.count > 4 ? ",\n          " : ", "
    return "  traces: \(people.joined(separator: separator))\n"
      + "  people: \(run.facts.script ?? "the traces' own actions")\n"
      + "  network: \(run.facts.network)\n"
  }

  /// The value of an outcome, with the digits that make sense for its unit.
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
