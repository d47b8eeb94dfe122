import Testing

@testable import Files

@Suite struct TracePathTests {
  /// A slash with a mark above it is one character of a string, and a slash of a path.
  @Test func marksHideNoSlash() {
    #expect(TracePath.fileName("a/\u{301}b\n") == "a-\u{301}b-")
    #expect(TracePath.fileName("..") == "-" && TracePath.fileName("../\u{FE0F}x") == "..-\u{FE0F}x")
    #expect(TracePath.lastName("a/\u{301}b") == "\u{301}b" && TracePath.lastName("/") == "")
    #expect(PartialFile.folder(of: "a/\u{301}b") == "a")
    #expect(PartialFile.names(of: "a/\u{301}b").stem == "\u{301}b")
  }
}
