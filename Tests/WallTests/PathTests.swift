import Testing

/// Foundation expands `~`, and takes `L/..` out of a path although `L` may be a link: a file would be
/// checked in one place, and used in another.
@Suite struct PathTests {
  @Test func pathsStayAsTheyAre() throws {
    let words =
      /URL\(file(URLWithPath|Path): (?!"\/)|standardized|resolvingSymlinksInPath|expandingTilde/
    let found = try Repository.sources().flatMap { source in
      source.text.split(separator: "\n").filter { $0.contains(words) }.map {
        "\(source.path): \($0)"
      }
    }
    // The one place that knows of it.
    #expect(found.map { $0.prefix { $0 != ":" } } == ["Files/TracePath.swift"], "\(found)")
  }
}
