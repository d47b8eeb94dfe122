import Foundation
import Testing

/// Tests `Tests/check_tree.sh` in a repository with one file.
@Suite struct TreeCheckTests {
  static let megabyte = 1024 * 1024

  @Test(arguments: [
    ("Sources/A.swift", "let a = 1\n", nil),
    ("Sources/A.o", "", "a build product"),
    ("a/__pycache__/b.txt", "", "a build product"),
    ("out/report.md", "", "a build product"),
    ("README.md", "see https://example.org/home/page and ./home/x", nil),
    ("README.md", "see `/" + "home/someone/data`", "a path of one machine"),
    ("notes.txt", "/" + "Users/someone/data", "a path of one machine"),
    ("Package.swift", "unsafeFlags([\"-Ounchecked\"])", "unsafe flags"),
    ("Benchmarks/Package.swift", "unsafeFlags([])", "unsafe flags"),
    ("Sources/A.swift", "// no unsafeFlags here", nil),
  ])
  func faultIsFound(path: String, content: String, fault: String?) throws {
    let result = try check([path: content])
    if let fault {
      #expect(result.status == 1 && result.output.contains("\(path):"))
      #expect(result.output.contains(fault))
    } else {
      #expect(result.status == 0 && result.output == "")
    }
  }

  @Test(arguments: [(0, 0), (1, 1)])
  func filesAreLimited(extraBytes: Int, status: Int32) throws {
    let content = String(repeating: "x", count: 5 * Self.megabyte + extraBytes)
    let result = try check(["notebooks/a.bin": content])
    #expect(result.status == status)
    #expect(result.output.contains("notebooks/a.bin: at most 5242880 bytes") == (status == 1))
  }

  @Test func tracesAreLimitedInAll() throws {
    let part = String(repeating: "x", count: 5 * Self.megabyte)
    let five = Dictionary(uniqueKeysWithValues: (1...5).map { ("traces/\($0).h5", part) })
    #expect(try check(five).status == 0)
    let result = try check(five.merging(["traces/6.h5": "x"]) { _, new in new })
    #expect(result.status == 1 && result.output.contains("traces/: at most 26214400 bytes"))
  }

  /// Runs the script on a new repository that tracks `files`.
  private func check(_ files: [String: String]) throws -> ProcessResult {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (path, content) in files {
      let file = folder.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try content.write(to: file, atomically: false, encoding: .utf8)
    }
    for arguments in [["git", "init", "--quiet"], ["git", "add", "--all", "--force"]] {
      let result = try run(arguments, in: folder)
      try #require(result.status == 0, "\(result.output)")
    }
    let script = Repository.root.appending(path: "Tests/check_tree.sh")
    return try run([script.path, folder.path], in: folder)
  }
}
