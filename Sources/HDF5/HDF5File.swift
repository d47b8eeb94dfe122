internal import CHDF5

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// An open HDF5 file.
///
/// ```swift
/// let file = try HDF5File.create(atomicallyAt: "counts.h5")
/// try file.root().createDataset("count", of: Int64.self, shape: [3]).write([1, 2, 3] as [Int64])
/// try file.commit()
/// ```
///
/// Files are written in the format of HDF5 1.8, whose metadata have checksums, and hold neither
/// times nor anything else that differs from one writing to the next.
package final class HDF5File {
  /// The path under which the file is (or, before ``commit()``, will be) known.
  package let path: String
  private let id: hid_t
  private let place: HDF5Place
  /// Where the file is until it is committed.
  private var partial: PartialFile?
  private let isWritable: Bool
  private(set) var isOpen = true
  private var lateError: HDF5Error?

  private init(path: String, id: hid_t, isWritable: Bool, partial: PartialFile? = nil) {
    self.path = path
    self.id = id
    self.isWritable = isWritable
    self.partial = partial
    place = HDF5Place(file: path)
  }

  /// Opens a file for reading.
  /// - Throws: where there is no such file, or it is not HDF5, or it is damaged or cut off.
  package static func open(_ path: String) throws(HDF5Error) -> HDF5File {
    let place = HDF5Place(file: path)
    return try HDF5Library.locked { () throws(HDF5Error) in
      let id = try place.withAccess { access throws(HDF5Error) in
        if let driver = ReadingDriver.identifier(path) { H5Pset_driver(access, driver, nil) }
        return try place.check("H5Fopen", H5Fopen(path, chdf5_read_only(), access))
      }
      return HDF5File(path: path, id: id, isWritable: false)
    }
  }

  /// Starts a file that appears at `path` only when it is complete, by ``commit()``.
  ///
  /// Until then it lies beside it as `.<name>.<process>-<number>.partial`, which is removed if the
  /// file is dropped without a commit, by ``PartialFiles/removeAll()``, or, where the process was
  /// killed, by the next one that writes this file. One that was at `path` stays until it is
  /// replaced.
  package static func create(atomicallyAt path: String) throws(HDF5Error) -> HDF5File {
    let place = HDF5Place(file: path)
    try place.requireReplaceable()
    return try HDF5Library.locked { () throws(HDF5Error) in
      let (partial, id) = try PartialFile.opened(
        beside: path, opening: { path throws(HDF5Error) in try place.create(path) },
        closing: { H5Fclose($0) })
      return HDF5File(path: path, id: id, isWritable: true, partial: partial)
    }
  }

  /// The group that holds all others, and the file's own attributes.
  package func root() throws(HDF5Error) -> HDF5Group {
    try HDF5Library.locked { () throws(HDF5Error) in
      try requireOpen()
      let group = try place.check("H5Gopen2", H5Gopen2(id, "/", chdf5_default()))
      return HDF5Group(file: self, path: "/", id: group)
    }
  }

  /// Closes a file. Objects that are still open are closed with it.
  ///
  /// A file that was created and not committed is removed.
  /// - Throws: what the file could not write, now or when one of its objects was dropped.
  package func close() throws(HDF5Error) {
    defer { partial = nil }
    try finishWriting()
  }

  /// Completes a file that was created: writes everything out, closes it, waits until the disk has
  /// it, and puts it in its place.
  /// - Throws: whatever failed of that, a full disk above all; nothing is left behind then.
  package func commit() throws(HDF5Error) {
    guard let partial else {
      throw place.failure("commit", "the file was not created here, or it is committed already")
    }
    defer { self.partial = nil }
    try finishWriting()
    try place.synchronize(partial.path)
    try partial.commit()
    // The file is complete and in its place: that the folder reaches the disk is best effort,
    // because not every file system lets a folder be synchronised.
    try? place.synchronize(place.folder)
  }

  deinit {
    try? close()
  }

  /// Keeps the first error that no caller could see.
  func noteLateError(_ error: HDF5Error) {
    if lateError == nil { lateError = error }
  }

  private func requireOpen() throws(HDF5Error) {
    guard isOpen else { throw place.failure("open", "the file is closed") }
  }

  /// Flushing comes first, because it is what tells of a full disk while the library still can;
  /// the file is closed whether or not it succeeds.
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
  /// Access that closes what a file holds together with the file.
  fileprivate func withAccess<Result>(
    _ body: (hid_t) throws(HDF5Error) -> Result
  ) throws(HDF5Error) -> Result {
    try withProperties(chdf5_file_access()) { access throws(HDF5Error) in
      try check("H5Pset_fclose_degree", H5Pset_fclose_degree(access, H5F_CLOSE_STRONG))
      return try body(access)
    }
  }

  /// Creates a file of the format of HDF5 1.8. (To open a file the bounds must not be set: they
  /// would refuse newer formats that the library can read.)
  fileprivate func create(_ path: String) throws(HDF5Error) -> hid_t {
    try withAccess { access throws(HDF5Error) in
      try check(
        "H5Pset_libver_bounds",
        H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18))
      // Nobody else knows the file's name until it is renamed. A lock would be inherited by a child
      // process that is started meanwhile, and keep the finished file from being opened.
      try check("H5Pset_file_locking", chdf5_no_file_locking(access))
      return try withProperties(chdf5_file_create()) { creation throws(HDF5Error) in
        try makeReproducible(group: creation)
        return try check("H5Fcreate", H5Fcreate(path, chdf5_truncate(), creation, access))
      }
    }
  }

  /// Says early what the renaming would say late, and keeps it from replacing what is not a file,
  /// such as `/dev/null`.
  fileprivate func requireReplaceable() throws(HDF5Error) {
    var status = stat()
    guard stat(file, &status) == 0 else {
      if errno == ENOENT { return }
      throw systemFailure("stat", errno)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw HDF5Error(
        operation: "create", file: file, reason: "there is something that is not a regular file",
        errorNumber: status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EEXIST)
    }
  }

  var folder: String {
    guard let slash = file.lastIndex(of: "/") else { return "." }
    return slash == file.startIndex ? "/" : String(file[..<slash])
  }

  fileprivate func synchronize(_ path: String) throws(HDF5Error) {
    let descriptor = Self.openReading(path)
    guard descriptor >= 0 else { throw systemFailure("open", errno) }
    let result = fsync(descriptor)
    let number = errno
    guard DescriptorCloser.close(descriptor) == 0, result == 0 else {
      throw systemFailure("fsync", result == 0 ? errno : number)
    }
  }

  private static func openReading(_ path: String) -> Int32 { open(path, O_RDONLY) }
}

/// The driver that files are read with, see `chdf5_register_plain_driver`.
private enum ReadingDriver {
  nonisolated(unsafe) private static var registered: hid_t?

  /// nil where the library does not give one: its standard driver then reads.
  /// - Precondition: the lock of the library is held.
  static func identifier(_ path: String) -> hid_t? {
    if registered == nil {
      let identifier = chdf5_register_plain_driver(path)
      // A file that cannot be opened teaches nothing; another may.
      if identifier >= 0 { registered = identifier }
    }
    return registered
  }
}
