internal import CHDF5

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
