internal import CHDF5

extension HDF5Object {
  /// Returns the names of the attributes, sorted by their bytes.
  package func attributeNames() throws(HDF5Error) -> [String] {
    try HDF5Library.locked { () throws(HDF5Error) in
      try place.names("H5Aiterate2") { chdf5_for_each_attribute(id, $0) }
    }
  }

  /// Sets a text: UTF-8 of fixed length, which every reader supports and whose bytes do not depend
  /// on other content of the file.
  /// - Throws: also if the text contains a NUL, which would be lost on reading.
  package func setAttribute(_ name: String, _ text: String) throws(HDF5Error) {
    guard !text.utf8.contains(0) else {
      throw attributePlace(name).failure("H5Awrite", "a text must not contain NUL")
    }
    // The library has no strings of length 0: an empty text is stored as one byte of padding.
    let bytes = text.isEmpty ? [0] : Array(text.utf8)
    try setText(name, bytes, padding: H5T_STR_NULLPAD, characters: H5T_CSET_UTF8)
  }

  /// States the name of an object whose link does not.
  func setName(_ name: String) throws(HDF5Error) {
    try setAttribute("name", HDF5Names.text(name))
  }

  package func setAttribute<Value: HDF5Number>(_ name: String, _ value: Value) throws(HDF5Error) {
    try setAttribute(name, [value], shape: [])
  }

  package func setAttribute<Value: HDF5Number>(
    _ name: String, _ values: [Value]
  ) throws(HDF5Error) { try setAttribute(name, values, shape: [values.count]) }

  /// Returns a text of fixed or variable length; nil if there is no such attribute.
  /// - Throws: if the attribute is not a text or not UTF-8.
  package func textAttribute(_ name: String) throws(HDF5Error) -> String? {
    try withAttribute(name) { place, attribute, type, shape throws(HDF5Error) in
      guard H5Tget_class(type) == H5T_STRING else {
        throw place.failure("H5Aread", "expected a text, found \(HDF5StoredType(type))")
      }
      guard shape.allSatisfy({ $0 == 1 }) else {
        // In netCDF files an empty text is an attribute without a value.
        if shape == [0] { return "" }
        throw place.failure("H5Aread", "expected one text, found a shape of \(shape)")
      }
      let bytes = try place.textBytes(attribute, type)
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw place.failure("H5Aread", "expected UTF-8, found other bytes")
      }
      return text
    }
  }

  /// Returns a number; nil if there is no such attribute.
  /// - Throws: if it is not a number that fits, or not exactly one element.
  package func attribute<Value: HDF5Number>(
    _ name: String, as type: Value.Type = Value.self
  ) throws(HDF5Error) -> Value? {
    guard let values = try attributeArray(name, as: type) else { return nil }
    guard let value = values.first, values.count == 1 else {
      throw attributePlace(name).failure("H5Aread", "expected one number, found \(values.count)")
    }
    return value
  }

  /// Returns an array of numbers of any shape, the last dimension varying fastest; nil if there is
  /// no such attribute.
  package func attributeArray<Value: HDF5Number>(
    _ name: String, as valueType: Value.Type = Value.self
  ) throws(HDF5Error) -> [Value]? {
    try withAttribute(name) { place, attribute, type, shape throws(HDF5Error) in
      let stored = HDF5StoredType(type)
      guard stored.isReadable(as: Value.hdf5Type) else {
        throw place.failure("H5Aread", "expected \(Value.hdf5Type), found \(stored)")
      }
      let count = shape.reduce(1) { $0.multipliedClamped(by: $1) }
      guard count <= HDF5Place.largestAttribute else {
        throw place.failure("H5Aread", "the file claims \(count) values")
      }
      var values = [Value](repeating: .zero, count: count)
      guard count > 0 else { return values }
      let result = values.withUnsafeMutableBytes {
        H5Aread(attribute, Value.hdf5Type.inMemory, $0.baseAddress)
      }
      try place.check("H5Aread", result)
      return values
    }
  }

  /// Writes a text unchanged, including a terminator or padding in its bytes.
  func setText(
    _ name: String, _ bytes: [UInt8], padding: H5T_str_t, characters: H5T_cset_t
  ) throws(HDF5Error) {
    try HDF5Library.locked { () throws(HDF5Error) in
      let place = attributePlace(name)
      let type = try place.check("H5Tcopy", H5Tcopy(chdf5_c_string()))
      defer { H5Tclose(type) }
      try place.check("H5Tset_size", H5Tset_size(type, bytes.count))
      try place.check("H5Tset_strpad", H5Tset_strpad(type, padding))
      try place.check("H5Tset_cset", H5Tset_cset(type, characters))
      try writeAttribute(name, fileType: type, memoryType: type, shape: [], bytes: bytes)
    }
  }

  private func setAttribute<Value: HDF5Number>(
    _ name: String, _ values: [Value], shape: [Int]
  ) throws(HDF5Error) {
    try HDF5Library.locked { () throws(HDF5Error) in
      try writeAttribute(
        name, fileType: Value.hdf5Type.inFile, memoryType: Value.hdf5Type.inMemory, shape: shape,
        bytes: values)
    }
  }

  /// Replaces an attribute. Requires the lock.
  func writeAttribute<Value>(
    _ name: String, fileType: hid_t, memoryType: hid_t, shape: [Int], bytes: [Value]
  ) throws(HDF5Error) {
    let place = attributePlace(name)
    guard !name.isEmpty, !name.utf8.contains(0) else {
      throw place.failure("H5Acreate2", "a name must not be empty or contain NUL")
    }
    if try place.check("H5Aexists", H5Aexists(id, name)) > 0 {
      try place.check("H5Adelete", H5Adelete(id, name))
    }
    let attribute = try place.withSpace(shape) { space throws(HDF5Error) in
      try place.check(
        "H5Acreate2", H5Acreate2(id, name, fileType, space, chdf5_default(), chdf5_default()))
    }
    defer { H5Aclose(attribute) }
    guard !bytes.isEmpty else { return }
    let result = bytes.withUnsafeBytes { H5Awrite(attribute, memoryType, $0.baseAddress) }
    try place.check("H5Awrite", result)
  }

  /// Calls `body` with the attribute's place, identifier, type and shape.
  private func withAttribute<Result>(
    _ name: String,
    _ body: (HDF5Place, hid_t, hid_t, [Int]) throws(HDF5Error) -> Result
  ) throws(HDF5Error) -> Result? {
    try HDF5Library.locked { () throws(HDF5Error) in
      let place = attributePlace(name)
      guard try place.check("H5Aexists", H5Aexists(id, name)) > 0 else { return nil }
      let attribute = try place.check("H5Aopen", H5Aopen(id, name, chdf5_default()))
      defer { H5Aclose(attribute) }
      let type = try place.check("H5Aget_type", H5Aget_type(attribute))
      defer { H5Tclose(type) }
      let space = try place.check("H5Aget_space", H5Aget_space(attribute))
      defer { H5Sclose(space) }
      return try body(place, attribute, type, try place.shape(ofSpace: space))
    }
  }

  /// Returns the place of an attribute: `/acceleration/x@units`.
  private func attributePlace(_ name: String) -> HDF5Place {
    HDF5Place(file: place.file, object: path + "@" + name)
  }
}

extension HDF5Place {
  /// The largest accepted attribute, 16 Mi: a larger one is damaged.
  fileprivate static let largestAttribute = 1 << 24

  /// Returns the bytes of one text, without terminator and padding.
  fileprivate func textBytes(_ attribute: hid_t, _ type: hid_t) throws(HDF5Error) -> [UInt8] {
    if try check("H5Tis_variable_str", H5Tis_variable_str(type)) > 0 {
      var pointer: UnsafeMutablePointer<CChar>?
      try check("H5Aread", H5Aread(attribute, type, &pointer))
      defer { H5free_memory(pointer) }
      return pointer.map { Array(String(cString: $0).utf8) } ?? []
    }
    let size = H5Tget_size(type)
    guard size <= Self.largestAttribute else {
      throw failure("H5Aread", "the file claims a text of \(size) bytes")
    }
    var bytes = [UInt8](repeating: 0, count: size)
    try check("H5Aread", H5Aread(attribute, type, &bytes))
    if H5Tget_strpad(type) == H5T_STR_SPACEPAD {
      bytes.removeLast(bytes.reversed().prefix { $0 == 0x20 }.count)
      return bytes
    }
    return Array(bytes.prefix { $0 != 0 })
  }
}
