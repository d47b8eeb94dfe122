import Foundation
internal import HDF5

/// The table of the runs, from version 5 on: a row for each run, a column for each fact and figure.
private struct RunColumns {
  /// The number of runs.
  let count: Int
  private let group: HDF5Group
  private var texts: [String: [String]] = [:]
  private var integers: [String: [Int64]] = [:]
  private var numbers: [String: [Double]] = [:]
  /// The columns of figures, by their names in the file.
  private var figures: [(column: String, about: Figure)] = []

  private struct Figure {
    var name: String
    /// Whether the file says that it is a figure, although its name ends like a bound's.
    var isNamed: Bool
    /// What it belongs to; nil = the score.
    var part: String?
    var unit: String
    var method: String?
    var cluster: String?

    /// - Throws: also if an attribute is no text.
    init(_ dataset: HDF5Dataset, _ column: String) throws(HDF5Error) {
      let own = try dataset.textAttribute("figure")
      (name, isNamed) = (own ?? column, own != nil)
      part = try dataset.textAttribute("part")
      unit = try dataset.textAttribute("units") ?? "1"
      // A column with several methods or kinds lists them, and not which row has which.
      let single: (String) -> String? = { $0.contains(" ") ? nil : $0 }
      method = try dataset.textAttribute("interval_method").flatMap(single)
      cluster = try dataset.textAttribute("interval_cluster").flatMap(single)
    }
  }

  private static let codes = [
    "task", "gravity_removal", "reference_definition", "reference_unit", "tolerance_origin",
  ]
  /// Facts that are numbers, by their columns, with the names that they have had as attributes.
  private static let facts = [
    ("duration", "duration_ns"), ("readings", "readings"),
    ("device_rate_recorded", "device_rate_recorded"), ("device_rate_taken", "device_rate_taken"),
  ]
  private static let bounds = ["_lo", "_hi", "_assumed_correlation"]

  /// - Throws: also if a column is not as long as the others, or there are more than `most` rows.
  init(_ group: HDF5Group, most: Int) throws(HDF5Error) {
    self.group = group
    let scale = try group.openDataset("run")
    guard scale.shape.count == 1, scale.count <= most else {
      throw HDF5Error(
        operation: "H5Dread", file: group.file.path, object: scale.path,
        reason: "expected one dimension of at most \(most) runs, found the shape \(scale.shape)")
    }
    count = scale.count
    let names = Set(try group.links())
    for name in names.sorted() where name != "run" {
      guard try group.kind(of: name) == .dataset else { continue }
      let dataset = try group.openDataset(name)
      guard dataset.shape == [count] else {
        throw HDF5Error(
          operation: "H5Dread", file: group.file.path, object: dataset.path,
          reason: "expected a column of \(count) runs, found the shape \(dataset.shape)")
      }
      switch dataset.storedType {
      case .string: texts[name] = try dataset.readTexts(most: most)
      case .float:
        numbers[name] = try dataset.read()
        let about = try Figure(dataset, name)
        let isBound = Self.bounds.contains {
          name.hasSuffix($0) && names.contains(String(name.dropLast($0.count)))
        }
        if name != "device_rate", about.isNamed || !isBound { figures.append((name, about)) }
      case .integer where Self.codes.contains(name) || name.hasSuffix("_method"):
        texts[name] = try dataset.codedTexts()
      case .integer: integers[name] = try dataset.read()
      case .other: break
      }
    }
  }

  /// Empty if there is no such column.
  func text(_ name: String, _ row: Int) -> String { texts[name]?[row] ?? "" }

  /// Nil also for -1.
  private func integer(_ name: String, _ row: Int) -> Int64? {
    integers[name].flatMap { $0[row] < 0 ? nil : $0[row] }
  }

  /// What is said of the run, by the names of its attributes before version 5.
  func facts(_ row: Int) -> [[String]] {
    let names = [
      "trace", "trace_sha256", "origin", "subject", "activity", "task", "gravity_removal",
    ]
    var facts = names.map { [$0, text($0, row)] }
    for (column, name) in Self.facts {
      if let number = integer(column, row) { facts.append([name, "\(number)"]) }
    }
    if let rate = numbers["device_rate"]?[row], !rate.isNaN {
      facts.append(["device_rate_hz", "\(rate)"])
    }
    return facts
  }

  /// The tolerance of a run whose events are scored.
  func scoreFacts(_ row: Int) -> [[String]] {
    guard let early = integer("tolerance_early", row), let late = integer("tolerance_late", row)
    else { return [] }
    return [
      ["tolerance_early_ns", "\(early)"], ["tolerance_late_ns", "\(late)"],
      ["tolerance_origin", text("tolerance_origin", row)],
    ]
  }

  /// - Parameter part: nil = the score.
  func values(_ row: Int, part: String? = nil) -> [ResultsContents.Value] {
    figures.compactMap { column, about in
      guard about.part == part else { return nil }
      func number(_ suffix: String = "") -> Double? {
        numbers[column + suffix].flatMap { $0[row].isNaN ? nil : $0[row] }
      }
      func count(_ suffix: String) -> Int? { integer(column + suffix, row).map { Int($0) } }
      let value = number()
      let (lower, upper, events) = (number("_lo"), number("_hi"), count("_events"))
      guard value != nil || lower != nil || upper != nil || events ?? 0 > 0 else { return nil }
      let method = texts[column + "_method"]?[row] ?? about.method
      let clusters = count("_clusters")
      return ResultsContents.Value(
        name: about.name, value: value, lower: lower, upper: upper, unit: about.unit,
        method: method == "none" ? nil : method, count: events, clusters: clusters,
        cluster: clusters == nil ? nil : about.cluster,
        assumedCorrelation: number("_assumed_correlation"))
    }
  }

  /// The row of `settings` of a run; nil without that column.
  /// - Throws: if there are fewer rows.
  func setting(_ row: Int, of count: Int) throws(HDF5Error) -> Int? {
    guard let setting = integers["setting"]?[row] else { return nil }
    guard (0..<Int64(count)).contains(setting) else {
      throw HDF5Error(
        operation: "H5Dread", file: group.file.path, object: group.path + "/setting",
        reason: "expected a row of /settings, which has \(count), found \(setting)")
    }
    return Int(setting)
  }

  /// The rows by entry, then by trace, as groups of runs were read before version 5.
  var order: [Int] {
    let keys = (0..<count).map { row in
      [text("entry", row), text("trace", row)].map { Array(HDF5Contents.link($0).utf8) }
    }
    return (0..<count).sorted { left, right in
      let (one, other) = (keys[left], keys[right])
      return one[0] == other[0]
        ? one[1].lexicographicallyPrecedes(other[1]) : one[0].lexicographicallyPrecedes(other[0])
    }
  }
}

/// A table of the events of all runs of an entry, cut into the runs.
private struct EventRows {
  private let path: String
  private let file: String
  private let all: ResultsContents.Events
  /// The rows of each run that has some, by its row in the table of the runs.
  let ranges: [Int: Range<Int>]

  /// - Throws: if the column `run` is not there, not ascending, or no row of the `count` runs.
  init(
    _ group: HDF5Group, _ all: ResultsContents.Events, of count: Int
  ) throws(HDF5Error) {
    (path, file, self.all) = (group.path, group.file.path, all)
    let dataset = try group.openDataset("run")
    let runs: [Int64] = dataset.shape == [all.count] ? try dataset.read() : []
    guard runs.count == all.count else {
      throw HDF5Error(
        operation: "H5Dread", file: file, object: dataset.path,
        reason: "expected a run for each of \(all.count) rows, found the shape \(dataset.shape)")
    }
    var ranges: [Int: Range<Int>] = [:]
    var first = 0
    for row in runs.indices where row + 1 == runs.count || runs[row + 1] != runs[row] {
      let isRow = (0..<Int64(count)).contains(runs[row])
      guard isRow, first == 0 || runs[first - 1] < runs[row] else {
        throw HDF5Error(
          operation: "H5Dread", file: file, object: dataset.path,
          reason: "expected ascending rows of \(count) runs, found \(runs[row]) in row \(row)")
      }
      ranges[Int(runs[row])] = first..<(row + 1)
      first = row + 1
    }
    self.ranges = ranges
  }

  /// The events of a run.
  /// - Parameter partners: the rows of the run in the other table: `match_index` counts within them.
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
    throw HDF5Error(
      operation: "H5Dread", file: file, object: path + "/match_index",
      reason: "expected a row of the same run, one of \(partners), found \(other)")
  }
}

extension ResultsReader {
  /// Events that a table of an entry may have; a damaged file may claim more.
  private static let mostEvents = 1 << 24

  /// Whether the runs are one table, as from version 5 on.
  func hasTable(_ runs: HDF5Group) throws(HDF5Error) -> Bool {
    try runs.kind(of: "run") == .dataset
  }

  /// The scores of each run.
  func tableScores(_ group: HDF5Group) throws(HDF5Error) -> [ResultsContents.Row] {
    let runs = try RunColumns(group, most: Self.most)
    return runs.order.map { row in
      ResultsContents.Row(
        name: runs.text("entry", row), origin: runs.text("origin", row),
        subject: runs.text("subject", row), values: runs.values(row))
    }
  }

  /// All runs with their events.
  func tableEvents(
    _ group: HDF5Group, in root: HDF5Group
  ) throws(HDF5Error) -> [ResultsContents.Run] {
    let columns = try RunColumns(group, most: Self.most)
    let settings = try settings(of: root)
    var runs: [ResultsContents.Run] = []
    for row in 0..<columns.count {
      let setting = try columns.setting(row, of: settings.count).map { settings[$0] } ?? []
      runs.append(
        ResultsContents.Run(
          entry: columns.text("entry", row), trace: columns.text("trace", row),
          facts: columns.facts(row) + setting, scoreFacts: columns.scoreFacts(row),
          figures: columns.values(row), measurements: columns.values(row, part: "measurements")))
    }
    if try root.kind(of: "events") == .group {
      try forEachGroup(in: root.openGroup("events")) { _, entry throws(HDF5Error) in
        try self.addEvents(of: entry, to: &runs)
      }
    }
    return columns.order.map { runs[$0] }
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

  /// The texts of each row of `/settings`, without empty ones and the entry.
  private func settings(of root: HDF5Group) throws(HDF5Error) -> [[[String]]] {
    guard let group = try subgroup("settings", of: root) else { return [] }
    var settings: [[[String]]] = []
    for name in try group.links() where try group.kind(of: name) == .dataset {
      let dataset = try group.openDataset(name)
      guard dataset.shape.count == 1, dataset.count <= Self.most else { continue }
      if settings.count < dataset.count {
        settings += [[[String]]](repeating: [], count: dataset.count - settings.count)
      }
      guard case .string = dataset.storedType, name != "entry" else { continue }
      for (row, text) in try dataset.readTexts(most: Self.most).enumerated() where !text.isEmpty {
        settings[row].append([name, text])
      }
    }
    return settings
  }
}
