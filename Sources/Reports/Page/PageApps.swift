import AppEngines
import Evaluation
import TraceModel

extension PageModel.App {
  /// - Parameters:
  ///   - number: see ``number``.
  ///   - traces: the number of each person's trace; nil = the page has none.
  init(_ record: AppRecord, number: Int?, traces: [Int?]) {
    name = record.entry
    summary = record.app?.summary ?? ""
    headline = AppTables.headline(of: record)
    network = record.facts.network
    script = record.facts.script ?? ""
    self.number = number
    people = zip(record.people, traces).map { person, trace in
      Person(name: person.name, trace: trace, start: person.start.seconds)
    }
    outcomes = record.outcomes.inGroups(by: \.name).map { Outcome($0, people: record.people.count) }
    events = record.events.map { event in
      Event(
        time: event.time.seconds, person: event.person.index, kind: event.kind, text: event.text)
    }
  }
}

extension PageModel.App.Outcome {
  /// - Parameter outcomes: with one name, of some people or of the whole run.
  fileprivate init(_ outcomes: [AppOutcome], people count: Int) {
    name = outcomes[0].name.replacing("_", with: " ")
    unit = ["yes", "count"].contains(outcomes[0].unit) ? "" : outcomes[0].unit
    let persons: [Int?] = Array(0..<count) + [nil]
    cells = persons.map { person in
      outcomes.first { $0.person.map(\.index) == person }.map(AppTables.text) ?? ""
    }
  }
}
