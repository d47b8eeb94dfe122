internal import CHDF5

// The "HDF5 Dimension Scale Specification" (The HDF Group, 2005), from which xarray and the netCDF
// tools get a dataset's dimensions. The attributes are written here instead of by the library's
// H5DS functions, because those write uninitialised padding into the file and rewrite the list of a
// scale's datasets once per dataset.
extension HDF5Group {
  /// Attaches scales (other datasets of this file) to the dimensions of datasets.
  ///
  /// A scale can serve any number of datasets; pass all of them in one call. A scale's own
  /// dimension needs no entry.
  /// - Parameter uses: datasets, each with one scale per dimension.
  package func attachScales(
    _ uses: [(dataset: HDF5Dataset, scales: [HDF5Dataset])]
  ) throws(HDF5Error) {
    try HDF5Library.locked { () throws(HDF5Error) in
      var backLinks: [(scale: HDF5Dataset, users: [BackLink])] = []
      for use in uses {
        try use.dataset.setDimensionList(use.scales)
        let reference = try use.dataset.reference()
        for (dimension, scale) in use.scales.enumerated() {
          let user = BackLink(dataset: reference, dimension: UInt32(dimension))
          if let position = backLinks.firstIndex(where: { $0.scale === scale }) {
            backLinks[position].users.append(user)
          } else {
            backLinks.append((scale, [user]))
          }
        }
      }
      for (scale, users) in backLinks {
        try scale.makeScale()
        try scale.setReferenceList(users)
      }
    }
  }
}

/// An entry of a scale's list: a dataset and the dimension that the scale belongs to.
private struct BackLink {
  var dataset: hobj_ref_t
  var dimension: UInt32

  /// The representation in the file: 12 bytes without padding.
  var bytes: [UInt8] {
    withUnsafeBytes(of: dataset) { Array($0) }
      + withUnsafeBytes(of: dimension.littleEndian) { Array($0) }
  }
}

extension HDF5Dataset {
  /// Marks the dataset as a dimension scale with its own name. ``HDF5Group/attachScales(_:)`` does
  /// this for every scale with datasets.
  package func makeScale() throws(HDF5Error) {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    for (attribute, text) in [("CLASS", "DIMENSION_SCALE"), ("NAME", name)] {
      try setText(
        attribute, Array(text.utf8) + [0], padding: H5T_STR_NULLTERM,
        characters: H5T_CSET_ASCII)
    }
  }

  fileprivate func reference() throws(HDF5Error) -> hobj_ref_t {
    var reference = hobj_ref_t()
    try place.check("H5Rcreate", chdf5_reference(&reference, id, path))
    return reference
  }

  /// Writes, for each dimension, a list of its scales, here with one element.
  fileprivate func setDimensionList(_ scales: [HDF5Dataset]) throws(HDF5Error) {
    guard scales.count == shape.count, zip(scales, shape).allSatisfy({ $0.shape == [$1] }) else {
      throw place.failure(
        "attachScales", "expected one scale of equal length per dimension of the shape \(shape)")
    }
    var references: [hobj_ref_t] = []
    for scale in scales { references.append(try scale.reference()) }
    let type = try place.check("H5Tvlen_create", H5Tvlen_create(chdf5_object_reference()))
    defer { H5Tclose(type) }
    let count = references.count
    try references.withUnsafeMutableBufferPointer { buffer throws(HDF5Error) in
      let lists = (0..<count).map { dimension in
        hvl_t(len: 1, p: buffer.baseAddress.map { UnsafeMutableRawPointer($0 + dimension) })
      }
      try writeAttribute(
        "DIMENSION_LIST", fileType: type, memoryType: type, shape: [count], bytes: lists)
    }
  }

  fileprivate func setReferenceList(_ users: [BackLink]) throws(HDF5Error) {
    let type = try place.check("H5Tcreate", H5Tcreate(H5T_COMPOUND, 12))
    defer { H5Tclose(type) }
    try place.check("H5Tinsert", H5Tinsert(type, "dataset", 0, chdf5_object_reference()))
    try place.check("H5Tinsert", H5Tinsert(type, "dimension", 8, chdf5_file_uint32()))
    try writeAttribute(
      "REFERENCE_LIST", fileType: type, memoryType: type, shape: [users.count],
      bytes: users.flatMap(\.bytes))
  }
}
