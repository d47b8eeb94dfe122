package import Foundation

/// A file of `Tests/Fixtures` with what another program says.
package enum Fixtures {
  /// The folder that holds them.
  package static let folder = root.appending(path: "Tests/Fixtures")

  /// The folder of the traces.
  package static let traces = root.appending(path: "traces")

  /// The folder of the sources.
  package static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Returns what a JSON fixture holds. Beside its cases it names the program that made them, with
  /// versions, and the command.
  package static func read<Content: Decodable>(
    _ name: String, as type: Content.Type = Content.self
  ) throws -> Content {
    try JSONDecoder().decode(
      type, from: Data(contentsOf: folder.appending(path: name)))
  }

  /// A fixture with one list of cases.
  private struct List<Case: Decodable>: Decodable {
    var cases: [Case]
  }

  /// Returns the cases of a JSON fixture that has one list of them.
  package static func cases<Case: Decodable>(
    of name: String, as type: Case.Type = Case.self
  ) throws -> [Case] {
    try read(name, as: List<Case>.self).cases
  }
}
