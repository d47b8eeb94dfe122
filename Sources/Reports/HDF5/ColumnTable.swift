package import HDF5

/// The columns of a group that share one dimension: a counter from 0 is its scale, so that every
/// reader knows the dimension by name.
package struct ColumnTable {
  private let group: HDF5Group
  private let dimension: String
  private let count: Int
  private var columns: [HDF5Dataset] = []

  package init(_ group: HDF5Group, dimension: String, count: Int) {
    self.group = group
    self.dimension = dimension
    self.count = count
  }

  /// Nanoseconds from the trace's start.
  package mutating func times(_ name: String, _ values: [Int64]) throws(HDF5Error) {
    try add(name, values, unit: "ns")
  }

  package mutating func floats(_ name: String, _ values: [Double], unit: String) throws(HDF5Error) {
    try add(name, values, unit: unit.isEmpty ? "1" : unit)
  }

  /// Integers; `missing` is the value that stands for none, and is named as a flag.
  package mutating func integers(
    _ name: String, _ values: [Int32], note: String, missing: Int32?
  ) throws(HDF5Error) {
    let dataset = try add(name, values, unit: nil)
    try dataset.setAttribute("comment", note)
    if let missing {
      try dataset.setAttribute("flag_values", [missing])
      try dataset.setAttribute("flag_meanings", "none")
    }
  }

  /// Texts as codes: `int8` as long as there are few enough of them, else `int32`.
  /// - Parameter all: every text that such a column can hold, so that a code means the same in all
  ///   runs; nil = those that this one holds.
  package mutating func codes(
    _ name: String, _ texts: [String], of all: [String]? = nil
  ) throws(HDF5Error) {
    let table = FlagTable(texts: (all ?? []) + texts)
    let codes = texts.map { table.codesByName[$0] ?? 0 }
    let dataset: HDF5Dataset
    if table.codes.count <= Int(Int8.max) {
      dataset = try add(name, codes.map { Int8(clamping: $0) }, unit: nil)
      try dataset.setAttribute("flag_values", table.codes.map { Int8(clamping: $0) })
    } else {
      dataset = try add(name, codes, unit: nil)
      try dataset.setAttribute("flag_values", table.codes)
    }
    try dataset.setAttribute("flag_meanings", table.meanings)
  }

  /// Gives the columns their dimension.
  package func finish() throws(HDF5Error) {
    let scale = try group.createDataset(dimension, of: Int64.self, shape: [count])
    try scale.write((0..<count).map(Int64.init))
    try scale.makeScale()
    try group.attachScales(columns.map { (dataset: $0, scales: [scale]) })
  }

  @discardableResult
  private mutating func add<Element: HDF5Number>(
    _ name: String, _ values: [Element], unit: String?
  ) throws(HDF5Error) -> HDF5Dataset {
    let dataset = try group.createDataset(name, of: Element.self, shape: [count])
    try dataset.write(values)
    if let unit { try dataset.setAttribute("units", unit) }
    columns.append(dataset)
    return dataset
  }
}
