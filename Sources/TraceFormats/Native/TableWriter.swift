internal import HDF5
internal import TraceModel

/// Writes a group whose columns have one length.
final class TableWriter {
  private let group: HDF5Group
  private let count: Int
  private let isPacked: Bool
  private var dimension: HDF5Dataset?
  private var columns: [HDF5Dataset] = []

  init(_ group: HDF5Group, count: Int, isPacked: Bool = true) {
    (self.group, self.count, self.isPacked) = (group, count, isPacked)
  }

  /// Creates a column that is filled later.
  func makeColumn<Element: HDF5Number>(
    _ column: NativeColumn, of type: Element.Type
  ) throws(HDF5Error) -> HDF5Dataset {
    let dataset = try makeDataset(column, of: type)
    columns.append(dataset)
    return dataset
  }

  /// Creates the column that is the dimension of the others.
  func makeDimension<Element: HDF5Number>(
    _ column: NativeColumn, of type: Element.Type
  ) throws(HDF5Error) -> HDF5Dataset {
    let dataset = try makeDataset(column, of: type)
    dimension = dataset
    return dataset
  }

  func add<Element: HDF5Number>(_ column: NativeColumn, _ values: [Element]) throws(HDF5Error) {
    try makeColumn(column, of: Element.self).write(values)
  }

  func addDimension<Element: HDF5Number>(
    _ column: NativeColumn, _ values: [Element]
  ) throws(HDF5Error) { try makeDimension(column, of: Element.self).write(values) }

  /// Adds a dimension that only numbers the rows.
  func addNumbers(_ column: NativeColumn) throws(HDF5Error) {
    try addDimension(column, (0..<count).map { Int64($0) })
  }

  /// Adds texts as codes: of 8 bits, or of 32 if there are too many for 8.
  func addTexts(_ column: NativeColumn, _ texts: [String]) throws(HDF5Error) {
    var column = column
    let table = FlagTable(texts: texts)
    column.flags = table
    let codes = table.codesByName
    let values = texts.map { codes[$0] ?? 0 }
    if values.allSatisfy({ $0 <= Int8.max }) {
      try add(column, values.map { Int8($0) })
    } else {
      try add(column, values)
    }
  }

  /// Attaches the columns to their dimension and closes everything.
  func finish() throws(HDF5Error) {
    if let dimension {
      try dimension.makeScale()
      try group.attachScales(columns.map { ($0, [dimension]) })
      try dimension.close()
    }
    for column in columns { try column.close() }
    try group.close()
  }

  private func makeDataset<Element: HDF5Number>(
    _ column: NativeColumn, of type: Element.Type
  ) throws(HDF5Error) -> HDF5Dataset {
    let dataset = try group.createDataset(
      column.name, of: type, shape: [count], layout: layout(of: type))
    if !column.units.isEmpty { try dataset.setAttribute("units", column.units) }
    try dataset.setAttribute("long_name", column.longName)
    if let name = column.standardName { try dataset.setAttribute("standard_name", name) }
    if let digits = Element.decimalDigits { try dataset.setAttribute("precision", digits) }
    if let flags = column.flags { try dataset.setFlags(flags, as: type) }
    return dataset
  }

  private func layout<Element: HDF5Number>(of type: Element.Type) -> HDF5Layout {
    switch HDF5Layout.standard(shape: [count], elementSize: Element.hdf5Type.byteCount) {
    case .chunked(_, let level) where isPacked:
      .chunked([min(count, NativeSchema.chunkRows)], level: level)
    default: .contiguous
    }
  }
}

extension HDF5Dataset {
  /// - Parameter type: a type of integers.
  fileprivate func setFlags(_ table: FlagTable, as type: any HDF5Number.Type) throws(HDF5Error) {
    if type is Int8.Type {
      try setAttribute("flag_values", table.codes.map { Int8(truncatingIfNeeded: $0) })
    } else {
      try setAttribute("flag_values", table.codes)
    }
    try setAttribute("flag_meanings", table.meanings)
  }
}

extension HDF5Number {
  /// The significant decimal digits that the type keeps (C's FLT_DIG and DBL_DIG).
  fileprivate static var decimalDigits: Int32? {
    switch hdf5Type {
    case .float32: 6
    case .float64: 15
    case .int8, .int32, .int64, .uint64: nil
    }
  }
}
