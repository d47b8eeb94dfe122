import Foundation
import Testing

/// Checks that the tests named in `Sources/*App/RULES.md` exist.
@Suite struct RuleListTests {
  /// A row of a table: the rule, and the tests in backquotes in its last cell.
  private struct Row {
    var place: String
    var rule: String
    var tests: [String]
    var lastCell: String
  }

  @Test(arguments: ["Fight", "Hike", "Workout", "TicTacToe", "PictureGuess"])
  func namedTestsExist(app: String) throws {
    let rows = try rows(of: app)
    let tests = try Self.declaredTests.get()
    #expect(rows.count > 20, "\(app): a list of so few rules is not the app's")
    for row in rows {
      let isOutOfScope = row.lastCell.hasPrefix("out of scope:") && row.lastCell.count > 25
      #expect(
        !row.tests.isEmpty || isOutOfScope,
        "\(row.place): \(row.rule): expected tests, or `out of scope:` with the reason")
      for test in row.tests {
        #expect(tests.contains(test), "\(row.place): there is no test \(test)")
      }
    }
  }

  private func rows(of app: String) throws -> [Row] {
    let name = "Sources/\(app)App/RULES.md"
    let text = try String(
      contentsOf: Repository.root.appending(path: name), encoding: .utf8)
    return text.components(separatedBy: "\n").enumerated().compactMap { number, line in
      guard line.hasPrefix("| "), !line.hasPrefix("| rule"), !line.hasPrefix("| fault of") else {
        return nil
      }
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      let last = cells.last ?? ""
      return Row(
        place: "\(name):\(number + 1)", rule: cells.first ?? "",
        tests: last.split(separator: "`", omittingEmptySubsequences: false).enumerated()
          .filter { $0.offset % 2 == 1 }.map { String($0.element) },
        lastCell: last)
    }
  }

  /// Read once for all apps.
  private static let declaredTests = Result { try readDeclaredTests() }

  /// Returns `Suite.function` of every test.
  private static func readDeclaredTests() throws -> Set<String> {
    var names: Set<String> = []
    let folder = Repository.root.appending(path: "Tests")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      let source = try String(contentsOf: file, encoding: .utf8)
      let tokens = swiftTokens(of: source).map(\.text)
      var suite: Substring = ""
      for index in tokens.indices.dropLast() {
        if ["struct", "extension"].contains(tokens[index]), tokens[index + 1].hasSuffix("Tests") {
          suite = tokens[index + 1]
        }
        if tokens[index] == "func" { names.insert("\(suite).\(tokens[index + 1])") }
      }
    }
    return names
  }
}
