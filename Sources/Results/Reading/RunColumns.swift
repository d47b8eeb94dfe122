import HDF5
import Scoring

/// The table of the runs, from version 5 on: a row for each run, a column for each fact and figure.
struct RunColumns {
  let count: Int
  let root: HDF5Group
  private let group: HDF5Group
  private var columns = StoredFigures()

  private static let codes = [
    "task", "gravity_removal", "reference_definition", "reference_unit", "tolerance_origin",
  ]
  /// Columns of numbers, and their names as attributes before version 5.
  private static let facts = [
    ("duration", "duration_ns"), ("readings", "readings"),
    ("device_rate_recorded", "device_rate_recorded"), ("device_rate_taken", "device_rate_taken"),
    ("tolerance_early", "tolerance_early_ns"), ("tolerance_late", "tolerance_late_ns"),
  ]

  /// - Throws: also if a column is not as long as the others, or there are more than `most` rows.
  init(_ group: HDF5Group, in root: HDF5Group, most: Int) throws(HDF5Error) {
    (self.group, self.root) = (group, root)
    let scale = try group.openDataset("run")
    guard scale.shape.count == 1, scale.count <= most else {
      throw scale.unreadable(
        "expected one dimension of at most \(most) runs, found the shape \(scale.shape)")
    }
    count = scale.count
    for name in try group.links().sorted() where name != "run" {
      guard try group.kind(of: name) == .dataset else { continue }
      let dataset = try group.openDataset(name)
      guard dataset.shape == [count] else {
        throw dataset.unreadable(
          "expected a column of \(count) runs, found the shape \(dataset.shape)")
      }
      if case .string = dataset.storedType {
        columns.add(try dataset.readTexts(most: most), name)
      } else {
        try columns.add(
          dataset, name, isCode: Self.codes.contains(name) || name.hasSuffix("_method"))
      }
    }
  }

  /// Empty if there is no such column.
  func text(_ name: String, _ row: Int) -> String { columns.text(name, row) ?? "" }

  /// The facts of a run, by the names of the attributes before version 5.
  func facts(_ row: Int) -> [String: String] {
    let names = [
      "trace", "trace_sha256", "origin", "subject", "activity", "task", "gravity_removal",
      "tolerance_origin",
    ]
    var facts = Dictionary(uniqueKeysWithValues: names.map { ($0, text($0, row)) })
    for (column, name) in Self.facts { facts[name] = columns.integer(column, row).map { "\($0)" } }
    facts["device_rate_hz"] = columns.number("device_rate", row).map { "\($0)" }
    return facts
  }

  /// - Parameter part: nil = the score.
  func figures(_ row: Int, part: String? = nil) -> [Figure] {
    columns.columns(part: part).compactMap { $0 == "device_rate" ? nil : columns.figure($0, row) }
  }

  /// The row of `settings` of a run; nil without that column.
  /// - Throws: if there are fewer rows.
  func setting(_ row: Int, of count: Int) throws(HDF5Error) -> Int? {
    guard let setting = columns.stored("setting", row) else { return nil }
    guard (0..<Int64(count)).contains(setting) else {
      throw try group.openDataset("setting")
        .unreadable("expected a row of /settings, which has \(count), found \(setting)")
    }
    return Int(setting)
  }

  var order: [Int] { Self.order((0..<count).map { [text("entry", $0), text("trace", $0)] }) }

  /// The rows by entry, then by trace: the order of the groups before version 5.
  /// - Parameter names: the entry and the trace of each row.
  static func order(_ names: [[String]]) -> [Int] {
    let keys = names.map { $0.map { Array(HDF5Names.link($0).utf8) } }
    return keys.indices.sorted { left, right in
      let (one, other) = (keys[left], keys[right])
      return one[0] == other[0]
        ? one[1].lexicographicallyPrecedes(other[1]) : one[0].lexicographicallyPrecedes(other[0])
    }
  }
}
