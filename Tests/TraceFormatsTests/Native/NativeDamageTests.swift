import Foundation
import HDF5
import TestSupport
import Testing
import TraceModel

@testable import TraceFormats

/// A file that is not, or no longer, a native trace gives an error, never a crash.
@Suite struct NativeDamageTests {
  private let folder: NativeTestFolder

  init() throws { folder = try NativeTestFolder() }

  @Test func cutOffFilesAreErrors() throws {
    try NativeTrace.write(.sampler, to: folder.file("a.h5"))
    let whole = try folder.bytes("a.h5")
    for length in stride(from: 0, to: whole.count, by: 173) {
      try folder.write(whole.prefix(length), to: "cut.h5")
      let error = #expect(throws: TraceError.self, "cut to \(length) bytes") {
        try NativeTrace.read(folder.file("cut.h5"))
      }
      #expect(error?.kind == .badData)
      #expect(error?.place.hasPrefix(folder.file("cut.h5")) == true)
    }
  }

  /// Most flips hit something that has a checksum; after others the trace may differ. The test
  /// checks that the process survives.
  @Test(.longer, arguments: [1, 4, 16])
  func flippedBytesAreErrorsOrTraces(count: Int) throws {
    try NativeTrace.write(.sampler, to: folder.file("a.h5"))
    let whole = try folder.bytes("a.h5")
    var generator = SeededGenerator(seed: UInt64(count))
    let files = LongTests.count(quick: 25, long: 100)
    var errors = 0
    for _ in 0..<files {
      var bytes = whole
      for _ in 0..<count {
        let position = Int(generator.next() % UInt64(bytes.count))
        bytes[position] ^= UInt8(1 + generator.next() % 255)
      }
      try folder.write(bytes, to: "b.h5")
      do throws(TraceError) {
        _ = try NativeTrace.read(folder.file("b.h5"))
      } catch {
        errors += 1
        #expect(error.kind == .badData)
      }
    }
    #expect(errors > files / 2)
  }

  @Test func whatIsNotHDF5IsTold() throws {
    try folder.write(Data("time,x,y,z\n0,1,2,3\n".utf8), to: "a.csv")
    try folder.write(Data(), to: "empty.h5")
    try folder.write(
      Data("version https://git-lfs.github.com/spec/v1\noid sha256:00\n".utf8), to: "lfs.h5")
    let cases: [(path: String, kind: TraceError.Kind, found: String)] = [
      (folder.file("absent.h5"), .inputOutput, "No such file or directory"),
      (folder.path, .inputOutput, "a folder"),
      (folder.file("empty.h5"), .badData, "an empty file"),
      (folder.file("a.csv"), .badData, "a file of another format"),
      (folder.file("lfs.h5"), .badData, "a pointer of Git LFS to it"),
      (folder.file("a.csv/b.h5"), .inputOutput, "Not a directory"),
    ]
    for (path, kind, found) in cases {
      let error = #expect(throws: TraceError.self) { try NativeTrace.open(path) }
      #expect(error?.kind == kind)
      #expect(error?.found == found)
      #expect(error?.place == path)
      #expect(!NativeTrace.isNative(path))
    }
    try NativeTrace.write(.sampler, to: folder.file("a.h5"))
    #expect(NativeTrace.isNative(folder.file("a.h5")))
  }

  /// One change to a minimal trace, and the reader's message.
  struct Change: Sendable, CustomTestStringConvertible {
    var name: String
    var place: String
    var expected: String
    var found: String
    var make: @Sendable (inout Minimal) -> Void
    var testDescription: String { name }
  }

  static let changes: [Change] = [
    Change(
      name: "no schema", place: "/@schema", expected: "'shadowbox-trace/1'",
      found: "no such attribute"
    ) { $0.texts["schema"] = nil },
    Change(
      name: "newer schema", place: "/@schema", expected: "'shadowbox-trace/1'",
      found: "'shadowbox-trace/2'"
    ) { $0.texts["schema"] = "shadowbox-trace/2" },
    Change(
      name: "no id", place: "/@id", expected: "an attribute of the root", found: "none"
    ) { $0.texts["id"] = nil },
    Change(
      name: "empty id", place: "/@id", expected: "a name", found: "an empty text"
    ) { $0.texts["id"] = "" },
    Change(
      name: "end before zero", place: "/@end", expected: "an end at or after 0 ns", found: "-1 ns"
    ) { $0.end = -1 },
    Change(
      name: "end before a measured time", place: "/@end",
      expected: "an end at or after 3 ns, the time of a reading in /acceleration", found: "2 ns"
    ) { $0.end = 2 },
    Change(
      name: "end before an arrival", place: "/@end",
      expected: "an end at or after 12 ns, the time of a reading in /acceleration", found: "10 ns"
    ) {
      $0.columns["arrived"] = .integers([1, 12, 11])
      $0.units["arrived"] = $0.units["time"]
    },
    Change(
      name: "an integer in place of a missing time", place: "/acceleration",
      expected: "times within 146 years of the trace's zero", found: "9223372036854775807 ns"
    ) {
      $0.columns["time"] = .integers([1, 2, .max])
      $0.end = .max
    },
    Change(
      name: "the least integer in place of a missing arrival", place: "/acceleration",
      expected: "times within 146 years of the trace's zero", found: "-9223372036854775808 ns"
    ) {
      $0.columns["arrived"] = .integers([.min, 2, 3])
      $0.units["arrived"] = $0.units["time"]
    },
    Change(
      name: "an instant beyond the axis", place: "/@recorded_at",
      expected: "a date from 1677-09-22 to 2262-04-11", found: "'2500-01-01T00:00:00Z'"
    ) { $0.texts["recorded_at"] = "2500-01-01T00:00:00Z" },
    Change(
      name: "unknown origin", place: "/@origin", expected: "a word that traces/FORMAT.md lists",
      found: "'dreamt'"
    ) { $0.texts["origin"] = "dreamt" },
    Change(
      name: "unknown hand", place: "/@handedness", expected: "a word that traces/FORMAT.md lists",
      found: "'both'"
    ) { $0.texts["handedness"] = "both" },
    Change(
      name: "no instant", place: "/@recorded_at",
      expected: "an instant such as 2022-05-01T10:00:03Z", found: "'yesterday'"
    ) { $0.texts["recorded_at"] = "yesterday" },
    Change(
      name: "no end", place: "/@end", expected: "an attribute of the root", found: "none"
    ) { $0.end = nil },
    Change(
      name: "no column", place: "/acceleration/y", expected: "a dataset", found: "none"
    ) { $0.columns["y"] = nil },
    Change(
      name: "no time", place: "/acceleration/time", expected: "a dataset", found: "none"
    ) { $0.columns["time"] = nil },
    Change(
      name: "short column", place: "/acceleration/z",
      expected: "one dimension of 3, like the group's first column", found: "a shape of [2]"
    ) { $0.columns["z"] = .floats([1, 2]) },
    Change(
      name: "integers", place: "/acceleration/x", expected: "32-bit floats",
      found: "64-bit integers"
    ) { $0.columns["x"] = .integers([1, 2, 3]) },
    Change(
      name: "times in floats", place: "/acceleration/time", expected: "64-bit integers",
      found: "32-bit floats"
    ) { $0.columns["time"] = .floats([1, 2, 3]) },
    Change(
      name: "g", place: "/acceleration/x@units", expected: "'m s-2'", found: "'g'"
    ) { $0.units["x"] = "g" },
    Change(
      name: "another zero", place: "/acceleration/time@units",
      expected: "'nanoseconds since 2022-05-01T10:00:03Z'",
      found: "'nanoseconds since 2022-05-01T10:00:04Z'"
    ) { $0.units["time"] = "nanoseconds since 2022-05-01T10:00:04Z" },
    Change(
      name: "no units", place: "/acceleration/x@units", expected: "'m s-2'",
      found: "no such attribute"
    ) { $0.units["x"] = nil },
    Change(
      name: "a dataset for a group", place: "/location", expected: "a group",
      found: "something else"
    ) { $0.extra.append("location") },
    Change(
      name: "unknown code", place: "/action/action", expected: "a known code",
      found: "9 in row 1"
    ) { $0.actions = (codes: [0, 9], values: [0, 1], meanings: "arm disarm") },
    Change(
      name: "unknown meaning", place: "/action/action",
      expected: "a known code", found: "1 ('dance') in row 1"
    ) { $0.actions = (codes: [0, 1], values: [0, 1], meanings: "arm dance") },
    Change(
      name: "too few meanings", place: "/action/action@flag_meanings",
      expected: "a word for each flag value, with other characters as + and two hex digits",
      found: "1 meanings for 2 values"
    ) { $0.actions = (codes: [0, 1], values: [0, 1], meanings: "arm") },
  ]

  @Test(arguments: changes)
  func whatIsWrongIsReported(change: Change) throws {
    var minimal = Minimal()
    change.make(&minimal)
    let path = folder.file("a.h5")
    try minimal.write(to: path)
    let error = #expect(throws: TraceError.self) { try NativeTrace.read(path) }
    #expect(error?.place == path + ":" + change.place)
    #expect(error?.expected == change.expected)
    #expect(error?.found == change.found)
    #expect(error?.kind == .badData)
  }

  @Test func theMinimalTraceIsRead() throws {
    var minimal = Minimal()
    minimal.extra = ["gesture", "notes"]
    minimal.columns["extra"] = .floats([1, 2, 3])
    // The meaning counts, not the number.
    minimal.actions = (codes: [7, 3], values: [3, 7], meanings: "disarm arm")
    try minimal.write(to: folder.file("a.h5"))
    let source = try NativeTrace.open(folder.file("a.h5"))
    #expect(source.unread == ["/acceleration/extra", "/gesture", "/notes"])
    #expect(source.header.epoch == "2022-05-01T10:00:03Z")
    #expect(source.header.end == TraceInstant(nanoseconds: 10))
    var unread = ["of another file"]
    let trace = try NativeTrace.read(folder.file("a.h5"), unread: &unread)
    #expect(unread == source.unread)
    #expect(trace[.acceleration]?.measuredTimes == [1, 2, 3])
    #expect(trace[.acceleration]?.value(at: 2) == .vector(Vector3(x: 3, y: 6, z: 9)))
    #expect(trace[.action]?.value(at: 0) == .action(.arm))
    #expect(trace[.action]?.value(at: 1) == .action(.disarm))
  }

  /// The header does not state the readings' times, so the block with the late one reports it.
  @Test func anEndBeforeAReadingIsReportedByItsBlock() throws {
    var minimal = Minimal()
    minimal.end = 2
    try minimal.write(to: folder.file("a.h5"))
    let source = try NativeTrace.open(folder.file("a.h5"))
    #expect(try source.nextBlock(of: .acceleration, limit: 2)?.count == 2)
    let error = #expect(throws: TraceError.self) {
      try source.nextBlock(of: .acceleration, limit: 2)
    }
    #expect(error?.place == folder.file("a.h5") + ":/@end")
  }

  @Test func anEndAtTheLastReadingIsRead() throws {
    var minimal = Minimal()
    minimal.end = 3
    try minimal.write(to: folder.file("a.h5"))
    #expect(try NativeTrace.read(folder.file("a.h5")).header.end.nanoseconds == 3)
  }

  @Test func fileThatCannotBeWrittenIsReported() throws {
    try FileManager.default.createDirectory(
      atPath: folder.file("folder"), withIntermediateDirectories: false)
    for name in ["absent/a.h5", "folder"] {
      let error = #expect(throws: TraceError.self) {
        try NativeTrace.write(.sampler, to: folder.file(name))
      }
      #expect(error?.kind == .inputOutput)
      #expect(error?.place == folder.file(name))
    }
    #expect(try folder.content == ["folder"])
  }

  @Test func whatTheFormatCannotHoldIsRefused() throws {
    let cases: [(place: String, change: (inout TraceHeader) -> Void)] = [
      ("/@id", { $0.id = "" }),
      ("/@end", { $0.end = TraceInstant(nanoseconds: -1) }),
      ("/@end", { $0.end = TraceInstant(nanoseconds: 29_979_999_999) }),
      ("/@recorded_at", { $0.epoch = "2022-05-01" }),
      ("/@subject", { $0.subject = "a\0" }),
      ("/place/id", { $0.places = [Place(id: -1, latitude: 0, longitude: 0, radius: 0, rank: 0)] }),
      (
        "/reference/visit/place",
        {
          $0.references = [
            ReferenceSet(task: .visit, events: [ReferenceEvent(onset: .zero, place: -1)])
          ]
        }
      ),
      (
        "",
        { $0.references = [ReferenceSet(task: .drop, events: []), .init(task: .drop, events: [])] }
      ),
    ]
    for (place, change) in cases {
      var trace = Trace.sampler
      change(&trace.header)
      let error = #expect(throws: TraceError.self) {
        try NativeTrace.write(trace, to: folder.file("a.h5"))
      }
      #expect(error?.kind == .badData)
      #expect(error?.place == folder.file("a.h5") + (place.isEmpty ? "" : ":" + place))
      #expect(try folder.content == [])
    }
  }

  @Test(arguments: ["", " a", "a b", "a/b", "1a", "_FillValue", "é", "a\0"])
  func namesThatNetCDFRefusesAreRefused(name: String) {
    var trace = Trace.sampler
    trace.set(.vector(VectorColumns()), for: .rotationRate, attributes: [name: "x"])
    let error = #expect(throws: TraceError.self) {
      try NativeTrace.write(trace, to: folder.file("a.h5"))
    }
    #expect(error?.place == folder.file("a.h5") + ":/rotation_rate@" + name)
  }

  @Test(arguments: [(-1, "more"), (1, "1500")])
  func aCountThatIsNotKeptIsReported(change: Int, found: String) throws {
    let source = LyingSource(.sampler, by: change)
    let error = #expect(throws: TraceError.self) {
      try NativeTrace.write(source, to: folder.file("a.h5"))
    }
    #expect(error?.found == found)
    #expect(error?.place == folder.file("a.h5") + ":/acceleration")
    #expect(try folder.content == [])
  }
}

/// States another number of readings than it has.
private final class LyingSource: TraceSource {
  private(set) var header: TraceHeader
  private let source: MemorySource

  init(_ trace: Trace, by change: Int) {
    source = MemorySource(trace)
    header = trace.header
    header.channels[0].count += change
  }

  func nextBlock(of channel: Channel, limit: Int) throws(TraceError) -> ChannelBlock? {
    try source.nextBlock(of: channel, limit: limit)
  }
}

/// A small trace that is written without the writer, so that it can be wrong.
struct Minimal {
  enum Column {
    case floats([Float])
    case integers([Int64])
  }

  var texts = [
    "schema": "shadowbox-trace/1", "id": "minimal", "origin": "recorded",
    "recorded_at": "2022-05-01T10:00:03Z",
  ]
  var end: Int64? = 10
  var columns: [String: Column] = [
    "time": .integers([1, 2, 3]), "x": .floats([1, 2, 3]), "y": .floats([2, 4, 6]),
    "z": .floats([3, 6, 9]),
  ]
  var units = [
    "time": "nanoseconds since 2022-05-01T10:00:03Z", "x": "m s-2", "y": "m s-2", "z": "m s-2",
  ]
  var actions: (codes: [Int32], values: [Int32], meanings: String)?
  /// Datasets of the root.
  var extra: [String] = []

  func write(to path: String) throws {
    let file = try HDF5File.create(atomicallyAt: path)
    let root = try file.root()
    for (name, text) in texts { try root.setAttribute(name, text) }
    if let end { try root.setAttribute("end", end) }
    try root.setAttribute("epoch_known", 1 as Int8)
    for name in extra { _ = try root.createDataset(name, of: Int8.self, shape: [1]) }
    let group = try root.createGroup("acceleration")
    for (name, column) in columns {
      let dataset = try make(name, column, in: group)
      if let units = units[name] { try dataset.setAttribute("units", units) }
    }
    if let actions { try write(actions, to: root.createGroup("action")) }
    try file.commit()
  }

  private func make(
    _ name: String, _ column: Column, in group: HDF5Group
  ) throws -> HDF5Dataset {
    switch column {
    case .floats(let values):
      let dataset = try group.createDataset(name, of: Float.self, shape: [values.count])
      try dataset.write(values)
      return dataset
    case .integers(let values):
      let dataset = try group.createDataset(name, of: Int64.self, shape: [values.count])
      try dataset.write(values)
      return dataset
    }
  }

  private func write(
    _ actions: (codes: [Int32], values: [Int32], meanings: String), to group: HDF5Group
  ) throws {
    let time = try group.createDataset("time", of: Int64.self, shape: [actions.codes.count])
    try time.write(actions.codes.indices.map { Int64($0) })
    try time.setAttribute("units", "nanoseconds since 2022-05-01T10:00:03Z")
    let action = try group.createDataset("action", of: Int32.self, shape: [actions.codes.count])
    try action.write(actions.codes)
    try action.setAttribute("flag_values", actions.values)
    try action.setAttribute("flag_meanings", actions.meanings)
  }
}
