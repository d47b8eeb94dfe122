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
    apps.groups { $0.facts.app }.map(table).joined(separator: "\n")
  }

  /// The runs of one app side by side, to compare its presets.
  private func table(_ name: String, _ runs: [AppRecord]) -> String {
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
    let outcomes = runs.flatMap(\.outcomes).groups(by: \.name).map { name, outcomes in
      let unit = outcomes[0].unit
      return Line(
        title: name.replacing("_", with: " "),
        unit: unit == "yes" || unit == "count" ? "" : unit
      ) { $0.cell(name) }
    }
    let figures = Self.detectionFigures.map { name, title, unit, decimals in
      Line(title: "detector " + title, unit: unit) { $0.cell(name, decimals, self.runs) }
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
    TextTable(
      title, lines,
      [.init("outcome", .left) { $0.title }, .init("unit", .left) { $0.unit }]
        + columns.map { column in .init(column.title) { $0.cell(column) } }
    ).render(screen)
  }

  /// Figures of the detections against the traces' references, with their intervals below.
  private static let detectionFigures = [
    ("precision", "precision", "", 3), ("recall", "recall", "", 3),
    ("false_alarms_per_hour", "false alarms", "/h", 1),
    ("false_visits_per_hour", "false visits", "/h", 1),
    ("moving_time_error", "moving time error", "%", 1),
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
    func cell(_ figure: String, _ decimals: Int, _ runs: [RunRecord]) -> String {
      guard let person, run.people.indices.contains(person.index) else { return "" }
      let trace = run.people[person.index].traceID
      let detected = runs.first { $0.entry == run.entry && $0.traceID == trace }
      let found = detected?.score.figures.first { $0.name == figure }
      return found?.value == nil ? "" : TableCell.estimate(found?.estimate, decimals)
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
    runs.groups(by: note).map { note, runs in
      screen.wrapped("\(runs.map(\.entry).joined(separator: ", ")):\n\(note)", indent: 2)
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

extension AppRecord {
  /// An app's run in the JSON of `replay` and `run`. A person is a position in `people`; null is the
  /// whole run. A policy of null stands for the traces' own actions. Times are seconds on the app's
  /// clock.
  package var document: JSONObject {
    func finite(_ value: Double?) -> Double? { value.flatMap { $0.isFinite ? $0 : nil } }
    return [
      "entry": entry, "app": facts.app, "preset": facts.preset, "policy": facts.script,
      "network": facts.network, "seed": facts.seed,
      "people": people.map { person -> JSONObject in
        [
          "name": person.name, "trace": person.traceID, "trace_sha256": person.traceSHA256,
          "origin": person.origin, "start": person.start.seconds,
        ]
      },
      "outcomes": outcomes.map { outcome -> JSONObject in
        [
          "name": outcome.name, "person": outcome.person?.index, "value": finite(outcome.value),
          "unit": outcome.unit, "text": outcome.text,
        ]
      },
      "events": events.map { event -> JSONObject in
        [
          "time": event.time.seconds, "person": event.person.index, "kind": event.kind,
          "text": event.text, "value": finite(event.value), "unit": event.unit,
          "place": event.place,
        ]
      },
    ]
  }
}
