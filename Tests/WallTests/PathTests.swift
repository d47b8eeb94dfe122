import Foundation
import Testing

/// Foundation expands `~`, and takes `L/..` out of a path although `L` may be a link: a file would be
/// checked in one place, and used in another.
@Suite struct PathTests {
  private static let words = [
    "URL(fileURLWithPath: ", "URL(filePath: ", "standardized", "resolvingSymlinksInPath",
    "expandingTilde",
  ].map { Data($0.utf8) }

  @Test func pathsStayAsTheyAre() throws {
    let found = try Repository.sources().filter { source in
      let text = Data(source.text.utf8)
      return Self.words.contains { text.range(of: $0) != nil }
    }
    // The one place that knows of it, and one path of the system.
    #expect(found.map(\.path) == ["Clocks/SystemClock.swift", "Files/TracePath.swift"])
  }
}
