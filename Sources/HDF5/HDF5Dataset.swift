internal import CHDF5

/// A dataset of an open file: numbers along one or more dimensions, the last varying fastest.
package final class HDF5Dataset: HDF5Object {
  /// The size along each dimension; empty for a single value.
  package let shape: [Int]
  package let storedType: HDF5StoredType
  /// The product of the shape.
  package let count: Int

  /// Takes ownership of the identifier of a dataset that was just opened.
  init(file: HDF5File, path: String, opened id: hid_t) throws(HDF5Error) {
    let place = HDF5Place(file: file.path, object: path)
    do throws(HDF5Error) {
      shape = try place.shape(ofDataset: id)
      storedType = try place.storedType(ofDataset: id)
    } catch {
      H5Dclose(id)
      throw error
    }
    count = shape.reduce(1) { $0.multipliedClamped(by: $1) }
    super.init(
      file: file, path: path, id: id, closing: (operation: "H5Dclose", call: { H5Dclose($0) }))
  }

  package func write<Element: HDF5Number>(_ values: [Element]) throws(HDF5Error) {
    try write(values, at: [Int](repeating: 0, count: shape.count), count: shape)
  }

  /// Writes the block that starts at `start` and is `count` long along each dimension.
  /// - Throws: also if the dataset has another number type: nothing is rounded.
  package func write<Element: HDF5Number>(
    _ values: [Element], at start: [Int], count: [Int]
  ) throws(HDF5Error) {
    guard storedType == HDF5StoredType(Element.hdf5Type) else {
      throw place.failure(
        "H5Dwrite", "expected a dataset of \(Element.hdf5Type), found \(storedType)")
    }
    try requireBlock(start, count, within: values.count, "H5Dwrite")
    guard !count.contains(0) else { return }
    try HDF5Library.locked { () throws(HDF5Error) in
      try withSpaces(start, count) { memory, space throws(HDF5Error) in
        let result = values.withUnsafeBytes {
          H5Dwrite(id, Element.hdf5Type.inMemory, memory, space, chdf5_default(), $0.baseAddress)
        }
        try place.check("H5Dwrite", result)
      }
    }
  }

  /// Reads all elements.
  /// - Throws: also if the file states more elements than it can contain, before memory is
  ///   allocated for them.
  package func read<Element: HDF5Number>(
    _ type: Element.Type = Element.self
  ) throws(HDF5Error) -> [Element] {
    try checkStorage()
    var values = zeros(count, of: Element.self)
    try read(into: &values, at: [Int](repeating: 0, count: shape.count), count: shape)
    return values
  }

  /// Reads a range of a dataset with one dimension.
  package func read<Element: HDF5Number>(
    _ range: Range<Int>, as type: Element.Type = Element.self
  ) throws(HDF5Error) -> [Element] {
    var values = zeros(range.count, of: Element.self)
    try read(into: &values, at: [range.lowerBound], count: [range.count])
    return values
  }

  /// Reads a block into the first elements of an array that is long enough for it.
  package func read<Element: HDF5Number>(
    into values: inout [Element], at start: [Int], count: [Int]
  ) throws(HDF5Error) {
    guard storedType.isReadable(as: Element.hdf5Type) else {
      throw place.failure("H5Dread", "expected \(Element.hdf5Type), found \(storedType)")
    }
    try requireBlock(start, count, within: values.count, "H5Dread")
    guard !count.contains(0) else { return }
    try HDF5Library.locked { () throws(HDF5Error) in
      try withSpaces(start, count) { memory, space throws(HDF5Error) in
        let result = values.withUnsafeMutableBytes {
          H5Dread(id, Element.hdf5Type.inMemory, memory, space, chdf5_default(), $0.baseAddress)
        }
        try place.check("H5Dread", result)
      }
    }
  }

  /// Checks that the file stores as much data as the dataset's shape states.
  ///
  /// A damaged shape can state any size, so memory must not be allocated for it without a check.
  /// gzip compresses by a factor of at most 1032 (zlib's technical details, "Maximum Compression
  /// Factor"), so a dataset cannot contain more than 1032 times its stored bytes.
  package func checkStorage() throws(HDF5Error) {
    guard count > 0 else { return }
    try HDF5Library.locked { () throws(HDF5Error) in
      let creation = try place.check("H5Dget_create_plist", H5Dget_create_plist(id))
      defer { H5Pclose(creation) }
      let isChunked = H5Pget_layout(creation) == H5D_CHUNKED
      let stored = Int(clamping: H5Dget_storage_size(id))
      let claimed = count.multipliedClamped(by: elementSize)
      let possible = stored.multipliedClamped(by: isChunked ? 1032 : 1)
      guard claimed <= possible else {
        throw place.failure(
          "H5Dread", "the file claims \(count) elements but stores only \(stored) bytes for them")
      }
      if isChunked { try checkChunk(creation) }
    }
  }

  /// Checks the size of a chunk too: the library allocates whole chunks.
  private func checkChunk(_ creation: hid_t) throws(HDF5Error) {
    var sizes = [hsize_t](repeating: 0, count: shape.count)
    try place.check("H5Pget_chunk", H5Pget_chunk(creation, Int32(sizes.count), &sizes))
    let size = sizes.reduce(elementSize) { $0.multipliedClamped(by: Int(clamping: $1)) }
    guard size <= Self.largestChunk else {
      throw place.failure("H5Dread", "the file claims chunks of \(size) bytes")
    }
  }

  /// The largest accepted chunk, 64 MiB: many times what writers produce.
  private static let largestChunk = 1 << 26

  private var elementSize: Int {
    switch storedType {
    case .integer(let byteCount, _), .float(let byteCount): byteCount
    case .string, .other: 1
    }
  }

  private func requireBlock(
    _ start: [Int], _ count: [Int], within available: Int, _ operation: String
  ) throws(HDF5Error) {
    let fits =
      start.count == shape.count && count.count == shape.count
      && zip(zip(start, count), shape).allSatisfy { block, size in
        block.0 >= 0 && block.1 >= 0 && block.0 <= size && block.1 <= size - block.0
      }
    guard fits else {
      throw place.failure(operation, "a block of \(count) at \(start) exceeds the shape \(shape)")
    }
    guard count.reduce(1, { $0.multipliedClamped(by: $1) }) <= available else {
      throw place.failure(operation, "\(available) elements are too few for a block of \(count)")
    }
  }

  /// Creates the dataspaces of a block: in memory and in the dataset.
  private func withSpaces(
    _ start: [Int], _ count: [Int], _ body: (hid_t, hid_t) throws(HDF5Error) -> Void
  ) throws(HDF5Error) {
    if shape.isEmpty { return try body(chdf5_whole_space(), chdf5_whole_space()) }
    let space = try place.check("H5Dget_space", H5Dget_space(id))
    defer { H5Sclose(space) }
    let starts = start.map { hsize_t($0) }
    let counts = count.map { hsize_t($0) }
    try place.check(
      "H5Sselect_hyperslab",
      H5Sselect_hyperslab(space, H5S_SELECT_SET, starts, nil, counts, nil))
    try place.withSpace(count) { memory throws(HDF5Error) in try body(memory, space) }
  }
}

extension HDF5Dataset {
  /// Reads all texts of a dataset of variable-length texts, the form in which netCDF libraries
  /// write the names of coordinates.
  /// - Throws: also if they are of fixed length or not UTF-8, or more than `most`.
  package func readTexts(most: Int) throws(HDF5Error) -> [String] {
    guard count <= most else {
      throw place.failure("H5Dread", "expected at most \(most) texts, found \(count)")
    }
    guard count > 0 else { return [] }
    return try HDF5Library.locked { () throws(HDF5Error) in
      let type = try place.check("H5Dget_type", H5Dget_type(id))
      defer { H5Tclose(type) }
      guard H5Tget_class(type) == H5T_STRING, H5Tis_variable_str(type) > 0 else {
        throw place.failure("H5Dread", "expected texts of variable length, found \(storedType)")
      }
      var pointers = [UnsafeMutablePointer<CChar>?](repeating: nil, count: count)
      defer { for pointer in pointers { H5free_memory(pointer) } }
      let result = pointers.withUnsafeMutableBytes {
        H5Dread(id, type, chdf5_whole_space(), chdf5_whole_space(), chdf5_default(), $0.baseAddress)
      }
      try place.check("H5Dread", result)
      var texts: [String] = []
      for pointer in pointers {
        guard let text = pointer.map({ String(validatingCString: $0) }) ?? "" else {
          throw place.failure("H5Dread", "expected UTF-8, found other bytes")
        }
        texts.append(text)
      }
      return texts
    }
  }
}

extension HDF5Place {
  fileprivate func shape(ofDataset id: hid_t) throws(HDF5Error) -> [Int] {
    let space = try check("H5Dget_space", H5Dget_space(id))
    defer { H5Sclose(space) }
    return try shape(ofSpace: space)
  }

  func shape(ofSpace space: hid_t) throws(HDF5Error) -> [Int] {
    switch H5Sget_simple_extent_type(space) {
    case H5S_SCALAR: return []
    case H5S_SIMPLE: break
    default: return [0]
    }
    let rank = try check("H5Sget_simple_extent_ndims", H5Sget_simple_extent_ndims(space))
    var sizes = [hsize_t](repeating: 0, count: Int(rank))
    try check("H5Sget_simple_extent_dims", H5Sget_simple_extent_dims(space, &sizes, nil))
    return sizes.map { Int(clamping: $0) }
  }

  fileprivate func storedType(ofDataset id: hid_t) throws(HDF5Error) -> HDF5StoredType {
    let type = try check("H5Dget_type", H5Dget_type(id))
    defer { H5Tclose(type) }
    return HDF5StoredType(type)
  }
}

/// Returns an array to read into. For a generic element type `repeating:` would copy element by
/// element, which takes a tenth of the time of reading a large trace. Zero has all bits clear in
/// every number type.
private func zeros<Element: HDF5Number>(_ count: Int, of type: Element.Type) -> [Element] {
  [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
    UnsafeMutableRawBufferPointer(buffer).initializeMemory(as: UInt8.self, repeating: 0)
    initialized = count
  }
}
