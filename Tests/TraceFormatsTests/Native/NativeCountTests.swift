import Foundation
import HDF5
import TestSupport
import Testing
import TraceModel

@testable import TraceFormats

/// Counts in native traces: a group without columns for each task.
@Suite struct NativeCountTests {
  private let folder: NativeTestFolder

  init() throws {
    folder = try NativeTestFolder()
  }

  private func trace(_ counts: [ReferenceCount], events: [ReferenceTask] = []) -> Trace {
    var trace = Trace(header: TraceHeader(id: "a", origin: .recorded))
    trace.header.counts = counts
    trace.header.references = events.map { ReferenceSet(task: $0, events: []) }
    return trace
  }

  /// A file of another program, with a count of a task that has no counts.
  @Test func whatAnotherProgramWroteIsRead() throws {
    // Tests/Fixtures/by_h5py.py made it.
    let fixture = Fixtures.folder.appending(path: "counts-by-h5py.h5").path
    let header = try NativeTrace.readHeader(fixture)
    #expect(
      header.counts == [
        ReferenceCount(task: .punch, count: 10, definition: "as the boxer counted")
      ])
    #expect(header.references.isEmpty && header.reference(.punch) == nil)
    #expect(try NativeTrace.open(fixture).unread == ["/reference/count/distance"])
  }

  /// A file from before counts existed has none.
  @Test func olderFilesHaveNone() throws {
    for name in ["by-h5py.h5", "oldest-format.h5"] {
      let header = try NativeTrace.readHeader(Fixtures.folder.appending(path: name).path)
      #expect(header.counts.isEmpty && header.reference(.punch) != nil)
    }
  }

  @Test(arguments: [0, 1, 10, ReferenceCount.greatest])
  func whatIsWrittenIsRead(count: Int) throws {
    let counts = [
      ReferenceCount(task: .drop, count: count),
      ReferenceCount(task: .punch, count: 7, definition: "stated by the author, +-1"),
    ]
    let written = trace(counts, events: [.distance, .visit])
    try NativeTrace.write(written, to: folder.file("a.h5"))
    let read = try NativeTrace.readHeader(folder.file("a.h5"))
    #expect(read.counts == counts && read.references.map(\.task) == [.distance, .visit])
    #expect(try NativeTrace.open(folder.file("a.h5")).unread.isEmpty)
  }

  @Test(
    arguments: [
      ([ReferenceCount(task: .punch, count: -1)], [], "reference/count/punch"),
      ([ReferenceCount(task: .punch, count: .max)], [], "reference/count/punch"),
      ([ReferenceCount(task: .distance, count: 1)], [], "reference/count/distance"),
      ([ReferenceCount(task: .punch, count: 1, definition: "a\0")], [], "@definition"),
      ([ReferenceCount(task: .punch, count: 1)], [.punch], "unique reference tasks"),
      (
        [ReferenceCount(task: .punch, count: 1), ReferenceCount(task: .punch, count: 1)], [],
        "unique reference tasks"
      ),
    ] as [([ReferenceCount], [ReferenceTask], String)])
  func impossibleValuesAreRefused(
    counts: [ReferenceCount], events: [ReferenceTask], says: String
  ) throws {
    let error = #expect(throws: TraceError.self) {
      try NativeTrace.write(trace(counts, events: events), to: folder.file("a.h5"))
    }
    #expect(error?.kind == .badData && error?.description.contains(says) == true, "\(error as Any)")
    #expect(try folder.content == [])
  }

  /// Files that another program may write: an impossible count, or a count next to the events.
  @Test(
    arguments: [
      (-1, "expected a number of events from 0 to 1000000000, found -1"),
      (.max, "found 9223372036854775807"), (nil, "found no such attribute"),
    ] as [(Int64?, String)])
  func impossibleCountsAreRefused(count: Int64?, says: String) throws {
    try writeByHand(count, to: "a.h5")
    let error = #expect(throws: TraceError.self) { try NativeTrace.readHeader(folder.file("a.h5")) }
    #expect(error?.kind == .badData)
    #expect(error?.place == folder.file("a.h5") + ":/reference/count/punch@count")
    #expect(error?.description.contains(says) == true, "\(error as Any)")
  }

  @Test func aCountBesideTheEventsIsRefused() throws {
    try writeByHand(3, hasEvents: true, to: "a.h5")
    let error = #expect(throws: TraceError.self) { try NativeTrace.readHeader(folder.file("a.h5")) }
    #expect(error?.description.contains("expected the events of punch or their count") == true)
  }

  /// Writes a trace without the checks of the writer.
  private func writeByHand(
    _ count: Int64?, hasEvents: Bool = false, to name: String
  ) throws {
    let file = try HDF5File.create(atomicallyAt: folder.file(name))
    let root = try file.root()
    let texts = [
      "schema": "shadowbox-trace/1", "id": "a", "origin": "recorded",
      "recorded_at": TraceHeader.unknownEpoch,
    ]
    for (name, text) in texts { try root.setAttribute(name, text) }
    try root.setAttribute("epoch_known", 0 as Int8)
    try root.setAttribute("end", 0 as Int64)
    let references = try root.createGroup("reference")
    let punch = try references.createGroup("count").createGroup("punch")
    if let count { try punch.setAttribute("count", count) }
    if hasEvents {
      let units = NativeSchema.onset.asTime(epoch: TraceHeader.unknownEpoch).units
      let events = try references.createGroup("punch")
      for name in ["onset", "offset"] {
        let column = try events.createDataset(
          name, of: Int64.self, shape: [0])
        try column.setAttribute("units", units)
        try column.write([] as [Int64])
      }
    }
    try file.commit()
  }
}
