import Apps
import Diagnostics
package import Evaluation
import Scoring
import TraceModel

/// The short result that `run` prints: a compact table per task and origin, with one line per entry,
/// and one line per app.
package struct SuiteSummary {
  package let result: SuiteResult
  package var screen = Screen()

  /// The most rows of one table; further ones are counted.
  package static let mostRows = 12

  package init(result: SuiteResult, screen: Screen = Screen()) {
    self.result = result
    self.screen = screen
  }

  package func render() -> String {
    let apps = Set(result.apps.map(\.entry))
    let summaries = result.summaries.filter { !apps.contains($0.entry) }
    let tables = [events, visits, tracks, presence].map { section in
      // One table per origin: recorded and synthetic traces are never mixed.
      [TraceOrigin.synthetic, .recorded].compactMap { origin in
        section(summaries.filter { $0.origin == origin }, origin)
      }.joined()
    }
    return (tables + [appLines]).filter { !$0.isEmpty }.joined(separator: "\n")
      + unscored(summaries)
  }

  // MARK: Tasks

  private typealias Row = (entry: String, cells: [String])

  private func events(_ summaries: [EntrySummary], _ origin: TraceOrigin) -> String? {
    let rows = summaries.compactMap { summary -> Row? in
      guard case .events(let score) = summary.score else { return nil }
      let recall = summary.figures.first { $0.name == "recall" }
      return (
        summary.entry,
        [
          TableCell.inline(recall?.value, recall?.interval, 3),
          TableCell.value(score.hasReferences ? score.precision.estimate : nil, 3),
          TableCell.value(score.falseAlarms.estimate, 1), worstActivity(summary),
        ]
      )
    }
    return table(
      "Punches (\(origin))", rows,
      [
        .init("recall (95 % CI)", .left), .init("precision"), .init("false/h"),
        .init("worst activity, /h", .left, rank: 1),
      ])
  }

  /// The activity with the most false alarms per hour, where several are known.
  private func worstActivity(_ summary: EntrySummary) -> String {
    let all = ActivityRate.all(of: summary.runs)
    guard all.count > 1,
      let worst = all.filter({ !$0.activity.isEmpty && $0.rate.count > 0 })
        .max(by: { ($0.rate.estimate ?? 0) < ($1.rate.estimate ?? 0) })
    else { return "" }
    return "\(inLine(worst.activity)) \(TableCell.value(worst.rate.estimate, 1))"
  }

  private func visits(_ summaries: [EntrySummary], _ origin: TraceOrigin) -> String? {
    let rows = summaries.compactMap { summary -> Row? in
      guard case .visits(let score) = summary.score else { return nil }
      return (
        summary.entry,
        [
          TableCell.inline(score.found.estimate, score.found.interval, 3),
          TableCell.value(score.precision.estimate, 3),
          TableCell.value(score.falseVisits.estimate, 1),
          TableCell.value(score.entryDelay.map { Double($0.p50) / 1e9 }, 1),
        ]
      )
    }
    return table(
      "Check-ins (\(origin))", rows,
      [
        .init("recall (95 % CI)", .left), .init("precision"), .init("false/h"),
        .init("median delay s", rank: 1),
      ])
  }

  private func tracks(_ summaries: [EntrySummary], _ origin: TraceOrigin) -> String? {
    let rows = summaries.compactMap { summary -> Row? in
      guard case .track(let score) = summary.score, let distance = score.distance else {
        return nil
      }
      return (
        summary.entry,
        [
          TableCell.signed(distance.bias.mean, 2), fixed(distance.absolute.mean, 2),
          TableCell.signed(score.movingTime?.bias.mean, 2),
        ]
      )
    }
    return table(
      "Tracks (\(origin))", rows,
      [
        .init("distance error %"), .init("mean |error| %"),
        .init("moving time error %", rank: 1),
      ])
  }

  private func presence(_ summaries: [EntrySummary], _ origin: TraceOrigin) -> String? {
    let rows = summaries.compactMap { summary -> Row? in
      guard case .presence(let quality) = summary.score else { return nil }
      let (detection, mistakes) = (quality.meanDetectionTime, quality.mistakeRate)
      return (
        summary.entry,
        [
          TableCell.fraction(quality.found),
          TableCell.inline(detection?.mean, detection?.interval, 2),
          TableCell.inline(mistakes.estimate, mistakes.interval, 2),
        ]
      )
    }
    return table(
      "Presence (\(origin))", rows,
      [
        .init("detected", rank: 1), .init("detection s (95 % CI)", .left),
        .init("mistakes/h (95 % CI)", .left),
      ])
  }

  /// Without rules and without columns in which nothing is defined.
  private func table(_ title: String, _ rows: [Row], _ columns: [TextTable.Column]) -> String? {
    guard !rows.isEmpty else { return nil }
    let shown = columns.indices.filter { column in
      rows.contains { !["", TableCell.undefined].contains($0.cells[column]) }
    }
    var table = TextTable("", [.init(title, .left)] + shown.map { columns[$0] })
    table.hasRule = false
    table.remedy = "--full shows them"
    for row in rows.prefix(Self.mostRows) {
      table.add([inLine(row.entry)] + shown.map { row.cells[$0] })
    }
    let more = rows.count - Self.mostRows
    return table.render(screen) + (more > 0 ? "\(more) further entries with --full\n" : "")
  }

  /// The entries with traces that have no reference, by origin.
  private func unscored(_ summaries: [EntrySummary]) -> String {
    func isUnscored(_ summary: EntrySummary) -> Bool {
      if case .track(let score) = summary.score { return score.distance == nil }
      return summary.score == .unscored
    }
    return [TraceOrigin.synthetic, .recorded].map { origin in
      let names = summaries.filter { $0.origin == origin && isUnscored($0) }
        .map { inLine($0.entry) }
      guard !names.isEmpty else { return "" }
      let more = names.count - Self.mostRows
      return screen.wrapped(
        "Without a reference (\(origin)): "
          + names.prefix(Self.mostRows).joined(separator: ", ")
          + (more > 0 ? " and \(more) more" : ""), indent: 2) + "\n"
    }.joined()
  }

  // MARK: Apps

  /// The outcomes of an app that matter most, with the unit that is printed.
  private static let headlines = [
    "fight": ["winner"], "hike": ["visits", "reward"],
    "workout": ["distance_error"],
  ]

  /// One line per app, with its entries.
  private var appLines: String {
    var order: [String] = []
    for run in result.apps where !order.contains(run.facts.app) { order.append(run.facts.app) }
    return order.map { name in
      let runs = result.apps.filter { $0.facts.app == name }
      let parts = runs.prefix(Self.mostRows).map { run in
        // An entry is named after its app unless the suite says otherwise.
        let isPlain = run.entry.hasPrefix(name + "/")
        let entry = isPlain ? String(run.entry.dropFirst(name.count + 1)) : run.entry
        return "\(inLine(entry)): \(outcomes(of: run))"
      }
      let more = runs.count > Self.mostRows ? "; \(runs.count - Self.mostRows) more" : ""
      return screen.wrapped("App \(name): \(parts.joined(separator: "; "))\(more)", indent: 2)
        + "\n"
    }.joined()
  }

  private func outcomes(of run: AppRecord) -> String {
    let names = Self.headlines[run.facts.app] ?? run.outcomes.prefix(2).map(\.name)
    return names.compactMap { name -> String? in
      let values = run.outcomes.filter { $0.name == name }
      guard let first = values.first else { return nil }
      let isPlain = ["yes", "count"].contains(first.unit) || first.text != nil
      let texts = values.prefix(4).map(AppTables.text)
      return name.replacing("_", with: " ") + " " + texts.joined(separator: "/")
        + (values.count > 4 ? "/..." : "") + (isPlain ? "" : " " + first.unit)
    }.joined(separator: ", ")
  }
}
