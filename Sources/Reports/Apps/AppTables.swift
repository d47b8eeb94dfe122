package import Evaluation
import AppEngines
import Detectors
import Diagnostics
package import Results
import Scoring
import TraceModel

/// The outcomes of apps: one table per app, one column per person.
package struct AppTables {
  private let apps: [AppRecord]
  private let runs: [RunRecord]
  private let screen: Screen

  /// - Parameter runs: the runs of the phones' detectors, for separate rows; other runs are ignored.
  package init(apps: [AppRecord], runs: [RunRecord] = [], screen: Screen = Screen()) {
    (self.apps, self.runs, self.screen) = (apps, runs, screen)
  }

  package func render() -> String {
    apps.inGroups { $0.facts.app }.map(table).joined(separator: "\n")
  }

  /// A column: a person of a run; nil = the whole run.
  private typealias Player = (run: AppRecord, person: DeviceID?)
  /// A row: an outcome, or a figure of the detections.
  private struct Line {
    var title: String
    var unit: String
    var cell: (Player) -> String
  }

  /// The runs of one app side by side, to compare its presets.
  private func table(_ runs: [AppRecord]) -> String {
    let name = runs[0].facts.app
    let app = runs[0].app
    let title = "App \(name): \(app?.summary ?? name)"
    let players = runs.flatMap { run -> [Player] in
      run.people.indices.map { (run, DeviceID($0)) }
        + (run.outcomes.contains { $0.person == nil } ? [(run, nil)] : [])
    }
    let lines = lines(of: runs, players)
    let tables = pages(of: players, lines).enumerated().map { index, columns in
      // A row without a value for these people says nothing.
      let lines = lines.filter { line in columns.dropFirst(2).contains { !$0.cell(line).isEmpty } }
      return TextTable(index == 0 ? title : title + " (continued)", lines, columns).render(screen)
    }
    let legend = app.map { $0.legend.replacing("\n", with: " ") + "\n" } ?? ""
    return tables.joined(separator: "\n") + screen.wrapped(legend) + notes(runs)
  }

  private func lines(of runs: [AppRecord], _ players: [Player]) -> [Line] {
    let outcomes = runs.flatMap(\.outcomes).inGroups(by: \.name).map { outcomes -> Line in
      let (name, unit) = (outcomes[0].name, outcomes[0].unit)
      return Line(
        title: name.replacing("_", with: " "), unit: ["yes", "count"].contains(unit) ? "" : unit
      ) { run, person in
        let outcome = run.outcomes.first { $0.name == name && $0.person == person }
        return outcome?.shown ?? ""
      }
    }
    let figures = Self.detectionFigures.map { name, title, unit, decimals -> Line in
      Line(title: "detector " + title, unit: unit) { figure(name.name, decimals, of: $0) }
    }
    return outcomes + figures.filter { line in players.contains { !line.cell($0).isEmpty } }
  }

  /// The columns in tables that fit the screen, with at least one player each.
  private func pages(of players: [Player], _ lines: [Line]) -> [[TableColumn<Line>]] {
    let lead: [TableColumn<Line>] = [
      .init("outcome", .left) { $0.title }, .init("unit", .left) { $0.unit },
    ]
    var pages = [lead]
    let hasOneRun = Set(players.map(\.run.entry)).count == 1
    for player in players {
      let name = player.person.map { inLine(player.run.name(of: $0)) } ?? "all"
      let entry = hasOneRun ? "" : "\(inLine(player.run.entry))\n"
      let column = TableColumn<Line>(entry + name) { $0.cell(player) }
      let page = pages[pages.count - 1]
      if page.count > lead.count, !TextTable("", lines, page + [column]).fits(screen) {
        pages.append(lead)
      }
      pages[pages.count - 1].append(column)
    }
    return pages
  }

  /// Figures of the detections compared with the references.
  private static let detectionFigures: [(FigureDefinition, String, String, Int)] = [
    (.precision, "precision", "", 3), (.recall, "recall", "", 3),
    (.falseAlarmsPerHour, "false alarms", "/h", 1), (.falseVisitsPerHour, "false visits", "/h", 1),
    (.movingTimeError, "moving time error", "%", 1),
  ]

  /// The figure of a person's detector; empty if not known.
  private func figure(_ name: String, _ decimals: Int, of player: Player) -> String {
    let (run, person) = player
    guard let person, run.people.indices.contains(person.index) else { return "" }
    let trace = run.people[person.index].traceID
    let detected = runs.first { $0.entry == run.entry && $0.traceID == trace }
    let found = detected?.score.figures.first { $0.name == name }
    return found?.value == nil ? "" : TableCell.estimate(found?.estimate, decimals)
  }

  /// The people, their actions and the network; notes that several runs share are printed once.
  private func notes(_ runs: [AppRecord]) -> String {
    runs.inGroups(by: note).map { runs in
      let entries = runs.map(\.entry).joined(separator: ", ")
      return screen.wrapped("\(entries):\n\(note(runs[0]))", indent: 2)
    }.joined()
  }

  private func note(_ run: AppRecord) -> String {
    let people = run.people.indices.map {
      inLine(
        "\(run.name(of: DeviceID($0))) = \(run.people[$0].origin.rawValue) \(run.people[$0].traceID)"
      )
    }
    // A line per person for many people.
    let separator = people.count > 4 ? ",\n          " : ", "
    return "  traces: \(people.joined(separator: separator))\n"
      + "  people: \(run.facts.script ?? "as recorded, nobody is simulated")\n"
      + (run.facts.rules.isEmpty ? "" : "  rules: \(run.facts.rules.joined(separator: ", "))\n")
      + decisions(of: run) + "  network: \(run.facts.network)\n" + faults(of: run)
      + messages(of: run)
  }

  private func decisions(of run: AppRecord) -> String {
    guard !run.decisions.isEmpty else { return "" }
    let unmade = run.unmadeDecisions.joined(separator: "; ")
    return "  decisions: \(run.decisions.joined(separator: "; "))\n"
      + (unmade.isEmpty ? "" : "  decisions that nothing led to: \(unmade)\n")
  }

  /// The counts of messages, unless all arrived once.
  private func messages(of run: AppRecord) -> String {
    let messages = run.messages
    guard messages.lost > 0 || messages.duplicated > 0 else { return "" }
    return
      "  messages: \(messages.sent) sent, \(messages.lost) lost, \(messages.duplicated) doubled\n"
  }

  private func faults(of run: AppRecord) -> String {
    guard !run.facts.faults.isEmpty else { return "" }
    let unmet = run.unmetFaults.joined(separator: ", ")
    return "  faults: \(run.facts.faults.joined(separator: ", "))\n"
      + (unmet.isEmpty ? "" : "  faults that met nothing: \(unmet)\n")
  }

  /// How long each app lets its people wait: the outcome, and what comes then.
  private static let delays = [
    "fight": ("hit_delay_p50", "hit seen in"), "hike": ("prompt_delay_p50", "prompt in"),
    "workout": ("save_delay", "saved in"), "tictactoe": ("move_delay_p50", "seen in"),
    "pictureguess": ("message_delay_p50", "seen in"),
  ]

  /// The number of violations and the delay that people notice, e.g. `violations 0, hit seen in
  /// 0.23 s`. Where each person has one, those of all: `0.57-30.9 s`.
  ///
  /// - Parameter isShort: without the words, for what stands behind another one.
  package static func headline(of run: AppRecord, isShort: Bool = false) -> String {
    let count = run.outcomes.filter(\.goal.isViolation).compactMap(\.value).reduce(0, +)
    let violations = (isShort ? "" : "violations ") + "\(Int(count))"
    guard let (name, words) = delays[run.facts.app] else { return violations }
    let known = run.outcomes.filter { $0.name == name && $0.value != nil }
      .sorted { ($0.value ?? 0) < ($1.value ?? 0) }
    guard let least = known.first?.shown, let most = known.last?.shown else { return violations }
    let range = least == most ? least : "\(least)-\(most)"
    return violations + ", " + (isShort ? "" : words + " ") + range + " s"
  }

  /// The detector on the phones where its preset is not named as that of the app is, e.g.
  /// `punch/magnitude, 30 m/s2`.
  static func rule(of run: AppRecord, _ runs: [RunRecord]) -> String? {
    guard let app = run.app, let name = app.detector,
      let detector = try? DetectorRegistry.builtIn.detector(named: name)
    else { return nil }
    let own = Set(app.parameters(by: app.rules(of: run.facts.preset), for: .plain))
    func agreement(_ preset: String) -> Int {
      own.intersection(detector.parameters(ofPreset: preset)).count
    }
    let presets = detector.presets.map(\.name)
    guard let best = presets.max(by: { agreement($0) < agreement($1) }),
      !presets.contains(run.facts.preset) || agreement(run.facts.preset) < agreement(best)
    else { return nil }
    let used = runs.first { $0.entry == run.entry }?.parameters ?? []
    let threshold = used.first { $0.name == detector.exactThreshold }
    return "\(name)/\(best)"
      + (threshold.map { ", \($0.value) \($0.unit)".replacing(" s-2", with: "/s2") } ?? "")
  }
}

extension AppRecord {
  /// An app's run in the JSON of `replay` and `run`. A person is a position in `people`; null is the
  /// whole run. A policy of null is the traces' own actions. Times are seconds on the app's clock.
  package var document: JSONObject {
    [
      "entry": entry, "app": facts.app, "preset": facts.preset, "policy": facts.script,
      "network": facts.network, "seed": facts.seed, "faults": facts.faults,
      "rules": facts.rules,
      "unmet_faults": unmetFaults, "decisions": decisions, "unmade_decisions": unmadeDecisions,
      "messages": ["sent": messages.sent, "lost": messages.lost, "duplicated": messages.duplicated]
        as JSONObject,
      "people": people.map { person -> JSONObject in
        [
          "name": person.name, "trace": person.traceID, "trace_sha256": person.traceSHA256,
          "origin": person.origin, "start": person.start.seconds,
        ]
      },
      "outcomes": outcomes.map { outcome -> JSONObject in
        [
          "name": outcome.name, "person": outcome.person?.index, "value": finite(outcome.value),
          "unit": outcome.unit, "text": outcome.text, "goal": outcome.goal,
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
