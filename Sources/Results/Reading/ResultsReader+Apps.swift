import AppEngines
package import Evaluation
import HDF5
package import Scoring
import TraceModel

extension ResultsReader {
  /// The apps with their outcomes.
  /// - Throws: if the columns of outcomes have different lengths.
  func apps() throws(HDF5Error) -> [ResultsContents.App] {
    var apps: [ResultsContents.App] = []
    guard let group = try subgroup("apps", of: root) else { return apps }
    try group.forEachGroup { entry, own throws(HDF5Error) in
      guard let outcomes = try subgroup("outcomes", of: own),
        let people = try subgroup("people", of: own)
      else { return }
      for name in ["name", "person", "value", "unit"] where try outcomes.kind(of: name) != .dataset
      {
        return
      }
      let names = try column("name", of: outcomes)
      try budget.take(names.count * ResultsBudget.bytesOfEvent)
      let values: [Double] = try column("value", of: outcomes).read()
      let app = ResultsContents.App(
        entry: entry, facts: try ResultsContents.byName(facts(of: own)),
        people: try ResultsContents.byName(facts(of: people)),
        origins: try column("origin", of: people).codedTexts() ?? [],
        names: try names.codedTexts() ?? [],
        persons: try column("person", of: outcomes).read(),
        values: values.map { $0.isFinite ? $0 : nil },
        units: try column("unit", of: outcomes).codedTexts() ?? [],
        goals: try outcomes.kind(of: "goal") == .dataset
          ? column("goal", of: outcomes).codedTexts() ?? [] : [])
      let lengths = [app.persons.count, app.values.count, app.units.count]
      guard lengths.allSatisfy({ $0 == app.names.count }),
        app.goals.isEmpty || app.goals.count == app.names.count
      else {
        throw names.unreadable(
          "expected columns of one length, found \(app.names.count) names and \(lengths)")
      }
      apps.append(app)
    }
    return apps
  }

  private func column(_ name: String, of group: HDF5Group) throws(HDF5Error) -> HDF5Dataset {
    let dataset = try group.openDataset(name)
    guard dataset.shape.count == 1, dataset.count <= Self.most else {
      throw dataset.unreadable(
        "expected one dimension of at most \(Self.most) rows, found the shape \(dataset.shape)")
    }
    return dataset
  }
}

extension ResultsContents.App {
  package var measured: MeasuredApp {
    let origins = Set(origins)
    func ofPeople(_ name: String) -> [String] {
      self.origins.indices.map { people["\(name)_\($0)"] ?? "" }
    }
    return MeasuredApp(
      entry: entry, origin: origins.count == 1 ? origins.first ?? "" : "",
      app: facts["app"] ?? "", preset: facts["preset"] ?? "", people: ofPeople("name"),
      traces: ofPeople("trace_sha256"),
      outcomes: names.indices.map { row in
        let person = persons[row] < 0 ? nil : DeviceID(Int(persons[row]))
        let text = facts["text_\(names[row])" + (person.map { "_\($0.index)" } ?? "")]
        return AppOutcome(
          names[row], of: person, values[row], unit: units[row] == "1" ? "" : units[row],
          text: text,
          goals.isEmpty ? .neither : AppOutcome.Goal(rawValue: goals[row]) ?? .neither)
      })
  }
}

extension MeasuredApp {
  /// The outcomes as figures of its entry, e.g. `outcome.saved of sim01`.
  package var figures: [Figure] {
    outcomes.map {
      Figure($0.title(of: person(of: $0)), $0.judged, unit: $0.judgedUnit)
    }
  }
}
