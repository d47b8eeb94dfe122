import Diagnostics
import Foundation
import Testing
import TraceModel

@testable import Files

@Suite struct TracePathTests {
  /// A slash with a mark above it is one character of a string, and a slash of a path.
  @Test func marksHideNoSlash() {
    #expect(TracePath.fileName("a/\u{301}b\n") == "a-\u{301}b-")
    #expect(TracePath.fileName("..") == "-" && TracePath.fileName("../\u{FE0F}x") == "..-\u{FE0F}x")
    #expect(TracePath.lastName("a/\u{301}b") == "\u{301}b" && TracePath.lastName("/") == "")
    #expect(TracePath.folder(of: "a/\u{301}b") == "a")
    #expect(PartialFile.names(of: "a/\u{301}b").stem == "\u{301}b")
  }

  @Test(arguments: [
    ("a/b.c/d.tar.GZ", "a/b.c", "d.tar", "gz"), ("d", ".", "d", ""), (".h5", ".", ".h5", ""),
    ("/d.h5", "/", "d", "h5"), ("~/x/../d.", "~/x/..", "d", ""), ("a//b/", "a", "b", ""),
    ("/", "/", "", ""), ("", ".", "", ""), ("a.\u{301}b", ".", "a", "\u{301}b"),
  ])
  func partsAreThoseOfTheText(path: String, folder: String, stem: String, ending: String) {
    #expect(TracePath.folder(of: path) == folder && TracePath.stem(of: path) == stem)
    #expect(TracePath.ending(of: path) == ending)
  }

  /// Foundation takes such a name for a home folder.
  @Test func aTildeIsAName() {
    #expect(fileURL("~/x").relativePath == "./~/x" && fileURL("~root").lastPathComponent == "~root")
    #expect(TracePath.path(of: "x", in: "~") == "~/x" && TracePath.absolute("~").hasSuffix("/~"))
    #expect(TracePath.absolute("L/../x").hasSuffix("/L/../x"))
  }

  /// Folders below count; links to folders and names that are not UTF-8 are never left out in silence.
  @Test func tracesOfAFolder() throws {
    let folder = try TemporaryFolder()
    for name in ["a", "a/b", ".hidden"] { mkdir(folder.path + "/" + name, 0o700) }
    for name in ["z.h5", "a/y.h5", "a/b/x.HDF5", ".hidden/w.h5", "a/note.txt"] {
      try #require(FileManager.default.createFile(atPath: folder.path + "/" + name, contents: nil))
    }
    try #require(symlink("a", folder.path + "/link") == 0)
    var messages: [String] = []
    let found = try TracePath.nativeTraces([folder.path + "/"]) { messages.append($0) }
    #expect(found == ["a/b/x.HDF5", "a/y.h5", "z.h5"].map { folder.path + "/" + $0 })
    #expect(messages == ["skipped \(folder.path)/link, which is a link to a folder"])
    let broken = Array(folder.path.utf8CString.dropLast()) + [47, 98, -1, 46, 104, 53, 0]
    closeDescriptor(open(broken, O_CREAT | O_WRONLY, 0o600))
    for work in [
      { _ = try TracePath.nativeTraces([folder.path]) { _ in } },
      { _ = try TracePath.matching("*.h5", in: folder.path) },
      { _ = try TracePath.matching("b?.h[0-9]", in: folder.path) },
      { _ = try FolderListing.files(below: folder.path, depth: 1, limit: 10) },
    ] {
      let error = #expect(throws: TraceError.self) { try work() }
      #expect(error?.description.contains("b\u{FFFD}.h5") == true, "\(error as Any)")
    }
    #expect(try TracePath.matching("z*", in: folder.path).count == 1)
  }
}
