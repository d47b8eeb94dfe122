internal import CHDF5
internal import Files
internal import Foundation

/// An open HDF5 file.
///
/// ```swift
/// let file = try HDF5File.create(atomicallyAt: "counts.h5")
/// try file.root().createDataset("count", of: Int64.self, shape: [3]).write([1, 2, 3] as [Int64])
/// try file.commit()
/// ```
///
/// Files have the format of HDF5 1.8, whose metadata have checksums. They contain no times or other
/// data that differ between two runs.
package final class HDF5File {
  /// The path of the file (before ``commit()``, its final path).
  package let path: String
  private let id: hid_t
  private let place: HDF5Place
  /// The partial file until the commit.
  private var partial: PartialFile?
  private let isWritable: Bool
  private(set) var isOpen = true
  private var lateError: HDF5Error?

  private init(path: String, id: hid_t, isWritable: Bool, partial: PartialFile? = nil) {
    (self.path, self.id, self.isWritable) = (path, id, isWritable)
    self.partial = partial
    place = HDF5Place(file: path)
  }

  /// Opens a file for reading.
  /// - Throws: if there is no such file, or it is not HDF5, or it is damaged or truncated.
  package static func open(_ path: String) throws(HDF5Error) -> HDF5File {
    let place = HDF5Place(file: path)
    // The library would wait for the writer of a pipe.
    if let found = TracePath.otherKind(path) {
      throw HDF5Error(
        operation: "open", file: path, reason: "expected a regular file, found \(found)")
    }
    return try HDF5Library.locked { () throws(HDF5Error) in
      let id = try place.withAccess { access throws(HDF5Error) in
        if let driver = ReadingDriver.identifier(path) { H5Pset_driver(access, driver, nil) }
        return try place.check("H5Fopen", H5Fopen(path, chdf5_read_only(), access))
      }
      return HDF5File(path: path, id: id, isWritable: false)
    }
  }

  /// Creates a file that appears at `path` only after ``commit()``, see `PartialFile`. Until then an
  /// existing file stays. Without a commit the new one is removed with the object.
  package static func create(atomicallyAt path: String) throws(HDF5Error) -> HDF5File {
    let place = HDF5Place(file: path)
    try place.requireReplaceable()
    return try HDF5Library.locked { () throws(HDF5Error) in
      let (partial, id) = try PartialFile.opened(
        beside: path, orThrow: HDF5Error.init,
        opening: { path throws(HDF5Error) in try place.create(path) },
        closing: { H5Fclose($0) })
      return HDF5File(path: path, id: id, isWritable: true, partial: partial)
    }
  }

  /// Returns the root group, which contains all others and the file's own attributes.
  package func root() throws(HDF5Error) -> HDF5Group {
    try HDF5Library.locked { () throws(HDF5Error) in
      try requireOpen()
      let group = try place.check("H5Gopen2", H5Gopen2(id, "/", chdf5_default()))
      return HDF5Group(file: self, path: "/", id: group)
    }
  }

  /// Closes the file, together with objects that are still open.
  ///
  /// A file that was created but not committed is removed.
  /// - Throws: if the file could not be written, now or when one of its objects was released.
  package func close() throws(HDF5Error) {
    defer { partial = nil }
    try finishWriting()
  }

  /// Completes a created file: flushes and closes it, waits until it is on disk, and renames it to
  /// its final path.
  /// - Throws: if a step fails, typically because of a full disk; no file is left behind.
  package func commit() throws(HDF5Error) {
    guard let partial else {
      throw place.failure("commit", "the file was opened for reading or is already committed")
    }
    defer { self.partial = nil }
    try finishWriting()
    try place.synchronize(partial.path)
    do throws(SystemError) { try partial.commit() } catch { throw HDF5Error(error) }
    // The file is complete and in its place. Synchronising the folder is best effort, because not
    // every file system supports it.
    try? place.synchronize(TracePath.folder(of: path))
  }

  deinit { try? close() }

  /// Stores the first error that no caller could receive.
  func noteLateError(_ error: HDF5Error) { if lateError == nil { lateError = error } }

  private func requireOpen() throws(HDF5Error) {
    guard isOpen else { throw place.failure("open", "the file is closed") }
  }

  /// Flushes first, because only then can the library report a full disk; the file is closed even
  /// if that fails.
  private func finishWriting() throws(HDF5Error) {
    guard isOpen else { return }
    isOpen = false
    try HDF5Library.locked { () throws(HDF5Error) in
      var failure = lateError
      do throws(HDF5Error) {
        if isWritable { try place.check("H5Fflush", H5Fflush(id, H5F_SCOPE_GLOBAL)) }
      } catch { failure = failure ?? error }
      do throws(HDF5Error) {
        try place.check("H5Fclose", H5Fclose(id))
      } catch { failure = failure ?? error }
      if let failure { throw failure }
    }
  }
}

extension HDF5Place {
  /// Uses an access property list that closes all objects together with the file.
  fileprivate func withAccess<Result>(
    _ body: (hid_t) throws(HDF5Error) -> Result
  ) throws(HDF5Error) -> Result {
    try withProperties(chdf5_file_access()) { access throws(HDF5Error) in
      try check("H5Pset_fclose_degree", H5Pset_fclose_degree(access, H5F_CLOSE_STRONG))
      return try body(access)
    }
  }

  /// Creates a file of the format of HDF5 1.8. (Do not set the bounds when opening a file: they
  /// would reject newer formats that the library can read.)
  fileprivate func create(_ path: String) throws(HDF5Error) -> hid_t {
    try withAccess { access throws(HDF5Error) in
      try check(
        "H5Pset_libver_bounds",
        H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18))
      // No other process uses the file before it is renamed. A child process started meanwhile
      // would inherit a lock and prevent the finished file from being opened.
      try check("H5Pset_file_locking", chdf5_no_file_locking(access))
      return try withProperties(chdf5_file_create()) { creation throws(HDF5Error) in
        try makeReproducible(group: creation)
        return try check("H5Fcreate", H5Fcreate(path, chdf5_truncate(), creation, access))
      }
    }
  }

  /// Reports early what the rename would report late, and prevents replacing something other than a
  /// file, such as `/dev/null`.
  fileprivate func requireReplaceable() throws(HDF5Error) {
    var status = stat()
    guard stat(file, &status) == 0 else {
      if errno == ENOENT { return }
      throw HDF5Error(SystemError("stat", file))
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw HDF5Error(
        operation: "create", file: file, reason: "the path exists and is not a regular file",
        errorNumber: status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EEXIST)
    }
  }

  fileprivate func synchronize(_ path: String) throws(HDF5Error) {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { throw HDF5Error(SystemError("open", file)) }
    let result = fsync(descriptor)
    let number = errno
    guard closeDescriptor(descriptor) == 0, result == 0 else {
      throw HDF5Error(SystemError("fsync", file, number: result == 0 ? errno : number))
    }
  }
}

/// The driver for reading files, see `chdf5_register_plain_driver`.
private enum ReadingDriver {
  nonisolated(unsafe) private static var registered: hid_t?

  /// Returns the driver's identifier; nil if the library provides none, so that its default driver
  /// is used.
  /// - Precondition: the library's lock is held.
  static func identifier(_ path: String) -> hid_t? {
    if registered == nil {
      let identifier = chdf5_register_plain_driver(path)
      // A file that cannot be opened does not decide this; another one may.
      if identifier >= 0 { registered = identifier }
    }
    return registered
  }
}
