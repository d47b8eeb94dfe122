import Diagnostics
import Files
import Foundation
import PackedFiles
import TestSupport
import Testing
import TraceModel

@testable import TraceFormats

/// Packed files that hold far more than their size lets expect.
@Suite struct ReaderBudgetTests {
  @Test(arguments: [
    (32 << 20, 0, true), (32 << 20 + 1, 0, false), (32 << 20 + 100, 1, true), (.max, .max, true),
  ])
  func unpackedBytesAreLimited(unpacked: Int, packed: Int, isRight: Bool) {
    let found = Result { try ReaderBudget.requireUnpacked(unpacked, from: packed, "a.gz") }
    #expect(((try? found.get()) != nil) == isRight)
  }

  @Test func aBombOfGzipIsRefused() throws {
    let folder = try RecordingFolder()
    let path = try folder.write(Gzip.zeros(40 << 20), to: "a.csv.gz")
    let input = try GzipInput(FileInput(path: path), name: path)
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    let error = #expect(throws: TraceError.self) {
      while try input.read(into: &buffer, at: 0) > 0 {}
    }
    let text = error?.description ?? ""
    #expect(text.hasPrefix("\(path): expected at most 32 MiB plus 100 bytes for each packed byte"))
    // As gpsbabel would unpack it.
    let tcx = try folder.write(Gzip.zeros(40 << 20), to: "a.tcx.gz")
    if let gpsbabel = try? Gpsbabel() {
      #expect(throws: TraceError.self) {
        try gpsbabel.read(tcx, format: "gtrnctr", options: GPXOptions())
      }
    }
  }

  /// gpsbabel keeps some 200 bytes for a point of four.
  @Test(arguments: [("a.kml.gz", "1,1 ", "kml"), ("a.tcx.gz", "<Trackpoint/>", "gtrnctr")])
  func pointsForGpsbabelAreLimited(name: String, point: String, format: String) throws {
    guard let gpsbabel = try? Gpsbabel() else { return }
    let folder = try RecordingFolder()
    let text = String(repeating: point, count: 1_200_000)
    let path = try folder.write(Gzip.packed(Array("<a>\(text)</a>".utf8)), to: name)
    let error = #expect(throws: TraceError.self) {
      try gpsbabel.read(path, format: format, options: GPXOptions())
    }
    #expect(
      error?.expected == "at most 1000000 records plus one for each packed byte",
      "\(String(describing: error))")
  }

  /// Each format looks at the first bytes of every file.
  @Test func headsOfAFolderAreLimited() throws {
    let folder = try RecordingFolder()
    let path = folder.path("r")
    let head = Gzip.packed([UInt8](repeating: UInt8(ascii: ","), count: RecordingFiles.headSize))
    for number in 0..<10 { try folder.write(head, to: "r/\(number).csv") }
    let files = try RecordingFiles(path: path)
    // A header of more columns than a table of an app has.
    #expect(try files.header(of: files.entries[0]) == nil)
    let most = ReaderBudget.freeBytes / (RecordingFiles.headSize - 100 * head.count)
    let error = #expect(throws: TraceError.self) {
      for index in 0...most { _ = try files.head(of: files.entries[index % 10]) }
    }
    #expect(error?.description.contains("r: expected at most 32 MiB plus 100 bytes") == true)
  }

  /// Readings at one time with one value pack a thousandfold. The writer does not pack what readers would
  /// refuse.
  @Test func aBombOfHDF5IsRefused() throws {
    let folder = try RecordingFolder()
    let path = try folder.write([], to: "a.h5")
    let count = 2_500_000
    var trace = Trace(header: TraceHeader(id: "a", origin: .recorded))
    let (times, still) = ([Int64](repeating: 0, count: count), [Float](repeating: 0, count: count))
    trace.set(
      .vector(VectorColumns(times: TimeColumns(measured: times), x: still, y: still, z: still)),
      for: .userAcceleration)
    try NativeWriter(path: path).write(MemorySource(trace))
    let error = #expect(throws: TraceError.self) { try NativeTrace.read(path) }
    #expect(error?.description.contains("at most 64 MiB plus 20 bytes for each") == true)
    #expect(try NativeTrace.readHeader(path).channels[0].count == count)
    try NativeTrace.write(trace, to: path)
    #expect(try NativeTrace.read(path)[.userAcceleration]?.count == count)
  }

  /// Each reference is held, matched and scored.
  @Test func referencesThatPackTooWellAreRefused() throws {
    let folder = try RecordingFolder()
    let path = try folder.write([], to: "a.h5")
    func trace(_ count: Int) -> Trace {
      var header = TraceHeader(id: "a", origin: .recorded)
      let event = ReferenceEvent(onset: TraceInstant(nanoseconds: 1_000_000_000))
      header.references = [
        ReferenceSet(task: .punch, events: [ReferenceEvent](repeating: event, count: count))
      ]
      return Trace(header: header)
    }
    try NativeTrace.write(trace(30_000), to: path)
    #expect(try NativeTrace.readHeader(path).references[0].events.count == 30_000)
    try NativeTrace.write(trace(200_000), to: path)
    let error = #expect(throws: TraceError.self) { try NativeTrace.readHeader(path) }
    #expect(error?.description.contains("at most 32 MiB plus 200 bytes for each") == true)
  }

  /// Gzip data in an archive are measured by the archive.
  @Test func whatIsPackedTwiceIsMeasuredOnce() throws {
    let inner = Gzip.packed(Gzip.zeros(40 << 20))
    let outer = try GzipInput(MemoryInput(inner, chunk: 1 << 16), name: "a.gz")
    let input = try GzipInput(outer, name: "a.gz.gz")
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    #expect(throws: TraceError.self) { while try input.read(into: &buffer, at: 0) > 0 {} }
    #expect(try #require(input.packedBytes) <= inner.count)
  }

  @Test func recordsArePaidWithPackedBytes() throws {
    let packed = Gzip.packed(Array(repeating: UInt8(ascii: "1"), count: 1000) + [10])
    var source = try ByteSource(
      unpacking: PeekedInput(MemoryInput(packed, chunk: 1 << 16)), name: "a")
    while try source.fill() {}
    #expect(source.mostRecords == ReaderBudget.freeRecords + packed.count)
    source = try ByteSource(bytes: [49, 10], name: "a")
    #expect(source.mostRecords == .max)
  }

  /// A million rows of two bytes, and as many again.
  @Test(.longer, .longRun) func rowsThatNoRecordingHasAreRefused() throws {
    let rows = Gzip.packed([UInt8]("1\n".utf8).repeated(1_100_000))
    var scanner = try DelimitedScanner(
      ByteSource(unpacking: PeekedInput(MemoryInput(rows, chunk: 1 << 16)), name: "a"),
      separator: .comma)
    let error = #expect(throws: TraceError.self) { while try scanner.next() {} }
    #expect(error?.description.contains("at most 1000000 records plus one for each") == true)
  }
}

extension [UInt8] {
  fileprivate func repeated(_ count: Int) -> [UInt8] {
    (0..<count).flatMap { _ in self }
  }
}
