import HDF5
import Scoring
import TraceFormats
import TraceModel

/// Reads results files of all versions. What a version lacks is absent.
struct ResultsReader {
  let root: HDF5Group
  private let path: String
  let budget: ResultsBudget

  /// A limit that no run reaches: a damaged file may claim any number of names, rows or cells.
  static let most = 1_000_000

  init(_ path: String) throws(TraceError) {
    self.path = path
    budget = ResultsBudget(path)
    let file = try reading { () throws(HDF5Error) in try HDF5File.open(path) }
    root = try reading(file.root)
  }

  /// The newest version of each schema.
  private static let schemas = [
    ("shadowbox-results/", 5), ("shadowbox-sweep/", 2), ("shadowbox-tuning/", 3),
  ]

  private func require(_ schema: String) throws(TraceError) {
    let isKnown = Self.schemas.contains { name, newest in
      (1...newest).contains { schema == name + "\($0)" }
    }
    guard !isKnown else { return }
    let known = Self.schemas.map { "\($0)1 to \($1)" }
    let isNewer = Self.schemas.contains { schema.hasPrefix($0.0) }
    throw TraceError(
      place: path + ":/@schema", expected: known.joined(separator: ", "), found: "'\(schema)'",
      remedy: isNewer
        ? "read it with the version of Shadowbox that wrote it"
        : "pass a file that run, sweep or tune wrote")
  }

  func contents(_ part: ResultsContents.Part) throws(TraceError) -> ResultsContents {
    let schema = try reading { () throws(HDF5Error) in try root.textAttribute("schema") } ?? ""
    if part == .schema { return ResultsContents(schema: schema) }
    try require(schema)
    return try reading { () throws(HDF5Error) in
      var contents = ResultsContents(schema: schema)
      contents.facts = try facts(of: root)
      guard part != .facts else { return contents }
      if let host = try subgroup("host", of: root) {
        contents.wallSeconds = try? host.attributeArray("wall_seconds", as: Double.self)?.first
      }
      for name in try root.links() where try root.kind(of: name) == .group {
        contents.groups.append(try size(of: root.openGroup(name), name))
      }
      if let summary = try subgroup("summary", of: root) {
        contents.rows =
          try summary.kind(of: "entry") == .dataset ? grid(summary) : legacySummary(summary)
      }
      contents.apps = try apps()
      if let sweeps = try subgroup("sweep", of: root) {
        contents.rows = try operatingPoints(sweeps)
      }
      // The settings of a tuning.
      if let settings = try subgroup("figures", of: root) {
        try settings.forEachGroup { name, group throws(HDF5Error) in
          contents.rows.append(.init(name: name, origin: "", figures: try figures(group)))
        }
      }
      guard part != .summary, let runs = try subgroup("runs", of: root) else { return contents }
      // From version 5 on the runs are one table.
      let table =
        try runs.kind(of: "run") == .dataset ? RunColumns(runs, in: root, most: Self.most) : nil
      if part == .runs {
        contents.runs = if let table { try scores(of: table) } else { try legacyScores(runs) }
      } else {
        contents.events = if let table { try events(of: table) } else { try legacyEvents(runs) }
      }
      return contents
    }
  }

  // MARK: Facts

  func facts(of object: HDF5Object) throws(HDF5Error) -> [[String]] {
    var facts: [[String]] = []
    for name in try object.attributeNames() where !["Conventions", "schema"].contains(name) {
      if let text = try text(of: object, name) { facts.append([name, text]) }
    }
    return facts
  }

  /// Nil for an attribute of another type than text and numbers.
  private func text(of object: HDF5Object, _ name: String) throws(HDF5Error) -> String? {
    if let text = try? object.textAttribute(name) { return text }
    if let numbers = try? object.attributeArray(name, as: Int64.self) { return joined(numbers) }
    if let numbers = try? object.attributeArray(name, as: UInt64.self) { return joined(numbers) }
    if let numbers = try? object.attributeArray(name, as: Double.self) { return joined(numbers) }
    return nil
  }

  private func joined(_ numbers: [some CustomStringConvertible]) -> String {
    numbers.map(\.description).joined(separator: ", ")
  }

  private func size(
    of group: HDF5Group, _ name: String
  ) throws(HDF5Error) -> ResultsContents.Group {
    var size = ResultsContents.Group(name: name, groups: 0, inner: 0, rows: 0)
    var isTable = true
    for name in try group.links() {
      switch try group.kind(of: name) {
      case .group:
        size.groups += 1
        let inner = try group.openGroup(name)
        for name in try inner.links() where try inner.kind(of: name) == .group { size.inner += 1 }
      case .dataset:
        let shape = try group.openDataset(name).shape
        if shape.count == 1 { size.rows = max(size.rows, shape[0]) }
        isTable = isTable && shape.count < 2
      case .other, nil: break
      }
    }
    if !isTable { size.rows = 0 }
    return size
  }

  // MARK: Groups

  func subgroup(_ name: String, of group: HDF5Group) throws(HDF5Error) -> HDF5Group? {
    try group.kind(of: name) == .group ? group.openGroup(name) : nil
  }

  /// The columns of a group: single values, or one dimension.
  func columns(_ group: HDF5Group, most: Int = 1) throws(HDF5Error) -> StoredFigures {
    var columns = StoredFigures()
    for name in try group.links() where try group.kind(of: name) == .dataset {
      let dataset = try group.openDataset(name)
      if dataset.shape.count <= 1, dataset.count <= most { try columns.add(dataset, name) }
    }
    return columns
  }

  func figures(_ group: HDF5Group) throws(HDF5Error) -> [Figure] {
    let columns = try columns(group)
    return try budget.taking(columns.columns().compactMap { columns.figure($0, 0) })
  }

  // MARK: Figures

  /// The figures over all activities and of each class, over entry, origin, activity and maybe class.
  private func grid(_ group: HDF5Group) throws(HDF5Error) -> [ResultsContents.Row] {
    func names(_ dimension: String) throws(HDF5Error) -> [String] {
      try group.openDataset(dimension).readTexts(most: Self.most)
    }
    let (entries, origins) = (try names("entry"), try names("origin"))
    let (activities, classes) = (try names("activity"), try names("class"))
    let shape = [entries.count, origins.count, activities.count]
    var columns = StoredFigures()
    for name in try group.links() where try group.kind(of: name) == .dataset {
      let dataset = try group.openDataset(name)
      guard dataset.shape == shape || dataset.shape == shape + [classes.count] else { continue }
      guard dataset.count <= Self.most else {
        throw dataset.unreadable(
          "expected at most \(Self.most) cells of a figure, found \(dataset.count)")
      }
      try columns.add(dataset, name, isCode: name.hasSuffix("_method"))
    }
    let figures = columns.columns().sorted()
    // Without such a dataset the number of names has no limit.
    guard !figures.isEmpty, let activity = activities.firstIndex(of: "all"),
      let label = classes.firstIndex(of: "all")
    else { return [] }
    let size = shape.reduce(1, *)
    var rows: [ResultsContents.Row] = []
    for (entry, name) in entries.enumerated() {
      for (origin, title) in origins.enumerated() {
        let place = (entry * origins.count + origin) * activities.count + activity
        var values = figures.compactMap {
          columns.figure($0, columns.size($0) == size ? place : place * classes.count + label)
        }
        for (other, title) in classes.enumerated() where other != label {
          values += figures.filter { columns.size($0) != size }.compactMap {
            columns.figure($0, place * classes.count + other, ofClass: title)
          }
        }
        guard !values.isEmpty else { continue }
        rows.append(.init(name: name, origin: title, figures: try budget.taking(values)))
      }
    }
    return rows
  }

  private func operatingPoints(_ group: HDF5Group) throws(HDF5Error) -> [ResultsContents.Row] {
    var rows: [ResultsContents.Row] = []
    try group.forEachGroup { name, own throws(HDF5Error) in
      guard let points = try subgroup("operating_points", of: own) else { return }
      let table = try columns(points, most: Self.most)
      let curve = try figures(own)
      if !curve.isEmpty {
        rows.append(
          .init(name: name == "all" ? "curve" : name + " curve", origin: "", figures: curve))
      }
      for row in 0..<table.rows {
        let point = table.text("name", row) ?? "\(row)"
        rows.append(
          .init(
            name: name == "all" ? point : "\(name) \(point)", origin: "",
            figures: try budget.taking(
              table.columns().compactMap { table.figure($0, row) })))
      }
    }
    return rows
  }

}

extension HDF5Object {
  /// The error of a file whose contents are not those of a results file.
  func unreadable(_ reason: String) -> HDF5Error {
    HDF5Error(operation: "H5Dread", file: file.path, object: path, reason: reason)
  }
}
