import Files
import Foundation
import PackedFiles
import Testing
import TraceModel

@testable import TraceFormats

@Suite struct GzipInputTests {
  static let text = "t,x,y,z\n" + (0..<40).map { "\($0),1,2,3\n" }.joined()
  /// python3 -c 'import gzip,base64; print(base64.b64encode(gzip.compress(TEXT, mtime=0)).decode())'
  static let packed =
    "H4sIAAAAAAACAz3QKxKAQBADUb9nGUESvvdCAKfHTK9q9yqVu5566xtLqVwZ6rqb7trdunv36J7dC2eCiIIUpkCFKljhCljIRvbcimxkIxvZyEY2spGDHOTMG5CDHOQgBznIQf4BKRi+BWYBAAA="

  private func unpack(_ bytes: [UInt8], chunk: Int = 1 << 16) throws(TraceError) -> [UInt8] {
    let input = PeekedInput(Chunks(bytes, chunk))
    return try rest(ByteSource(unpacking: input, name: "a.csv.gz"))
  }

  @Test(arguments: [1, 2, 7, 1 << 16])
  func unpacksWhatPythonPacked(chunk: Int) throws {
    let packed = try Array(#require(Data(base64Encoded: Self.packed)))
    let unpacked = try unpack(packed, chunk: chunk)
    #expect(String(decoding: unpacked, as: UTF8.self) == Self.text)
  }

  @Test func membersFollowOneAnother() throws {
    let parts = ["t,x\n", "", "1,2\n", String(repeating: "3,4\n", count: 100_000)]
    var bytes: [UInt8] = []
    for part in parts { bytes += Gzip.member(Array(part.utf8)) }
    bytes += [0, 0, 0]
    for chunk in [3, 1 << 12, 1 << 20] {
      let unpacked = try unpack(bytes, chunk: chunk)
      #expect(unpacked == Array(parts.joined().utf8))
    }
  }

  struct Damage: Sendable {
    /// Bytes that are left of the member.
    var length = 29
    /// A byte that is changed.
    var changed: Int?
    var behind: [UInt8] = []
    var found: String
  }

  @Test(arguments: [
    Damage(length: 20, found: "the end of the gzip data, found the end of the file at byte 20"),
    Damage(length: 28, found: "the end of the gzip data, found the end of the file at byte 28"),
    Damage(
      changed: 21, found: "intact gzip data, found \"incorrect data check\" at byte 25"),
    Damage(behind: [65], found: "gzip data, found other bytes after it at byte 29"),
  ])
  func damageIsReported(damage: Damage) {
    var bytes = Gzip.member(Array("t,x\n12".utf8))
    if let position = damage.changed { bytes[position] ^= 1 }
    bytes = bytes.prefix(damage.length) + damage.behind
    for chunk in [1, 5, 1 << 16] {
      #expect(
        message { _ = try unpack(bytes, chunk: chunk) }
          == "a.csv.gz: expected \(damage.found); copy the file again: it is truncated or damaged")
    }
  }

  @Test func readersTakeIt() throws {
    let folder = try RecordingFolder()
    let path = try folder.write(Gzip.member(Array("t,x,y,z\n0,1,2,3\n".utf8)), to: "a.csv.gz")
    var options = try CSVOptions(mapping: CSVMapping(parsing: "time=t,x=x,y=y,z=z"))
    options.gravity = .included
    let traces = try CSVReader.read(path, options: options)
    #expect(traces.first?.header.info(.acceleration)?.count == 1)
  }

  /// A gigabyte of blanks in a member of a few bytes takes no more memory than the longest record.
  @Test func aBombIsAnError() throws {
    let member = Gzip.member([UInt8](repeating: 0x20, count: 1 << 16))
    let blocks = [[UInt8]](repeating: member, count: 40).flatMap(\.self)
    var scanner = try DelimitedScanner(
      ByteSource(unpacking: PeekedInput(Chunks(blocks, 1 << 12)), name: "a"), separator: .comma)
    let expected =
      "a:1: expected a record of at most 1 MiB, found a longer one; check for a missing closing "
      + "quote or bracket"
    do throws(TraceError) {
      _ = try scanner.next()
      Issue.record("it was read")
    } catch {
      #expect(error.description == expected)
    }
    #expect(scanner.source.buffer.count <= 4 << 20)
  }
}

/// Bytes in memory, in chunks of a given size.
final class Chunks: ByteInput {
  private var rest: ArraySlice<UInt8>
  private let size: Int

  init(_ bytes: [UInt8], _ size: Int) {
    rest = bytes[...]
    self.size = size
  }

  func read(into buffer: inout [UInt8], at start: Int) -> Int {
    let part = rest.prefix(min(size, buffer.count - start))
    for (offset, byte) in part.enumerated() { buffer[start + offset] = byte }
    rest = rest.dropFirst(part.count)
    return part.count
  }
}
