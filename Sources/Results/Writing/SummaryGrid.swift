import Evaluation
import HDF5
package import Scoring
import TraceModel

/// The figures of all entries as one dataset for each figure, over entry, origin, activity and class.
///
/// `all` is a value of the dimensions activity and class. Figures that do not exist are NaN, e.g. the
/// false alarms per hour of a class. Figures of classes within an activity are left out.
struct SummaryGrid {
  static let all = "all"
  /// With more cells per figure, mostly empty ones, classes and activities are left out.
  static let mostCells = 100_000

  private let summaries: [EntrySummary]
  private let entries: [String]
  private let places: [String: Int]
  private let origins: [String]
  private var activities = [SummaryGrid.all]
  private var classes = [SummaryGrid.all]

  init(_ summaries: [EntrySummary]) {
    self.summaries = summaries
    entries = summaries.inGroups(by: \.entry).map { $0[0].entry }
    self.places = Dictionary(zip(entries, 0...), uniquingKeysWith: { first, _ in first })
    origins = summaries.inGroups(by: \.origin).map { $0[0].origin.rawValue }
    let places = max(entries.count * origins.count, 1)
    let named = Set(summaries.flatMap { $0.runs.map(\.activity) }).subtracting(["", Self.all])
    if places * (named.count + 1) <= Self.mostCells { activities += named.sorted() }
    let labels = Set(summaries.flatMap { $0.labels }).subtracting([Self.all])
    if places * activities.count * (labels.count + 1) <= Self.mostCells {
      classes += labels.sorted()
    }
  }

  var contents: HDF5Contents {
    let days = summaries.compactMap { summary in
      summary.day.map { day -> JSONObject in
        ["entry": summary.entry, "origin": summary.origin.rawValue, "day": day.document]
      }
    }
    let attributes: JSONObject = [
      "comment": "activity and class have the value all", "days": days.isEmpty ? nil : days,
    ]
    guard !summaries.isEmpty else { return HDF5Contents(attributes: attributes) }
    let tasks = summaries.inGroups(by: \.entry).map { $0[0].task.rawValue }
    return grid(
      [("activity", .names(activities)), ("class", .names(classes))],
      figures.flatMap { name, cells in columns(name, cells) } + [(.codes("task", tasks), [0])],
      attributes: attributes)
  }

  /// A grid over entry, origin and further dimensions.
  private func grid(
    _ further: [(name: String, values: HDF5Grid.Coordinate)],
    _ columns: [(column: HDF5Column, dimensions: [Int])], attributes: JSONObject = [:]
  ) -> HDF5Contents {
    var contents = HDF5Contents(attributes: attributes)
    contents.grid = HDF5Grid(
      [("entry", .names(entries)), ("origin", .names(origins))] + further, columns)
    return contents
  }

  // MARK: Figures

  private typealias Cells = (unit: String, hasClasses: Bool, estimates: [Int: Estimate])

  /// The place of an entry and origin.
  private func row(_ summary: EntrySummary) -> Int? {
    guard let entry = places[summary.entry],
      let origin = origins.firstIndex(of: summary.origin.rawValue)
    else { return nil }
    return entry * origins.count + origin
  }

  private var figures: [(String, Cells)] {
    var names: [String] = []
    var found: [String: Cells] = [:]
    func add(_ figures: [Figure], _ summary: EntrySummary, _ activity: Int, _ label: Int = 0) {
      guard let row = row(summary) else { return }
      let cell = (row * activities.count + activity) * classes.count + label
      for figure in figures {
        if found[figure.name] == nil { names.append(figure.name) }
        // In place: a copy of the cells for each entry would take a time that grows with its square.
        found[figure.name, default: (figure.unit, false, [:])].estimates[cell] = figure.estimate
        if label > 0 { found[figure.name]?.hasClasses = true }
      }
    }
    for summary in summaries {
      let runs = summary.runs
      add(summary.sizedFigures, summary, 0)
      for (label, name) in classes.enumerated().dropFirst() where summary.labels.contains(name) {
        add(summary.eventParts?.figures(ofClass: name) ?? [], summary, 0, label)
      }
      for (activity, name) in activities.enumerated().dropFirst() {
        let own = runs.filter { $0.activity == name }
        guard !own.isEmpty else { continue }
        let part = EntrySummary(own, about: summary.population)
        add(part.sizedFigures, summary, activity)
      }
    }
    return names.compactMap { name in found[name].map { (name, $0) } }
  }

  private func columns(
    _ name: String, _ cells: Cells
  ) -> [(column: HDF5Column, dimensions: [Int])] {
    let dimensions = cells.hasClasses ? [0, 1, 2, 3] : [0, 1, 2]
    let stride = cells.hasClasses ? 1 : classes.count
    let size = entries.count * origins.count * activities.count * (classes.count / stride)
    let estimates = (0..<size).map { cells.estimates[$0 * stride] }
    return FigureColumns(name, estimates, unit: cells.unit).columns(.grid).map { ($0, dimensions) }
  }

  /// The figures over all activities and of each class, as a reader gets them.
  var measured: [MeasuredSummary] {
    let figures = figures
    let places = entries.indices.flatMap { entry in origins.indices.map { (entry, $0) } }
    return places.compactMap { entry, origin in
      let place = (entry * origins.count + origin) * activities.count * classes.count
      let own = classes.enumerated().flatMap { label, title in
        figures.compactMap { name, cells in
          cells.estimates[place + label].map {
            Figure(label == 0 ? name : "\(name)_\(title)", $0, unit: cells.unit).inGrid
          }
        }
      }.measured
      return own.isEmpty
        ? nil : MeasuredSummary(entry: entries[entry], origin: origins[origin], figures: own)
    }
  }

  // MARK: Distributions

  /// The groups besides the figures. They have groups of their own, because xarray requires that
  /// dimensions with the same name are equal within a group.
  var distributions: [(String, HDF5Contents)] {
    [("latency", latency), ("delays", delays)] + (confusion.map { [("confusion", $0)] } ?? [])
  }

  /// Latencies in bins of 10 ms, by their lower edges.
  private var latency: HDF5Contents {
    let parts = summaries.map { LatencyHistogram($0.events?.latencies ?? []) }
    let bins = LatencyHistogram(
      parts.flatMap { [$0.lowerEdges.first, $0.lowerEdges.last] }.compactMap(\.self))
    guard let first = bins.lowerEdges.first else { return HDF5Contents() }
    let count = bins.counts.count
    var counts = [Int32](repeating: 0, count: entries.count * origins.count * count)
    for (summary, part) in zip(summaries, parts) {
      guard let place = row(summary) else { continue }
      let row = place * count
      for (edge, number) in zip(part.lowerEdges, part.counts) {
        counts[row + min(Int((edge - first) / LatencyHistogram.width), count - 1)] += number
      }
    }
    return grid(
      [("lower_edge", .times(bins.lowerEdges))],
      [
        (
          .integers("latency", counts, note: "matched events with a latency from lower_edge on"),
          [0, 1, 2]
        )
      ])
  }

  /// The Kaplan-Meier curves: the share of all references that are detected within a delay.
  private var delays: HDF5Contents {
    let curves = summaries.flatMap { summary -> [(String, String, String, DelayCurve)] in
      summary.delays.map {
        (summary.entry, summary.origin.rawValue, $0.name, DelayCurve([$0.delays]))
      }
    }
    return HDF5Contents(
      groups: curves.inGroups { $0.0 }.map { parts in
        (
          parts[0].0,
          HDF5Contents(
            groups: parts.map { _, origin, name, curve in
              (
                "\(origin)_\(name)",
                .table(
                  "step", [.times("delay", curve.times), .floats("share", curve.shares)],
                  attributes: ["references": curve.count])
              )
            })
        )
      })
  }

  /// By reference class and detected class, where there are classes.
  private var confusion: HDF5Contents? {
    guard classes.count > 1 else { return nil }
    let detected = Set(summaries.flatMap { $0.events?.confusion.labels ?? [] }).sorted()
    let references = classes.dropFirst().map { $0 }
    guard !detected.isEmpty, entries.count * references.count * detected.count <= Self.mostCells
    else { return nil }
    let size = references.count * detected.count
    var counts = [Int32](repeating: 0, count: entries.count * origins.count * size)
    for summary in summaries {
      guard let matrix = summary.events?.confusion, let place = row(summary) else { continue }
      let row = place * size
      for (label, numbers) in zip(matrix.labels, matrix.counts) {
        guard let own = references.firstIndex(of: label) else { continue }
        for (other, number) in zip(matrix.labels, numbers) {
          guard let column = detected.firstIndex(of: other) else { continue }
          counts[row + own * detected.count + column] += Int32(clamping: number)
        }
      }
    }
    return grid(
      [("class", .names(references)), ("detected", .names(detected))],
      [(.integers("count", counts, note: "matched events of the class"), [0, 1, 2, 3])])
  }
}

extension EntrySummary {
  fileprivate var labels: [String] { events?.classes.map(\.label) ?? [] }

  /// The numbers of traces and hours, and the figures except those of single classes.
  fileprivate var sizedFigures: [Figure] {
    let ofClasses = Set(
      labels.flatMap { label in FigureCatalogue.ofClasses.map { $0.ofClass(label).name } })
    return [Figure(.traces, Double(runs.count)), Figure(.hours, hours)]
      + figures.filter { !ofClasses.contains($0.name) }
  }

  fileprivate var delays: [(name: String, delays: Delays)] {
    switch self.score {
    case .visits(let score): [(FigureDefinition.entryDelay.name, score.entry)]
    case .presence(let quality):
      [
        (FigureDefinition.detectionTime.name, quality.detection),
        (FigureDefinition.arrivalTime.name, quality.arrival),
      ]
    case .events, .track, .counts, .unscored: []
    }
  }
}

extension DayRate {
  /// The hours behind a rate per day; the rate itself is a figure.
  package var document: JSONObject {
    [
      "profile": profile.name, "hours": profile.parts, "known": known.map(\.activity),
      "unknown": unknown.map(\.activity), "not_in_profile": unlisted,
      "fewer_than_three_people": sparse,
    ]
  }
}
