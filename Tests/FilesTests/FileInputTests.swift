import Foundation
import Testing
import TraceModel

@testable import Files

/// A text file that changes between the first and the last of its bytes.
@Suite struct FileInputTests {
  /// Reads a byte, lets the file change, and reads the rest.
  private func read(_ change: (String) throws -> Void) throws -> (bytes: Int, error: TraceError?) {
    let folder = try TemporaryFolder()
    let path = folder.file("a.csv")
    try Data(repeating: 65, count: 1000).write(to: URL(fileURLWithPath: path))
    // An early time, so that a change within one tick of the clock shows.
    #expect(utimes(path, [timeval(tv_sec: 1, tv_usec: 0), timeval(tv_sec: 1, tv_usec: 0)]) == 0)
    let file = try FileInput(path: path)
    var first = [UInt8](repeating: 0, count: 1)
    var total = try file.read(into: &first, at: 0)
    try change(path)
    var buffer = [UInt8](repeating: 0, count: 300)
    do throws(TraceError) {
      while true {
        let count = try file.read(into: &buffer, at: 0)
        if count == 0 { return (total, nil) }
        total += count
      }
    } catch {
      return (total, error)
    }
  }

  private func write(_ text: String, to path: String, flags: Int32) throws {
    let descriptor = open(path, O_WRONLY | flags)
    defer { close(descriptor) }
    #expect(text.withCString { Foundation.write(descriptor, $0, strlen($0)) } == text.utf8.count)
  }

  @Test func anUnchangedFileIsRead() throws {
    let found = try read { _ in }
    #expect(found.bytes == 1000)
    #expect(found.error == nil)
  }

  /// The opened file still exists without a name.
  @Test func aReplacedOrRemovedFileIsRead() throws {
    let replaced = try read {
      try Data("other".utf8).write(to: URL(fileURLWithPath: $0), options: .atomic)
    }
    #expect(replaced.bytes == 1000 && replaced.error == nil)
    let removed = try read { try FileManager.default.removeItem(atPath: $0) }
    #expect(removed.bytes == 1000 && removed.error == nil)
  }

  @Test func aChangedFileIsReported() throws {
    let grown = try read { try write("more", to: $0, flags: O_APPEND) }
    #expect(grown.error?.found == "1000 bytes, then 1004")
    // No more is read than at the start, otherwise the reading might never end.
    #expect(grown.bytes <= 1000)
    let cut = try read { #expect(truncate($0, 500) == 0) }
    #expect(cut.error?.found == "1000 bytes, then 500")
    let rewritten = try read { try write("B", to: $0, flags: 0) }
    #expect(rewritten.error?.found == "a file that was written to")
    for error in [grown.error, cut.error, rewritten.error] {
      #expect(error?.kind == .inputOutput)
      #expect(error?.expected == "a file that does not change while it is read")
    }
  }
}
