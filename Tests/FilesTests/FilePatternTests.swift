import Diagnostics
import Foundation
import Testing
import TraceModel

@testable import Files

@Suite struct FilePatternTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["a", "a/b", "c[1]"] {
      try FileManager.default.createDirectory(
        atPath: folder.file(name), withIntermediateDirectories: true)
    }
    for name in ["a/1.h5", "a/b/2.h5", "a/.3.h5", "c[1]/4.h5", "5*.h5", "é.h5"] {
      try Data().write(to: URL(fileURLWithPath: folder.file(name)))
    }
    for (link, target) in [
      ("loop", "."), ("away", "/"), ("a/6.h5", "1.h5"), ("a/7.h5", "none"), ("d", "c[1]"),
      ("a/b/up", "../../a"),
    ] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.file(link), withDestinationPath: target)
    }
  }

  private func matches(_ pattern: String) throws -> [String] {
    let root = folder.file("")
    return try TracePath.matching(pattern, in: root.hasSuffix("/") ? String(root.dropLast()) : root)
      .map { $0.replacing(root, with: "").trimmingPrefix("/") }.map(String.init)
  }

  @Test(arguments: [
    ("a/*.h5", ["a/1.h5", "a/6.h5"]), ("*/*.h5", ["a/1.h5", "a/6.h5", "c[1]/4.h5", "d/4.h5"]),
    ("*/*/*.h5", ["a/b/2.h5"]), ("a/b/*/*.h5", []), ("a", []), ("*", ["5*.h5", "é.h5"]),
    ("5\\*.h5", ["5*.h5"]),
    ("c\\[1\\]/?.h5", ["c[1]/4.h5"]), ("[é5]*.h5", ["5*.h5", "é.h5"]),
    // A link that is named is followed; one that a wildcard finds is not if it leads above itself.
    ("loop/a/1.h5", ["loop/a/1.h5"]), ("loop/*/1.h5", ["loop/a/1.h5"]), ("away/etc/*ost*/x", []),
    ("a/7.h5", []), ("none/*.h5", []),
    ("**/*.h5", ["5*.h5", "a/1.h5", "a/6.h5", "a/b/2.h5", "c[1]/4.h5", "é.h5"]),
    ("a/**", ["a/1.h5", "a/6.h5", "a/b/2.h5"]), ("**/b/*", ["a/b/2.h5"]), ("none/**/*", []),
  ])
  func filesAreFound(pattern: String, files: [String]) throws {
    #expect(try matches(pattern) == files)
  }

  /// Patterns and folders of recordings have one limit.
  @Test func namesAreLimited() throws {
    var names = ReaderBudget.Names()
    try names.add(99_999, in: "a")
    try names.add(1, in: "b")
    let error = #expect(throws: TraceError.self) {
      try names.add(1, in: "c")
    }
    #expect(
      error?.description
        == "c: expected at most 100000 names to look at, found more; name the files, or fewer folders"
    )
  }

  @Test(arguments: ["/proc/*/*/*", "/dev/*", "/sys/*/*", "away/proc/*/*", "/proc/**/x", "/dev/**"])
  func foldersOfTheSystemAreRefused(pattern: String) {
    #expect(throws: Failure.self) { try matches(pattern) }
  }
}
