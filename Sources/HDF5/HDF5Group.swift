internal import CHDF5

/// A group of an open file: a folder of datasets and groups.
package final class HDF5Group: HDF5Object {
  /// The target of a link in a group.
  package enum LinkKind: Hashable, Sendable {
    case group
    case dataset
    /// A named type, or a dangling link.
    case other
  }

  init(file: HDF5File, path: String, id: hid_t) {
    super.init(
      file: file, path: path, id: id, closing: (operation: "H5Gclose", call: { H5Gclose($0) }))
  }

  /// Returns the names of the group's members, sorted by their bytes.
  package func links() throws(HDF5Error) -> [String] {
    try HDF5Library.locked { () throws(HDF5Error) in
      try place.names("H5Literate") { chdf5_for_each_link(id, $0) }
    }
  }

  /// Returns the target of a name; nil if the group has no such name.
  package func kind(of name: String) throws(HDF5Error) -> LinkKind? {
    try HDF5Library.locked { () throws(HDF5Error) in
      let place = child(name)
      let exists = try place.check("H5Lexists", H5Lexists(id, name, chdf5_default()))
      guard exists > 0 else { return nil }
      try requireInside(name)
      // An object that exists but cannot be opened is damaged and must not count as another kind.
      let leads = try place.check("H5Oexists_by_name", H5Oexists_by_name(id, name, chdf5_default()))
      guard leads > 0 else { return .other }
      let object = try place.check("H5Oopen", H5Oopen(id, name, chdf5_default()))
      defer { H5Oclose(object) }
      switch H5Iget_type(object) {
      case H5I_GROUP: return .group
      case H5I_DATASET: return .dataset
      default: return .other
      }
    }
  }

  /// Calls `body` with the name and the group of each link to a group, as ``HDF5Contents`` writes them.
  package func forEachGroup(
    _ body: (String, HDF5Group) throws(HDF5Error) -> Void
  ) throws(HDF5Error) {
    for link in try links() where try kind(of: link) == .group {
      let group = try openGroup(link)
      try body(group.textAttribute("name") ?? HDF5Names.name(of: link), group)
    }
  }

  /// Creates a group in this one. The name must not be empty or contain `/`.
  package func createGroup(_ name: String) throws(HDF5Error) -> HDF5Group {
    try HDF5Library.locked { () throws(HDF5Error) in
      let place = child(name)
      try place.requireName(name)
      return try place.withProperties(chdf5_group_create()) { creation throws(HDF5Error) in
        try place.makeReproducible(group: creation)
        let group = try place.check(
          "H5Gcreate2", H5Gcreate2(id, name, chdf5_default(), creation, chdf5_default()))
        return HDF5Group(file: file, path: place.object, id: group)
      }
    }
  }

  package func openGroup(_ name: String) throws(HDF5Error) -> HDF5Group {
    try HDF5Library.locked { () throws(HDF5Error) in
      let place = child(name)
      try requireInside(name)
      let group = try place.check("H5Gopen2", H5Gopen2(id, name, chdf5_default()))
      return HDF5Group(file: file, path: place.object, id: group)
    }
  }

  package func openDataset(_ name: String) throws(HDF5Error) -> HDF5Dataset {
    try HDF5Library.locked { () throws(HDF5Error) in
      let place = child(name)
      try requireInside(name)
      let dataset = try place.check("H5Dopen2", H5Dopen2(id, name, chdf5_default()))
      guard chdf5_stores_outside(dataset) == 0 else {
        H5Dclose(dataset)
        throw place.failure(
          "H5Dopen2",
          "its values lie in another file, which is not read; copy them into this one, e.g. with "
            + "h5repack")
      }
      return try HDF5Dataset(file: file, path: place.object, opened: dataset)
    }
  }

  /// Creates a dataset in this group. Floats have NaN as their fill value and as the attribute
  /// `_FillValue`; integers have none.
  ///
  /// - Parameters:
  ///   - shape: the size along each dimension, each 0 or more; empty = a single value.
  ///   - layout: the storage layout; nil = ``HDF5Layout/standard(shape:elementSize:)``.
  package func createDataset<Element: HDF5Number>(
    _ name: String, of type: Element.Type, shape: [Int], layout: HDF5Layout? = nil
  ) throws(HDF5Error) -> HDF5Dataset {
    let kind = Element.hdf5Type
    let layout = layout ?? .standard(shape: shape, elementSize: kind.byteCount)
    let dataset = try HDF5Library.locked { () throws(HDF5Error) in
      let place = child(name)
      try place.requireName(name)
      return try place.withProperties(chdf5_dataset_create()) { creation throws(HDF5Error) in
        try place.makeReproducible(creation)
        try place.apply(layout, elementSize: kind.byteCount, to: creation)
        try place.setFillValue(of: Element.self, in: creation)
        return try place.withSpace(shape) { space throws(HDF5Error) in
          let dataset = try place.check(
            "H5Dcreate2",
            H5Dcreate2(
              id, name, kind.inFile, space, chdf5_default(), creation, chdf5_default()))
          return try HDF5Dataset(file: file, path: place.object, opened: dataset)
        }
      }
    }
    if let fill = Element.hdf5FillValue { try dataset.setAttribute("_FillValue", fill) }
    return dataset
  }

  /// Creates a dataset of texts in UTF-8, of one dimension and of any length: readers take them as
  /// the names of coordinates.
  func createTexts(_ name: String, _ texts: [String]) throws(HDF5Error) -> HDF5Dataset {
    // A NUL would end the text for the library.
    let bytes = texts.map { Array($0.utf8.filter { $0 != 0 }) + [0] }
    let starts = bytes.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.count) }
    return try HDF5Library.locked { () throws(HDF5Error) in
      let place = child(name)
      try place.requireName(name)
      let type = try place.check("H5Tcopy", H5Tcopy(chdf5_c_string()))
      defer { H5Tclose(type) }
      try place.check("H5Tset_size", H5Tset_size(type, chdf5_variable_size()))
      try place.check("H5Tset_cset", H5Tset_cset(type, H5T_CSET_UTF8))
      return try place.withProperties(chdf5_dataset_create()) { creation throws(HDF5Error) in
        try place.makeReproducible(creation)
        return try place.withSpace([texts.count]) { space throws(HDF5Error) in
          let id = try place.check(
            "H5Dcreate2",
            H5Dcreate2(self.id, name, type, space, chdf5_default(), creation, chdf5_default()))
          let dataset = try HDF5Dataset(file: file, path: place.object, opened: id)
          let written = bytes.flatMap(\.self).withUnsafeBytes { all in
            let texts = starts.dropLast().map { start in all.baseAddress.map { $0 + start } }
            return H5Dwrite(id, type, 0, 0, chdf5_default(), texts)
          }
          try place.check("H5Dwrite", written)
          return dataset
        }
      }
    }
  }

  /// - Throws: where a name is a link into another file.
  private func requireInside(_ name: String) throws(HDF5Error) {
    guard chdf5_leads_outside(id, name) > 0 else { return }
    throw child(name).failure(
      "H5Lget_info2",
      "it is a link into another file, which is not followed; copy it into this one, e.g. with "
        + "h5copy")
  }

  private func child(_ name: String) -> HDF5Place {
    HDF5Place(file: place.file, object: path == "/" ? "/" + name : path + "/" + name)
  }
}

/// The storage layout of a dataset.
package enum HDF5Layout: Hashable, Sendable {
  /// Contiguous and uncompressed.
  case contiguous
  /// In chunks of that shape, byte-shuffled and compressed with gzip at a level of 0...9.
  case chunked([Int], level: Int)

  /// Returns compressed chunks of about 256 KiB if the dataset is large enough to benefit.
  ///
  /// Below 4 KiB the chunk index is larger than the savings, and an empty dataset cannot have
  /// chunks.
  package static func standard(shape: [Int], elementSize: Int) -> HDF5Layout {
    let rowSize = shape.dropFirst().reduce(elementSize) { $0.multipliedClamped(by: $1) }
    guard let rows = shape.first, rowSize > 0, rows.multipliedClamped(by: rowSize) >= 4096
    else { return .contiguous }
    // A row longer than a chunk is not split; such tables do not occur here.
    return .chunked([min(rows, max(1, 262_144 / rowSize))] + shape.dropFirst(), level: 4)
  }
}

extension Int {
  func multipliedClamped(by other: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? .max : product
  }
}

extension HDF5Place {
  /// Returns the names visited by an iteration of the library, sorted by their bytes.
  ///
  /// The library can sort them itself, but building the tables for that crashes on a damaged file
  /// (1.10.8, `H5G__link_release_table`).
  func names(
    _ operation: String, _ iterate: (UnsafeMutablePointer<chdf5_visitor>) -> herr_t
  ) throws(HDF5Error) -> [String] {
    var names: [String] = []
    let result = withUnsafeMutablePointer(to: &names) { names in
      var visitor = chdf5_visitor(
        visit: { name, names in
          guard let name, let names else { return }
          names.assumingMemoryBound(to: [String].self).pointee.append(String(cString: name))
        }, context: names)
      return iterate(&visitor)
    }
    try check(operation, result)
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Checks a name: the library treats `a/b` as a path and truncates a name at a NUL.
  func requireName(_ name: String) throws(HDF5Error) {
    guard !name.isEmpty, name != ".", !name.utf8.contains(0), !name.utf8.contains(0x2F) else {
      throw failure("create", "a name must not be empty or '.' and must not contain '/' or NUL")
    }
  }

  func withSpace<Result>(
    _ shape: [Int], _ body: (hid_t) throws(HDF5Error) -> Result
  ) throws(HDF5Error) -> Result {
    guard shape.allSatisfy({ $0 >= 0 }) else {
      throw failure("H5Screate_simple", "the dimensions of a shape must not be negative")
    }
    let sizes = shape.map { hsize_t($0) }
    let space =
      shape.isEmpty
      ? try check("H5Screate", H5Screate(H5S_SCALAR))
      : try check("H5Screate_simple", H5Screate_simple(Int32(sizes.count), sizes, nil))
    defer { H5Sclose(space) }
    return try body(space)
  }

  fileprivate func apply(
    _ layout: HDF5Layout, elementSize: Int, to creation: hid_t
  ) throws(HDF5Error) {
    guard case .chunked(let shape, let level) = layout else { return }
    guard shape.allSatisfy({ $0 > 0 }), (0...9).contains(level) else {
      throw failure("H5Pset_chunk", "chunk sizes must be positive and the gzip level 0...9")
    }
    let sizes = shape.map { hsize_t($0) }
    try check("H5Pset_chunk", H5Pset_chunk(creation, Int32(sizes.count), sizes))
    if elementSize > 1 { try check("H5Pset_shuffle", H5Pset_shuffle(creation)) }
    try check("H5Pset_deflate", H5Pset_deflate(creation, UInt32(level)))
  }

  fileprivate func setFillValue<Element: HDF5Number>(
    of type: Element.Type, in creation: hid_t
  ) throws(HDF5Error) {
    guard let fill = Element.hdf5FillValue else { return }
    try withUnsafePointer(to: fill) { fill throws(HDF5Error) in
      _ = try check(
        "H5Pset_fill_value", H5Pset_fill_value(creation, Element.hdf5Type.inMemory, fill))
    }
  }
}
