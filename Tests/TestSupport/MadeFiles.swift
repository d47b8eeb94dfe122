import Foundation
import Testing

/// Files with which many tests begin: made once for all of them, and copied to the folder of each.
package struct MadeFiles: Sendable {
  private let files: Result<[String: Data], any Error>

  /// - Parameter make: fills a folder.
  package init(_ make: (Scratch) throws -> Void) {
    files = Result {
      let scratch = try Scratch()
      try make(scratch)
      let names = try FileManager.default.subpathsOfDirectory(atPath: scratch.url.path)
      return Dictionary(
        uniqueKeysWithValues: try names.filter { !scratch.isFolder($0) }.map {
          ($0, try scratch.bytes(of: $0))
        })
    }
  }

  /// Files that commands of the program write, each with its words between single spaces.
  package init(_ commands: [String]) {
    self.init { scratch in
      for command in commands {
        let words = command.split(separator: " ").map(String.init)
        let outcome = try Program.run(words, in: scratch.url)
        try #require(outcome.status == 0, "\(command): \(outcome.errors)")
      }
    }
  }

  package func copy(to scratch: Scratch) throws {
    for (name, data) in try files.get() {
      let url = scratch.url.appending(path: name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: url)
    }
  }
}

extension Scratch {
  fileprivate func isFolder(_ name: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path(name), isDirectory: &isFolder)
      && isFolder.boolValue
  }
}
