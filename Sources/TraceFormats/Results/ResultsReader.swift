import Foundation
internal import HDF5
internal import TraceModel

/// Reads files of results of all versions: what a version does not have is absent.
struct ResultsReader {
  private let root: HDF5Group
  private let path: String

  /// More names, rows or cells than any run has; a damaged file may claim them.
  private static let most = 1_000_000

  init(_ path: String) throws(TraceError) {
    self.path = path
    let file = try reading { () throws(HDF5Error) in try HDF5File.open(path) }
    root = try reading(file.root)
  }

  func contents() throws(TraceError) -> ResultsContents {
    let schema = try reading { () throws(HDF5Error) in try root.textAttribute("schema") } ?? ""
    let kinds = ["shadowbox-results/", "shadowbox-sweep/", "shadowbox-tuning/"]
    guard kinds.contains(where: schema.hasPrefix) else {
      throw TraceError(
        place: path + ":/@schema", expected: "the results of run, sweep or tune",
        found: "'\(schema)'", remedy: "pass a file that one of these commands wrote")
    }
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
      return contents
    }
  }

  // MARK: Facts

  private func facts(of object: HDF5Object) throws(HDF5Error) -> [[String]] {
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
    for name in try group.links() {
      switch try group.kind(of: name) {
      case .group:
        size.groups += 1
        let inner = try group.openGroup(name)
        for name in try inner.links() where try inner.kind(of: name) == .group { size.inner += 1 }
      case .dataset:
        let shape = try group.openDataset(name).shape
        if shape.count == 1 { size.rows = max(size.rows, shape[0]) }
      case .other, nil: break
      }
    }
    return size
  }

  // MARK: Figures

  private func summary(_ group: HDF5Group) throws(HDF5Error) -> [ResultsContents.Row] {
    if try group.kind(of: "entry") == .dataset {
      return try ResultsGrid(group, most: Self.most).rows()
    }
    // Before version 3: a group for each entry and origin.
    var rows: [ResultsContents.Row] = []
    for entry in try group.links() where try group.kind(of: entry) == .group {
      let origins = try group.openGroup(entry)
      for origin in try origins.links() where try origins.kind(of: origin) == .group {
        let table = try FigureColumns(origins.openGroup(origin), most: 1)
        rows.append(
          ResultsContents.Row(
            name: entry.removingPercentEncoding ?? entry, origin: origin,
            values: table.values(at: 0)))
      }
    }
    return rows
  }

  private func operatingPoints(_ group: HDF5Group) throws(HDF5Error) -> [ResultsContents.Row] {
    var rows: [ResultsContents.Row] = []
    for combination in try group.links() where try group.kind(of: combination) == .group {
      let own = try group.openGroup(combination)
      guard try own.kind(of: "operating_points") == .group else { continue }
      let table = try FigureColumns(own.openGroup("operating_points"), most: Self.most)
      let name = combination.removingPercentEncoding ?? combination
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

/// The columns of a group: scalars, or one dimension.
private struct FigureColumns {
  private(set) var rows = 0
  private var numbers: [(name: String, values: [Double], unit: String, method: String?)] = []
  private var texts: [String: [String]] = [:]
  /// Of scalars, which the figures rest on.
  private var counts: [String: (count: Int?, clusters: Int?)] = [:]

  init(_ group: HDF5Group, most: Int) throws(HDF5Error) {
    for name in try group.links() where try group.kind(of: name) == .dataset {
      let dataset = try group.openDataset(name)
      guard dataset.shape.count <= 1, dataset.count <= most else { continue }
      if case .float = dataset.storedType {
        let values: [Double] = try dataset.read()
        numbers.append(
          (
            name, values, try dataset.textAttribute("units") ?? "1",
            try dataset.textAttribute("interval_method")
          ))
        let count: Int64? = try dataset.attribute("interval_count")
        let clusters: Int64? = try dataset.attribute("interval_clusters")
        counts[name] = (count.map { Int($0) }, clusters.map { Int($0) })
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
    let known = Dictionary(uniqueKeysWithValues: numbers.map { ($0.name, $0.values) })
    func number(_ name: String) -> Double? {
      guard let column = known[name], row < column.count, !column[row].isNaN else { return nil }
      return column[row]
    }
    return numbers.compactMap { column in
      guard !isBound(column.name, of: known), let value = number(column.name) else { return nil }
      return ResultsContents.Value(
        name: column.name, value: value, lower: number(column.name + "_lo"),
        upper: number(column.name + "_hi"), unit: column.unit, method: column.method,
        count: counts[column.name]?.count, clusters: counts[column.name]?.clusters)
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
      guard dataset.shape == shape || dataset.shape == shape + [classes.count],
        dataset.count <= most
      else { continue }
      if case .float = dataset.storedType {
        cells[name] = (try dataset.read(), try dataset.textAttribute("units") ?? "1")
      } else if let names = try dataset.codedTexts() {
        texts[name] = names
      } else {
        integers[name] = try dataset.read()
      }
    }
  }

  /// The figures over all activities and classes.
  func rows() -> [ResultsContents.Row] {
    // Without a dataset of this size there is nothing to look up, however long the names are.
    guard !cells.isEmpty, let activity = activities.firstIndex(of: "all"),
      let label = classes.firstIndex(of: "all")
    else { return [] }
    var rows: [ResultsContents.Row] = []
    for (entry, name) in entries.enumerated() {
      for (origin, title) in origins.enumerated() {
        let place = (entry * origins.count + origin) * activities.count + activity
        let values = values(at: place, label)
        if !values.isEmpty { rows.append(.init(name: name, origin: title, values: values)) }
      }
    }
    return rows
  }

  private func values(at place: Int, _ label: Int) -> [ResultsContents.Value] {
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
      guard !isBound(name, of: cells), let value = number(name) else { return nil }
      let method = cell(texts[name + "_method"])
      return ResultsContents.Value(
        name: name, value: value, lower: number(name + "_lo"), upper: number(name + "_hi"),
        unit: cells[name]?.unit ?? "1", method: method == "none" ? nil : method,
        count: integer(name + "_events"), clusters: integer(name + "_clusters"))
    }
  }
}

/// Whether a column is the bound of another one.
private func isBound(_ name: String, of columns: [String: some Any]) -> Bool {
  ["_lo", "_hi"].contains { name.hasSuffix($0) && columns[String(name.dropLast(3))] != nil }
}

extension HDF5Dataset {
  /// A column of codes as texts; nil if it has no readable table of them.
  fileprivate func codedTexts() throws(HDF5Error) -> [String]? {
    guard let codes = try attributeArray("flag_values", as: Int32.self),
      let meanings = try textAttribute("flag_meanings"),
      case .success(let table) = FlagTable.reading(codes: codes, meanings: meanings)
    else { return nil }
    let values: [Int32] = try read()
    return values.map { table.names[$0] ?? "" }
  }
}
