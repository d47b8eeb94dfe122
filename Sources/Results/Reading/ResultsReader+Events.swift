import HDF5
import Scoring

extension ResultsReader {
  private static let integers = [
    "onset", "offset", "emitted", "newest_measured", "place", "match_index", "newest_reading",
  ]
  private static let numbers = ["value", "score"]
  private static let texts = ["kind", "label", "original_label", "hand", "outcome"]

  /// The most events of an entry: a damaged file may claim any number.
  private static let mostEvents = 1 << 24

  func events(of table: RunColumns) throws(HDF5Error) -> [ResultsContents.Run] {
    let settings = try settings(in: table.root)
    var runs: [ResultsContents.Run] = []
    for row in 0..<table.count {
      try budget.take(ResultsBudget.bytesOfRun)
      let setting = try table.setting(row, of: settings.count).map { settings[$0] } ?? [:]
      runs.append(
        ResultsContents.Run(
          entry: table.text("entry", row), trace: table.text("trace", row),
          facts: table.facts(row).merging(setting) { $1 },
          figures: try budget.taking(table.figures(row)),
          measurements: try budget.taking(table.figures(row, part: "measurements"))))
    }
    if let events = try subgroup("events", of: table.root) {
      try events.forEachGroup { _, entry throws(HDF5Error) in
        try self.addEvents(of: entry, to: &runs)
      }
    }
    return table.order.map { runs[$0] }
  }

  func scores(of table: RunColumns) throws(HDF5Error) -> [ResultsContents.Row] {
    var rows: [ResultsContents.Row] = []
    for row in table.order {
      try budget.take(ResultsBudget.bytesOfRun)
      rows.append(
        .init(
          name: table.text("entry", row), origin: table.text("origin", row),
          subject: table.text("subject", row), figures: try budget.taking(table.figures(row))))
    }
    return rows
  }

  private func addEvents(
    of entry: HDF5Group, to runs: inout [ResultsContents.Run]
  ) throws(HDF5Error) {
    let (detections, references) = (
      try rows("detections", of: entry, runs.count), try rows("references", of: entry, runs.count)
    )
    for (run, range) in detections?.ranges ?? [:] {
      let partners = references?.ranges[run]
      runs[run].detections = try detections?.events(range, partners: partners) ?? .init()
    }
    for (run, range) in references?.ranges ?? [:] {
      let partners = detections?.ranges[run]
      runs[run].references = try references?.events(range, partners: partners) ?? .init()
    }
  }

  private func rows(
    _ name: String, of entry: HDF5Group, _ count: Int
  ) throws(HDF5Error) -> EventRows? {
    guard let group = try subgroup(name, of: entry) else { return nil }
    return try EventRows(group, table(group, most: Self.mostEvents), of: count)
  }

  /// The texts of each row of `/settings` except the entry and empty ones.
  private func settings(in root: HDF5Group) throws(HDF5Error) -> [[String: String]] {
    guard let group = try subgroup("settings", of: root) else { return [] }
    var settings: [[String: String]] = []
    for name in try group.links() where try group.kind(of: name) == .dataset {
      let dataset = try group.openDataset(name)
      guard dataset.shape.count == 1, dataset.count <= Self.most else { continue }
      if settings.count < dataset.count {
        settings += Array(repeating: [:], count: dataset.count - settings.count)
      }
      guard case .string = dataset.storedType, name != "entry" else { continue }
      for (row, text) in try dataset.readTexts(most: Self.most).enumerated() where !text.isEmpty {
        settings[row][name] = text
      }
    }
    return settings
  }

  /// - Throws: if the columns have different lengths, or more rows than any run has.
  func table(_ group: HDF5Group, most: Int = Self.most) throws(HDF5Error) -> ResultsContents.Events
  {
    var events = ResultsContents.Events()
    var isFirst = true
    for name in try group.links() where try group.kind(of: name) == .dataset {
      let known = Self.integers + Self.numbers + Self.texts
      guard known.contains(name) else { continue }
      let dataset = try group.openDataset(name)
      guard dataset.shape.count == 1, dataset.count <= most,
        isFirst || dataset.count == events.count
      else {
        throw dataset.unreadable(
          "expected one dimension with the length of the other columns and at most \(most) events, "
            + "found the shape \(dataset.shape)")
      }
      if isFirst { try budget.take(dataset.count * ResultsBudget.bytesOfEvent) }
      (events.count, isFirst) = (dataset.count, false)
      if Self.integers.contains(name) {
        events.integers[name] = try dataset.read()
      } else if Self.numbers.contains(name) {
        events.numbers[name] = try dataset.read()
      } else {
        events.texts[name] = try dataset.codedTexts()
      }
    }
    return events
  }
}

/// The events of all runs of an entry, which it cuts into runs.
private struct EventRows {
  private let group: HDF5Group
  private let all: ResultsContents.Events
  /// The rows of each run that has events, by its row in `/runs`.
  let ranges: [Int: Range<Int>]

  /// - Throws: if the column `run` is missing, not ascending, or not a row of the `count` runs.
  init(_ group: HDF5Group, _ all: ResultsContents.Events, of count: Int) throws(HDF5Error) {
    (self.group, self.all) = (group, all)
    let dataset = try group.openDataset("run")
    let runs: [Int64] = dataset.shape == [all.count] ? try dataset.read() : []
    guard runs.count == all.count else {
      throw dataset.unreadable(
        "expected a run for each of \(all.count) rows, found the shape \(dataset.shape)")
    }
    var ranges: [Int: Range<Int>] = [:]
    var first = 0
    for row in runs.indices where row + 1 == runs.count || runs[row + 1] != runs[row] {
      let isRow = (0..<Int64(count)).contains(runs[row])
      guard isRow, first == 0 || runs[first - 1] < runs[row] else {
        throw dataset.unreadable(
          "expected ascending rows of \(count) runs, found \(runs[row]) in row \(row)")
      }
      ranges[Int(runs[row])] = first..<(row + 1)
      first = row + 1
    }
    self.ranges = ranges
  }

  /// - Parameter partners: the rows of the run in the other table; `match_index` counts within them.
  /// - Throws: if a partner belongs to another run.
  func events(
    _ range: Range<Int>, partners: Range<Int>?
  ) throws(HDF5Error) -> ResultsContents.Events {
    var events = ResultsContents.Events()
    events.count = range.count
    events.integers = all.integers.mapValues { Array($0[range]) }
    events.numbers = all.numbers.mapValues { Array($0[range]) }
    events.texts = all.texts.mapValues { Array($0[range]) }
    guard let matches = events.integers["match_index"] else { return events }
    let partners = partners ?? 0..<0
    guard let other = matches.first(where: { $0 >= 0 && !partners.contains(Int($0)) }) else {
      events.integers["match_index"] = matches.map { $0 < 0 ? $0 : $0 - Int64(partners.lowerBound) }
      return events
    }
    throw try group.openDataset("match_index")
      .unreadable("expected a row of the same run, one of \(partners), found \(other)")
  }
}
