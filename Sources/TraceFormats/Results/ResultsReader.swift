import Foundation
internal import HDF5
internal import TraceModel

/// Reads files of results of all versions: what a version does not have is absent.
struct ResultsReader {
  private let root: HDF5Group
  private let path: String

  /// More names, rows or cells than any run has; a damaged file may claim them.
  static let most = 1_000_000

  init(_ path: String) throws(TraceError) {
    self.path = path
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

  func contents(_ kind: ReadingRequest.Kind) throws(TraceError) -> ResultsContents {
    let schema = try reading { () throws(HDF5Error) in try root.textAttribute("schema") } ?? ""
    if kind == .schema { return ResultsContents(schema: schema) }
    try require(schema)
    return try reading { () throws(HDF5Error) in
      var contents = ResultsContents(schema: schema)
      contents.facts = try facts(of: root)
      for name in try root.links() where try root.kind(of: name) == .group {
        contents.groups.append(try size(of: root.openGroup(name), name))
      }
      if try root.kind(of: "summary") == .group {
        contents.rows = try summary(root.openGroup("summary"))
      }
      if try root.kind(of: "sweep") == .group {
        contents.rows = try operatingPoints(root.openGroup("sweep"))
      }
      if try root.kind(of: "figures") == .group {
        contents.rows = try settings(root.openGroup("figures"))
      }
      if kind == .runs, try root.kind(of: "runs") == .group {
        let runs = try root.openGroup("runs")
        contents.runs = try hasTable(runs) ? tableScores(runs) : self.runs(runs)
      }
      if kind == .events, try root.kind(of: "runs") == .group {
        let runs = try root.openGroup("runs")
        contents.events = try hasTable(runs) ? tableEvents(runs, in: root) : events(runs)
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

  /// Nil for an attribute that is neither a text nor numbers.
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

  /// Calls `body` with the name and the group of each link to a group.
  func forEachGroup(
    in group: HDF5Group, _ body: (String, HDF5Group) throws(HDF5Error) -> Void
  ) throws(HDF5Error) {
    for name in try group.links() where try group.kind(of: name) == .group {
      try body(name.removingPercentEncoding ?? name, group.openGroup(name))
    }
  }

  // MARK: Figures

  private func summary(_ group: HDF5Group) throws(HDF5Error) -> [ResultsContents.Row] {
    if try group.kind(of: "entry") == .dataset {
      return try ResultsGrid(group, most: Self.most).rows()
    }
    // Before version 3: a group for each entry and origin.
    var rows: [ResultsContents.Row] = []
    try forEachGroup(in: group) { entry, origins throws(HDF5Error) in
      try forEachGroup(in: origins) { origin, figures throws(HDF5Error) in
        let table = try FigureColumns(figures, most: 1)
        rows.append(
          ResultsContents.Row(name: entry, origin: origin, values: table.values(at: 0)))
      }
    }
    return rows
  }

  private func operatingPoints(_ group: HDF5Group) throws(HDF5Error) -> [ResultsContents.Row] {
    var rows: [ResultsContents.Row] = []
    try forEachGroup(in: group) { name, own throws(HDF5Error) in
      guard try own.kind(of: "operating_points") == .group else { return }
      let table = try FigureColumns(own.openGroup("operating_points"), most: Self.most)
      let curve = try FigureColumns(own, most: 1).values(at: 0)
      if !curve.isEmpty {
        rows.append(
          ResultsContents.Row(
            name: name == "all" ? "curve" : name + " curve", origin: "", values: curve))
      }
      for row in 0..<table.rows {
        let point = table.text("name", at: row) ?? "\(row)"
        rows.append(
          ResultsContents.Row(
            name: name == "all" ? point : "\(name) \(point)", origin: "",
            values: table.values(at: row)))
      }
    }
    return rows
  }
}

extension ResultsReader {
  /// The settings of a tuning: the choice cross-validated and on its own data, the presets.
  private func settings(_ group: HDF5Group) throws(HDF5Error) -> [ResultsContents.Row] {
    var rows: [ResultsContents.Row] = []
    try forEachGroup(in: group) { name, figures throws(HDF5Error) in
      rows.append(
        ResultsContents.Row(
          name: name, origin: "", values: try FigureColumns(figures, most: 1).values(at: 0)))
    }
    return rows
  }

  /// The scores of each trace of each entry, before version 5.
  private func runs(_ group: HDF5Group) throws(HDF5Error) -> [ResultsContents.Row] {
    var rows: [ResultsContents.Row] = []
    try forEachGroup(in: group) { entry, traces throws(HDF5Error) in
      try forEachGroup(in: traces) { _, run throws(HDF5Error) in
        guard try run.kind(of: "scores") == .group else { return }
        rows.append(
          ResultsContents.Row(
            name: entry, origin: try run.textAttribute("origin") ?? "",
            subject: try run.textAttribute("subject") ?? "",
            values: try FigureColumns(run.openGroup("scores"), most: 1).values(at: 0)))
      }
    }
    return rows
  }
}

/// The columns of a group: scalars, or one dimension.
struct FigureColumns {
  private(set) var rows = 0
  private var numbers: [(name: String, values: [Double], unit: String, method: String?)] = []
  private var columns: [String: [Double]] = [:]
  private var texts: [String: [String]] = [:]
  /// Of scalars: what the figures rest on.
  private var bases: [String: Basis] = [:]

  private struct Basis {
    var count: Int?
    var clusters: Int?
    var cluster: String?
    var assumedCorrelation: Double?

    init(_ dataset: HDF5Dataset) throws(HDF5Error) {
      let count: Int64? = try dataset.attribute("interval_count")
      let clusters: Int64? = try dataset.attribute("interval_clusters")
      (self.count, self.clusters) = (count.map { Int($0) }, clusters.map { Int($0) })
      cluster = try dataset.textAttribute("interval_cluster")
      assumedCorrelation = try dataset.attribute("interval_assumed_correlation")
    }
  }

  init(_ group: HDF5Group, most: Int) throws(HDF5Error) {
    for name in try group.links() where try group.kind(of: name) == .dataset {
      let dataset = try group.openDataset(name)
      guard dataset.shape.count <= 1, dataset.count <= most else { continue }
      if case .float = dataset.storedType {
        let values: [Double] = try dataset.read()
        // A column with several methods lists them, and not which row has which.
        let method = try dataset.textAttribute("interval_method")
        numbers.append(
          (
            name, values, try dataset.textAttribute("units") ?? "1",
            method.flatMap { $0.contains(" ") ? nil : $0 }
          ))
        columns[name] = values
        bases[name] = try Basis(dataset)
        rows = max(rows, values.count)
      } else if let names = try dataset.codedTexts() {
        texts[name] = names
      }
    }
  }

  func text(_ name: String, at row: Int) -> String? {
    guard let column = texts[name], row < column.count else { return nil }
    return column[row]
  }

  func values(at row: Int) -> [ResultsContents.Value] {
    func number(_ name: String) -> Double? {
      guard let column = columns[name], row < column.count, !column[row].isNaN else { return nil }
      return column[row]
    }
    return numbers.compactMap { column in
      guard !isBound(column.name, of: columns) else { return nil }
      let basis = bases[column.name]
      return ResultsContents.Value(
        name: column.name, value: number(column.name), lower: number(column.name + "_lo"),
        upper: number(column.name + "_hi"), unit: column.unit, method: column.method,
        count: basis?.count, clusters: basis?.clusters, cluster: basis?.cluster,
        assumedCorrelation: basis?.assumedCorrelation
      ).ifDefined
    }
  }
}

/// The figures of version 3: datasets over entry, origin, activity and sometimes class.
private struct ResultsGrid {
  private let entries: [String]
  private let origins: [String]
  private let activities: [String]
  private let classes: [String]
  private let group: HDF5Group
  private var cells: [String: (values: [Double], unit: String)] = [:]
  private var integers: [String: [Int32]] = [:]
  private var texts: [String: [String]] = [:]

  init(_ group: HDF5Group, most: Int) throws(HDF5Error) {
    func names(_ dimension: String) throws(HDF5Error) -> [String] {
      try group.openDataset(dimension).readTexts(most: most)
    }
    self.group = group
    (entries, origins) = (try names("entry"), try names("origin"))
    (activities, classes) = (try names("activity"), try names("class"))
    let shape = [entries.count, origins.count, activities.count]
    for name in try group.links() where try group.kind(of: name) == .dataset {
      let dataset = try group.openDataset(name)
      guard dataset.shape == shape || dataset.shape == shape + [classes.count] else { continue }
      guard dataset.count <= most else {
        throw HDF5Error(
          operation: "H5Dread", file: group.file.path, object: dataset.path,
          reason: "the file claims \(dataset.count) cells of a figure, \(most) are read")
      }
      if case .float = dataset.storedType {
        cells[name] = (try dataset.read(), try dataset.textAttribute("units") ?? "1")
      } else if name.hasSuffix("_method") {
        texts[name] = try dataset.codedTexts()
      } else if ["_events", "_clusters"].contains(where: name.hasSuffix) {
        integers[name] = try dataset.read()
      }
    }
  }

  /// The figures over all activities, and those of each class.
  func rows() -> [ResultsContents.Row] {
    // Without a dataset of this size there is nothing to look up, however long the names are.
    guard !cells.isEmpty, let activity = activities.firstIndex(of: "all"),
      let label = classes.firstIndex(of: "all")
    else { return [] }
    var rows: [ResultsContents.Row] = []
    for (entry, name) in entries.enumerated() {
      for (origin, title) in origins.enumerated() {
        let place = (entry * origins.count + origin) * activities.count + activity
        var values = values(at: place, label)
        for (other, title) in classes.enumerated() where other != label {
          values += self.values(at: place, other, ofClass: title)
        }
        if !values.isEmpty { rows.append(.init(name: name, origin: title, values: values)) }
      }
    }
    return rows
  }

  /// - Parameter title: nil = all classes.
  private func values(
    at place: Int, _ label: Int, ofClass title: String? = nil
  ) -> [ResultsContents.Value] {
    let size = entries.count * origins.count * activities.count
    func cell<Element>(_ column: [Element]?) -> Element? {
      guard let column else { return nil }
      return column[column.count == size ? place : place * classes.count + label]
    }
    func number(_ name: String) -> Double? {
      cell(cells[name]?.values).flatMap { $0.isNaN ? nil : $0 }
    }
    func integer(_ name: String) -> Int? {
      cell(integers[name]).flatMap { $0 < 0 ? nil : Int($0) }
    }
    return cells.keys.sorted().compactMap { name in
      guard !isBound(name, of: cells), title == nil || cells[name]?.values.count != size else {
        return nil
      }
      let method = cell(texts[name + "_method"])
      return ResultsContents.Value(
        name: title.map { "\(name)_\($0)" } ?? name, value: number(name),
        lower: number(name + "_lo"), upper: number(name + "_hi"), unit: cells[name]?.unit ?? "1",
        method: method == "none" ? nil : method, count: integer(name + "_events"),
        clusters: integer(name + "_clusters")
      ).ifDefined
    }
  }
}

extension ResultsContents.Value {
  /// Nil if the file says nothing about it. A percentile of delays that was not reached has bounds.
  fileprivate var ifDefined: Self? {
    value != nil || lower != nil || upper != nil || count ?? 0 > 0 ? self : nil
  }
}

/// Whether a column is the bound of another one.
private func isBound(_ name: String, of columns: [String: some Any]) -> Bool {
  ["_lo", "_hi"].contains { name.hasSuffix($0) && columns[String(name.dropLast(3))] != nil }
}

extension HDF5Dataset {
  /// A column of codes as texts; nil if it has no readable table of them.
  func codedTexts() throws(HDF5Error) -> [String]? {
    guard let codes = try attributeArray("flag_values", as: Int32.self),
      let meanings = try textAttribute("flag_meanings"),
      case .success(let table) = FlagTable.reading(codes: codes, meanings: meanings)
    else { return nil }
    let values: [Int32] = try read()
    return values.map { table.names[$0] ?? "" }
  }
}
