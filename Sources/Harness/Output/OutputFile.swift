import Foundation

/// Text files, written beside and renamed into place.
enum OutputFile {
  /// Makes the folder of a file that will be written, and fails before the work rather than
  /// after it where that cannot be done.
  ///
  /// - Parameter inputs: what is read; writing over it would destroy a recording.
  static func checkWritable(_ path: String, inputs: [String] = []) throws {
    guard !path.isEmpty else {
      throw CommandError(.wrongUse, "expected the name of a file to write, found none")
    }
    if let own = identity(path), let input = inputs.first(where: { identity($0) == own }) {
      throw CommandError(
        .wrongUse, "\(path): it is also read (\(input)), and would be lost; choose another output")
    }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    try makeFolder(folder)
    let kind = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
    if let kind, kind != .typeRegular, kind != .typeSymbolicLink {
      let what = kind == .typeDirectory ? "a folder" : "something that is no regular file"
      throw CommandError(.fileError, "\(path): expected a file to write, found \(what)")
    }
    guard access(folder, W_OK) == 0 else {
      throw CommandError(
        .fileError, "\(path): the folder \(folder) cannot be written to; choose another --output")
    }
  }

  /// What tells one file from another, whatever its name; nil where there is none.
  private static func identity(_ path: String) -> [UInt64]? {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    return [UInt64(facts.st_dev), UInt64(facts.st_ino)]
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
