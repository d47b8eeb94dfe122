internal import Files
internal import HDF5
internal import TraceModel

/// Reads a group whose columns have one length, and notes what is not read.
final class TableReader {
  let group: HDF5Group
  let rows: Int
  private let epoch: String
  private var known: Set<String> = []

  /// - Parameter first: a column that the group must have; all others have its length.
  init(_ group: HDF5Group, epoch: String, first: NativeColumn) throws(TraceError) {
    (self.group, self.epoch) = (group, epoch)
    rows = try Self.open(first, in: group)?.shape.first ?? 0
  }

  /// Returns a column that is read in blocks; nil = the group lacks this optional column.
  func dataset(_ column: NativeColumn, as type: HDF5NumberType) throws(TraceError) -> HDF5Dataset? {
    known.insert(column.name)
    guard let dataset = try Self.open(column, in: group) else { return nil }
    try check(dataset, column, type)
    return dataset
  }

  private static func open(
    _ column: NativeColumn, in group: HDF5Group
  ) throws(TraceError) -> HDF5Dataset? {
    let kind = try stored(group.kind(of: column.name))
    guard kind == .dataset else {
      if kind == nil, !column.isRequired { return nil }
      throw TraceError(
        place: "\(group.file.path):\(group.path)/\(column.name)", expected: "a dataset",
        found: kind == nil ? "none" : "something else",
        remedy: "see traces/FORMAT.md for the columns that a group must have")
    }
    return try stored(group.openDataset(column.name))
  }

  /// Checks everything that does not need the values.
  private func check(
    _ dataset: HDF5Dataset, _ column: NativeColumn, _ type: HDF5NumberType
  ) throws(TraceError) {
    guard dataset.storedType.isReadable(as: type) else {
      throw TraceError(place: place(column), expected: "\(type)", found: "\(dataset.storedType)")
    }
    guard dataset.shape == [rows] else {
      throw TraceError(
        place: place(column), expected: "one dimension of \(rows), like the group's first column",
        found: "a shape of \(dataset.shape)")
    }
    if !column.units.isEmpty {
      let units = try stored(dataset.textAttribute("units"))
      guard units == column.units else {
        throw TraceError(
          place: place(column) + "@units", expected: "'\(column.units)'",
          found: units.map { "'\($0)'" } ?? "no such attribute")
      }
    }
    try stored(dataset.checkStorage())
  }

  /// - Throws: if the rows, which are read as a whole, would fill the memory.
  private func requireBudget() throws(TraceError) {
    let path = group.file.path
    try ReaderBudget.requireUnpacked(
      min(rows, 1 << 40) * Self.bytesPerRow, from: TracePath.size(of: path),
      each: ReaderBudget.columnsForEach, path, remedy: ReaderBudget.repack)
  }

  /// About what a reference takes from the file to the score.
  private static let bytesPerRow = 1024

  /// Returns a column of times, which must count from the trace's zero.
  func timeDataset(_ column: NativeColumn) throws(TraceError) -> HDF5Dataset? {
    try dataset(column.asTime(epoch: epoch), as: .int64)
  }

  func times(_ column: NativeColumn) throws(TraceError) -> [Int64] {
    try requireBudget()
    return try timeDataset(column).map { dataset throws(TraceError) in try stored(dataset.read()) }
      ?? []
  }

  /// Returns a whole column; nil = the group lacks this optional column.
  func values<Element: HDF5Number>(
    _ column: NativeColumn, as type: Element.Type = Element.self
  ) throws(TraceError) -> [Element]? {
    guard let dataset = try dataset(column, as: Element.hdf5Type) else { return nil }
    try requireBudget()
    return try stored(dataset.read())
  }

  /// Returns a column of codes by their names; nil = the group lacks this optional column.
  func decoded<Element>(
    _ column: NativeColumn, _ element: (String) -> Element?
  ) throws(TraceError) -> [Element]? {
    guard let dataset = try dataset(column, as: .int32) else { return nil }
    try requireBudget()
    let table = try flags(dataset)
    return try decode(stored(dataset.read()), table, column, from: 0, element)
  }

  /// The table of a column of codes.
  func flags(_ dataset: HDF5Dataset) throws(TraceError) -> FlagTable {
    let place = "\(dataset.file.path):\(dataset.path)"
    guard let codes = try stored(dataset.attributeArray("flag_values", as: Int32.self)),
      let meanings = try stored(dataset.textAttribute("flag_meanings"))
    else {
      throw TraceError(
        place: place, expected: "the attributes flag_values and flag_meanings",
        found: "one of them or none")
    }
    switch FlagTable.reading(codes: codes, meanings: meanings) {
    case .success(let table): return table
    case .failure(let error):
      throw TraceError(
        place: place + "@flag_meanings",
        expected: "a word for each flag value, with other characters as + and two hex digits",
        found: error.found)
    }
  }

  /// Returns the values that codes stand for, by name.
  func decode<Element>(
    _ codes: [Int32], _ table: FlagTable, _ column: NativeColumn, from row: Int,
    _ element: (String) -> Element?
  ) throws(TraceError) -> [Element] {
    let elements = table.names.compactMapValues(element)
    var decoded: [Element] = []
    decoded.reserveCapacity(codes.count)
    for (position, code) in codes.enumerated() {
      guard let element = elements[code] else {
        let name = table.names[code].map { " ('\($0)')" } ?? ""
        throw TraceError(
          place: place(column), expected: "a known code",
          found: "\(code)\(name) in row \(row + position)")
      }
      decoded.append(element)
    }
    return decoded
  }

  /// The paths of datasets and attributes of the group that were not read.
  /// - Parameter ignored: columns without information.
  func unread(ignoring ignored: [NativeColumn] = []) throws(TraceError) -> [String] {
    let names = try stored(group.links())
    let read = known.union(ignored.map(\.name))
    return names.filter { !read.contains($0) }.map { "\(group.path)/\($0)" }
  }

  func place(_ column: NativeColumn) -> String { "\(group.file.path):\(group.path)/\(column.name)" }
}
