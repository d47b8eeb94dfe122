internal import CHDF5

/// A group or a dataset of an open file.
///
/// An object keeps its file open. Objects of one file must not be used by two threads at once.
package class HDF5Object {
  package let file: HDF5File
  /// The path within the file, e.g. `/acceleration/x`; `/` is the file's root.
  package let path: String
  let place: HDF5Place
  let id: hid_t
  private let closing: (operation: String, call: (hid_t) -> herr_t)
  private var isOpen = true

  init(
    file: HDF5File, path: String, id: hid_t,
    closing: (operation: String, call: (hid_t) -> herr_t)
  ) {
    (self.file, self.path, self.id) = (file, path, id)
    self.closing = closing
    place = HDF5Place(file: file.path, object: path)
  }

  /// Closes the object. A full disk may be reported only here. A second call does nothing.
  package func close() throws(HDF5Error) {
    guard isOpen, file.isOpen else { return }
    isOpen = false
    try HDF5Library.locked { () throws(HDF5Error) in
      _ = try place.check(closing.operation, closing.call(id))
    }
  }

  // An error here cannot be thrown, so the file reports it when it is closed.
  deinit { do throws(HDF5Error) { try close() } catch { file.noteLateError(error) } }
}

extension HDF5Place {
  /// Creates a property list, lets `body` configure and use it, and closes it.
  func withProperties<Result>(
    _ kind: hid_t, _ body: (hid_t) throws(HDF5Error) -> Result
  ) throws(HDF5Error) -> Result {
    let list = try check("H5Pcreate", H5Pcreate(kind))
    defer { H5Pclose(list) }
    return try body(list)
  }

  /// Configures groups and datasets so that equal content gives equal and compact bytes: no times,
  /// and attributes in the object's header.
  func makeReproducible(_ creation: hid_t) throws(HDF5Error) {
    try check("H5Pset_obj_track_times", H5Pset_obj_track_times(creation, false))
    try check("H5Pset_attr_phase_change", H5Pset_attr_phase_change(creation, 64, 48))
  }

  /// Configures groups and the root the same way, with links in the header too.
  func makeReproducible(group creation: hid_t) throws(HDF5Error) {
    try makeReproducible(creation)
    try check("H5Pset_link_phase_change", H5Pset_link_phase_change(creation, 32, 24))
  }
}
