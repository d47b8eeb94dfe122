package import TraceFormats
package import Diagnostics
package import Foundation
package import TraceFormats

/// Files that a command writes: checked before the work, written beside and renamed into place.
package enum OutputFile {
  /// Where `path` leads: a file that is renamed into place would otherwise take the place of a
  /// symbolic link and leave alone what the link stands for.
  ///
  /// - Parameter inputs: what is read; writing over it would destroy a recording.
  /// - Throws: where it cannot be written, or is read.
  package static func checked(_ path: String, inputs: [String] = []) throws -> String {
    guard !path.isEmpty else {
      throw Failure(.wrongUse, "expected the name of a file to write, found none")
    }
    let target = followingLinks(path)
    if let input = inputs.first(where: { isSame($0, target) }) {
      throw Failure(
        .wrongUse, "\(path): it is also read (\(input)), and would be lost; choose another output")
    }
    var facts = stat()
    if stat(target, &facts) == 0, facts.st_mode & S_IFMT != S_IFREG {
      let what =
        facts.st_mode & S_IFMT == S_IFDIR ? "a folder" : "something that is no regular file"
      throw Failure(.fileError, "\(path): expected a file to write, found \(what)")
    }
    if access(target, W_OK) != 0, errno != ENOENT {
      throw Failure(
        .fileError,
        "\(path): cannot be written to (\(String(cString: strerror(errno)))); choose another output"
      )
    }
    let folder = nearestFolder(of: target)
    guard access(folder, W_OK) == 0 else {
      throw Failure(
        .fileError, "\(path): the folder \(folder) cannot be written to; choose another output")
    }
    return target
  }

  /// Whether two names lead to one file, which need not be there yet.
  package static func isSame(_ left: String, _ right: String) -> Bool {
    var (one, other) = (stat(), stat())
    if stat(left, &one) == 0, stat(right, &other) == 0 {
      return one.st_dev == other.st_dev && one.st_ino == other.st_ino
    }
    return URL(fileURLWithPath: followingLinks(left)).standardizedFileURL
      == URL(fileURLWithPath: followingLinks(right)).standardizedFileURL
  }

  /// Makes the folder that a file will be in.
  package static func makeParent(of path: String) throws {
    try makeFolder(URL(fileURLWithPath: path).deletingLastPathComponent().path)
  }

  /// A text file that is on the disk and has but to be put in its place, by `commit()`.
  package static func prepared(_ text: String, at path: String) throws -> AtomicFile {
    try makeParent(of: path)
    let file = try AtomicFile(path: path)
    try file.write(text)
    try file.finish()
    return file
  }

  /// A link that leads nowhere yet is followed too.
  private static func followingLinks(_ path: String) -> String {
    var current = path
    // As many as the kernel follows.
    for _ in 0..<40 {
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: current) else {
        return current
      }
      let folder = URL(fileURLWithPath: current).deletingLastPathComponent()
      current = next.hasPrefix("/") ? next : folder.appendingPathComponent(next).path
    }
    return current
  }

  /// The folder of a file, or of its folders the first that is there.
  private static func nearestFolder(of path: String) -> String {
    var folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    while !FileManager.default.fileExists(atPath: folder.path), folder.path != "/" {
      folder = folder.deletingLastPathComponent()
    }
    return folder.path
  }
}

package func makeFolder(_ path: String) throws {
  var isFolder: ObjCBool = false
  if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue {
    throw Failure(
      .fileError, "\(path): expected a folder to write into, found a file; choose another output")
  }
  do {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  } catch {
    throw Failure(
      .fileError, "\(path): the folder cannot be made: \(error.localizedDescription)")
  }
}
