import Diagnostics
import Foundation
import TestSupport
import Testing
import TraceModel

@testable import Evaluation
@testable import Harness

/// A suite that is written into a commit: the same entries on the same recordings.
@Suite struct BisectInputTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private func parsed(_ text: String, _ scratch: Scratch) throws -> Suite {
    try scratch.write(text, to: "moved.yml")
    return try SuiteParser.read(scratch.path("moved.yml"), registry: Program.registry)
  }

  private func entries(_ suite: Suite) -> [Suite.Entry] {
    suite.entries.map { entry in
      var entry = entry
      entry.place = ""
      return entry
    }
  }

  private func files(_ suite: Suite) -> [[String]] {
    suite.traceSets.map { $0.files.map(resolvedPath) }
  }

  @Test func theDefaultSuiteIsTheSame() throws {
    let path = Self.root.appending(path: "traces/suite.yml").path
    let scratch = try Scratch()
    let (original, moved) = (
      try SuiteParser.read(path, registry: Program.registry),
      try SuiteParser.moved(path, Program.registry)
    )
    let copy = try parsed(moved.text, scratch)
    #expect(copy.name == original.name)
    #expect(entries(copy) == entries(original))
    #expect(copy.traceSets.map(\.name) == original.traceSets.map(\.name))
    #expect(files(copy) == files(original))
    #expect(moved.traces.map(resolvedPath) == files(original).flatMap(\.self))
    #expect(copy.apps.map(\.name) == original.apps.map(\.name))
  }

  /// The folder's own name is no pattern, and no YAML.
  @Test func aFolderMayHaveAnyName() throws {
    let scratch = try Scratch()
    let name = "a [b]* c? \\ : # \"é' {x}"
    let folder = scratch.url.appending(path: name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    for file in ["t1.h5", "t2.h5", "u.h5"] { try scratch.write("", to: "\(name)/\(file)") }
    try scratch.write(
      """
      schema: shadowbox-suite/1
      traces: {first: "t*.h5", second: [u.h5, t1.h5]}
      gate: {recall: -0.01}
      entries:
        - {name: "a: b", detector: punch, traces: [first, second], parameters: {threshold: 1.70g}}
      """, to: "\(name)/suite.yml")
    let moved = try SuiteParser.moved(folder.appending(path: "suite.yml").path, Program.registry)
    #expect(
      moved.traces.map { URL(filePath: $0).lastPathComponent }
        == ["t1.h5", "t2.h5", "u.h5", "t1.h5"])
    let copy = try parsed(moved.text, scratch)
    #expect(copy.name == "suite")
    #expect(copy.entries.map(\.name) == ["a: b"])
    #expect(
      files(copy).map { $0.map { URL(filePath: $0).lastPathComponent } }
        == [["t1.h5", "t2.h5"], ["u.h5", "t1.h5"]])
    #expect(!moved.text.contains("gate"))
  }

  /// A star after a dash is in the middle of a word, and no alias.
  @Test func aStarMayFollowADash() throws {
    let scratch = try Scratch()
    for file in ["r-1-open.h5", "r-2-open.h5", "r-1-forest.h5"] { try scratch.write("", to: file) }
    for pattern in ["\"r-*-open.h5\"", "r-*-open.h5"] {
      let suite = try parsed(
        """
        schema: shadowbox-suite/1
        traces: {all: [\(pattern)]}
        entries: [{detector: punch, traces: all}]
        """, scratch)
      #expect(files(suite).map(\.count) == [2], "\(pattern)")
    }
  }

  /// What is no suite is an error; what is one gives a suite again.
  @Test(.longer) func damagedSuitesAreErrors() throws {
    let scratch = try Scratch()
    try scratch.write("", to: "t.h5")
    let text = """
      schema: shadowbox-suite/1
      name: x
      traces: {all: [t.h5], some: "t*.h5"}
      entries:
        - {name: punch, detector: punch, traces: all, parameters: {threshold: 2g}}
        - {detector: punch/hitThat, traces: [all, some]}

      """
    var generator = SeededGenerator(seed: 51)
    let pieces = ["*", "&a ", "\"", "'", "\n", "{", "]", ": ", "- ", "\0", "é", "t*.h5", "!!str "]
    var counts = (errors: 0, suites: 0)
    for _ in 0..<LongTests.count(quick: 200, long: 5_000) {
      var damaged = Array(text)
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: 0..<damaged.count, using: &generator)
        if Bool.random(using: &generator) {
          damaged.insert(contentsOf: pieces.randomElement(using: &generator)!, at: place)
        } else {
          let end = min(damaged.count, place + Int.random(in: 1...9, using: &generator))
          damaged.removeSubrange(place..<end)
        }
      }
      try scratch.write(String(damaged), to: "s.yml")
      let path = scratch.path("s.yml")
      let isSuite = (try? SuiteParser.read(path, registry: Program.registry)) != nil
      do {
        let moved = try SuiteParser.moved(path, Program.registry)
        counts.suites += 1
        if isSuite {
          let original = try SuiteParser.read(path, registry: Program.registry)
          let copy = try parsed(moved.text, scratch)
          #expect(entries(copy) == entries(original), "\(String(damaged))")
          #expect(files(copy) == files(original), "\(String(damaged))")
        }
      } catch let error as Failure {
        counts.errors += 1
        #expect(!isSuite, "\(error): \(String(damaged))")
      }
    }
    #expect(counts.errors > 20 && counts.suites > 20, "\(counts)")
  }
}
