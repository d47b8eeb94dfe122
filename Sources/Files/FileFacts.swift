import Foundation

/// The state of a file, to detect changes.
struct FileFacts: Equatable {
  private var device: dev_t
  private var inode: ino_t
  var size: Int
  private var kind: mode_t
  private var seconds: Int
  private var nanoseconds: Int

  var isRegular: Bool { kind == S_IFREG }
  var isFolder: Bool { kind == S_IFDIR }
  var isLink: Bool { kind == S_IFLNK }
  var isPipe: Bool { kind == S_IFIFO }
  var isCharacterDevice: Bool { kind == S_IFCHR }

  /// What it is, for messages; nil = a regular file.
  var otherKind: String? {
    switch kind {
    case S_IFREG: nil
    case S_IFDIR: "a folder"
    case S_IFIFO: "a pipe"
    case S_IFSOCK: "a socket"
    default: "a device"
    }
  }

  /// - Returns: nil if nothing is open.
  init?(of descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// - Returns: nil if there is no such file.
  init?(at path: String, followsLink: Bool = true) {
    var status = stat()
    guard !path.utf8.contains(0) else { return nil }
    let result = followsLink ? stat(path, &status) : lstat(path, &status)
    guard result == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    (device, inode, kind) = (status.st_dev, status.st_ino, status.st_mode & S_IFMT)
    size = Int(status.st_size)
    #if canImport(Darwin)
      (seconds, nanoseconds) = (status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
    #else
      (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    #endif
  }
}
