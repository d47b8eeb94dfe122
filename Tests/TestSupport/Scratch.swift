package import Foundation

/// A folder of a test's own, removed when it goes.
package final class Scratch {
  package let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "shadowbox-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  package func path(_ name: String) -> String { url.appending(path: name).path }

  package func write(_ text: String, to name: String, permissions: Int? = nil) throws {
    try Data(text.utf8).write(to: url.appending(path: name))
    guard let permissions else { return }
    try FileManager.default.setAttributes(
      [.posixPermissions: permissions], ofItemAtPath: path(name))
  }

  package func bytes(of name: String) throws -> Data {
    try Data(contentsOf: url.appending(path: name))
  }

  package func text(of name: String) throws -> String {
    String(decoding: try bytes(of: name), as: UTF8.self)
  }

  /// The number of files, hidden ones too, in the folders of this one.
  package func filesInFolders() throws -> Int {
    try names.reduce(0) { sum, name in
      var isFolder: ObjCBool = false
      let path = path(name)
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
        isFolder.boolValue
      else { return sum }
      return sum + (try FileManager.default.subpathsOfDirectory(atPath: path).count)
    }
  }

  /// The names in the folder, hidden ones too, sorted.
  package var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: url.path))?.sorted() ?? []
  }
}
