import Foundation
import TestSupport
import Testing
import TraceModel

@testable import TraceFormats

@Suite struct ByteSourceTests {
  @Test(
    arguments: [
      (
        [0x1F, 0x8B, 8],
        "a.csv: expected text in the gzip data, found gzip data again; unpack it with gunzip"
      ),
      ([0x50, 0x4B, 3, 4], "a.csv: expected text, found a zip archive; unpack it with unzip"),
      (
        [0xFF, 0xFE, 0x74, 0],
        "a.csv: expected UTF-8 text, found UTF-16; convert it with iconv -f UTF-16 -t UTF-8"
      ),
      (
        [0xFE, 0xFF, 0, 0x74],
        "a.csv: expected UTF-8 text, found UTF-16; convert it with iconv -f UTF-16 -t UTF-8"
      ),
    ] as [([UInt8], String)])
  func namesWhatIsNotText(bytes: [UInt8], expected: String) {
    #expect(message { _ = try ByteSource(bytes: bytes, name: "a.csv", chunk: 1) } == expected)
  }

  @Test func readsAFileInChunks() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/a.txt"
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    var source = try ByteSource(path: path)
    var read: [UInt8] = []
    repeat {
      // Seven bytes are left each time, to be carried over.
      let next = max(source.position, source.end - 7)
      read += source.buffer[source.position..<next]
      source.advance(to: next)
    } while try source.fill()
    read += source.buffer[source.position..<source.end]
    #expect(read == bytes)
    #expect(source.buffer.count <= 2 * ByteSource.chunkSize)
  }

  @Test func reportsFilesThatCannotBeRead() throws {
    let directory = try TemporaryDirectory()
    #expect(
      message { _ = try ByteSource(path: directory.path + "/none") }
        == "\(directory.path)/none: expected a readable file, found \"No such file or directory\"; "
        + "check the path")
    #expect(
      message { _ = try ByteSource(path: directory.path) }
        == "\(directory.path): expected a file, found a folder; name one of its files")
    #expect(
      message { _ = try ByteSource(path: "") } == "\"\": expected a file name, found an empty one")
    #expect(
      message { _ = try ByteSource(path: "a\u{0}b") }
        == "\"a\\u{0}b\": expected a file name, found a NUL character in it")
  }

  @Test(arguments: [
    ("hikes/walk.gpx", "walk"), ("walk", "walk"), (".hidden", ".hidden"), ("a.b.csv", "a.b"),
    ("/", "/"), ("", ""),
  ])
  func takesTheStem(path: String, stem: String) {
    #expect(FilePath.stem(path) == stem)
  }

  @Test func excerptsAreShortAndHarmless() {
    #expect(Excerpt.of("a\u{1B}[31m\n") == "\"a\\u{1b}[31m\\u{a}\"")
    #expect(Excerpt.of(String(repeating: "é", count: 50)).unicodeScalars.count == 43)
  }

  @Test(.longer) func findsTheFirstOfTwoBytes() {
    var generator = SeededGenerator(seed: 9)
    for round in 0..<LongTests.count(quick: 1000, long: 5000) {
      // Few values, so that both are met, and neighbours of them, which a borrow could mark.
      let bytes = (0..<generator.next() % 40).map { _ in
        [0x2B, 0x2C, 0x2D, 0x0A, 0x0B, 0x8A, 0xAC, 0x00, 0xFF][Int(generator.next() % 9)] as UInt8
      }
      let start = Int(generator.next() % UInt64(bytes.count + 1))
      let end = start + Int(generator.next() % UInt64(bytes.count - start + 1))
      let expected = (start..<end).first { bytes[$0] == 0x2C || bytes[$0] == 0x0A } ?? end
      #expect(
        firstPosition(of: 0x2C, or: 0x0A, bytes.span, start..<end) == expected, "round \(round)")
    }
  }
}
