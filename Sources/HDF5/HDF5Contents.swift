/// What a group of a file holds, described before it is written.
package struct HDF5Contents {
  package var attributes: [HDF5Attribute]
  package var scalars: [HDF5Column]
  /// Columns of one length that share one dimension; not empty. A counter from 0 is the scale of
  /// the dimension, so that every reader knows it by name.
  package var table: (dimension: String, columns: [HDF5Column])?
  /// Columns over several named dimensions; nil = none.
  package var grid: HDF5Grid?
  /// The groups in this one by their names, see ``HDF5Names``.
  package var groups: [(String, HDF5Contents)]

  package init(
    attributes: [HDF5Attribute], scalars: [HDF5Column], groups: [(String, HDF5Contents)]
  ) { (self.attributes, self.scalars, self.groups) = (attributes, scalars, groups) }

  /// Writes a file whose root group has these contents.
  ///
  /// - Throws: ``HDF5Error``; no new file is left then, and an existing one is unchanged.
  package func write(to path: String) throws(HDF5Error) {
    let file = try HDF5File.create(atomicallyAt: path)
    let root = try file.root()
    try root.write(self)
    try root.close()
    try file.commit()
  }
}

/// Row-major columns of one or more dimensions, whose coordinates are names or numbers.
package struct HDF5Grid {
  package enum Coordinate {
    case names([String])
    /// Times in ns.
    case times([Int64])

    var count: Int {
      switch self {
      case .names(let names): names.count
      case .times(let times): times.count
      }
    }
  }

  /// The dimensions by their names; not empty.
  package var coordinates: [(name: String, values: Coordinate)]
  /// The columns, each with the positions of its dimensions in `coordinates`.
  package var columns: [(column: HDF5Column, dimensions: [Int])]

  package init(
    _ coordinates: [(name: String, values: Coordinate)],
    _ columns: [(column: HDF5Column, dimensions: [Int])]
  ) { (self.coordinates, self.columns) = (coordinates, columns) }
}

/// An attribute before it is written.
package struct HDF5Attribute {
  fileprivate var set: (HDF5Object) throws(HDF5Error) -> Void

  package init(_ name: String, _ text: String) {
    set = { object throws(HDF5Error) in try object.setAttribute(name, text) }
  }

  package init(_ name: String, _ number: some HDF5Number) {
    set = { object throws(HDF5Error) in try object.setAttribute(name, number) }
  }

  package init(_ name: String, _ numbers: [some HDF5Number]) {
    set = { object throws(HDF5Error) in try object.setAttribute(name, numbers) }
  }
}

/// The texts of columns of codes that share them: a code has the same meaning in all these columns.
/// The codes are settled when the columns are written, after all of them are described.
package final class HDF5Vocabulary {
  fileprivate var texts: Set<String>

  /// - Parameter texts: the texts that the columns can have, whether they occur or not.
  package init(_ texts: some Sequence<String> = []) { self.texts = Set(texts) }
}

/// A column of numbers, or a single one, before it is written.
package struct HDF5Column {
  package let name: String
  package var attributes: [HDF5Attribute] = []
  fileprivate var count: Int
  private var create: (HDF5Group, [Int]) throws(HDF5Error) -> HDF5Dataset

  /// - Parameter layout: nil = ``HDF5Layout/standard(shape:elementSize:)``.
  package init<Element: HDF5Number>(
    _ name: String, _ values: [Element], _ attributes: [HDF5Attribute], layout: HDF5Layout? = nil
  ) {
    (self.name, self.attributes) = (name, attributes)
    count = values.count
    create = { group, shape throws(HDF5Error) in
      let dataset = try group.createDataset(name, of: Element.self, shape: shape, layout: layout)
      try dataset.write(values)
      return dataset
    }
  }

  private init(
    _ name: String, count: Int,
    create: @escaping (HDF5Group, [Int]) throws(HDF5Error) -> HDF5Dataset
  ) { (self.name, self.count, self.create) = (name, count, create) }

  private static func coded<Code: HDF5Number & FixedWidthInteger>(
    _ name: String, _ texts: [String], _ table: FlagTable, as type: Code.Type
  ) -> HDF5Column {
    let codesByName = table.codesByName
    return HDF5Column(
      name, texts.map { Code(clamping: codesByName[$0] ?? 0) },
      flagAttributes(table.codes.map { Code(clamping: $0) }, table.meanings))
  }

  /// Numbers; nil is NaN.
  package static func floats(_ name: String, _ values: [Double?], unit: String = "") -> HDF5Column {
    HDF5Column(name, values.map { $0 ?? .nan }, [HDF5Attribute("units", unit.isEmpty ? "1" : unit)])
  }

  /// Integers; `missing` stands for nil, and is described as a flag.
  package static func integers(
    _ name: String, _ values: [Int32], note: String, missing: Int32? = nil
  ) -> HDF5Column {
    let flags = missing.map { flagAttributes([$0], "none") } ?? []
    return HDF5Column(name, values, [HDF5Attribute("comment", note)] + flags)
  }

  /// Names and other texts that differ in most rows, as they are.
  package static func texts(_ name: String, _ texts: [String]) -> HDF5Column {
    HDF5Column(name, count: texts.count) { group, _ throws(HDF5Error) in
      try group.createTexts(name, texts)
    }
  }

  /// Non-negative integers of 64 bits; nil is -1, which is then described as a flag.
  package static func counts(
    _ name: String, _ values: [Int?], note: String, unit: String? = nil
  ) -> HDF5Column {
    let flags = values.contains(nil) ? flagAttributes([-1 as Int64], "none") : []
    let units = unit.map { [HDF5Attribute("units", $0)] } ?? []
    return HDF5Column(
      name, values.map { Int64($0 ?? -1) }, units + [HDF5Attribute("comment", note)] + flags)
  }

  /// Booleans, as 1 or 0.
  package static func flags(_ name: String, _ values: [Bool], note: String) -> HDF5Column {
    HDF5Column(name, values.map { $0 ? 1 : 0 as Int8 }, [HDF5Attribute("comment", note)])
  }

  /// Texts as codes: `int8`, or `int32` if there are too many.
  package static func codes(
    _ name: String, _ texts: [String], in vocabulary: HDF5Vocabulary = HDF5Vocabulary()
  ) -> HDF5Column {
    vocabulary.texts.formUnion(texts)
    return HDF5Column(name, count: texts.count) { group, shape throws(HDF5Error) in
      let table = FlagTable(texts: vocabulary.texts)
      return try table.codes.count <= Int(Int8.max)
        ? coded(name, texts, table, as: Int8.self).write(to: group, shape: shape)
        : coded(name, texts, table, as: Int32.self).write(to: group, shape: shape)
    }
  }

  /// The codes of all cases are in the file, whether they occur or not.
  package static func codes<Kind: CaseIterable & RawRepresentable<String>>(
    _ name: String, _ values: [Kind]
  ) -> HDF5Column {
    codes(name, values.map(\.rawValue), in: HDF5Vocabulary(Kind.allCases.map(\.rawValue)))
  }

  private static func flagAttributes(
    _ codes: [some HDF5Number], _ meanings: String
  ) -> [HDF5Attribute] {
    [HDF5Attribute("flag_values", codes), HDF5Attribute("flag_meanings", meanings)]
  }

  @discardableResult
  fileprivate func write(to group: HDF5Group, shape: [Int]) throws(HDF5Error) -> HDF5Dataset {
    let dataset = try create(group, shape)
    for attribute in attributes { try attribute.set(dataset) }
    return dataset
  }
}

extension HDF5Group {
  fileprivate func write(_ contents: HDF5Contents) throws(HDF5Error) {
    for attribute in contents.attributes { try attribute.set(self) }
    for scalar in contents.scalars { try scalar.write(to: self, shape: []) }
    if let (dimension, columns) = contents.table { try write(columns, over: dimension) }
    if let grid = contents.grid { try write(grid) }
    var names = HDF5Names(taken: contents.scalars.map(\.name))
    for (name, contents) in contents.groups {
      let link = names.next(name)
      let group = try createGroup(link)
      if HDF5Names.name(of: link) != name { try group.setName(name) }
      try group.write(contents)
    }
  }

  private func write(_ grid: HDF5Grid) throws(HDF5Error) {
    var scales: [HDF5Dataset] = []
    for (name, values) in grid.coordinates {
      switch values {
      case .names(let names): scales.append(try createTexts(name, names))
      case .times(let times):
        let scale = try createDataset(name, of: Int64.self, shape: [times.count])
        try scale.write(times)
        try scale.setAttribute("units", "ns")
        scales.append(scale)
      }
    }
    var uses: [(dataset: HDF5Dataset, scales: [HDF5Dataset])] = []
    for (column, dimensions) in grid.columns {
      let own = dimensions.map { scales[$0] }
      let shape = dimensions.map { grid.coordinates[$0].values.count }
      uses.append((try column.write(to: self, shape: shape), own))
    }
    try attachScales(uses)
  }

  private func write(_ columns: [HDF5Column], over dimension: String) throws(HDF5Error) {
    let count = columns[0].count
    let scale = try createDataset(dimension, of: Int64.self, shape: [count])
    try scale.write((0..<count).map(Int64.init))
    try scale.makeScale()
    var uses: [(dataset: HDF5Dataset, scales: [HDF5Dataset])] = []
    for column in columns { uses.append((try column.write(to: self, shape: [count]), [scale])) }
    try attachScales(uses)
  }
}
