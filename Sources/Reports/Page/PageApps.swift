import AppEngines
import Evaluation
import Results
import TraceModel

extension AppRecord {
  /// The app with its people, events and outcomes, as a page shows it.
  ///
  /// - Parameters:
  ///   - number: that of the detector that reads the people's traces, in the module; nil = none.
  ///   - traces: the number of each person's trace; nil = the page has none.
  func pageDocument(number: Int?, traces: [Int?]) -> JSONObject {
    let document: JSONObject = [
      "name": entry, "summary": app?.summary ?? "", "headline": AppTables.headline(of: self),
      "network": facts.network, "script": facts.script ?? "",
      "people": zip(people, traces).map { person, trace -> JSONObject in
        let own: JSONObject = ["name": person.name, "start": person.start.seconds]
        return own.adding("trace", trace)
      },
      "outcomes": outcomes.inGroups(by: \.name).map { outcomes -> JSONObject in
        let unit = outcomes[0].unit
        // By person, then of the whole run.
        let persons: [Int?] = Array(people.indices) + [nil]
        return [
          "name": outcomes[0].name.replacing("_", with: " "),
          "unit": ["yes", "count"].contains(unit) ? "" : unit,
          "cells": persons.map { person in
            outcomes.first { $0.person?.index == person }.map(AppTables.text) ?? ""
          },
        ]
      },
      "events": events.map { event -> JSONObject in
        [
          "time": event.time.seconds, "person": event.person.index, "kind": event.kind,
          "text": event.text,
        ]
      },
    ]
    return document.adding("number", number)
  }
}
