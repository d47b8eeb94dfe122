internal import CHDF5

/// A group or a dataset of an open file.
///
/// An object keeps its file open. Objects of one file must not be used by two threads at once.
package class HDF5Object {
  /// The file that it is part of.
  package let file: HDF5File
  /// The path within the file, e.g. `/acceleration/x`; `/` is the file's root.
  package let path: String
  /// The place of errors.
  let place: HDF5Place
  let id: hid_t
  private let closing: (operation: String, call: (hid_t) -> herr_t)
  private var isOpen = true

  init(
    file: HDF5File, path: String, id: hid_t,
    closing: (operation: String, call: (hid_t) -> herr_t)
  ) {
    self.file = file
    self.path = path
    self.id = id
    self.closing = closing
    place = HDF5Place(file: file.path, object: path)
  }

  /// Closes the object; a full disk may be told only here. Closing twice does nothing.
  package func close() throws(HDF5Error) {
    guard isOpen, file.isOpen else { return }
    isOpen = false
    try HDF5Library.locked { () throws(HDF5Error) in
      _ = try place.check(closing.operation, closing.call(id))
    }
  }

  // What goes wrong here nobody could catch, so the file reports it when it is closed.
  deinit {
    do throws(HDF5Error) { try close() } catch { file.noteLateError(error) }
  }
}

extension HDF5Place {
  /// Makes a property list, lets `body` set it up and use it, and closes it.
  func withProperties<Result>(
    _ kind: hid_t, _ body: (hid_t) throws(HDF5Error) -> Result
  ) throws(HDF5Error) -> Result {
    let list = try check("H5Pcreate", H5Pcreate(kind))
    defer { H5Pclose(list) }
    return try body(list)
  }

  /// Settings of groups and datasets by which equal content makes equal bytes in little room: no
  /// times, and attributes within the object's header.
  func makeReproducible(_ creation: hid_t) throws(HDF5Error) {
    try check("H5Pset_obj_track_times", H5Pset_obj_track_times(creation, false))
    try check("H5Pset_attr_phase_change", H5Pset_attr_phase_change(creation, 64, 48))
  }

  /// The same for groups and for a file's root: links within the header too.
  func makeReproducible(group creation: hid_t) throws(HDF5Error) {
    try makeReproducible(creation)
    try check("H5Pset_link_phase_change", H5Pset_link_phase_change(creation, 32, 24))
  }
}
