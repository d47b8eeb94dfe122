import Foundation

/// Text files, written beside and renamed into place.
enum OutputFile {
  /// Makes the folder of a file that will be written, and fails before the work rather than
  /// after it where that cannot be done.
  static func checkWritable(_ path: String) throws {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    try makeFolder(folder)
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      throw CommandError(.fileError, "\(path): expected a file to write, found a folder")
    }
    guard access(folder, W_OK) == 0 else {
      throw CommandError(
        .fileError, "\(path): the folder \(folder) cannot be written to; choose another --output")
    }
  }

  static func write(_ text: String, to path: String) throws {
    try checkWritable(path)
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw CommandError(.fileError, "\(path): cannot be written: \(error.localizedDescription)")
    }
  }
}
