import Foundation
import Testing

/// What depends on what is said in `Package.swift`, in `docs/architecture.md`, and by the imports.
@Suite struct ArrowTests {
  private let targets: [ManifestText.Target]
  private let page: String

  init() throws {
    func text(_ name: String) throws -> String {
      try String(contentsOf: Repository.root.appending(path: name), encoding: .utf8)
    }
    targets = ManifestText.targets(in: try text("Package.swift"))
    page = try text("docs/architecture.md")
    try #require(targets.count > 30)
  }

  /// A missing line is printed as the page should have it.
  @Test func thePageListsTheArrowsOfTheManifest() throws {
    let section = try #require(page.firstRange(of: "\n## Arrows\n")).upperBound
    let parts = page[section...].split(separator: "```\n", maxSplits: 2)
    try #require(parts.count == 3)
    let listed = parts[1].split(separator: "\n").map { line in
      let sides = line.split(separator: "->").map { $0.trimmingCharacters(in: .whitespaces) }
      return ManifestText.Target(
        name: sides[0],
        dependencies: sides.dropFirst().flatMap { $0.split(separator: ", ").map(String.init) })
    }
    for target in targets {
      let line = listed.first { $0.name == target.name }
      #expect(
        line.map { Set($0.dependencies) } == Set(target.dependencies),
        "docs/architecture.md: expected the line `\(target.line)`")
    }
    #expect(Set(listed.map(\.name)) == Set(targets.map(\.name)))
    #expect(listed.count == targets.count)
  }

  @Test func everyTargetHasARow() {
    let table = page.prefix(upTo: page.firstRange(of: "## Arrows")?.lowerBound ?? page.endIndex)
    let names = table.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { row in
      row.dropFirst().prefix { $0 != "|" }.matches(of: /`(\w+)`/).map { String($0.output.1) }
    }
    #expect(names.sorted() == targets.map(\.name).sorted())
  }

  /// An import without an arrow compiles by luck of the build's order; an arrow without an import is
  /// built for nothing.
  @Test func theArrowsAreTheImports() throws {
    let known = Set(targets.flatMap { [$0.name] + $0.dependencies })
    let sources = try Dictionary(grouping: Repository.sources()) { $0.path.prefix { $0 != "/" } }
    for target in targets {
      guard let sources = sources[target.name[...]] else { continue }
      let imported = Set(sources.flatMap { imports(of: $0.text) }).intersection(known)
      #expect(imported == Set(target.dependencies), "\(target.name)")
    }
  }

  /// Returns the modules that a source names first. To read all of its tokens would take half a minute.
  private func imports(of source: String) -> [String] {
    source.utf8.prefix(4000).split(separator: UInt8(ascii: "\n")).compactMap { line in
      let words = String(decoding: line, as: UTF8.self).split(separator: " ")
      return words.dropLast().last == "import" ? words.last.map(String.init) : nil
    }
  }
}
